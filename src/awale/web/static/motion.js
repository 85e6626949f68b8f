// How seeds move: one after the other from pit to pit, lap after lap, captured ones to the store. Anything can be skipped.

/** @typedef {import("./board.js").Seed} Seed */
/** @typedef {import("./board.js").AwaleBoard} AwaleBoard */
/** @typedef {import("./types.js").Trace} Trace */

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Motion {
  constructor() {
    this.pace = 190;
    this.running = false;
    this._skipped = false;
    /** @type {Set<Animation>} */ this._flying = new Set();
    /** @type {Set<() => void>} */ this._waiting = new Set();
  }

  /** Jump to the end of whatever moves. */
  skip() {
    this._skipped = true;
    for (const animation of this._flying) animation.finish();
    for (const wake of this._waiting) wake();
    this._flying.clear();
    this._waiting.clear();
  }

  /** @param {Seed} seed @param {{x: number, y: number, r: number}} spot */
  put(seed, spot) {
    seed.x = spot.x;
    seed.y = spot.y;
    seed.r = spot.r;
    seed.element.style.transform = at(spot);
  }

  /** @param {number} ms @returns {Promise<void>} */
  _wait(ms) {
    if (this._skipped || ms <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this._waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this._waiting.add(done);
    });
  }

  /**
   * @param {Seed} seed
   * @param {{x: number, y: number, r: number}} spot
   * @param {number} ms
   * @param {number} [height]  of the arc, in seeds
   * @returns {Promise<void>}
   */
  async _fly(seed, spot, ms, height = 0) {
    const from = at(seed);
    const rise = height * seed.r;
    const middle = { x: (seed.x + spot.x) / 2, y: (seed.y + spot.y) / 2 - rise, r: Math.max(seed.r, spot.r) * (height ? 1.25 : 1) };
    this.put(seed, spot);
    if (this._skipped || ms <= 0) return;
    const frames = height ? [{ transform: from }, { transform: at(middle) }, { transform: at(spot) }]
      : [{ transform: from }, { transform: at(spot) }];
    const animation = seed.element.animate(frames, { duration: ms, easing: height ? "ease-in-out" : "ease-out" });
    this._flying.add(animation);
    try {
      await animation.finished;
    } catch {
      // cancelled: the seed lies where it belongs already
    }
    this._flying.delete(animation);
  }

  /**
   * Play a trace on a board.
   * @param {AwaleBoard} board
   * @param {Trace} trace
   */
  async play(board, trace) {
    this._skipped = still.matches || this.pace <= 0 || document.hidden;
    this.running = true;
    board.classList.add("moving");
    try {
      if (trace.period === null) {
        await this._sow(board, trace);
        await this._collect(board, trace);
      }
    } finally {
      this.running = false;
      board.classList.remove("moving");
    }
  }

  /** @param {AwaleBoard} board @param {Trace} trace */
  async _sow(board, trace) {
    for (const [number, lap] of trace.laps.entries()) {
      if (this._skipped) return;
      // A relay of many laps gets quicker as it goes.
      const pace = this.pace * Math.max(0.3, 1 - 0.06 * number);
      const hand = this._lift(board, lap.pit, lap.colours, lap.landings.length);
      board.light(lap.pit, true);
      await Promise.all(hand.map((seed) => this._fly(seed, { x: seed.x, y: seed.y - seed.r * 0.9, r: seed.r * 1.12 }, pace * 0.9)));
      const flights = [];
      for (const [i, pit] of lap.landings.entries()) {
        // Skipped in the middle: the rest of the hand falls at once, so that no seed is left in the air.
        const seed = hand[i];
        board.heaps[pit].push(seed);
        seed.element.parentNode?.append(seed.element); // above the others while it flies
        flights.push(this._gather(board, pit, seed, pace * 1.9));
        await this._wait(pace);
      }
      await Promise.all(flights);
      board.light(lap.pit, false);
      await this._wait(pace * 0.7);
    }
  }

  /** The seeds lifted from a pit, in the order they are sown. @param {AwaleBoard} board @param {number} pit @param {string} colours @param {number} count */
  _lift(board, pit, colours, count) {
    const heap = board.heaps[pit];
    /** @type {Seed[]} */
    const hand = [];
    for (let i = 0; i < count && heap.length; i++) {
      const at = colours ? heap.findIndex((seed) => seed.kind === colours[i]) : heap.length - 1;
      hand.push(...heap.splice(Math.max(at, 0), 1));
    }
    board.count();
    return hand;
  }

  /** A seed falls into a heap; those that lie there make room. @param {AwaleBoard} board @param {number} heap @param {Seed} seed @param {number} ms */
  async _gather(board, heap, seed, ms) {
    const spots = board.spots(heap), lying = board.heaps[heap];
    const flights = lying.map((one, i) => this._fly(one, spots[i], one === seed ? ms : ms * 0.6, one === seed ? 3 : 0));
    await Promise.all(flights);
    board.count();
  }

  /** @param {AwaleBoard} board @param {Trace} trace */
  async _collect(board, trace) {
    const holes = board.rules.holes;
    if (this._skipped) return;
    for (const [pit] of trace.captures) {
      await this._wait(this.pace * 0.8);
      await this._carry(board, [pit], holes + trace.mover);
    }
    const [south, north] = trace.swept;
    if (!south && !north) return;
    await this._wait(this.pace * 2);
    const all = board.heaps.slice(0, holes).map((_, pit) => pit);
    if (south && north) {
      for (const side of [0, 1]) await this._carry(board, all.filter((pit) => board.rules.owners[pit] === side), holes + side);
    } else await this._carry(board, all, holes + (south ? 0 : 1));
  }

  /** @param {AwaleBoard} board @param {number[]} pits @param {number} store */
  async _carry(board, pits, store) {
    const moving = pits.flatMap((pit) => board.heaps[pit].splice(0));
    board.heaps[store].push(...moving);
    const spots = board.spots(store), all = board.heaps[store];
    const flights = all.map((seed, i) => {
      const carried = moving.indexOf(seed);
      if (carried < 0) return this._fly(seed, spots[i], this.pace);
      seed.element.parentNode?.append(seed.element);
      return this._wait(carried * this.pace * 0.18).then(() => this._fly(seed, spots[i], this.pace * 2.6, 4));
    });
    await Promise.all(flights);
    board.count();
  }
}

/** @param {{x: number, y: number, r: number}} spot */
function at({ x, y, r }) {
  return `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) scale(${r.toFixed(3)})`;
}
