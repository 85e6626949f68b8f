// The parts of a drawn search tree: small boards, values, branches, bands. Colours are in searchtree.css.

import { svg } from "./svg.js";
import { stubOf, TREE } from "./searchtree-layout.js";

/** @typedef {import("./searchtree-layout.js").TreeData} TreeData */
/** @typedef {import("./searchtree-layout.js").TreeLayout} TreeLayout */
/** @typedef {import("./searchtree-layout.js").TreeNode} TreeNode */
/** @typedef {import("./searchtree-layout.js").TreeSizes} TreeSizes */
/** @typedef {import("./searchtree-words.js").TreeWords} TreeWords */

/** @param {string} text @param {number} x @param {number} y @param {number} size @param {string} kind @param {string} [anchor] */
export function treeText(text, x, y, size, kind, anchor = "middle") {
  return svg("text", { x, y: y + 0.36 * size, "font-size": size, "text-anchor": anchor, class: kind }, text);
}

/** Up for max, down for min. @param {number} x @param {number} y @param {boolean} up @param {number} size @param {string} kind */
export function treeTriangle(x, y, up, size, kind) {
  const tip = up ? -size : size;
  return svg("path", { d: `M${x - size} ${y - tip * 0.8}h${2 * size}L${x} ${y + tip}z`, class: kind });
}

/** A small board. @param {TreeData} tree @param {TreeNode} node @param {TreeSizes} sizes */
export function treeBoard(tree, node, sizes) {
  const { cell, boardWidth, boardHeight } = sizes;
  const group = svg("g", { class: "st-board", "aria-hidden": "true" }, svg("rect", { width: boardWidth, height: boardHeight, rx: 9, class: "st-wood" }));
  for (const player of [0, 1]) {
    const x = player ? TREE.pad : boardWidth - TREE.pad - TREE.store + 2;
    const lit = !node.end && node.turn === player;
    const score = String(node.scores[player]);
    group.append(
      svg("rect", { x, y: TREE.pad + 2, width: TREE.store - 2, height: boardHeight - 2 * TREE.pad - 4, rx: 7, class: lit ? "st-store st-lit" : "st-store" }),
      treeText(score, x + TREE.store / 2 - 1, boardHeight / 2, score.length < 3 ? 12 : 10, "st-cream"),
    );
  }
  const taken = new Map(node.taken ?? []);
  tree.rows.forEach((row, line) => row.forEach((pit, column) => {
    const x = TREE.store + TREE.pad + (column + 0.5) * cell, y = TREE.pad + (line + 0.5) * cell;
    group.append(...treePit(node, pit, x, y, cell, taken.get(pit)));
  }));
  return group;
}

/**
 * @param {TreeNode} node
 * @param {number} pit
 * @param {number} x
 * @param {number} y
 * @param {number} cell
 * @param {number | undefined} taken
 */
function treePit(node, pit, x, y, cell, taken) {
  const hole = node.board[pit];
  const radius = cell / 2 - 1.6;
  const drawn = [svg("circle", { cx: x, cy: y, r: radius, class: "st-hollow" })];
  const seeds = typeof hole === "number" ? hole : hole.reduce((sum, n) => sum + n, 0);
  if (typeof hole !== "number" && seeds) {
    const r = radius - 1.2;
    const around = 2 * Math.PI * r;
    let done = 0;
    hole.forEach((n, colour) => {
      const share = (around * n) / seeds;
      if (n) drawn.push(svg("circle", { cx: x, cy: y, r, class: `st-colour st-colour-${colour}`, "stroke-dasharray": `${share} ${around - share}`, "stroke-dashoffset": -done }));
      done += share;
    });
  }
  if (pit === node.pit) drawn.push(svg("circle", { cx: x, cy: y, r: radius, class: "st-origin" }));
  const size = cell * (typeof hole === "number" ? 0.54 : 0.46);
  if (seeds) drawn.push(treeText(String(seeds), x, y, seeds < 100 ? size : size * 0.8, "st-cream"));
  else if (taken) drawn.push(treeText(`\u2212${taken}`, x, y, size * 0.8, "st-taken"));
  return drawn;
}

/** The value under a board. @param {string} text @param {TreeSizes} sizes @param {"max" | "min" | "leaf"} kind */
export function treeValue(text, sizes, kind) {
  const x = sizes.boardWidth / 2;
  const y = sizes.boardHeight + TREE.hang - TREE.pill / 2;
  const inner = kind !== "leaf";
  const wide = 16 + 7.3 * text.length + (inner ? 13 : 0);
  const group = svg("g", { class: `st-value st-${kind}` },
    svg("rect", { x: x - wide / 2, y: y - TREE.pill / 2, width: wide, height: TREE.pill, rx: inner ? TREE.pill / 2 : 4 }));
  if (inner) group.append(treeTriangle(x - wide / 2 + 13, y, kind === "max", 4.6, "st-sign"));
  group.append(treeText(text, x + (inner ? 6.5 : 0), y, 13, "st-number"));
  return group;
}

/** Alpha and beta under the value. @param {string} text @param {TreeSizes} sizes @param {boolean} cut */
export function treeWindow(text, sizes, cut) {
  return treeText(text, sizes.boardWidth / 2, sizes.boardHeight + TREE.hang + TREE.window / 2 + 0.5, 11.5, cut ? "st-window st-cut" : "st-window");
}

/** The path of a branch and where it ends. @param {TreeData} tree @param {TreeLayout} layout @param {TreeSizes} sizes @param {number} parent @param {number} child */
export function treeCurve(tree, layout, sizes, parent, child) {
  const from = /** @type {{x: number, y: number}} */ (layout.corners.get(parent));
  const to = /** @type {{x: number, y: number}} */ (layout.corners.get(child));
  if (layout.across) {
    const [x0, y0] = [from.x + sizes.boardWidth, from.y + sizes.boardHeight / 2];
    const [x1, y1] = [to.x, to.y + (child < 0 ? TREE.stubHeight : sizes.boardHeight) / 2];
    const middle = (x0 + x1) / 2;
    return { d: `M${x0} ${y0}C${middle} ${y0} ${middle} ${y1} ${x1} ${y1}`, x: x1, y: y1 };
  }
  const low = tree.nodes[parent].cut ? sizes.height : sizes.boardHeight + TREE.hang;
  const [x0, y0] = [from.x + sizes.boardWidth / 2, from.y + low];
  const [x1, y1] = [to.x + (child < 0 ? TREE.stubWidth : sizes.boardWidth) / 2, to.y];
  const middle = (y0 + y1) / 2;
  return { d: `M${x0} ${y0}C${x0} ${middle} ${x1} ${middle} ${x1} ${y1}`, x: x1, y: y1 };
}

/** The move at the end of a branch, what it takes, and two strokes for a cut. @param {TreeNode} node @param {{x: number, y: number}} end @param {boolean} across */
export function treeMove(node, end, across) {
  const move = node.move ?? "";
  const gain = (node.taken ?? []).reduce((sum, [, seeds]) => sum + seeds, 0);
  const more = gain ? `+${gain}` : "";
  const wide = 12 + 7.4 * move.length + 7 * more.length + (more ? 3 : 0);
  const x = across ? end.x - 8 - wide / 2 : end.x;
  const y = across ? end.y : end.y - 13;
  const group = svg("g", {},
    svg("rect", { x: x - wide / 2, y: y - 9, width: wide, height: 18, rx: 9 }),
    treeText(move, x - wide / 2 + 6, y, 12.5, "st-name", "start"));
  if (more) group.append(treeText(more, x - wide / 2 + 9 + 7.4 * move.length, y, 11.5, "st-gain", "start"));
  group.append(across ? treeSlash(x - wide / 2 - 7, y, true) : treeSlash(x, y - 14, false));
  return group;
}

/** @param {number} x @param {number} y @param {boolean} across */
export function treeSlash(x, y, across) {
  const one = across ? `M${x} ${y + 5}l2 -10M${x - 4} ${y + 5}l2 -10` : `M${x - 5} ${y}l10 -2M${x - 5} ${y - 4}l10 -2`;
  return svg("path", { d: one, class: "st-slash" });
}

/** The box that stands for everything cut at a node. @param {TreeData} tree @param {TreeWords} words @param {number} index */
export function treeStub(tree, words, index) {
  const gone = (tree.nodes[stubOf(index)].children ?? []).map((child) => tree.nodes[child]).filter((node) => node.value === null);
  const moves = gone.length > 1 ? `${gone[0].move}–${gone[gone.length - 1].move}` : gone[0].move;
  const text = `${moves} · ${words.number(gone.reduce((sum, node) => sum + node.size, 0))}`;
  const wide = Math.max(TREE.stubWidth, 14 + 6.6 * text.length);
  return { text, wide, moves: gone.map((node) => node.move).join(" ") };
}
