// How seeds move: one after the other from pit to pit, lap after lap, captured ones to the store. Anything can be skipped.

/** @typedef {import("./board.js").Seed} Seed */
/** @typedef {import("./board.js").AwaleBoard} AwaleBoard */
/** @typedef {import("./types.js").Trace} Trace */

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

export class Motion {
  /** @param {AwaleBoard} board */
  constructor(board) {
    this.board = board;
    this.pace = 190;
    /** the pace of the current run */ this._beat = 190;
    this.running = false;
    /** number of the current run */ this._run = 0;
    /** @type {Set<Animation>} */ this._flying = new Set();
    /** @type {Set<() => void>} */ this._waiting = new Set();
  }

  /** Whether positions only follow each other, because the reader wants no motion. */
  get still() {
    return reduced.matches;
  }

  /** Time to read a position where nothing moves. */
  hold() {
    return this._wait(this.pace * 5);
  }

  /** End the current run. It moves no seed after this: by then the board may show another position. */
  skip() {
    this._run++;
    this.running = false;
    this.board.classList.remove("moving");
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
    if (ms <= 0) return Promise.resolve();
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
    if (ms <= 0) return;
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

  /** Play a trace; resolves when it is shown or skipped. @param {Trace} trace @param {number} most  milliseconds, about */
  async play(trace, most) {
    this.skip();
    if (this.still || this.pace <= 0 || document.hidden || trace.period !== null) return;
    const run = this._run, over = () => run !== this._run;
    const steps = trace.laps.reduce((sum, lap) => sum + lap.landings.length + 2, 4);
    this._beat = Math.min(this.pace, most / steps);
    this.running = true;
    this.board.classList.add("moving");
    await this._sow(trace, over);
    if (!over()) await this._collect(trace, over);
    if (!over()) this.skip();
  }

  /** @param {Trace} trace @param {() => boolean} over */
  async _sow(trace, over) {
    const board = this.board;
    for (const [number, lap] of trace.laps.entries()) {
      // A relay of many laps gets quicker as it goes.
      const pace = this._beat * Math.max(0.3, 1 - 0.06 * number);
      this._lift(lap.pit, lap.colours, lap.landings.length);
      board.light(lap.pit, true);
      try {
        await Promise.all(board.hand.map((seed) => this._fly(seed, { x: seed.x, y: seed.y - seed.r * 0.9, r: seed.r * 1.12 }, pace * 0.9)));
        const flights = [];
        for (const pit of lap.landings) {
          const seed = over() ? null : board.hand.shift();
          if (!seed) return;
          board.heaps[pit].push(seed);
          seed.element.parentNode?.append(seed.element); // above the others while it flies
          flights.push(this._gather(pit, seed, pace * 1.9));
          await this._wait(pace);
        }
        await Promise.all(flights);
      } finally {
        board.light(lap.pit, false);
      }
      if (!over()) await this._wait(pace * 0.7);
      if (over()) return;
    }
  }

  /** Take the seeds of a pit in hand, in the order they are sown. @param {number} pit @param {string} colours @param {number} count */
  _lift(pit, colours, count) {
    const { heaps: { [pit]: heap }, hand } = this.board;
    for (let i = 0; i < count && heap.length; i++) {
      const at = colours ? heap.findIndex((seed) => seed.kind === colours[i]) : heap.length - 1;
      hand.push(...heap.splice(Math.max(at, 0), 1));
    }
    this.board.count();
  }

  /** A seed falls into a heap; those that lie there make room. @param {number} heap @param {Seed} seed @param {number} ms */
  async _gather(heap, seed, ms) {
    const board = this.board, spots = board.spots(heap), lying = board.heaps[heap];
    const flights = lying.map((one, i) => this._fly(one, spots[i], one === seed ? ms : ms * 0.6, one === seed ? 3 : 0));
    await Promise.all(flights);
    board.count();
  }

  /** @param {Trace} trace @param {() => boolean} over */
  async _collect(trace, over) {
    const { holes, owners } = this.board.rules;
    for (const [pit] of trace.captures) await this._carry([pit], holes + trace.mover, this._beat * 0.8, over);
    const [south, north] = trace.swept;
    const all = owners.map((_, pit) => pit);
    if (south && north) {
      for (const side of [0, 1]) await this._carry(all.filter((pit) => owners[pit] === side), holes + side, this._beat * 2 * (1 - side), over);
    } else if (south || north) await this._carry(all, holes + (south ? 0 : 1), this._beat * 2, over);
  }

  /** After a pause, carry seeds to a store. @param {number[]} pits @param {number} store @param {number} pause @param {() => boolean} over */
  async _carry(pits, store, pause, over) {
    if (!over()) await this._wait(pause);
    if (over()) return;
    const board = this.board;
    const moving = pits.flatMap((pit) => board.heaps[pit].splice(0));
    board.heaps[store].push(...moving);
    const spots = board.spots(store), all = board.heaps[store];
    const flights = all.map((seed, i) => {
      const carried = moving.indexOf(seed);
      if (carried < 0) return this._fly(seed, spots[i], this._beat);
      seed.element.parentNode?.append(seed.element);
      return this._wait(carried * this._beat * 0.18).then(() => over() ? undefined : this._fly(seed, spots[i], this._beat * 2.6, 4));
    });
    await Promise.all(flights);
    board.count();
  }
}

/** @param {{x: number, y: number, r: number}} spot */
function at({ x, y, r }) {
  return `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) scale(${r.toFixed(3)})`;
}
