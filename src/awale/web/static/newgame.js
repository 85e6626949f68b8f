// The dialog for a new game: rules, opponent, who starts, clock, start position.

import { call } from "./api.js";
import { remember, remembered } from "./keep.js";
import { chooseRules, offerRules } from "./rules.js";
import { byId, html } from "./svg.js";
import { pageData, say, t } from "./texts.js";

/** @typedef {import("./types.js").Rules} Rules */

const data = pageData("data");

/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement & HTMLSelectElement & HTMLTextAreaElement} */ (byId(id));
/** @param {string} name */
const picked = (name) => /** @type {HTMLInputElement | null} */ (document.querySelector(`input[name="${name}"]:checked`))?.value ?? "";

export class NewGameDialog {
  /** @param {(body: any) => Promise<void>} onStart */
  constructor(onStart) {
    this._dialog = /** @type {HTMLDialogElement} */ (byId("new-game"));
    this._form = /** @type {HTMLFormElement} */ (byId("new-game-form"));
    this._onStart = onStart;
    /** @type {Rules[]} those of the pages, where they are no presets */ this._others = [];
    const rules = field("ng-rules");
    offerRules(rules, data.presets);
    rules.append(html("option", { value: "village" }, t("new.village")));
    for (const other of data.players) if (other.level === null) byId("ng-players").append(html("option", { value: other.name }, say(other.title)));
    for (const id of ["ng-south", "ng-north"]) {
      for (const other of data.players) field(id).append(html("option", { value: other.name }, say(other.title)));
      field(id).value = "engine:3";
    }
    this._restore();
    this._form.addEventListener("change", () => this._refresh());
    this._form.addEventListener("submit", (event) => this._submit(event));
    field("ng-file").addEventListener("change", async () => {
      const file = field("ng-file").files?.[0];
      if (file) field("ng-village").value = (await file.text()).slice(0, 20000);
    });
    byId("ng-cancel").addEventListener("click", () => this._dialog.close());
    this._refresh();
  }

  _restore() {
    /** @type {any} */
    let last = {};
    try {
      last = JSON.parse(remembered("new-game", "{}"));
    } catch {
      // not valid settings
    }
    if (data.presets.some((/** @type {Rules} */ p) => p.name === last.rules)) field("ng-rules").value = last.rules;
    for (const name of ["direction", "opponent", "level", "first", "clock"]) {
      const input = /** @type {HTMLInputElement | null} */ (this._form.querySelector(`input[name="${name}"][value="${CSS.escape(String(last[name]))}"]`));
      if (input) input.checked = true;
    }
  }

  _refresh() {
    const village = field("ng-rules").value === "village";
    byId("ng-about").textContent = village ? t("new.village-about") : say(this._chosen([...data.presets, ...this._others])?.description);
    byId("ng-village-box").hidden = !village;
    byId("ng-direction").hidden = !this._chosen(data.presets); // other rules say it themselves
    const opponent = picked("opponent");
    byId("ng-levels").hidden = opponent !== "engine";
    byId("ng-player-box").hidden = opponent !== "player";
    byId("ng-watch").hidden = opponent !== "watch";
    byId("ng-first").hidden = opponent === "together" || opponent === "watch";
    byId("ng-own-clock").hidden = picked("clock") !== "own";
  }

  /** The chosen ones among some rules. @param {Rules[]} rules */
  _chosen(rules) {
    return rules.find((one) => one.spec === field("ng-rules").value);
  }

  /** Begin with the rules of the page. @param {Rules} rules */
  _choose(rules) {
    const preset = data.presets.find((/** @type {Rules} */ p) => rules.spec.startsWith(p.spec) && this._way(rules.spec.slice(p.spec.length)));
    if (!preset) this._others.push(rules);
    else /** @type {HTMLInputElement} */ (this._way(rules.spec.slice(preset.spec.length))).checked = true;
    chooseRules(field("ng-rules"), preset ?? rules);
  }

  /** The button of a direction, as it follows the name of a preset. @param {string} option */
  _way(option) {
    return /** @type {HTMLInputElement[]} */ ([...this._form.querySelectorAll('input[name="direction"]')]).find((one) => one.value === option);
  }

  /** @param {{rules?: Rules, start?: string}} [given] */
  open(given = {}) {
    if (given.rules) this._choose(given.rules);
    if (given.start !== undefined) {
      field("ng-start").value = given.start;
      /** @type {HTMLDetailsElement} */ (byId("ng-start-box")).open = given.start !== "";
    }
    byId("ng-error").textContent = "";
    this._refresh();
    this._dialog.showModal();
  }

  /** The request for a new game. */
  request() {
    const opponent = picked("opponent");
    const computer = { who: "computer", name: opponent === "player" ? field("ng-player").value : `engine:${picked("level")}` };
    const watched = (/** @type {string} */ id) => ({ who: "computer", name: field(id).value });
    const me = { who: "me", name: "" };
    const other = { engine: computer, player: computer, together: me, friend: { who: "friend", name: "" }, watch: watched("ng-north") }[opponent] ?? computer;
    const mine = opponent === "watch" ? watched("ng-south") : me;
    let first = picked("first");
    if (first === "chance") first = Math.random() < 0.5 ? "me" : "other";
    if (opponent === "together" || opponent === "watch") first = "me";
    const village = field("ng-rules").value === "village", start = field("ng-start").value.trim();
    const [one, two] = first === "me" ? [mine, other] : [other, mine];
    const northBegins = start.toUpperCase().endsWith("N") && opponent !== "watch";
    const clock = picked("clock") === "own" ? field("ng-minutes").value : picked("clock");
    return {
      rules: village ? "abapa" : field("ng-rules").value + (this._chosen(data.presets) ? picked("direction") : ""),
      village: village ? field("ng-village").value : null,
      start: start || null,
      south: northBegins ? two : one,
      north: northBegins ? one : two,
      clock: clock || null,
    };
  }

  /** @param {Event} event */
  async _submit(event) {
    event.preventDefault();
    byId("ng-error").textContent = "";
    const settings = { rules: field("ng-rules").value, direction: picked("direction"), opponent: picked("opponent"),
                       level: picked("level"), first: picked("first"), clock: picked("clock") };
    try {
      remember("watch-pace", picked("watch-pace"));
      await this._onStart(this.request());
      remember("new-game", JSON.stringify(settings));
      this._dialog.close();
    } catch (error) {
      byId("ng-error").textContent = error instanceof Error ? error.message : String(error);
    }
  }
}

/**
 * Start a game on the server and remember the friend's link, which the server sends only once.
 * @param {any} body
 * @returns {Promise<string>} the game's key
 */
export async function startGame(body) {
  const made = await call("/api/games", body);
  const link = made.links.find((/** @type {string | null} */ one) => one);
  if (link) remember(`link-${made.key}`, link);
  return made.key;
}
