"""Monte Carlo: legal moves, proofs, and the same game for the same seed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from awale import Game
from awale.rules import names
from awale.search import mcts


@pytest.mark.parametrize("rules", names())
def test_it_plays_legal_moves(rules: str) -> None:
    game = Game(rules)
    for seed in range(3):
        found = mcts.search(game, simulations=60, seed=seed)
        assert found.move in game.legal_moves
        assert set(found.visits) == set(game.legal_moves)


def test_the_same_seed_gives_the_same_search() -> None:
    game = Game("abapa", moves="F f C")
    assert mcts.search(game, simulations=300, seed=7) == mcts.search(game, simulations=300, seed=7)
    assert mcts.search(game, simulations=300, seed=7).visits != mcts.search(game, simulations=300, seed=8).visits


def test_a_small_game_is_proven() -> None:
    """The whole tree of four pits is small; the proof must be what full minimax says."""
    game = Game("ghana4")
    found = mcts.search(game, simulations=200_000, seed=1)
    assert found.proven == 1
    assert found.simulations <= 200_000


def test_a_win_in_one_is_found_and_proven() -> None:
    game = Game.from_position("0-0-0-0-0-1-1-0-4-4-4-4-24-6-S", rules="abapa")
    found = mcts.search(game, simulations=500, seed=0)
    assert str(found.move) == "F"
    assert found.proven == 1


def test_time_is_a_limit_too() -> None:
    assert mcts.search(Game("abapa"), time=0.02, seed=0).simulations >= 1


def test_loading_and_compiling_are_not_thinking_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now, simulate = [0.0], mcts.simulate
    monkeypatch.setattr("awale.search.mcts.clock", SimpleNamespace(perf_counter=lambda: now[0]))

    def slow_at_first(*arguments: Any) -> int:
        now[0] += 0.1 if now[0] else 60.0
        return int(simulate(*arguments))

    monkeypatch.setattr(mcts, "simulate", slow_at_first)
    assert mcts.search(Game("abapa"), time=0.25).simulations == 3 * mcts.CHUNK
