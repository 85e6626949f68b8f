// Take the seat of an invitation, then show the game.

import { call } from "./api.js";
import { byId } from "./svg.js";
import { pageData } from "./texts.js";

const { key, secret } = pageData("data");
try {
  await call(`/api/games/${key}/seat`, { secret });
  location.replace(`/game/${key}`);
} catch (error) {
  byId("problem").textContent = error instanceof Error ? error.message : String(error);
  document.documentElement.dataset.ready = "true";
}
