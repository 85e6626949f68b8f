// The review of a game: a coarse one within seconds, then a deeper one that replaces it move by move.

import { byId, html } from "./svg.js";
import { announce, lang, t } from "./texts.js";

/** @typedef {import("./types.js").Verdict} Verdict */
/** @typedef {import("./types.js").ReviewDone} ReviewDone */

/** Seconds for a whole game: the first look, and the second. */
const COARSE = 5, DEEP = 45;

export class Review {
  /**
   * @param {(seconds: number) => number} onAsk  send a request for the main line; its id
   * @param {() => void} onChange  verdicts have changed
   * @param {() => void} onEnd  the engine is free again
   */
  constructor(onAsk, onChange, onEnd) {
    this._onAsk = onAsk;
    this._onChange = onChange;
    this._onEnd = onEnd;
    /** @type {"" | "coarse" | "deep"} */ this.stage = "";
    this.id = -1;
    /** @type {ReviewDone | null} */ this.summary = null;
    /** @type {(import("./tree.js").Node)[]} the main line that is reviewed */ this.nodes = [];
  }

  /** @param {import("./tree.js").Node} root */
  start(root) {
    this.nodes = root.line;
    this.summary = null;
    this._begin("coarse", COARSE);
  }

  /** Ask again after a lost connection. */
  again() {
    if (this.stage) this._begin(this.stage, this.stage === "deep" ? DEEP : COARSE);
  }

  /** @param {"coarse" | "deep"} stage @param {number} seconds */
  _begin(stage, seconds) {
    this.stage = stage;
    byId("review-progress").hidden = false;
    byId("review-stage").textContent = t(`review.${stage}`);
    /** @type {HTMLProgressElement} */ (byId("review-bar")).value = 0;
    this.id = this._onAsk(seconds);
  }

  stop() {
    this.stage = "";
    byId("review-progress").hidden = true;
  }

  /** @param {Verdict} verdict @param {number} of */
  judged(verdict, of) {
    const node = this.nodes[verdict.ply + 1];
    if (!node) return;
    node.verdict = verdict;
    node.mark = verdict.mark;
    node.value = verdict.after;
    if (verdict.ply === 0) this.nodes[0].value = verdict.before;
    const bar = /** @type {HTMLProgressElement} */ (byId("review-bar"));
    bar.max = of;
    bar.value = verdict.ply + 1;
    this._onChange();
  }

  /** @param {ReviewDone} message */
  done(message) {
    const first = this.stage === "coarse";
    this.summary = message;
    this.stop();
    if (message.final !== null) this.nodes[this.nodes.length - 1].value = message.final;
    if (first) {
      announce(t("review.done"));
      this._begin("deep", DEEP);
    } else this._onEnd();
    this._onChange();
  }

  /** The moves that were mistakes. */
  get mistakes() {
    return this.nodes.filter((node) => node.verdict && (node.mark === "?" || node.mark === "??"));
  }

  /** The next mistake after a node, or the one before it. @param {import("./tree.js").Node} node @param {1 | -1} step */
  mistake(node, step) {
    const at = Math.max(...node.ancestors.map((one) => this.nodes.indexOf(one)));
    const found = this.mistakes.filter((one) => step * (this.nodes.indexOf(one) - at) > 0);
    return (step > 0 ? found[0] : found[found.length - 1]) ?? null;
  }

  /** @param {import("./tree.js").Node} current @param {(side: number) => string} name */
  show(current, name) {
    const done = this.summary;
    byId("review-result").hidden = byId("review-legend").hidden = !done;
    byId("mistakes").hidden = !done || !this.mistakes.length;
    const enable = (/** @type {string} */ id, /** @type {boolean} */ on) => (/** @type {HTMLButtonElement} */ (byId(id)).disabled = !on);
    enable("previous-mistake", Boolean(this.mistake(current, -1)));
    enable("next-mistake", Boolean(this.mistake(current, 1)));
    if (!done) return;
    byId("review-rows").replaceChildren(...[0, 1].map((side) => html("tr", {}, html("th", { scope: "row" }, name(side)),
      html("td", {}, done.accuracy[side] === null ? "–" : `${done.accuracy[side].toLocaleString(lang, { minimumFractionDigits: 1 })} %`),
      ...[2, 1, 0].map((i) => html("td", {}, String(done.counts[side][i]))))));
  }
}
