"""The report's player against a minimax written out from the report's words: the same values to the last bit."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from awale import Game
from awale.errors import AwaleError, GameStateError, RulesError
from awale.rules import Rules, get, reference
from awale.rules.moves import Move
from awale.rules.reference import Position
from awale.search import tricolor_2025

NAMES = ("raw", "defence", "corrected")
PAIRS = tuple(itertools.product(NAMES, NAMES))
F = np.float32


# -- the oracle: plain Python, no table, no pruning --------------------------------------------------------------------


def potential_captures(position: Position) -> int:
    board = position.board
    total = 0
    for hole in range(position.turn, len(board), 2):
        for seeds in board[hole]:  # type: ignore[union-attr]
            counts = list(reference.counts(board))
            counts[hole] -= seeds
            for n in range(1, seeds + 1):
                counts[(hole + n) % len(board)] += 1
            here = (hole + seeds) % len(board)
            while seeds and counts[here] in (2, 3):
                total += counts[here]
                counts[here] = 0
                here = (here - 1) % len(board)
    return total


def leaf_value(position: Position, name: str) -> np.float32:
    sides = [[hole for pit, hole in enumerate(position.board) if pit % 2 == player] for player in (0, 1)]
    lying = sum(map(sum, sides[0])) - sum(map(sum, sides[1]))  # type: ignore[arg-type]
    clear = sum(hole[2] for hole in sides[0]) - sum(hole[2] for hole in sides[1])  # type: ignore[index]
    captured = position.scores[0] - position.scores[1]
    sign = 1 if position.turn == 0 else -1
    threats = potential_captures(position)
    if name == "corrected":
        value = F(0.4) * (F(captured) / F(48)) + F(0.3) * (F(sign * threats) / F(16))
        value = value + F(0.2) * (F(lying) / F(48))
        value = value + F(0.1) * (F(clear) / F(16))
    elif name == "raw":
        value = F(0.4) * (F(sign * captured) / F(48)) + F(0.3) * (F(threats) / F(16))
        value = value + F(0.2) * (F(sign * lying) / F(48))
        value = value + F(0.1) * (F(sign * clear) / F(16))
    else:
        weak = sum(1 for hole in sides[position.turn] if sum(hole) in (1, 2))  # type: ignore[arg-type]
        safety = F(1) - F(weak) / F(16)
        value = F(0.25) * (safety if position.turn == 0 else -safety) + F(0.3) * (F(sign * threats) / F(16))
        value = value + F(0.25) * (F(captured) / F(48))
        value = value + F(0.06) * (F(lying) / F(48))
        value = value + F(0.04) * (F(clear) / F(16))
    return min(max(value, F(-1)), F(1))


def minimax(rules: Rules, position: Position, evals: tuple[str, str], depth: int) -> np.float32:
    south, north = position.scores
    seeds = sum(reference.counts(position.board))
    goal = (seeds + south + north) // 2 + 1
    own = reference.on_side(rules, position.board, position.turn)
    if south < goal and north < goal and seeds >= 10 and own == 0 and rules.starved == "ends":
        south, north = (south, north + seeds) if position.turn == 0 else (south + seeds, north)
        return F((south > north) - (north > south))
    if south >= goal or (seeds < 10 and south > north):
        return F(1)
    if north >= goal or (seeds < 10 and north > south):
        return F(-1)
    if seeds < 10:
        return F(0)
    if depth == 0:
        return leaf_value(position, evals[position.turn])
    if own == 0:
        return minimax(rules, position._replace(turn=1 - position.turn), evals, depth - 1)
    values = [
        minimax(rules, reference.after(rules, position, reference.step(rules, position, move)), evals, depth - 1)
        for move in reference.candidates(rules, position)
    ]
    return max(values) if position.turn == 0 else min(values)


def minimax_choice(game: Game, evals: tuple[str, str], depth: int) -> tuple[Move, np.float32]:
    best: tuple[Move, np.float32] | None = None
    for move in game.legal_moves:
        done = reference.step(game.rules, game.state, move)
        value = minimax(game.rules, reference.after(game.rules, game.state, done), evals, depth - 1)
        if best is None or (value > best[1] if game.turn == 0 else value < best[1]):
            best = move, value
    assert best is not None
    return best


# -- positions ---------------------------------------------------------------------------------------------------------


def reached(rules: Rules, rng: random.Random, most_moves: int) -> Game:
    """A position of a random game where few moves are possible."""
    while True:
        game = Game(rules)
        while not game.over:
            if len(game.legal_moves) <= most_moves and rng.random() < 0.2:
                return game
            game.push(rng.choice(game.legal_moves))


def scattered(rules: Rules, rng: random.Random, holes: int) -> Game:
    """A position that no game need reach, its seeds in a few holes: starved sides, laps round the ring, near wins."""
    while True:
        board = [[0, 0, 0] for _ in range(rules.holes)]
        chosen = [rng.randrange(rules.holes) for _ in range(holes)]
        for _ in range(rng.randrange(10, 50)):
            board[rng.choice(chosen)][rng.randrange(3)] += 1
        left = 96 - sum(map(sum, board))
        south = rng.randrange(max(0, left - 48), min(48, left) + 1)
        start = Position(tuple((r, b, t) for r, b, t in board), (south, left - south), rng.randrange(2))
        game = Game(rules, start=start)
        if not game.over:
            return game


def check(game: Game, evals: tuple[str, str], depth: int, search: tricolor_2025.ReportSearch | None = None) -> None:
    move, value = minimax_choice(game, evals, depth)
    choice = (search or tricolor_2025.ReportSearch(game.rules, evals)).choose(game, depth)
    assert (choice.move, choice.value) == (move, float(value)), (game, evals, depth)


# -- the tests ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_evaluations_agree_to_the_last_bit(name: str) -> None:
    rng = random.Random(17)
    for _ in range(400):
        game = scattered(get(rng.choice(["tricolor", "tricolor-2025"])), rng, rng.randrange(2, 17))
        assert tricolor_2025.evaluate(game, name) == float(leaf_value(game.state, name))


@pytest.mark.parametrize("rules", ["tricolor-2025", "tricolor"])
@pytest.mark.parametrize("evals", PAIRS, ids="-".join)
def test_choices_are_those_of_plain_minimax(rules: str, evals: tuple[str, str]) -> None:
    rng = random.Random(f"{rules}{evals}")
    # One search for all of them: what it remembers must never lead it astray.
    search = tricolor_2025.ReportSearch(rules, evals, entries=1 << 8)
    for depth, count, most in ((1, 12, 32), (2, 6, 10), (3, 3, 6)):
        for _ in range(count):
            check(reached(get(rules), rng, most), evals, depth, search)
            check(scattered(get(rules), rng, 3), evals, min(depth, 2), search)
    check(scattered(get(rules), rng, 2), evals, 3, search)


@pytest.mark.slow
@pytest.mark.parametrize("evals", PAIRS, ids="-".join)
def test_many_deeper_choices_are_those_of_plain_minimax(evals: tuple[str, str]) -> None:
    rng = random.Random(f"deep{evals}")
    for rules in ("tricolor-2025", "tricolor"):
        search = tricolor_2025.ReportSearch(rules, evals)
        for depth, count, most in ((2, 60, 20), (3, 30, 10), (4, 10, 6)):
            for _ in range(count):
                check(reached(get(rules), rng, most), evals, depth, search)
                check(scattered(get(rules), rng, 2), evals, min(depth, 3), search)


def test_a_pass_costs_a_level() -> None:
    """J1 can starve J2: the tree below has passes at every depth."""
    rng = random.Random(23)
    rules = get("tricolor-2025")
    seen = 0
    while seen < 12:
        game = scattered(rules, rng, 2)
        if any(reference.play(rules, game.state, move).passed for move in game.legal_moves):
            seen += 1
            for depth in (1, 2, 3) if len(game.legal_moves) <= 3 else (1, 2):
                check(game, rng.choice(PAIRS), depth)


def test_of_equal_moves_the_first_is_played() -> None:
    game = Game("tricolor-2025")
    values = [minimax_value(game, move) for move in game.legal_moves]
    best = max(values)
    assert values.count(best) > 1
    assert tricolor_2025.choose(game, ("corrected", "corrected"), 1).move == game.legal_moves[values.index(best)]


def minimax_value(game: Game, move: Move) -> float:
    after = reference.after(game.rules, game.state, reference.step(game.rules, game.state, move))
    return float(minimax(game.rules, after, ("corrected", "corrected"), 0))


def test_a_small_memory_changes_nothing() -> None:
    rng = random.Random(29)
    for _ in range(6):
        game = reached(get("tricolor-2025"), rng, 20)
        choices = [
            tricolor_2025.ReportSearch(game.rules, ("raw", "defence"), entries=entries).choose(game, 5)
            for entries in (1, 16, 1 << 16)
        ]
        assert len({(choice.move, choice.value) for choice in choices}) == 1


def test_the_depth_follows_the_seeds_left() -> None:
    def depth(captured: int) -> int:
        board = ((0, 0, 96 - captured), *[(0, 0, 0)] * 15)
        return tricolor_2025.depth_for(Game("tricolor-2025", start=Position(board, (captured, 0), 0)), "adaptive")

    assert [depth(n) for n in (0, 14, 15, 28, 29, 67, 68, 76, 77, 95)] == [6, 6, 7, 7, 8, 8, 9, 9, 10, 10]


def test_small_rings_too() -> None:
    rng = random.Random(31)
    for name in ("tricolor-2025:pits=2", "tricolor:pits=3,seeds=2", "tricolor-2025:pits=5"):
        for _ in range(5):
            game = Game(name)
            for _ in range(rng.randrange(4)):
                if not game.over:
                    game.push(rng.choice(game.legal_moves))
            if not game.over:
                check(game, rng.choice(PAIRS), 2)


def test_what_cannot_be_is_refused() -> None:
    game = Game("tricolor")
    with pytest.raises(AwaleError, match="raw, defence, corrected"):
        tricolor_2025.choose(game, ("raw", "best"))
    with pytest.raises(AwaleError, match="adaptive"):
        tricolor_2025.choose(game, depth=0)
    with pytest.raises(AwaleError, match="adaptive"):
        tricolor_2025.choose(game, depth="deep")  # type: ignore[arg-type]
    with pytest.raises(AwaleError, match="power of two"):
        tricolor_2025.ReportSearch("tricolor", entries=100)
    with pytest.raises(RulesError, match="does not play these rules"):
        tricolor_2025.choose(Game("abapa"))
    with pytest.raises(RulesError, match="tricolor-2025"):
        tricolor_2025.ReportSearch("tricolor-2025").choose(game)
    game.resign()
    with pytest.raises(GameStateError, match="over"):
        tricolor_2025.choose(game)


def test_without_the_compiler() -> None:
    program = (
        "import random\n"
        "from awale.kernels.jit import COMPILER_OFF\n"
        "from tests.search import test_tricolor_2025 as t\n"
        "assert COMPILER_OFF\n"
        "rng = random.Random(37)\n"
        "for evals in t.PAIRS:\n"
        "    t.check(t.reached(t.get('tricolor-2025'), rng, 5), evals, 2)\n"
        "    t.check(t.scattered(t.get('tricolor'), rng, 2), evals, 3)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
