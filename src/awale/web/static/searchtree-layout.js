// A search tree as the server sends it, and where its positions stand: leaves side by side, parents over the middle of
// their children. The same as `awale.classroom.tree_layout`, which lays out the pictures.

/**
 * @typedef {object} TreeNode
 * @property {number | null} parent
 * @property {number} depth
 * @property {(number | number[])[]} board
 * @property {number[]} scores
 * @property {number} turn
 * @property {boolean} max
 * @property {number | null} value  hundredths of a seed; null where the search did not look
 * @property {number} size
 * @property {string} [move]
 * @property {number} [pit]
 * @property {[number, number][]} [taken]
 * @property {boolean} [passed]
 * @property {string} [end]
 * @property {number[]} [final]
 * @property {number[]} [children]
 * @property {[number | null, number | null]} [window]
 * @property {[number, number]} [cut]
 * @property {number} [best]
 * @property {"at-least" | "at-most"} [bound]
 *
 * @typedef {object} TreeStep
 * @property {"enter" | "leaf" | "rise" | "cut" | "done"} do
 * @property {number} node
 * @property {number} [value]
 * @property {number} [offered]
 * @property {boolean} [better]
 * @property {number} [alpha]
 * @property {number} [beta]
 *
 * @typedef {object} TreeData
 * @property {string} rules
 * @property {string} position
 * @property {Record<string, string>} title
 * @property {Record<string, string>[]} players
 * @property {number} pits
 * @property {number[][]} rows
 * @property {boolean} coloured
 * @property {number} depth
 * @property {"minimax" | "alphabeta" | "negamax"} method
 * @property {string} evaluation
 * @property {number} player
 * @property {string} best
 * @property {number} value
 * @property {number[]} line
 * @property {number} visited
 * @property {number} cut
 * @property {number} minimax
 * @property {number[]} open
 * @property {number[]} cuts
 * @property {TreeNode[]} nodes
 * @property {TreeStep[]} steps
 *
 * @typedef {{cell: number, boardWidth: number, boardHeight: number, height: number}} TreeSizes
 *
 * @typedef {object} TreeLayout
 * @property {boolean} across
 * @property {number} width
 * @property {number} height
 * @property {Map<number, {x: number, y: number}>} corners
 * @property {{begin: number, end: number}[]} levels
 */

export const TREE = {
  store: 22, pad: 5, pill: 20, hang: 15, window: 15, gapDown: 16, levelDown: 44, gapAcross: 8, levelAcross: 54,
  gutterDown: 78, gutterAcross: 40, stubWidth: 64, stubHeight: 24,
};

/** The number that stands for the cut children of a node; it is its own inverse. @param {number} parent */
export function stubOf(parent) {
  return -1 - parent;
}

/** @param {TreeData} tree @returns {TreeSizes} */
export function treeSizes(tree) {
  const cell = tree.pits <= 3 ? 26 : tree.pits <= 6 ? 22 : tree.coloured ? 21 : 18;
  const boardHeight = 2 * cell + 2 * TREE.pad;
  return {
    cell,
    boardWidth: tree.pits * cell + 2 * (TREE.store + TREE.pad),
    boardHeight,
    height: boardHeight + TREE.hang + (tree.method === "alphabeta" ? TREE.window : 0),
  };
}

/**
 * A node's children as they are shown: all of them, or those looked at and a stub for the rest.
 * @param {TreeData} tree
 * @param {number} index
 * @param {Set<number>} opened
 * @param {Set<number>} cuts
 * @returns {number[]}
 */
export function childrenSeen(tree, index, opened, cuts) {
  if (index < 0 || !opened.has(index)) return [];
  const node = tree.nodes[index];
  const children = node.children ?? [];
  if (!node.cut || cuts.has(index)) return [...children];
  return [...children.filter((child) => tree.nodes[child].value !== null), stubOf(index)];
}

/**
 * @param {TreeData} tree
 * @param {Set<number>} opened
 * @param {Set<number>} cuts
 * @param {boolean} across  grow to the right instead of down
 * @param {boolean} outline  parents beside their first child, not the middle of all
 * @returns {TreeLayout}
 */
export function layOutTree(tree, opened, cuts, across, outline) {
  const sizes = treeSizes(tree);
  const gap = across ? TREE.gapAcross : TREE.gapDown;
  const rank = across ? TREE.levelAcross : TREE.levelDown;
  const length = (across ? sizes.boardWidth : sizes.height) + rank;
  /** @param {number} index */
  const breadth = (index) => {
    if (index < 0) return across ? TREE.stubHeight : TREE.stubWidth;
    return across ? sizes.height : sizes.boardWidth;
  };
  /** @type {number[]} */ const order = [];
  const waiting = [0];
  while (waiting.length) {
    const index = /** @type {number} */ (waiting.pop());
    order.push(index);
    waiting.push(...childrenSeen(tree, index, opened, cuts).reverse());
  }
  /** @type {Map<number, number>} */ const middle = new Map();
  let free = 0;
  for (const index of [...order].reverse()) {
    const below = childrenSeen(tree, index, opened, cuts).map((child) => middle.get(child) ?? 0);
    if (below.length) middle.set(index, outline ? below[0] : (below[0] + below[below.length - 1]) / 2);
    else {
      middle.set(index, free + breadth(index) / 2);
      free += breadth(index) + gap;
    }
  }
  const whole = free - gap;
  const before = across ? TREE.gutterAcross : TREE.gutterDown;
  let deepest = 0;
  /** @type {TreeLayout["corners"]} */ const corners = new Map();
  for (const index of order) {
    const depth = index < 0 ? tree.nodes[stubOf(index)].depth + 1 : tree.nodes[index].depth;
    deepest = Math.max(deepest, depth);
    const along = length * depth + rank / 2;
    const beside = before + whole - (middle.get(index) ?? 0) - breadth(index) / 2;
    corners.set(index, across ? { x: along, y: beside } : { x: beside, y: along });
  }
  const far = length * (deepest + 1);
  const full = before + whole + gap;
  return {
    across, corners,
    width: across ? far : full,
    height: across ? full : far,
    levels: Array.from({ length: deepest + 1 }, (_, depth) => ({ begin: length * depth, end: length * (depth + 1) })),
  };
}
