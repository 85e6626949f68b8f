// What a search tree says: values, windows, a sentence for every step, and where a search stands after so many steps.

import { fill } from "./fill.js";

/** @typedef {import("./searchtree-layout.js").TreeData} TreeData */
/** @typedef {import("./searchtree-layout.js").TreeNode} TreeNode */

const GAME_OVER = 1000000;
const MINUS = "\u2212";

/**
 * @typedef {object} TreeState  where the search stands after some steps
 * @property {(number | null)[]} value
 * @property {(number | null)[]} best
 * @property {("unseen" | "open" | "done" | "cut")[]} status
 * @property {Map<number, [number | null, number | null]>} windows
 * @property {Set<number>} closed  nodes where the rest was cut
 * @property {number} current
 * @property {number | null} riser  the child whose value rises in this step
 * @property {number} visited
 */

/** @param {TreeData} tree @param {number} steps @returns {TreeState} */
export function treeState(tree, steps) {
  const count = tree.nodes.length;
  /** @type {TreeState} */
  const state = {
    value: new Array(count).fill(null), best: new Array(count).fill(null), status: new Array(count).fill("unseen"),
    windows: new Map(), closed: new Set(), current: 0, riser: null, visited: 0,
  };
  for (const step of tree.steps.slice(0, steps)) {
    state.riser = null;
    state.current = step.node;
    if (step.do === "enter") {
      state.status[step.node] = "open";
      state.windows.set(step.node, [step.alpha ?? null, step.beta ?? null]);
      state.visited += 1;
    } else if (step.do === "leaf") {
      state.status[step.node] = "done";
      state.value[step.node] = step.value ?? null;
      state.visited += 1;
    } else if (step.do === "rise") {
      const parent = /** @type {number} */ (tree.nodes[step.node].parent);
      state.status[step.node] = "done";
      state.value[parent] = step.value ?? null;
      if (step.better) state.best[parent] = step.node;
      state.windows.set(parent, [step.alpha ?? null, step.beta ?? null]);
      state.riser = step.node;
      state.current = parent;
    } else if (step.do === "cut") {
      state.closed.add(step.node);
      for (const child of tree.nodes[step.node].children ?? []) {
        if (tree.nodes[child].value === null) markCut(tree, child, state);
      }
    } else state.status[step.node] = "done";
  }
  return state;
}

/** @param {TreeData} tree @param {number} index @param {TreeState} state */
function markCut(tree, index, state) {
  state.status[index] = "cut";
  for (const child of tree.nodes[index].children ?? []) markCut(tree, child, state);
}

export class TreeWords {
  /** @param {TreeData} tree @param {Record<string, string>} texts @param {string} lang */
  constructor(tree, texts, lang) {
    this.tree = tree;
    this.texts = texts;
    this.lang = lang;
  }

  /** A text by its key, with its {placeholders} filled in. @param {string} key @param {Record<string, string | number>} [values] */
  text(key, values = {}) {
    const found = this.texts[key];
    if (found === undefined) throw new Error(`no text ${key}`);
    return fill(found, values, this.lang);
  }

  /** @param {number} n */
  number(n) {
    return n.toLocaleString(this.lang);
  }

  /** @param {number} hundredths */
  signed(hundredths) {
    const shown = (Math.abs(hundredths) / 100).toLocaleString(this.lang, { maximumFractionDigits: 2 });
    return (hundredths === 0 ? "" : hundredths > 0 ? "+" : MINUS) + shown;
  }

  /** @param {number | null | undefined} value @param {string} [bound] */
  value(value, bound) {
    if (value === null || value === undefined) return "?";
    const mark = bound === "at-least" ? "≥ " : bound === "at-most" ? "≤ " : "";
    if (Math.abs(value) < GAME_OVER) return mark + this.signed(value);
    const margin = this.signed(100 * (value > 0 ? value - GAME_OVER : value + GAME_OVER));
    return mark + this.text(value > 0 ? "view.won" : "view.lost", { margin });
  }

  /** @param {[number | null, number | null]} window */
  window([alpha, beta]) {
    return { alpha: alpha === null ? `${MINUS}∞` : this.value(alpha), beta: beta === null ? "+∞" : this.value(beta) };
  }

  /** @param {number} player */
  name(player) {
    return this.tree.players[player][this.lang] ?? this.tree.players[player].en;
  }

  title() {
    const { title, method, depth } = this.tree;
    return this.text("view.title", { rules: title[this.lang] ?? title.en, method: this.text(`method.${method}`), depth });
  }

  about() {
    const { evaluation, coloured, method, player } = this.tree;
    const ofReport = coloured && ["raw", "defence", "corrected"].includes(evaluation);
    const name = ofReport && evaluation === "defence" ? "report-defence" : evaluation;
    const worth = this.text("view.leaves-worth", { evaluation: this.text(`evaluation.${name}`) });
    const side = method === "negamax" ? this.text("view.side-own") : this.text(ofReport ? "view.side-plain" : "view.side", { player: this.name(player) });
    return `${worth} ${side}`;
  }

  /** @param {number} visited  so far */
  counts(visited) {
    return this.text("view.counts", { visited: this.number(visited), minimax: this.number(this.tree.minimax) });
  }

  /** What was saved in the end. */
  saved() {
    const { method, cut, visited, minimax } = this.tree;
    if (method !== "alphabeta") return this.text("view.none-saved");
    if (!cut) return this.text("view.nothing-cut");
    return this.text("view.saved", { percent: Math.round((100 * (minimax - visited)) / minimax), cut: this.number(cut) });
  }

  /** What a level is called and whose it is. @param {number[]} indices @returns {{what: string, who: string, kind: "max" | "min" | "none"}} */
  level(indices) {
    const inner = indices.map((index) => this.tree.nodes[index]).filter((node) => node.children);
    if (!inner.length) return { what: this.text("view.leaves"), who: "", kind: "none" };
    const turns = new Set(inner.map((node) => node.turn));
    const who = turns.size === 1 ? this.name(inner[0].turn) : "";
    if (new Set(inner.map((node) => node.max)).size > 1) return { what: this.text("view.mixed-level"), who, kind: "none" };
    const kind = inner[0].max ? "max" : "min";
    return { what: this.text(`view.${kind}`), who, kind };
  }

  /** The moves that lead to a node. @param {number} index */
  path(index) {
    /** @type {string[]} */ const moves = [];
    for (let here = this.tree.nodes[index]; here.parent !== null; here = this.tree.nodes[here.parent]) moves.unshift(here.move ?? "");
    return moves;
  }

  /** What happens in a step. @param {number} number  0: before the first @param {TreeState} before */
  step(number, before) {
    const { tree } = this;
    if (number === 0) return this.text("view.say.start", { player: this.name(tree.player) });
    const step = tree.steps[number - 1];
    const node = tree.nodes[step.node];
    const moves = this.path(step.node).join(" ");
    const player = this.name(node.turn);
    if (step.do === "done") return this.text("view.say.done", { player: this.name(tree.player), move: tree.best, value: this.value(tree.value) });
    if (step.do === "leaf") {
      if (node.end && tree.evaluation !== "gains") return this.text("view.say.leaf-over", { moves, ending: this.text(`ending.${node.end}`), value: this.value(step.value) });
      const key = tree.method === "negamax" && tree.evaluation === "gains" ? "leaf-none" : "leaf";
      return this.text(`view.say.${key}`, { moves, value: this.value(step.value) });
    }
    if (step.do === "enter") {
      const kind = tree.method === "negamax" ? "own" : node.max ? "max" : "min";
      const said = this.text(`view.say.enter-${kind}`, { player });
      if (tree.method !== "alphabeta") return said;
      return `${said} ${this.text("view.say.window", this.window([step.alpha ?? null, step.beta ?? null]))}`;
    }
    if (step.do === "cut") {
      const gone = (node.children ?? []).filter((child) => tree.nodes[child].value === null);
      const lost = gone.reduce((sum, child) => sum + tree.nodes[child].size, 0);
      return this.text(node.max ? "view.say.cut-max" : "view.say.cut-min", {
        player, other: this.name(1 - node.turn), alpha: this.value(step.alpha), beta: this.value(step.beta), n: this.number(lost),
      });
    }
    return this._rise(step, before);
  }

  /** @param {import("./searchtree-layout.js").TreeStep} step @param {TreeState} before */
  _rise(step, before) {
    const { tree } = this;
    const child = tree.nodes[step.node];
    const index = /** @type {number} */ (child.parent);
    const parent = tree.nodes[index];
    const values = {
      move: child.move ?? "", player: this.name(parent.turn), other: this.name(1 - parent.turn),
      offered: this.value(step.offered), value: this.value(step.value), before: this.value(before.value[index]),
    };
    const key = !step.better ? "rise-kept" : before.value[index] === null ? "rise-first" : parent.max ? "rise-larger" : "rise-smaller";
    if (tree.method !== "negamax" || tree.evaluation !== "gains") return this.text(`view.say.${key}`, values);
    const gain = (child.taken ?? []).reduce((sum, [, seeds]) => sum + seeds, 0);
    const rest = child.value ?? 0;
    const plain = rest < 0 ? `(${this.value(rest)})` : this.value(rest).replace("+", "");
    const again = child.turn === parent.turn;
    const sum = `${gain} ${again ? "+" : MINUS} ${plain}`;
    const told = this.text(again ? "view.say.sum-again" : "view.say.sum", { ...values, gain, rest: this.value(rest), sum });
    const kept = !step.better ? "kept" : before.value[index] === null ? "first" : "better";
    return `${told} ${this.text(`view.say.sum-${kept}`, values)}`;
  }

  /** Both rows as South sees them, and what was captured. @param {number} index */
  board(index) {
    const { board, scores } = this.tree.nodes[index];
    const counts = board.map((hole) => (typeof hole === "number" ? hole : hole.join("+")));
    const rows = this.tree.rows.map((row) => row.map((pit) => counts[pit]).join(" "));
    return `${rows.join(" / ")}, ${this.text("view.node.scores", { scores: scores.join("–") })}`;
  }

  /** A colon with the space that the language writes before it. */
  get colon() {
    return this.lang === "fr" ? "\u202f:" : ":";
  }

  /** All about a position, in a line. @param {number} index @param {TreeState} state */
  node(index, state) {
    const node = this.tree.nodes[index];
    const moves = this.path(index);
    const parts = [moves.length ? this.text("view.node.after", { moves: moves.join(" ") }) : this.text("view.node.root")];
    const gain = (node.taken ?? []).reduce((sum, [, seeds]) => sum + seeds, 0);
    if (gain) parts.push(this.text("view.node.took", { n: gain }));
    if (node.passed) parts.push(this.text("view.node.passed", { player: this.name(1 - node.turn) }));
    if (node.end) parts.push(this.text("view.node.over", { ending: this.text(`ending.${node.end}`), scores: (node.final ?? node.scores).join("–") }));
    else {
      const kind = node.children ? ` (${this.text(node.max ? "view.max" : "view.min")})` : "";
      parts.push(this.text("view.node.to-move", { player: this.name(node.turn) }) + kind);
    }
    parts.push(...this._worth(index, state));
    return parts;
  }

  /** @param {number} index @param {TreeState} state @returns {string[]} */
  _worth(index, state) {
    const node = this.tree.nodes[index];
    if (state.status[index] === "cut") return [this.text("view.node.unvisited")];
    const value = state.value[index];
    if (value === null) return [this.text("view.node.unknown")];
    const bound = state.status[index] === "done" ? node.bound : undefined;
    /** @type {string[]} */ const parts = [];
    const known = (node.children ?? []).filter((child) => state.status[child] === "done");
    if (known.length && this.tree.method !== "negamax") {
      const first = known.slice(0, 8).map((child) => this.value(state.value[child], this.tree.nodes[child].bound));
      const values = [...first, ...(known.length > 8 ? ["…"] : [])].join(" ; ");
      parts.push(this.text("view.node.choice", { how: this.text(node.max ? "view.max" : "view.min"), values, value: this.value(value, bound) }));
    } else parts.push(this.text("view.node.value", { value: this.value(value, bound) }));
    if (node.cut && state.closed.has(index)) {
      parts.push(this.text("view.node.cut-by", { alpha: this.value(node.cut[0]), beta: this.value(node.cut[1]) }));
    }
    if (bound) parts.push(this.text(`view.node.${bound}`));
    return parts;
  }
}

/** A position as text, as the server reads it. @param {TreeNode} node */
export function treePosition(node) {
  const holes = node.board.map((hole) => (typeof hole === "number" ? hole : hole.join(".")));
  return [...holes, ...node.scores, "SN"[node.turn]].join("-");
}
