// A game with its variations: a tree of moves, the first child being the main line.

/** @typedef {import("./types.js").View} View */
/** @typedef {import("./types.js").Position} Position */

let numbers = 0;

export class Node {
  /** @param {Node | null} parent @param {string} move */
  constructor(parent, move) {
    this.id = numbers++;
    this.parent = parent;
    this.move = move;
    /** @type {Node[]} */ this.children = [];
    this.comment = "";
    this.mark = "";
    this.taken = 0;
    /** who moved; -1 at the root */ this.mover = -1;
    /** @type {number | null} the landing pit of the last seed */ this.last = null;
    /** @type {import("./board.js").Shape[]} drawn by hand */ this.shapes = [];
    /** whether readers are asked for the next move */ this.quiz = false;
    /** whether what follows is hidden until the question is answered */ this.closed = false;
    /** @type {Position | null} */ this.after = null;
    /** @type {View | null} */ this.view = null;
    /** @type {import("./types.js").AnalysisUpdate | null} */ this.analysis = null;
    /** @type {import("./types.js").Oracle | null | undefined} what is proven here; undefined while that is not known */ this.oracle = undefined;
    /** @type {import("./types.js").Verdict | null} */ this.verdict = null;
    /** @type {number | null} seeds for South after this move */ this.value = null;
  }

  /** What may be shown after this move. @returns {Node[]} */
  get shown() {
    return this.closed ? [] : this.children;
  }

  /** @param {string} move */
  child(move) {
    let found = this.children.find((one) => one.move === move);
    if (!found) {
      found = new Node(this, move);
      this.children.push(found);
    }
    return found;
  }

  get depth() {
    let n = 0;
    for (let node = this.parent; node; node = node.parent) n++;
    return n;
  }

  /** The moves from the root to here. @returns {string[]} */
  get path() {
    return this.parent ? [...this.parent.path, this.move] : [];
  }

  /** From here along first children to the end, this node first. @returns {Node[]} */
  get line() {
    const found = [];
    for (let node = /** @type {Node | undefined} */ (this); node; node = node.shown[0]) found.push(node);
    return found;
  }

  /** @returns {Node[]} root to this */
  get ancestors() {
    return this.parent ? [...this.parent.ancestors, this] : [this];
  }

  /** Cut this line off. */
  remove() {
    if (this.parent) this.parent.children = this.parent.children.filter((one) => one !== this);
  }

  /** Make this line the main one among its siblings. */
  promote() {
    for (let node = /** @type {Node} */ (this); node.parent; node = node.parent) {
      const parent = node.parent;
      parent.children = [node, ...parent.children.filter((one) => one !== node)];
    }
  }
}

/** A tree as it is kept in the browser. @param {Node} node @returns {any} */
export function packTree(node) {
  const { move, comment, mark, taken, mover, last, shapes, quiz } = node;
  return { move, comment, mark, taken, mover, last, shapes, quiz, children: node.children.map(packTree) };
}

/** @param {any} kept @param {Node | null} parent @returns {Node} */
export function unpackTree(kept, parent = null) {
  const node = new Node(parent, String(kept.move));
  const { comment, mark, taken, mover, last, shapes, quiz = false } = kept;
  Object.assign(node, { comment, mark, taken, mover, last, shapes, quiz });
  node.children = kept.children.map((/** @type {any} */ child) => unpackTree(child, node));
  return node;
}

const COMMAND = /\s*\[%(?:(quiz)|draw ([0-9]{1,3}(?:-[0-9]{1,3})?(?:,[0-9]{1,3}(?:-[0-9]{1,3})?)*))\]/g;

/**
 * Read a comment as files hold it: `[%draw 6-9,3]` are drawn arrows and circles, `[%quiz]` asks for the next move.
 * @param {Node} node @param {string} text
 */
export function readComment(node, text) {
  node.shapes = [];
  node.quiz = false;
  for (const [, quiz, drawn] of text.matchAll(COMMAND)) {
    if (quiz) node.quiz = true;
    for (const shape of drawn ? drawn.split(",") : []) {
      const [from, to] = shape.split("-").map((pit) => Number(pit) - 1);
      node.shapes.push({ from, to: to ?? from });
    }
  }
  node.comment = text.replace(COMMAND, "").trim();
}

/** A comment as files hold it. @param {Node} node */
export function writeComment(node) {
  const shapes = node.shapes.map(({ from, to }) => (from === to ? `${from + 1}` : `${from + 1}-${to + 1}`));
  return [node.comment.trim(), shapes.length ? `[%draw ${shapes.join(",")}]` : "", node.quiz ? "[%quiz]" : ""].filter(Boolean).join(" ");
}

/**
 * A line as the server sends and takes it.
 * @param {Node} root
 * @returns {any[]}
 */
export function toLine(root) {
  const line = [];
  for (let node = root.children[0], parent = root; node; parent = node, node = node.children[0]) {
    line.push({ ...own(node), variations: parent.children.slice(1).map((other) => [own(other), ...toLine(other)]) });
  }
  return line;
}

/** @param {Node} node */
function own(node) {
  return { move: node.move, comment: writeComment(node), mark: node.mark, variations: [] };
}

/** @param {Node} root @param {any[]} line */
export function fromLine(root, line) {
  let here = root;
  for (const { move, comment, mark, taken, variations } of line) {
    const before = here;
    here = before.child(move);
    Object.assign(here, { mark, taken });
    readComment(here, comment);
    for (const variation of variations) fromLine(before, variation);
  }
}
