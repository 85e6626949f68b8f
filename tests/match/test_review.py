"""What a review claims of a move."""

from __future__ import annotations

import pytest

from awale import Game
from awale.match.review import Review
from awale.search.analysis import Analysis, MoveValue, Value


@pytest.mark.parametrize("least", [-6, -3])
def test_a_move_as_good_as_the_best_one_is_exact_only_where_its_own_value_is(least: int) -> None:
    game = Game("awari:pits=3,seeds=2", start="0-0-1-1-1-0-6-3-N", moves=["b"])
    before = game.root()
    a, b = before.parse("a"), before.parse("b")
    best, played = Value(-3.0, 1, -3, -3), Value(-3.0, 1, least, -3)
    moves = (MoveValue(a, best), MoveValue(b, played))
    analysis = Analysis(game.rules, "", 1, 64, best, (a,), moves, 0, 0.0, final=True)
    verdict = Review(game).add(0, analysis)
    assert (verdict.after, verdict.loss) == (3.0, 0.0)
    assert verdict.exact == (least == -3)
