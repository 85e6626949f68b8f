// The page of a game: against a program, at one screen, by link; or as a spectator.

import { call, Connection } from "./api.js";
import * as attention from "./attention.js";
import "./board.js";
import { Clocks } from "./clocks.js";
import { Editor } from "./editor.js";
import { ending } from "./ending.js";
import { remember, remembered } from "./keep.js";
import { listen } from "./keys.js";
import { listMoves } from "./movelist.js";
import { NewGameDialog, startGame } from "./newgame.js";
import { seatName } from "./names.js";
import { pace } from "./settings.js";
import { byId } from "./svg.js";
import { announce, pageData, say, seeds, t } from "./texts.js";

/** @typedef {import("./types.js").Row} Row */
/** @typedef {import("./types.js").Standing} Standing */
/** @typedef {import("./types.js").Trace} Trace */
/** @typedef {import("./types.js").View} View */

const data = pageData("data");
const board = /** @type {import("./board.js").AwaleBoard} */ (byId("board"));
const COMPUTER = { who: "computer", name: "engine:3" };

/** What is known of the game; null before the first move of a new page. @type {any} */
let game = null;
/** @type {Connection | null} */
let connection = null;
/** How many moves the board shows; the game may be further. */
let shown = 0;
/** Messages that wait for the animation before them. @type {any[]} */
const waiting = [];
let working = false;
/** The move chosen and not yet confirmed: it is sent again after a lost connection. @type {{ply: number, move: string} | null} */
let chosen = null;
let address = location.pathname;
/** @type {"open" | "lost" | "gone"} */
let online = "open";
/** Milliseconds that a sowing may take while a clock runs. */
const CLOCK_SOWING = 2500;
const clocks = new Clocks([byId("clock-0"), byId("clock-1")]);
const editor = new Editor(board, { onStart: (given) => dialog.open(given), onClose: () => (game ? show() : begin()) });
const dialog = new NewGameDialog(async (body) => go(await startGame(body)));

// -- the game and its messages ---------------------------------------------------------------------------------------

/** @param {string} key */
function go(key) {
  connection?.close();
  waiting.length = 0;
  if (game) chosen = null;
  game = null;
  editor.close();
  address = `/game/${key}`;
  if (location.pathname !== address) history.pushState({}, "", address);
  connection = new Connection(
    () => `/api/games/${key}/ws${game ? `?ply=${shown}` : ""}`,
    (message) => {
      // The clocks are right at once, however long the moves before this one are still shown.
      if ("clock" in message) clocks.set(message.clock, message.type === "game");
      waiting.push(message);
      void work();
    },
    (state) => {
      online = state;
      banner();
    },
  );
}

/** Say that the connection is lost, and what becomes of the move. */
function banner() {
  const box = byId("connection");
  box.hidden = online === "open";
  box.textContent = online === "gone" ? t("gone") : [t("reconnecting"), chosen ? t("move-kept", { move: chosen.move }) : ""].join(" ").trim();
}

async function work() {
  if (working) return;
  working = true;
  try {
    while (waiting.length) {
      const message = waiting.shift();
      const behind = waiting.filter((m) => m.type === "moved").length;
      await receive(message, behind > 2 && !watchingPrograms());
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
  const looking = known && shown < game.ply;
  game = message;
  board.rules = message.rules;
  board.you = message.you.length === 1 ? [...message.you] : [];
  if (!known) {
    board.flipped = message.you.length === 1 && message.you[0] === 1;
    shown = message.ply - message.missed.length;
  }
  if (looking) shown = Math.min(shown, message.ply);
  else if (known && message.missed.length && shown === message.ply - message.missed.length) {
    for (const trace of message.missed) if (!(await animate(trace, message.moves[shown]))) break;
  } else shown = message.ply;
  show();
  document.documentElement.dataset.game = message.key;
  if (chosen && chosen.ply === game.ply && !game.view.over) connection?.send({ type: "move", ...chosen });
  else chosen = null;
  refresh();
}

/** Show a move and return whether the board still follows the game. @param {Trace} trace @param {Row} row */
async function animate(trace, row) {
  const ply = ++shown;
  await board.sow(trace, row.after, game.clock ? CLOCK_SOWING : Infinity);
  return shown === ply;
}

/** @param {import("./types.js").Moved} message @param {boolean} hurry */
async function moved(message, hurry) {
  const before = shown === game.ply;
  game.moves.push(message.row);
  Object.assign(game, standing(message));
  if (chosen && chosen.ply < game.ply) chosen = null;
  if (before) {
    moves();
    board.choose([]);
    if (hurry) {
      board.motion.skip();
      shown = game.ply;
    } else await animate(message.trace, message.row);
  }
  tellMove(message.trace, message.note);
  show();
  if (before && watchingPrograms() && !game.view.over) await pause(Number(remembered("watch-pace", "1000")));
}

/** Two programs play each other: they are shown at the pace of the spectator, not at their own. */
function watchingPrograms() {
  return Boolean(game && game.seats.every((/** @type {any} */ seat) => seat.kind === "computer"));
}

/** @param {number} ms @returns {Promise<void>} */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** @param {Trace} trace @param {import("./types.js").Sentence | null} note */
function tellMove(trace, note) {
  const own = isYou(trace.mover);
  const values = { player: say(game.rules.sides[trace.mover]), move: trace.move, laps: trace.lapCount };
  let sentence = t(`event.${own ? "own-" : ""}${trace.lapCount > 1 ? "laps" : "move"}`, values);
  if (trace.spared) sentence += " " + t("event.spared");
  else if (trace.taken) sentence += " " + t(own ? "event.own-takes" : "event.takes", { seeds: seeds(trace.taken) });
  if (trace.passed) sentence += " " + (isYou(1 - trace.mover) ? t("event.own-passed") : t("event.passed", { player: say(game.rules.sides[1 - trace.mover]) }));
  if (note) sentence += ` (${say(note)})`;
  announce(sentence);
  game.lastEvent = sentence;
}

/** @param {number} side */
function isYou(side) {
  return game.you.length === 1 && game.you[0] === side;
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
  chosen = null;
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
  if (!message.accepted && !isYou(side)) status(t("declined", { player: name(side) }), true);
}

/** @param {boolean[]} present */
function presence(present) {
  present.forEach((here, i) => {
    game.seats[i].present = here;
    if (here && !isYou(i)) remember(`link-${game.key}`, ""); // the friend is here: the invitation has done its work
  });
  strips();
  buttons();
}

/** @param {string} key */
function rematched(key) {
  game.rematch = key;
  if (game.you.length) go(key);
  else refresh();
}

/** @param {import("./types.js").Refused} message */
function refused(message) {
  const again = message.code === "late" && chosen && chosen.ply < game.ply; // the first copy of it arrived after all
  chosen = null;
  refresh();
  if (!again) status(say(message.text), true);
}

/** @param {any} message */
function send(message) {
  if (!connection?.send(message)) status(t("offline"), true);
}

/** A page before the first move: no game yet, but a board to start one on. */
function begin() {
  board.rules = data.rules;
  board.you = [data.view.turn];
  board.flipped = data.view.turn === 1;
  board.show(data.view);
  refresh();
  if (data.problem) status(data.problem, true);
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
  const { pit, last } = game.moves[ply - 1];
  return { pit, last };
}

function myTurn() {
  if (!game) return true;
  return !game.view.over && game.you.includes(game.view.turn) && game.seats[game.view.turn].kind === "person";
}

/** @param {number} side */
function name(side) {
  if (!game) return side === data.view.turn ? t("you") : t("computer-level", { n: 3 });
  return seatName(game.seats[side], isYou(side) ? t("you") : say(game.rules.sides[side]));
}

function refresh() {
  board.notes = new Map();
  board.arrows = [];
  const view = game ? game.view : data.view;
  const latest = !game || shown === game.ply;
  const mine = latest && myTurn() && !chosen;
  board.active = latest && !editor.open;
  if (!editor.open) board.choose(mine ? view.legal : [], mine ? view.refusals : {});
  strips();
  rulesLine();
  moves();
  buttons();
  offers();
  banner();
  card();
  byId("return").hidden = latest;
  if (!latest) status(t("looking-back", { n: shown, of: game.ply }));
  else if (view.over) status("");
  else if (!game) status(t("first-move"));
  else if (chosen) status(online === "open" ? "" : t("move-kept", { move: chosen.move }));
  else status([game.lastEvent, turnText(view.turn)].filter(Boolean).join(" "));
  if (game && !view.over) attention.turn(game.you.length === 1 && game.you[0] === view.turn, game.moves.length > 0 && latest);
}

/** @param {number} side */
function turnText(side) {
  if (game.solo && game.offer?.by === side) return ""; // it waits for the answer
  if (game.seats[side].kind === "computer") return t("thinks", { player: name(side) });
  return isYou(side) ? t("your-turn") : t("turn-of", { player: name(side) });
}

/** Which rules are played, and the goal for those who do not know them. */
function rulesLine() {
  const rules = /** @type {import("./types.js").Rules} */ ((game ?? data).rules);
  const link = /** @type {HTMLAnchorElement} */ (byId("rules-name"));
  link.textContent = say(rules.title);
  if (rules.village) link.removeAttribute("href");
  else link.href = `/rules/${rules.name}`;
  byId("goal").textContent = t("goal", { most: Math.floor(rules.total / 2) + 1, total: rules.total });
}

/** How the game ended, and what to do next. */
function card() {
  const outcome = game?.view.outcome;
  byId("ending").hidden = !outcome;
  if (!outcome) return;
  const { title, reason } = ending(outcome, game.you, name);
  byId("ending-title").textContent = title.replace("–", "\u2060–\u2060"); // no line break within the score
  byId("ending-reason").textContent = game.fault ? `${reason} (${game.fault})` : reason;
  byId("rematch").hidden = !game.you.length;
  /** @type {HTMLAnchorElement} */ (byId("ending-review")).href = `/analysis?game=${game.key}&review`;
  /** @type {HTMLAnchorElement} */ (byId("ending-analyse")).href = `/analysis?game=${game.key}`;
  if (game.announced === title + reason) return;
  game.announced = title + reason;
  announce(`${title}. ${reason}`);
  byId("ending").scrollIntoView({ block: "nearest" });
  attention.ended();
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
    const sideName = say((game ?? data).rules.sides[side]);
    byId(`side-${side}`).textContent = sideName === name(side) ? "" : sideName;
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
  byId("offer").hidden = byId("resign").hidden = Boolean(game?.view.over);
  const links = { "save-ogn": `/api/games/${game?.key}/ogn`, "analyse": `/analysis?game=${game?.key}`, "review": `/analysis?game=${game?.key}&review` };
  for (const [id, href] of Object.entries(links)) {
    const link = /** @type {HTMLAnchorElement} */ (byId(id));
    if (game) link.href = href;
    else if (id === "analyse") link.href = `/analysis?${new URLSearchParams({ rules: data.rules.spec, ...(data.start && { position: data.start }) })}`;
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
  chosen = { ply: game?.ply ?? 0, move };
  if (game) {
    connection?.send({ type: "move", ...chosen });
    refresh();
    return;
  }
  board.choose([]);
  try {
    const [south, north] = data.view.turn ? [COMPUTER, { who: "me" }] : [{ who: "me" }, COMPUTER];
    go(await startGame({ south, north, rules: data.rules.spec, start: data.start }));
  } catch (error) {
    chosen = null;
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
    const request = game ? { rules, start: game.startText, moves: game.moves.slice(0, shown).map((/** @type {Row} */ r) => r.move).join(" ") } : { rules, start: data.start };
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

const actions = {
  "new": () => dialog.open({ rules: (game ?? data).rules, start: game ? "" : (data.start ?? "") }),
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
  "replace-link": async () => {
    try {
      const { link } = await call(`/api/games/${game.key}/invitation`, { seat: 1 - game.you[0] });
      remember(`link-${game.key}`, link);
      status(t("invite.replaced"));
      buttons();
    } catch (error) {
      status(String(/** @type {Error} */ (error).message), true);
    }
  },
  "first": () => look(0),
  "previous": () => look(shown - 1),
  "next": () => look(shown + 1),
  "last": () => look(game?.ply ?? 0),
  "return": () => look(game?.ply ?? 0),
};
for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
byId("resign-yes").addEventListener("click", () => send({ type: "resign" }));
const setPace = () => (board.pace = pace());
document.addEventListener("settings", setPace);
setPace();

listen(board, () => (game ?? data).view.turn, {
  f: flip, x: flip, h: hint, u: actions.undo, r: actions.redo, n: actions.new, "?": actions.help,
  ArrowLeft: actions.previous, ArrowRight: actions.next, Home: actions.first, End: actions.last,
});
addEventListener("popstate", () => {
  if (location.pathname !== address) location.reload(); // not for a jump within the page, such as the skip link's
});

if (data.key) go(data.key);
else begin();
document.documentElement.dataset.ready = "true";
