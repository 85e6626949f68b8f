"""The baseline agent: what it looks at, how well it plays, where it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from awale import AwaleError
from awale.envs.baseline import ACTIVE, SIZE, active, baseline, compare, greedy
from awale.envs.batch import BatchEnv


def last_pit(batch: BatchEnv) -> np.ndarray:
    return batch.actions - 1 - batch.masks()[:, ::-1].argmax(axis=1)


def test_every_position_has_its_weights() -> None:
    env = BatchEnv(50, "abapa", random_moves=40, seed=2)
    observations, _ = env.reset()
    used = active(observations)
    assert used.shape == (50, ACTIVE)
    assert used.min() >= 0
    assert used.max() < SIZE
    assert all(len(set(row)) == ACTIVE for row in used.tolist())
    assert baseline().weights.shape == (SIZE,)


def test_greedy_is_the_player_of_that_name() -> None:
    from awale.players import make

    env = BatchEnv(30, "abapa", random_moves=25, seed=5)
    env.reset()
    player = make("greedy", "abapa")
    expected = [env.encoding.action(player.choose(env.game(number)).move) for number in range(env.games)]
    assert greedy(env).tolist() == expected


def test_it_beats_greedy_clearly_and_random_misleads() -> None:
    assert compare(baseline(), greedy, games=200) > 0.7
    # Whoever beats `random` may be no good: always the rightmost pit does, and loses to `greedy`.
    assert compare(last_pit, BatchEnv.sample, games=200) > 0.7
    assert compare(last_pit, greedy, games=200) < 0.3
    assert compare(greedy, greedy, games=100) == 0.5, "sides are balanced"


def test_other_rules_are_refused() -> None:
    env = BatchEnv(2, "awari")
    env.reset()
    with pytest.raises(AwaleError, match="abapa"):
        baseline()(env)
