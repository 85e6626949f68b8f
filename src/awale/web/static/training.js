// The first page of the training: what is done and what is due in this browser; a file to carry it elsewhere.

import { call } from "./api.js";
import { exchange } from "./exchange.js";
import { keepSolved, solvedExercises, solvedIn } from "./progress.js";
import { due } from "./schedule.js";
import { allProgress, keepProgress, latestProgress } from "./solver.js";
import { byId } from "./svg.js";
import { pageData, t } from "./texts.js";

const lessons = /** @type {[string, string[]][]} */ (Object.entries(pageData("data").lessons));

function show() {
  const all = lessons.flatMap(([key, exercises]) => exercises.map((exercise) => solvedIn(key).has(exercise)));
  byId("lessons-state").textContent = t("lessons.total", { done: all.filter(Boolean).length, of: all.length });
  byId("mistakes-state").textContent = t("training.due", { n: due().length });
  const solver = latestProgress();
  if (solver) byId("puzzles-state").textContent = t("training.streak", { n: solver.streak, rating: Math.round(solver.rating[0]) });
}

const counts = () => ({
  puzzles: Object.values(allProgress()).reduce((sum, one) => sum + Object.keys(one.tried).length, 0),
  exercises: Object.values(solvedExercises()).reduce((sum, solved) => sum + solved.length, 0),
});

exchange(
  "awale-progress.jsonl",
  () =>
    [
      { format: "awale-progress", version: 1 },
      ...Object.entries(allProgress()).map(([rules, { bestStreak, ...progress }]) => ({ rules, ...progress, best_streak: bestStreak })),
      ...Object.entries(solvedExercises()).map(([lesson, solved]) => ({ lesson, solved })),
    ].map((entry) => JSON.stringify(entry) + "\n").join(""),
  async (text) => {
    const before = counts();
    const now = await call("/api/training/merge", { text, kept: { puzzles: allProgress(), lessons: solvedExercises() } });
    for (const [rules, progress] of Object.entries(now.puzzles)) keepProgress(rules, progress);
    keepSolved(now.lessons);
    show();
    const after = counts();
    return t("training.imported", { puzzles: after.puzzles - before.puzzles, exercises: after.exercises - before.exercises });
  },
);
show();
document.documentElement.dataset.ready = "true";
