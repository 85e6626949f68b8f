// The exercises of a lesson. The server asks and judges; a wrong answer is shown on the board where moves can show it.

import { call } from "./api.js";
import "./board.js";
import { Follower } from "./follow.js";
import { markSolved, solvedIn } from "./progress.js";
import { pace } from "./settings.js";
import { showSteps } from "./steps.js";
import { byId, maybe } from "./svg.js";
import { announce, pageData, say, t } from "./texts.js";

/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {import("./types.js").View} View */
/** @typedef {{key: string, form: string, rules: Rules, position: string, view: View, follow: number | null}} Exercise */

const { lesson, exercises } = /** @type {{lesson: string, exercises: Exercise[]}} */ (pageData("data"));

/** What can be chosen on the board: its legal moves, or pits. @param {Exercise} exercise */
function choices({ form, rules, view }) {
  if (form === "move") return view.legal;
  if (form !== "pit" && form !== "own-pit") return [];
  const pits = rules.owners.flatMap((owner, pit) => (form === "pit" || (owner === view.turn && view.board[pit] !== 0) ? [pit] : []));
  return pits.map((pit) => ({ move: rules.labels[pit], pit, colour: null, last: pit, laps: 1, captures: [], taken: 0, spared: false, endless: null }));
}

function showProgress() {
  const solved = solvedIn(lesson);
  const done = exercises.filter(({ key }) => solved.has(key)).length;
  byId("total").textContent = t(done === exercises.length ? "lessons.complete" : "lessons.done", { done, of: exercises.length });
  /** @type {HTMLProgressElement} */ (byId("total-bar")).value = done;
  exercises.forEach(({ key }, i) => (byId(`solved-${i}`).hidden = !solved.has(key)));
}

exercises.forEach((exercise, i) => {
  const board = /** @type {import("./board.js").AwaleBoard} */ (byId(`board-${i}`));
  const status = byId(`status-${i}`);
  /** number of the latest action; what an earlier one still waits for is not shown */ let latest = 0;
  /** @type {Follower | null} */
  let follower = null;
  board.rules = exercise.rules;
  board.quiet = true;

  const stand = () => {
    follower?.close();
    follower = null;
    board.show(exercise.view);
    board.choose(choices(exercise), {});
  };
  const tell = (/** @type {string} */ sentence, kind = "") => {
    status.textContent = sentence;
    status.className = `status ${kind}`;
  };
  /** @param {string | null} answer */
  const ask = async (answer) => {
    const mine = ++latest;
    stand();
    try {
      const judged = await call(`/api/lessons/${lesson}/${exercise.key}`, { answer });
      if (mine !== latest) return;
      const right = judged.right ? `${t("lessons.right")} ` : "";
      tell(right + say(judged.text), judged.right ? "right" : answer === null ? "" : "wrong");
      if (judged.right) {
        markSolved(lesson, exercise.key);
        showProgress();
        if (solvedIn(lesson).size === exercises.length) announce(byId("total").textContent ?? "");
      }
      board.choose([]);
      const shown = await showSteps(board, judged.steps, () => mine === latest);
      // What an answer leads to stays on the board until the reader has seen it.
      if (shown && judged.steps.length && !judged.right && answer !== null) byId(`back-${i}`).focus();
      else if (shown && !judged.steps.length) board.choose(choices(exercise), {});
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error), "wrong");
      stand();
    }
  };
  board.addEventListener("move", (event) => void ask(/** @type {CustomEvent} */ (event).detail.move));
  maybe(`number-${i}`)?.addEventListener("submit", (event) => {
    event.preventDefault();
    const field = /** @type {HTMLInputElement} */ (byId(`number-${i}`).querySelector("input"));
    const written = field.value.trim();
    if (written) void ask(/^\d+$/.test(written) ? String(Number(written)) : written);
  });
  for (const answer of ["yes", "no"]) maybe(`${answer}-${i}`)?.addEventListener("click", () => void ask(answer));
  byId(`solution-${i}`).addEventListener("click", () => void ask(null));
  byId(`back-${i}`).addEventListener("click", () => {
    latest++;
    tell("");
    stand();
  });
  maybe(`follow-${i}`)?.addEventListener("click", () => {
    latest++;
    stand();
    board.choose([]);
    follower = new Follower(board, byId(`follower-${i}`), { rules: exercise.rules.spec, start: exercise.position }, exercise.follow ?? 0, exercise.view);
  });
  stand();
});
const setPace = () => document.querySelectorAll("awale-board").forEach((board) => (/** @type {import("./board.js").AwaleBoard} */ (board).pace = pace()));
document.addEventListener("settings", setPace);
setPace();
showProgress();
document.documentElement.dataset.ready = "true";
