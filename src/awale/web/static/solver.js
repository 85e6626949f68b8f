// What this browser's player has done with puzzles: rating, streak, puzzles tried. The server computes it.

import { remember, rememberedRecord } from "./keep.js";

/** @typedef {import("./types.js").SolverProgress} SolverProgress */

/** @returns {Record<string, SolverProgress>} by rules */
export const allProgress = () => rememberedRecord("puzzles");

/** @param {string} rules @returns {SolverProgress | null} */
export function progressIn(rules) {
  return allProgress()[rules] ?? null;
}

/** @param {string} rules @param {SolverProgress} progress */
export function keepProgress(rules, progress) {
  const { [rules]: _, ...others } = allProgress();
  remember("puzzles", JSON.stringify({ ...others, [rules]: progress })); // the latest rules stand last
}

/** The progress under the rules that were trained last. @returns {SolverProgress | null} */
export function latestProgress() {
  return Object.values(allProgress()).at(-1) ?? null;
}
