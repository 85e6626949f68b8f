"""A real Chromium for the tests of the pages: people who open pages, and what they do there."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.waiting import GUARD
from tests.web.conftest import Server

ROOT = Path(__file__).resolve().parents[2]
Open = Callable[..., Page]
expect.set_options(timeout=1000 * GUARD)


@pytest.fixture(scope="module")
def browser(chromium: Path) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=str(chromium), args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Open]:
    """Open a page as a new person; whatever goes wrong in it fails the test."""
    contexts: list[BrowserContext] = []
    trouble: list[str] = []

    def open_page(
        path: str = "/", *, pace: str = "0", before: Callable[[Page], object] | None = None, **options: Any
    ) -> Page:
        wished = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "reduced_motion": "reduce", **options}
        wished.setdefault("service_workers", "block")
        context = browser.new_context(**wished)
        contexts.append(context)
        context.add_init_script(f"localStorage.getItem('awale-pace') || localStorage.setItem('awale-pace', '{pace}')")
        context.set_default_timeout(1000 * GUARD)
        page = context.new_page()
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on(
            "console", lambda m: trouble.append(m.text) if m.type == "error" and "status of 4" not in m.text else None
        )
        if before is not None:
            before(page)
        page.goto(server.url + path)
        ready(page)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert trouble == []


def ready(page: Page) -> None:
    page.wait_for_selector("html[data-ready=true]")


def pit(page: Page, number: int) -> Any:
    return page.locator(f'#board [data-pit="{number}"]')


def start_game(page: Page, opponent: str, *, rules: str = "abapa", player: str = "greedy", **choices: str) -> None:
    page.click("#new")
    page.select_option("#ng-rules", rules)
    page.locator(f'input[name="opponent"][value="{opponent}"]').check()
    if opponent == "player":
        page.fill("#ng-player", player)
    for name, value in choices.items():
        page.locator(f'input[name="{name}"][value="{value}"]').check()
    page.click("#ng-go")
    page.wait_for_url("**/game/*")
    expect(page.locator("#new-game")).to_be_hidden()
    page.wait_for_selector(f'html[data-game="{page.url.rsplit("/", 1)[1]}"]')


def settle(page: Page) -> str:
    """Wait until it is our turn or all is over: 'mine' or 'over'."""
    found = page.wait_for_function(
        """() => {
            const board = document.getElementById("board");
            if (!document.getElementById("ending").hidden) return "over";
            return !board.motion.running && board.querySelector(".pit.playable") ? "mine" : null;
        }"""
    )
    return str(found.json_value())


def finish(page: Page, move: Callable[[], None], limit: int = 150) -> int:
    for turn in range(limit):
        if settle(page) == "over":
            return turn
        before = page.locator("#moves .ply").count()
        move()
        page.wait_for_function(f"() => document.querySelectorAll('#moves .ply').length > {before}")
    return limit


def tab_to(page: Page, selector: str) -> None:
    for _ in range(40):
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {selector}")


def unfold(page: Page) -> None:
    """Open every group of buttons."""
    page.evaluate("document.querySelectorAll('details').forEach((group) => (group.open = true))")


def axe_source() -> str:
    """The accessibility checker, fetched by npm once into an ignored folder."""
    folder = ROOT / "node_modules" / "axe-core"
    if not folder.exists() and shutil.which("npm"):
        command = ["npm", "install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "axe-core@4"]
        subprocess.run(command, cwd=ROOT, capture_output=True, timeout=180, check=False, env={**os.environ})
    script = folder / "axe.min.js"
    if not script.exists():
        pytest.skip("axe-core could not be fetched: no npm here, or no network")
    return script.read_text()
