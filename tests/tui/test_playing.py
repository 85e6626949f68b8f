"""Playing by keys and mouse, driven by Textual's pilot."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from awale import i18n
from awale.game import Game
from awale.local import saved_games
from awale.local.seats import LazyPlayer
from awale.match import Seat
from awale.players import BasePlayer, Choice
from awale.rules import presets
from awale.tui.board import BoardWidget, Layout
from awale.tui.dialogs import AskScreen, ReadScreen
from tests.tui.driving import keys_of, said, screen, until
from tests.waiting import GUARD

SIZE = (80, 24)


def place_of(app, pit: int) -> tuple[int, int]:
    """Where to click for a pit, from the board's own corner."""
    board = screen(app).query_one(BoardWidget)
    view = board.view
    layout = Layout.fit(view.rules, board.size.width, board.size.height)
    upper, lower = view.rules.rows(view.flip)
    row = upper if pit in upper else lower
    x = layout.left + 1 + row.index(pit) * (layout.wide + 1) + layout.wide // 2
    return x, layout.top + (2 if pit in upper else layout.high + 3)


@pytest.mark.parametrize("rules", presets.names())
async def test_a_whole_game_of_every_rules_against_random(application: Callable, rules: str) -> None:
    chance = random.Random(7)
    app = application(rules, north="random", seed=5)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        board = screen(app)
        for _ in range(400):
            await until(pilot, lambda: board.game.over or board.match.person_to_move or board.local.person_asked)
            if board.game.over:
                break
            if board.local.person_asked:
                await pilot.press("y")
                continue
            before = board.game.ply
            await pilot.press(*keys_of(board.game, chance.choice(board.game.legal_moves)))
            assert board.game.ply > before or board.game.over, said(app)
        outcome = board.game.outcome()
        assert outcome is not None
        sentence = outcome.sentence(coloured=board.game.rules.coloured)
        assert sentence[1:] in said(app).replace("\n", " ")
        assert not list(saved_games.unfinished_folder().glob("*.ogn"))


async def test_the_first_screen_is_whole_at_once(application: Callable) -> None:
    app = application("ghana")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert "South to move" in said(app)
        assert "awalé" in str(screen(app).query_one("#title").render())


async def test_clicks_play_and_hovering_shows_where_a_move_lands(application: Callable) -> None:
    app = application()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.hover("#board", offset=place_of(app, 5))
        assert "F: 4 seeds, the last one in d" in said(app)
        assert screen(app).query_one(BoardWidget).view.marks == {6: "+", 7: "+", 8: "+", 9: "◎"}
        await pilot.click("#board", offset=place_of(app, 5))
        assert [str(move) for move in screen(app).game.moves] == ["F"]
        await pilot.click("#board", offset=place_of(app, 0))
        assert "No: " in said(app)
        assert len(screen(app).game.moves) == 1
        await pilot.click("#board", offset=place_of(app, 8))
        assert [str(move) for move in screen(app).game.moves] == ["F", "c"]


@pytest.mark.parametrize("language", i18n.LANGUAGES)
async def test_refusals_say_why(application: Callable, language: str) -> None:
    i18n.set_language(language)
    game = Game.from_position("0-4-4-4-4-4-4-4-4-4-4-4-4-0-S")
    app = application(game)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a")
        assert game.why_illegal("A", language) in said(app)
        assert game.moves == ()


async def test_numbers_that_could_go_on_wait_for_enter(application: Callable) -> None:
    app = application(Game("ghana", moves="3"))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("1")
        assert "1_" in said(app)
        await pilot.press("2")
        assert str(screen(app).game.moves[-1]) == "12"
        await pilot.press("9")
        assert "No: " in said(app)


async def test_arrows_and_enter(application: Callable) -> None:
    app = application()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("right", "right", "left", "enter")
        assert str(screen(app).game.moves[-1]) == "B"
        await pilot.press("left", "enter")  # round the corner: North's pits lie the other way
        assert str(screen(app).game.moves[-1]) == "b"


async def test_a_hole_and_a_colour(application: Callable) -> None:
    app = application("tricolor")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("3")
        assert "Hole 3:  3R   3B   3TR   3TB" in said(app)
        await pilot.press("t", "b")
        assert str(screen(app).game.moves[-1]) == "3TB"
        await pilot.press("1", "4", "right", "enter")
        assert str(screen(app).game.moves[-1]) == "14B"
        await pilot.press("1", "r")
        assert str(screen(app).game.moves[-1]) == "1R"
        await pilot.click("#board", offset=place_of(app, 3))
        await pilot.press("escape")
        assert "Hole 4:  4R" not in said(app)
        await pilot.click("#board", offset=place_of(app, 3))
        screen(app).action_colour(2)
        assert str(screen(app).game.moves[-1]) == "4TR"
        await pilot.press("3", "enter")
        assert screen(app).entry.choice is None  # its only colour left, or refused with the reason
        await pilot.press("2")
        assert "No: " in said(app)


async def test_undo_and_redo(application: Callable) -> None:
    app = application(north="random")
    async with app.run_test(size=SIZE) as pilot:
        board = screen(app)
        await pilot.press("u")
        assert "no move to take back" in said(app)
        await pilot.press("c")
        await until(pilot, lambda: board.game.ply == 2)
        played = board.game.moves
        await pilot.press("u")
        assert board.game.moves == ()
        await pilot.press("r")
        assert board.game.moves == played
        await pilot.press("r")
        assert "no move to play again" in said(app)
        await pilot.press("x")
        assert "do you want to resign" in said(app)
        await pilot.press("n")
        assert not board.game.over
        await pilot.press("x", "y")
        assert board.game.ended == "resignation-0"
        await pilot.press("u")
        assert not board.game.over
        assert board.game.moves == played


async def test_hint_flip_copy(application: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("awale.local.seats.ADVISER", "greedy")
    app = application(Game("abapa", start="0-0-0-0-4-1-1-4-4-4-4-4-8-10-S"))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("t")
        await until(pilot, lambda: "Try F" in said(app))
        await pilot.press("v")
        assert screen(app).query_one(BoardWidget).view.flip
        await pilot.press("y")
        assert app.clipboard == screen(app).game.position
        assert screen(app).game.position in said(app)


async def test_an_offer_between_two_people(application: Callable) -> None:
    app = application(Game("abapa", moves="A a"))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("p")
        assert "do you accept" in said(app)
        await pilot.press("c")  # a move is no answer
        assert "do you accept" in said(app)
        await pilot.press("n")
        assert screen(app).game.end_offer is None
        await pilot.press("p", "y")
        assert screen(app).game.ended == "agreement"


async def test_an_offer_to_a_computer(application: Callable) -> None:
    app = application(Game("abapa", moves="A a"), north="random")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("p")
        await until(pilot, lambda: "declines" in said(app))
        await pilot.press("b")
        await until(pilot, lambda: screen(app).game.ply == 4)


async def test_save_and_open(application: Callable, tmp_path: Path) -> None:
    file = tmp_path / "game.ogn"
    app = application("ghana")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("3", "s")
        assert isinstance(app.screen, AskScreen)
        app.screen.query_one("Input").value = str(file)
        await pilot.press("enter")
        assert f"Saved in {file}" in said(app).replace("\n", "")
        assert saved_games.read(file).game() == screen(app).game
        await pilot.press("u", "o")
        app.screen.query_one("Input").value = str(file)
        await pilot.press("enter")
        assert [str(move) for move in screen(app).game.moves] == ["3"]
        await pilot.press("o")
        app.screen.query_one("Input").value = str(tmp_path / "none.ogn")
        await pilot.press("enter")
        assert "No: " in said(app)
        await pilot.press("s", "escape")
        assert app.screen is screen(app)


async def test_a_file_of_somebody_elses_is_replaced_only_when_asked_twice(
    application: Callable, tmp_path: Path
) -> None:
    file = tmp_path / "precious.txt"
    file.write_text("precious")
    app = application(Game("abapa", moves="A"))
    async with app.run_test(size=SIZE) as pilot:
        for expected in ("precious", "[Event"):
            await pilot.press("s")
            app.screen.query_one("Input").value = str(file)
            await pilot.press("enter")
            assert expected in file.read_text() or expected == "[Event"
        assert "precious" not in file.read_text()


async def test_kept_after_every_move(application: Callable) -> None:
    app = application("awari")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a")
        assert saved_games.read(saved_games.last_unfinished()).game() == screen(app).game
        await pilot.press("b")
        assert len(saved_games.read(saved_games.last_unfinished()).game().moves) == 2
        await pilot.press("q")
    assert len(saved_games.read(saved_games.last_unfinished()).game().moves) == 2


async def test_a_disk_that_refuses_does_not_stop_the_game(
    application: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "/there")

    monkeypatch.setattr(saved_games, "keep", full)
    app = application()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a")
        assert "cannot be saved" in said(app)
        assert screen(app).game.ply == 1


async def test_two_computers_are_watched_and_halted(application: Callable, slow_sowing: None) -> None:
    """Space halts them while a move is shown: between two moves of quick players there is no moment to press it."""
    app = application(south="random", north="greedy", pause=30.0)
    async with app.run_test(size=SIZE) as pilot:
        board = screen(app)
        await until(pilot, lambda: board.view.sowing is not None)
        for halted_at in (1, 2, 3):
            await pilot.press("space")
            assert board.local.paused
            assert board.game.ply == halted_at
            assert "Paused" in said(app)
            await asyncio.sleep(0.1)
            await pilot.pause()
            assert board.game.ply == halted_at
            assert board.query_one(BoardWidget).view.board == board.game.board
            await pilot.press("space")
            await until(pilot, lambda: board.view.sowing is not None)
            assert not board.local.paused


async def test_a_halt_while_a_computer_thinks(application: Callable) -> None:
    app = application(south="random", north="greedy")
    begun, go_on = threading.Event(), threading.Event()
    choose = app.local.match.seats[1].player.choose

    def slow(game: Game, clock: object = None) -> Choice:
        begun.set()
        assert go_on.wait(GUARD)
        return choose(game)

    app.local.match.seats[1].player.choose = slow
    async with app.run_test(size=SIZE) as pilot:
        board = screen(app)
        await until(pilot, begun.is_set)
        await pilot.press("space")
        assert board.local.paused
        go_on.set()
        await until(pilot, lambda: not app.local.thinking.locked())
        await pilot.pause()
        assert board.game.ply == 1  # the move found meanwhile is not played
        await pilot.press("space")
        await until(pilot, lambda: board.game.over)


@pytest.mark.parametrize(("language", "told"), [("en", "failed: "), ("fr", "a échoué")])
async def test_a_program_that_fails_loses_and_the_game_can_be_reopened(
    application: Callable, language: str, told: str
) -> None:
    i18n.set_language(language)
    app = application(north="random")
    player = app.local.match.seats[1].player
    choose, broken = player.choose, [True]

    def fail(game: Game, clock: object = None) -> Choice:
        if broken[0]:
            raise RuntimeError("out of luck")
        return choose(game)

    player.choose = fail
    async with app.run_test(size=SIZE) as pilot:
        board = screen(app)
        await pilot.press("a")
        await until(pilot, lambda: "out of luck" in said(app))
        assert told in said(app)
        assert (board.game.ended, board.game.outcome().winner) == ("crash-1", 0)
        await pilot.press("u")  # the program is not asked again at once
        assert (board.game.over, board.game.ply, board.local.paused) == (False, 1, True)
        await pilot.press("space")
        await until(pilot, lambda: board.game.over)
        await pilot.press("u", "u")  # back to the person's own move
        assert (board.game.ply, board.local.paused) == (0, False)
        broken[0] = False
        await pilot.press("b")
        await until(pilot, lambda: board.game.ply == 2)


async def test_an_illegal_move_of_a_program_loses(application: Callable) -> None:
    app = application(north="random")
    app.local.match.seats[1].player.choose = lambda game, clock=None: Choice(Game("abapa").legal_moves[0])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a")
        await until(pilot, lambda: screen(app).game.over)
        assert screen(app).game.ended == "illegal-1"
        assert "North (random) failed: A: " in said(app).replace("\n", " ")


async def test_sowing_is_shown_seed_by_seed_and_space_skips(application: Callable, slow_sowing: None) -> None:
    app = application("ghana", pause=30.0)
    async with app.run_test(size=SIZE) as pilot:
        board = screen(app)
        await pilot.press("3")
        assert board.game.ply == 1  # it counts, and is kept, before it is shown
        assert "lap 1 of 5" in said(app)
        assert sum(board.query_one(BoardWidget).view.board) == 44  # the handful is in the air
        await pilot.resize_terminal(100, 30)
        await pilot.resize_terminal(70, 20)
        await until(pilot, lambda: sum(board.query_one(BoardWidget).view.board) > 44)
        await pilot.press("space")
        assert board.query_one(BoardWidget).view.board == board.game.board
        assert "took 6" in said(app)


async def test_help_tells_every_key(application: Callable) -> None:
    from awale.tui.keys import COMMANDS

    app = application()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("?")
        assert isinstance(app.screen, ReadScreen)
        words = str(app.screen.query_one("Static").render())
        for name in COMMANDS.values():
            if name != "help":
                assert i18n.text(f"tui.help.{name}")[:20] in words
        await pilot.press("x")
        assert app.screen is screen(app)
        assert not screen(app).game.over


@pytest.mark.parametrize("name", ["undo", "redo", "hint", "offer", "resign", "review", "copy", "flip"])
async def test_every_command_answers_when_the_game_is_over(application: Callable, name: str) -> None:
    app = application(Game("abapa", moves="A a", ended="agreement"))
    async with app.run_test(size=SIZE) as pilot:
        screen(app).action_command(name)
        await pilot.pause()
        assert app.is_running


async def test_a_player_is_made_behind_the_board_and_before_it_is_asked(application: Callable) -> None:
    done: list[str] = []

    class Slow(BasePlayer):
        def __init__(self) -> None:
            done.append("made")

        def warm_up(self) -> None:
            done.append("warm")

        def choose(self, game: Game, clock: object = None) -> Choice:
            return Choice(game.legal_moves[0])

    app = application()
    match = app.local.match
    match.seats = (match.seats[0], Seat.of(LazyPlayer("engine:3", Slow)))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: done == ["made", "warm"])
        await until(pilot, lambda: not screen(app).view.preparing)
        await pilot.press("c")
        await until(pilot, lambda: match.ply == 2)
        assert done == ["made", "warm"]


async def test_an_answer_to_an_older_question_is_not_heard(application: Callable) -> None:
    go_on = threading.Event()
    app = application(north="random")
    player = app.local.match.seats[1].player

    def slow(game: Game, clock: object = None) -> Choice:
        assert go_on.wait(GUARD)
        return Choice(game.legal_moves[0])

    player.choose = slow
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("c")
        await pilot.press("u")  # taken back while the computer thinks about it
        go_on.set()
        await until(pilot, lambda: not app.local.thinking.locked())
        await pilot.pause()
        assert screen(app).game.moves == ()
        await pilot.press("d")
        await until(pilot, lambda: screen(app).game.ply == 2)
