// Runs before the page is drawn: the theme chosen before, so that nothing flashes. Then the switches of every page.

import { remember, remembered } from "./keep.js";

const chosen = remembered("theme", "");
if (chosen) document.documentElement.dataset.theme = chosen;

addEventListener("DOMContentLoaded", () => {
  const button = document.getElementById("theme");
  button?.addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    remember("theme", root.dataset.theme);
  });
  const language = /** @type {HTMLAnchorElement | null} */ (document.getElementById("language"));
  language?.addEventListener("click", () => {
    const url = new URL(location.href);
    url.searchParams.set("lang", language.lang);
    language.href = url.toString();
  });
});
