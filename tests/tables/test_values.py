"""The values are right: published counts, published positions, a solver in plain Python, and games played out."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from importlib.resources import files

import pytest

from awale import Game
from awale.rules import get
from awale.tables import Tables
from awale.tables.codes import NO_VALUE, codes
from awale.tables.table import halves
from tests.tables import oracle

Make = Callable[[str, int], Tables]
PUBLISHED = json.loads(files("awale").joinpath("tables", "awari-histograms.json").read_text())
VILLAGE = "casabianca:capture=opposite,feeding=free,starved=passes,no_move=own-side"
SOWN = "awari:origin=sown,capture_counts=1+3+4,grand_slam=allowed,feeding=if-possible"


@pytest.mark.parametrize("seeds", range(13))
def test_awari_counts_are_the_published_ones(made: Make, seeds: int) -> None:
    exact = codes(seeds, "even").exact
    found = Counter(exact[code] for code in bytes(made("awari", 12).layer_bytes(seeds)))
    assert {str(value): count for value, count in found.items()} == PUBLISHED[str(seeds)]


def awari(mine: str, theirs: str) -> Game:
    pits = "-".join((mine + " " + theirs).split())
    return Game("awari", start=f"{pits}-0-0-S")


def test_published_positions(made: Make) -> None:
    tables = made("awari", 14)
    game = awari("1 1 1 1 1 2", "4 2 3 0 0 0")
    larger = made("awari", 16)
    assert larger.probe(game) == (0, True, 0, 0)
    assert [value.seeds for value in larger.probe_moves(game).values() if value] == [-1, -1, -2, -2, -2, 0]
    game = awari("0 1 0 0 1 0", "0 0 0 0 0 1")
    assert tables.probe(game) == (3, True, 3, 3)


def test_a_published_position_and_its_moves() -> None:
    game = awari("1 0 4 19 4 2", "1 1 3 1 0 0")
    assert {str(move): game.trace(move).taken for move in game.legal_moves} == {"A": 0, "C": 2, "D": 7, "E": 0, "F": 4}


@pytest.mark.slow
def test_a_published_position_of_eighteen_seeds(made: Make) -> None:
    game = awari("0 0 6 0 3 5", "2 1 1 0 0 0")
    value = made("awari", 18).probe(game)
    assert value is not None
    assert value.seeds == -2
    assert "C" not in [str(move) for move in game.legal_moves]


EVEN = [
    ("awari", 5),
    ("wikipedia", 6),
    ("casabianca", 5),
    ("ghana", 5),
    ("ghana-basic", 5),
    ("ghana4", 12),
    ("ghana-basic:pits=2", 12),
    ("parrains", 5),
    ("parrains:pits=2", 12),
    ("awari:pits=3", 9),
    ("casabianca:pits=2", 14),
    ("wikipedia:pits=4,few_seeds=2", 6),
    ("awari:pits=1", 20),
    ("ghana:pits=3", 8),
    (VILLAGE, 5),
    (VILLAGE + ",pits=2", 12),
    (SOWN, 5),
    (SOWN + ",pits=2", 12),
]


@pytest.mark.parametrize(("name", "seeds"), EVEN)
def test_equal_to_the_plain_solver(made: Make, name: str, seeds: int) -> None:
    tables = made(name, seeds)
    for board, wanted in oracle.solve_even(get(name), seeds).items():
        value = tables.probe_halves(*halves(board, 0))
        assert value is not None
        assert (value.seeds, value.exact) == (wanted, True), board


OPEN = [("abapa", 5), ("abapa:pits=3", 8), ("abapa:pits=2", 10), ("awari:repetition=own-side,pits=4", 6)]


@pytest.mark.parametrize(("name", "seeds"), OPEN)
def test_bounds_equal_to_the_plain_solver(made: Make, name: str, seeds: int) -> None:
    tables = made(name, seeds)
    for board, (low, high) in oracle.solve(get(name), seeds).items():
        value = tables.probe_halves(*halves(board, 0))
        assert value is not None
        assert (value.least, value.most, value.exact) == (low, high, low == high), board


@pytest.mark.parametrize("name", ["awari", "wikipedia", "casabianca", "ghana", "abapa"])
def test_random_positions_of_eight_seeds(made: Make, name: str) -> None:
    """One step of the plain solver at positions too many to solve them all."""
    tables = made(name, 8)
    rules = oracle.boundless(get(name))
    chosen = random.Random(8)
    for _ in range(400):
        board = [0] * 12
        for _ in range(chosen.randint(6, 8)):
            board[chosen.randrange(12)] += 1
        node = oracle.node(rules, tuple(board))
        value = tables.probe_halves(*halves(board, 0))
        assert value is not None
        if node.worth is not None:
            assert (value.least, value.most) == (node.worth, node.worth)
            continue
        lows, highs = [], []
        for taken, over, child in node.moves:
            after = tables.probe_halves(*halves(child, 0)) if not over else None
            lows.append(taken - after.most if after else taken)
            highs.append(taken - after.least if after else taken)
        assert (value.least, value.most) == (max(lows), max(highs)), board


@pytest.mark.slow
@pytest.mark.parametrize("name", ["awari", "wikipedia", "casabianca", "ghana", "ghana-basic"])
def test_all_positions_of_eight_seeds(made: Make, name: str) -> None:
    test_equal_to_the_plain_solver(made, name, 8)


@pytest.mark.slow
def test_all_bounds_of_eight_seeds(made: Make) -> None:
    test_bounds_equal_to_the_plain_solver(made, "abapa", 8)


@pytest.mark.parametrize("name", ["awari:pits=2", "abapa:pits=2", "wikipedia:pits=2,few_seeds=none", "abapa:pits=1"])
def test_games_played_out_end_as_the_table_says(made: Make, name: str) -> None:
    """Exact entries hold under the rule of repetition itself, with every line played to its end."""
    rules = get(name)
    if rules.repetition == "none":
        rules = rules.variant(repetition="nobody")
    tables = made(name, 4)
    exact = 0
    for seeds in range(5):
        for board in oracle.boards(rules.holes, seeds):
            value = tables.probe_halves(*halves(board, 0))
            assert value is not None
            played = oracle.played_out(rules, board)
            assert value.least <= played <= value.most, board
            exact += value.exact
    assert exact >= 5


@pytest.mark.parametrize(
    ("name", "seeds"),
    [
        ("upsti:pits=2,move_limit=30", 8),
        ("upsti", 5),
        ("upsti:pits=3", 6),
        ("upsti:pits=2,few_rest=nobody,move_limit=30", 8),
        ("wikipedia:pits=2,few_seeds=none,move_limit=30", 8),
        ("wikipedia:pits=3,move_limit=30,move_limit_rest=own-side", 8),
        ("casabianca:pits=2,no_move=own-side,move_limit=30", 8),
        ("awari:pits=3,repetition=none,move_limit=30", 6),
        ("ghana:pits=2,move_limit=30", 8),
        ("ghana-basic:pits=2,move_limit=30,move_limit_rest=own-side", 8),
    ],
)
def test_a_limit_of_moves(made: Make, name: str, seeds: int) -> None:
    """Entries hold with just as many moves left as they say, by the rules as they are, whoever gets the rest when the
    limit is reached; with fewer they are not claimed."""
    tables = made(name, seeds)
    rules = get(name)
    chosen = random.Random(3)
    held = 0
    for _ in range(200):
        board = [0] * rules.holes
        for _ in range(chosen.randint(2, seeds)):
            board[chosen.randrange(rules.holes)] += 1
        left = chosen.randint(1, 30)
        value = tables.probe_halves(*halves(board, 0), left)
        assert value is not None
        if value.exact:
            held += 1
            assert value.seeds == oracle.counted_value(rules, tuple(board), left), (board, left)
    assert held > 20


def test_codes_are_sound() -> None:
    for seeds in range(49):
        meaning = codes(seeds, "open")
        for value in range(-seeds, seeds + 1):
            assert meaning.exact[value & 255] == value
        for code in range(256):
            if meaning.exact[code] == NO_VALUE:
                assert -seeds <= meaning.least[code] <= meaning.most[code] <= seeds
