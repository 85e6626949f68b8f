"""Shipped puzzles, checked by other means than those that made them; puzzles with a wrong solution are found."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from awale.bounds import Bounds
from awale.rules import get, reference
from awale.training import PRESETS, Puzzle, PuzzleError, puzzles, read_puzzles, shipped
from awale.training.verify import verify
from tests.tables import oracle

SAMPLE = 50
SMALL = 9
"""Seeds on the board: their tables are solved in about a second."""


def small(preset: str) -> list[Puzzle]:
    found = [puzzle for puzzle in shipped(preset) if sum(puzzle.game().counts) <= SMALL]
    return found or list(shipped(preset)[:10])


def test_a_sample_of_fifty_is_verified_again() -> None:
    chance = random.Random(20)
    sample = [puzzle for preset in PRESETS for puzzle in chance.sample(small(preset), min(8, len(small(preset))))]
    for puzzle in chance.sample(sample, min(SAMPLE, len(sample))):
        assert verify(puzzle), puzzle.id


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_every_shipped_puzzle_is_verified_again(preset: str) -> None:
    assert [puzzle.id for puzzle in shipped(preset) if not verify(puzzle)] == []


def test_the_smallest_puzzles_are_right_in_plain_python() -> None:
    """Retrograde analysis over the reference rules, without compiled code."""
    values = oracle.solve_even(get("casabianca"), 5)
    found = [puzzle for puzzle in puzzles("casabianca") if sum(puzzle.game().counts) <= 5]
    assert len(found) >= 3
    for puzzle in found:
        game = puzzle.game()
        ahead = game.scores[game.turn] - game.scores[1 - game.turn]
        for move, step in reference.legal_steps(game.rules, game.state).items():
            child = step.board if game.turn else oracle.turned(step.board)
            margin = ahead + step.taken - values[child]
            assert puzzle.decisions[0].values[str(move)] == Bounds(margin, margin), (puzzle.id, move)


def test_a_move_that_reaches_the_move_limit_is_judged_by_the_end_of_the_game() -> None:
    """At move 99 of 100 every move ends the game: no table without the limit knows its value."""
    line = (
        '{"id":"x","rules":"upsti","position":"1-0-2-1-0-1-0-2-0-1-0-1-19-20-N-99","goal":"win","line":["5"],'
        '"values":[{"1":0,"3":0,"5":2}],"refutations":[{"1":[],"3":[]}],"themes":[],"rating":725,"proof":"table"}'
    )
    (puzzle,) = read_puzzles([line])
    assert verify(puzzle)
    right = puzzle.decisions[0]
    vague = replace(right, values=right.values | {"1": Bounds(-9, -1), "3": Bounds(-9, -1), "5": Bounds(0, 0)})
    with pytest.raises(PuzzleError, match="wrong solution"):
        verify(replace(puzzle, goal="draw", decisions=(vague,)))


def test_a_wrong_solution_is_found() -> None:
    puzzle = next(p for p in puzzles("casabianca") if p.goal == "win" and sum(p.game().counts) <= SMALL)
    right, wrong = puzzle.line[0], next(move for move in puzzle.decisions[0].values if move != puzzle.line[0])
    first = puzzle.decisions[0]
    values = {**first.values, wrong: first.values[right], right: first.values[wrong]}
    refutations = {move: line for move, line in first.refutations.items() if move != wrong}
    game = puzzle.game()
    game.push(right)
    refutations[right] = (str(game.legal_moves[0]),)
    forged = replace(puzzle, line=(wrong,), decisions=(replace(first, values=values, refutations=refutations),))
    forged.check()
    with pytest.raises(PuzzleError, match="wrong value"):
        verify(forged)
    bounds = {move: Bounds(-48, value.least) if value.least < 0 else Bounds(1, 48) for move, value in values.items()}
    vague = replace(puzzle, line=(wrong,), decisions=(replace(first, values=bounds, refutations=refutations),))
    with pytest.raises(PuzzleError, match="wrong solution"):
        verify(vague)
