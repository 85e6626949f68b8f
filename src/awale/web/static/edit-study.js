// Take the right to change a study, then show it.

import { call } from "./api.js";
import { byId } from "./svg.js";
import { pageData } from "./texts.js";

const { key, secret } = pageData("data");
try {
  await call(`/api/studies/${key}/edit`, { secret });
  location.replace(`/study/${key}`);
} catch (error) {
  byId("problem").textContent = error instanceof Error ? error.message : String(error);
  document.documentElement.dataset.ready = "true";
}
