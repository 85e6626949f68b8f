// The wood and the seeds: gradients and shapes that all boards of a page share.

import { svg } from "./svg.js";

const TINTS = [["#f1efe4", "#b9b5a1", "#6f6b58"], ["#e9ead9", "#a9ab92", "#61644e"], ["#f3ead9", "#c2b193", "#78684b"],
               ["#e8ebe6", "#a7aea6", "#5e6660"]];
export const TINT_COUNT = TINTS.length;

/** @param {string} id @param {string[]} colours */
function ball(id, [light, body, dark]) {
  return svg("radialGradient", { id, cx: "36%", cy: "30%", r: "78%" },
    svg("stop", { offset: "0", "stop-color": light }),
    svg("stop", { offset: "0.55", "stop-color": body }),
    svg("stop", { offset: "1", "stop-color": dark }));
}

const DOWN = { x1: 0, y1: 0, x2: 0, y2: 1 };

/**
 * A gradient whose colours the style sheet gives, by theme: --ID-1, --ID-2 and so on.
 * @param {string} id @param {string} kind @param {number[]} offsets @param {Record<string, string | number>} more
 */
function shades(id, kind, offsets, more) {
  return svg(kind, { id, ...more }, ...offsets.map((offset, i) => svg("stop", { offset, class: `${id}-${i + 1}` })));
}

/** Put the shared definitions into the page, once. */
export function preparePaint() {
  if (document.getElementById("awale-paint")) return;
  const defs = svg("defs");
  TINTS.forEach((tint, i) => {
    defs.append(ball(`tint-${i}`, tint));
    // A seed is not quite round; its eye is what a nickernut has.
    defs.append(svg("g", { id: `seed-${i}` },
      svg("ellipse", { rx: 1, ry: 0.93, fill: `url(#tint-${i})`, stroke: "#2a2013", "stroke-width": 0.07 }),
      svg("ellipse", { cx: -0.32, cy: -0.38, rx: 0.26, ry: 0.15, fill: "#fff", opacity: 0.55,
                       transform: "rotate(-35 -0.32 -0.38)" })));
  });
  defs.append(ball("paint-red", ["#ff9a85", "#d6301f", "#7c0f0a"]), ball("paint-blue", ["#a8ceff", "#2468d6", "#0b2c6e"]));
  defs.append(
    svg("g", { id: "seed-r" },
      svg("circle", { r: 0.98, fill: "url(#paint-red)", stroke: "#3a0603", "stroke-width": 0.08 }),
      svg("ellipse", { cx: -0.32, cy: -0.4, rx: 0.28, ry: 0.16, fill: "#fff", opacity: 0.6 })),
    svg("g", { id: "seed-b" },
      svg("rect", { x: -0.8, y: -0.8, width: 1.6, height: 1.6, rx: 0.22, fill: "url(#paint-blue)", stroke: "#04143a",
                    "stroke-width": 0.09 }),
      svg("path", { d: "M-.55 -.55H.3", stroke: "#fff", "stroke-width": 0.16, "stroke-linecap": "round", opacity: 0.6 })),
    svg("g", { id: "seed-t" },
      svg("path", { d: "M0 -1.02L.98 .72Q1 .86 .84 .88H-.84Q-1 .86 -.98 .72Z", fill: "#eaf6f4", "fill-opacity": 0.3,
                    stroke: "#f4fffd", "stroke-width": 0.17, "stroke-linejoin": "round" }),
      svg("path", { d: "M-.08 -.5L-.55 .35", stroke: "#fff", "stroke-width": 0.15, "stroke-linecap": "round" })));
  defs.append(
    shades("wood", "linearGradient", [0, 0.18, 0.5, 0.82, 1], DOWN),
    shades("wood-edge", "linearGradient", [0, 0.5, 1], DOWN),
    shades("hollow", "radialGradient", [0, 0.62, 1], { cx: "50%", cy: "62%", r: "62%" }),
    shades("rim", "linearGradient", [0, 0.5, 1], DOWN),
    svg("marker", { id: "arrowhead", viewBox: "0 0 10 10", refX: 6, refY: 5, markerWidth: 4.2, markerHeight: 4.2,
                    orient: "auto-start-reverse" },
      svg("path", { d: "M0 0L10 5L0 10L2.5 5z", fill: "context-stroke" })));
  const root = svg("svg", { id: "awale-paint", width: 0, height: 0, "aria-hidden": "true", class: "paint" }, defs);
  document.body.prepend(root);
}

/**
 * A plank with its grain.
 * @param {number} width
 * @param {number} height
 * @param {number} round  the corners
 */
export function plank(width, height, round) {
  const group = svg("g", { class: "plank", "aria-hidden": "true" });
  // A shadow as plain shapes: a filter over the whole board costs three frames out of four while seeds move.
  for (const [grow, opacity] of [[5, 0.1], [1, 0.14]]) {
    group.append(svg("rect", { x: 1 - grow, y: 7 - grow, width: width - 2 + 2 * grow, height: height - 2 + 2 * grow, rx: round + grow, fill: "#3a1d06", opacity }));
  }
  group.append(svg("rect", { x: 1, y: 1, width: width - 2, height: height - 2, rx: round, fill: "url(#wood-edge)" }));
  group.append(svg("rect", { x: 6, y: 5, width: width - 12, height: height - 13, rx: round - 5, fill: "url(#wood)" }));
  const lines = Math.round(height / 17);
  for (let i = 1; i < lines; i++) {
    const y = 8 + (i * (height - 20)) / lines;
    const wave = 5 * Math.sin(i * 2.4) + 2, lean = 6 * Math.cos(i * 1.7);
    const inset = i < 3 || i > lines - 3 ? round * 0.7 : 12;
    const d = `M${inset} ${y}C${width * 0.25} ${y + wave} ${width * 0.4} ${y - wave} ${width * 0.55} ${y + lean / 2}` +
      `S${width * 0.85} ${y + wave} ${width - inset} ${y + lean / 3}`;
    group.append(svg("path", { d, class: "grain", opacity: 0.1 + 0.13 * Math.abs(Math.sin(i * 5.1)) }));
  }
  return group;
}
