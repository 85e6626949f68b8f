"""A PettingZoo environment (AEC): both seats, agents taking turns.

>>> from awale.envs import pettingzoo
>>> env = pettingzoo.env(rules="tricolor")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     over = terminated or truncated
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
>>> env.agents
[]
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from awale.envs.extras import need

need("pettingzoo", extra="rl")

from gymnasium import spaces  # noqa: E402
from pettingzoo import AECEnv  # noqa: E402
from pettingzoo.utils import wrappers  # noqa: E402

from awale.envs.encoding import MAX_MOVES, Numbers, Reward, result_for  # noqa: E402
from awale.envs.game_env import GameEnv  # noqa: E402
from awale.envs.pictures import FRAMES_A_SECOND, RENDER_MODES  # noqa: E402
from awale.errors import AwaleError  # noqa: E402
from awale.rules.description import Rules  # noqa: E402

AGENTS = ("player_0", "player_1")


def env(rules: str | Rules = "abapa", **options: Any) -> Any:
    """Return the environment with PettingZoo's usual wrappers: acting before `reset` or out of range is an error. The
    options are those of `AwaleAEC`; an illegal action loses the game."""
    game = AwaleAEC(rules, **{"illegal": "loses", **options})
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(game))


def raw_env(rules: str | Rules = "abapa", **options: Any) -> AwaleAEC:
    """Return the environment without wrappers: an illegal action raises."""
    return AwaleAEC(rules, **options)


class AwaleAEC(GameEnv, AECEnv):
    """A game between the agents `player_0` (South, who moves first) and `player_1`.

    An observation is `{"observation": ..., "action_mask": ...}` as described in `encoding`, from the agent's point of
    view; the mask is empty unless it is their turn. An agent plays twice in a row when the other has to pass.
    `reward`: `result` or `margin`. A game stopped after `max_moves` is truncated and has no result.
    `reset(options={"start": POSITION})` starts from another position; `random_moves` is the number of random moves
    that each game starts with, seeded by `reset(seed=...)`. With `illegal="loses"`, an illegal action ends the game
    with -1 for the agent and 1 for the other: rewards sum to 0 in every case. `scaled`: observations are floats from 0
    to 1.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "awale_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": FRAMES_A_SECOND,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: str | Rules = "abapa",
        *,
        reward: Reward = "result",
        max_moves: int = MAX_MOVES,
        random_moves: int = 0,
        illegal: str = "raises",
        scaled: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(rules, reward, max_moves, random_moves, render_mode, illegal, scaled)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._random = np.random.default_rng()
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": self._observations(),
                    "action_mask": spaces.Box(0, 1, (self.encoding.actions,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self._action_spaces = {agent: self._actions() for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        game = self._begin(options, self._random)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[game.turn]
        self._show()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the position from an agent's point of view, and the legal actions if it is their turn."""
        player = AGENTS.index(agent)
        game = self.game
        mask = np.zeros(self.encoding.actions, np.int8)
        if game.turn == player and not self.encoding.cut(game):
            mask = self.encoding.mask(game)
        return {"observation": self._observe(player), "action_mask": mask}

    def state(self) -> Numbers:
        """Return the position from South's point of view."""
        found: Numbers = self._observe(0)
        return found

    def step(self, action: Any) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        game, agent = self.game, self.agent_selection
        try:
            move = self._legal_move(action)
        except AwaleError as error:
            if self.illegal == "raises":
                raise
            self._lose(agent, str(error))
            return
        self._cumulative_rewards[agent] = 0.0
        before = game.scores
        game.push(move)
        after = game.scores
        for player, name in enumerate(AGENTS):
            gained = after[player] - before[player] - (after[1 - player] - before[1 - player])
            self.rewards[name] = float(gained) if self.reward == "margin" else result_for(game, player)
        self._end_episode_if_over()
        if not game.over:
            self.agent_selection = AGENTS[game.turn]
        else:
            self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        self._accumulate_rewards()
        self._show()

    def _lose(self, agent: str, why: str) -> None:
        """End the game by an illegal action."""
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {name: -1.0 if name == agent else 1.0 for name in AGENTS}
        self.terminations = dict.fromkeys(AGENTS, True)
        self.infos = {name: {"reason": "illegal", "illegal": why} for name in AGENTS}
        self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        self._accumulate_rewards()

    def _end_episode_if_over(self) -> None:
        game = self.game
        outcome = game.outcome()
        if outcome is not None:
            self.terminations = dict.fromkeys(AGENTS, True)
            self.infos = {agent: {"reason": outcome.reason, "scores": outcome.scores} for agent in AGENTS}
        elif self.encoding.cut(game):
            self.truncations = dict.fromkeys(AGENTS, True)
            self.infos = {agent: {"reason": "cut", "scores": game.scores} for agent in AGENTS}

    def close(self) -> None:
        """Do nothing: the environment holds no resources."""
