"""Every page in a real Chromium: accessibility, what is loaded, what moves while it loads."""

from __future__ import annotations

import json
import re
import struct
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.waiting import GUARD
from tests.web.browser import Open, axe_source, browser, pit, ready, start_game, visit
from tests.web.conftest import Server

__all__ = ["browser", "visit"]
pytestmark = pytest.mark.browser
PATHS = [
    "/",
    "/?rules=tricolor",
    "/?rules=nonsense",
    "/analysis",
    "/tree",
    "/rules",
    "/rules/casabianca",
    "/rules/ghana",
    "/training",
    "/puzzles",
    "/lessons",
    "/lessons/granary",
    "/lessons/endless",
    "/mistakes",
    "/games",
    "/studies",
    "/leaderboard",
    "/solved",
    "/search",
    "/docs",
    "/no/such/page",
]
SIZES = {"phone": {"width": 390, "height": 844}, "desktop": {"width": 1280, "height": 800}}
SHIFTS = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


def check_axe(page: Page) -> None:
    page.evaluate(axe_source())  # evaluated by the debugger, so the page's policy need not allow it
    found: dict[str, Any] = page.evaluate(
        "axe.run(document, {resultTypes: ['violations'], rules: {'label-content-name-mismatch': {enabled: true}}})"
    )
    bad = [(v["id"], v["impact"], [n["html"][:120] for n in v["nodes"]][:3]) for v in found["violations"]]
    assert bad == [], json.dumps(bad, indent=1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_board_and_rules_stay_in_sight_beside_a_value(visit: Open, scheme: str) -> None:
    page = visit("/rules/awari", locale="fr-FR", color_scheme=scheme, viewport=SIZES["phone"])
    page.click("text=Plateaux résolus")
    page.wait_for_url("**/solved")
    ready(page)
    assert page.locator("nav [aria-current]").inner_text() == "Règles"
    heading = page.locator(".solved thead th", has_text="Awari")
    assert heading.inner_text() == "Awari"
    assert heading.locator("a").get_attribute("title") == "Awari (tel qu'il a été résolu)"
    scrolled = page.locator(".both-ways")
    scrolled.evaluate("box => { box.scrollLeft = box.scrollWidth; box.scrollTop = 600; }")
    box, board = scrolled.bounding_box(), page.locator(".solved tbody th", has_text="2 × 3, 4").bounding_box()
    rules = page.locator(".solved thead th", has_text="Abapa").bounding_box()
    assert box
    assert board
    assert rules
    assert board["x"] == pytest.approx(box["x"], abs=1)
    assert rules["y"] == pytest.approx(box["y"], abs=1)
    assert box["width"] - board["width"] >= 200, "most of the width is for values"
    # What scrolls below the headings is covered by them.
    shown = page.evaluate("getComputedStyle(document.querySelector('.solved tbody th')).backgroundColor")
    assert shown == page.evaluate("getComputedStyle(document.documentElement).backgroundColor")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(visit: Open, scheme: str, size: str) -> None:
    page = visit("/", color_scheme=scheme, viewport=SIZES[size])
    for path in PATHS:
        page.goto("/".join(page.url.split("/")[:3]) + path)
        if path not in ("/tree", "/search"):
            ready(page)
        check_axe(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_a_game_and_its_review(visit: Open, scheme: str) -> None:
    page = visit("/?position=0-0-0-0-0-1-0-0-0-0-1-2-22-22-S", color_scheme=scheme)
    start_game(page, "together")
    pit(page, 5).click()
    expect(page.locator("#moves .ply")).to_have_count(1)
    check_axe(page)
    page.click("#resign")
    check_axe(page)
    page.click("#resign-yes")
    expect(page.locator("#ending")).to_be_visible()
    check_axe(page)
    page.click("#new")
    check_axe(page)
    page.click("#ng-cancel")
    page.click("#settings")
    check_axe(page)
    page.keyboard.press("Escape")
    page.click("#ending-review")
    ready(page)
    expect(page.locator("#review-result")).to_be_visible()
    for details in page.locator("details").all():
        details.locator("summary").click()
    check_axe(page)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("path", ["/", "/?rules=tricolor", "/analysis", "/rules/ghana", "/lessons/granary", "/puzzles"])
def test_nothing_moves_while_a_page_loads(visit: Open, path: str, size: str) -> None:
    page = visit(path, viewport=SIZES[size], before=lambda page: page.add_init_script(SHIFTS))
    page.wait_for_load_state("networkidle")
    if path == "/analysis":  # the depth and the line grow while the engine thinks
        expect(page.locator("#best")).to_have_text(re.compile(r"^\w( \w){14}"))
    assert page.evaluate("shift") < 0.02


def test_a_reload_loads_next_to_nothing(visit: Open) -> None:
    page = visit("/")
    page.reload()
    ready(page)
    entries = "['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))"
    sizes = page.evaluate(f"{entries}.map((entry) => [entry.name, entry.transferSize])")
    large = [(name, size) for name, size in sizes if size > 5 * 1024]
    assert len(large) <= 3, large
    assert sum(size > 0 for _, size in sizes) <= 3, sizes


def test_a_chosen_theme_is_in_the_first_picture(visit: Open, server: Server) -> None:
    page = visit("/", color_scheme="light")
    page.click("#theme")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    cookies = {str(one["name"]): str(one["value"]) for one in page.context.cookies()}
    assert '<html lang="en" data-theme="dark">' in httpx.get(f"{server.url}/rules", cookies=cookies).text


def test_the_skip_link_leads_to_the_board(visit: Open) -> None:
    page = visit("/")
    page.evaluate("window.same = true")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    assert page.evaluate("window.same") is True


def test_settings_of_the_look_stay(visit: Open) -> None:
    page = visit("/")
    page.click("#settings")
    page.locator('input[name="set-board"][value="ebony"]').check()
    page.locator('input[name="set-seeds"][value="large"]').check()
    page.locator('input[name="set-pace"][value="80"]').check()
    page.keyboard.press("Escape")
    page.reload()
    ready(page)
    expect(page.locator("html")).to_have_attribute("data-board", "ebony")
    expect(page.locator("html")).to_have_attribute("data-seeds", "large")
    assert page.evaluate("document.getElementById('board').motion.pace") == 80


def test_the_board_can_be_installed_and_says_when_it_is_offline(visit: Open, server: Server) -> None:
    page = visit("/", service_workers="allow")
    described = httpx.get(f"{server.url}/manifest.webmanifest").json()
    assert (described["display"], described["start_url"]) == ("standalone", "/")
    for icon in described["icons"]:
        found = httpx.get(server.url + icon["src"])
        assert (found.status_code, found.headers["content-type"]) == (200, icon["type"])
        if icon["type"] == "image/png":  # width and height are in the first chunk
            assert "x".join(str(side) for side in struct.unpack(">II", found.content[16:24])) == icon["sizes"]
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    page.goto(f"{server.url}/rules")
    expect(page.locator("h1")).to_have_text("No connection")
    expect(page.locator(".top img").first).to_have_js_property("complete", True)
    page.context.set_offline(False)
    page.click("a.strong")
    expect(page.locator("h1")).to_have_text("The rules")


def box(page: Page, selector: str) -> dict[str, float]:
    found = page.locator(selector).bounding_box()
    assert found is not None, selector
    return {**found, "right": found["x"] + found["width"], "bottom": found["y"] + found["height"]}


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1180, 820), (1440, 900), (844, 390)])
def test_moves_stand_beside_the_board(visit: Open, width: int, height: int) -> None:
    for path in ("/", "/analysis", "/?rules=ghana4"):
        page = visit(path, viewport={"width": width, "height": height})
        record, board = box(page, ".record"), box(page, "#board")
        assert record["x"] >= board["right"]
        assert board["bottom"] < height
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (820, 1180)])
def test_the_start_button_is_always_in_sight(visit: Open, width: int, height: int) -> None:
    page = visit("/", viewport={"width": width, "height": height})
    page.click("#new")
    assert 0 < box(page, "#ng-go")["bottom"] <= height


def test_resign_is_not_the_widest_button(visit: Open) -> None:
    page = visit("/", viewport={"width": 1440, "height": 900})
    widths = {name: box(page, f"#{name}")["width"] for name in ("new", "offer", "resign")}
    assert max(widths, key=lambda name: widths[name]) != "resign"


@pytest.mark.parametrize("path", [path for path in PATHS if path not in ("/", "/?rules=tricolor", "/?rules=nonsense")])
def test_every_page_has_a_title_of_its_own(server: Server, path: str) -> None:
    for lang in ("en", "fr"):
        page = httpx.get(server.url + path, params={"lang": lang}, timeout=GUARD).text
        assert re.search(r"<title>[^<]+ · awal[eé]</title>", page), path
        assert "`" not in re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL), path


@pytest.mark.parametrize(
    ("lang", "named"), [("en", "Abapa (international oware)"), ("fr", "Abapa (oware international)")]
)
@pytest.mark.parametrize("path", ["/leaderboard", "/search"])
def test_rules_have_their_titles_in_lists(server: Server, path: str, lang: str, named: str) -> None:
    page = httpx.get(f"{server.url}{path}?lang={lang}", timeout=GUARD).text
    assert f'<option value="abapa" selected>{named}</option>' in page
    small = httpx.get(f"{server.url}{path}?lang={lang}&rules=abapa:pits=3", timeout=GUARD).text
    assert f'<option value="abapa:pits=3" selected>{named}, 3 ' in small


@pytest.mark.parametrize("size", SIZES)
def test_what_has_the_focus_in_the_table_of_boards_is_seen(visit: Open, size: str) -> None:
    page = visit("/solved", viewport=SIZES[size])
    links = page.locator(".solved tbody a")
    assert links.first.get_attribute("aria-label")
    for backwards in (False, True):
        links.nth(40 if backwards else 0).focus()
        for _ in range(40):
            page.keyboard.press("Shift+Tab" if backwards else "Tab")
            assert page.evaluate(
                """() => {
                    const { left, top, width, height } = document.activeElement.getBoundingClientRect();
                    const found = document.elementFromPoint(left + width / 2, top + height / 2);
                    return document.activeElement.contains(found);
                }"""
            ), page.evaluate("document.activeElement.getAttribute('aria-label')")


def test_values_of_boards_are_named_and_coloured(visit: Open) -> None:
    page = visit("/solved", locale="fr-FR")
    links = page.locator(".solved tbody tr", has_text="2 × 3, 2 graines par case").locator("a")
    expect(links.first).to_have_attribute("aria-label", "2 × 3, 2 graines par case, Awari\u202f: +3")
    colours = page.evaluate(
        """["win", "draw", "loss", "open"].map((kind) => {
            const value = document.querySelector(`.solved b.${kind}`);
            return value && getComputedStyle(value).borderLeftColor;
        }).filter(Boolean)"""
    )
    assert len(set(colours)) == len(colours) > 2
