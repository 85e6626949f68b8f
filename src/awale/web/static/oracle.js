// The oracle: what is proven about every move of the position on the analysis board, and by what.

import { byId, html } from "./svg.js";
import { say, t } from "./texts.js";

/** @typedef {import("./types.js").Oracle} Oracle */

/** A margin as it is written. @param {number} seeds */
function signed(seeds) {
  return seeds === 0 ? "0" : `${seeds > 0 ? "+" : "−"}${Math.abs(seeds)}`;
}

/** What is known of a move, in words: the margin where it is known, else who wins, else the bounds.
 * @param {number} least @param {number} most */
function words(least, most) {
  const result = least > 0 ? "win" : most < 0 ? "loss" : least === 0 && most === 0 ? "draw" : "open";
  if (least === most) return { result, value: signed(least), text: t(`oracle.${result}`) };
  if (result !== "open") return { result, value: t(`oracle.${result}`), text: "" };
  if (least === 0 || most === 0) return { result, value: t(least === 0 ? "oracle.at-least" : "oracle.at-most"), text: "" };
  return { result, value: t("oracle.between", { least: signed(least), most: signed(most) }), text: "" };
}

/** Show what is proven, or nothing. @param {Oracle | null | undefined} oracle */
export function showOracle(oracle) {
  byId("oracle").hidden = !oracle;
  if (!oracle) return;
  byId("oracle-source").textContent = t("oracle.source", { source: say(oracle.said) });
  const known = oracle.moves.map((one) => ({ ...one, ...words(one.least, one.most) }));
  known.sort((a, b) => b.least - a.least || b.most - a.most);
  byId("oracle-moves").replaceChildren(...known.map(({ move, result, value, text }) =>
    html("li", { class: result }, html("b", {}, move), html("span", { class: "oracle-value" }, value), html("span", { class: "faint" }, text))));
}
