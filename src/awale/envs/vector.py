"""Many games at once as a Gymnasium vector environment: one learner in each, all against the same policy.

>>> import gymnasium
>>> import awale.envs
>>> envs = gymnasium.make_vec("awale/Awale-v0", num_envs=64, rules="abapa", opponent="greedy")
>>> observations, infos = envs.reset(seed=1)
>>> observations.shape, infos["action_mask"].shape
((64, 15), (64, 6))
>>> observations, rewards, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(axis=1))
>>> rewards.shape
(64,)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from awale.envs.extras import need

need("gymnasium", extra="rl")

import gymnasium  # noqa: E402
from gymnasium.vector import AutoresetMode, VectorEnv  # noqa: E402

from awale.envs.baseline import Policy, baseline, greedy  # noqa: E402
from awale.envs.batch import BatchEnv  # noqa: E402
from awale.envs.encoding import MAX_MOVES, Numbers, Reward, wrong  # noqa: E402
from awale.envs.gymnasium import ILLEGAL_REWARD, Seat  # noqa: E402
from awale.rules.description import Rules  # noqa: E402

POLICIES: dict[str, Policy] = {
    "random": BatchEnv.sample,
    "greedy": greedy,
    "baseline": lambda batch: baseline()(batch),
}


class AwaleVectorEnv(VectorEnv[Numbers, NDArray[np.int64], NDArray[Any]]):
    """Many games of a learner against a policy, played by the kernels.

    The options are those of `AwaleEnv`, except that `opponent` is `random`, `greedy`, `baseline` (of
    `awale.envs.baseline`) or a function of the `BatchEnv` that returns an action for every game. A game that ends
    begins anew in the same step (`AutoresetMode.SAME_STEP`): its last position, before anybody took what was left on
    the board, is in `infos["final_obs"]`. An illegal action loses.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        rules: str | Rules = "abapa",
        opponent: str | Policy = "random",
        seat: Seat = 0,
        *,
        reward: Reward = "result",
        max_moves: int = MAX_MOVES,
        random_moves: int = 0,
        scaled: bool = False,
    ) -> None:
        if isinstance(opponent, str) and opponent not in POLICIES:
            raise wrong("choice", name="opponent", choices=", ".join(POLICIES), value=repr(opponent)[:40])
        if seat not in (0, 1, "random"):
            raise wrong("choice", name="seat", choices="0, 1, random", value=repr(seat)[:40])
        self.batch = BatchEnv(
            num_envs,
            rules,
            reward=reward,
            max_moves=max_moves,
            random_moves=random_moves,
            scaled=scaled,
            auto_reset=False,
        )
        self.num_envs = self.batch.games
        self.seat = seat
        self._policy = POLICIES[opponent] if isinstance(opponent, str) else opponent
        encoding = self.batch.encoding
        high = np.ones(encoding.size, np.float32) if scaled else encoding.highest
        self.single_observation_space = gymnasium.spaces.Box(np.zeros_like(high), high, dtype=high.dtype.type)
        self.single_action_space = gymnasium.spaces.Discrete(encoding.actions)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, self.num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, self.num_envs)
        self.sides = np.zeros(self.num_envs, np.int64)
        """The learner's seat in each game."""
        self._every = np.arange(self.num_envs)
        self._before = np.zeros(self.num_envs)
        """Rewards of the opponent's first moves, which count at the learner's first step."""

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Restart all games. `options={"starts": [...]}` gives each its own starting position."""
        if isinstance(seed, list):
            raise wrong("seeds")
        super().reset(seed=seed)
        self.batch.reset(seed, starts=(options or {}).get("starts"))
        self._before[:] = 0
        self._begin(np.ones(self.num_envs, np.bool_))
        return self.batch.observe(), self._infos()

    def step(
        self, actions: ArrayLike
    ) -> tuple[Numbers, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play the learner's move in every game, and the opponent's reply or replies."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise wrong("actions", games=self.num_envs, value=f"{chosen.dtype} {chosen.shape}")
        inside = (chosen >= 0) & (chosen < self.batch.actions)
        legal = inside & self.batch.masks()[self._every, np.where(inside, chosen, 0)]
        rewards, self._before = self._before, np.zeros(self.num_envs)
        rewards[~legal] = ILLEGAL_REWARD
        terminated, truncated = ~legal, np.zeros(self.num_envs, np.bool_)
        playing = legal
        while playing.any():
            step = self.batch.step(chosen, only=playing)
            rewards += step.rewards[self._every, self.sides]
            terminated |= step.terminated
            truncated |= step.truncated
            playing = (self.batch.turns != self.sides) & ~terminated & ~truncated
            if playing.any():
                chosen = np.asarray(self._policy(self.batch))
        over = terminated | truncated
        last = self._seen()
        self.batch.restart(over)
        self._begin(over)
        infos = self._infos()
        if over.any():
            final = np.full(self.num_envs, None, object)
            for game in np.flatnonzero(over):
                final[game] = last[game]
            infos |= {"final_obs": final, "_final_obs": over, "illegal": ~legal}
        return self.batch.observe(), rewards, terminated, truncated, infos

    # -- within ----------------------------------------------------------------------------------------------------

    def _begin(self, which: NDArray[np.bool_]) -> None:
        """Seat the learner in new games and let the opponent move first where it is their turn. Where that would end
        the game, the learner takes the other seat, as in `AwaleEnv`."""
        drawn = self.np_random.integers(2, size=self.num_envs) if self.seat == "random" else int(self.seat)
        self.sides = np.where(which, drawn, self.sides)
        while (waiting := which & (self.batch.turns != self.sides)).any():
            chosen = np.asarray(self._policy(self.batch))
            ends = waiting & (self.batch.afterstates().codes[self._every, chosen] != 0)
            self.sides = np.where(ends, self.batch.turns, self.sides)
            step = self.batch.step(chosen, only=waiting & ~ends)
            self._before += step.rewards[self._every, self.sides]

    def _seen(self) -> Numbers:
        """Return each game as the learner sees it, whoever is to move."""
        seen = self.batch.observe()
        other = self.batch.turns != self.sides
        pits, colours = self.batch.encoding.pits, self.batch.encoding.colours
        ring = seen[other, :pits]
        if colours == 1:
            ring = np.roll(ring, pits // 2, axis=1)
        else:  # holes alternate: the learner's first one is before or behind the opponent's
            behind = self.sides[other, None] == 1
            ring = np.where(behind, np.roll(ring, -colours, axis=1), np.roll(ring, colours, axis=1))
        seen[other, :pits] = ring
        seen[other, pits : pits + 2] = seen[other, pits : pits + 2][:, ::-1]
        return seen

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self.batch.masks().astype(np.int8), "side": self.sides.copy()}
