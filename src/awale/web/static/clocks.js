// Clocks as shown: the server runs them. Every message says what was left at which time of the server's; the page knows
// how far its own time is from the server's, so that a message that comes late or is shown late changes nothing.

/** @typedef {import("./types.js").ClockState} ClockState */

/** @param {number} seconds */
export function clockText(seconds) {
  const whole = Math.max(0, seconds);
  const minutes = Math.floor(whole / 60), rest = whole - minutes * 60;
  if (whole < 20) return `${minutes}:${(Math.floor(rest * 10) / 10).toFixed(1).padStart(4, "0")}`;
  return `${minutes}:${String(Math.floor(rest)).padStart(2, "0")}`;
}

export class Clocks {
  /** @param {HTMLElement[]} faces  South's and North's */
  constructor(faces) {
    this.faces = faces;
    /** @type {ClockState | null} */ this._state = null;
    /** @type {number | null} this page's time less the server's, in seconds */ this._offset = null;
    setInterval(() => this._show(), 100);
  }

  /**
   * Take the clocks from a message, as soon as it arrives.
   * @param {ClockState | null} state
   * @param {boolean} [connected]  the first message of a connection: the server may be another one
   */
  set(state, connected = false) {
    this._state = state;
    if (state) {
      const offset = performance.now() / 1000 - state.at;
      // A message can be late, never early: the smallest difference is the best one.
      this._offset = connected || this._offset === null ? offset : Math.min(this._offset, offset);
    }
    this._show();
  }

  /** @param {ClockState} state @param {number} side @returns {number} seconds */
  _left(state, side) {
    const used = state.running === side ? performance.now() / 1000 - (this._offset ?? 0) - state.at : 0;
    return state.left[side] - Math.max(0, used);
  }

  _show() {
    const state = this._state;
    this.faces.forEach((face, side) => {
      face.hidden = !state;
      if (!state) return;
      const left = this._left(state, side);
      const text = clockText(left);
      if (face.textContent !== text) face.textContent = text;
      face.classList.toggle("running", state.running === side);
      face.classList.toggle("short", left < 20);
    });
  }
}
