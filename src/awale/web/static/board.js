// <awale-board>: a board that knows no rules. It gets a position, the moves that may be played with what each does, and
// traces to animate; it reports which move was chosen. The server decides what is legal and what a move does.

import { layOut, pack } from "./layout.js";
import { Motion } from "./motion.js";
import { plank, preparePaint, TINT_COUNT } from "./paint.js";
import { html, svg } from "./svg.js";
import { say, seeds as seedsText, t } from "./texts.js";

/** @typedef {import("./types.js").Rules} Rules */
/** @typedef {import("./types.js").Position} Position */
/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./types.js").Trace} Trace */
/** @typedef {{element: SVGElement, kind: string, x: number, y: number, r: number}} Seed */
/** @typedef {{text: string, kind: string}} PitNote */
/** @typedef {{from: number, to: number}} Shape  an arrow drawn by hand; a circle where both are the same pit */

const KINDS = ["r", "b", "t"];
/** A phone held sideways: the board is wide there, however small. */
const low = matchMedia("(max-height: 480px) and (orientation: landscape)");

export class AwaleBoard extends HTMLElement {
  constructor() {
    super();
    /** @type {Rules | null} */ this._rules = null;
    /** @type {Position | null} */ this._position = null;
    /** @type {LegalMove[]} */ this._choices = [];
    /** @type {Record<string, import("./types.js").Sentence>} */ this._refusals = {};
    /** @type {Seed[][]} seeds lying in each pit; after the pits the two stores */ this.heaps = [];
    /** @type {Seed[]} seeds lifted and not yet sown */ this.hand = [];
    this.motion = new Motion(this);
    this.editing = false;
    /** whether the board keeps to itself what a move does, because that is the question */ this.quiet = false;
    /** whether arrows and circles can be drawn with the right button */ this.drawing = false;
    /** @type {Shape[]} */ this._shapes = [];
    this._drawnFrom = -1;
    this._active = true;
    /** @type {Map<number, PitNote>} */ this._notes = new Map();
    /** @type {{from: number, to: number, kind: string}[]} */ this._arrows = [];
    /** @type {{pit: number, last: number | null} | null} */ this._lastMove = null;
    /** @type {number[]} the sides of the reader, who is then called "you" */ this.you = [];
    this._focused = 0;
    this._made = 0;
  }

  static observedAttributes = ["flipped"];

  connectedCallback() {
    preparePaint();
    this._watcher = new ResizeObserver(() => this._fit());
    this._watcher.observe(this);
    this._restyle = () => this._draw();
    document.addEventListener("settings", this._restyle);
    this._fit();
  }

  disconnectedCallback() {
    this._watcher?.disconnect();
    if (this._restyle) document.removeEventListener("settings", this._restyle);
  }

  attributeChangedCallback() {
    if (this._rules) this._draw();
  }

  // -- what the page sets --------------------------------------------------------------------------------------------

  /** @param {Rules} rules */
  set rules(rules) {
    if (this._rules?.name === rules.name && this._rules.holes === rules.holes) return;
    this._rules = rules;
    this.heaps = [];
    this._position = null;
    this._choices = [];
    this._lastMove = null;
    this._notes = new Map(); // they name pits that another board may not have
    this._arrows = [];
    this._shapes = [];
    this._draw();
  }

  get rules() {
    if (!this._rules) throw new Error("a board without rules");
    return this._rules;
  }

  get flipped() {
    return this.hasAttribute("flipped");
  }

  set flipped(value) {
    this.toggleAttribute("flipped", value);
  }

  /** How long a seed takes to the next pit, in milliseconds. @param {number} ms */
  set pace(ms) {
    this.motion.pace = ms;
  }

  /** Whether pits can be chosen. @param {boolean} value */
  set active(value) {
    this._active = value;
    this.classList.toggle("resting", !value);
    this._label();
  }

  /**
   * Show a position at once.
   * @param {Position} position
   * @param {{pit: number, last: number | null} | null} [lastMove]
   */
  show(position, lastMove = null) {
    this.motion.skip();
    this._position = position;
    this._lastMove = lastMove;
    this._changes?.replaceChildren();
    this._settle();
    this._label();
  }

  /**
   * The moves that may be chosen now, and why other pits may not.
   * @param {LegalMove[]} choices
   * @param {Record<string, import("./types.js").Sentence>} [refusals]
   */
  choose(choices, refusals = {}) {
    this._choices = choices;
    this._refusals = refusals;
    this._closeMenu();
    this._preview(null);
    this._label();
  }

  /** Notes written on pits, such as the value of a move. @param {Map<number, PitNote>} notes */
  set notes(notes) {
    this._notes = notes;
    this._drawMarks();
  }

  /** @param {{from: number, to: number, kind: string}[]} arrows */
  set arrows(arrows) {
    this._arrows = arrows;
    this._drawMarks();
  }

  /** Arrows and circles drawn by hand. @param {Shape[]} shapes */
  set shapes(shapes) {
    this._shapes = shapes;
    this._drawMarks();
  }

  /** Draw a shape, or remove it where it is already. @param {number} from @param {number} to */
  _drawShape(from, to) {
    if (from < 0) return;
    const others = this._shapes.filter((shape) => shape.from !== from || shape.to !== to);
    this.shapes = others.length < this._shapes.length ? others : [...others, { from, to }];
    this.dispatchEvent(new CustomEvent("draw", { detail: { shapes: this._shapes }, bubbles: true }));
  }

  // -- drawing -------------------------------------------------------------------------------------------------------

  _fit() {
    if (!this._rules || !this.clientWidth) return;
    if (this._upright() !== this._narrow) this._draw();
  }

  /** Whether the layout for phones held upright fits better. */
  _upright() {
    return this.clientWidth > 0 && this.clientWidth < 640 && !low.matches;
  }

  _draw() {
    const rules = this._rules;
    if (!rules || !this.isConnected) return;
    this.motion.skip();
    this._narrow = this._upright();
    this.layout = layOut(rules.rows, { narrow: this._narrow, flipped: this.flipped, ring: rules.coloured && this._narrow });
    if (document.documentElement.dataset.seeds === "large") this.layout.seed *= 1.3;
    const { width, height, round, pits, stores } = this.layout;
    this._pits = pits.map((place, pit) => this._pit(place, pit));
    this._stores = stores.map((place, side) => this._store(place, side));
    // The numbers lie outside of the buttons: a screen reader gets them from the buttons' labels, in a sentence.
    const numbers = svg("g", { class: "numbers", "aria-hidden": "true" }, ...this._pits.flatMap((p) => [p.label, p.count]));
    this._changes = svg("g", { class: "changes", "aria-hidden": "true" });
    this._seedLayer = svg("g", { class: "seeds", "aria-hidden": "true" });
    this._marks = svg("g", { class: "marks", "aria-hidden": "true" });
    this._previews = svg("g", { class: "previews", "aria-hidden": "true" });
    const directions = svg("g", { class: "directions", "aria-hidden": "true" },
      ...this.layout.arrows.map((d) => svg("path", { d })));
    this._picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": t("board.label") },
      plank(width, height, round), directions, ...this._stores.map((s) => s.group), ...this._pits.map((p) => p.group),
      numbers, this._seedLayer, this._marks, this._changes, this._previews);
    this._bubble = html("div", { class: "bubble", role: "status", hidden: true });
    this.replaceChildren(this._picture, this._bubble);
    this.classList.toggle("narrow", this._narrow);
    this.classList.toggle("coloured", rules.coloured);
    // A board of four pits need not fill the screen, and none is higher than what the page leaves for it.
    this.style.maxWidth = `min(${Math.round((width < 900 ? 1.1 : 1.45) * width)}px, (100vh - var(--around, 0px)) * ${(width / height).toFixed(3)})`;
    this.heaps = []; // their seeds went with the old picture
    this.hand = [];
    this._settle();
    this._label();
    this._drawMarks();
  }

  /** @param {import("./layout.js").PitPlace} place @param {number} pit */
  _pit(place, pit) {
    const owner = this.rules.owners[pit];
    const hollow = svg("ellipse", { cx: place.x, cy: place.y, rx: place.rx, ry: place.ry, class: "hollow" });
    const glow = svg("ellipse", { cx: place.x, cy: place.y, rx: place.rx - 1, ry: place.ry - 1, class: "glow" });
    // The name stands on a tag of its own, so that it cannot be read as part of the number beside it.
    const { x, y } = place.label, tag = this._narrow ? { w: 20, h: 16 } : { w: 38, h: 28 };
    const label = svg("g", { class: `label owner-${owner}` },
      svg("rect", { x: x - tag.w / 2, y: y - tag.h / 2, width: tag.w, height: tag.h, rx: tag.h * 0.28 }),
      svg("text", { x, y }, this.rules.labels[pit]));
    const count = svg("text", { x: place.count.x, y: place.count.y, class: "count" });
    const reach = svg("rect", { x: place.x - place.rx - 2, y: Math.min(place.y - place.ry, place.count.y - 14), class: "reach",
                                width: 2 * place.rx + 4, height: place.ry + Math.abs(place.count.y - place.y) + 14 });
    const group = svg("g", { class: `pit owner-${owner}`, role: "button", tabindex: pit === this._focused ? 0 : -1,
                             "data-pit": pit }, reach, hollow, glow);
    group.addEventListener("click", (event) => this._clicked(pit, /** @type {MouseEvent} */ (event)));
    group.addEventListener("contextmenu", (event) => {
      if (!this.editing && !this.drawing) return;
      event.preventDefault();
      if (this.editing) this._edit(pit, -1);
    });
    group.addEventListener("pointerdown", (event) => {
      this._drawnFrom = /** @type {PointerEvent} */ (event).button === 2 ? pit : -1;
    });
    group.addEventListener("pointerup", (event) => {
      if (/** @type {PointerEvent} */ (event).button === 2 && this.drawing && !this.editing) this._drawShape(this._drawnFrom, pit);
    });
    group.addEventListener("pointerenter", (event) => {
      if (/** @type {PointerEvent} */ (event).pointerType !== "touch") this._point(pit);
    });
    group.addEventListener("pointerleave", () => this._point(null));
    group.addEventListener("focus", () => this._point(pit));
    group.addEventListener("blur", () => this._point(null));
    group.addEventListener("keydown", (event) => this._key(pit, /** @type {KeyboardEvent} */ (event)));
    return { group, count, label, glow };
  }

  /** @param {import("./layout.js").StorePlace} place @param {number} side */
  _store(place, side) {
    const round = Math.min(place.rx, place.ry);
    const hollow = svg("rect", { x: place.x - place.rx, y: place.y - place.ry, width: 2 * place.rx, height: 2 * place.ry,
                                 rx: round, class: "hollow store-hollow" });
    const count = svg("text", { x: place.count.x, y: place.count.y, class: "count store-count" });
    const group = svg("g", { class: `store owner-${side}`, role: "img", "data-store": side }, hollow, count);
    group.addEventListener("click", (event) => {
      if (this.editing) this._edit(this.rules.holes + side, /** @type {MouseEvent} */ (event).shiftKey ? -1 : 1);
    });
    return { group, count };
  }

  /** The seeds a heap must hold, by kind. @param {number} heap @returns {Record<string, number>} */
  _wanted(heap) {
    const position = /** @type {Position} */ (this._position);
    const holes = this.rules.holes;
    if (heap >= holes) return this.rules.coloured ? { any: position.scores[heap - holes] } : { s: position.scores[heap - holes] };
    const hole = position.board[heap];
    if (typeof hole === "number") return { s: hole };
    return { r: hole[0], b: hole[1], t: hole[2] };
  }

  /** Bring the seeds in line with the position, without any animation. */
  _settle() {
    if (!this._position || !this._seedLayer) return;
    const heaps = this.rules.holes + 2;
    while (this.heaps.length < heaps) this.heaps.push([]);
    const spare = this.hand.splice(0);
    for (let heap = 0; heap < heaps; heap++) {
      const wanted = this._wanted(heap);
      const kept = [];
      for (const seed of this.heaps[heap]) {
        const kind = "any" in wanted ? "any" : seed.kind;
        if ((wanted[kind] ?? 0) > 0) {
          wanted[kind]--;
          kept.push(seed);
        } else spare.push(seed);
      }
      this.heaps[heap] = kept;
    }
    for (let heap = 0; heap < heaps; heap++) {
      for (const [kind, count] of Object.entries(this._missing(heap))) {
        for (let i = 0; i < count; i++) {
          const at = spare.findIndex((seed) => kind === "any" || seed.kind === kind);
          this.heaps[heap].push(at >= 0 ? spare.splice(at, 1)[0] : this._newSeed(kind === "any" ? KINDS[i % 3] : kind));
        }
      }
      this._sort(heap);
      this.place(heap);
    }
    for (const seed of spare) seed.element.remove();
    this.count();
  }

  /** @param {number} heap @returns {Record<string, number>} */
  _missing(heap) {
    const wanted = this._wanted(heap);
    for (const seed of this.heaps[heap]) wanted["any" in wanted ? "any" : seed.kind]--;
    return wanted;
  }

  /** Colours lie together. @param {number} heap */
  _sort(heap) {
    if (this.rules.coloured) this.heaps[heap].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
  }

  /** @param {string} kind @returns {Seed} */
  _newSeed(kind) {
    const number = this._made++;
    const look = kind === "s" ? (number * 7 + (number >> 2)) % TINT_COUNT : kind;
    const use = svg("use", { href: `#seed-${look}`, transform: kind === "s" ? `rotate(${(number * 47) % 360})` : "" });
    const shadow = svg("ellipse", { cx: 0.1, cy: 0.16, rx: 1, ry: 0.95, fill: "#000", opacity: 0.3 });
    const element = svg("g", { class: "seed" }, shadow, use);
    this._seedLayer?.append(element);
    return { element, kind, x: 0, y: 0, r: 10 };
  }

  /**
   * Where the seeds of a heap lie.
   * @param {number} heap
   * @returns {{x: number, y: number, r: number}[]}
   */
  spots(heap) {
    const layout = /** @type {import("./layout.js").Layout} */ (this.layout);
    const holes = this.rules.holes, store = heap >= holes;
    const place = store ? layout.stores[heap - holes] : layout.pits[heap];
    let { x, y, rx, ry } = place;
    if (store && layout.shape === "wide") { ry -= 34; rx -= 8; y -= 8; }
    else if (store) { rx -= 44; x -= 36; ry -= 3; }
    else { rx -= 3; ry -= 3; }
    const { points, r } = pack(this.heaps[heap].length, rx, ry, store ? layout.seed * 0.72 : layout.seed);
    return points.map((point) => ({ x: x + point.x, y: y + point.y, r }));
  }

  /** Put the seeds of a heap where they belong, at once. @param {number} heap */
  place(heap) {
    const spots = this.spots(heap);
    this.heaps[heap].forEach((seed, i) => this.motion.put(seed, spots[i]));
  }

  /** Write the numbers. */
  count() {
    this._pits?.forEach((pit, i) => {
      const n = this.heaps[i]?.length ?? 0;
      pit.count.textContent = String(n);
      pit.group.classList.toggle("empty", n === 0);
    });
    this._stores?.forEach((store, side) => {
      const n = this.heaps[this.rules.holes + side]?.length ?? 0;
      store.count.textContent = String(n);
      store.group.setAttribute("aria-label", this.you.includes(side) ? t("board.own-store", { seeds: seedsText(n) })
        : t("board.store", { player: say(this.rules.sides[side]), seeds: seedsText(n) }));
    });
  }

  /** What each pit says about itself. */
  _label() {
    if (!this._pits || !this._position) return;
    const turn = this._position.turn;
    this._pits.forEach(({ group, glow }, pit) => {
      const moves = this._choices.filter((move) => move.pit === pit);
      const playable = this._active && moves.length > 0;
      group.classList.toggle("playable", playable);
      group.classList.toggle("turn", this.rules.owners[pit] === turn);
      if (playable || this.editing) group.removeAttribute("aria-disabled");
      else group.setAttribute("aria-disabled", "true");
      const hole = /** @type {Position} */ (this._position).board[pit];
      const content = typeof hole === "number" ? seedsText(hole)
        : t("board.colours", { red: hole[0], blue: hole[1], clear: hole[2] });
      const owner = this.rules.owners[pit], label = this.rules.labels[pit];
      const parts = [this.you.includes(owner) ? t("board.own-pit", { label }) : t("board.pit", { label, player: say(this.rules.sides[owner]) }),
                     content];
      if (playable && moves.length === 1 && !this.quiet) parts.push(this.effect(moves[0]));
      else if (!playable && this._refusals[pit]) parts.push(say(this._refusals[pit]));
      group.setAttribute("aria-label", parts.join(", "));
      glow.classList.toggle("origin", this._lastMove?.pit === pit);
      glow.classList.toggle("last", this._lastMove?.last === pit);
    });
  }

  /** What a move does, as a sentence. @param {LegalMove} move */
  effect(move) {
    if (move.endless) return t("effect.endless");
    const label = this.rules.labels[move.last];
    const laps = move.laps > 1 ? t("effect.laps", { n: move.laps }) + " " : "";
    if (move.spared) return laps + t("effect.spared", { label });
    return laps + (move.taken ? t("effect.takes", { label, seeds: seedsText(move.taken) }) : t("effect.falls", { label }));
  }

  // -- pointing, choosing, refusing ----------------------------------------------------------------------------------

  /** @param {number | null} pit */
  _point(pit) {
    if (this._menu) return;
    if (pit === null || !this._active || this.motion.running) {
      this._preview(null);
      this._tell(null);
      return;
    }
    const moves = this._choices.filter((move) => move.pit === pit);
    this._preview(moves.length === 1 ? moves[0] : null);
    if (moves.length) this._tell(pit, moves.length > 1 ? t("board.menu-hint") : this.quiet ? "" : this.effect(moves[0]), "hint");
    else if (this._refusals[pit] && this._choices.length) this._tell(pit, say(this._refusals[pit]), "hint");
    else this._tell(null);
  }

  /** @param {LegalMove | null} move */
  _preview(move) {
    const layout = this.layout;
    if (!layout || !this._previews) return;
    this._previews.replaceChildren();
    if (!move || this.quiet) return;
    const ring = (/** @type {number} */ pit, /** @type {string} */ kind) => {
      const { x, y, rx, ry } = layout.pits[pit];
      return svg("ellipse", { cx: x, cy: y, rx: rx - 3, ry: ry - 3, class: `ring ${kind}` });
    };
    this._previews.append(ring(move.pit, "from"), ring(move.last, "falls"));
    for (const [pit, seeds] of move.captures) {
      const { x, y, rx, ry } = layout.pits[pit];
      const badge = svg("g", { class: "badge" }, svg("circle", { cx: x + rx * 0.72, cy: y - ry * 0.72, r: this._narrow ? 11 : 17 }),
        svg("text", { x: x + rx * 0.72, y: y - ry * 0.72 }, `+${seeds}`));
      this._previews.append(ring(pit, "takes"), badge);
    }
    const dot = layout.pits[move.last];
    if (!move.captures.length) {
      this._previews.append(svg("circle", { cx: dot.x, cy: dot.y - dot.ry + 2, r: this._narrow ? 5 : 8, class: "dot" }));
    }
  }

  /** A bubble at a pit. @param {number | null} pit @param {string} [sentence] @param {string} [kind] */
  _tell(pit, sentence = "", kind = "hint") {
    const bubble = this._bubble, layout = this.layout;
    if (!bubble || !layout) return;
    bubble.hidden = pit === null || !sentence;
    if (pit === null || !sentence) return;
    const { x, count, row } = layout.pits[pit];
    bubble.textContent = sentence;
    bubble.className = `bubble ${kind} ${row ? "below" : "above"}`;
    const half = bubble.offsetWidth / 2, width = this.clientWidth;
    bubble.style.left = `${Math.min(width - half, Math.max(half, (width * x) / layout.width))}px`; // inside the board
    bubble.style.top = `${(100 * (count.y + (row ? 18 : -18))) / layout.height}%`; // beyond the numbers, never over them
  }

  /** Say why not. @param {number} pit */
  refuse(pit) {
    const own = this._position?.turn === this.rules.owners[pit];
    const sentence = this._refusals[pit] ? say(this._refusals[pit])
      : own ? t("board.not-now") : t("board.not-yours", { player: say(this.rules.sides[this.rules.owners[pit]]) });
    this._tell(pit, sentence, "no");
    const group = this._pits?.[pit].group;
    group?.classList.remove("shake");
    void (/** @type {SVGGElement} */ (group)?.getBBox());
    group?.classList.add("shake");
    this.dispatchEvent(new CustomEvent("refused", { detail: { pit, sentence }, bubbles: true }));
  }

  /** Choose a pit, as a click on it does. @param {number} pit */
  play(pit) {
    if (this.motion.running) {
      this.motion.skip();
      return;
    }
    if (!this._active) return;
    const moves = this._choices.filter((move) => move.pit === pit);
    if (!moves.length) this.refuse(pit);
    else if (moves[0].colour) this._openMenu(pit, moves);
    else this._chosen(moves[0]);
  }

  /** @param {LegalMove} move */
  _chosen(move) {
    this._closeMenu();
    this._preview(null);
    this._tell(null);
    this.dispatchEvent(new CustomEvent("move", { detail: move, bubbles: true }));
  }

  /** @param {number} pit @param {MouseEvent} event */
  _clicked(pit, event) {
    this._focus(pit, false);
    // After a click with the mouse the arrow keys step through the moves; they walk over the board for those who tab to it.
    if (event.detail) this._pits?.[pit].group.blur();
    if (this.editing) this._edit(pit, event.shiftKey ? -1 : 1);
    else this.play(pit);
  }

  /** @param {number} heap @param {number} delta */
  _edit(heap, delta) {
    this.dispatchEvent(new CustomEvent("edit", { detail: { heap, delta }, bubbles: true }));
  }

  /** @param {number} pit @param {boolean} [really] */
  _focus(pit, really = true) {
    this._pits?.[this._focused]?.group.setAttribute("tabindex", "-1");
    this._focused = pit;
    this._pits?.[pit].group.setAttribute("tabindex", "0");
    if (really) this._pits?.[pit].group.focus();
  }

  /** @param {number} pit @param {KeyboardEvent} event */
  _key(pit, event) {
    const pits = this.layout?.pits ?? [];
    const here = pits[pit];
    const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key in directions) {
      const [dx, dy] = directions[/** @type {keyof typeof directions} */ (event.key)];
      let best = -1, distance = Infinity;
      pits.forEach((place, i) => {
        const along = (place.x - here.x) * dx + (place.y - here.y) * dy;
        const across = Math.abs((place.x - here.x) * dy) + Math.abs((place.y - here.y) * dx);
        if (along > 1 && along + 3 * across < distance) [best, distance] = [i, along + 3 * across];
      });
      if (best >= 0) this._focus(best);
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.motion.running) return;
      if (this.editing) this._edit(pit, 1);
      else this.play(pit);
    } else if (this.editing && (event.key === "+" || event.key === "-")) {
      this._edit(pit, event.key === "+" ? 1 : -1);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** A three-colour hole's moves. @param {number} pit @param {LegalMove[]} moves */
  _openMenu(pit, moves) {
    this._closeMenu();
    this._tell(null);
    const layout = this.layout;
    if (!layout) return;
    const { x, y, ry, row } = layout.pits[pit];
    const low = row > 0;
    const menu = html("div", { class: `menu ${low ? "up" : "down"}`, role: "menu", "aria-label": t("board.menu", { label: this.rules.labels[pit] }) });
    moves.forEach((move) => {
      const effect = this.quiet ? "" : this.effect(move);
      const kinds = { r: ["r"], b: ["b"], tr: ["t", "r"], tb: ["t", "b"] }[/** @type {"r"} */ (move.colour)];
      const picture = svg("svg", { viewBox: `-1.2 -1.2 ${2.4 * kinds.length} 2.4`, width: 22 * kinds.length, height: 22, "aria-hidden": "true" },
        ...kinds.map((kind, i) => svg("use", { href: `#seed-${kind}`, transform: `translate(${i * 2.3} 0)` })));
      const button = html("button", { type: "button", role: "menuitem", class: "menu-item",
                                      "aria-label": `${move.move}: ${t(`board.colour.${move.colour}`)}.${effect && ` ${effect}`}` },
        picture, html("b", {}, (move.colour ?? "").toUpperCase()), html("small", {}, effect));
      button.addEventListener("click", () => this._chosen(move));
      button.addEventListener("pointerenter", () => this._preview(move));
      button.addEventListener("focus", () => this._preview(move));
      menu.append(button);
    });
    menu.style.top = `${(100 * (low ? y - ry : y + ry)) / layout.height}%`;
    menu.addEventListener("keydown", (event) => this._menuKey(event, pit));
    this._menu = menu;
    this.append(menu);
    const half = menu.offsetWidth / 2, middle = (this.clientWidth * x) / layout.width;
    menu.style.left = `${Math.max(half, Math.min(this.clientWidth - half, middle))}px`;
    /** @type {HTMLElement} */ (menu.firstElementChild).focus();
    this._outside = (/** @type {Event} */ event) => {
      if (!menu.contains(/** @type {Node} */ (event.target))) this._closeMenu();
    };
    setTimeout(() => this._outside && document.addEventListener("pointerdown", this._outside), 0);
  }

  /** @param {KeyboardEvent} event @param {number} pit */
  _menuKey(event, pit) {
    const items = [...(this._menu?.querySelectorAll("button") ?? [])];
    const at = items.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    if (event.key === "ArrowDown" || event.key === "ArrowRight") items[(at + 1) % items.length].focus();
    else if (event.key === "ArrowUp" || event.key === "ArrowLeft") items[(at + items.length - 1) % items.length].focus();
    else if (event.key === "Escape") {
      this._closeMenu();
      this._focus(pit);
    } else if (event.key === "Tab") {
      this._closeMenu();
      return;
    } else if (event.key !== "Enter" && event.key !== " ") return;
    else {
      event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  _closeMenu() {
    this._menu?.remove();
    this._menu = undefined;
    this._preview(null);
    if (this._outside) document.removeEventListener("pointerdown", this._outside);
    this._outside = undefined;
  }

  // -- marks ---------------------------------------------------------------------------------------------------------

  _drawMarks() {
    const layout = this.layout;
    if (!this._marks || !layout) return;
    this._marks.replaceChildren();
    const drawn = this._shapes.map((shape) => ({ ...shape, kind: "drawn" }));
    [...this._arrows, ...drawn].forEach(({ from, to, kind }) => {
      const a = layout.pits[from], b = layout.pits[to];
      if (from === to) {
        if (kind === "drawn") this._marks?.append(svg("ellipse", { cx: a.x, cy: a.y, rx: a.rx - 2, ry: a.ry - 2, class: "ring drawn" }));
        return;
      }
      const bend = (layout.height / 2 - (a.y + b.y) / 2) * 0.3 + (a.row === b.row ? (a.row ? -1 : 1) * layout.height * 0.1 : 0);
      const d = `M${a.x} ${a.y}Q${(a.x + b.x) / 2} ${(a.y + b.y) / 2 + bend} ${b.x} ${b.y}`;
      this._marks?.append(svg("path", { d, class: `arrow ${kind}`, "marker-end": "url(#arrowhead)" }));
    });
    for (const [pit, { text, kind }] of this._notes) {
      const { x, y, ry, row } = layout.pits[pit];
      const at = y + (row ? -1 : 1) * (ry - (this._narrow ? 9 : 14));
      const w = this._narrow ? 46 : 74, h = this._narrow ? 17 : 27;
      this._marks.append(svg("g", { class: `note ${kind}` },
        svg("rect", { x: x - w / 2, y: at - h / 2, width: w, height: h, rx: h / 2 }), svg("text", { x, y: at }, text)));
    }
  }

  // -- animation -----------------------------------------------------------------------------------------------------

  /**
   * Show a move seed by seed, then stand at the position after it. Resolves when it is shown or skipped.
   * @param {Trace} trace
   * @param {Position} after
   * @param {number} [most]  milliseconds that it may take, about
   */
  async sow(trace, after, most = Infinity) {
    const before = /** @type {Position} */ (this._position);
    if (this.motion.running) this.show(before, this._lastMove);
    this._changes?.replaceChildren();
    this._closeMenu();
    this._tell(null);
    this._preview(null);
    this._position = after;
    this._lastMove = { pit: trace.pit, last: trace.last };
    if (this.motion.still) {
      // Nothing moves: the new position stands, with what has changed, long enough to be read before the next one.
      this._settle();
      this._label();
      this._showChanges(before, after);
      await this.motion.hold();
      return;
    }
    await this.motion.play(trace, most);
    if (this.motion.running || this._position !== after) return; // another move or position is shown already
    this._settle();
    this._label();
  }

  /** Write by how much each pit has changed. @param {Position} before @param {Position} after */
  _showChanges(before, after) {
    const sum = (/** @type {import("./types.js").Hole} */ hole) => (typeof hole === "number" ? hole : hole[0] + hole[1] + hole[2]);
    this.layout?.pits.forEach(({ x, y, ry, row }, pit) => {
      const change = sum(after.board[pit]) - sum(before.board[pit]);
      const at = y + (row ? -1 : 1) * (ry - (this._narrow ? 9 : 14));
      if (change) this._changes?.append(svg("text", { x, y: at, class: change > 0 ? "more" : "less" }, `${change > 0 ? "+" : "−"}${Math.abs(change)}`));
    });
  }

  /** @param {number} pit @param {boolean} on */
  light(pit, on) {
    this._pits?.[pit]?.group.classList.toggle("lifted", on);
  }
}

customElements.define("awale-board", AwaleBoard);
