"""Position strings: the oware engines' form, its extensions, and PlayStrategy's."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from awale import Game, Position, PositionError, Rules
from awale.rules import all_rules, get, positions, reference
from awale.rules.description import MAX_SEEDS

STARTS = [
    ("abapa", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"),
    ("ghana4", "4-4-4-4-0-0-S"),
    ("upsti", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"),
    ("tricolor", "-".join(["2.2.2"] * 16) + "-0-0-S"),
    ("casabianca:pits=1", "4-4-0-0-S"),
    ("abapa:pits=12,seeds=10", "-".join(["10"] * 24) + "-0-0-S"),
]


@pytest.mark.parametrize(("rules", "text"), STARTS)
def test_starts(rules: str, text: str) -> None:
    known = get(rules)
    assert positions.write(known, reference.start(known)) == text
    for spelling in (text, text.lower(), f"  {text}\n", text.replace("-", " "), "startpos", " StartPos "):
        assert positions.read(known, spelling) == reference.start(known)
    assert Game.from_position(text, rules=rules) == Game(rules)


@st.composite
def any_position(draw: st.DrawFn) -> tuple[Rules, Position]:
    """Any board, scores, side and number of moves that these rules could meet, and many that they could not."""
    base = draw(st.sampled_from(list(all_rules())))
    pits = draw(st.integers(1, 8 if base.coloured else 12))
    rules = base.variant(pits=pits, seeds=1)
    rng = random.Random(draw(st.integers(0, 2**32)))
    counts = [0] * (rules.holes * (3 if rules.coloured else 1) + 2)
    for _ in range(draw(st.integers(0, MAX_SEEDS))):
        counts[rng.randrange(len(counts))] += 1
    south, north = counts.pop(), counts.pop()
    board: Any = tuple(zip(*[iter(counts)] * 3, strict=True)) if rules.coloured else tuple(counts)
    ply = draw(st.integers(0, 999)) if rules.move_limit is not None else 0
    return rules, Position(board, (south, north), draw(st.sampled_from([0, 1])), ply)


@given(case=any_position())
def test_round_trip_on_all_sizes(case: tuple[Rules, Position]) -> None:
    rules, position = case
    text = positions.write(rules, position)
    assert positions.read(rules, text) == position
    assert positions.write(rules, positions.read(rules, text)) == text


@pytest.mark.parametrize("name", [rules.name for rules in all_rules()])
def test_round_trip_along_a_game(name: str) -> None:
    rng = random.Random(name)
    game = Game(name)
    while not game.over and game.ply < 120:
        game.push(rng.choice(game.legal_moves))
        again = Game.from_position(game.position, rules=name)
        assert again.position == game.position
        if not game.over and get(name).repetition == "none":
            assert again.legal_moves == game.legal_moves


def test_the_number_of_moves_is_kept_where_it_matters_only() -> None:
    upsti = Game("upsti", moves="5 5 4")
    assert upsti.position.endswith("-N-3")
    assert Game.from_position(upsti.position, rules="upsti").ply == 3
    abapa = Game("abapa", moves="FfE")
    assert abapa.position.endswith("-N")
    assert positions.read(get("abapa"), abapa.position + "-3") == positions.read(get("abapa"), abapa.position)
    # The start of a game says nothing about moves.
    assert Game("upsti").position.endswith("-S")


def test_either_name_of_a_side() -> None:
    board = "-".join(["2.2.2"] * 16)
    tricolor = get("tricolor")
    assert positions.read(tricolor, f"{board}-0-0-J2") == positions.read(tricolor, f"{board}-0-0-N")
    assert positions.read(tricolor, f"{board}-0-0-j1-7").ply == 7


PLAYSTRATEGY = [
    ("4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"),
    # North's row comes first, as South sees it; a bare number counts empty pits.
    ("1S,2S,3S,4S,5S,6S/7S,8S,9S,10S,11S,12S 3 4 N 12", "7-8-9-10-11-12-6-5-4-3-2-1-3-4-N"),
    ("6/5,1S 20 27 s", "0-0-0-0-0-1-0-0-0-0-0-0-20-27-S"),
    ("2,1S,3/1S,1,2S,3 0 44 N 60", "1-0-2-0-0-0-0-0-0-1-0-0-0-44-N"),
]


@pytest.mark.parametrize(("text", "ours"), PLAYSTRATEGY)
def test_playstrategy(text: str, ours: str) -> None:
    rules = get("abapa")
    assert positions.write(rules, positions.read(rules, text)) == ours


@pytest.mark.parametrize(
    ("rules", "text", "problem"),
    [
        ("abapa", "", "empty text"),
        ("abapa", "  \n", "empty text"),
        ("abapa", "4" * 2000, "too long for a position: 2000 characters"),
        ("abapa", "4-4", "2 parts, but abapa needs 15: 12 pits"),
        ("abapa", "4-4-4-4-4-4-4-4-4-4-4-4-0-0", "14 parts"),
        ("abapa", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S-1-1", "17 parts"),
        ("abapa", "4-x-4-4-4-4-4-4-4-4-4-4-0-0-S", "pit 2: 'x' must be a number"),
        ("abapa", "4-4-4-4-4-4-4-4-4-4-4-4.0-0-0-S", r"pit 12: '4\.0'"),
        ("abapa", "4-4-4-4-4-4-4-4-4-4-4-1234-0-0-S", "pit 12: '1234'"),
        ("abapa", "4-4-4-4-4-4-4-4-4-4-4-٤-0-0-S", "pit 12: '٤'"),
        ("abapa", "4-4-4-4-4-4-4-4-4-4-4-4-x-0-S", "the store of South: 'x'"),
        ("abapa", "4-4-4-4-4-4-4-4-4-4-4-4-0-x-S-5", "the store of North: 'x'"),
        ("abapa", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-W", "part 15 must be the side to move, S or N, not 'W'"),
        ("abapa", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S-x", "number of moves played, not 'x'"),
        ("upsti", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S-1234567", "number of moves played"),
        ("abapa", "200-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "244 seeds in all; the maximum is 240"),
        ("abapa", "4-4-4-4-4-4-4-4-4-4-4-4-99-99-S", "246 seeds in all"),
        ("abapa", "-".join(["2.2.2"] * 12) + "-0-0-S", r"pit 1: '2\.2\.2'"),
        ("tricolor", "-".join(["2"] * 16) + "-0-0-S", "hole 1: '2' must be red.blue.transparent"),
        ("tricolor", "-".join(["2.2"] * 16) + "-0-0-S", r"hole 1: '2\.2'"),
        ("tricolor", "4S,4S/4S,4S 0 0 S 1", "parts, but tricolor"),
        ("abapa", "4S/4S", "a position with '/' must read"),
        ("abapa", "4S/4S/4S 0 0 S 1", "a position with '/' must read"),
        ("abapa", "6/6 0 0 S 1 1", "a position with '/' must read"),
        ("abapa", "4S,4S/4S,4S 0 0 S 1", "a row of 2 pits, but abapa has 6"),
        ("abapa", "999/6 0 0 S 1", "a row of 7 pits"),
        ("abapa", "x,5/6 0 0 S 1", "'x' must be seeds as in 4S"),
        ("abapa", "6/6 0 0 W 1", "'W' must be the side to move"),
        ("abapa", "6/6 x 0 S 1", "the store of South: 'x'"),
        ("abapa", "6/6 200 200 S 1", "400 seeds in all"),
    ],
)
def test_what_is_refused(rules: str, text: str, problem: str) -> None:
    with pytest.raises(PositionError, match=problem):
        positions.read(get(rules), text)
    with pytest.raises(PositionError) as caught:
        Game.from_position(text, rules=rules)
    assert caught.value.sentence("fr") != str(caught.value)


@pytest.mark.parametrize("value", [None, 5, b"4-4", ["4"]])
def test_positions_are_texts(value: Any) -> None:
    with pytest.raises(PositionError, match="a position is a text"):
        positions.read(get("abapa"), value)


PIECES = st.sampled_from(
    ["4", "0", "-", " ", "S", "n", "/", ",", "4S", "2.2.2", ".", "startpos", "J1", "240", "x", "\n", "²"]
)


@given(text=st.text() | st.lists(PIECES, max_size=60).map("".join), name=st.sampled_from([r.name for r in all_rules()]))
@example("-" * 20, "abapa")
@example("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S-", "abapa")
@example("-4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "abapa")
def test_any_text(text: str, name: str) -> None:
    rules = get(name)
    try:
        position = positions.read(rules, text)
    except PositionError:
        return
    assert positions.read(rules, positions.write(rules, position)) == position
    Game(rules, start=position)
