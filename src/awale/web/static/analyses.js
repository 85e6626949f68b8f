// The analyses kept in this browser: one for each start, game or file, so that none replaces another.

import { remember, rememberedRecord } from "./keep.js";

/** How many are kept; the one changed longest ago goes first. */
const MOST = 20;

/** @returns {Record<string, any>} by what they belong to, the latest last */
const all = () => rememberedRecord("analyses");

/** @param {string} id @returns {any} */
export const keptAnalysis = (id) => all()[id];

/** What the analysis changed last belongs to. */
export const latestAnalysis = () => Object.keys(all()).at(-1);

/** @param {string} id @param {any} analysis */
export function keepAnalysis(id, analysis) {
  const { [id]: _, ...others } = all();
  const latest = [...Object.entries(others), [id, analysis]].slice(-MOST);
  remember("analyses", JSON.stringify(Object.fromEntries(latest)));
}
