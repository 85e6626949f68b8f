"""The levels: the same moves on any machine, and what the weak ones overlook. `python -m benchmarks levels` measures
that each beats the one below."""

from __future__ import annotations

import pytest

from awale import Game
from awale.players import make
from awale.players.engine_player import LADDERS, LEVELS, EnginePlayer
from awale.players.spec import PlayerSpec
from awale.rules import get

MIDDLE = "F f B c E d C b"


def test_no_level_is_limited_by_time() -> None:
    for levels in LADDERS.values():
        assert sorted(levels) == list(range(1, 9))
        assert all((level.depth is None) != (level.nodes is None) for level in levels.values())
        assert [level.oversight for level in levels.values()][-2:] == [0.0, 0.0]


@pytest.mark.parametrize("level", [1, 4, 7])
def test_a_used_player_plays_as_a_new_one(level: int) -> None:
    game = Game("abapa", moves=MIDDLE)
    fresh = make(f"engine:{level}", "abapa", seed=3)
    used = make(f"engine:{level}", "abapa", seed=3)
    assert isinstance(used, EnginePlayer)
    used._engine.analyse_inline(Game("abapa", moves="F f"), 6)
    for _ in range(4):
        move = fresh.choose(game).move
        assert used.choose(game).move == move
        game.push(move)


def test_positions_searched_are_limited() -> None:
    player = make("engine:nodes=3000", "abapa")
    game = Game("abapa", moves=MIDDLE)
    first = player.choose(game)
    assert first.nodes is not None
    assert 0 < first.nodes < 8000
    assert player.choose(game) == first


def test_the_first_level_sees_what_it_can_take_and_overlooks_only_long_sowings() -> None:
    rules = get("abapa")
    # A takes five seeds with one seed to sow; F, with sixteen, is a long way round.
    game = Game(rules, start="0-0-0-0-0-16-1-2-4-4-4-4-6-7-S")
    near = Game(rules, start="0-0-0-0-1-2-1-2-4-4-4-4-10-12-S")
    best = max(near.legal_moves, key=lambda move: near.trace(move).taken)
    found = [EnginePlayer(PlayerSpec.parse("engine:1"), rules, seed) for seed in range(30)]
    level = LEVELS[1]
    assert all(player.choose(near).move == best for player in found)
    long = next(move for move in game.legal_moves if game.counts[move.pit] > 12)
    overlooked = sum(player._overlooks(game, long, level) for player in found)
    assert 20 < overlooked <= 30
    short = [move for move in near.legal_moves if near.counts[move.pit] <= 3]
    assert not any(player._overlooks(near, move, level) for player in found for move in short)
