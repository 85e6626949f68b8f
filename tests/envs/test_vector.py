"""The vector environment plays the same games as the single one."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

import awale.envs
from awale import AwaleError
from awale.envs.batch import BatchEnv
from awale.envs.gymnasium import AwaleEnv
from awale.envs.vector import AwaleVectorEnv

GAMES = 4


@pytest.mark.parametrize("rules", ["abapa", "ghana:pits=3,seeds=2", "tricolor"])
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("reward", ["result", "margin"])
def test_it_plays_as_the_single_environment_does(rules: str, seat: int, reward: str) -> None:
    many = AwaleVectorEnv(GAMES, rules, "greedy", seat, reward=reward, max_moves=60)
    single = [AwaleEnv(rules, "greedy", seat, reward=reward, max_moves=60) for _ in range(GAMES)]
    seen, infos = many.reset(seed=1)
    shown = [env.reset(seed=1) for env in single]
    chance = np.random.default_rng(5)
    ended = 0
    while ended < 2 * GAMES:
        assert seen.tolist() == [observation.tolist() for observation, _ in shown]
        assert infos["action_mask"].tolist() == [info["action_mask"].tolist() for _, info in shown]
        assert infos["side"].tolist() == [info["side"] for _, info in shown]
        actions = np.array([chance.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        if ended == 3:
            actions[0] = -1  # illegal: loses
        seen, rewards, terminated, truncated, infos = many.step(actions)
        for game, env in enumerate(single):
            observation, gained, over, cut, _ = env.step(actions[game])
            shown[game] = (observation, env._info())
            assert (rewards[game], terminated[game], truncated[game]) == (gained, over, cut)
            if over or cut:
                ended += 1
                final, pits = infos["final_obs"][game], env.encoding.pits
                if final[:pits].sum() == observation[:pits].sum():  # nobody took what was left
                    assert final.tolist() == observation.tolist()
                shown[game] = env.reset()


def test_gymnasium_makes_it() -> None:
    envs = gymnasium.make_vec(awale.envs.GYMNASIUM_ID, num_envs=3, rules="abapa", seat="random", scaled=True)
    assert isinstance(envs, AwaleVectorEnv)
    observations, infos = envs.reset(seed=4)
    assert envs.observation_space.contains(observations)
    for _ in range(150):
        observations, rewards, *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
        assert envs.observation_space.contains(observations)
        assert set(rewards) <= {-1.0, 0.0, 1.0}
    again, _ = envs.reset(seed=4)
    assert again.tolist() == envs.reset(seed=4)[0].tolist()


def test_an_own_policy_and_wrong_input() -> None:
    def last(batch: BatchEnv) -> np.ndarray:
        masks = batch.masks()
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    envs = AwaleVectorEnv(2, "abapa", last)
    envs.reset(seed=1, options={"starts": ["4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"] * 2})
    observations, *_ = envs.step(np.array([0, 1]))
    assert observations[:, 11].tolist() == [0, 0], "they played their rightmost pit"
    with pytest.raises(AwaleError, match="opponent: must be one of random, greedy"):
        AwaleVectorEnv(2, opponent="engine:3")
    with pytest.raises(AwaleError, match="seat"):
        AwaleVectorEnv(2, seat=2)  # type: ignore[arg-type]
    with pytest.raises(AwaleError, match="one number"):
        envs.reset(seed=[1, 2])
    with pytest.raises(AwaleError, match="actions"):
        envs.step(np.array([0.5, 1.0]))
