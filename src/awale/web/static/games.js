// The games of this browser.

import { call } from "./api.js";
import { seatName } from "./names.js";
import { byId, html } from "./svg.js";
import { lang, t } from "./texts.js";

const games = await call("/api/games");
byId("none").hidden = games.length > 0;
byId("games").hidden = games.length === 0;
for (const game of games) {
  const when = new Date(game.started).toLocaleString(lang, { dateStyle: "medium", timeStyle: "short" });
  const side = (/** @type {string} */ name) => seatName({ kind: name.includes(":") ? "computer" : "person", name, present: true }, t("you"));
  byId("rows").append(html("tr", {},
    html("td", {}, html("a", { href: `/game/${game.key}` }, when)),
    html("td", {}, game.rules),
    html("td", {}, `${side(game.south)} – ${side(game.north)}`),
    html("td", {}, game.end ? game.scores.join(" – ") : t("games.going")),
    html("td", {}, String(game.plies))));
}
document.documentElement.dataset.ready = "true";
