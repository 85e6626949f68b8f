"""The pages in Chromium without a graphics card: frames while seeds are sown, layout shift, what a reload transfers."""

from __future__ import annotations

import shutil
import sys

from benchmarks.measure import Row

SHIFTS = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
FRAMES = """
() => new Promise((resolve) => {
  const board = document.getElementById("board");
  let frames = 0, start = 0;
  const frame = (now) => {
    if (board.motion.running) {
      start ||= now;
      frames++;
    } else if (start) return resolve((1000 * (frames - 1)) / (now - start));
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  document.querySelector('[data-pit="2"]').dispatchEvent(new MouseEvent("click", { bubbles: true }));
})
"""
LARGE = """
() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .filter((entry) => entry.transferSize > 5 * 1024).length
"""
SIZES = {"desktop, 1440x900": (1440, 900), "phone, 390x844": (390, 844)}
TURNS = 3


def rows(address: str) -> list[Row]:
    """Measure the pages of a running server; none without Chromium."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        print("web: no Chromium on this machine; the pages are not measured", file=sys.stderr)
        return []
    from playwright.sync_api import sync_playwright

    found: list[Row] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, (width, height) in SIZES.items():
            shift, frames = 0.0, []
            for _ in range(TURNS):
                context = browser.new_context(viewport={"width": width, "height": height})
                context.add_init_script(SHIFTS)
                page = context.new_page()
                page.goto(f"{address}/?rules=ghana")
                page.wait_for_selector("html[data-ready=true]")
                page.wait_for_load_state("networkidle")
                shift = max(shift, page.evaluate("shift"))
                frames.append(page.evaluate(FRAMES))
                context.close()
            found.append(Row(what=f"frames a second while sowing, {name}", unit="", ours=max(frames), at_least=45))
            found.append(Row(what=f"  layout shift while loading, {name}", unit="", ours=shift, at_most=0.05))
        page = browser.new_context().new_page()
        for _ in range(2):
            page.goto(address)
            page.wait_for_selector("html[data-ready=true]")
        found.append(Row(what="  requests over 5 KB of a reload", unit="", ours=page.evaluate(LARGE), at_most=3))
        browser.close()
    return found
