"""A small agent that was learnt by self-play, to compare one's own with: `scripts/train_baseline.py` trains it.

Its value function estimates what the player to move still gains on the opponent. It adds up weights of three kinds,
each for three stages of the game: what a pit holds; what two neighbouring pits hold; and for every pit what it holds
together with what lies where its last seed would fall, which is what captures depend on. It looks one move ahead.

>>> from awale.envs.batch import BatchEnv
>>> env = BatchEnv(8, "abapa")
>>> _ = env.reset()
>>> baseline()(env).shape
(8,)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from awale.envs.batch import BatchEnv
from awale.envs.encoding import wrong

Policy = Callable[[BatchEnv], ArrayLike]
"""Chooses a legal action for every game of a batch, each for its player to move."""


def greedy(batch: BatchEnv) -> NDArray[np.int64]:
    """Return for every game the action that takes most seeds now, the first of equals: the player `greedy`."""
    scores = batch.afterstates().scores
    own = np.take_along_axis(scores, batch.turns[:, None, None], axis=2)[:, :, 0]
    return np.where(batch.masks(), own, -1).argmax(axis=1)


RULES = "abapa"
PITS = 12
CONTENTS, PAIRED, LANDED = 25, 8, 4
"""Contents that are told apart: of a pit, of a neighbour, of the pit where the last seed falls."""
SINGLES = PITS * CONTENTS
NEIGHBOURS = PITS * PAIRED * PAIRED
LANDINGS = PITS * CONTENTS * LANDED
STAGES = 3
STAGE = SINGLES + NEIGHBOURS + LANDINGS
SIZE = STAGES * STAGE
ACTIVE = 3 * PITS
"""Weights that a position adds up."""
_PLACES = np.arange(PITS)
_LANDING = (_PLACES[:, None] + np.arange(CONTENTS) + np.arange(CONTENTS) // PITS) % PITS
"""Where the last seed of a pit falls: the pit itself is skipped, once from twelve seeds on, twice from 23 on."""


def active(observations: NDArray[Any]) -> NDArray[np.int64]:
    """Return which weights each position adds up, `ACTIVE` of them, from observations as `BatchEnv` gives them."""
    board = observations[..., :PITS].astype(np.int64)
    held = np.minimum(board, CONTENTS - 1)
    capped = np.minimum(board, PAIRED - 1)
    singles = _PLACES * CONTENTS + held
    neighbours = SINGLES + (_PLACES * PAIRED + capped) * PAIRED + np.roll(capped, -1, axis=-1)
    there = np.take_along_axis(board, _LANDING[_PLACES, held], axis=-1)
    landings = SINGLES + NEIGHBOURS + (_PLACES * CONTENTS + held) * LANDED + np.minimum(there, LANDED - 1)
    stage = np.minimum(board.sum(axis=-1, keepdims=True) // 17, STAGES - 1)
    return np.concatenate((singles, neighbours, landings), axis=-1) + stage * STAGE


class Agent:
    """A policy with a value function: looks one move ahead in every game of a batch."""

    def __init__(self, weights: NDArray[np.float32]) -> None:
        self.weights = weights

    def values(self, observations: NDArray[Any]) -> NDArray[np.float32]:
        """Return what the player to move still gains on the opponent, in seeds."""
        found: NDArray[np.float32] = self.weights[active(observations)].sum(axis=-1)
        return found

    def action_values(self, batch: BatchEnv) -> NDArray[np.float32]:
        """Return what each action is worth to the player to move of each game; minus infinity where it is illegal."""
        after, turns = batch.afterstates(), batch.turns
        sign = 1 - 2 * turns
        gained = sign[:, None] * (after.scores[:, :, 0] - after.scores[:, :, 1])
        later = np.where(after.turns == turns[:, None], 1, -1) * self.values(after.observations)
        worth = gained + np.where(after.codes == 0, later, 0)
        return np.where(batch.masks(), worth, -np.inf)

    def __call__(self, batch: BatchEnv) -> NDArray[np.int64]:
        """Return the best action for every game."""
        if batch.rules.name != RULES or batch.scaled:
            raise wrong("baseline", rules=batch.rules.name)
        return self.action_values(batch).argmax(axis=1)


@cache
def baseline() -> Agent:
    """Return the trained agent."""
    with files("awale").joinpath("envs", "baseline.npy").open("rb") as file:
        return Agent(np.load(file, allow_pickle=False).astype(np.float32))


def compare(policy: Policy, opponent: Policy, rules: str = RULES, games: int = 400, seed: int = 1) -> float:
    """Return the share of points of a policy against another. In every pair of games both play from the same six random
    moves, sides swapped."""
    env = BatchEnv(games, rules, seed=seed, auto_reset=False)
    env.reset()
    half = games // 2
    for _ in range(6):  # the two games of a pair draw alike
        drawn = env.sample()
        drawn[half:] = drawn[:half]
        env.step(drawn)
    seats = np.repeat([0, 1], half)
    points = np.zeros(games)
    while env.masks().any():
        mine = env.turns == seats
        actions = np.where(mine, np.asarray(policy(env)), np.asarray(opponent(env)))
        step = env.step(actions)
        over = step.ended.games
        points[over] = (step.rewards[over, seats[over]] + 1) / 2  # a game that is cut counts as drawn
    return float(points.mean())
