"""The analysis board in a real Chromium: what it waits for, what it keeps, what it shares, and reviews."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, WebSocket, WebSocketRoute, expect

from awale import Game
from awale.tables.board_values import shipped
from tests.waiting import until
from tests.web.browser import Open, browser, pit, ready, start_game, unfold, visit

__all__ = ["browser", "visit"]
pytestmark = pytest.mark.browser


def collect_sent(page: Page, types: list[str]) -> None:
    """Collect the type of every message that the page sends over a WebSocket, but pings."""

    def sent(frame: str | bytes) -> None:
        kind = json.loads(frame)["type"]
        if kind != "ping":
            types.append(kind)

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", sent)

    page.on("websocket", listen)


def hide(page: Page, hidden: bool) -> None:
    page.evaluate(
        """hidden => {
            Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


def test_a_hidden_page_stops_analysing(visit: Open) -> None:
    types: list[str] = []
    page = visit("/analysis", before=lambda page: collect_sent(page, types))
    expect(page.locator("#board .note")).to_have_count(6)
    hide(page, True)
    until(lambda: page.evaluate("1") and types[-1] == "stop")
    hide(page, False)
    until(lambda: page.evaluate("1") and types[-1] == "analyse")


def test_the_book_and_the_moves_to_the_end_are_shown(visit: Open) -> None:
    page = visit("/analysis?rules=abapa")
    expect(page.locator("#book")).to_have_text(re.compile(r"^book, depth \d+: F [+−]?\d"))
    page = visit("/analysis?rules=awari&position=0-0-0-0-0-1-0-0-0-0-0-1-24-22-S")
    expect(page.locator("#exact")).to_have_text(re.compile(r"^proven, won in \d+ moves?$"))
    expect(page.locator("#book")).to_have_text("")


@pytest.mark.parametrize(
    ("locale", "said"), [("en-GB", r"^proven, lost in \d+ moves$"), ("fr-FR", r"^prouvé, perdu en \d+ coups$")]
)
def test_moves_are_counted_to_the_forced_win_or_loss(visit: Open, locale: str, said: str) -> None:
    page = visit("/analysis?rules=awari&position=0-0-0-0-0-1-0-0-0-0-0-1-22-24-N", locale=locale)
    expect(page.locator("#exact")).to_have_text(re.compile(said))


@pytest.mark.parametrize("width", [390, 1180])
def test_a_proven_value_does_not_touch_the_word_beside_it(visit: Open, width: int) -> None:
    page = visit("/analysis?rules=ghana4", locale="fr-FR", viewport={"width": width, "height": 844})
    expect(page.locator("#value")).to_have_text("+14 !")
    expect(page.locator("#exact")).to_be_visible()
    assert page.locator("#value").evaluate("value => value.scrollWidth <= value.clientWidth")


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (844, 390)])
def test_the_page_says_that_it_waits_for_the_engine(visit: Open, locale: str, size: tuple[int, int]) -> None:
    def silent(page: Page) -> None:
        page.clock.install(time=0)
        page.clock.pause_at(1000)
        page.route_web_socket(re.compile("/api/analysis/ws"), lambda route: None)

    page = visit("/analysis", before=silent, locale=locale, viewport={"width": size[0], "height": size[1]})
    assert page.locator("#best").inner_text() == ""
    page.clock.run_for(1600)
    expect(page.locator("#best")).to_contain_text("the engine" if locale == "en-GB" else "du moteur")
    assert page.locator("#best").evaluate("line => line.scrollHeight <= line.clientHeight"), "all of it is seen"


def test_a_typed_position_is_used_without_leaving_the_field(visit: Open) -> None:
    page = visit("/analysis")
    page.click("#position-group summary")
    page.click("#setup")
    page.fill("#edit-text", "0-0-0-0-0-1-0-0-0-0-0-2-22-23-S")
    page.evaluate("document.getElementById('edit-done').click()")
    expect(page.locator("#editor")).to_be_hidden()
    expect(page.locator('#board [data-store="1"] .count')).to_have_text("23")
    page.click("#setup")
    page.fill("#edit-text", "1-2-3")
    page.keyboard.press("Enter")
    expect(page.locator("#edit-error")).not_to_be_empty()
    expect(page.locator("#editor")).to_be_visible()
    assert page.locator("#edit-text").input_value() == "1-2-3"


def test_nothing_of_the_engine_is_shown_while_a_position_is_edited(visit: Open) -> None:
    page = visit("/analysis")
    expect(page.locator("#board .note")).to_have_count(6)
    page.click("#position-group summary")
    page.click("#setup")
    expect(page.locator("#board .note")).to_have_count(0)
    expect(page.locator("#board .arrow")).to_have_count(0)
    pit(page, 0).click()
    expect(page.locator("#board .note")).to_have_count(0)
    page.click("#edit-cancel")
    expect(page.locator("#board .note")).to_have_count(6)


def test_a_reload_keeps_the_tree_its_comments_and_drawings(visit: Open) -> None:
    page = visit("/analysis")
    pit(page, 0).click()
    expect(page.locator("#tree .ply")).to_have_text(["A"])
    page.fill("#comment", "a quiet start")
    page.click("#first")
    pit(page, 1).click()
    expect(page.locator("#tree .variation .ply")).to_have_text(["B"])
    pit(page, 2).hover()
    page.mouse.down(button="right")
    pit(page, 9).hover()
    page.mouse.up(button="right")
    expect(page.locator("#board .arrow.drawn")).to_have_count(1)
    pit(page, 5).click(button="right", force=True)
    expect(page.locator("#board .ring.drawn")).to_have_count(1)
    page.reload()
    ready(page)
    expect(page.locator("#tree .ply")).to_have_text(["A", "B"])
    expect(page.locator("#tree .comment")).to_have_text("a quiet start")
    expect(page.locator("#tree [aria-current]")).to_have_text("B")
    expect(page.locator("#board .arrow.drawn")).to_have_count(1)
    expect(page.locator("#board .ring.drawn")).to_have_count(1)
    other = visit(page.url[page.url.index("/analysis") :])  # another person follows the link
    expect(other.locator("#tree .ply")).to_have_text(["B"])
    expect(other.locator("#tree [aria-current]")).to_have_text("B")


def test_the_link_is_copied(visit: Open) -> None:
    page = visit("/analysis?rules=ghana:pits=3", permissions=["clipboard-read", "clipboard-write"])
    pit(page, 1).click()
    expect(page.locator("#tree .ply")).to_have_text(["2"])
    page.click("#file-group summary")
    page.click("#copy-link")
    expect(page.locator("#status")).to_have_text("Copied.")
    link = str(page.evaluate("navigator.clipboard.readText()"))
    other = visit(link[link.index("/analysis") :])
    expect(other.locator("#board .pit")).to_have_count(6)
    expect(other.locator("#tree .ply")).to_have_text(["2"])


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("/analysis?game=zzz", "no such game"),
        ("/analysis?position=garbage", "needs 15"),
        ("/analysis?rules=nonsense", "nonsense"),
        ("/analysis?moves=Z", "Z"),
    ],
)
def test_an_address_that_asks_for_nonsense_is_answered(visit: Open, address: str, said: str) -> None:
    page = visit(address)
    expect(page.locator("#status.loud")).to_contain_text(said)
    expect(page.locator("#board .seed")).to_have_count(48)


def test_a_json_game_is_opened(visit: Open) -> None:
    page = visit("/analysis?open")
    page.fill(
        "#open-text",
        '{"format":"awale-game","version":1,"rules":"abapa","tags":{"South":"engine:2"},"moves":["F","f"]}',
    )
    page.click("#open-go")
    expect(page.locator("#tree .ply")).to_have_text(["F", "f"])
    expect(page.locator("#name-0")).to_have_text("Computer, level 2")


def test_review_mistakes_and_try_again(visit: Open) -> None:
    page = visit("/analysis?position=1-0-0-0-0-1-2-0-0-0-0-3-20-21-S")
    expect(page.locator("#board .note")).to_have_count(2)
    pit(page, 0).click()  # where F captures three
    expect(page.locator("#tree .ply")).to_have_count(1)
    pit(page, 6).click()
    expect(page.locator("#tree .ply")).to_have_count(2)
    page.click("#review-start")
    expect(page.locator("#review-result")).to_be_visible()
    expect(page.locator("#review-legend")).to_contain_text("Blunder")
    expect(page.locator("#mistakes")).to_be_visible()
    page.click("#first")
    page.click("#next-mistake")
    expect(page.locator("#tree [aria-current]")).to_have_text(re.compile("^A"))
    page.click("#try-again")
    expect(page.locator("#status")).to_contain_text("Find a better move")
    expect(page.locator("#board .note")).to_have_count(0)
    pit(page, 0).click()
    expect(page.locator("#status")).to_contain_text("is the move that was played")
    pit(page, 5).click()
    expect(page.locator("#tree .variation .ply")).to_have_text(re.compile("^F"))


def test_a_review_names_levels(visit: Open) -> None:
    page = visit("/")
    start_game(page, "engine", level="1")
    pit(page, 2).click()
    page.wait_for_function("() => document.querySelectorAll('#moves .ply').length === 2")
    address = page.url.replace("/game/", "/analysis?game=") + "&review"
    page.goto(address)
    ready(page)
    expect(page.locator("#review-rows th").nth(1)).to_have_text("Computer, level 1")
    expect(page.locator("#name-1")).to_have_text("Computer, level 1")
    expect(page.locator("#review-rows td").first).to_have_text(re.compile(r"^\d+\.\d %$"))
    page.goto(address + "&lang=fr")
    ready(page)
    expect(page.locator("#review-rows td").first).to_have_text(re.compile(r"^\d+,\d %$"))


def test_a_game_is_saved_as_pictures(visit: Open) -> None:
    page = visit("/analysis?moves=F+f+E")
    page.click("#file-group summary")
    with page.expect_download() as saved:
        page.click("#picture")
    assert "<svg" in saved.value.path().read_text()
    page.click("#first")
    with page.expect_download() as saved:
        page.click("#moving-picture")
    assert "3. E" in saved.value.path().read_text()


def test_the_explorer_shows_what_was_played_and_plays_it(visit: Open) -> None:
    page = visit("/")
    start_game(page, "together")
    pit(page, 2).click()
    expect(page.locator("#moves .ply")).to_have_count(1)
    page.click("#resign")
    page.click("#resign-yes")
    expect(page.locator("#ending")).to_be_visible()
    other = visit("/analysis")
    other.click("#explorer summary")
    rows = other.locator("#explorer-rows tr")
    expect(rows.locator("button").filter(has_text="C")).to_have_count(1)
    expect(rows.locator("[role=img]").first).to_have_attribute("aria-label", re.compile("South won"))
    expect(rows.locator("td[data-move]").first).not_to_be_empty()
    rows.locator("button").filter(has_text="C").click()
    expect(other.locator("#tree .ply")).to_have_text(["C"])
    expect(other.locator("#explorer-total")).to_contain_text("1 stored game")
    other.reload()
    ready(other)
    expect(other.locator("#explorer-total")).to_contain_text("1 stored game")


@pytest.mark.parametrize(("locale", "proven"), [("en-GB", "from a table"), ("fr-FR", "d'après une table")])
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_the_oracle_shows_every_move_of_a_solved_board(
    visit: Open, locale: str, proven: str, size: tuple[int, int]
) -> None:
    page = visit("/solved", locale=locale, viewport={"width": size[0], "height": size[1]})
    row = page.locator(".solved tbody tr", has_text="2 × 3, 2")
    expect(row.locator("td").first).to_contain_text("+3")
    row.locator("td a").first.click()
    page.wait_for_url("**/analysis?rules=awari*")
    ready(page)
    expect(page.locator("#oracle-source")).to_contain_text(proven)
    expect(page.locator("#oracle-moves li")).to_have_count(3)
    expect(page.locator("#oracle-moves li").first).to_have_text(re.compile(r"B\+3"))
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= size[0], "nothing is wider than the screen"
    # Every later position too.
    pit(page, 1).click()
    expect(page.locator("#tree .ply")).to_have_count(1)
    expect(page.locator("#oracle-moves li").first).to_have_text(re.compile("−3"))
    # And nothing is claimed where nothing is proven.
    page.goto(page.url.partition("/analysis")[0] + "/analysis?rules=abapa")
    expect(page.locator("#board .note")).to_have_count(6)
    expect(page.locator("#oracle")).to_be_hidden()


def read_oracle(page: Page) -> list[str]:
    """Return the lines of the oracle, words separated by a space."""
    expect(page.locator("#oracle")).to_be_visible()
    lines = page.locator("#oracle-moves li").all()
    return [" ".join(" ".join(line.locator("> *").all_inner_texts()).split()) for line in lines]


def test_the_oracle_shows_one_sided_bounds_in_the_order_of_what_is_known(visit: Open) -> None:
    known = shipped(Game("awari").rules)
    assert known
    page = visit("/analysis?rules=awari")
    shown = read_oracle(page)
    assert shown[0] == "F 0 draw"
    # The least loss first, as far as it is known.
    losing = sorted((value.least, value.most, move) for move, value in known.moves.items() if move != "F")
    losing.sort(key=lambda loss: loss[:2], reverse=True)
    sign = {True: "−", False: "≤ −"}
    assert shown[1:] == [f"{move} {sign[least == most]}{-most} loses" for least, most, move in losing]
    expect(page.locator("#oracle-source")).to_contain_text("the margin at the end")
    expect(page.locator("#oracle-source")).to_contain_text("After ≤ or ≥")


@pytest.mark.parametrize(
    ("rules", "about", "moves"),
    [
        (
            "abapa:pits=3,seeds=3",
            "the margin at the end",
            ["A 0 to +4 draws at least", "B −2 to +2 not settled", "C −4 to 0 draws at most"],
        ),
        ("ghana4", "endless play is a win for nobody", ["1 wins", "2 nobody can force a win"]),
    ],
)
def test_the_oracle_promises_what_it_shows(visit: Open, rules: str, about: str, moves: list[str]) -> None:
    page = visit(f"/analysis?rules={rules}")
    assert read_oracle(page) == moves
    expect(page.locator("#oracle-source")).to_contain_text(about)
    expect(page.locator("#oracle-source")).not_to_contain_text("≤")
    panel = page.locator("#oracle-moves")
    assert panel.evaluate("list => list.scrollWidth <= list.clientWidth"), "nothing sticks out"
    # Tables of solved boards, and a goal that ends a game early, are of games that are played for a margin.
    expect(page.locator("#oracle-boards")).to_be_visible(visible=rules != "ghana4")
    assert ("past the goal" in page.locator("#oracle-source").inner_text()) == (rules != "ghana4")


SMALL = "/analysis?rules=awari:pits=3,seeds=2"


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (844, 390)])
def test_the_step_buttons_stay_where_they_are(visit: Open, size: tuple[int, int]) -> None:
    page = visit(f"{SMALL}&moves=B+b+C", viewport={"width": size[0], "height": size[1]})
    read_oracle(page)
    if size[1] < 500:
        expect(page.locator("#next")).to_be_in_viewport(ratio=1)
    page.evaluate(
        """() => {
            window.tops = new Set();
            const look = () => {
                window.tops.add(Math.round(document.getElementById("next").getBoundingClientRect().top + scrollY));
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    for button, moves in (("previous", "B+b"), ("previous", "B"), ("first", ""), ("next", "B")):
        page.locator(f"#{button}").evaluate("button => button.click()")
        page.wait_for_url(re.compile(re.escape(f"moves={moves}") + "$" if moves else "seeds%3D2$"))
        expect(page.locator("#oracle")).not_to_have_class(re.compile("waiting"))
    assert page.evaluate("window.tops.size") == 1


def test_the_oracle_does_not_need_the_engine(visit: Open) -> None:
    page = visit(SMALL)
    read_oracle(page)
    page.click("#engine")
    expect(page.locator("#board .note")).to_have_count(0)
    expect(page.locator("#oracle")).to_be_visible()
    pit(page, 1).click()
    expect(page.locator("#tree .ply")).to_have_count(1)
    expect(page.locator("#oracle-moves li").first).to_have_text(re.compile("−3"))
    assert page.locator("#value").inner_text() == "…"
    assert page.locator("#best").inner_text() == ""


def test_moves_and_values_are_read_out(visit: Open) -> None:
    page = visit(SMALL)
    heard = page.locator("#announcer p")
    expect(heard).to_have_text(["Oracle: B +3 wins."])
    pit(page, 1).click()
    expect(heard).to_have_text(
        ["Oracle: B +3 wins.", "South played B. Takes 3 seeds.", re.compile("^Oracle: .* −3 loses.$")]
    )
    page.click("#first")
    expect(heard.nth(2)).to_have_text("First position")
    expect(heard.nth(3)).to_have_text("Oracle: B +3 wins.")
    page = visit("/analysis?rules=abapa:move_limit=300&position=0-0-0-0-0-1-0-0-0-0-0-2-22-23-S")
    expect(page.locator("#announcer p")).to_have_text(
        [re.compile(r"^Value for South: \+\d+, proven, won in \d+ moves\.$")]
    )


def test_after_an_outage_the_page_goes_on(visit: Open) -> None:
    sockets: list[WebSocketRoute] = []
    down: list[bool] = []

    def routed(page: Page) -> None:
        def connect(socket: WebSocketRoute) -> None:
            if down:
                socket.close()
            else:
                socket.connect_to_server()
                sockets.append(socket)

        page.clock.install()
        page.route_web_socket(re.compile("/api/analysis/ws"), connect)

    page = visit("/analysis", before=routed)
    expect(page.locator("#board .note")).to_have_count(6)
    down.append(True)
    sockets[-1].close()
    page.evaluate("window.reached = fetch; window.fetch = () => Promise.reject(new TypeError('down')); 0")
    expect(page.locator("#connection")).to_be_visible()
    pit(page, 0).click()
    expect(page.locator("#status.loud")).to_contain_text("does not respond")
    page.clock.run_for(2000)
    expect(page.locator("#best")).not_to_contain_text("Waiting")
    down.clear()
    page.evaluate("window.fetch = window.reached; 0")
    page.clock.run_for(9000)
    expect(page.locator("#connection")).to_be_hidden()
    expect(page.locator("#status")).to_have_text("South to move.")
    expect(page.locator("#board .note")).to_have_count(6)


def test_the_perfect_player_says_what_its_move_rests_on(visit: Open) -> None:
    page = visit("/?rules=awari:pits=3,seeds=2")
    page.click("#new")
    page.locator('input[name="opponent"][value="player"]').check()
    page.fill("#ng-player", "perfect")
    page.locator('input[name="first"][value="other"]').check()
    page.click("#ng-go")
    page.wait_for_url("**/game/*")
    expect(page.locator("#status")).to_contain_text("proven win")
    expect(page.locator("#name-0")).to_have_text("Computer (Perfect play)")


def go(page: Page, path: str) -> None:
    page.goto("/".join(page.url.split("/")[:3]) + path)
    ready(page)


def test_another_address_leaves_an_analysis_as_it_was(visit: Open) -> None:
    page = visit("/analysis?rules=abapa")
    pit(page, 0).click()
    expect(page.locator("#tree .ply")).to_have_text(["A"])
    page.fill("#comment", "a quiet start")
    for path in ("/analysis?rules=ghana", "/analysis?rules=nonsense", "/analysis?rules=abapa&position=garbage"):
        go(page, path)
        assert page.url.endswith(path), "an address can be corrected"
    go(page, "/analysis")
    expect(page.locator("#tree .comment")).to_have_text("a quiet start")
    # A link to another line of the same start adds that line.
    go(page, "/analysis?rules=abapa&moves=B+b")
    expect(page.locator("#tree .ply")).to_have_text(["A", "B", "b"])
    expect(page.locator("#tree [aria-current]")).to_have_text("b")
    expect(page.locator("#tree .comment")).to_have_text("a quiet start")
    # Other rules have an analysis of their own, kept as well.
    page.click("#position-group summary")
    page.select_option("#rules-select", "ghana4")
    expect(page.locator("#tree .ply")).to_have_count(0)
    pit(page, 1).click()
    expect(page.locator("#tree .ply")).to_have_text([re.compile("^2")])
    page.select_option("#rules-select", "abapa")
    expect(page.locator("#tree .comment")).to_have_text("a quiet start")
    page.select_option("#rules-select", "ghana4")
    expect(page.locator("#tree .ply")).to_have_text([re.compile("^2")])


def test_a_corrected_address_is_followed(visit: Open) -> None:
    page = visit("/analysis?rules=nonsense")
    pit(page, 0).click()
    expect(page.locator("#tree .ply")).to_have_text(["A"])
    page.wait_for_url("**/analysis?rules=abapa&moves=A")


def test_a_game_and_the_analysis_of_its_start_are_kept_apart(visit: Open) -> None:
    page = visit("/")
    start_game(page, "together")
    pit(page, 2).click()
    expect(page.locator("#moves .ply")).to_have_count(1)
    key = page.url.rsplit("/", 1)[1]
    go(page, "/analysis?rules=abapa")
    pit(page, 0).click()
    expect(page.locator("#tree .ply")).to_have_text(["A"])
    go(page, f"/analysis?game={key}")
    expect(page.locator("#tree .ply")).to_have_text(["C"])
    page.click("#last")
    pit(page, 6).click()
    expect(page.locator("#tree .ply")).to_have_text(["C", "a"])
    page.reload()
    ready(page)
    expect(page.locator("#tree .ply")).to_have_text(["C", "a"])
    expect(page.locator("#tree [aria-current]")).to_have_text("a")
    go(page, "/analysis?rules=abapa")
    expect(page.locator("#tree .ply")).to_have_text(["A"])
    go(page, f"/analysis?game={key}")
    expect(page.locator("#tree .ply")).to_have_text(["C", "a"])


def test_the_rules_of_a_small_board_are_chosen_in_the_list(visit: Open) -> None:
    page = visit("/analysis?rules=awari:pits=3,seeds=2")
    expect(page.locator("#rules-select option:checked")).to_contain_text("Awari")


@pytest.mark.parametrize("width", [390, 1180, 1280])
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_long_names_of_rules_do_not_widen_the_page(visit: Open, locale: str, width: int) -> None:
    page = visit("/analysis", locale=locale, viewport={"width": width, "height": 844})
    unfold(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
