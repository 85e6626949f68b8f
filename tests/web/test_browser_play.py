"""Playing in a real Chromium: clocks, connections, endings, keys, and what a screen reader hears."""

from __future__ import annotations

import json
import os
import re
import signal
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.waiting import until
from tests.web.browser import Open, browser, pit, ready, settle, start_game, unfold, visit
from tests.web.conftest import Server

__all__ = ["browser", "visit"]
pytestmark = pytest.mark.browser


def frozen(page: Page) -> None:
    """Let the page's time pass only when the test says so."""
    page.clock.install(time=0)
    page.clock.pause_at(1000)


def overhear(page: Page, messages: list[str]) -> None:
    """Note the kinds of the server's messages as the page gets them."""
    page.on(
        "websocket", lambda socket: socket.on("framereceived", lambda text: messages.append(json.loads(text)["type"]))
    )


class ControlledClock:
    """A game's clocks on a time of the test's own: the server's messages carry it, and the pages follow it.

    The pages' time jumps. If it ran through its timers, minutes would pass while an answer to a ping is under way: a
    page would give up its connection, and the message on the next one would find it at a time of its own.
    """

    def __init__(self) -> None:
        self.now = 5000.0
        self.pages: list[Page] = []
        self.connections = self.pings = self.pongs = 0
        self.held: list[tuple[WebSocketRoute, str]] | None = None
        self.state: dict[str, Any] = {"start": 600, "increment": 0, "eachMove": False}
        self.left, self.running, self.since = [600.0, 600.0], None, 5000.0

    def attach(self, page: Page) -> None:
        frozen(page)
        page.route_web_socket(re.compile("/api/games/.*/ws"), self._route)
        self.pages.append(page)

    def _route(self, route: WebSocketRoute) -> None:
        self.connections += 1
        server = route.connect_to_server()

        def ask(message: str | bytes) -> None:
            self.pings += json.loads(message)["type"] == "ping"
            server.send(message)

        route.on_message(ask)
        server.on_message(lambda message: self._deliver(route, str(message)))

    def _deliver(self, route: WebSocketRoute, text: str) -> None:
        message = json.loads(text)
        self.pongs += message["type"] == "pong"
        if not message.get("clock"):
            route.send(text)
            return
        left = [self.remaining(0), self.remaining(1)]
        message["clock"] = {**self.state, "left": left, "running": self.running, "at": self.now}
        text = json.dumps(message)
        if self.held is None:
            route.send(text)
        else:
            self.held.append((route, text))

    def remaining(self, side: int) -> float:
        return self.left[side] - (self.now - self.since if self.running == side else 0)

    def press(self, running: int) -> None:
        """Stop one clock and start the other."""
        self.left, self.since = [self.remaining(0), self.remaining(1)], self.now
        self.running = running

    def pass_time(self, seconds: float) -> None:
        """Let time pass for the pages and then for the server, so that no message is early, and pings be answered."""
        for page in self.pages:
            page.clock.fast_forward(round(1000 * seconds))
        self.now += seconds
        until(lambda: self.pages[0].evaluate("1") and self.pings == self.pongs)  # events come between two calls
        assert self.connections == len(self.pages), "a page lost its connection"

    def release(self) -> None:
        held, self.held = self.held or [], None
        for route, text in held:
            route.send(text)

    def check(self) -> None:
        """Every page shows what the server has, within 300 ms."""
        for page in self.pages:
            for side in (0, 1):
                minutes, seconds = page.locator(f"#clock-{side}").inner_text().split(":")
                shown, exact = 60 * int(minutes) + float(seconds), self.remaining(side)
                assert -0.3 <= exact - shown <= (0.3 if exact < 20 else 1.0), (side, shown, exact)


def test_two_pages_show_the_servers_clocks(visit: Open, server: Server) -> None:
    clock = ControlledClock()
    south = visit("/", before=clock.attach)
    start_game(south, "friend", clock="10+5")
    link = south.locator("#invite-link").input_value().removeprefix(server.url)
    north = visit(link, before=clock.attach)
    clock.running = 1
    pit(south, 2).click()
    expect(north.locator("#clock-1")).to_have_class(re.compile("running"))
    expect(south.locator("#clock-1")).to_have_class(re.compile("running"))
    clock.pass_time(7)
    clock.check()
    for page in (south, north):
        page.click("#flip")
        page.click("#previous")
    clock.pass_time(0.2)
    clock.check()  # looking around does not start the countdown again
    for page in (south, north):
        page.click("#return")
    clock.held = []
    clock.press(0)
    pit(north, 8).click()
    until(lambda: north.evaluate("1") and len(clock.held or []) >= 2)  # the browser's events come between two calls
    clock.pass_time(2.5)
    clock.release()  # the message is late by 2.5 seconds: the clocks are not
    expect(south.locator("#clock-0")).to_have_class(re.compile("running"))
    expect(north.locator("#clock-0")).to_have_class(re.compile("running"))
    clock.check()
    clock.pass_time(580)
    clock.check()
    assert clock.remaining(0) < 20
    clock.pass_time(3.1)
    clock.check()


def test_the_clocks_change_when_the_message_comes_not_when_the_sowing_ends(visit: Open) -> None:
    clock = ControlledClock()
    page = visit("/", before=clock.attach, pace="420", reduced_motion="no-preference")
    start_game(page, "together", rules="ghana", clock="10+5")
    clock.running = 1
    pit(page, 2).click()
    page.wait_for_function("() => document.getElementById('board').motion.running")
    expect(page.locator("#clock-1")).to_have_class(re.compile("running"))
    clock.pass_time(1)
    clock.check()


def test_a_server_that_falls_silent_is_noticed_and_the_move_is_kept(visit: Open, server: Server) -> None:
    """The server is stopped as by SIGSTOP: connections stay open and nothing answers."""
    messages: list[str] = []
    page = visit("/", before=lambda page: frozen(page) or overhear(page, messages))
    start_game(page, "together")
    until(lambda: page.evaluate("1") and "presence" in messages)  # later, it would be a sign of life
    assert server.process is not None
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        page.clock.run_for(8500)
        expect(page.locator("#connection")).to_be_visible()
        pit(page, 2).click()
        expect(page.locator("#connection")).to_contain_text("Your move C is kept")
        assert page.locator("#moves .ply").count() == 0
    finally:
        os.kill(server.process.pid, signal.SIGCONT)
    until(lambda: page.clock.run_for(500) or page.locator("#moves .ply").count())
    expect(page.locator("#moves .ply")).to_have_text(["C"])
    expect(page.locator("#connection")).to_be_hidden()


def test_a_move_sent_into_a_dead_connection_is_played_once(visit: Open, server: Server) -> None:
    messages: list[str] = []
    page = visit("/", before=lambda page: frozen(page) or overhear(page, messages))
    start_game(page, "together")
    until(lambda: page.evaluate("1") and "presence" in messages)
    assert server.process is not None
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        pit(page, 2).click()
        page.clock.run_for(8500)
        expect(page.locator("#connection")).to_contain_text("Your move C is kept")
    finally:
        os.kill(server.process.pid, signal.SIGCONT)
    until(lambda: page.clock.run_for(500) or page.locator("#moves .ply").count())
    expect(page.locator("#moves .ply")).to_have_text(["C"])
    expect(page.locator("#board .pit.playable")).to_have_count(6)


def test_the_invitation_goes_when_the_friend_comes(visit: Open, server: Server) -> None:
    south = visit("/")
    start_game(south, "friend")
    expect(south.locator("#invite")).to_be_visible()
    north = visit(south.locator("#invite-link").input_value().removeprefix(server.url))
    expect(south.locator("#invite")).to_be_hidden()
    north.close()
    expect(south.locator("#strip-1")).to_have_class(re.compile("away"))
    expect(south.locator("#invite")).to_be_hidden()


def test_the_ring_of_the_last_landing(visit: Open) -> None:
    page = visit("/")
    start_game(page, "together")
    pit(page, 2).click()
    expect(page.locator("#board .glow.last")).to_have_count(1)
    expect(page.locator('#board [data-pit="6"] .glow')).to_have_class("glow last")
    page.reload()
    ready(page)
    expect(page.locator('#board [data-pit="6"] .glow')).to_have_class("glow last")


def test_a_letter_that_names_a_pit_plays_it(visit: Open) -> None:
    page = visit("/")
    start_game(page, "together", rules="casabianca")
    page.keyboard.press("f")
    expect(page.locator("#moves .ply")).to_have_text(["f"])
    assert page.locator("#board").get_attribute("flipped") is None
    page.keyboard.press("x")
    expect(page.locator("#board")).to_have_attribute("flipped", "")


def test_arrow_keys_step_after_a_click(visit: Open) -> None:
    page = visit("/")
    start_game(page, "together")
    pit(page, 2).click()
    expect(page.locator("#moves .ply")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#status")).to_have_text("Move 0 of 1: an earlier position.")
    page.click("#return")
    expect(page.locator("#status")).to_contain_text("North to move")


def test_stepping_back_while_seeds_are_sown_stays_where_one_stepped(visit: Open) -> None:
    page = visit("/", before=frozen, pace="420", reduced_motion="no-preference")
    start_game(page, "together")
    pit(page, 2).click()
    page.wait_for_function("() => document.getElementById('board').motion.running")
    page.keyboard.press("ArrowLeft")
    page.clock.run_for(60_000)
    expect(page.locator("#announcer")).to_contain_text("South played C")
    expect(page.locator("#status")).to_have_text("Move 0 of 1: an earlier position.")


def test_a_new_connection_leaves_one_where_one_stepped(visit: Open) -> None:
    games: list[WebSocketRoute] = []

    def connect(route: WebSocketRoute) -> None:
        def deliver(message: str | bytes) -> None:
            route.send(message)
            if json.loads(message)["type"] == "game":
                games.append(route)

        server = route.connect_to_server()
        server.on_message(deliver)

    page = visit("/", before=lambda page: page.route_web_socket(re.compile("/api/games/.*/ws"), connect))
    start_game(page, "together")
    for count, number in enumerate((2, 8, 3), 1):
        pit(page, number).click()
        expect(page.locator("#moves .ply")).to_have_count(count)
    page.click("#previous")
    page.click("#previous")
    expect(page.locator("#status")).to_have_text("Move 1 of 3: an earlier position.")
    games[0].close()
    until(lambda: page.evaluate("1") and len(games) == 2)
    page.evaluate("1")
    expect(page.locator("#status")).to_have_text("Move 1 of 3: an earlier position.")
    page.click("#return")
    expect(page.locator("#status")).to_contain_text("North to move")


def test_names_are_written_once(visit: Open) -> None:
    page = visit("/")
    expect(page.locator("#strip-0")).to_contain_text("You South")
    start_game(page, "together")
    expect(page.locator("#name-0")).to_have_text("South")
    expect(page.locator("#side-0")).to_have_text("")


def test_a_screen_reader_hears_you(visit: Open) -> None:
    page = visit("/")
    expect(pit(page, 0)).to_have_attribute("aria-label", re.compile("^Your pit A, 4 seeds"))
    start_game(page, "player", player="random")
    pit(page, 2).click()
    expect(page.locator("#announcer")).to_contain_text("You played C.")
    expect(pit(page, 0)).to_have_attribute("aria-label", re.compile("^Your pit A, "))
    expect(pit(page, 7)).to_have_attribute("aria-label", re.compile("^Pit b of North, "))
    expect(page.locator('#board [data-store="0"]')).to_have_attribute("aria-label", re.compile("^You have captured"))


def test_without_motion_a_reply_waits_and_changes_are_written(visit: Open) -> None:
    page = visit("/", before=frozen, pace="190")
    start_game(page, "player", player="greedy")
    pit(page, 2).click()
    changes = page.locator("#board .changes text")
    expect(changes).to_have_text(["−4", "+1", "+1", "+1", "+1"])
    expect(page.locator("#moves .ply")).to_have_count(1)
    page.clock.run_for(1000)
    expect(page.locator("#moves .ply")).to_have_count(2)
    expect(changes.first).to_be_visible()


def test_the_end_of_a_game_is_a_card(visit: Open) -> None:
    page = visit("/")
    start_game(page, "player", player="greedy")
    pit(page, 2).click()
    settle(page)
    page.click("#resign")
    page.click("#resign-yes")
    card = page.locator("#ending")
    expect(card.locator("h2")).to_have_text("You lost")
    expect(card).to_contain_text("You resigned.")
    expect(page.locator("#announcer")).to_contain_text("You lost. You resigned.")
    expect(card.locator("#rematch")).to_be_visible()
    assert "&review" in (card.locator("#ending-review").get_attribute("href") or "")
    page.click("#ending-analyse")
    ready(page)
    expect(page.locator("#tree .ply").first).to_have_text("C")


def test_a_replaced_invitation_no_longer_works(visit: Open, server: Server) -> None:
    south = visit("/")
    start_game(south, "friend")
    link = south.locator("#invite-link")
    old = link.input_value()
    south.click("#replace-link")
    expect(south.locator("#status")).to_have_text("The earlier link no longer works.")
    expect(link).not_to_have_value(old)
    late = visit("/")
    late.goto(old)
    expect(late.locator("main")).to_contain_text("This invitation has been used, replaced or is too old.")
    north = visit(link.input_value().removeprefix(server.url))
    expect(north.locator("#board")).to_have_attribute("flipped", "")


def test_a_phone_shows_the_whole_card(visit: Open) -> None:
    page = visit("/?position=0-0-0-0-0-1-2-0-0-0-0-0-24-21-S", viewport={"width": 390, "height": 844})
    pit(page, 5).click()
    expect(page.locator("#ending-title")).to_have_text("Draw 24\u2060–\u206024")
    expect(page.locator("#ending")).to_be_in_viewport(ratio=1)


def test_your_turn_changes_the_title_and_makes_a_sound(visit: Open, server: Server) -> None:
    def count_sounds(page: Page) -> None:
        page.add_init_script(
            "window.notes = 0; const make = AudioContext.prototype.createOscillator;"
            "AudioContext.prototype.createOscillator = function () { window.notes++; return make.call(this); }"
        )

    south = visit("/", before=count_sounds)
    start_game(south, "friend")
    north = visit(south.locator("#invite-link").input_value().removeprefix(server.url))
    pit(south, 2).click()
    expect(south).to_have_title("awale")
    expect(north).to_have_title("● Your turn. · awale")
    assert south.evaluate("notes") == 0
    pit(north, 8).click()
    expect(south).to_have_title("● Your turn. · awale")
    assert south.evaluate("notes") == 2
    south.click("#sound")
    expect(south.locator("#sound")).to_have_attribute("aria-pressed", "false")
    pit(south, 3).click()
    pit(north, 9).click()
    expect(south).to_have_title("● Your turn. · awale")
    assert south.evaluate("notes") == 2


def test_the_rules_in_play_are_named(visit: Open) -> None:
    page = visit("/")
    expect(page.locator("#rules-name")).to_have_text("Abapa (international oware)")
    expect(page.locator("#goal")).to_contain_text("25 of 48")
    page.click("#new")
    assert page.locator("#ng-rules option").first.get_attribute("value") == "abapa"
    page.click("#ng-cancel")
    start_game(page, "together", rules="tricolor")
    expect(page.locator("#rules-name")).to_have_text("Three colours")
    expect(page.locator("#goal")).to_contain_text("49 of 96")


def test_an_address_that_asks_for_nonsense(visit: Open) -> None:
    page = visit("/?rules=nonsense")
    expect(page.locator("#status")).to_contain_text("nonsense")
    expect(page.locator("#board .pit.playable")).to_have_count(6)


def test_two_programs_are_chosen_and_shown_at_the_spectators_pace(visit: Open) -> None:
    page = visit("/", before=frozen)
    page.click("#new")
    page.locator('input[name="opponent"][value="watch"]').check()
    page.select_option("#ng-south", "greedy")
    page.select_option("#ng-north", "random")
    page.locator('input[name="watch-pace"][value="3000"]').check()
    page.click("#ng-go")
    expect(page.locator("#name-0")).to_have_text("Computer (Greedy)")
    expect(page.locator("#name-1")).to_have_text("Computer (Random)")
    for count in (1, 2, 3):
        expect(page.locator("#moves .ply")).to_have_count(count)
        page.clock.run_for(2900)
        expect(page.locator("#moves .ply")).to_have_count(count)
        page.clock.run_for(100)  # to the end of the pause and no further, whether the next move is already there or not


def test_a_notification_where_it_is_allowed(visit: Open, server: Server) -> None:
    def allow(page: Page) -> None:
        page.add_init_script(
            "window.told = []; window.Notification = class { static permission = 'granted';"
            "constructor(text) { window.told.push(text); } }; localStorage.setItem('awale-notify', 'on');"
            "Object.defineProperty(document, 'hidden', { configurable: true, get: () => Boolean(window.away) });"
        )

    south = visit("/", before=allow)
    start_game(south, "friend")
    north = visit(south.locator("#invite-link").input_value().removeprefix(server.url))
    pit(south, 2).click()
    south.evaluate("window.away = true")
    pit(north, 8).click()
    expect(south).to_have_title("● Your turn. · awale")
    assert south.evaluate("told") == ["Your turn."]


TURNING = """() => {
    const pits = document.getElementById("board").layout.pits;
    const next = (i) => pits[(i + 1) % pits.length];
    const area = pits.reduce((sum, p, i) => sum + p.x * next(i).y - next(i).x * p.y, 0);
    return area > 0 ? "clockwise" : "counter-clockwise";
}"""


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
@pytest.mark.parametrize("rules", ["wikipedia", "tricolor"])
def test_a_clockwise_game_is_drawn_clockwise(visit: Open, rules: str, width: int, height: int) -> None:
    page = visit("/", viewport={"width": width, "height": height})
    assert page.evaluate(TURNING) == "counter-clockwise"
    start_game(page, "together", rules=rules, direction=":direction=clockwise")
    assert page.evaluate(TURNING) == "clockwise"
    expect(page.locator("#rules-name")).to_contain_text("clockwise")
    page.click("#flip")
    assert page.evaluate(TURNING) == "clockwise"
    if rules == "wikipedia":
        page.click("#flip")
        pit(page, 2).click()
        expect(page.locator("#moves .ply")).to_have_count(1)
        expect(pit(page, 3)).to_have_attribute("aria-label", re.compile("5"))
        columns = page.evaluate("() => document.getElementById('board').layout.pits.slice(0, 6).map((p) => p.column)")
        assert columns == [5, 4, 3, 2, 1, 0]
    # The next game begins with the same choice.
    page.click("#new")
    expect(page.locator('input[name="direction"][value=":direction=clockwise"]')).to_be_checked()
    expect(page.locator("#ng-rules")).to_have_value(rules)


@pytest.mark.parametrize(
    ("rules", "title"),
    [
        ("awari:pits=3,seeds=2", "Awari"),
        ("abapa:pits=4,direction=clockwise", "Abapa"),
        ("ghana:pits=3", "Ghana"),
        ("abapa:direction=clockwise", "Abapa"),
    ],
)
def test_a_new_game_begins_with_the_rules_of_the_page(visit: Open, rules: str, title: str) -> None:
    page = visit(f"/?rules={rules}")
    page.click("#new")
    expect(page.locator("#ng-rules option:checked")).to_contain_text(title)
    page.locator('input[name="opponent"][value="together"]').check()
    for _ in range(2):  # from the page of a game, too
        named = page.locator("#rules-name").inner_text()
        page.click("#ng-go")
        page.wait_for_selector("html[data-game]")
        expect(page.locator("#new-game")).to_be_hidden()
        expect(page.locator("#rules-name")).to_have_text(named)
        page.click("#new")


def test_a_position_of_a_small_board_is_played_on(visit: Open) -> None:
    page = visit("/analysis?rules=awari:pits=3,seeds=2&moves=B")
    unfold(page)
    page.click("#play-on")
    page.wait_for_url("**/?rules=awari*")
    ready(page)
    page.click("#new")
    page.locator('input[name="opponent"][value="together"]').check()
    page.click("#ng-go")
    page.wait_for_url("**/game/*")
    expect(page.locator("#rules-name")).to_contain_text("Awari")
    expect(page.locator("#strip-1")).to_have_class(re.compile("to-move"))


NORTH_TO_MOVE = "/?rules=awari:pits=3,seeds=2&position=2-0-3-0-2-2-3-0-N"


def test_whoever_is_to_move_is_the_visitor(visit: Open) -> None:
    page = visit(NORTH_TO_MOVE)
    expect(page.locator("#name-1")).to_have_text("You")
    expect(page.locator("#name-0")).to_contain_text("Computer")
    expect(page.locator("#near #strip-1")).to_be_visible()
    pit(page, 4).click()
    page.wait_for_url("**/game/*")
    expect(page.locator("#moves .ply").first).to_have_text(re.compile("^b"))
    expect(page.locator("#moves .ply").first).to_have_class(re.compile("side-1"))


@pytest.mark.parametrize(("first", "you"), [("me", 1), ("other", 0)])
def test_who_starts_is_who_is_to_move(visit: Open, first: str, you: int) -> None:
    page = visit(NORTH_TO_MOVE)
    page.click("#new")
    page.locator('input[name="opponent"][value="engine"]').check()
    page.locator(f'input[name="first"][value="{first}"]').check()
    page.click("#ng-go")
    page.wait_for_selector("html[data-game]")
    expect(page.locator(f"#name-{you}")).to_have_text("You")


def test_a_hint_is_for_the_position_of_the_page(visit: Open) -> None:
    page = visit("/?position=0-0-0-0-0-1-0-0-0-0-0-2-22-23-S")
    page.click("#hint")
    expect(page.locator("#status.loud")).to_contain_text("Hint: F")
    assert "position=0-0" in (page.locator("#analyse").get_attribute("href") or "")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 800), (844, 390)])
def test_an_error_stands_beside_the_start_button(visit: Open, width: int, height: int) -> None:
    page = visit("/", viewport={"width": width, "height": height})
    page.click("#new")
    page.select_option("#ng-rules", "tricolor")
    page.locator('input[name="opponent"][value="player"]').check()
    page.fill("#ng-player", "perfect")
    page.locator("#ng-rules").evaluate("field => field.scrollIntoView()")
    page.locator("#ng-go").evaluate("button => button.click()")
    error = page.locator("#ng-error")
    expect(error).to_contain_text("single-lap games")
    assert error.evaluate(
        """error => {
            const { left, top, width, height } = error.getBoundingClientRect();
            return document.elementFromPoint(left + width / 2, top + height / 2) === error;
        }"""
    ), "nothing covers it"


@pytest.mark.parametrize(("locale", "offers"), [("en-GB", "offers to stop"), ("fr-FR", "propose d'arrêter")])
def test_a_computer_that_offers_to_stop_waits_for_the_answer(visit: Open, locale: str, offers: str) -> None:
    page = visit("/?rules=casabianca:pits=3,seeds=3&position=1-0-0-1-0-0-4-12-S", locale=locale)
    pit(page, 0).click()
    expect(page.locator("#offer-text")).to_contain_text(offers)
    expect(page.locator("#status")).to_have_text("You played a." if locale == "en-GB" else "Vous avez joué a.")
    page.click("#decline")
    expect(page.locator("#moves .ply")).to_have_text(["a", "A"])
