"""The new-game screen, the analysis, the review, the stored games and the leaderboard."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from textual.widgets import Input, OptionList

from awale import i18n
from awale.game import Game
from awale.store import Store, StoredGame
from awale.tui.analysis_thread import Analyser, Cancel
from awale.tui.new_game import NewGameScreen
from awale.tui.review import ReviewScreen
from awale.tui.stored_games import StoredGamesScreen
from awale.tui.value_chart import curve
from tests.tui.driving import said, screen, until
from tests.tui.thoughts import made_up
from tests.waiting import GUARD

SIZE = (80, 24)


async def test_a_new_game_by_lists(application: Callable) -> None:
    app = application(ask=True)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, NewGameScreen)
        await pilot.press("home", "enter")  # ghana
        await pilot.press("enter")  # a person
        app.screen.query_one("#north-text", Input).value = "greedy"
        await pilot.press("enter")
        await until(pilot, lambda: app.screen is screen(app))
        assert screen(app).game.rules.name == "ghana"
        assert [seat.name for seat in screen(app).match.seats] == ["person", "greedy"]
        await pilot.press("1")
        await until(pilot, lambda: screen(app).game.ply >= 2)


async def test_a_new_game_that_cannot_be_says_why(application: Callable) -> None:
    app = application()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("n")
        for column, wrong in (("rules", "chess"), ("north", "nobody")):
            field = app.screen.query_one(f"#{column}-text", Input)
            before, field.value = field.value, wrong
            app.screen.action_begin()
            await until(pilot, lambda wrong=wrong: wrong in str(app.screen.query_one("#problem").render()))
            field.value = before
        await pilot.press("escape")
        assert app.screen is screen(app)


async def test_every_preset_can_be_picked(application: Callable) -> None:
    from awale.rules import presets

    app = application(ask=True)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        options = app.screen.query_one("#rules", OptionList).options
        assert tuple(option.id for option in options) == presets.names()


async def test_the_board_is_played_on_while_an_analysis_runs_and_the_old_one_is_called_off(
    application: Callable,
) -> None:
    called_off = []

    def slow(game: Game, seconds: float, cancel: Cancel) -> Iterator:
        stopped = threading.Event()
        cancel.on_cancel(stopped.set)
        yield from made_up(game, seconds, cancel)
        assert stopped.wait(GUARD)
        called_off.append(game.ply)

    app = application(updates=slow)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("z")
        await until(pilot, lambda: screen(app).pane.analysis is not None)
        await pilot.press("c")
        assert screen(app).game.ply == 1
        await until(pilot, lambda: called_off == [0])
        await until(pilot, lambda: screen(app).pane.analysis is not None)
        assert screen(app).pane.analysis.position == screen(app).game.position
        await pilot.press("z")
        await until(pilot, lambda: called_off == [0, 1])
        assert not screen(app).pane.is_open


async def test_an_engine_that_fails_is_told_in_the_pane(application: Callable) -> None:
    def broken(game: Game, seconds: float, cancel: Cancel) -> Iterator:
        raise RuntimeError("no compiler here")

    app = application(updates=broken)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("z")
        await until(pilot, lambda: "no compiler here" in str(screen(app).pane.render()))
        await pilot.press("c")
        assert screen(app).game.ply == 1


async def test_the_pane_says_that_the_engine_is_being_compiled(
    application: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, go_on = [3], threading.Event()
    monkeypatch.setattr("awale.tui.compiling.compiled", lambda: count[0])

    def slow(game: Game, seconds: float, cancel: Cancel) -> Iterator:
        assert go_on.wait(GUARD)
        yield from made_up(game, seconds, cancel)

    app = application("tricolor", updates=slow)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("z")
        assert "loading" in str(screen(app).pane.render())
        count[0] = 5
        await until(pilot, lambda: "compiled for this machine" in str(screen(app).pane.render()))
        assert "2 functions" in str(screen(app).pane.render())
        await pilot.press("3", "r")  # the board is played on meanwhile
        assert screen(app).game.ply == 1
        go_on.set()
        await until(pilot, lambda: screen(app).pane.analysis is not None)
        assert "compiled" not in str(screen(app).pane.render())


def test_a_search_called_off_before_it_began() -> None:
    begun = []

    def never(game: Game, seconds: float, cancel: Cancel) -> Iterator:
        begun.append(game)
        yield from ()

    analyser = Analyser(never)
    with analyser._running:
        analyser.start(Game(), 1, print, print)
        analyser.stop()
    with analyser._running:
        assert begun == []


@pytest.mark.parametrize(
    ("language", "mistake"),
    [("en", "Mistake: A was better by 3.0"), ("fr", "erreur\N{NARROW NO-BREAK SPACE}: A valait 3,0")],
)
async def test_review(application: Callable, language: str, mistake: str) -> None:
    """Made up: the first legal move is worth 3 seeds, each later one 1.5 less."""
    i18n.set_language(language)
    app = application(Game("abapa", moves="A b C c E"), updates=made_up)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w")
        review = app.screen
        assert isinstance(review, ReviewScreen)
        await until(pilot, lambda: len(review.found) == 6)
        assert (review.lead(0), review.lead(1)) == (3.0, -3.0)
        assert [verdict.mark for verdict in review.review.verdicts] == ["", "?!", "?!", "?", "?"]
        assert "%" in str(review.query_one("#title").render())
        await pilot.press("home", "n")
        assert review.at == 4
        assert "c?" in str(review.query_one("#about").render())
        await pilot.press("n")
        assert review.at == 5
        await pilot.press("n")
        assert review.at == 5
        await pilot.press("p", "p")
        assert review.at == 4
        assert mistake.lower() in str(review.query_one("#about").render()).lower()
        await pilot.press("end", "pageup", "right", "v")
        assert review.at == 1
        assert review.flip
        await pilot.press("escape")
        assert app.screen is screen(app)


async def test_nothing_to_review(application: Callable) -> None:
    app = application()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w")
        assert app.screen is screen(app)
        assert "No move has been played yet" in said(app)


@pytest.mark.parametrize("plies", [1, 7, 300])
def test_the_curve_fits(plies: int) -> None:
    values = [None if n % 5 == 4 else (n % 9) - 4.0 for n in range(plies)]
    for at in (0, plies - 1):
        lines = curve(values, at, 60, 7).plain.split("\n")
        assert len(lines) == 7
        assert max(map(len, lines)) <= 65
        assert "●" in "".join(lines)


async def test_stored_games_and_the_leaderboard(application: Callable) -> None:
    store = Store()
    with store.transaction() as session:
        for moves, end, winner in (
            ("F f E", None, None),
            ("F f", "time", 1),
            ("A a B b", "resignation", 0),
            ("A a", "agreement", None),
        ):
            rated = end == "resignation"
            record = StoredGame(rules="abapa", moves=moves, south="Ada", north="greedy", end=end, winner=winner)
            record.rated = rated
            store.games.add(session, record)
    store.close()
    app = application(updates=made_up)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("m")
        stored = app.screen
        assert isinstance(stored, StoredGamesScreen)
        listed = stored.query_one(OptionList)
        await until(pilot, lambda: listed.option_count == 4)
        assert "Ada" in str(listed.get_option_at_index(0).prompt)
        assert listed.highlighted == 0
        for number, ended in enumerate(("agreement", "resignation-1", "time-0", None)):
            listed.highlighted = number
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
            assert app.screen.whole.ended == ended
            await pilot.press("escape")
        await pilot.press("tab")
        assert stored.board
        assert [str(option.prompt).split()[:3] for option in listed.options] == [
            ["1", "Ada", "abapa"],
            ["2", "greedy", "abapa"],
        ]
        await pilot.press("escape")
        assert app.screen is screen(app)


async def test_stored_games_are_filtered_by_words(application: Callable) -> None:
    store = Store()
    with store.transaction() as session:
        for rules, south in (
            ("abapa", "Ada Lovelace-Byron-Noel"),
            ("ghana", "Ada Lovelace-Byron-Noel"),
            ("abapa", "Kofi"),
        ):
            record = StoredGame(rules=rules, moves="", south=south, north="greedy", end="agreement")
            store.games.add(session, record)
    store.close()
    app = application(updates=made_up)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("m")
        stored = app.screen
        listed = stored.query_one(OptionList)
        await until(pilot, lambda: listed.option_count == 3)
        await pilot.press("slash", *"noel abapa")
        await until(pilot, lambda: listed.option_count == 1)
        await pilot.press("enter")
        assert listed.has_focus
        await pilot.press("escape")
        await until(pilot, lambda: listed.option_count == 3)
        await pilot.press("escape")
        assert app.screen is screen(app)


async def test_a_database_that_cannot_be_read_is_told(application: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWALE_DATABASE_URL", "sqlite:////proc/none/awale.sqlite")
    app = application()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("m")
        await until(pilot, lambda: str(app.screen.query_one("#note").render()) not in ("", "Reading ..."))
        await pilot.press("escape")
        assert app.screen is screen(app)
