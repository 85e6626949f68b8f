// "Try again": find a better move than the one that was a mistake.

import { call } from "./api.js";
import { t } from "./texts.js";

/** A move that costs less than this many seeds counts as found. */
const GOOD = 1.5;

export class Practice {
  /**
   * @param {import("./tree.js").Node} node  the position before the mistake
   * @param {import("./types.js").Verdict} verdict
   * @param {any} position  the same position as a request
   */
  constructor(node, verdict, position) {
    this.node = node;
    this.verdict = verdict;
    /** @type {Promise<import("./types.js").Analysis>} */
    this._analysis = call("/api/analyse", { ...position, seconds: 1 });
  }

  /** @param {string} move @returns {Promise<{found: boolean, sentence: string}>} */
  async judge(move) {
    const { moves } = await this._analysis;
    const sign = this.verdict.mover === 0 ? 1 : -1;
    const value = (/** @type {import("./types.js").MoveValue} */ one) => sign * one.seeds;
    const best = Math.max(...moves.map(value));
    const mine = moves.find((one) => one.move === move);
    const loss = mine ? best - value(mine) : Infinity;
    if (loss < GOOD) return { found: true, sentence: t("practice.found", { move }) };
    if (move === this.verdict.move) return { found: false, sentence: t("practice.same", { move }) };
    return { found: false, sentence: t("practice.wrong", { move }) };
  }
}
