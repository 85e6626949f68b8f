// The tree of moves as people read it: the main line, variations set in below the move they replace, comments.

import { moveLabel } from "./movelist.js";
import { html } from "./svg.js";
import { t } from "./texts.js";

/** @typedef {import("./tree.js").Node} Node */

/**
 * @param {HTMLElement} box
 * @param {Node} root
 * @param {Node} current
 * @param {(node: Node) => void} onChoose
 * @param {number} first  the ply of the first move (0 if South begins)
 */
export function showTree(box, root, current, onChoose, first = 0) {
  /** @type {HTMLElement | null} */
  let mine = null;
  const button = (/** @type {Node} */ node) => {
    const made = html("button", { type: "button", class: "ply", onclick: () => onChoose(node),
                                  "aria-label": moveLabel(node.move, node.taken, node.mark) },
      node.move, node.taken ? html("small", {}, `+${node.taken}`) : "",
      node.mark ? html("em", { class: `mark m${node.mark.length}${node.mark[0] === "?" ? "q" : "e"}` }, node.mark) : "",
      node.quiz ? html("span", { class: "asks", title: t("study.quiz-here") }, "?") : "",
      node.verdict?.turning ? html("span", { class: "turning", title: t("review.turning") }, "⟳") : "");
    if (node === current) {
      made.setAttribute("aria-current", "step");
      mine = made;
    }
    return made;
  };
  const write = (/** @type {HTMLElement} */ into, /** @type {Node} */ from, /** @type {boolean} */ numbered) => {
    let force = numbered;
    for (let parent = from; parent.shown.length; parent = parent.shown[0]) {
      const [main, ...others] = parent.shown;
      const ply = first + parent.depth;
      if (ply % 2 === 0) into.append(html("span", { class: "number" }, `${ply / 2 + 1}.`));
      else if (force) into.append(html("span", { class: "number" }, `${(ply + 1) / 2}…`));
      force = false;
      into.append(button(main));
      if (main.comment) {
        into.append(html("span", { class: "comment" }, main.comment));
        force = true;
      }
      for (const other of others) {
        const inner = html("div", { class: "variation" });
        inner.append(html("span", { class: "number" }, ply % 2 === 0 ? `${ply / 2 + 1}.` : `${(ply + 1) / 2}…`), button(other));
        if (other.comment) inner.append(html("span", { class: "comment" }, other.comment));
        write(inner, other, false);
        into.append(inner);
        force = true;
      }
    }
  };
  const all = html("div", { class: "line" });
  if (root.comment) all.append(html("span", { class: "comment" }, root.comment));
  write(all, root, false);
  box.replaceChildren(all);
  const shown = /** @type {HTMLElement | null} */ (mine);
  if (shown) box.scrollTop = Math.max(0, shown.offsetTop - box.clientHeight / 2);
}
