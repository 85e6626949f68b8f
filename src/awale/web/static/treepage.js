// The page of search trees: its form asks the server, the drawing is `SearchTree`'s. Every tree has an address of its own.

import { call } from "./api.js";
import { SearchTree } from "./searchtree.js";
import { byId } from "./svg.js";
import { lang, pageData } from "./texts.js";

const form = /** @type {HTMLFormElement} */ (byId("tree-form"));
const place = byId("search-tree");
const error = byId("tree-error");
const texts = pageData("data").texts;
/** @type {SearchTree | null} */
let shown = null;
let asked = 0;

/** @param {any} tree */
function draw(tree) {
  shown?.close();
  shown = new SearchTree(place, tree, texts, lang, { fromHere: { label: place.dataset.fromHere ?? "", go: fromHere } });
  for (const format of ["svg", "html"]) {
    const link = /** @type {HTMLAnchorElement} */ (byId(`tree-${format}`));
    link.href = `/api/tree/file?${new URLSearchParams({ ...question(), format, lang })}`;
  }
}

/** What the form asks, the empty fields left out. @returns {Record<string, string>} */
function question() {
  const fields = [...new FormData(form)].map(([key, value]) => /** @type {[string, string]} */ ([key, String(value).trim()]));
  return Object.fromEntries(fields.filter(([, value]) => value));
}

/** @param {boolean} keep  remember the address */
async function ask(keep) {
  const body = question();
  const mine = (asked += 1);
  error.textContent = "";
  place.setAttribute("aria-busy", "true");
  const waiting = setTimeout(() => { error.textContent = place.dataset.drawing ?? ""; }, 400);
  try {
    const tree = await call("/api/tree", { ...body, depth: Number(body.depth) });
    if (mine !== asked) return;
    setup.open = !small.matches;
    draw(tree);
    clearTimeout(waiting);
    error.textContent = "";
    if (keep) history.pushState(null, "", `/tree?${new URLSearchParams(body)}`);
  } catch (refused) {
    clearTimeout(waiting);
    if (mine === asked) error.textContent = refused instanceof Error ? refused.message : String(refused);
  } finally {
    if (mine === asked) place.removeAttribute("aria-busy");
  }
}

/** @param {string} position */
function fromHere(position) {
  field("start").value = position;
  ask(true);
}

/** @param {string} name */
function field(name) {
  return /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
}

/** Fill the form in from an address. @param {URL} address */
function read(address) {
  for (const name of ["rules", "start", "depth", "method", "evaluation"]) {
    const value = address.searchParams.get(name);
    if (value !== null || name === "start" || name === "evaluation") field(name).value = value ?? "";
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask(true);
});
byId("tree-rules").addEventListener("change", () => {
  field("start").value = "";
});
for (const link of document.querySelectorAll("a.tree-example")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    read(new URL(/** @type {HTMLAnchorElement} */ (link).href));
    ask(true);
  });
}
addEventListener("popstate", () => {
  const address = new URL(location.href);
  if (address.searchParams.has("depth")) {
    read(address);
    ask(false);
  }
});
const first = pageData("tree-data");
// On a phone the tree comes first and the form stays folded.
const setup = /** @type {HTMLDetailsElement} */ (byId("tree-setup"));
const small = matchMedia("(max-width: 640px)");
setup.open = !small.matches || !first;
small.addEventListener("change", () => { setup.open ||= !small.matches; });
if (first) draw(first);
document.documentElement.dataset.ready = "true";
