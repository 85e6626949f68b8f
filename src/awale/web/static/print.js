// A page to print.

import { byId } from "./svg.js";

byId("print").addEventListener("click", () => print());
document.documentElement.dataset.ready = "true";
