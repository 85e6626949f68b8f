// The page of a game: against a program, at one screen, by link; or as a spectator.

import { call, Connection } from "./api.js";
import "./board.js";
import { Clocks } from "./clocks.js";
import { Editor } from "./editor.js";
import { remember, remembered } from "./keep.js";
import { listen } from "./keys.js";
import { listMoves } from "./movelist.js";
import { NewGameDialog, startGame } from "./newgame.js";
import { seatName } from "./names.js";
import { byId } from "./svg.js";
import { announce, pageData, say, seeds, t } from "./texts.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").Standing} Standing */
/** @typedef {import("./types.js").Trace} Trace */
/** @typedef {import("./types.js").View} View */

const data = pageData("data");
const board = /** @type {import("./board.js").AwaleBoard} */ (byId("board"));
const FIRST_GAME = { south: { who: "me" }, north: { who: "computer", name: "engine:3" } };

/** What is known of the game; null before the first move of a new page. @type {any} */
let game = null;
/** @type {Connection | null} */
let connection = null;
/** How many moves the board shows; the game may be further. */
let shown = 0;
/** Messages that wait for the animation before them. @type {any[]} */
const waiting = [];
let working = false;
/** A move chosen before the game exists. @type {string | null} */
let firstMove = null;
let pending = false;
const clocks = new Clocks([byId("clock-0"), byId("clock-1")]);
const editor = new Editor(board, { onStart: (given) => dialog.open(given), onClose: () => (game ? show() : begin()) });
const dialog = new NewGameDialog(async (body) => go(await startGame(body)));

// -- the game and its messages ---------------------------------------------------------------------------------------

/** @param {string} key */
function go(key) {
  connection?.close();
  waiting.length = 0;
  game = null;
  pending = false;
  editor.close();
  if (location.pathname !== `/game/${key}`) history.pushState({}, "", `/game/${key}`);
  connection = new Connection(
    () => `/api/games/${key}/ws${game ? `?ply=${shown}` : ""}`,
    (message) => {
      waiting.push(message);
      work();
    },
    (state) => {
      byId("connection").hidden = state === "open";
      byId("connection").textContent = state === "gone" ? t("gone") : t("reconnecting");
    },
  );
}

async function work() {
  if (working) return;
  working = true;
  try {
    while (waiting.length) {
      // Far behind: skip the animations.
      const message = waiting.shift();
      await receive(message, waiting.filter((m) => m.type === "moved").length > 2);
    }
  } finally {
    working = false;
  }
}

/** @param {any} message @param {boolean} hurry */
async function receive(message, hurry) {
  const handlers = {
    game: () => arrived(message),
    moved: () => moved(message, hurry),
    "taken-back": () => takenBack(message),
    ended: () => stands(message),
    offered: () => stands(message),
    answered: () => answered(message),
    presence: () => presence(message.present),
    rematch: () => rematched(message.key),
    refused: () => refused(message),
    trouble: () => status(say(message.text), true),
    warming: () => status(say(message.text)),
  };
  const handler = handlers[/** @type {keyof typeof handlers} */ (message.type)];
  if (handler) await handler();
}

/** @param {import("./types.js").GameState} message */
async function arrived(message) {
  const known = game !== null && game.key === message.key;
  game = message;
  board.rules = message.rules;
  pending = false;
  if (!known) {
    board.flipped = message.you.length === 1 && message.you[0] === 1;
    shown = message.ply - message.missed.length;
  }
  if (known && message.missed.length && shown === message.ply - message.missed.length) {
    for (const trace of message.missed) {
      const row = message.moves[shown];
      await animate(trace, row);
    }
  }
  shown = message.ply;
  show();
  document.documentElement.dataset.game = message.key;
  if (firstMove !== null) {
    const move = firstMove;
    firstMove = null;
    send({ type: "move", ply: game.ply, move });
  }
}

/** @param {Trace} trace @param {Row} row */
async function animate(trace, row) {
  shown++;
  await board.sow(trace, row.after);
}

/** @param {import("./types.js").Moved} message @param {boolean} hurry */
async function moved(message, hurry) {
  const before = shown === game.ply;
  game.moves.push(message.row);
  Object.assign(game, standing(message));
  pending = false;
  clocks.set(game.clock);
  if (before) {
    moves();
    board.choose([]);
    if (hurry) board.motion.skip();
    else await animate(message.trace, message.row);
    shown = game.moves.length;
  }
  tellMove(message.trace);
  show();
}

/** @param {Trace} trace */
function tellMove(trace) {
  const player = say(game.rules.sides[trace.mover]);
  const values = { player, move: trace.move, laps: trace.lapCount };
  let sentence = t(trace.lapCount > 1 ? "event.laps" : "event.move", values);
  if (trace.spared) sentence += " " + t("event.spared");
  else if (trace.taken) sentence += " " + t("event.takes", { seeds: seeds(trace.taken) });
  if (trace.passed) sentence += " " + t("event.passed", { player: say(game.rules.sides[1 - trace.mover]) });
  announce(sentence);
  game.lastEvent = sentence;
}

/** Where the game stands after a message. @param {Standing} message */
function standing({ ply, view, canUndo, canRedo, offer, clock, rematch, fault }) {
  return { ply, view, canUndo, canRedo, offer, clock, rematch, fault };
}

/** @param {Standing} message */
function takenBack(message) {
  Object.assign(game, standing(message));
  game.moves.length = message.ply;
  game.lastEvent = "";
  shown = message.ply;
  pending = false;
  announce(t("event.undone"));
  show();
}

/** @param {Standing} message */
function stands(message) {
  Object.assign(game, standing(message));
  refresh();
}

/** @param {import("./types.js").Answered} message */
function answered(message) {
  stands(message);
  const side = 1 - message.answer.by;
  if (!message.accepted && !(game.you.length === 1 && game.you[0] === side)) status(t("declined", { player: name(side) }), true);
}

/** @param {boolean[]} present */
function presence(present) {
  present.forEach((here, i) => (game.seats[i].present = here));
  strips();
}

/** @param {string} key */
function rematched(key) {
  game.rematch = key;
  if (game.you.length) go(key);
  else refresh();
}

/** @param {import("./types.js").Refused} message */
function refused(message) {
  pending = false;
  refresh();
  status(say(message.text), true);
}

/** @param {any} message */
function send(message) {
  if (!connection?.send(message)) status(t("offline"), true);
}

/** A page before the first move: no game yet, but a board to start one on. */
function begin() {
  board.rules = data.rules;
  board.show(data.view);
  refresh();
}

// -- display ---------------------------------------------------------------------------------------------------------

/** Show the position of the chosen ply. */
function show() {
  if (!game) return;
  const row = shown ? game.moves[shown - 1] : null;
  board.show(row ? row.after : game.start, row ? lastMove(shown) : null);
  if (shown === game.ply) board.show(game.view, row ? lastMove(shown) : null);
  refresh();
}

/** @param {number} ply */
function lastMove(ply) {
  const row = game.moves[ply - 1];
  const label = row.move.replace(/(TR|TB|R|B)$/, "");
  const pit = game.rules.owners.findIndex((/** @type {number} */ owner, /** @type {number} */ i) => owner === row.mover && game.rules.labels[i] === label);
  return { pit, last: null };
}

function myTurn() {
  if (!game) return true;
  return !game.view.over && game.you.includes(game.view.turn) && game.seats[game.view.turn].kind === "person";
}

/** @param {number} side */
function name(side) {
  if (!game) return side === 0 ? t("you") : t("computer-level", { n: 3 });
  const mine = game.you.length === 1 && game.you[0] === side;
  return seatName(game.seats[side], mine ? t("you") : say(game.rules.sides[side]));
}

function refresh() {
  board.notes = new Map();
  board.arrows = [];
  const view = game ? game.view : data.view;
  const latest = !game || shown === game.ply;
  const mine = latest && myTurn() && !pending;
  board.active = latest && !editor.open;
  if (!editor.open) board.choose(mine ? view.legal : [], mine ? view.refusals : {});
  strips();
  clocks.set(game?.clock ?? null);
  moves();
  buttons();
  offers();
  if (!latest) status(t("looking-back", { n: shown, of: game.ply }));
  else if (view.over) ended(view);
  else if (!game) status(t("first-move"));
  else if (pending) status("");
  else if (mine) status([game.lastEvent, game.you.length > 1 ? t("turn-of", { player: name(view.turn) }) : t("your-turn")].filter(Boolean).join(" "));
  else if (game.seats[view.turn].kind === "computer") status([game.lastEvent, t("thinks", { player: name(view.turn) })].filter(Boolean).join(" "));
  else status([game.lastEvent, t("turn-of", { player: name(view.turn) })].filter(Boolean).join(" "));
}

/** @param {View} view */
function ended(view) {
  const sentence = say(view.outcome?.text);
  status(`${sentence[0].toUpperCase()}${sentence.slice(1)}.${game.fault ? ` (${game.fault})` : ""}`);
  if (game.announced !== sentence) announce(sentence);
  game.announced = sentence;
}

/** @param {string} sentence @param {boolean} [loud] */
function status(sentence, loud = false) {
  const line = byId("status");
  line.textContent = sentence;
  line.classList.toggle("loud", loud);
  if (loud) announce(sentence);
}

function strips() {
  const view = game ? game.view : data.view;
  const far = board.flipped ? 0 : 1;
  byId("far").append(byId(`strip-${far}`));
  byId("near").append(byId(`strip-${1 - far}`));
  for (const side of [0, 1]) {
    byId(`name-${side}`).textContent = name(side);
    byId(`side-${side}`).textContent = say((game ?? data).rules.sides[side]);
    byId(`score-${side}`).textContent = String(view.scores[side]);
    const strip = byId(`strip-${side}`);
    strip.classList.toggle("to-move", !view.over && view.turn === side);
    strip.classList.toggle("winner", Boolean(view.over && view.outcome?.winner === side));
    strip.classList.toggle("away", Boolean(game && game.seats[side].kind === "person" && !game.seats[side].present));
  }
}

function moves() {
  listMoves(byId("moves"), game?.moves ?? [], shown, look);
}

/** @param {number} ply */
function look(ply) {
  if (!game) return;
  shown = Math.max(0, Math.min(game.ply, ply));
  show();
}

function buttons() {
  const playing = Boolean(game && !game.view.over && game.you.length);
  /** @param {string} id @param {boolean} on */
  const enable = (id, on) => (/** @type {HTMLButtonElement} */ (byId(id)).disabled = !on);
  enable("undo", Boolean(game && game.you.length && game.canUndo));
  enable("redo", Boolean(game && game.you.length && game.solo && game.canRedo));
  enable("hint", !game || (game.solo && !game.view.over));
  enable("offer", playing);
  enable("resign", playing);
  byId("rematch").hidden = !(game && game.view.over && game.you.length);
  byId("offer").hidden = byId("resign").hidden = Boolean(game?.view.over);
  const links = { "save-ogn": `/api/games/${game?.key}/ogn`, "analyse": `/analysis?game=${game?.key}`, "review": `/analysis?game=${game?.key}&review` };
  for (const [id, href] of Object.entries(links)) {
    const link = /** @type {HTMLAnchorElement} */ (byId(id));
    if (game) link.href = href;
    else if (id === "analyse") link.href = "/analysis";
    else link.removeAttribute("href");
  }
  const link = game ? remembered(`link-${game.key}`, "") : "";
  const waitingFor = game && !game.solo && game.you.length === 1 && !game.seats[1 - game.you[0]].present;
  byId("invite").hidden = !(link && waitingFor && !game.view.over);
  if (link) /** @type {HTMLInputElement} */ (byId("invite-link")).value = location.origin + link;
  byId("watching").hidden = !(game && !game.you.length);
}

function offers() {
  const offer = game?.offer;
  const box = byId("offer-box");
  const asked = Boolean(offer && game.you.includes(1 - offer.by));
  box.hidden = !offer || !game.you.length;
  if (!offer) return;
  byId("offer-text").textContent = asked ? t(`offered.${offer.kind}`, { player: name(offer.by) }) : t("offer-sent");
  byId("accept").hidden = byId("decline").hidden = !asked;
  if (asked) announce(byId("offer-text").textContent ?? "");
}

// -- actions ---------------------------------------------------------------------------------------------------------

board.addEventListener("move", async (event) => {
  const move = /** @type {CustomEvent} */ (event).detail.move;
  pending = true;
  if (game) {
    send({ type: "move", ply: game.ply, move });
    board.choose([]);
    return;
  }
  firstMove = move;
  board.choose([]);
  try {
    go(await startGame({ ...FIRST_GAME, rules: data.rules.spec, start: data.start }));
  } catch (error) {
    firstMove = null;
    pending = false;
    refresh();
    status(error instanceof Error ? error.message : "", true);
  }
});
board.addEventListener("refused", (event) => announce(/** @type {CustomEvent} */ (event).detail.sentence));

async function hint() {
  if (game && (!game.solo || game.view.over)) return;
  status(t("hint-thinking"));
  try {
    const rules = (game ?? data).rules.spec;
    const request = game ? { rules, start: game.startText, moves: game.moves.slice(0, shown).map((/** @type {Row} */ r) => r.move).join(" ") } : { rules };
    const found = await call("/api/analyse", { ...request, seconds: 0.7 });
    const view = game ? game.view : data.view;
    const best = found.line[0];
    const move = view.legal.find((/** @type {any} */ m) => m.move === best);
    if (move) board.arrows = [{ from: move.pit, to: move.last, kind: "best" }];
    status(t("hint-is", { move: best, effect: move ? board.effect(move) : "" }), true);
  } catch (error) {
    status(error instanceof Error ? error.message : "", true);
  }
}

function flip() {
  board.flipped = !board.flipped;
  refresh();
}

/** @param {string} text @param {string} done */
async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    status(done, true);
  } catch {
    status(text, true);
  }
}

function setPace() {
  const select = /** @type {HTMLSelectElement} */ (byId("speed"));
  board.pace = Number(select.value);
  remember("pace", select.value);
}

const actions = {
  "new": () => dialog.open({ rules: (game ?? data).rules.name, start: game ? "" : (data.start ?? "") }),
  "undo": () => send({ type: "undo" }),
  "redo": () => send({ type: "redo" }),
  "resign": () => /** @type {HTMLDialogElement} */ (byId("resign-dialog")).showModal(),
  "offer": () => send({ type: "offer" }),
  "rematch": () => send({ type: "rematch" }),
  "accept": () => send({ type: "accept", offer: game.offer.id }),
  "decline": () => send({ type: "decline", offer: game.offer.id }),
  "hint": hint,
  "flip": flip,
  "help": () => /** @type {HTMLDialogElement} */ (byId("help-dialog")).showModal(),
  "setup": () => editor.show((game ?? data).rules, shown === (game?.ply ?? 0) ? (game ?? data).view : game.moves[shown - 1]?.after ?? game.start),
  "copy-position": () => copy(game ? game.view.position : data.view.position, t("copied")),
  "copy-link": () => copy(/** @type {HTMLInputElement} */ (byId("invite-link")).value, t("copied")),
  "first": () => look(0),
  "previous": () => look(shown - 1),
  "next": () => look(shown + 1),
  "last": () => look(game?.ply ?? 0),
};
for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
byId("resign-yes").addEventListener("click", () => send({ type: "resign" }));
for (const dialogBox of document.querySelectorAll("dialog")) {
  for (const button of dialogBox.querySelectorAll(".close")) button.addEventListener("click", () => dialogBox.close());
}
const speed = /** @type {HTMLSelectElement} */ (byId("speed"));
speed.value = remembered("pace", "190");
if (!speed.value) speed.value = "190";
speed.addEventListener("change", setPace);
setPace();

listen(board, () => (game ?? data).view.turn, {
  f: flip, h: hint, u: actions.undo, r: actions.redo, n: actions.new, "?": actions.help,
  ArrowLeft: actions.previous, ArrowRight: actions.next, Home: actions.first, End: actions.last,
});
addEventListener("popstate", () => location.reload());

if (data.key) go(data.key);
else begin();
document.documentElement.dataset.ready = "true";
