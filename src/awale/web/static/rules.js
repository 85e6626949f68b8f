// Rules to choose from: the presets, and whatever other rules a page is about.

import { html } from "./svg.js";
import { say } from "./texts.js";

/** @typedef {import("./types.js").Rules} Rules */

/** @param {HTMLSelectElement} select @param {Rules[]} rules */
export function offerRules(select, rules) {
  for (const one of rules) select.append(html("option", { value: one.spec }, say(one.title)));
}

/** Choose rules, which are added if they are no preset. @param {HTMLSelectElement} select @param {Rules} rules */
export function chooseRules(select, rules) {
  if (![...select.options].some((option) => option.value === rules.spec)) offerRules(select, [rules]);
  select.value = rules.spec;
}
