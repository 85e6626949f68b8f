"""Limits, values from either point of view, and the one JSON form of an analysis."""

from __future__ import annotations

import pytest

from awale import Game, i18n
from awale.errors import AwaleError
from awale.search.analysis import Value
from awale.search.engine import SearchEngine, entries_of
from awale.search.limits import Limit


@pytest.mark.parametrize(
    ("name", "value"), [("time", -1.0), ("depth", 65), ("nodes", 0), ("threads", 0), ("hash_mb", -1)]
)
def test_limits_out_of_range_are_refused_in_both_languages(name: str, value: int) -> None:
    with pytest.raises(AwaleError, match=f"{name}: must be from") as refused:
        Limit(**{name: value})
    assert refused.value.sentence("fr").startswith(f"{name}\N{NARROW NO-BREAK SPACE}: doit être compris entre")


def test_a_value_from_the_other_side() -> None:
    lost = Value(-3.5, player=1, most=-1, plies=4)
    assert lost.pov(1) is lost
    assert lost.pov(0) == Value(3.5, player=0, least=1, plies=4)
    assert str(Value(0.0, player=0).pov(1)) == "+0.00"
    i18n.set_language("fr")
    assert str(Value(-1.25, player=0)) == "-1,25"


@pytest.mark.parametrize(
    ("least", "most", "result", "margin", "shown"),
    [
        (None, None, None, None, "+2.50"),
        (-4, 6, None, None, "+2.50"),
        (1, 6, 1, None, "≥+1"),
        (0, 6, None, None, "≥+0"),
        (-4, 0, None, None, "≤+0"),
        (-4, -1, -1, None, "≤-1"),
        (0, 0, 0, 0, "=+0"),
        (3, 3, 1, 3, "=+3"),
    ],
)
def test_result_margin_and_bounds_are_claimed_one_by_one(
    least: int | None, most: int | None, result: int | None, margin: int | None, shown: str
) -> None:
    value = Value(2.5, 0, least, most)
    assert (value.result, value.margin, str(value)) == (result, margin, shown)
    assert (value.as_json()["least"], value.as_json()["most"]) == (least, most)


def test_json_from_both_points_of_view() -> None:
    game = Game("abapa", moves="F f E")
    found = SearchEngine("abapa", hash_mb=1).analyse(game, Limit(depth=6), every_move=True)
    mover, south = found.as_json(), found.as_json(pov=0)
    assert (mover["turn"], mover["pov"], south["pov"]) == (1, 1, 0)
    assert mover["best"] == mover["line"][0] == str(found.best)
    assert south["value"]["seeds"] == -mover["value"]["seeds"]
    assert [m["seeds"] for m in south["moves"]] == [0.0 - m["seeds"] for m in mover["moves"]]
    assert {m["pit"] for m in south["moves"]} == {move.pit for move in game.legal_moves}


def test_threads_and_hash_of_a_limit_replace_those_of_the_engine() -> None:
    engine = SearchEngine("abapa", hash_mb=1)
    engine.analyse(Game("abapa"), Limit(depth=4, hash_mb=4, threads=2))
    assert len(engine._tt) == entries_of(4)
    assert engine.threads == 1
