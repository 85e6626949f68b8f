// Puzzles: find the one move. The server knows the solutions, answers right moves and refutes wrong ones.

import { call } from "./api.js";
import "./board.js";
import { listen } from "./keys.js";
import { pace } from "./settings.js";
import { keepProgress, progressIn } from "./solver.js";
import { showSteps } from "./steps.js";
import { byId, html } from "./svg.js";
import { announce, number, pageData, say, t } from "./texts.js";

/** @typedef {import("./types.js").Puzzle} Puzzle */
/** @typedef {import("./types.js").PuzzleStep} PuzzleStep */
/** @typedef {import("./types.js").View} View */

const data = pageData("data");
const board = /** @type {import("./board.js").AwaleBoard} */ (byId("board"));
const field = (/** @type {string} */ id) => /** @type {HTMLSelectElement} */ (byId(id));
/** Ratings of the puzzles at each difficulty; "mine" takes those nearest to the solver's own. @type {Record<string, [number, number]>} */
const LEVELS = { mine: [0, 5000], easy: [0, 999], medium: [1000, 1500], hard: [1501, 5000] };

/** @type {Puzzle | null} */ let puzzle = null;
/** @type {View | null} where the solver is to move */ let view = null;
/** @type {string[]} the moves found so far */ let found = [];
/** whether the attempt has been rated */ let recorded = false;
/** how much of the next move was told: 0, its kind, or the move */ let hinted = 0;
let done = false;
/** whether a refutation is on the board */ let refuted = false;
/** number of the latest action; what an earlier one still waits for is not shown */ let latest = 0;

const address = () => `/api/puzzles/${puzzle?.rules.name}/${puzzle?.id}`;

/** @param {string} sentence @param {string} [kind] */
function status(sentence, kind = "") {
  byId("status").textContent = sentence;
  byId("status").className = `status ${kind}`;
  announce(sentence);
}

/** @param {unknown} error */
const fail = (error) => status(error instanceof Error ? error.message : String(error), "wrong");

/** Today's date where the reader is, as in 2026-11-16. */
function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((n) => String(n).padStart(2, "0")).join("-");
}

/** Put a puzzle on the board. @param {Promise<Puzzle>} asked @param {string} [ofDay]  the day it is the puzzle of */
async function load(asked, ofDay = "") {
  const mine = ++latest;
  try {
    const one = await asked;
    if (mine !== latest) return;
    puzzle = one;
    view = one.view;
    found = [];
    recorded = done = refuted = false;
    hinted = 0;
    board.rules = one.rules;
    board.you = [one.view.turn];
    board.flipped = one.view.turn === 1;
    field("rules").value = one.rules.name;
    themes();
    history.replaceState({}, "", `/puzzles?${new URLSearchParams({ rules: one.rules.name, puzzle: one.id })}`);
    const link = /** @type {HTMLAnchorElement} */ (byId("rules-name"));
    link.textContent = say(one.rules.title);
    link.href = `/rules/${one.rules.name}`;
    byId("puzzle-name").textContent = [t(ofDay ? "puzzles.day" : "puzzles.actions"), t("puzzles.puzzle-rating", { rating: one.rating })].join(" · ");
    byId("goal").textContent = say(one.goal);
    /** @type {HTMLAnchorElement} */ (byId("analyse")).href = `/analysis?${new URLSearchParams({ rules: one.rules.spec, position: one.position })}`;
    byId("why").hidden = true;
    status("");
    announce(say(one.goal));
    stand();
  } catch (error) {
    if (mine === latest) fail(error);
  }
}

/** Show the position in which a move is to be found. */
function stand() {
  if (!view) return;
  refuted = false;
  board.show(view);
  board.arrows = [];
  board.active = !done;
  board.choose(done ? [] : view.legal, done ? {} : view.refusals);
  strips(view);
  buttons();
  document.documentElement.dataset.found = String(found.length);
}

/** @param {import("./types.js").Position} position */
function strips(position) {
  if (!puzzle) return;
  const far = board.flipped ? 0 : 1;
  byId("far").append(byId(`strip-${far}`));
  byId("near").append(byId(`strip-${1 - far}`));
  for (const side of [0, 1]) {
    const own = puzzle.view.turn === side, name = say(puzzle.rules.sides[side]);
    byId(`name-${side}`).textContent = own ? t("you") : name;
    byId(`side-${side}`).textContent = own ? name : "";
    byId(`score-${side}`).textContent = String(position.scores[side]);
    byId(`strip-${side}`).classList.toggle("to-move", !done && position.turn === side);
  }
}

function buttons() {
  byId("again").hidden = !refuted;
  byId("hint").hidden = byId("solution").hidden = done || !puzzle;
  byId("hint").textContent = t(hinted ? "puzzles.hint-more" : "puzzles.hint");
  byId("analyse").hidden = !done;
  byId("next").classList.toggle("strong", done);
}

function figures() {
  const progress = progressIn(field("rules").value);
  byId("rating").textContent = String(Math.round(progress?.rating[0] ?? 1500)) + (progress && progress.rating[1] < 110 ? "" : "?");
  byId("streak").textContent = number(progress?.streak ?? 0);
  byId("best").textContent = number(progress?.bestStreak ?? 0);
  byId("solved-count").textContent = number(Object.values(progress?.tried ?? {}).filter(Boolean).length);
}

/** Rate the attempt, once. @param {boolean} clean @returns {Promise<string>} a sentence about the rating */
async function record(clean) {
  if (!puzzle || recorded) return "";
  recorded = true;
  const rules = puzzle.rules.name;
  const answer = await call(`${address()}/record`, { progress: progressIn(rules), clean });
  keepProgress(rules, answer.progress);
  figures();
  const change = `${answer.change < 0 ? "−" : "+"}${Math.abs(answer.change)}`;
  return answer.rated ? t("puzzles.change", { rating: Math.round(answer.progress.rating[0]), change }) : t("puzzles.unrated");
}

/** Try a move, or ask for the solution. @param {string | null} move */
async function tryMove(move) {
  if (!puzzle || !view || done) return;
  const mine = ++latest;
  board.choose([]);
  board.arrows = [];
  try {
    if (move === null) await record(false);
    const answer = /** @type {PuzzleStep} */ (await call(`${address()}/move`, { found, move }));
    if (mine !== latest) return;
    if (answer.result === "wrong") await wrong(answer, mine);
    else await right(answer, mine, move === null);
  } catch (error) {
    if (mine !== latest) return;
    fail(error);
    stand();
  }
}

/** @param {PuzzleStep} answer @param {number} mine */
async function wrong(answer, mine) {
  const rated = await record(false);
  refuted = true;
  buttons();
  status([say(answer.text), rated].filter(Boolean).join(" "), "wrong");
  byId("again").focus();
  if (await showSteps(board, answer.steps, () => mine === latest)) strips(answer.steps[answer.steps.length - 1].view);
}

/** @param {PuzzleStep} answer @param {number} mine @param {boolean} shown  the solution was asked for */
async function right(answer, mine, shown) {
  if (!puzzle) return;
  const last = answer.steps[answer.steps.length - 1].view;
  found = [...found, answer.steps[0].trace.move];
  hinted = 0;
  view = last;
  done = answer.result === "solved";
  const rated = done ? await record(!shown) : "";
  const said = shown ? t("puzzles.shown") : t(done ? "puzzles.solved" : "puzzles.right");
  if (mine !== latest) return;
  status([said, rated].filter(Boolean).join(" "), shown ? "" : "right");
  if (done) explain(answer);
  buttons();
  await showSteps(board, answer.steps, () => mine === latest);
  if (mine !== latest) return;
  if (done) strips(last);
  else stand();
  if (shown && !done) await tryMove(null); // the whole line
}

/** @param {PuzzleStep} answer */
function explain(answer) {
  if (!puzzle) return;
  const names = puzzle.themes.map((theme) => collection().themes[theme]?.name ?? theme);
  const lines = answer.explanation.map((sentence) => html("p", {}, say(sentence)));
  if (names.length) lines.unshift(html("p", {}, t("puzzles.themes", { themes: names.join(", ") })));
  byId("explanation").replaceChildren(...lines);
  byId("why").hidden = false;
}

async function hint() {
  if (!puzzle || done) return;
  if (refuted) again();
  const mine = ++latest;
  hinted = Math.min(2, hinted + 1);
  try {
    const rated = await record(false);
    const answer = await call(`${address()}/hint`, { found, step: hinted });
    if (mine !== latest) return;
    if (answer.arrow) board.arrows = [{ from: answer.arrow[0], to: answer.arrow[1], kind: "best" }];
    status([say(answer.text), rated].filter(Boolean).join(" "));
    buttons();
  } catch (error) {
    if (mine === latest) fail(error);
  }
}

function again() {
  latest++;
  status(say(puzzle?.goal));
  stand();
}

/** The puzzles of the chosen rules. */
function collection() {
  return data.collections.find((/** @type {any} */ one) => one.rules.name === field("rules").value) ?? data.collections[0];
}

/** Offer the themes of the chosen rules. */
function themes() {
  const before = field("puzzle-theme").value, { themes: known, count } = collection();
  const options = Object.entries(known).map(([key, { name, count: n }]) => html("option", { value: key }, t("puzzles.one-theme", { name, n })));
  field("puzzle-theme").replaceChildren(html("option", { value: "" }, t("puzzles.all-themes", { n: count })), ...options);
  field("puzzle-theme").value = before in known ? before : "";
  figures();
}

function nextPuzzle() {
  const rules = field("rules").value, [least, most] = LEVELS[field("level").value];
  const asked = { theme: field("puzzle-theme").value || null, least, most, progress: progressIn(rules), last: puzzle?.rules.name === rules ? puzzle.id : "" };
  void load(call(`/api/puzzles/${rules}/next`, asked));
}

function dayPuzzle() {
  const date = today();
  return load(call(`/api/puzzles/${field("rules").value}/day/${date}`), date);
}

function flip() {
  board.flipped = !board.flipped;
  strips(refuted || !view ? /** @type {any} */ (board)._position : view);
}

board.addEventListener("move", (event) => void tryMove(/** @type {CustomEvent} */ (event).detail.move));
board.addEventListener("refused", (event) => announce(/** @type {CustomEvent} */ (event).detail.sentence));
byId("again").addEventListener("click", again);
byId("next").addEventListener("click", nextPuzzle);
byId("day").addEventListener("click", () => void dayPuzzle());
byId("hint").addEventListener("click", () => void hint());
byId("solution").addEventListener("click", () => {
  if (refuted) again();
  void tryMove(null);
});
byId("flip").addEventListener("click", flip);
field("rules").addEventListener("change", () => {
  themes();
  nextPuzzle();
});
for (const id of ["puzzle-theme", "level"]) field(id).addEventListener("change", nextPuzzle);
const setPace = () => (board.pace = pace());
document.addEventListener("settings", setPace);
setPace();
listen(board, () => view?.turn ?? 0, { x: flip, h: () => void hint(), n: nextPuzzle });

// The page came with a puzzle: the one that its address names, or the server's of the day, where it may be another date.
if (data.day && data.day !== today()) await dayPuzzle();
else await load(Promise.resolve(data.puzzle), data.day);
if (data.problem) status(data.problem, "wrong");
document.documentElement.dataset.ready = "true";
