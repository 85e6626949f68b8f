// Clocks as shown: the server runs them, the page counts down between two of its messages.

/** @typedef {import("./types.js").ClockState} ClockState */

/** @param {number} seconds */
export function clockText(seconds) {
  const whole = Math.max(0, seconds);
  const minutes = Math.floor(whole / 60), rest = whole - minutes * 60;
  if (whole < 20) return `${minutes}:${rest.toFixed(1).padStart(4, "0")}`;
  return `${minutes}:${String(Math.floor(rest)).padStart(2, "0")}`;
}

export class Clocks {
  /** @param {HTMLElement[]} faces  South's and North's */
  constructor(faces) {
    this.faces = faces;
    /** @type {ClockState | null} */ this._state = null;
    this._at = 0;
    setInterval(() => this._show(), 100);
  }

  /** @param {ClockState | null} state */
  set(state) {
    this._state = state;
    this._at = performance.now();
    this._show();
  }

  _show() {
    this.faces.forEach((face, side) => {
      face.hidden = !this._state;
      if (!this._state) return;
      const used = this._state.running === side ? (performance.now() - this._at) / 1000 : 0;
      const left = this._state.left[side] - used;
      face.textContent = clockText(left);
      face.classList.toggle("running", this._state.running === side);
      face.classList.toggle("short", left < 20);
    });
  }
}
