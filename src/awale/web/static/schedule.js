// The mistakes of this browser's player, and when each comes back: after a day, then after a week. Kept in local storage.

import { remember, remembered } from "./keep.js";

/** @typedef {import("./types.js").Mistake} Mistake */

const DAY = 24 * 60 * 60 * 1000;
/** Milliseconds until a mistake comes back: after the game, and after it was mended once. Mended twice, it is learned. */
const DELAYS = [DAY, 7 * DAY];
/** Mistakes that are kept; the file that holds them may have as many. */
const MOST = 200;

/** What makes two mistakes the same. @param {Pick<Mistake, "rules" | "start" | "moves" | "move">} mistake */
export const identity = ({ rules, start, moves, move }) => [rules, start ?? "", moves, move].join("|");

/** @returns {Mistake[]} */
export function kept() {
  try {
    const found = JSON.parse(remembered("mistakes", "[]"));
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** @param {Mistake[]} mistakes */
function keep(mistakes) {
  // The learned ones go first, then those longest here.
  const rank = (/** @type {Mistake} */ one) => (one.due === null ? 0 : 1);
  const spare = [...mistakes].sort((a, b) => rank(a) - rank(b) || a.added - b.added).slice(0, Math.max(0, mistakes.length - MOST));
  remember("mistakes", JSON.stringify(mistakes.filter((one) => !spare.includes(one))));
}

/**
 * Keep new mistakes. One that is here already stays as it is.
 * @param {Mistake[]} mistakes
 * @param {Set<string>} [without]  identities of those to forget, unless they are among the new ones or were practised
 * @returns {number} how many are new
 */
export function add(mistakes, without = new Set()) {
  const wanted = new Set(mistakes.map(identity));
  const rest = kept().filter((one) => wanted.has(identity(one)) || one.stage > 0 || !without.has(identity(one)));
  const known = new Set(rest.map(identity));
  const fresh = mistakes.filter((one) => !known.has(identity(one)));
  keep([...rest, ...fresh]);
  return fresh.length;
}

/** A mistake that was just made, due in a day. @param {Omit<Mistake, "stage" | "due" | "added">} made @returns {Mistake} */
export function scheduled(made) {
  return { ...made, stage: 0, due: Date.now() + DELAYS[0], added: Date.now() };
}

/** The mistakes to repeat now, those longest due first. @returns {Mistake[]} */
export function due() {
  return kept().filter((one) => one.due !== null && one.due <= Date.now()).sort((a, b) => Number(a.due) - Number(b.due));
}

/** When the next mistake comes back. @returns {number | null} */
export function next() {
  const times = kept().flatMap((one) => (one.due === null ? [] : [one.due]));
  return times.length ? Math.min(...times) : null;
}

/** Note how a repetition went. @param {Mistake} mistake @param {boolean} right  at the first try */
export function repeated(mistake, right) {
  const stage = right ? mistake.stage + 1 : 0;
  const due = stage < DELAYS.length ? Date.now() + DELAYS[stage] : null;
  keep(kept().map((one) => (identity(one) === identity(mistake) ? { ...one, stage, due } : one)));
}
