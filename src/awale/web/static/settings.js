// The switches of every page: language, sound, light or dark, and the dialog of the other settings.

import { chooseLook, remember, remembered } from "./keep.js";
import { byId } from "./svg.js";

/** How fast seeds are sown, in milliseconds from pit to pit. */
export const pace = () => {
  const kept = remembered("pace", "190");
  return /^(0|80|190|420)$/.test(kept) ? Number(kept) : 190;
};
export const soundOn = () => remembered("sound", "on") === "on";

const root = document.documentElement;
const dialog = /** @type {HTMLDialogElement} */ (byId("settings-dialog"));

/** Tell the page that a setting has changed. */
function changed() {
  document.dispatchEvent(new Event("settings"));
}

byId("theme").addEventListener("click", () => {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  chooseLook("theme", dark ? "light" : "dark");
});

byId("sound").setAttribute("aria-pressed", String(soundOn()));
byId("sound").addEventListener("click", () => {
  remember("sound", soundOn() ? "off" : "on");
  byId("sound").setAttribute("aria-pressed", String(soundOn()));
  changed();
});

const language = /** @type {HTMLAnchorElement} */ (byId("language"));
language.addEventListener("click", () => {
  const url = new URL(location.href);
  url.searchParams.set("lang", language.lang);
  language.href = url.toString();
});

/** @type {Record<string, {get: () => string, set: (value: string) => void}>} */
const choices = {
  board: { get: () => root.dataset.board ?? "", set: (value) => chooseLook("board", value) },
  seeds: { get: () => root.dataset.seeds ?? "", set: (value) => chooseLook("seeds", value) },
  pace: { get: () => String(pace()), set: (value) => remember("pace", value) },
  notify: {
    get: () => remembered("notify", ""),
    set: (value) => {
      remember("notify", value);
      if (value && "Notification" in window) void Notification.requestPermission();
    },
  },
};
for (const [name, { get, set }] of Object.entries(choices)) {
  for (const input of dialog.querySelectorAll(`input[name="set-${name}"]`)) {
    const radio = /** @type {HTMLInputElement} */ (input);
    radio.checked = radio.value === get();
    radio.addEventListener("change", () => {
      set(radio.value);
      changed();
    });
  }
}
document.querySelector(".top nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }); // phones scroll the list
byId("settings").addEventListener("click", () => dialog.showModal());
for (const box of document.querySelectorAll("dialog")) {
  for (const button of box.querySelectorAll(".close")) button.addEventListener("click", () => box.close());
}
if (!document.querySelector('script[type="module"]:not([src$="/settings.js"])')) root.dataset.ready = "true"; // nothing else to wait for
if ("serviceWorker" in navigator) void navigator.serviceWorker.register("/sw.js").catch(() => {}); // not over plain HTTP
