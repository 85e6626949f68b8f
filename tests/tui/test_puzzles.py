"""Puzzles on the full screen: solved, refuted, helped, explained, counted; reached from a game and from its start."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from awale import i18n
from awale.training import Puzzle, Session, Solve, puzzles
from awale.training.progress import ProgressFile
from awale.tui.app import PuzzleApp, Settings
from awale.tui.board import BoardWidget
from awale.tui.dialogs import ReadScreen
from awale.tui.new_game import NewGameScreen
from awale.tui.puzzles import PuzzleScreen
from tests.tui.driving import keys_of, screen, until
from tests.tui.driving import said as said_in_game

SIZE = (80, 24)
LONG = next(puzzle for puzzle in puzzles("casabianca") if len(puzzle.decisions) > 1)


def app_of(*found: Puzzle, pause: float = 0.0) -> PuzzleApp:
    return PuzzleApp(Session(found, "Ama"), Settings(pause=pause))


def shown(app: PuzzleApp) -> PuzzleScreen:
    assert isinstance(app.screen, PuzzleScreen)
    return app.screen


def said(app: PuzzleApp) -> str:
    return str(shown(app).query_one("#say").render())


def wrong_move(solve: Solve) -> str:
    return next(iter(solve.decision.refutations))


async def solve_by_keys(pilot: object, solve: Solve) -> None:
    while not solve.done:
        await pilot.press(*keys_of(solve.game, solve.solution))  # type: ignore[attr-defined]


@pytest.mark.parametrize("language", i18n.LANGUAGES)
async def test_solved_at_the_first_try_and_explained(language: str) -> None:
    i18n.set_language(language)
    app = app_of(LONG)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert LONG.id in str(shown(app).query_one("#title").render())
        await pilot.press("w")
        assert isinstance(app.screen, PuzzleScreen), "no explanation before the solution"
        await solve_by_keys(pilot, shown(app).solve)
        assert i18n.text("puzzles.say.solved-first") in said(app)
        assert shown(app).session.progress.streak == 1
        assert shown(app).query_one(BoardWidget).view.board == shown(app).solve.game.board
        await pilot.press("w")
        assert isinstance(app.screen, ReadScreen)
        assert shown_page(app).startswith(i18n.text("tui.puzzles.explanation"))
        await pilot.press("escape", "q")
    kept = ProgressFile().load("Ama", "casabianca")
    assert kept.tried == {LONG.id: True}
    assert kept.strength.rating > 1500


def shown_page(app: PuzzleApp) -> str:
    return str(app.screen.query("Static").last().render())


async def test_a_wrong_move_is_refuted_on_the_board_and_taken_back(slow_sowing: None) -> None:
    app = app_of(LONG, pause=30.0)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        solve = shown(app).solve
        before = solve.game.board
        wrong = wrong_move(solve)
        after = solve.game.copy()
        for move in (wrong, *solve.decision.refutations[wrong]):
            after.push(move)
        await pilot.press(*keys_of(solve.game, solve.game.parse(wrong)))
        assert shown(app).sowing is not None
        await pilot.press("space")
        board = shown(app).query_one(BoardWidget)
        assert board.view.board == after.board
        assert wrong in said(app)
        assert solve.mistakes == 1
        await pilot.press("space")
        assert board.view.board == before
        assert board.view.legal
        # A key that belongs to a move takes it back and enters it.
        await pilot.press(*keys_of(solve.game, solve.game.parse(wrong)), "space")
        await pilot.press(*keys_of(solve.game, solve.solution))
        assert len(solve.game.moves) > 0


async def test_hints_the_solution_and_the_next_puzzle() -> None:
    first, second = puzzles("ghana")[:2]
    app = app_of(first, second)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("t")
        solve = shown(app).solve
        assert solve.hints == 1
        await pilot.press("t")
        assert str(solve.solution) in said(app)
        assert shown(app).entry.cursor == solve.solution.pit
        await pilot.press("x")
        assert solve.done
        assert "The solution:" in said(app)
        assert shown(app).session.progress.tried == {solve.puzzle.id: False}
        await pilot.press("enter")
        assert {solve.puzzle.id, shown(app).solve.puzzle.id} == {first.id, second.id}
        # Left without an attempt, it is not counted.
        await pilot.press("n")
        assert "last of these puzzles" in said(app)
        await pilot.press("v", "y", "?")
        assert isinstance(app.screen, ReadScreen)
        await pilot.press("escape", "escape")
    assert list(ProgressFile().load("Ama", "ghana").tried) == [solve.puzzle.id]


async def test_an_illegal_move_is_refused_and_a_click_plays() -> None:
    app = app_of(LONG)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        solve = shown(app).solve
        empty = next(p for p in range(12) if not solve.game.counts[p] and solve.game.rules.owner(p) == solve.side)
        board = shown(app).query_one(BoardWidget)
        board.post_message(BoardWidget.Chosen(empty))
        await pilot.pause()
        assert solve.mistakes == 0
        assert said(app).splitlines()[2]
        board.post_message(BoardWidget.Chosen(solve.solution.pit))
        await until(pilot, lambda: solve.game.moves)


@pytest.mark.parametrize("preset", ["tricolor", "upsti"])
async def test_other_rules_and_sizes(preset: str) -> None:
    puzzle = puzzles(preset)[-1]
    app = app_of(puzzle)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await solve_by_keys(pilot, shown(app).solve)
        why = shown(app).query_one("#why")
        assert why.has_class("shown"), "beside the board where there is room"
        assert puzzle.line[0] in str(why.render())
        await pilot.resize_terminal(*SIZE)
        await pilot.pause()
        assert not why.has_class("shown")


async def test_from_a_game_and_back(application: Callable) -> None:
    app = application("casabianca")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("exclamation_mark")
        assert shown(app).solve.puzzle.rules.name == "casabianca"
        await pilot.press("q")
        assert app.screen is screen(app)


async def test_from_the_new_game_screen_and_back(application: Callable) -> None:
    app = application(ask=True)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press("f6")
        assert shown(app).solve.puzzle.rules.name == "abapa"
        await pilot.press("escape")
        assert isinstance(app.screen, NewGameScreen)
        app.screen.query_one("#rules-text").value = "ghana-basic"
        await pilot.press("f6")
        await until(pilot, lambda: "no puzzles are shipped" in str(app.screen.query_one("#problem").render()))


async def test_progress_that_cannot_be_read_or_written_is_told(
    application: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = ProgressFile()
    file.path.parent.mkdir(parents=True, exist_ok=True)
    file.path.write_text("nonsense")
    app = application("casabianca")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("exclamation_mark")
        assert app.screen is screen(app)
        assert "puzzles.json" in said_in_game(app)
    assert file.path.read_text() == "nonsense"
    file.path.write_text(json.dumps({}))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ProgressFile, "save", full)
    app = app_of(LONG)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("x")
        assert "puzzles.json" in said(app)
        assert shown(app).solve.done
