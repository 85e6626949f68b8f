"""Take screenshots of the web board from a server with its own database.

python scripts/screenshots.py               the pictures of the documentation, in docs/images/
python scripts/screenshots.py --all FOLDER  every page at every size, light and dark, in both languages
python scripts/screenshots.py --icons       the icons that installed pages need as PNG, from icon.svg
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from awale.training import puzzles

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
OGN = '[Variant "abapa"]\n[South "Awa"]\n[North "Kofi"]\n\n' + (
    "1. F f 2. E e 3. F d 4. D f 5. C c 6. B b 7. F e 8. A a 9. E d *\n"
)
STATIC = IMAGES.parent.parent / "src" / "awale" / "web" / "static"
ICONS = (180, 192, 512)
SIZES = {"phone": (390, 844), "phone-wide": (844, 390), "tablet": (820, 1180), "desktop": (1440, 900)}
WAIT = 240_000
"""Milliseconds after which something is wrong: a busy machine compiles the engine for minutes."""


def new_page(browser: Browser, size: str, scheme: str = "light", lang: str = "en") -> Page:
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=1.5 if size == "phone" else 1,
        color_scheme="dark" if scheme == "dark" else "light",
        locale="fr-FR" if lang == "fr" else "en-GB",
        has_touch=size.startswith("phone"),
        reduced_motion="reduce",
        service_workers="block",
    )
    context.set_default_timeout(WAIT)
    context.add_init_script("localStorage.setItem('awale-pace', '0')")
    return context.new_page()


def visit(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("html[data-ready]")


def shot(page: Page, path: Path) -> None:
    page.wait_for_timeout(300)  # transitions
    page.screenshot(path=str(path))
    print(path)


def play(page: Page, moves: int) -> None:
    """Some moves against the computer, the rightmost pit that may be played."""
    for _ in range(moves):
        page.wait_for_selector("#board .pit.playable")
        before = page.locator("#moves .ply").count()
        page.locator("#board .pit.playable").last.click()
        page.wait_for_function(f"() => document.querySelectorAll('#moves .ply').length >= {before + 2}")
    page.wait_for_selector("#board .pit.playable")


# -- what is on the pages ----------------------------------------------------------------------------------------------


def game(page: Page, address: str) -> None:
    visit(page, address)
    play(page, 4)
    page.locator("#board .pit.playable").first.hover()


def ending(page: Page, address: str) -> None:
    visit(page, f"{address}/?position=0-0-0-0-0-1-2-0-0-0-0-0-24-21-S")
    page.click('[data-pit="5"]')
    page.wait_for_selector("#ending:not([hidden])")


def dialog(page: Page, address: str) -> None:
    visit(page, address)
    page.click("#new")


def settings(page: Page, address: str) -> None:
    visit(page, address)
    page.click("#settings")


def three_colours(page: Page, address: str) -> None:
    visit(page, f"{address}/?rules=tricolor")
    page.click('[data-pit="2"]')


def analysis(page: Page, address: str) -> None:
    visit(page, f"{address}/analysis?open")
    page.fill("#open-text", OGN)
    page.click("#open-go")
    page.wait_for_selector("#tree .ply")
    page.click("#review-start")
    page.wait_for_selector("#review-result:not([hidden])")
    page.click("#first-mistake")
    page.wait_for_selector("#try-again:not([hidden])")


def oracle(page: Page, address: str) -> None:
    visit(page, f"{address}/analysis?rules=awari:pits=3,seeds=2")
    page.wait_for_selector("#oracle:not([hidden])")


def editor(page: Page, address: str) -> None:
    visit(page, f"{address}/analysis")
    page.click("#position-group summary")
    page.click("#setup")


def puzzle(page: Page, address: str) -> None:
    """A wrong move, refuted."""
    found = next(one for one in puzzles("casabianca") if one.side == 0)
    visit(page, f"{address}/puzzles?rules=casabianca&puzzle={found.id}")
    wrong = next(move for move in found.game().legal_moves if str(move) != found.line[0])
    page.click(f'[data-pit="{wrong.pit}"]')
    page.wait_for_selector("#again:not([hidden])")


def puzzle_solved(page: Page, address: str) -> None:
    visit(page, f"{address}/puzzles?rules=ghana")
    page.click("#solution")
    page.wait_for_selector("#why:not([hidden])")


def exercises(page: Page, address: str) -> None:
    visit(page, f"{address}/lessons/opening")
    page.click('#board-0 [data-pit="6"]')
    page.wait_for_selector("#solved-0:not([hidden])")


def mistakes(page: Page, address: str) -> None:
    kept = '[{"rules":"abapa","start":"1-0-1-1-1-0-0-0-0-0-0-1-20-23-S","moves":"","move":"E","best":"A","line":["A"],'
    kept += '"loss":10,"mover":0,"stage":0,"due":1000,"added":1000}]'
    page.add_init_script(f"localStorage.setItem('awale-mistakes', '{kept}')")
    visit(page, f"{address}/mistakes")


STUDY = "{ Which pit prepares a capture? [%draw 6-9,3] [%quiz] } 1. F { Well met. } (1. A { Too slow. }) 1... f 2. E *"


def new_study(page: Page, address: str) -> None:
    visit(page, f"{address}/studies")
    page.fill("#new-title", "First sowings")
    page.evaluate("document.querySelectorAll('details').forEach((group) => (group.open = true))")
    page.fill("#new-text", STUDY)
    page.click("#new-study button[type=submit]")
    page.wait_for_url("**/study/*")
    page.wait_for_selector("html[data-ready]")


def study(page: Page, address: str) -> None:
    new_study(page, address)
    page.click("#chapter-group summary")


def question(page: Page, address: str) -> None:
    new_study(page, address)
    page.context.clear_cookies(name="awale")
    page.reload()
    page.wait_for_selector("#quiz-box:not([hidden])")
    page.click('[data-pit="0"]')
    page.wait_for_selector("#quiz-said:not(:empty)")


def printed(page: Page, address: str) -> None:
    new_study(page, address)
    visit(page, f"{page.url}/print")


def explored(page: Page, address: str) -> None:
    visit(page, f"{address}/?position=0-0-0-0-0-1-2-0-0-0-0-0-24-21-S")
    page.click('[data-pit="5"]')
    page.wait_for_selector("#ending:not([hidden])")
    visit(page, f"{address}/analysis?position=0-0-0-0-0-1-2-0-0-0-0-0-24-21-S")
    page.click("#explorer summary")
    page.wait_for_selector("#explorer-total:not(:empty)")


SCENES = {
    "study": study,
    "study-question": question,
    "study-printed": printed,
    "explorer": explored,
    "game": game,
    "ending": ending,
    "new-game": dialog,
    "settings": settings,
    "tricolor": three_colours,
    "analysis": analysis,
    "editor": editor,
    "puzzle": puzzle,
    "puzzle-solved": puzzle_solved,
    "exercises": exercises,
    "mistakes": mistakes,
    "oracle": oracle,
}
PAGES = {
    "ghana": "/?rules=ghana",
    "ghana4": "/?rules=ghana4",
    "tree": "/tree?rules=ghana4&start=2-5-3-5-0-1-S&depth=3&method=alphabeta&evaluation=gains",
    "rules": "/rules",
    "rules-ghana": "/rules/ghana",
    "training": "/training",
    "lessons": "/lessons",
    "lesson-three-colours": "/lessons/three-colours",
    "solved": "/solved",
    "games": "/games",
    "studies": "/studies",
    "leaderboard": "/leaderboard",
    "search": "/search",
    "docs": "/docs",
    "missing": "/missing",
    "offline": "/offline",
}


def take_all(browser: Browser, address: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for size, scheme, lang in product(SIZES, ("light", "dark"), ("en", "fr")):
        for name in (*SCENES, *PAGES):
            page = new_page(browser, size, scheme, lang)
            if name in SCENES:
                SCENES[name](page, address)
            else:
                visit(page, address + PAGES[name])
            shot(page, folder / f"{name}-{size}-{scheme}-{lang}.png")
            page.context.close()


def take_documentation(browser: Browser, address: str) -> None:
    pictures = {
        "play": (game, "desktop", "light", "en"),
        "phone": (game, "phone", "dark", "fr"),
        "tricolor": (three_colours, "desktop", "dark", "en"),
        "analysis": (analysis, "desktop", "light", "en"),
        "rules": (lambda page, address: visit(page, f"{address}/rules/ghana"), "desktop", "light", "fr"),
    }
    IMAGES.mkdir(parents=True, exist_ok=True)
    for name, (scene, size, scheme, lang) in pictures.items():
        page = new_page(browser, size, scheme, lang)
        scene(page, address)
        if name == "analysis":
            page.wait_for_selector("#review-progress[hidden]", state="attached")
            page.wait_for_selector("#board .note")
        shot(page, IMAGES / f"{name}.png")
        page.context.close()


def take_icons(browser: Browser) -> None:
    picture = (STATIC / "icon.svg").read_text(encoding="utf-8").replace('rx="16"', "")  # systems round the corners
    for size in ICONS:
        page = browser.new_page(viewport={"width": size, "height": size})
        page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{picture}")
        shot(page, STATIC / f"icon-{size}.png")
        page.close()


@contextmanager
def server() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://localhost:{port}"
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", "from awale.cli import main; main()", "serve", "--port", str(port)]
        process = subprocess.Popen(command, env={**os.environ, "AWALE_DATA_DIR": folder})
        try:
            while True:
                try:
                    urllib.request.urlopen(f"{address}/readyz", timeout=2).close()
                    break
                except OSError:
                    time.sleep(0.3)
            yield address
        finally:
            process.terminate()
            process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--all", type=Path, metavar="FOLDER", help="every page at every size, into this folder")
    parser.add_argument("--icons", action="store_true", help="the icons of the installed page")
    asked = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        print("no Chromium on this machine (apt-get install chromium)", file=sys.stderr)
        return 2
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        if asked.icons:
            take_icons(browser)
        else:
            with server() as address:
                if asked.all is None:
                    take_documentation(browser, address)
                else:
                    take_all(browser, address, asked.all)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
