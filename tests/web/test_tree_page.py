"""Search trees on the site and in exported files, looked at in a real Chromium; and what the server refuses to grow."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from starlette.testclient import TestClient

from awale import Game
from awale.classroom.tree import build_tree
from awale.classroom.tree_html import tree_page
from awale.web import request_parsing, tree_pages
from awale.web.request_pool import RequestPool
from tests.waiting import GUARD
from tests.web.browser import axe_source, browser
from tests.web.conftest import ORIGIN, Server

__all__ = ["browser"]
Open = Callable[..., Page]
expect.set_options(timeout=1000 * GUARD)
CUT = "/tree?rules=ghana4&start=2-5-3-5-0-1-S&depth=3&method=alphabeta&evaluation=gains"


def ask(client: TestClient, **asked: Any) -> Any:
    return client.post("/api/tree", json={"rules": "ghana4", **asked}, headers=ORIGIN)


# -- the server ------------------------------------------------------------------------------------------------------


def test_a_tree_for_programs(client: TestClient) -> None:
    found = ask(client, start="2-5-3-5-0-1-S", depth=3, method="alphabeta", evaluation="gains").json()
    assert (found["visited"], found["minimax"], found["best"]) == (9, 13, "1")
    tree = build_tree(Game("ghana4", start="2-5-3-5-0-1-S"), 3, method="alphabeta", evaluation="gains")
    assert [node["value"] for node in found["nodes"]] == [node.value for node in tree.nodes]
    after = ask(client, moves="1", depth=1).json()
    assert after["player"] == 1


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        ({"rules": "abapa", "depth": 8}, "positions"),
        ({"rules": "chess"}, "chess"),
        ({"start": "1-2"}, "needs 7"),
        ({"rules": "tricolor", "depth": 1, "evaluation": "kroo"}, "three-colour"),
        ({"start": "0-0-0-0-9-7-S"}, "over"),
    ],
)
def test_refusals_are_sentences(client: TestClient, asked: dict[str, Any], word: str) -> None:
    answer = ask(client, **asked)
    assert answer.status_code == 400
    assert word in answer.json()["detail"]


def test_refusals_in_the_readers_language(client: TestClient) -> None:
    answer = client.post(
        "/api/tree", json={"rules": "abapa", "depth": 8}, headers={**ORIGIN, "accept-language": "fr-FR,fr;q=0.9"}
    )
    assert "à la profondeur 8, cet arbre a plus de 6000 positions" in answer.json()["detail"]


def test_what_has_not_the_form_of_a_question(client: TestClient) -> None:
    for wrong in ({"depth": 0}, {"depth": 99}, {"method": "guess"}, {"evaluation": "hope"}, {"more": 1}):
        assert ask(client, **wrong).status_code == 422
    page = client.get("/tree?depth=many")
    assert page.status_code == 400
    assert "does not describe a tree" in page.text


def test_too_slow_and_too_many(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_pages, "SECONDS", 0.0)
    assert "smaller depth" in ask(client, depth=3).json()["detail"]
    client.app.state.slow_requests = RequestPool(limit=0)  # type: ignore[attr-defined]
    assert ask(client, depth=1).status_code == 503


def test_a_sowing_that_takes_ages_is_not_followed(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_parsing, "POSITION_LAPS", 1000)
    answer = ask(client, rules="ghana", start="1-6-3-11-1-0-6-0-4-1-2-11-0-2-N", depth=2)
    assert answer.status_code == 400
    assert "too long" in answer.json()["detail"]


def test_files_to_take_away(client: TestClient) -> None:
    picture = client.get("/api/tree/file?rules=ghana4&depth=2&format=svg&lang=fr")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert "attachment" in picture.headers["content-disposition"]
    assert "profondeur 2" in picture.text
    page = client.get("/api/tree/file?rules=ghana4&depth=2&format=html")
    assert page.text.startswith("<!doctype html>")
    assert client.get("/api/tree/file?rules=ghana4&depth=2&format=pdf").status_code == 422


# -- the page --------------------------------------------------------------------------------------------------------


@pytest.fixture
def visit(browser: Browser) -> Iterator[Open]:
    """Open a page as a new person; whatever goes wrong in it, or is fetched from elsewhere, fails the test."""
    contexts: list[BrowserContext] = []
    trouble: list[str] = []

    def open_page(address: str, **options: Any) -> Page:
        wished = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "reduced_motion": "reduce", **options}
        context = browser.new_context(**wished)
        contexts.append(context)
        context.set_default_timeout(1000 * GUARD)
        page = context.new_page()
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on(
            "console", lambda m: trouble.append(m.text) if m.type == "error" and "status of 4" not in m.text else None
        )
        page.goto(address)
        page.wait_for_selector("html[data-ready=true]")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert trouble == []


def node(page: Page, index: int) -> Any:
    return page.locator(f'[data-node="{index}"]')


def pane(page: Page, index: int) -> Any:
    """What takes the focus and speaks."""
    return node(page, index).locator("[role=treeitem]")


def inside(page: Page, selector: str) -> bool:
    """Whether everything that matches can be seen without scrolling."""
    return bool(
        page.evaluate(
            """selector => [...document.querySelectorAll(selector)].every(element => {
                const box = element.getBoundingClientRect();
                return box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
            })""",
            selector,
        )
    )


@pytest.mark.browser
def test_three_levels_of_four_pits_on_one_screen(visit: Open, server: Server) -> None:
    page = visit(server.url + CUT)
    expect(page.locator("[data-node]")).to_have_count(13)
    assert inside(page, "[data-node], .st-controls button")
    expect(page.locator(".st-counts")).to_contain_text("9 of 13 positions visited, 31% fewer than plain minimax")
    levels = page.locator(".st-names text").all_text_contents()
    assert levels == ["max", "South", "min", "North", "max", "South", "leaves"]
    tree = build_tree(Game("ghana4", start="2-5-3-5-0-1-S"), 3, method="alphabeta", evaluation="gains")
    grey = {index for index, one in enumerate(tree.nodes) if one.value is None}
    assert page.locator(".st-is-cut").count() == len(grey) == 4
    for index in grey:
        expect(node(page, index)).to_have_class("st-node st-is-cut")
    cuts = page.locator(".st-window.st-cut").all_text_contents()
    assert sorted(cuts) == ["α +6 ≥ β −8", "α +8 ≥ β +6"]
    best = page.locator(".st-node.st-best")
    assert [int(one.get_attribute("data-node") or -1) for one in best.all()] == tree.line


@pytest.mark.browser
def test_step_by_step(visit: Open, server: Server) -> None:
    page = visit(server.url + CUT)
    said = page.locator(".st-said")
    expect(said).to_have_text("The value of the root is known: South plays 1, with value +6.")
    page.get_by_role("button", name="First step").click()
    expect(said).to_contain_text("No value is known yet")
    expect(page.locator(".st-counts")).to_have_text("0 of 13 positions visited")
    assert page.locator(".st-value").count() == 0
    page.get_by_role("button", name="Next step").click()
    expect(said).to_contain_text("South is to move and will choose the largest value. Window: α = −∞, β = +∞.")
    expect(page.locator(".st-current")).to_have_attribute("data-node", "0")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(said).to_have_text("After 1 3 1 the depth limit is reached: the evaluation is 0.")
    page.keyboard.press("ArrowRight")
    expect(said).to_have_text("1 gives South 0: the first value, kept for now.")
    page.keyboard.press("ArrowLeft")
    expect(said).to_contain_text("After 1 3 1")
    slider = page.get_by_role("slider", name="Steps")
    slider.fill("12")
    expect(said).to_contain_text("Cutoff: α = +8 ≥ β = +6. South already has +8 here")
    expect(slider).to_have_attribute("aria-valuetext", "Step 12 of 20")
    page.keyboard.press("Home")  # the slider's own key
    expect(said).to_contain_text("No value is known yet")


@pytest.mark.browser
def test_play_and_pause(visit: Open, server: Server) -> None:
    page = visit(server.url + CUT)
    page.get_by_label("Speed").select_option("8")
    page.locator(".st-head").click()  # away from the controls
    page.clock.install()
    page.clock.pause_at("2100-01-01")
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.clock.run_for(1000)
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    stopped = page.locator(".st-controls input").input_value()
    assert 3 <= int(stopped) < 20
    page.clock.run_for(10_000)
    assert page.locator(".st-controls input").input_value() == stopped
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(20_000)
    expect(page.locator(".st-said")).to_contain_text("The value of the root is known")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.browser
def test_large_trees_fold(visit: Open, server: Server) -> None:
    page = visit(server.url + "/tree?rules=abapa&depth=4&method=alphabeta")
    shown = page.locator("[data-node]").count()
    assert 20 < shown < 80
    stub = page.locator("[data-stub]").first
    parent = stub.get_attribute("data-stub")
    stub.click()
    expect(page.locator(f'[data-stub="{parent}"]')).to_have_count(0)
    assert page.locator("[data-node]").count() > shown
    page.get_by_role("button", name="Fold", exact=True).click()
    expect(page.locator("[data-node]")).to_have_count(shown)
    folded = page.locator('[data-node]:has([aria-expanded="false"])').first
    number = int(folded.get_attribute("data-node") or -1)
    pane(page, number).click()
    page.keyboard.press("Enter")
    expect(pane(page, number)).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Enter")
    expect(page.locator("[data-node]")).to_have_count(shown)
    page.get_by_role("button", name="Unfold all").click()
    expect(page.locator("[data-node]")).to_have_count(1247)
    page.get_by_role("button", name="Fold", exact=True).click()
    # a folded branch opens by itself when the search comes there
    page.get_by_role("slider").fill("150")
    expect(page.locator(".st-current")).to_have_count(1)


@pytest.mark.browser
def test_the_tree_is_walked_by_keyboard(visit: Open, server: Server) -> None:
    page = visit(server.url + CUT)
    pane(page, 0).focus()
    page.keyboard.press("ArrowDown")
    expect(pane(page, 1)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(pane(page, 2)).to_be_focused()
    expect(page.locator(".st-details")).to_contain_text("After 2: North to move (min)")
    expect(page.locator(".st-details")).to_contain_text("cut: α = +6 ≥ β = −8")
    expect(page.locator(".st-details")).to_contain_text("upper bound")
    page.keyboard.press("Enter")
    expect(page.locator("[data-node]")).to_have_count(9)
    page.keyboard.press("ArrowUp")
    expect(pane(page, 0)).to_be_focused()
    label = pane(page, 0).get_attribute("aria-label")
    assert label == "Root, South to move (max), max of +6 ; ≤ −8 = +6. 5 3 / 2 5, captured 0–1"


@pytest.mark.browser
def test_the_form_asks_and_the_address_keeps(visit: Open, server: Server) -> None:
    page = visit(server.url + "/tree")
    expect(page.locator("[data-node]")).to_have_count(13)
    page.select_option("#tree-rules", "abapa")
    page.fill("#tree-depth", "2")
    page.select_option("#tree-method", "minimax")
    page.select_option("#tree-evaluation", "mobility")
    page.get_by_role("button", name="Draw").click()
    expect(page.locator(".st-counts")).to_contain_text("43 of 43")
    assert "rules=abapa" in page.url
    page.fill("#tree-depth", "9")
    page.get_by_role("button", name="Draw").click()
    expect(page.locator("#tree-error")).to_contain_text("at depth 9 this tree has more than 6000 positions")
    page.fill("#tree-depth", "1")
    node(page, 3).click()
    page.get_by_role("button", name="Tree from this position").click()
    expect(page.locator(".st-counts")).to_contain_text("7 of 7")
    assert page.input_value("#tree-start").endswith("-N")
    page.get_by_role("link", name="question 18").click()
    expect(page.locator(".st-said")).to_have_text("The value of the root is known: South plays 5, with value 0.")
    page.go_back()
    expect(page.locator(".st-counts")).to_contain_text("7 of 7")
    with page.expect_download() as taken:
        page.get_by_role("link", name="Image (SVG)").click()
    assert taken.value.suggested_filename == "tree.svg"


@pytest.mark.browser
def test_french_on_a_phone(visit: Open, server: Server) -> None:
    page = visit(server.url + CUT, viewport={"width": 390, "height": 844}, locale="fr-FR", has_touch=True)
    expect(page.locator(".st-said")).to_have_text("La valeur de la racine est connue : Sud joue 1, qui vaut +6.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("#tree-form")).to_be_hidden()
    expect(page.locator("[data-node]")).to_have_count(13)
    page.get_by_text("Un autre arbre").click()
    expect(page.locator("#tree-form")).to_be_visible()


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("where", ["site", "file"])
def test_axe_finds_nothing_serious(visit: Open, server: Server, tmp_path: Path, scheme: str, where: str) -> None:
    source = axe_source()
    page = visit(server.url + CUT if where == "site" else export(tmp_path), color_scheme=scheme)
    page.evaluate(source)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    bad = [
        (v["id"], v["impact"], [n["html"][:120] for n in v["nodes"]][:3])
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
    ]
    assert bad == [], json.dumps(bad, indent=1)


# -- the exported file -----------------------------------------------------------------------------------------------


def export(folder: Path) -> str:
    tree = build_tree(Game("ghana4", start="2-5-3-5-0-1-S"), 3, method="alphabeta", evaluation="gains")
    file = folder / "tree.html"
    file.write_text(tree_page(tree, lang="en"), encoding="utf-8")
    return file.as_uri()


@pytest.mark.browser
def test_an_exported_page_plays_both_languages_alone(visit: Open, tmp_path: Path) -> None:
    page = visit(export(tmp_path), offline=True)
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    expect(page.locator("#file-title")).to_have_text("Ghana on four pits · alpha-beta, depth 3")
    expect(page.locator("[data-node]")).to_have_count(13)
    assert inside(page, "[data-node]")
    page.get_by_role("button", name="First step").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".st-said")).to_contain_text("South is to move")
    page.get_by_role("button", name="Français").click()
    expect(page.locator(".st-said")).to_contain_text("C'est à Sud de jouer, qui choisira la plus grande valeur")
    expect(page.locator("html")).to_have_attribute("lang", "fr")
    page.get_by_role("button", name="Clair ou sombre").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert fetched == []
