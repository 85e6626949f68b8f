// The curve of a game: what South may expect after every move, in seeds; a click goes there.

import { svg } from "./svg.js";
import { t } from "./texts.js";

/**
 * @param {HTMLElement} box
 * @param {{value: number | null, mark: string, turning: boolean}[]} points  one a position, the start first
 * @param {number} current
 * @param {(ply: number) => void} onChoose
 */
export function drawGraph(box, points, current, onChoose) {
  const width = 600, height = 130, known = points.filter((p) => p.value !== null);
  box.hidden = known.length < 2;
  if (box.hidden) return;
  const most = Math.max(6, ...known.map((p) => Math.min(30, Math.abs(p.value ?? 0))));
  const x = (/** @type {number} */ i) => (points.length < 2 ? 0 : (i * width) / (points.length - 1));
  const y = (/** @type {number} */ v) => height / 2 - (Math.max(-most, Math.min(most, v)) / most) * (height / 2 - 6);
  let line = "";
  points.forEach((p, i) => {
    if (p.value !== null) line += `${line ? "L" : "M"}${x(i).toFixed(1)} ${y(p.value).toFixed(1)}`;
  });
  const firstKnown = points.findIndex((p) => p.value !== null);
  const lastKnown = points.length - 1 - [...points].reverse().findIndex((p) => p.value !== null);
  const area = `${line}L${x(lastKnown)} ${height / 2}L${x(firstKnown)} ${height / 2}Z`;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img",
                               "aria-label": t("analysis.graph") },
    svg("rect", { width, height: height / 2, class: "south" }),
    svg("rect", { y: height / 2, width, height: height / 2, class: "north" }),
    svg("path", { d: area, class: "area" }),
    svg("path", { d: `M0 ${height / 2}H${width}`, class: "axis" }),
    svg("path", { d: line, class: "curve" }),
    svg("path", { d: `M${x(current)} 0V${height}`, class: "here" }));
  points.forEach((p, i) => {
    if (p.value === null || (!p.mark && !p.turning)) return;
    const kind = p.turning ? "turning" : p.mark === "??" ? "blunder" : p.mark === "?" ? "mistake" : "slip";
    picture.append(svg("ellipse", { cx: x(i), cy: y(p.value), rx: 4.5, ry: 5.5, class: `point ${kind}` }));
  });
  picture.addEventListener("click", (event) => {
    const at = picture.getBoundingClientRect();
    const share = (/** @type {MouseEvent} */ (event).clientX - at.left) / at.width;
    onChoose(Math.round(share * (points.length - 1)));
  });
  box.replaceChildren(picture);
}
