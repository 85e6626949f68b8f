// The analysis board: any position, live values of every move, variations and comments, reviews of whole games.

import { keepAnalysis, keptAnalysis, latestAnalysis } from "./analyses.js";
import { call, Connection } from "./api.js";
import "./board.js";
import { Editor } from "./editor.js";
import { Explorer } from "./explorer.js";
import { Follower } from "./follow.js";
import { drawGraph } from "./graph.js";
import { remember, remembered } from "./keep.js";
import { listen } from "./keys.js";
import { seatName } from "./names.js";
import { showOracle } from "./oracle.js";
import { Practice } from "./practice.js";
import { Review } from "./review.js";
import { chooseRules, offerRules } from "./rules.js";
import { add, identity, scheduled } from "./schedule.js";
import { pace } from "./settings.js";
import { byId, html } from "./svg.js";
import { announce, lang, number, pageData, say, seeds, t } from "./texts.js";
import { fromLine, Node, packTree, readComment, toLine, unpackTree, writeComment } from "./tree.js";
import { showTree } from "./treeview.js";

/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {import("./types.js").AnalysisUpdate} AnalysisUpdate */

const data = pageData("data");
const board = /** @type {import("./board.js").AwaleBoard} */ (byId("board"));
const field = (/** @type {string} */ id) => /** @type {HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement} */ (byId(id));

/** @type {Rules} */ let rules = data.rules;
/** @type {string | null} the position string where the game starts; null for the usual one */ let start = null;
/** @type {Record<string, string>} */ let tags = {};
/** what this analysis is kept for: a start, a game or a file */ let slot = "";
/** the analysis as it was opened; empty once it has changed */ let opened = "";
let root = new Node(null, "");
let current = root;
/** @type {Node | null} the node whose value was read out */ let heard = null;
/** the id of the current request */ let requestId = 0;
/** @type {Node | null} the node of the current analysis */ let analysing = null;
/** @type {{node: Node, verdict: import("./types.js").Verdict, judge: Practice} | null} a better move is asked for here */ let practice = null;
/** @type {number[]} the reader's sides in a game of their own; empty for other games */ let you = [];
/** @type {Node[]} the worst moments, gone through one by one */ let moments = [];
/** how many of them were asked so far */ let momentsAsked = 0;
/** @type {Set<string>} the mistakes of this game that were kept to come back */ let keptMistakes = new Set();
/** what is said about the move just found, until another position is shown */ let remark = "";
/** @type {Follower | null} */ let follower = null;
let refusedPit = 0;
/** what is kept for a game begins so */ const GAME = "game/";
const select = field("rules-select");
offerRules(select, data.presets);
let engineOn = remembered("engine", "on") === "on";
/** Seconds of a search, and those that what is proven alone may take. */
const SEARCH = 30, PROVE = 5;
/** @type {Connection | null} */ let connection = null;
/** whether the connection was lost since it was open */ let lost = false;
/** Milliseconds after which the page says what it waits for. */
const SLOW = 1500;
/** @type {ReturnType<typeof setTimeout> | undefined} */ let slow;

const review = new Review((seconds) => {
  requestId++;
  const moves = review.nodes.slice(1).map((node) => node.move).join(" ");
  connect().send({ type: "review", id: requestId, seconds, rules: rules.spec, start, moves });
  return requestId;
}, () => tree(), () => analyse());
const editor = new Editor(board, {
  onStart: ({ start: text }) => void resume({ rules, start: text }).then(() => editor.close()),
  onClose: () => show(),
});
const explorer = new Explorer(() => (current.view && !editor.open && !asked() ? game(current) : null), (move) => void push(move));
/** Whether nothing may help the reader: a move is asked for. */
function asked() {
  return Boolean(practice || current.closed);
}

/** What the page of a study does with this board. */
export const desk = {
  load,
  visit,
  status,
  analyse,
  push,
  record,
  show,
  get root() {
    return root;
  },
  get current() {
    return current;
  },
  /** @type {((root: Node) => void) | null} called with a tree of moves before it is shown */ prepare: null,
  /** @type {(() => void) | null} called when the tree of moves is shown, and may have changed */ onShow: null,
  /** @type {((node: Node, move: string) => boolean) | null} whether a move may be played at a hidden node */ judge: null,
};

// -- positions -------------------------------------------------------------------------------------------------------

/** @param {Node} node */
const game = (node) => ({ rules: rules.spec, start, moves: node.path.join(" ") });

/** Ask the server where a node stands, unless it is known. @param {Node} node */
async function know(node) {
  if (node.view) return;
  const answer = await call("/api/position", game(node));
  node.view = answer.view;
  node.after = answer.view;
  const path = node.ancestors.slice(1);
  path.forEach((one, i) => {
    const row = answer.moves[i];
    Object.assign(one, { after: one.after ?? row.after, taken: row.taken, mover: row.mover, last: row.last });
  });
  root.after ??= answer.start;
}

/** @param {Node} node */
async function visit(node) {
  if (node === current && node.view) return;
  current = node;
  try {
    await know(node);
  } catch (error) {
    status(error instanceof Error ? error.message : "", true);
    return;
  }
  if (current !== node) return;
  tell(node);
  show();
}

/** Read out the move that led here. @param {Node} node */
function tell(node) {
  heard = null;
  if (!node.parent) announce(t("button.first"));
  else announce(`${t("event.move", { player: playerName(node.mover), move: node.move })} ${node.taken ? t("event.takes", { seeds: seeds(node.taken) }) : ""}`.trim());
}

/**
 * @param {Rules} newRules
 * @param {string | null} newStart
 * @param {any[]} line
 * @param {Record<string, string>} newTags
 */
async function load(newRules, newStart, line, newTags, comment = "") {
  const tree = new Node(null, "");
  readComment(tree, comment);
  fromLine(tree, line);
  desk.prepare?.(tree);
  await stand({ rules: newRules, start: newStart, tags: newTags, you: [] }, tree, tree);
}

/**
 * Go on with what is kept of a start, a game or a file, or begin.
 * @param {{rules: Rules, start: string | null, tags?: Record<string, string>, you?: number[]}} given
 * @param {string[]} [moves]  to the position that is shown
 * @param {{move: string, taken: number}[]} [played]  the game's moves so far
 */
async function resume(given, moves = [], id = `${given.rules.spec}|${given.start ?? ""}`, played = []) {
  const kept = data.page === "study" ? null : keptAnalysis(id);
  const tree = kept ? unpackTree(kept.tree) : new Node(null, "");
  let end = tree, at = tree;
  for (const { move, taken } of played) {
    end = end.child(move);
    end.taken = taken;
  }
  end.promote();
  for (const move of moves) at = at.child(move);
  await stand({ tags: {}, you: [], ...kept, ...given }, tree, at, id);
}

/**
 * Stand at a node of a tree of moves.
 * @param {{rules: Rules, start: string | null, tags: Record<string, string>, you: number[]}} given @param {Node} tree @param {Node} at
 * @param {string} [id]  what the analysis is kept for; without it, for a file, which is not here the next time
 */
async function stand(given, tree, at, id) {
  if (slot) data.problem = ""; // it was the address's
  ({ rules, start, tags, you } = given);
  moments = [];
  momentsAsked = 0;
  keptMistakes = new Set();
  review.stop();
  review.summary = null;
  practice = null;
  root = tree;
  slot = id ?? `file/${Date.now()}`;
  opened = id === undefined ? "" : JSON.stringify(record());
  board.rules = rules;
  chooseRules(select, rules);
  current = at;
  await know(root.line[root.line.length - 1]);
  await know(at);
  show();
}

// -- display ---------------------------------------------------------------------------------------------------------

function show() {
  const view = current.view;
  if (!view) return;
  if (editor.open) return;
  follower?.close();
  follower = null;
  byId("follow").hidden = true;
  board.show(view, current.parent ? { pit: pitOf(current), last: current.last } : null);
  board.active = true;
  board.choose(view.legal, view.refusals);
  board.shapes = current.shapes;
  byId("score-0").textContent = String(view.scores[0]);
  byId("score-1").textContent = String(view.scores[1]);
  for (const side of [0, 1]) {
    byId(`name-${side}`).textContent = playerName(side);
    byId(`strip-${side}`).classList.toggle("to-move", !view.over && view.turn === side);
  }
  const far = board.flipped ? 0 : 1;
  byId("far").append(byId(`strip-${far}`));
  byId("near").append(byId(`strip-${1 - far}`));
  if (practice && current !== practice.node) practice = null;
  byId("solution").hidden = !practice;
  const question = practice ? t("practice.ask", { player: playerName(view.turn), move: practice.verdict.move }) : "";
  if (question) status(moments[momentsAsked - 1]?.parent === current ? `${t("mistakes.moment", { n: momentsAsked, of: moments.length })} ${question}` : question, true);
  else if (remark) status(remark);
  else status(view.over ? say(view.outcome?.text) : t("turn-of", { player: say(rules.sides[view.turn]) }));
  remark = "";
  field("comment").value = current.comment;
  /** @type {HTMLAnchorElement} */ (byId("play-on")).href = `/?${new URLSearchParams({ rules: rules.spec, position: view.position })}`;
  tree();
  pictures();
  void explorer.show();
  analyse();
}

/** The addresses of the position's picture, and of one that plays the whole line. */
function pictures() {
  const nodes = line(), flip = String(board.flipped);
  const address = (/** @type {Node} */ node, /** @type {string} */ animated) => {
    const asked = new URLSearchParams({ rules: rules.spec, moves: node.path.join(" "), flip, animated });
    if (start) asked.set("start", start);
    return `/api/picture.svg?${asked}`;
  };
  /** @type {HTMLAnchorElement} */ (byId("picture")).href = address(current, "false");
  const moving = /** @type {HTMLAnchorElement} */ (byId("moving-picture"));
  moving.href = address(nodes[nodes.length - 1], "true");
  moving.hidden = nodes.length < 2;
}

/** @param {number} side */
function playerName(side) {
  const name = tags[side ? "North" : "South"];
  return name ? seatName({ kind: "person", name, present: true }, name) : say(rules.sides[side]);
}

/** @param {Node} node */
const pitOf = (node) => pitNamed(node.move, node.mover);

/** @param {string} move @param {number} mover */
function pitNamed(move, mover) {
  const label = move.replace(/(TR|TB|R|B)$/, "");
  return rules.owners.findIndex((owner, i) => owner === mover && rules.labels[i] === label);
}

function tree() {
  showTree(byId("tree"), root, current, visit, startsWith() === 1 ? 1 : 0);
  drawCurve();
  review.show(current, playerName);
  showVerdict();
  keep();
}

/** The address of this position: rules, start and the moves to here. */
function address() {
  const asked = new URLSearchParams({ rules: rules.spec });
  if (start) asked.set("position", start);
  if (current.parent) asked.set("moves", current.path.join(" "));
  return `/analysis?${asked}`;
}

/** Keep what was changed, and the position in the address. */
function keep() {
  if (data.page === "study") {
    desk.onShow?.();
    return;
  }
  if (opened && JSON.stringify(record()) !== opened) opened = "";
  if (opened && data.problem) return; // an address that is wrong can still be corrected
  const search = address().slice("/analysis".length);
  if (location.search !== search || history.state?.slot !== slot) history.replaceState({ slot }, "", search);
  if (!opened) keepAnalysis(slot, { rules, start, tags, you, tree: packTree(root), path: current.path });
}

function startsWith() {
  return root.after?.turn ?? 0;
}

function line() {
  const ancestors = current.ancestors;
  const after = current.line.slice(1);
  return [...ancestors, ...after];
}

function drawCurve() {
  const nodes = line();
  const points = nodes.map((node) => ({ value: node.value, mark: node.mark, turning: Boolean(node.verdict?.turning) }));
  drawGraph(byId("graph"), points, nodes.indexOf(current), (ply) => visit(nodes[ply]));
}

/** @param {string} sentence @param {boolean} [loud] */
function status(sentence, loud = false) {
  byId("status").textContent = sentence;
  byId("status").classList.toggle("loud", loud);
  if (loud) announce(sentence);
}

// -- analysis --------------------------------------------------------------------------------------------------------

function connect() {
  connection ??= new Connection(() => "/api/analysis/ws", receive, (state) => {
    byId("connection").hidden = state === "open";
    byId("connection").textContent = t("reconnecting");
    if (state !== "open") {
      lost = true;
      clearTimeout(slow);
      showAnalysis();
      return;
    }
    if (review.stage) review.again();
    if (lost && !follower) void (current.view ? show() : visit(current)); // what failed meanwhile is tried again
    else if (!review.stage) analyse();
    lost = false;
  });
  return connection;
}

/** Whether anything is to be known about the position on the board: not while nobody looks. */
function wanted() {
  return Boolean(!document.hidden && !editor.open && !asked() && current.view && !current.view.over);
}

function analyse() {
  showAnalysis();
  clearTimeout(slow);
  // A deeper review goes on while its moves are looked at; a new variation is more urgent.
  if (review.stage === "coarse" || (review.stage === "deep" && review.nodes.includes(current))) return;
  review.stop();
  connect();
  analysing = wanted() && (engineOn || current.oracle === undefined) ? current : null;
  if (!analysing) {
    connection?.send({ type: "stop" });
    return;
  }
  requestId++;
  const sent = connection?.send({ type: "analyse", id: requestId, seconds: engineOn ? SEARCH : PROVE, ...game(current) });
  if (sent && engineOn) slow = setTimeout(() => (byId("best").textContent = t("analysis.waiting")), SLOW);
}

/** @param {any} message */
function receive(message) {
  clearTimeout(slow);
  if (message.type === "warming") {
    if (!current.analysis) byId("best").textContent = say(message.text);
  } else if (message.type === "trouble" || message.type === "refused") {
    if (review.stage) review.stop();
    status(say(message.text), true);
  } else if (message.id !== requestId) return;
  else if (message.type === "analysis" && analysing) analysed(analysing, message);
  else if (message.type === "verdict") review.judged(message.verdict, message.of);
  else if (message.type === "review") {
    review.done(message);
    if (you.length) keepMistakes(worst());
  }
}

/** @param {Node} node @param {AnalysisUpdate} analysis */
function analysed(node, analysis) {
  if (engineOn) {
    node.analysis = analysis;
    node.value = analysis.value.seeds;
  }
  if (analysis.oracle || analysis.done || !analysis.proving) node.oracle = analysis.oracle;
  if (!engineOn && node.oracle !== undefined) connection?.send({ type: "stop" });
  if (node === current) showAnalysis();
  drawCurve();
}

/** A value to one side (1 South, -1 North) as it is written: the proven margin, a proven bound, or an estimate.
 * @param {import("./types.js").Value} value @param {number} sign */
function claimText(value, sign) {
  const [least, most] = sign > 0 ? [value.least, value.most] : [value.most, value.least].map((bound) => (bound === null ? null : -bound));
  if (value.margin !== null) return valueText(sign * value.margin, true);
  if (least !== null && least >= 0) return `≥ ${valueText(least, true)}`;
  if (most !== null && most <= 0) return `≤ ${valueText(most, true)}`;
  return valueText(sign * value.seeds, false);
}

/** A number of seeds as it is written: whole where it is proven. @param {number} seeds @param {boolean} exact */
function valueText(seeds, exact) {
  const text = exact ? String(Math.round(Math.abs(seeds))) : Math.abs(seeds).toLocaleString(lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const zero = Number(Math.abs(seeds).toFixed(1)) === 0;
  return `${zero ? "" : seeds > 0 ? "+" : "−"}${text}${exact ? " !" : ""}`;
}

/** What the opening book says of the best moves, to the player to move.
 * @param {import("./types.js").BookEntry} book @param {number} turn */
function bookText(book, turn) {
  const moves = book.moves.slice(0, 3).map((one) => `${one.move} ${valueText(turn === 0 ? one.seeds : -one.seeds, false)}`);
  return t("analysis.book", { depth: book.depth, moves: moves.join(", ") });
}

function showAnalysis() {
  const view = current.view;
  const analysis = engineOn && !asked() ? current.analysis : null;
  const value = analysis?.value.seeds ?? current.value ?? (view?.over ? view.scores[0] - view.scores[1] : null);
  const share = value === null ? 0.5 : 1 / (1 + Math.exp(-value / 4));
  byId("bar-south").style.width = `${(100 * share).toFixed(1)}%`;
  const proven = analysis ? analysis.value.result !== null : Boolean(view?.over);
  byId("value").textContent = analysis ? claimText(analysis.value, 1) : value === null ? "…" : valueText(value, proven);
  const plies = analysis?.value.plies ?? null;
  byId("exact").hidden = !proven;
  const won = analysis?.value.result ?? 0;
  byId("exact").textContent = plies === null || !won ? t("analysis.exact") : t(won > 0 ? "analysis.won-in" : "analysis.lost-in", { plies });
  byId("depth").textContent = analysis ? t("analysis.depth", { depth: analysis.depth, nodes: number(analysis.nodes), seconds: analysis.seconds.toLocaleString(lang, { maximumFractionDigits: 1 }) }) : "";
  byId("book").textContent = analysis?.book ? bookText(analysis.book, analysis.turn) : "";
  byId("best").textContent = analysis ? analysis.line.join(" ") : "";
  /** @type {Map<number, {text: string, kind: string}>} */
  const notes = new Map();
  const sign = view?.turn ? -1 : 1;
  if (analysis && view && !view.over) {
    const best = sign * analysis.moves[0].seeds;
    for (const found of analysis.moves) {
      if (notes.has(found.pit)) continue;
      const mine = sign * found.seeds;
      notes.set(found.pit, { text: claimText(found, sign), kind: mine >= best - 0.05 ? "best" : mine < best - 3 ? "bad" : "" });
    }
    const kinds = ["best", "second", "third"];
    board.arrows = analysis.path.map(([from, to], i) => ({ from, to, kind: kinds[i] })).reverse();
  } else board.arrows = [];
  explorer.values = new Map((analysis?.moves ?? []).map((found) => [found.move, claimText(found, sign)]));
  if (editor.open) {
    notes.clear();
    board.arrows = [];
  }
  board.notes = notes;
  hear(showOracle(wanted() ? current.oracle : null, rules));
}

/** Read out the value of the position, once it is settled. @param {string} oracle  what the oracle says of the best move */
function hear(oracle) {
  const found = engineOn ? current.analysis : null;
  const settled = found && current.oracle === null && (found.done || found.value.result !== null);
  if (heard === current || !wanted() || (!oracle && !settled)) return;
  heard = current;
  const value = [byId("value"), byId("exact")].map((part) => (part.hidden ? "" : part.textContent?.replace(" !", ""))).filter(Boolean).join(", ");
  announce(oracle || t("analysis.heard", { player: say(rules.sides[0]), value }));
}

// -- review ----------------------------------------------------------------------------------------------------------

function startReview() {
  if (root.children.length) review.start(root);
  else status(t("review.nothing"), true);
}

function showVerdict() {
  const found = current.verdict;
  byId("try-again").hidden = !found?.mark || Boolean(practice);
  const count = review.summary ? worst().length : 0;
  byId("moments").hidden = !count || moments.length > 0;
  byId("moments").textContent = t("mistakes.moments", { n: count });
  byId("next-moment").hidden = Boolean(practice) || momentsAsked >= moments.length;
  byId("verdict").textContent = !found ? "" : found.loss > 0.4
    ? t("review.better", { move: found.move, loss: valueText(found.loss, false).slice(1), best: found.best, line: found.line.slice(0, 6).join(" ") })
    : t("review.good", { move: found.move });
}

/** @param {Node | null} node */
function goTo(node) {
  if (node) void visit(node);
}

/** Ask for a better move than a mistake. @param {Node} node */
function tryAgain(node) {
  const { parent, verdict } = node;
  if (!parent || !verdict) return;
  review.stop();
  connection?.send({ type: "stop" });
  practice = { node: parent, verdict, judge: new Practice(verdict, game(parent)) };
  if (current === parent) show();
  else void visit(parent);
}

/** The three worst mistakes of the reader, or of anybody in a game that is not theirs, in the order of the game. */
function worst() {
  const loss = (/** @type {Node} */ node) => node.verdict?.loss ?? 0;
  const found = review.mistakes.filter((node) => !you.length || you.includes(node.verdict?.mover ?? -1));
  return found.sort((a, b) => loss(b) - loss(a)).slice(0, 3).sort((a, b) => a.depth - b.depth);
}

/** Let mistakes come back later, instead of those that a coarser review had found. @param {Node[]} nodes */
function keepMistakes(nodes) {
  const made = nodes.flatMap(({ parent, move, verdict }) => parent && verdict ? [scheduled({
    rules: rules.spec, start, moves: parent.path.join(" "), move, best: verdict.best, line: verdict.line.slice(0, 20), loss: verdict.loss,
    mover: verdict.mover === 0 ? 0 : 1 })] : []);
  add(made, keptMistakes);
  keptMistakes = new Set(made.map(identity));
}

/** Go through the worst moments: the first one, or the next. @param {boolean} again */
function moment(again) {
  if (again) {
    moments = worst();
    momentsAsked = 0;
    keepMistakes(moments);
  }
  const node = moments[momentsAsked];
  if (!node) return;
  momentsAsked++;
  tryAgain(node);
}

/** What is said when a move was found or shown. @param {string} sentence */
function concluded(sentence) {
  const last = moments.length > 0 && momentsAsked === moments.length;
  remark = last ? `${sentence} ${t("mistakes.moments-done")}` : sentence;
  announce(remark);
}

/** Judge a move of "try again"; the board stays where it is until a good one is found. @param {string} move */
async function tried(move) {
  const asked = practice;
  if (!asked) return true;
  try {
    const { found, sentence } = await asked.judge.judge(move);
    if (found) {
      practice = null;
      concluded(sentence);
    } else status(sentence, true);
    return found;
  } catch (error) {
    status(error instanceof Error ? error.message : "", true);
    return false;
  }
}

// -- files -----------------------------------------------------------------------------------------------------------

/** @param {string} text */
async function openText(text) {
  try {
    const games = await call("/api/ogn/read", { text, rules: rules.coloured ? "abapa" : rules.spec });
    const list = byId("open-list");
    list.replaceChildren();
    const take = async (/** @type {any} */ one) => {
      await load(one.rules, one.start, one.line, one.tags, one.comment);
      /** @type {HTMLDialogElement} */ (byId("open-dialog")).close();
    };
    if (games.length === 1) await take(games[0]);
    else games.forEach((/** @type {any} */ one, /** @type {number} */ i) => {
      const name = `${i + 1}. ${one.tags.South ?? "?"} – ${one.tags.North ?? "?"} ${one.result} (${one.rules.name}, ${one.line.length})`;
      list.append(html("li", {}, html("button", { type: "button", onclick: () => void take(one) }, name)));
    });
  } catch (error) {
    byId("open-error").textContent = error instanceof Error ? error.message : String(error);
  }
}

/** The game on the board as the server takes it. */
function record() {
  return { rules: rules.spec, start, line: toLine(root), comment: writeComment(root),
           tags: Object.fromEntries(Object.entries(tags).slice(0, 30).map(([k, v]) => [k, v.slice(0, 200)])) };
}

async function save() {
  try {
    const text = await call("/api/ogn/write", record());
    const link = html("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain" })), download: "awale.ogn" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  } catch (error) {
    status(error instanceof Error ? error.message : "", true);
  }
}

// -- actions ---------------------------------------------------------------------------------------------------------

board.addEventListener("move", (event) => void push(/** @type {CustomEvent} */ (event).detail.move));

/** Play a move from the current position. @param {string} move */
async function push(move) {
  if (current.closed && !desk.judge?.(current, move)) return;
  if (practice && !(await tried(move))) return;
  const from = current, known = from.children.some((one) => one.move === move), node = from.child(move);
  // The move is current before the server answers, so that stepping back meanwhile is a step like any other.
  current = node;
  board.active = false;
  try {
    const answer = await call("/api/trace", { ...game(from), move });
    Object.assign(node, { view: answer.view, after: answer.view, taken: answer.trace.taken, mover: answer.trace.mover, last: answer.trace.last });
    if (current !== node) {
      tree();
      return;
    }
    board.notes = new Map();
    board.arrows = [];
    board.choose([]);
    await board.sow(answer.trace, answer.view);
    if (current !== node) return;
    tell(node);
    show();
  } catch (error) {
    if (!known) node.remove();
    if (current === node) {
      current = from;
      show();
    }
    status(error instanceof Error ? error.message : "", true);
  }
}
board.addEventListener("draw", (event) => {
  current.shapes = /** @type {CustomEvent} */ (event).detail.shapes;
  keep();
});
document.addEventListener("visibilitychange", () => review.stage || analyse());
board.addEventListener("refused", (event) => {
  const { sentence, pit } = /** @type {CustomEvent} */ (event).detail;
  announce(sentence);
  refusedPit = pit;
  byId("follow").hidden = !(rules.relay && current.view?.turn === rules.owners[pit] && current.view.board[pit]);
});

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    status(t("copied"), true);
  } catch {
    status(text, true);
  }
}

const actions = {
  "first": () => visit(root),
  "previous": () => current.parent && visit(current.parent),
  "next": () => current.shown[0] && visit(current.shown[0]),
  "last": () => visit(line()[line().length - 1]),
  "flip": () => {
    board.flipped = !board.flipped;
    show();
  },
  "engine": () => {
    engineOn = !engineOn;
    remember("engine", engineOn ? "on" : "off");
    byId("engine").setAttribute("aria-pressed", String(engineOn));
    analyse();
  },
  "follow": () => {
    if (!current.view) return;
    byId("follow").hidden = true;
    board.notes = new Map();
    board.arrows = [];
    board.choose([]);
    clearTimeout(slow);
    byId("depth").textContent = byId("best").textContent = "";
    connection?.send({ type: "stop" });
    follower = new Follower(board, byId("follower"), game(current), refusedPit, current.view);
  },
  "review-start": startReview,
  "first-mistake": () => goTo(review.mistakes[0] ?? null),
  "previous-mistake": () => goTo(review.mistake(current, -1)),
  "next-mistake": () => goTo(review.mistake(current, 1)),
  "try-again": () => tryAgain(current),
  "moments": () => moment(true),
  "next-moment": () => moment(false),
  "solution": () => {
    if (!practice) return;
    const { node, verdict } = practice;
    practice = null;
    concluded(t("mistakes.best", { move: verdict.best, line: verdict.line.slice(0, 6).join(" ") }));
    void visit(node.child(verdict.best));
  },
  "open": () => {
    byId("open-error").textContent = "";
    /** @type {HTMLDialogElement} */ (byId("open-dialog")).showModal();
  },
  "open-go": () => openText(field("open-text").value),
  "save": save,
  "setup": () => {
    if (!current.view) return;
    editor.show(rules, current.view);
    board.shapes = [];
    analyse();
  },
  "copy-position": () => copy(current.view?.position ?? ""),
  "copy-link": () => copy(location.origin + address()),
  "promote": () => {
    current.promote();
    tree();
  },
  "delete": () => {
    const parent = current.parent;
    if (!parent) return;
    current.remove();
    void visit(parent);
  },
  "help": () => /** @type {HTMLDialogElement} */ (byId("help-dialog")).showModal(),
};
for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", () => void action());
field("comment").addEventListener("input", () => {
  current.comment = field("comment").value.slice(0, 2000);
  tree();
});
field("open-file").addEventListener("change", async () => {
  const file = field("open-file").files?.[0];
  if (file) field("open-text").value = (await file.text()).slice(0, 150000);
});
select.addEventListener("change", () => {
  const chosen = data.presets.find((/** @type {Rules} */ p) => p.spec === select.value);
  if (chosen) void resume({ rules: chosen, start: null });
});
byId("engine").setAttribute("aria-pressed", String(engineOn));
board.drawing = true;
const setPace = () => (board.pace = pace());
document.addEventListener("settings", setPace);
setPace();

listen(board, () => current.view?.turn ?? 0, {
  f: actions.flip, x: actions.flip, h: actions.engine, u: actions.previous, "?": actions.help,
  ArrowLeft: actions.previous, ArrowRight: actions.next, Home: actions.first, End: actions.last,
});

/** Load a game of this server. @param {string} key */
async function loadGame(key) {
  const found = await call(`/api/games/${encodeURIComponent(key)}`);
  /** @type {Record<string, string>} */
  const names = {};
  found.seats.forEach((/** @type {any} */ seat, /** @type {number} */ i) => {
    if (seat.name) names[i ? "North" : "South"] = seat.name;
  });
  const usual = found.startText === found.rules.start;
  const given = { rules: found.rules, start: usual ? null : found.startText, tags: names, you: [...found.you] };
  await resume(given, data.moves, `${GAME}${key}`, found.moves);
}

/** Show what the address asks for: a game, a position with moves, or what was changed last. */
async function begin() {
  if (data.page === "study") return;
  const query = new URLSearchParams(location.search);
  const here = String(history.state?.slot ?? ""); // this entry of the history was shown before
  const key = query.get("game") ?? (here.startsWith(GAME) ? here.slice(GAME.length) : null);
  if (key) {
    try {
      await loadGame(key);
      if (query.has("review")) startReview();
      return;
    } catch (error) {
      data.problem = error instanceof Error ? error.message : String(error);
    }
  }
  const asked = ["rules", "position", "moves"].some((name) => query.has(name));
  const id = asked ? here : latestAnalysis() ?? "";
  const before = keptAnalysis(id);
  const shown = before && !asked ? before : { rules: data.rules, start: data.start, path: data.moves };
  await resume({ rules: shown.rules, start: shown.start }, shown.path, before ? id : undefined);
  if (data.problem) status(data.problem, true);
  if (query.has("open")) actions.open();
}

try {
  await begin();
} catch (error) {
  status(error instanceof Error ? error.message : String(error), true);
}
if (data.page !== "study") document.documentElement.dataset.ready = "true";
