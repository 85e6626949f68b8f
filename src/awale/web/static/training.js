// The first page of the training: what is done and what is due in this browser.

import { solvedIn } from "./progress.js";
import { due } from "./schedule.js";
import { latestProgress } from "./solver.js";
import { byId } from "./svg.js";
import { pageData, t } from "./texts.js";

const lessons = /** @type {[string, string[]][]} */ (Object.entries(pageData("data").lessons));
const all = lessons.flatMap(([key, exercises]) => exercises.map((exercise) => solvedIn(key).has(exercise)));
byId("lessons-state").textContent = t("lessons.total", { done: all.filter(Boolean).length, of: all.length });
byId("mistakes-state").textContent = t("training.due", { n: due().length });
const solver = latestProgress();
if (solver) byId("puzzles-state").textContent = t("training.streak", { n: solver.streak, rating: Math.round(solver.rating[0]) });
document.documentElement.dataset.ready = "true";
