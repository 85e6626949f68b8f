// The list of moves played: numbers, captures, marks; click or step to look at an earlier position.

import { html } from "./svg.js";
import { seeds, t } from "./texts.js";

/** @typedef {import("./types.js").Row} Row */

/** A move's button for those who cannot see it: what is written on it comes first. @param {string} move @param {number} taken @param {string} mark */
export function moveLabel(move, taken, mark) {
  return `${move}${taken ? `+${taken}: ${t("effect.captures", { seeds: seeds(taken) })}` : ""}${mark ? ` ${mark}` : ""}`;
}

/**
 * @param {HTMLElement} list
 * @param {Row[]} rows
 * @param {number} shown  how many moves the board shows
 * @param {(ply: number) => void} onChoose
 * @param {(ply: number) => string} [markOf]
 */
export function listMoves(list, rows, shown, onChoose, markOf = () => "") {
  /** @type {HTMLElement[]} */
  const items = [];
  /** @type {HTMLElement | null} */
  let line = null, current = null;
  rows.forEach((row, i) => {
    if (!line || i % 2 === 0) {
      line = html("li", {}, html("span", { class: "number" }, `${Math.floor(i / 2) + 1}.`));
      items.push(line);
    }
    const mark = markOf(i);
    const button = html("button", { type: "button", class: `ply side-${row.mover} ${mark ? "marked" : ""}`,
                                    "aria-label": moveLabel(row.move, row.taken, mark),
                                    onclick: () => onChoose(i + 1) },
      row.move, row.taken ? html("small", {}, `+${row.taken}`) : "", mark ? html("em", { class: `mark m${mark.length}${mark[0] === "?" ? "q" : "e"}` }, mark) : "");
    if (i + 1 === shown) {
      button.setAttribute("aria-current", "step");
      current = button;
    }
    line.append(button);
  });
  list.replaceChildren(...items);
  const mine = /** @type {HTMLElement | null} */ (current);
  if (mine) list.scrollTop = Math.max(0, mine.offsetTop - list.clientHeight / 2);
  else if (!shown) list.scrollTop = 0;
}
