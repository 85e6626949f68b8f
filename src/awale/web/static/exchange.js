// Saving what this browser keeps to a file, and reading such a file: the elements of parts.exchange.

import { byId, html } from "./svg.js";

/**
 * @param {string} name  of the file
 * @param {() => string} write  what to save
 * @param {(text: string) => Promise<string>} read  takes a file's text, returns the sentence that says what was done
 */
export function exchange(name, write, read) {
  byId("export").addEventListener("click", () => {
    const link = html("a", { href: URL.createObjectURL(new Blob([write()], { type: "application/json" })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
  const file = /** @type {HTMLInputElement} */ (byId("import"));
  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    byId("import-error").textContent = byId("import-done").textContent = "";
    try {
      byId("import-done").textContent = await read(await chosen.text());
    } catch (error) {
      byId("import-error").textContent = error instanceof Error ? error.message : String(error);
    }
    file.value = "";
  });
}
