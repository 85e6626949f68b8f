// How a game ended, in words for the reader.

import { say, t } from "./texts.js";

/** Endings after which the seeds taken so far say nothing. */
const BY_CONDUCT = ["resignation", "time", "illegal", "crash"];

/**
 * @param {import("./types.js").Outcome} outcome
 * @param {number[]} you  the reader's sides
 * @param {(side: number) => string} name
 * @returns {{title: string, reason: string}}
 */
export function ending(outcome, you, name) {
  const { winner, scores, reason } = outcome;
  const me = you.length === 1 ? you[0] : null;
  const result = me === null ? `${scores[0]}–${scores[1]}` : `${scores[me]}–${scores[1 - me]}`;
  const seeds = BY_CONDUCT.includes(reason) ? "" : result;
  const key = winner === null ? "draw" : me === null ? "wins" : winner === me ? "won" : "lost";
  const title = t(`ending.${key}`, { player: winner === null ? "" : name(winner), result: seeds }).trim();
  let said = say(outcome.because);
  if (winner !== null && (reason === "resignation" || reason === "time")) {
    said = 1 - winner === me ? t(`ending.${reason}-you`) : t(`ending.${reason}`, { player: name(1 - winner) });
  }
  return { title, reason: `${said[0].toUpperCase()}${said.slice(1)}${said.endsWith(".") ? "" : "."}` };
}
