// A search tree that was saved as a file of its own: both languages, light and dark, nothing else.

import { SearchTree } from "./searchtree.js";

const kept = JSON.parse(document.getElementById("tree-data")?.textContent ?? "{}");
const place = /** @type {HTMLElement} */ (document.getElementById("search-tree"));
const languageButton = /** @type {HTMLButtonElement} */ (document.getElementById("file-language"));
const themeButton = /** @type {HTMLButtonElement} */ (document.getElementById("file-theme"));
/** @type {SearchTree | null} */
let shown = null;

/** @param {string} lang */
function speak(lang) {
  document.documentElement.lang = lang;
  const step = shown?.step;
  shown?.close();
  shown = new SearchTree(place, kept.tree, kept.texts[lang], lang);
  if (step !== undefined) shown.go(step);
  const title = shown.words.title();
  document.title = title;
  const heading = document.getElementById("file-title");
  if (heading) heading.textContent = title;
  languageButton.textContent = shown.words.text("view.language");
  languageButton.lang = lang === "fr" ? "en" : "fr";
  themeButton.title = shown.words.text("view.theme");
  themeButton.setAttribute("aria-label", themeButton.title);
}

themeButton.textContent = "◐";
themeButton.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});
languageButton.addEventListener("click", () => speak(document.documentElement.lang === "fr" ? "en" : "fr"));
speak(document.documentElement.lang in kept.texts ? document.documentElement.lang : "en");
document.documentElement.dataset.ready = "true";
