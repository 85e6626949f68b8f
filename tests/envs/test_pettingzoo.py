"""Both seats: PettingZoo's own checks, turns and passes, rewards, guards."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from awale import AwaleError, Game
from awale.envs import pettingzoo
from awale.rules import names

OF_DICTIONARIES = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
"""PettingZoo says so about every environment that gives masks the way its own board games do."""


@pytest.mark.parametrize("name", [*names(), "ghana:pits=3,seeds=2", "awari:pits=8,seeds=2"])
def test_pettingzoo_finds_nothing_wrong(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for sentence in OF_DICTIONARIES:
            warnings.filterwarnings("ignore", message=sentence)
        api_test(pettingzoo.env(rules=name), num_cycles=300)
        api_test(pettingzoo.raw_env(name, reward="margin"), num_cycles=300)
        seed_test(lambda: pettingzoo.env(rules=name, random_moves=5), num_cycles=100)
    assert "Passed API test" in capsys.readouterr().out


def play(env: Any, seed: int) -> dict[str, float]:
    """A random game; what each agent got in all."""
    chance = np.random.default_rng(seed)
    env.reset(seed=seed)
    got = dict.fromkeys(env.agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        got[agent] += reward
        over = terminated or truncated
        env.step(None if over else int(chance.choice(np.flatnonzero(seen["action_mask"]))))
    return got


@pytest.mark.parametrize("name", ["abapa", "ghana", "tricolor-2025"])
def test_rewards_add_up(name: str) -> None:
    for seed in range(5):
        env = pettingzoo.env(rules=name)
        got = play(env, seed)
        outcome = env.unwrapped.game.outcome()
        signs = [0, 0] if outcome.winner is None else [1 - 2 * outcome.winner, 2 * outcome.winner - 1]
        assert list(got.values()) == signs
        env = pettingzoo.env(rules=name, reward="margin")
        got = play(env, seed)
        south, north = env.unwrapped.game.scores
        assert list(got.values()) == [south - north, north - south]


def test_turns_are_those_of_the_game_also_after_a_pass() -> None:
    """North has nothing to play after this move and passes: South is selected again."""
    env = pettingzoo.env(rules="ghana")
    start = "1-1-1-4-1-0-1-0-0-0-0-0-19-20-S"
    game = Game("ghana", start=start)
    passing = next(move for move in game.legal_moves if game.trace(move).passed)
    env.reset(options={"start": start})
    agent = env.agent_selection
    env.step(env.unwrapped.encoding.action(passing))
    assert env.agent_selection == agent == "player_0"
    assert env.last()[0]["action_mask"].any()
    assert not env.observe("player_1")["action_mask"].any()


def test_each_agent_sees_his_own_side_first() -> None:
    env = pettingzoo.env(rules="abapa")
    env.reset()
    env.step(0)
    assert env.observe("player_0")["observation"].tolist()[:6] == [0, 5, 5, 5, 5, 4]
    assert env.observe("player_1")["observation"].tolist()[6:12] == [0, 5, 5, 5, 5, 4]
    assert not env.observe("player_0")["action_mask"].any()
    assert env.state().tolist()[:6] == [0, 5, 5, 5, 5, 4]


def test_illegal_actions(capsys: pytest.CaptureFixture[str]) -> None:
    start = "0-4-4-4-4-4-4-4-4-4-4-4-4-0-S"
    env = pettingzoo.env()
    env.reset(options={"start": start})
    env.step(0)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": -1, "player_1": 1}, "rewards sum to zero"
    assert "is not legal here" in env.infos["player_0"]["illegal"]
    got = {}
    for agent in env.agent_iter():
        got[agent] = env.last()[1]
        env.step(None)
    assert got == {"player_0": -1, "player_1": 1}
    raw = pettingzoo.raw_env()
    raw.reset(options={"start": start})
    for action in (0, 6, -1, "A"):
        with pytest.raises(AwaleError, match="is not legal here"):
            raw.step(action)
    with pytest.raises(AwaleError, match="reset"):
        pettingzoo.raw_env().observe("player_0")


def test_a_game_that_nothing_ends_is_truncated() -> None:
    env = pettingzoo.env(rules="casabianca", max_moves=10)
    got = play(env, 1)
    assert got == {"player_0": 0, "player_1": 0}
    assert env.unwrapped.game.ply == 10
    env.reset()
    for _ in range(10):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    assert env.truncations == {"player_0": True, "player_1": True}
    assert env.infos["player_0"]["reason"] == "cut"
    assert not env.last()[0]["action_mask"].any()


def test_pictures() -> None:
    for mode, kind in (("ansi", str), ("svg", str), ("rgb_array", np.ndarray)):
        env = pettingzoo.env(rules="tricolor", render_mode=mode)
        env.reset()
        assert isinstance(env.render(), kind)
        env.close()
    with pytest.raises(AwaleError, match="render_mode"):
        pettingzoo.env(render_mode="oil")


def test_scaled_observations_and_a_board_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    env = pettingzoo.env(scaled=True, render_mode="human")
    env.reset()
    observation = env.observe("player_0")["observation"]
    assert env.observation_space("player_0")["observation"].contains(observation)
    assert observation.dtype == np.float32
    assert observation[0] == np.float32(4 / 48)
    env.step(0)
    assert capsys.readouterr().out.count(str(env.unwrapped.game)) == 1
    assert env.render() is None
