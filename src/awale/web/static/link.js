// Take what a secret link gives, a seat or the right to change a study, then show it.

import { call } from "./api.js";
import { byId } from "./svg.js";
import { pageData } from "./texts.js";

const { request, shown, secret } = pageData("data");
try {
  await call(request, { secret });
  location.replace(shown);
} catch (error) {
  byId("problem").textContent = error instanceof Error ? error.message : String(error);
  document.documentElement.dataset.ready = "true";
}
