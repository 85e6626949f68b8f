"""Perft by the kernels: published counts, the reference, and every way of counting against the others."""

from __future__ import annotations

import random

import pytest

from awale import Game
from awale.errors import AwaleError
from awale.kernels import convert
from awale.kernels import perft as room
from awale.rules import all_rules, reference
from tests.kernels import oracle

ABAPA = (1, 6, 36, 190, 1014, 5219, 27332, 139157, 711414, 3592872, 18137964, 91558687)


@pytest.mark.parametrize("depth", range(len(ABAPA)))
def test_abapa_from_the_start(depth: int) -> None:
    assert room.perft(Game("abapa"), depth).leaves == ABAPA[depth]


@pytest.mark.parametrize("name", [rules.name for rules in all_rules()])
def test_every_preset_counts_like_the_reference(name: str) -> None:
    game = Game(name)
    depth = 3 if game.rules.coloured else 5
    assert room.perft(game, depth).leaves == room.perft(game, depth, slowly=True).leaves > 0


def positions(count: int, seed: str) -> list[Game]:
    """Games under village rules from any position: endings, repetitions and passes lie close by."""
    rng = random.Random(seed)
    games: list[Game] = []
    while len(games) < count:
        rules = oracle.random_lap_rules(rng, pits=(1, 4))
        game = Game(rules, start=oracle.random_position(rules, rng))
        if not game.over:
            games.append(game)
    return games


@pytest.mark.parametrize("game", positions(60, "perft"), ids=str)
def test_any_village_rules_count_like_the_reference(game: Game) -> None:
    assert room.perft(game, 6).leaves == reference.perft(game.rules, game.state, 6)


def test_repetition_cuts_lines() -> None:
    # Each side walks a single seed round its own side of a tiny board: lines come back within the depth.
    position = "1-0-1-0-0-0-S"
    with_rule = Game("abapa:pits=2,win_at=none", start=position)
    without = Game("wikipedia:pits=2,win_at=none,few_seeds=none", start=position)
    assert room.perft(with_rule, 14).leaves == room.perft(with_rule, 14, slowly=True).leaves
    assert room.perft(with_rule, 14).leaves < room.perft(without, 14).leaves


def test_the_fast_loops_and_the_general_recursion_agree() -> None:
    for name in ("abapa", "awari", "upsti", "casabianca", "wikipedia"):
        k, state = convert.pack_game(Game(name))
        repetition = k.endings.repetition >= 0
        fast = room.counts(k, state, 7, repetition=repetition)
        assert room.counts(k, state, 7, repetition=repetition, generally=True) == fast


def test_captured_seeds_of_the_last_moves() -> None:
    game = Game("abapa")
    taken = 0
    for first in game.legal_moves:
        game.push(first)
        for second in game.legal_moves:
            game.push(second)
            for third in game.legal_moves:
                game.push(third)
                taken += sum(game.trace(move).taken for move in game.legal_moves)
                game.pop()
            game.pop()
        game.pop()
    assert room.perft(game, 4).captured == taken > 0


@pytest.mark.parametrize("name", ["abapa", "ghana", "tricolor", "abapa:pits=8", "ghana-basic"])
@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_divide_adds_up(name: str, depth: int) -> None:
    game = Game(name)
    below = room.divide(game, depth)
    assert below == room.divide(game, depth, slowly=True)
    assert sum(below.values()) == (room.perft(game, depth).leaves if depth else 0)


def test_divide_knows_where_the_first_move_came_from() -> None:
    game = Game("abapa:pits=2,win_at=none", start="1-0-1-0-0-0-S")
    assert sum(room.divide(game, 12).values()) == room.perft(game, 12).leaves


def test_a_game_that_is_over_has_no_lines() -> None:
    game = Game("abapa", start="4-4-4-4-0-0-0-0-0-0-0-0-32-0-S")
    assert game.over
    assert room.perft(game, 3).leaves == 0
    assert room.perft(game, 0).leaves == 1
    assert room.divide(game, 3) == {}


@pytest.mark.parametrize("depth", [-1, 65])
def test_depths_beyond_reason_are_refused(depth: int) -> None:
    with pytest.raises(AwaleError, match="depth"):
        room.perft(Game("abapa"), depth)


@pytest.mark.parametrize("name", ["abapa", "wikipedia", "ghana", "tricolor", "awari"])
def test_a_count_in_parts_is_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(name)
    whole = room.perft(game, 5)
    shares: list[float] = []
    monkeypatch.setattr(room, "PART_DEPTH", 2)
    parts = room.perft(game, 5, report=shares.append)
    assert parts[:2] == whole[:2]
    assert shares == sorted(shares)
    assert shares[-1] <= 1.0 + 1e-9
    assert sum(room.divide(game, 5).values()) == whole.leaves
