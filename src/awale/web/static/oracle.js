// The oracle: what is proven about every move of the position on the analysis board, and by what.

import { byId, html } from "./svg.js";
import { say, t } from "./texts.js";

/** @typedef {import("./types.js").Oracle} Oracle */

/** A margin as it is written. @param {number} seeds */
function signed(seeds) {
  return seeds === 0 ? "0" : `${seeds > 0 ? "+" : "−"}${Math.abs(seeds)}`;
}

/** Words for what is no win and no loss in relay games, where play without end decides nothing. @type {Record<string, string>} */
const RELAY = { draw: "nothing-forced", "at-least": "no-forced-loss", "at-most": "no-forced-win" };

/** What is known of a move. Where margins are solved for, the margin or its bounds, and what that means in a word;
 * elsewhere (relay games) the word alone, unless the move ends the game by a margin.
 * @param {number} least @param {number} most @param {number} total @param {boolean} margins */
function words(least, most, total, margins) {
  const result = least > 0 ? "win" : most < 0 ? "loss" : least === 0 && most === 0 ? "draw" : "open";
  const known = result !== "open" ? result : least === 0 ? "at-least" : most === 0 ? "at-most" : "open";
  const text = t(`oracle.${(!margins && RELAY[known]) || known}`);
  if (least === most && (margins || least !== 0)) return { result, value: signed(least), text };
  if (!margins) return { result, value: text, text: "" };
  const [low, high] = [least > -total, most < total];
  if (low !== high) return { result, value: low ? `≥\u00a0${signed(least)}` : `≤\u00a0${signed(most)}`, text };
  return { result, value: t("oracle.between", { least: signed(least), most: signed(most) }), text };
}

/**
 * Show what is proven, or nothing. While that is still to come, the panel keeps its place.
 * @param {Oracle | null | undefined} oracle  undefined: still to come
 * @param {import("./types.js").Rules} rules
 * @returns {string} what is said of the best move
 */
export function showOracle(oracle, rules) {
  const panel = byId("oracle");
  panel.classList.toggle("waiting", oracle === undefined);
  if (oracle !== undefined) panel.hidden = !oracle;
  if (!oracle) return "";
  const margins = oracle.source === "table" || oracle.source === "results";
  const known = oracle.moves.map((one) => ({ ...one, ...words(one.least, one.most, oracle.total, margins) }));
  const about = [t(margins ? "oracle.margins" : "oracle.results", { source: say(oracle.said) })];
  if (known.some(({ value }) => /^[≤≥]/.test(value))) about.push(t("oracle.bounds"));
  if (margins && rules.goal) about.push(t("oracle.goal"));
  byId("oracle-source").textContent = about.join(" ");
  byId("oracle-boards").hidden = rules.relay;
  known.sort((a, b) => b.least - a.least || b.most - a.most);
  byId("oracle-moves").replaceChildren(...known.map(({ move, result, value, text }) =>
    html("li", { class: result }, html("b", {}, move), html("span", { class: "oracle-value" }, value), html("span", { class: "faint" }, text))));
  const [best] = known;
  return best ? t("oracle.heard", { best: [best.move, best.value, best.text].filter(Boolean).join(" ") }) : "";
}
