// Following a relay sowing lap by lap, however long: step, play, or fast forward with a counter.

import { call } from "./api.js";
import { html } from "./svg.js";
import { announce, number, t } from "./texts.js";

/** @typedef {import("./types.js").SowingAnswer} SowingAnswer */
/** @typedef {import("./types.js").SowingState} SowingState */
/** @typedef {import("./types.js").Position} Position */

/** States asked for at once, and the milliseconds for which each is shown in fast forward. */
const CHUNK = 40, FRAME = 80;
/** About how many frames fast forward takes for a whole sowing. */
const FRAMES = 120;

export class Follower {
  /**
   * @param {import("./board.js").AwaleBoard} board
   * @param {HTMLElement} box  for the controls
   * @param {any} position  as a request
   * @param {number} pit
   * @param {Position} view  the same position as the board shows it
   */
  constructor(board, box, position, pit, view) {
    this._board = board;
    this._box = box;
    this._request = { ...position, pit };
    this._view = view;
    /** number of the latest action: what an earlier one still waits for is not shown */ this._run = 0;
    this._lap = 0;
    /** @type {SowingAnswer | null} laps that were fetched, one by one */ this._near = null;
    this._counter = html("p", { class: "status", role: "status" });
    const button = (/** @type {string} */ key, /** @type {() => void} */ action) => html("button", { type: "button", "data-follow": key, onclick: action }, t(`follow.${key}`));
    box.replaceChildren(html("div", { class: "buttons" },
      button("first", () => this._do(this._go(0))), button("step", () => this._do(this._step(++this._run))),
      button("play", () => this._do(this._play())), button("fast", () => this._do(this._fast())), button("pause", () => this._run++)), this._counter);
    this._do(this._go(0));
  }

  /** Say what went wrong with an action. @param {Promise<unknown>} action */
  _do(action) {
    action.catch((error) => (this._counter.textContent = error instanceof Error ? error.message : String(error)));
  }

  close() {
    this._run++;
    this._box.replaceChildren();
  }

  /** @param {number} lap @param {number} step @returns {Promise<SowingAnswer>} */
  _ask(lap, step) {
    return call("/api/sowing", { ...this._request, lap, step, count: CHUNK });
  }

  /** The lap that starts at a state, fetched with those after it. @param {number} lap */
  async _at(lap) {
    const known = this._near?.states.findIndex((state) => state.lap === lap) ?? -1;
    if (this._near && known >= 0 && this._near.laps[known]) return { answer: this._near, at: known };
    this._near = await this._ask(lap, 1);
    return { answer: this._near, at: 0 };
  }

  /** @param {SowingState} state @param {SowingAnswer} answer */
  _show(state, answer) {
    this._lap = state.lap;
    this._board.show({ ...this._view, board: [...state.board] }, { pit: state.pit, last: null });
    this._tell(answer);
  }

  /** @param {SowingAnswer} answer */
  _tell(answer) {
    const of = number(answer.lapCount), end = this._lap === answer.lapCount;
    const counted = t("follow.lap", { lap: number(this._lap), of });
    this._counter.textContent = end ? `${counted}. ${t(answer.period === null ? "follow.ends" : "follow.again", { of })}` : counted;
    if (end) announce(this._counter.textContent);
  }

  /** @param {number} lap */
  async _go(lap) {
    const run = ++this._run, { answer, at } = await this._at(lap);
    if (run === this._run) this._show(answer.states[at], answer);
  }

  /** Sow one lap. @param {number} run @returns {Promise<boolean>} whether there are more */
  async _step(run) {
    const { answer, at } = await this._at(this._lap);
    const lap = answer.laps[at], next = answer.states[at + 1];
    if (run !== this._run || !lap) return false;
    const after = { ...this._view, board: [...next.board] };
    await this._board.sow(/** @type {any} */ ({ pit: lap.pit, laps: [lap], lapCount: 1, captures: [], swept: [0, 0], period: null, last: next.pit }), after);
    if (run !== this._run) return false;
    this._lap = next.lap;
    this._tell(answer);
    return next.lap < answer.lapCount;
  }

  async _play() {
    const run = ++this._run;
    while (await this._step(run));
  }

  async _fast() {
    const run = ++this._run;
    for (;;) {
      const count = this._near?.lapCount ?? 1;
      const answer = await this._ask(this._lap, Math.min(2000, Math.ceil(count / FRAMES)));
      for (const state of answer.states) {
        if (run !== this._run) return;
        this._show(state, answer);
        await new Promise((resolve) => setTimeout(resolve, FRAME));
      }
      if (this._lap >= answer.lapCount) return;
    }
  }
}
