"""Time at the board: clocks that run down, flags, and what becomes of the time when moves are taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.widgets import Input

from awale import i18n
from awale.cli import saved_games
from awale.clock import Clock
from awale.game import Game
from awale.players import Choice
from awale.players import PlayerClock as Given
from awale.tui.player_line import SideLine
from tests.tui.driving import said, screen, until

SIZE = (80, 24)


class Time:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def timed(application: Callable, time: Time) -> Callable:
    def make(clock: str, *arguments: Any, **others: Any) -> Any:
        return application(*arguments, time=Clock.read(clock), clock=time, **others)

    return make


def shown(app: Any, place: str) -> str:
    return screen(app).query_one(place, SideLine).render().plain.split()[-1]


async def test_the_clocks_run_down_and_a_flag_falls(timed: Callable, time: Time) -> None:
    app = timed("5+3")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        board = screen(app)
        assert "5+3" in str(board.query_one("#title").render())
        assert (shown(app, "#bottom"), shown(app, "#top")) == ("5:00", "5:00")
        time.at += 100  # the first move has all the time in the world
        await pilot.press("c")
        assert app.table.clock.left == [300, 300]
        time.at += 61
        board._tick()
        await pilot.pause()
        assert (shown(app, "#bottom"), shown(app, "#top")) == ("5:00", "3:59")
        await pilot.press("b")
        assert app.table.clock.remaining(1) == 242  # 239 and three more
        time.at += 291.5
        board._tick()
        await pilot.pause()
        assert shown(app, "#bottom") == "8.5"
        time.at += 9
        board._tick()
        await pilot.pause()
        assert board.game.outcome().reason == "time"
        assert board.game.outcome().winner == 1
        assert "North wins 0-0: the time is up" in said(app)


async def test_a_move_that_comes_too_late_is_not_played(timed: Callable, time: Time) -> None:
    app = timed("1+0", Game("abapa", moves="A a"))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        time.at += 61
        await pilot.press("c")
        assert screen(app).game.ended == "time-0"
        assert len(screen(app).game.moves) == 2


async def test_taking_back_gives_the_time_back_also_after_a_flag(timed: Callable, time: Time) -> None:
    app = timed("1+0")
    async with app.run_test(size=SIZE) as pilot:
        clock = app.table.clock
        await pilot.press("c")
        time.at += 20
        await pilot.press("b")
        time.at += 60
        screen(app)._tick()
        await pilot.pause()
        assert screen(app).game.ended == "time-0"
        await pilot.press("u")
        assert not screen(app).game.over
        assert "The game goes on" in said(app)
        assert (clock.remaining(0), clock.remaining(1), clock.running) == (60, 40, 0)
        time.at += 5
        await pilot.press("u")
        assert (clock.remaining(0), clock.remaining(1), clock.running) == (60, 60, 1)
        await pilot.press("r")
        assert (clock.remaining(0), clock.remaining(1), clock.running) == (60, 40, 0)


async def test_thirty_seconds_a_move(timed: Callable, time: Time) -> None:
    app = timed("30s")
    async with app.run_test(size=SIZE) as pilot:
        for key in "cbda":
            await pilot.press(key)
            time.at += 29
        assert not screen(app).game.over
        time.at += 2
        screen(app)._tick()
        assert screen(app).game.ended == "time-0"


async def test_the_time_is_kept_with_the_game(timed: Callable, time: Time) -> None:
    app = timed("5+3", north="person")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("c")
        time.at += 30
        await pilot.press("b")
        await pilot.press("q")
    record = saved_games.read(saved_games.last_unfinished())
    again = Clock.from_tags(record.tags)
    assert again is not None
    assert (again.text(), again.left) == ("5+3", [300, 273])


async def test_no_clock_runs_while_seeds_are_sown_or_an_offer_is_thought_over(
    timed: Callable, time: Time, slow_sowing: None
) -> None:
    app = timed("5+0", Game("ghana", moves="3"), pause=30.0)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        clock = app.table.clock
        assert clock.running == 1
        await pilot.press("7")
        assert screen(app)._sowing is not None
        assert clock.running is None
        time.at += 400
        await pilot.press("space")
        assert (clock.running, clock.left) == (0, [300, 300])
        await pilot.press("p")
        assert clock.running is None
        await pilot.press("n")
        assert clock.running == 0


async def test_players_are_told_their_time(timed: Callable, time: Time) -> None:
    given: list[Given] = []
    app = timed("5+3", north="random")
    player = app.table.seats[1].player

    def choose(game: Game, clock: Given) -> Choice:
        given.append(clock)
        time.at += 10
        return Choice(game.legal_moves[0])

    player.choose = choose
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("c")
        await until(pilot, lambda: screen(app).game.ply == 2)
        await pilot.press("d")
        await until(pilot, lambda: screen(app).game.ply == 4)
    assert [(clock.left, clock.increment) for clock in given] == [(300, 3), (293, 3)]
    assert all(clock.opponent_left is not None for clock in given)


async def test_two_computers_halted_stop_their_clocks(timed: Callable, time: Time, slow_sowing: None) -> None:
    app = timed("1+0", south="random", north="random", pause=30.0)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: screen(app)._sowing is not None)
        await pilot.press("space")
        assert screen(app).paused
        time.at += 1000
        screen(app)._tick()
        assert not screen(app).game.over


@pytest.mark.parametrize("language", i18n.LANGUAGES)
async def test_a_clock_from_the_new_game_screen(application: Callable, language: str) -> None:
    i18n.set_language(language)
    app = application(ask=True)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        app.screen.query_one("#north-text", Input).value = "person"
        field = app.screen.query_one("#clock-text", Input)
        field.value = "soon"
        app.screen.action_begin()
        await until(pilot, lambda: "5+3" in str(app.screen.query_one("#problem").render()))
        field.focus()
        field.value = "2+1"
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is screen(app))
        assert screen(app).table.clock.text() == "2+1"
        await pilot.press("n")
        assert app.screen.query_one("#clock-text", Input).value == "2+1"
