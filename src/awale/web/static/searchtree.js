// A search tree that plays itself: drawn, stepped through, folded and unfolded, by mouse, touch and keyboard. It knows no
// rule: everything that happened was worked out before.

import { html, svg } from "./svg.js";
import { childrenSeen, layOutTree, stubOf, TREE, treeSizes } from "./searchtree-layout.js";
import { treePosition, treeState, TreeWords } from "./searchtree-words.js";
import { treeBoard, treeCurve, treeMove, treeSlash, treeStub, treeText, treeTriangle, treeValue, treeWindow } from "./searchtree-draw.js";

/** @typedef {import("./searchtree-layout.js").TreeData} TreeData */
/** @typedef {import("./searchtree-layout.js").TreeLayout} TreeLayout */
/** @typedef {import("./searchtree-words.js").TreeState} TreeState */

const ICONS = {
  first: "M6 5h3v14H6zM20 5v14L10 12z", back: "M17 5v14L7 12z", play: "M7 4v16l13-8z", pause: "M6 5h4v14H6zM14 5h4v14h-4z",
  forward: "M7 5v14l10-7z", last: "M15 5h3v14h-3zM4 5v14l10-7z", plus: "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z", minus: "M5 11h14v2H5z",
  fit: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z", turn: "M4 4h7v5H9v2h6v-1l5 4-5 4v-2H7v-7H4z",
};
const SPEEDS = [0.5, 1, 2, 4, 8];
const BEAT = 1300;
const SMALLEST = 0.42;
const READABLE = 0.68;
const COMFORTABLE = 0.85;
const LARGEST = 1.5;
const MOST_SHOWN = 1500;
const WIDE = 5000;

export class SearchTree {
  /**
   * @param {HTMLElement} place
   * @param {TreeData} tree
   * @param {Record<string, string>} texts
   * @param {string} lang
   * @param {{fromHere?: {label: string, go: (position: string) => void}}} [options]
   */
  constructor(place, tree, texts, lang, options = {}) {
    this.tree = tree;
    this.words = new TreeWords(tree, texts, lang);
    this.sizes = treeSizes(tree);
    this.options = options;
    this.opened = new Set(tree.open);
    this.cuts = new Set(tree.cuts);
    this.last = tree.steps.length;
    this.step = this.last;
    this.playing = false;
    this.speed = 1;
    /** @type {boolean | null} null: whichever fits better */ this.across = null;
    /** @type {number | null} null: as fits */ this.zoom = null;
    this.selected = 0;
    this.state = treeState(tree, this.step);
    this.line = new Set(tree.line);
    /** @type {Map<number, SVGElement>} */ this._groups = new Map();
    /** @type {Map<number, SVGElement>} */ this._edges = new Map();
    /** @type {Map<number, SVGElement>} */ this._moves = new Map();
    this._drawnFor = "";
    this._spare = 0;
    this._quit = new AbortController();
    const { words } = this;
    const called = /** @param {string} key */ (key) => words.text(`view.${key}`);
    this.bar = html("span", { class: "st-bar-in" });
    this.counts = html("b", {});
    this.saved = html("span", {});
    this.canvas = html("div", { class: "st-canvas" });
    this.said = html("p", { class: "st-said", "aria-live": "polite" });
    this.slider = html("input", {
      type: "range", min: 0, max: this.last, value: this.step, "aria-label": called("steps"), oninput: () => this.go(Number(this.slider.value)),
    });
    this.playButton = this._button("play", "st-play strong", () => this.toggle());
    this.speeds = html("select", { "aria-label": called("speed"), title: called("speed"), onchange: () => this._setSpeed() },
      ...SPEEDS.map((speed) => html("option", { value: speed, ...(speed === 1 ? { selected: true } : {}) }, `${speed.toLocaleString(words.lang)}×`)));
    this.details = html("div", { class: "st-details box" });
    this.note = html("p", { class: "st-note", role: "status" });
    this._build(place);
    this._draw();
    this.canvas.addEventListener("scroll", () => this._keepNames(), { passive: true });
    addEventListener("resize", () => this._draw(), { signal: this._quit.signal });
    document.addEventListener("keydown", (event) => this._key(event), { signal: this._quit.signal });
  }

  /** Another tree takes the place. */
  close() {
    this.pause();
    this._quit.abort();
  }

  // -- the frame -----------------------------------------------------------------------------------------------------

  /** @param {HTMLElement} place */
  _build(place) {
    const { words } = this;
    const called = /** @param {string} key */ (key) => words.text(`view.${key}`);
    place.replaceChildren(html("section", { class: `st st-by-${this.tree.method}`, "aria-label": called("label") },
      html("div", { class: "st-head" },
        html("div", { class: "st-counts" },
          html("p", {}, this.counts, this.saved),
          html("div", { class: "st-bar", "aria-hidden": "true" }, this.bar)),
        html("div", { class: "st-tools" },
          this._button("minus", "", () => this._zoom(1 / 1.25), "zoom-out"),
          this._button("plus", "", () => this._zoom(1.25), "zoom-in"),
          this._button("fit", "", () => this._fit()),
          this._button("turn", "", () => this._turn()),
          html("button", { type: "button", onclick: () => this._openAll() }, called("open-all")),
          html("button", { type: "button", onclick: () => this._foldAll() }, called("fold")))),
      this.note, this.canvas,
      html("div", { class: "st-dock" }, html("p", { class: "faint st-about" }, words.about()), this.said,
        html("div", { class: "st-controls" },
          this._button("first", "", () => this.go(0)), this._button("back", "", () => this.go(this.step - 1)), this.playButton,
          this._button("forward", "", () => this.go(this.step + 1)), this._button("last", "", () => this.go(this.last)),
          this.slider, this.speeds)),
      this.details, html("p", { class: "faint st-keys" }, called("keys"))));
  }

  /** @param {keyof typeof ICONS} icon @param {string} kind @param {() => void} act @param {string} [name] */
  _button(icon, kind, act, name = icon) {
    const label = this.words.text(`view.${name}`);
    return html("button", { type: "button", class: `st-button ${kind}`, title: label, "aria-label": label, onclick: act }, this._icon(icon));
  }

  /** @param {keyof typeof ICONS} icon */
  _icon(icon) {
    return svg("svg", { viewBox: "0 0 24 24", width: 22, height: 22, "aria-hidden": "true" }, svg("path", { d: ICONS[icon], fill: "currentColor" }));
  }

  // -- stepping ------------------------------------------------------------------------------------------------------

  /** @param {number} step */
  go(step) {
    this.pause();
    this._show(step);
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  play() {
    if (this.step >= this.last) this._show(0);
    this.playing = true;
    this._markPlaying();
    this._beat();
  }

  pause() {
    clearTimeout(this._timer);
    if (!this.playing) return;
    this.playing = false;
    this._markPlaying();
  }

  _markPlaying() {
    const name = this.playing ? "pause" : "play";
    const label = this.words.text(`view.${name}`);
    this.playButton.replaceChildren(this._icon(name));
    this.playButton.title = label;
    this.playButton.setAttribute("aria-label", label);
    // A voice could not keep up: it reads the step where one stops.
    this.said.setAttribute("aria-live", this.playing ? "off" : "polite");
  }

  _beat() {
    this._timer = setTimeout(() => {
      this._show(this.step + 1);
      if (this.step >= this.last) this.pause();
      else this._beat();
    }, BEAT / this.speed);
  }

  _setSpeed() {
    this.speed = Number(this.speeds.value);
    if (!this.playing) return;
    clearTimeout(this._timer);
    this._beat();
  }

  /** @param {number} step */
  _show(step) {
    const wanted = Math.max(0, Math.min(this.last, step));
    const forward = wanted === this.step + 1;
    this.step = wanted;
    this.state = treeState(this.tree, wanted);
    this.selected = this.state.current;
    this._draw();
    if (forward && this.state.riser !== null) this._fly(this.state.riser);
    this._reveal(this.state.current);
    if (this.state.riser !== null) this._reveal(this.state.riser);
  }

  // -- what is shown -------------------------------------------------------------------------------------------------

  /** Open by hand, or on the way to where the search stands. */
  _openedNow() {
    const opened = new Set(this.opened);
    if (this.step === this.last) return opened;
    const from = this.state.riser ?? this.state.current;
    for (let here = this.tree.nodes[from].parent; here !== null; here = this.tree.nodes[here].parent) opened.add(here);
    return opened;
  }

  /** @param {number} index */
  _toggleFold(index) {
    if (index < 0) this.cuts.add(stubOf(index));
    else if (this.opened.has(index)) {
      this.opened.delete(index);
      if (this.tree.nodes.length > MOST_SHOWN / 10) this.cuts.delete(index);
    } else this.opened.add(index);
    this._draw();
    this._focus(index < 0 ? stubOf(index) : index);
  }

  _openAll() {
    const wanted = this.tree.nodes.length;
    if (wanted > MOST_SHOWN) {
      this.note.textContent = this.words.text("view.too-many", { n: this.words.number(wanted) });
      return;
    }
    this.tree.nodes.forEach((node, index) => {
      if (node.children) this.opened.add(index);
      if (node.cut) this.cuts.add(index);
    });
    this._draw();
  }

  _foldAll() {
    this.note.textContent = "";
    this.opened = new Set(this.tree.open);
    this.cuts = new Set(this.tree.cuts);
    this._draw();
  }

  _turn() {
    this.across = !this._layout?.across;
    this._fit();
  }

  _fit() {
    this.zoom = null;
    this._draw();
  }

  /** @param {number} factor */
  _zoom(factor) {
    this.zoom = Math.max(0.2, Math.min(3, (this._scale ?? 1) * factor));
    this._draw();
  }

  // -- drawing -------------------------------------------------------------------------------------------------------

  _draw() {
    const opened = this._openedNow();
    const room = this._room();
    const [down, centred] = [false, true].map((way) => layOutTree(this.tree, opened, this.cuts, way, false));
    /** @param {TreeLayout} layout */
    const fit = (layout) => Math.min(room.width / layout.width, room.height / layout.height);
    // What does not fit is read from top to bottom, as pages are: it grows to the right, each parent beside its first child.
    const fits = centred.height * Math.min(COMFORTABLE, room.width / centred.width) <= 1.25 * room.height;
    const across = fits ? centred : layOutTree(this.tree, opened, this.cuts, true, true);
    const better = fit(down) >= Math.min(READABLE, fit(centred)) && fit(down) >= SMALLEST + 0.1 ? down : across;
    const layout = this.across === null ? better : this.across ? across : down;
    const whole = layout.across ? room.width / layout.width : room.height / layout.height;
    this._scale = this.zoom ?? Math.max(SMALLEST, Math.min(LARGEST, Math.max(fit(layout), Math.min(COMFORTABLE, whole))));
    this._layout = layout;
    const key = `${layout.across} ${layout.height} ${[...layout.corners.keys()].join(",")}`;
    if (key !== this._drawnFor) this._redraw(layout, opened);
    this._drawnFor = key;
    // What is narrower than the window is drawn in the middle of it, on bands as wide as the window.
    const spare = layout.across ? 0 : Math.max(0, room.width / this._scale - layout.width);
    this.drawing?.setAttribute("viewBox", `${-spare / 2} 0 ${layout.width + spare} ${layout.height}`);
    this.drawing?.setAttribute("width", String(Math.floor((layout.width + spare) * this._scale)));
    this.drawing?.setAttribute("height", String(Math.round(layout.height * this._scale)));
    this._spare = spare;
    this.canvas.style.maxHeight = `${room.height + 2}px`;
    this._keepNames();
    this._mark();
  }

  /** The names of the levels stay in sight when the drawing is scrolled. */
  _keepNames() {
    const { canvas } = this;
    const scale = this._scale ?? 1;
    const [x, y] = this._layout?.across ? [0, canvas.scrollTop / scale] : [canvas.scrollLeft / scale - (this._spare ?? 0) / 2, 0];
    this.drawing?.querySelector(".st-names")?.setAttribute("transform", `translate(${x} ${y})`);
  }

  _room() {
    const top = this.canvas.getBoundingClientRect().top + scrollY;
    const dock = this.canvas.nextElementSibling instanceof HTMLElement ? this.canvas.nextElementSibling.offsetHeight : 0;
    return { width: this.canvas.clientWidth - 4, height: Math.max(300, innerHeight - Math.min(top, innerHeight * 0.45) - dock - 16) };
  }

  /** @param {TreeLayout} layout @param {Set<number>} opened */
  _redraw(layout, opened) {
    const { tree, sizes, words } = this;
    this._groups.clear();
    this._edges.clear();
    this._moves.clear();
    const bands = this._bands(layout);
    const behind = svg("g", { "aria-hidden": "true" }, ...bands.map(({ band }) => band));
    const branches = svg("g", { class: "st-edges" });
    const names = svg("g", { class: "st-moves" });
    const nodes = svg("g", { role: "none" });
    for (const [index, corner] of layout.corners) {
      if (index < 0) {
        const parent = stubOf(index);
        const edge = svg("path", { d: treeCurve(tree, layout, sizes, parent, index).d, class: "st-edge st-cut" });
        branches.append(edge);
        nodes.append(this._stub(index, corner, layout.across));
        continue;
      }
      const { parent } = tree.nodes[index];
      if (parent !== null) {
        const curve = treeCurve(tree, layout, sizes, parent, index);
        const edge = svg("path", { d: curve.d });
        const move = treeMove(tree.nodes[index], curve, layout.across);
        this._edges.set(index, edge);
        this._moves.set(index, move);
        branches.append(edge);
        names.append(move);
      }
      nodes.append(this._node(index, corner, layout.across, opened));
    }
    behind.append(branches, names);
    this.drawing = svg("svg", { class: "st-drawing", role: "tree", "aria-label": words.text("view.label") }, behind, nodes,
      svg("g", { class: "st-names", "aria-hidden": "true" }, ...bands.flatMap(({ names }) => names)));
    this.canvas.replaceChildren(this.drawing);
  }

  /** @param {TreeLayout} layout */
  _bands(layout) {
    return layout.levels.map(({ begin, end }, depth) => {
      const here = [...layout.corners.keys()].filter((index) => index >= 0 && this.tree.nodes[index].depth === depth);
      const { what, who, kind } = this.words.level(here);
      const place = layout.across
        ? { x: begin + 1, y: 1, width: end - begin - 2, height: layout.height - 2 }
        : { x: -WIDE, y: begin + 1, width: layout.width + 2 * WIDE, height: end - begin - 2 };
      const band = svg("rect", { ...place, rx: 8, class: `st-band st-${kind}` });
      // A ground of its own, so that a name can be read over the boards that pass under it.
      const ground = layout.across ? { ...place, height: 34 } : { ...place, width: WIDE + TREE.gutterDown - 4 };
      const names = [svg("rect", { ...ground, class: `st-band st-ground st-${kind}` })];
      const middle = (begin + end) / 2;
      if (layout.across) {
        const text = who ? `${what} · ${who}` : what;
        names.push(treeText(text, middle + (kind === "none" ? 0 : 9), 20, 13, `st-level st-${kind}`));
        if (kind !== "none") names.push(treeTriangle(middle - 4 - 3.6 * text.length, 20, kind === "max", 5.5, `st-level st-${kind}`));
        return { band, names };
      }
      const y = who ? middle - 9 : middle;
      names.push(treeText(what, kind === "none" ? 8 : 24, y, 14, `st-level st-${kind}`, "start"));
      if (who) names.push(treeText(who, 8, middle + 9, 12.5, `st-level st-who st-${kind}`, "start"));
      if (kind !== "none") names.push(treeTriangle(14, y, kind === "max", 5.5, `st-level st-${kind}`));
      return { band, names };
    });
  }

  /** @param {number} index @param {{x: number, y: number}} corner @param {boolean} across @param {Set<number>} opened */
  _node(index, corner, across, opened) {
    const { tree, sizes } = this;
    const node = tree.nodes[index];
    // The drawing is for the eyes; a clear pane over it says all of it in words and takes the focus.
    const pane = svg("rect", { x: -4, y: -4, width: sizes.boardWidth + 8, height: (node.children ? sizes.height : sizes.boardHeight + TREE.hang) + 7, rx: 12, class: "st-pane", role: "treeitem", tabindex: -1, "aria-level": node.depth + 1 });
    const group = svg("g", { transform: `translate(${corner.x} ${corner.y})`, "data-node": index, role: "none" },
      treeBoard(tree, node, sizes), svg("g", { class: "st-worth", "aria-hidden": "true" }), pane);
    if (node.children) {
      const open = opened.has(index);
      pane.setAttribute("aria-expanded", String(open));
      group.append(this._foldButton(index, open, across));
    }
    group.addEventListener("click", () => this._select(index));
    this._groups.set(index, group);
    return group;
  }

  /** @param {number} index @param {boolean} open @param {boolean} across */
  _foldButton(index, open, across) {
    const { sizes } = this;
    const text = open ? "\u2212" : `+${this.words.number(this.tree.nodes[index].size - 1)}`;
    const wide = open ? 17 : 12 + 6.8 * text.length;
    const low = this.tree.nodes[index].cut ? sizes.height : sizes.boardHeight + TREE.hang;
    // To the right of a board lie its branches: what closes them stands below it.
    const x = !across ? sizes.boardWidth / 2 : open ? sizes.boardWidth - 12 : sizes.boardWidth + 5 + wide / 2;
    const y = !across ? low + 9 : open ? sizes.boardHeight + 6 : sizes.boardHeight / 2;
    const button = svg("g", { class: open ? "st-fold st-open" : "st-fold", "aria-hidden": "true" },
      svg("rect", { x: x - wide / 2, y: y - 8.5, width: wide, height: 17, rx: 8.5 }), treeText(text, x, y, 11, "st-count"));
    button.addEventListener("click", (event) => {
      event.stopPropagation();
      this._toggleFold(index);
    });
    return button;
  }

  /** @param {number} index @param {{x: number, y: number}} corner @param {boolean} across */
  _stub(index, corner, across) {
    const { text, wide, moves } = treeStub(this.tree, this.words, index);
    const left = across ? corner.x : corner.x + (TREE.stubWidth - wide) / 2;
    const [x, y] = across ? [corner.x - 9, corner.y + TREE.stubHeight / 2] : [corner.x + TREE.stubWidth / 2, corner.y - 7];
    const level = this.tree.nodes[stubOf(index)].depth + 2;
    const group = svg("g", { class: "st-stub", "data-stub": stubOf(index), role: "none" },
      svg("g", { "aria-hidden": "true" }, treeSlash(x, y, across), svg("rect", { x: left, y: corner.y, width: wide, height: TREE.stubHeight, rx: 6, class: "st-box" }),
        treeText(text, left + wide / 2, corner.y + TREE.stubHeight / 2, 11, "st-count")),
      svg("rect", { x: left, y: corner.y, width: wide, height: TREE.stubHeight, rx: 6, class: "st-pane", role: "treeitem", tabindex: -1, "aria-level": level, "aria-expanded": "false", "aria-label": `${moves}: ${this.words.text("view.cut")}` }));
    group.addEventListener("click", () => this._toggleFold(index));
    this._groups.set(index, group);
    return group;
  }

  /** Everything that changes with a step: values, windows, what is grey, where the search stands. */
  _mark() {
    const { tree, state, words } = this;
    const over = this.step === this.last;
    const path = new Set();
    for (let here = /** @type {number | null} */ (state.current); here !== null; here = tree.nodes[here].parent) path.add(here);
    for (const [index, group] of this._groups) {
      if (index < 0) {
        group.setAttribute("class", state.closed.has(stubOf(index)) ? "st-stub" : "st-stub st-later");
        continue;
      }
      const status = state.status[index];
      const best = over && this.line.has(index);
      group.setAttribute("class", ["st-node", `st-is-${status}`, best ? "st-best" : "", !over && path.has(index) ? "st-path" : "", !over && index === state.current ? "st-current" : "", index === this.selected ? "st-selected" : ""].filter(Boolean).join(" "));
      const pane = /** @type {SVGElement} */ (group.querySelector(".st-pane"));
      pane.setAttribute("aria-selected", String(index === this.selected));
      pane.setAttribute("tabindex", index === this.selected ? "0" : "-1");
      pane.setAttribute("aria-label", `${words.node(index, state).join(", ")}. ${words.board(index)}`);
      group.querySelector(".st-worth")?.replaceChildren(...this._worth(index, over || !path.has(index)));
    }
    for (const [index, edge] of this._edges) {
      const parent = /** @type {number} */ (tree.nodes[index].parent);
      const kind = state.status[index] === "cut" ? "st-cut" : over && this.line.has(index) ? "st-best" : state.best[parent] === index ? "st-chosen" : state.status[index] === "unseen" ? "st-unseen" : "";
      const walked = !over && path.has(index) ? "st-path" : "";
      edge.setAttribute("class", `st-edge ${kind} ${walked}`);
      this._moves.get(index)?.setAttribute("class", `st-move ${kind} ${walked}`);
    }
    if (!this._groups.has(this.selected)) this._groups.get(0)?.querySelector(".st-pane")?.setAttribute("tabindex", "0");
    this.counts.textContent = words.counts(state.visited);
    this.saved.textContent = over ? `, ${words.saved()}` : "";
    this.bar.style.width = `${(100 * state.visited) / tree.minimax}%`;
    const sentence = words.step(this.step, treeState(tree, Math.max(0, this.step - 1)));
    if (this.said.textContent !== sentence) this.said.textContent = sentence;
    this.slider.value = String(this.step);
    this.slider.setAttribute("aria-valuetext", words.text("view.step", { n: this.step, all: this.last }));
    this._detail();
  }

  /** A node's value and window. @param {number} index @param {boolean} settled  not on the path of the search */
  _worth(index, settled) {
    const { tree, state, words, sizes } = this;
    const node = tree.nodes[index];
    /** @type {SVGElement[]} */ const drawn = [];
    const value = state.value[index];
    if (value !== null) {
      const bound = state.status[index] === "done" && (settled || index !== state.current) ? node.bound : undefined;
      drawn.push(treeValue(words.value(value, bound), sizes, !node.children ? "leaf" : node.max ? "max" : "min"));
    } else if (state.status[index] === "open") drawn.push(treeValue("…", sizes, node.max ? "max" : "min"));
    if (tree.method !== "alphabeta") return drawn;
    if (node.cut && state.closed.has(index)) {
      drawn.push(treeWindow(`α ${words.value(node.cut[0])} ≥ β ${words.value(node.cut[1])}`, sizes, true));
    } else if (!settled && node.children) {
      const { alpha, beta } = words.window(state.windows.get(index) ?? [null, null]);
      drawn.push(treeWindow(`α ${alpha} · β ${beta}`, sizes, false));
    }
    return drawn;
  }

  _detail() {
    const [first, ...rest] = this.words.node(this.selected, this.state);
    const position = treePosition(this.tree.nodes[this.selected]);
    const line = html("p", {}, html("b", {}, first), `${this.words.colon} ${rest.join(" · ")}.`);
    const code = html("p", {}, html("code", {}, position));
    const { fromHere } = this.options;
    if (fromHere && this.selected && !this.tree.nodes[this.selected].end) {
      code.append(" ", html("button", { type: "button", class: "st-here", onclick: () => fromHere.go(position) }, fromHere.label));
    }
    this.details.replaceChildren(line, code);
  }

  /** A value on its way up. @param {number} index */
  _fly(index) {
    const parent = /** @type {number} */ (this.tree.nodes[index].parent);
    const from = this._layout?.corners.get(index);
    const to = this._layout?.corners.get(parent);
    if (!from || !to || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const step = this.tree.steps[this.step - 1];
    const pill = treeValue(this.words.value(step.offered), this.sizes, "leaf");
    pill.classList.add("st-flying");
    this.drawing?.append(pill);
    const ways = [`translate(${from.x}px, ${from.y}px)`, `translate(${to.x}px, ${to.y}px)`];
    const flight = pill.animate([{ transform: ways[0], opacity: 1 }, { transform: ways[1], opacity: 0.9 }], { duration: Math.min(600, (0.55 * BEAT) / this.speed), easing: "ease-in-out" });
    flight.onfinish = () => pill.remove();
    flight.oncancel = flight.onfinish;
  }

  /** Scroll the drawing, never the page, so that a node is seen. @param {number} index */
  _reveal(index) {
    const corner = this._layout?.corners.get(index);
    if (!corner) return;
    const scale = this._scale ?? 1;
    const { canvas, sizes } = this;
    const margin = 40;
    /** @param {number} at @param {number} size @param {number} shown @param {number} now */
    const into = (at, size, shown, now) => (at - margin < now ? at - margin : at + size + margin > now + shown ? at + size + margin - shown : now);
    const left = into(corner.x * scale, sizes.boardWidth * scale, canvas.clientWidth, canvas.scrollLeft);
    const top = into(corner.y * scale, sizes.height * scale, canvas.clientHeight, canvas.scrollTop);
    if (left !== canvas.scrollLeft || top !== canvas.scrollTop) canvas.scrollTo({ left, top });
  }

  // -- choosing a position, keys -------------------------------------------------------------------------------------

  /** @param {number} index */
  _select(index) {
    this.pause();
    this.selected = index;
    this._mark();
    this._focus(index);
  }

  /** @param {number} index */
  _focus(index) {
    const pane = /** @type {SVGElement | null | undefined} */ (this._groups.get(index)?.querySelector(".st-pane"));
    pane?.focus({ preventScroll: true });
    if (index >= 0) this._reveal(index);
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("input, select, textarea, [contenteditable], dialog")) return;
    const item = target?.closest("[data-node], [data-stub]");
    if (item && this.canvas.contains(item) && this._walk(event.key, item)) event.preventDefault();
    else if (event.key === " " && !target?.closest("button, a, summary")) this.toggle();
    else if (!item && event.key === "ArrowRight") this.go(this.step + 1);
    else if (!item && event.key === "ArrowLeft") this.go(this.step - 1);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(this.last);
    else return;
    event.preventDefault();
  }

  /** Arrows as the tree lies: towards the root, towards the leaves, to the neighbours. @param {string} key @param {Element} item */
  _walk(key, item) {
    const stub = item.getAttribute("data-stub");
    const index = stub === null ? Number(item.getAttribute("data-node")) : stubOf(Number(stub));
    if (key === "Enter") {
      if (index < 0 || this.tree.nodes[index].children) this._toggleFold(index);
      return true;
    }
    const turned = this._layout?.across ? { ArrowLeft: "up", ArrowRight: "down", ArrowUp: "before", ArrowDown: "after" } : { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "before", ArrowRight: "after" };
    const way = turned[/** @type {"ArrowUp"} */ (key)];
    if (!way) return false;
    const opened = this._openedNow();
    const parent = index < 0 ? stubOf(index) : this.tree.nodes[index].parent;
    let next = /** @type {number | null | undefined} */ (null);
    if (way === "up") next = parent;
    else if (way === "down") next = childrenSeen(this.tree, index, opened, this.cuts)[0];
    else {
      const level = [...(this._layout?.corners.keys() ?? [])].filter((other) => this._depth(other) === this._depth(index));
      next = level[level.indexOf(index) + (way === "after" ? 1 : -1)];
    }
    if (next === null || next === undefined) return true;
    if (next >= 0) this._select(next);
    else this._focus(next);
    return true;
  }

  /** @param {number} index */
  _depth(index) {
    return index < 0 ? this.tree.nodes[stubOf(index)].depth + 1 : this.tree.nodes[index].depth;
  }
}
