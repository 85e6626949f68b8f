// The page's texts, in the page's language: sent with the page, so there is nothing to wait for.

import { fill } from "./fill.js";

/** @param {string} id @returns {any} */
export function pageData(id) {
  return JSON.parse(document.getElementById(id)?.textContent || "{}");
}

/** @type {Record<string, string>} */
const texts = pageData("texts");
export const lang = document.documentElement.lang || "en";

/**
 * A text of `texts/web.toml` with its {placeholders} filled in.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const found = texts[key];
  if (found === undefined) throw new Error(`no text ${key}`);
  return fill(found, values, lang);
}

/** A sentence that came in all languages. @param {Record<string, string> | null | undefined} sentence */
export function say(sentence) {
  return sentence ? (sentence[lang] ?? sentence.en ?? "") : "";
}

/** @param {number} value */
export function number(value) {
  return value.toLocaleString(lang);
}

/** @param {number} n */
export function seeds(n) {
  return t("seeds", { n });
}

/** Read out by screen readers, shown nowhere. @param {string} sentence */
export function announce(sentence) {
  const region = document.getElementById("announcer");
  if (!region) return;
  const line = document.createElement("p");
  line.textContent = sentence;
  region.append(line);
  while (region.childElementCount > 4) region.firstElementChild?.remove();
}
