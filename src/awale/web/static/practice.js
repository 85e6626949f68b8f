// "Try again": find a better move than the one that was a mistake.

import { call } from "./api.js";
import { t } from "./texts.js";

/** A move that costs less than this many seeds counts as found. */
const GOOD = 1.5;

export class Practice {
  /**
   * @param {{mover: number, move: string}} verdict  who made the mistake, and the move
   * @param {any} position  the position before it, as a request
   */
  constructor(verdict, position) {
    this.verdict = verdict;
    this._position = position;
    /** @type {Promise<import("./types.js").Analysis> | null} */ this._analysis = null;
    void this._analyse().catch(() => {}); // asked again with the first move
  }

  /** The analysis of the position, asked for once unless it fails. */
  _analyse() {
    this._analysis ??= call("/api/analyse", { ...this._position, seconds: 1 }).catch((error) => {
      this._analysis = null;
      throw error;
    });
    return /** @type {Promise<import("./types.js").Analysis>} */ (this._analysis);
  }

  /** @param {string} move @returns {Promise<{found: boolean, sentence: string}>} */
  async judge(move) {
    const { moves } = await this._analyse();
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
