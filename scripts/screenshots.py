"""Take the screenshots of the web board for the documentation: `python scripts/screenshots.py`.

Starts a server with its own database, plays some moves, and writes PNG files to docs/images/.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

OUT = Path(__file__).resolve().parent.parent / "docs" / "images"
OGN = '[Variant "abapa"]\n[South "Awa"]\n[North "Kofi"]\n\n' + (
    "1. F f 2. E e 3. F d 4. D f 5. C c 6. B b 7. F e 8. A a 9. E d *\n"
)


def page(browser: Browser, address: str, *, phone: bool = False, dark: bool = False, french: bool = False) -> Page:
    size = (390, 844) if phone else (1280, 800)
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        device_scale_factor=1.5 if phone else 1,
        color_scheme="dark" if dark else "light",
        locale="fr-FR" if french else "en-GB",
        has_touch=phone,
    )
    opened = context.new_page()
    opened.goto(address)
    opened.wait_for_selector("html[data-ready]")
    return opened


def shot(opened: Page, name: str) -> None:
    opened.wait_for_timeout(300)
    opened.screenshot(path=str(OUT / f"{name}.png"))
    print(OUT / f"{name}.png")


def play(opened: Page, moves: int) -> None:
    """Some moves against the computer, the rightmost pit that may be played."""
    opened.evaluate("document.getElementById('board').pace = 0")
    for _ in range(moves):
        opened.wait_for_selector("#board .pit.playable", timeout=120_000)
        before = opened.locator("#moves .ply").count()
        opened.locator("#board .pit.playable").last.click()
        opened.wait_for_function(
            f"() => document.querySelectorAll('#moves .ply').length >= {before + 2}", timeout=120_000
        )
    opened.wait_for_selector("#board .pit.playable", timeout=120_000)


def take(browser: Browser, address: str) -> None:
    first = page(browser, address)
    play(first, 9)
    first.locator("#board .pit.playable").first.hover()
    shot(first, "play")
    phone = page(browser, address, phone=True, dark=True, french=True)
    play(phone, 4)
    shot(phone, "phone")
    colours = page(browser, f"{address}/?rules=tricolor", dark=True)
    colours.click('[data-pit="2"]')
    shot(colours, "tricolor")
    analysis = page(browser, f"{address}/analysis?open")
    analysis.fill("#open-text", OGN)
    analysis.click("#open-go")
    analysis.click("#review-start")
    analysis.wait_for_selector("#review-result:not([hidden])", timeout=240_000)
    for _ in range(7):
        analysis.keyboard.press("ArrowRight")
        analysis.wait_for_timeout(150)
    analysis.wait_for_timeout(4000)
    shot(analysis, "analysis")
    rules = page(browser, f"{address}/rules/ghana", french=True)
    shot(rules, "rules")


def main() -> int:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        print("no Chromium on this machine (apt-get install chromium)", file=sys.stderr)
        return 2
    OUT.mkdir(parents=True, exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://localhost:{port}"
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", "from awale.cli import main; main()", "serve", "--port", str(port)]
        server = subprocess.Popen(command, env={**os.environ, "AWALE_DATA_DIR": folder})
        try:
            while True:
                try:
                    urllib.request.urlopen(f"{address}/readyz", timeout=2).close()
                    break
                except OSError:
                    time.sleep(0.3)
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                take(browser, address)
                browser.close()
        finally:
            server.terminate()
            server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
