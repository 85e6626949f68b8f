// The opening explorer beside the board: what was played in a position of the stored games, how they ended, and what
// the opening book says.

import { call } from "./api.js";
import { remember, remembered } from "./keep.js";
import { byId, html } from "./svg.js";
import { lang, number, t } from "./texts.js";

/** @typedef {import("./types.js").Explored} Explored */

/** A value of the book as it is written. @param {number} seeds */
function signed(seeds) {
  const size = Math.abs(seeds).toLocaleString(lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return Number(seeds.toFixed(1)) === 0 ? size : `${seeds > 0 ? "+" : "−"}${size}`;
}

export class Explorer {
  /**
   * @param {() => {rules: string, start: string | null, moves: string} | null} position  what is on the board; null: ask nothing
   * @param {(move: string) => void} onMove
   */
  constructor(position, onMove) {
    this._position = position;
    this._onMove = onMove;
    this._asked = "";
    /** @type {Map<string, Explored>} answers by question, the latest ones */ this._known = new Map();
    /** @type {Map<string, string>} the engine's values */ this._values = new Map();
    /** @type {Explored | null} */ this._found = null;
    this._box = /** @type {HTMLDetailsElement} */ (byId("explorer"));
    this._any = /** @type {HTMLInputElement} */ (byId("explorer-any"));
    this._box.open = remembered("explorer", "") === "open";
    this._any.checked = remembered("explorer-stores", "") === "any";
    this._box.addEventListener("toggle", () => {
      remember("explorer", this._box.open ? "open" : "");
      this.show();
    });
    this._any.addEventListener("change", () => {
      remember("explorer-stores", this._any.checked ? "any" : "");
      this.show();
    });
  }

  /** Show what is known about the position on the board. */
  async show() {
    const position = this._box.open ? this._position() : null;
    if (!position) return;
    const question = { ...position, stores: !this._any.checked };
    const key = JSON.stringify(question);
    if (key === this._asked) return;
    this._asked = key;
    try {
      const found = this._known.get(key) ?? (await call("/api/explore", question));
      this._known.set(key, found);
      if (this._known.size > 200) this._known.delete(this._known.keys().next().value ?? "");
      if (this._asked !== key) return;
      this._found = found;
      this._draw();
    } catch (error) {
      if (this._asked !== key) return;
      this._asked = "";
      this._found = null;
      this._draw();
      byId("explorer-total").textContent = error instanceof Error ? error.message : String(error);
    }
  }

  /** The engine's values of moves, as they are written. @param {Map<string, string>} values */
  set values(values) {
    this._values = values;
    for (const cell of byId("explorer-rows").querySelectorAll("td[data-move]")) {
      const { move = "", book = "" } = /** @type {HTMLElement} */ (cell).dataset;
      cell.textContent = values.get(move) ?? book;
    }
  }

  _draw() {
    const found = this._found;
    byId("explorer-table").hidden = !found?.moves.length;
    const said = !found ? "" : found.games ? t("explorer.total", { games: number(found.games) }) : t("explorer.none");
    byId("explorer-total").textContent = found?.bookDepth ? `${said} ${t("explorer.book", { depth: found.bookDepth })}` : said;
    byId("explorer-rows").replaceChildren(...(found?.moves ?? []).map((line) => {
      const parts = [line.south, line.draws, line.north].map((count) => (100 * count) / (line.games || 1));
      const [south, draws, north] = parts.map((part) => Math.round(part));
      const shares = t("explorer.shares", { south, draws, north });
      const bar = html("span", { class: "shares", role: "img", "aria-label": shares, title: shares });
      parts.forEach((part) => {
        const piece = html("span", {});
        piece.style.width = `${part}%`;
        bar.append(piece);
      });
      const book = line.value === null ? "" : signed(line.value);
      return html("tr", {},
        html("td", {}, html("button", { type: "button", onclick: () => this._onMove(line.move) }, line.move)),
        html("td", {}, number(line.games)), html("td", {}, line.games ? bar : ""),
        html("td", { "data-move": line.move, "data-book": book }, this._values.get(line.move) ?? book));
    }));
  }
}
