"""The benchmark of perfect play counts results and seeds as they are."""

from __future__ import annotations

import pytest

from benchmarks.perfection import Question, Tally


@pytest.mark.parametrize(("move", "kept"), [("A", 1), ("B", 1), ("C", 0)])
def test_a_result_is_kept_by_any_move_that_wins(move: str, kept: int) -> None:
    tally = Tally()
    tally.add(Question("", ahead=-1, values={"A": 5, "B": 2, "C": 1}, deciding=True), move)
    assert (tally.deciding, tally.kept, tally.moves) == (1, kept, 0)


def test_seeds_are_lost_against_the_best_move() -> None:
    tally = Tally()
    tally.add(Question("", ahead=0, values={"A": 5, "B": 2}, deciding=False), "B")
    assert (tally.deciding, tally.moves, tally.lost) == (0, 1, 3)
