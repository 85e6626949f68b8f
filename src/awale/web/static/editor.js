// Setting up a position by hand: click to add a seed, shift-click or right-click to take one away.

import { call } from "./api.js";
import { byId } from "./svg.js";
import { t } from "./texts.js";

/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {import("./types.js").Position} Position */

export class Editor {
  /**
   * @param {import("./board.js").AwaleBoard} board
   * @param {{onStart: (given: {rules: Rules, start: string}) => void, onClose: () => void}} callbacks
   */
  constructor(board, callbacks) {
    this.board = board;
    this.callbacks = callbacks;
    this.open = false;
    /** @type {Position} */ this.position = { board: [], scores: [0, 0], turn: 0, ply: 0 };
    board.addEventListener("edit", (event) => {
      const { heap, delta } = /** @type {CustomEvent} */ (event).detail;
      this._change(heap, delta);
    });
    byId("edit-clear").addEventListener("click", () => this._all(0));
    byId("edit-start").addEventListener("click", () => this._all(this.rules?.seeds ?? 4));
    byId("edit-cancel").addEventListener("click", () => this.close());
    byId("edit-done").addEventListener("click", () => this._done());
    byId("edit-turn").addEventListener("change", () => {
      this.position.turn = Number(/** @type {HTMLSelectElement} */ (byId("edit-turn")).value);
      this._show();
    });
    byId("edit-text").addEventListener("change", () => this._read());
    byId("edit-text").addEventListener("keydown", (event) => event.key === "Enter" && this._done());
  }

  /** @param {Rules} rules @param {Position} position */
  show(rules, position) {
    this.rules = rules;
    this.position = { board: structuredClone(position.board), scores: [...position.scores], turn: position.turn, ply: 0 };
    this.open = this.board.editing = true;
    byId("editor").hidden = false;
    byId("edit-colours").hidden = !rules.coloured;
    this.board.classList.add("editing");
    this.board.active = true;
    this._show();
    byId("editor").scrollIntoView({ block: "nearest" });
  }

  close() {
    if (!this.open) return;
    this.open = this.board.editing = false;
    byId("editor").hidden = true;
    this.board.classList.remove("editing");
    this.callbacks.onClose();
  }

  /** @param {number} seeds */
  _all(seeds) {
    /** @returns {import("./types.js").Hole} */
    const hole = () => (this.rules?.coloured ? [seeds, seeds, seeds] : seeds);
    this.position.board = this.position.board.map(hole);
    this.position.scores = [0, 0];
    this._show();
  }

  /** @param {number} heap @param {number} delta */
  _change(heap, delta) {
    if (!this.rules) return;
    const limit = (/** @type {number} */ n) => Math.max(0, Math.min(240, n));
    const { board, scores } = this.position;
    if (heap >= this.rules.holes) scores[heap - this.rules.holes] = limit(scores[heap - this.rules.holes] + delta);
    else {
      const hole = board[heap];
      if (typeof hole === "number") board[heap] = limit(hole + delta);
      else {
        const colour = Number(/** @type {HTMLInputElement} */ (document.querySelector('input[name="edit-colour"]:checked')).value);
        hole[colour] = limit(hole[colour] + delta);
      }
    }
    this._show();
  }

  text() {
    const holes = this.position.board.map((hole) => (typeof hole === "number" ? hole : hole.join(".")));
    return [...holes, ...this.position.scores, "SN"[this.position.turn]].join("-");
  }

  _show() {
    this.board.choose([]);
    this.board.show(this.position);
    /** @type {HTMLInputElement} */ (byId("edit-text")).value = this.text();
    /** @type {HTMLSelectElement} */ (byId("edit-turn")).value = String(this.position.turn);
    const sum = this.position.board.flat().reduce((a, b) => a + b, 0) + this.position.scores[0] + this.position.scores[1];
    byId("edit-total").textContent = t("edit.total", { n: sum, usual: this.rules?.total ?? 48 });
    byId("edit-error").textContent = "";
  }

  /** @param {string} text */
  async _ask(text) {
    try {
      return await call("/api/position", { rules: this.rules?.spec, start: text });
    } catch (error) {
      byId("edit-error").textContent = error instanceof Error ? error.message : String(error);
      return null;
    }
  }

  async _read() {
    const field = /** @type {HTMLInputElement} */ (byId("edit-text")), text = field.value;
    const answer = await this._ask(text);
    if (!answer || !this.open || field.value !== text) return;
    this.position = { board: answer.start.board, scores: answer.start.scores, turn: answer.start.turn, ply: 0 };
    this._show();
  }

  async _done() {
    // What is written in the field counts, also before the field is left.
    const text = /** @type {HTMLInputElement} */ (byId("edit-text")).value.trim();
    const answer = await this._ask(text);
    if (!answer || !this.rules) return;
    if (answer.view.over) {
      byId("edit-error").textContent = t("edit.over");
      return;
    }
    this.callbacks.onStart({ rules: this.rules, start: answer.view.position });
  }
}
