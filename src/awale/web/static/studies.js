// The studies of this browser, and a form for a new one.

import { call } from "./api.js";
import { byId, html } from "./svg.js";
import { lang, t } from "./texts.js";

const field = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (byId(id));

byId("new-study").addEventListener("submit", async (event) => {
  event.preventDefault();
  byId("problem").textContent = "";
  try {
    const { key } = await call("/api/studies", { title: field("new-title").value, rules: field("new-rules").value, text: field("new-text").value });
    location.assign(`/study/${key}`);
  } catch (error) {
    byId("problem").textContent = error instanceof Error ? error.message : String(error);
  }
});

const studies = await call("/api/studies");
byId("none").hidden = studies.length > 0;
for (const study of studies) {
  const when = new Date(study.updated).toLocaleDateString(lang, { dateStyle: "medium" });
  byId("studies").append(html("li", {}, html("a", { href: `/study/${study.key}` }, study.title),
    html("span", { class: "faint" }, ` ${t("study.count", { n: study.chapters })}, ${when}`)));
}
document.documentElement.dataset.ready = "true";
