// The list of lessons, with how far this browser has come in each.

import { solvedIn } from "./progress.js";
import { byId } from "./svg.js";
import { pageData, t } from "./texts.js";

let total = 0, all = 0;
for (const { key, exercises } of pageData("data").lessons) {
  const solved = solvedIn(key);
  const done = exercises.filter((/** @type {string} */ exercise) => solved.has(exercise)).length;
  byId(`done-${key}`).textContent = t(done === exercises.length ? "lessons.complete" : "lessons.done", { done, of: exercises.length });
  byId(`done-${key}`).classList.toggle("complete", done === exercises.length);
  total += done;
  all += exercises.length;
}
byId("total").textContent = t("lessons.total", { done: total, of: all });
const bar = /** @type {HTMLProgressElement} */ (byId("total-bar"));
bar.max = all;
bar.value = total;
document.documentElement.dataset.ready = "true";
