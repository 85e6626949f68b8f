// The oracle: what is proven about every move of the position on the analysis board, and by what.

import { byId, html } from "./svg.js";
import { say, t } from "./texts.js";

/** @typedef {import("./types.js").Oracle} Oracle */

/** A margin as it is written. @param {number} seeds */
function signed(seeds) {
  return seeds === 0 ? "0" : `${seeds > 0 ? "+" : "−"}${Math.abs(seeds)}`;
}

/** What is known of a move. Where margins are solved for, the margin or its bounds, and what that means in a word;
 * elsewhere (relay games) the word alone, unless the move ends the game by a margin.
 * @param {number} least @param {number} most @param {number} total @param {boolean} margins */
function words(least, most, total, margins) {
  const result = least > 0 ? "win" : most < 0 ? "loss" : least === 0 && most === 0 ? "draw" : "open";
  const text = t(`oracle.${result !== "open" ? result : least === 0 ? "at-least" : most === 0 ? "at-most" : "open"}`);
  if (least === most && (margins || least !== 0)) return { result, value: signed(least), text };
  if (!margins) return { result, value: text, text: "" };
  const [low, high] = [least > -total, most < total];
  if (low !== high) return { result, value: low ? `≥\u00a0${signed(least)}` : `≤\u00a0${signed(most)}`, text };
  return { result, value: t("oracle.between", { least: signed(least), most: signed(most) }), text };
}

/** Show what is proven, or nothing. @param {Oracle | null | undefined} oracle */
export function showOracle(oracle) {
  byId("oracle").hidden = !oracle;
  if (!oracle) return;
  const margins = oracle.source === "table" || oracle.source === "results";
  const known = oracle.moves.map((one) => ({ ...one, ...words(one.least, one.most, oracle.total, margins) }));
  const about = t(margins ? "oracle.margins" : "oracle.results", { source: say(oracle.said) });
  const bounds = known.some(({ value }) => /^[≤≥]/.test(value));
  byId("oracle-source").textContent = bounds ? `${about} ${t("oracle.bounds")}` : about;
  known.sort((a, b) => b.least - a.least || b.most - a.most);
  byId("oracle-moves").replaceChildren(...known.map(({ move, result, value, text }) =>
    html("li", { class: result }, html("b", {}, move), html("span", { class: "oracle-value" }, value), html("span", { class: "faint" }, text))));
}
