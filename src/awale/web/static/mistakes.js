// Your own mistakes, when they are due: find the better move. They can be saved to a file and read from one.

import { call } from "./api.js";
import "./board.js";
import { exchange } from "./exchange.js";
import { listen } from "./keys.js";
import { Practice } from "./practice.js";
import { add, due, kept, next, repeated } from "./schedule.js";
import { pace } from "./settings.js";
import { showSteps } from "./steps.js";
import { byId } from "./svg.js";
import { announce, lang, number, pageData, t } from "./texts.js";

/** @typedef {import("./types.js").Mistake} Mistake */

const board = /** @type {import("./board.js").AwaleBoard} */ (byId("board"));
const data = pageData("data");
/** @type {Mistake | null} the one on the board */ let current = null;
/** @type {import("./types.js").View} */ let view = data.view;
/** @type {Practice | null} */ let practice = null;
/** whether the move of the current one was found or shown */ let settled = false;
/** whether no move was wrong so far */ let clean = true;
/** number of the latest action; what an earlier one still waits for is not shown */ let latest = 0;

/** @param {string} sentence @param {string} [kind] */
function status(sentence, kind = "") {
  byId("status").textContent = sentence;
  byId("status").className = `status ${kind}`;
  announce(sentence);
}

/** @param {Mistake} mistake */
const request = ({ rules, start, moves }) => ({ rules, start, moves });

/** @param {number} time */
const date = (time) => new Date(time).toLocaleDateString(lang, { dateStyle: "long" });

function counts() {
  const all = kept();
  byId("due-count").textContent = number(due().length);
  byId("waiting-count").textContent = number(all.filter((one) => one.due !== null && one.due > Date.now()).length);
  byId("learned-count").textContent = number(all.filter((one) => one.due === null).length);
  /** @type {HTMLButtonElement} */ (byId("export")).disabled = !all.length;
}

/** Show the mistake that is due, or say when there will be one. */
async function begin() {
  const mine = ++latest;
  current = due()[0] ?? null;
  settled = false;
  clean = true;
  byId("next").hidden = true;
  byId("solution").hidden = byId("game").hidden = !current;
  byId("table").hidden = !current;
  practice = null;
  counts();
  if (!current) {
    const time = next();
    status(time !== null ? t("mistakes.later", { date: date(time) }) : t(kept().length ? "mistakes.all-learned" : "mistakes.none"));
    return;
  }
  try {
    const found = await call("/api/position", request(current));
    if (mine !== latest) return;
    view = found.view;
    board.rules = found.rules;
    board.you = [view.turn];
    board.flipped = view.turn === 1;
    practice = new Practice(current, request(current));
    stand();
    status(t("mistakes.ask", { date: date(current.added), move: current.move }));
    const asked = new URLSearchParams({ rules: current.rules, moves: `${current.moves} ${current.move}`.trim() });
    if (current.start) asked.set("position", current.start);
    /** @type {HTMLAnchorElement} */ (byId("game")).href = `/analysis?${asked}`;
  } catch (error) {
    status(error instanceof Error ? error.message : String(error), "wrong");
  }
}

function stand() {
  board.show(view);
  board.arrows = [];
  board.active = !settled;
  board.choose(settled ? [] : view.legal, settled ? {} : view.refusals);
}

/** The move was found or shown: note it and go on. @param {string} move @param {string} sentence @param {string} kind */
async function settle(move, sentence, kind) {
  if (!current) return;
  const mine = ++latest;
  settled = true;
  if (clean) repeated(current, true);
  board.choose([]);
  counts();
  const time = kept().find((one) => one.move === current?.move && one.moves === current?.moves)?.due;
  status(`${sentence} ${time ? t("mistakes.again", { date: date(time) }) : t("mistakes.learned")}`, kind);
  byId("solution").hidden = true;
  byId("next").hidden = false;
  byId("next").focus();
  await showSteps(board, [await call("/api/trace", { ...request(current), move })], () => mine === latest);
}

/** Come back in a day: it was not found at once. */
function missed() {
  if (!current || !clean) return;
  clean = false;
  repeated(current, false);
  counts();
}

board.addEventListener("move", async (event) => {
  const move = /** @type {CustomEvent} */ (event).detail.move, asked = practice;
  if (!asked || settled) return;
  board.choose([]);
  try {
    const { found, sentence } = await asked.judge(move);
    if (asked !== practice || settled) return;
    if (found) await settle(move, sentence, "right");
    else {
      missed();
      stand();
      status(sentence, "wrong");
    }
  } catch (error) {
    stand();
    status(error instanceof Error ? error.message : String(error), "wrong");
  }
});
board.addEventListener("refused", (event) => announce(/** @type {CustomEvent} */ (event).detail.sentence));

byId("solution").addEventListener("click", () => {
  if (!current || settled) return;
  missed();
  void settle(current.best, t("mistakes.best", { move: current.best, line: current.line.slice(0, 6).join(" ") }), "");
});
byId("next").addEventListener("click", () => void begin());
exchange(
  "awale-mistakes.json",
  () => JSON.stringify({ format: "awale-mistakes", version: 1, mistakes: kept() }, null, 1),
  async (text) => {
    const read = await call("/api/mistakes/read", { text });
    const fresh = add(read.mistakes);
    if (current) counts();
    else await begin();
    return t("mistakes.imported", { n: fresh });
  },
);
const setPace = () => (board.pace = pace());
document.addEventListener("settings", setPace);
setPace();
listen(board, () => view.turn, { n: () => byId("next").hidden || byId("next").click() });

await begin();
document.documentElement.dataset.ready = "true";
