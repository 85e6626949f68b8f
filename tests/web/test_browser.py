"""The board in a real Chromium: clicked, typed at, reloaded, looked at by two people, scanned for accessibility."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.browser import Open, browser, finish, pit, ready, settle, start_game, tab_to, unfold, visit
from tests.web.conftest import Server

__all__ = ["browser", "visit"]
pytestmark = pytest.mark.browser


def test_the_first_click_plays(visit: Open) -> None:
    page = visit("/")
    expect(page.locator("#status")).to_contain_text("Your turn")
    pit(page, 2).click()
    page.wait_for_url("**/game/*")
    expect(page.locator("#moves .ply").first).to_have_text("C")


def test_a_whole_game_against_the_engine_by_clicking(visit: Open) -> None:
    """Level 1, by the rules whose games are over soonest; every click a pit that is lit."""
    page = visit("/")
    start_game(page, "engine", rules="upsti", level="1")
    turns = finish(page, lambda: page.locator("#board .pit.playable").last.click())
    assert turns < 150
    expect(page.locator("#ending-title")).to_have_text(re.compile(r"^(You won|You lost|Draw) \d+\u2060–\u2060\d+$"))
    scores = [int(page.locator(f"#score-{side}").inner_text()) for side in (0, 1)]
    assert sum(scores) == 48
    page.click("#rematch")
    page.wait_for_function("() => document.querySelectorAll('#moves .ply').length <= 1")
    expect(page.locator("#near #name-1")).to_have_text("You")


def test_a_whole_game_by_keyboard_only(visit: Open) -> None:
    page = visit("/")
    page.keyboard.press("n")
    expect(page.locator("#new-game")).to_be_visible()
    tab_to(page, "#ng-rules")
    page.keyboard.type("UPSTI")
    tab_to(page, 'input[name="opponent"]')
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    tab_to(page, "#ng-player")
    page.keyboard.press("Control+a")
    page.keyboard.type("random")
    tab_to(page, "#ng-go")
    page.keyboard.press("Enter")
    page.wait_for_url("**/game/*")
    expect(page.locator("#name-1")).to_contain_text("Random")

    def move() -> None:
        lit = page.locator("#board .pit.playable").first.get_attribute("data-pit")
        page.keyboard.press(str(int(lit or 0) + 1))

    assert finish(page, move) < 150
    page.keyboard.press("Home")
    expect(page.locator("#status")).to_contain_text("Move 0 of")
    page.keyboard.press("End")
    page.keyboard.press("u")
    settle(page)
    page.keyboard.press("?")
    expect(page.locator("#help-dialog")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    expect(page.locator("#board")).to_have_attribute("flipped", "")


def test_pits_are_walked_with_arrows_and_played_with_enter(visit: Open) -> None:
    page = visit("/")
    start_game(page, "together")
    settle(page)
    pit(page, 0).focus()
    page.keyboard.press("ArrowRight")
    expect(pit(page, 1)).to_be_focused()
    expect(page.locator(".bubble")).to_contain_text("last seed in F")
    page.keyboard.press("ArrowUp")
    expect(pit(page, 10)).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#moves .ply")).to_have_text(["B"])
    assert "Pit B of South, 0 seeds" in (pit(page, 1).get_attribute("aria-label") or "")
    expect(page.locator("#announcer")).to_contain_text("South played B")


def test_what_a_move_does_is_told_inside_the_board(visit: Open) -> None:
    page = visit("/?lang=fr", viewport={"width": 390, "height": 844})
    start_game(page, "together")
    settle(page)
    for number in (0, 5):
        pit(page, number).focus()
        expect(page.locator(".bubble")).to_be_visible()
        box, board = page.locator(".bubble").bounding_box(), page.locator("#board").bounding_box()
        assert box is not None
        assert board is not None
        assert board["x"] <= box["x"] + 0.5
        assert box["x"] + box["width"] <= board["x"] + board["width"] + 0.5


def test_why_not(visit: Open) -> None:
    page = visit("/")
    start_game(page, "together", rules="abapa")
    pit(page, 7).click(force=True)
    expect(page.locator(".bubble.no")).to_contain_text("belongs to North")
    pit(page, 5).click()
    pit(page, 6).click()
    expect(page.locator("#moves .ply")).to_have_count(2)
    pit(page, 5).click(force=True)
    expect(page.locator(".bubble.no")).to_contain_text("empty")


def test_undo_redo_resign(visit: Open) -> None:
    page = visit("/")
    start_game(page, "together")
    for turn, number in enumerate((0, 6, 1), 1):
        pit(page, number).click()
        expect(page.locator("#moves .ply")).to_have_count(turn)
    expect(page.locator("#moves .ply")).to_have_text(["A", "a", "B"])
    page.click("#undo")
    expect(page.locator("#moves .ply")).to_have_count(2)
    page.click("#redo")
    expect(page.locator("#moves .ply")).to_have_count(3)
    page.click("#resign")
    page.click("#resign-yes")
    expect(page.locator("#ending")).to_contain_text("North resigned")
    page.reload()
    ready(page)
    expect(page.locator("#ending")).to_contain_text("North resigned")


def test_two_browsers_play_each_other_with_a_reload_and_a_watcher(visit: Open, server: Server) -> None:
    south = visit("/")
    start_game(south, "friend", clock="10+5")
    link = south.locator("#invite-link").input_value()
    north = visit(link.removeprefix(server.url))
    assert "/seat/" not in north.url
    watcher = visit(north.url.removeprefix(server.url))
    expect(watcher.locator("#watching")).to_be_visible()
    assert watcher.locator("#board .pit.playable").count() == 0
    expect(north.locator("#board")).to_have_attribute("flipped", "")
    pit(south, 2).click()
    expect(north.locator("#moves .ply")).to_have_text(["C"])
    expect(south.locator("#invite")).to_be_hidden()
    pit(north, 8).click()
    expect(south.locator("#moves .ply")).to_have_text(["C", "c"])
    south.reload()
    ready(south)
    expect(south.locator("#moves .ply")).to_have_text(["C", "c"])
    expect(south.locator("#clock-0")).to_have_class("clock running")
    pit(south, 3).click()
    for page in (south, north, watcher):
        expect(page.locator("#moves .ply")).to_have_text(["C", "c", "D"])
    pit(watcher, 7).click(force=True)
    expect(watcher.locator("#moves .ply")).to_have_count(3)
    south.click("#undo")
    expect(north.locator("#offer-text")).to_contain_text("take the last move back")
    north.click("#accept")
    expect(watcher.locator("#moves .ply")).to_have_count(2)
    south.click("#offer")
    north.click("#accept")
    for page in (south, north, watcher):
        expect(page.locator("#ending")).to_contain_text("agreed to stop")
    expect(north.locator("#rematch")).to_be_visible()
    expect(watcher.locator("#rematch")).to_be_hidden()


def test_at_one_screen_the_other_side_is_asked_to_stop(visit: Open) -> None:
    page = visit("/")
    start_game(page, "together")
    pit(page, 2).click()
    expect(page.locator("#moves .ply")).to_have_count(1)
    page.click("#offer")
    expect(page.locator("#offer-text")).to_contain_text("North offers to stop")
    page.click("#decline")
    expect(page.locator("#offer-box")).to_be_hidden()
    page.click("#offer")
    page.click("#accept")
    expect(page.locator("#ending")).to_contain_text("agreed to stop")


def test_three_colours_by_the_menu(visit: Open) -> None:
    page = visit("/")
    start_game(page, "together", rules="tricolor")
    assert page.locator("#board .seed").count() == 96
    pit(page, 2).click()
    items = page.locator(".menu-item")
    expect(items).to_have_count(4)
    assert [text.split("\n")[0] for text in items.all_inner_texts()] == ["R", "B", "TR", "TB"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    expect(page.locator(".menu")).to_have_count(0)
    pit(page, 2).click()
    items.nth(3).click()
    expect(page.locator("#moves .ply")).to_have_text(["3TB"])
    pit(page, 2).click(force=True)
    expect(page.locator(".bubble")).to_contain_text("J1")


def test_french_and_english(visit: Open) -> None:
    page = visit("/", locale="fr-FR")
    expect(page.locator("#new")).to_have_text("Nouvelle partie")
    expect(page.locator("#status")).to_contain_text("À vous")
    page.click("#language")
    ready(page)
    expect(page.locator("#new")).to_have_text("New game")
    page.goto(page.url.split("?")[0] + "analysis")
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_a_phone_held_upright(visit: Open) -> None:
    page = visit("/", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    start_game(page, "together")
    south = page.locator('#board [data-store="0"]').bounding_box()
    north = page.locator('#board [data-store="1"]').bounding_box()
    row = pit(page, 0).bounding_box()
    assert south is not None
    assert north is not None
    assert row is not None
    assert north["y"] < row["y"] < south["y"]  # each store on its owner's side
    assert row["width"] > 45
    pit(page, 0).tap()
    expect(page.locator("#moves .ply")).to_have_text(["A"])
    root = page.url.split("/game/")[0]
    for path in ("/rules", "/rules/ghana", "/analysis", "/games", "/docs", "/?rules=tricolor"):
        page.goto(root + path)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path


def in_the_middle(page: Page) -> None:
    """Wait until half of a hand of four is sown."""
    page.wait_for_function("() => document.getElementById('board').heaps.flat().length === 46")


def test_sowing_is_animated_and_space_skips_it(visit: Open) -> None:
    page = visit("/", pace="420", reduced_motion="no-preference")
    start_game(page, "together", rules="ghana")
    pit(page, 2).click()
    in_the_middle(page)
    page.keyboard.press(" ")
    expect(page.locator('#board [data-store="0"] .count')).to_have_text("6")
    # No seed is lost in the air: all of them are drawn, and the numbers say so.
    assert page.locator("#board .seed").count() == 48
    counts = [int(text) for text in page.locator("#board .count").all_text_contents()]
    assert sum(counts) == 48


def test_a_position_is_set_up_by_hand(visit: Open) -> None:
    page = visit("/")
    page.click("summary:has-text('More')")
    page.click("#setup")
    page.click("#edit-clear")
    for number in (5, 5, 6, 11):
        pit(page, number).click()
    pit(page, 11).click(button="right")
    assert page.locator("#edit-text").input_value() == "0-0-0-0-0-2-1-0-0-0-0-0-0-0-S"
    page.fill("#edit-text", "nonsense")
    page.locator("#edit-text").blur()
    expect(page.locator("#edit-error")).not_to_be_empty()
    page.fill("#edit-text", "0-0-0-3-0-2-1-0-0-0-0-0-21-21-S")
    page.locator("#edit-text").blur()
    expect(page.locator('#board [data-store="0"] .count')).to_have_text("21")
    page.click("#edit-done")
    page.select_option("#ng-rules", "casabianca")
    page.locator('input[name="opponent"][value="together"]').check()
    page.click("#ng-go")
    page.wait_for_url("**/game/*")
    expect(page.locator("#new-game")).to_be_hidden()
    expect(pit(page, 3)).to_have_attribute("aria-label", re.compile("Pit d of South, 3 seeds"))
    pit(page, 3).click(force=True)
    expect(page.locator(".bubble.no")).to_contain_text("leave the opponent nothing")


def test_review_of_a_loaded_file(visit: Open) -> None:
    page = visit("/analysis?open")
    text = '[Variant "abapa"]\n[South "Ada"]\n[North "Bao"]\n\n1. F f 2. E { a comment } (2. A a) e 3. D d *\n'
    page.fill("#open-text", text)
    page.click("#open-go")
    expect(page.locator("#tree .ply")).to_have_count(8)
    expect(page.locator("#tree .comment")).to_have_text("a comment")
    expect(page.locator("#name-0")).to_have_text("Ada")
    page.click("#review-start")
    expect(page.locator("#review-result")).to_be_visible()
    expect(page.locator("#review-rows tr")).to_have_count(2)
    expect(page.locator("#graph svg")).to_be_visible()
    page.click("#last")
    expect(page.locator("#verdict")).to_contain_text("d")
    unfold(page)
    with page.expect_download() as saved:
        page.click("#save")
    assert "2. E" in Path(saved.value.path()).read_text()


def test_live_values_and_variations(visit: Open) -> None:
    page = visit("/analysis?position=0-0-0-0-0-1-0-0-0-0-0-2-22-23-S")
    expect(page.locator("#exact")).to_be_visible()
    expect(page.locator("#board .note")).to_have_count(1)
    expect(page.locator("#board .arrow").first).to_be_visible()
    page = visit("/analysis")
    pit(page, 0).click()
    page.click("#first")
    pit(page, 1).click()
    expect(page.locator("#tree .variation .ply")).to_have_text(["B"])
    unfold(page)
    page.click("#promote")
    expect(page.locator("#tree .variation .ply")).to_have_text(["A"])
    page.click("#play-on")
    ready(page)
    expect(page.locator('#board [data-pit="1"]')).to_have_attribute("aria-label", re.compile("0 seeds"))
    page.go_back()
    ready(page)
    expect(page.locator("#tree .ply")).to_have_count(2)
    page.fill("#comment", "why not")
    expect(page.locator("#tree .comment")).to_have_text("why not")


def held_traces(page: Page) -> list[Route]:
    """Keep the requests for moves unanswered; each answer is sent by `continue_` on its route."""
    held: list[Route] = []
    page.route("**/api/trace", lambda route: held.append(route))
    return held


def click_and_hold(page: Page, pit_number: int) -> None:
    with page.expect_request("**/api/trace"):
        pit(page, pit_number).click()


def test_stepping_back_before_a_move_is_answered(visit: Open) -> None:
    page = visit("/analysis")
    held = held_traces(page)
    click_and_hold(page, 0)
    page.click("#first")
    held[0].continue_()
    expect(page.locator("#tree .ply")).to_have_text(["A"])
    expect(page.locator("#tree [aria-current]")).to_have_count(0)
    expect(pit(page, 0)).to_have_class(re.compile("playable"))
    page.unroute("**/api/trace")
    pit(page, 1).click()
    expect(page.locator("#tree .variation .ply")).to_have_text(["B"])


def test_a_move_that_the_server_refuses_is_taken_back(visit: Open) -> None:
    page = visit("/analysis")
    page.route("**/api/trace", lambda route: route.fulfill(status=422, json={"detail": "no"}))
    pit(page, 0).click()
    expect(page.locator("#status.loud")).to_be_visible()
    expect(page.locator("#tree .ply")).to_have_count(0)
    expect(pit(page, 0)).to_have_class(re.compile("playable"))


def test_stepping_back_while_a_sowing_is_shown(visit: Open) -> None:
    page = visit("/analysis", pace="420", reduced_motion="no-preference")
    pit(page, 0).click()
    in_the_middle(page)
    page.click("#first")
    expect(page.locator("#board .pit.playable")).to_have_count(6)
    counts = page.locator("#board .numbers .count")
    expect(counts).to_have_text(["4"] * 12)
    expect(page.locator("#board .seed")).to_have_count(48)
    expect(page.locator("#board .lifted")).to_have_count(0)
    pit(page, 1).click()
    page.wait_for_function("() => document.getElementById('board').motion.running")
    page.keyboard.press(" ")
    expect(page.locator("#tree .variation .ply")).to_have_text(["B"])
    expect(counts).to_have_text(["4", "0", "5", "5", "5", "5", *["4"] * 6])
    expect(page.locator("#board .seed")).to_have_count(48)


def test_an_example_put_back_before_a_move_is_answered(visit: Open) -> None:
    page = visit("/rules/abapa")
    held = held_traces(page)
    board = page.locator("#board-0")
    start = board.locator(".numbers .count").all_text_contents()
    with page.expect_request("**/api/trace"):
        board.locator(".pit.playable").first.click()
    page.click("#back-0")
    with page.expect_response("**/api/trace"):
        held[0].continue_()
    page.wait_for_load_state("networkidle")
    expect(board.locator(".numbers .count")).to_have_text(start)
    assert board.locator(".pit.playable").count()


def test_examples_of_the_rules_are_live(visit: Open) -> None:
    page = visit("/rules/ghana")
    page.click("#show-0")
    expect(page.locator('#board-0 [data-store="0"] .count')).to_have_text("6")
    page.locator('#board-2 [data-pit="10"]').click(force=True)
    expect(page.locator("#board-2 .bubble.no")).to_contain_text("50,636")


def test_endless_sowings_are_followed_on_the_board(visit: Open) -> None:
    page = visit("/rules/ghana")
    counter = page.locator("#follower-1 .status")
    page.click("#follow-1")
    expect(counter).to_have_text("Lap 0 of 8")
    for lap in range(1, 9):
        page.click('#follower-1 [data-follow="step"]')
        expect(counter).to_contain_text(f"Lap {lap} of 8")
    expect(counter).to_contain_text("it never ends")
    expect(page.locator("#board-1 .numbers .count")).to_have_text(["1", "2", "0", "2"])
    page.click("#back-1")
    expect(counter).to_have_count(0)
    page.click("#follow-2")
    page.click('#follower-2 [data-follow="fast"]')
    expect(page.locator("#follower-2 .status")).to_contain_text("Lap 50,636 of 50,636")
    page = visit("/analysis?rules=ghana4&position=1-2-0-2-0-0-S")
    pit(page, 1).click(force=True)
    page.click("#follow")
    page.click('#follower [data-follow="step"]')
    expect(page.locator("#follower .status")).to_have_text("Lap 1 of 8")


def test_a_pasted_village(visit: Open) -> None:
    page = visit("/")
    page.click("#new")
    page.select_option("#ng-rules", "village")
    page.fill("#ng-village", "pits = 3")
    page.locator('input[name="opponent"][value="together"]').check()
    page.click("#ng-go")
    expect(page.locator("#ng-error")).to_contain_text("preset")
    page.fill("#ng-village", 'base = "abapa"\npits = 3')
    page.click("#ng-go")
    page.wait_for_url("**/game/*")
    expect(page.locator("#board .pit")).to_have_count(6)
