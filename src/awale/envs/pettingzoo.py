"""Both seats, agents taking turns, as PettingZoo has it (AEC).

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

from awale.envs.encoding import (  # noqa: E402
    MAX_MOVES,
    Encoding,
    Numbers,
    Reward,
    check_reward,
    check_whole,
    result_for,
    start_game,
    wrong,
)
from awale.envs.pictures import FRAMES_A_SECOND, RENDER_MODES, Picture, check_render_mode, render  # noqa: E402
from awale.game import Game  # noqa: E402
from awale.rules.description import Rules  # noqa: E402

AGENTS = ("player_0", "player_1")


def env(rules: str | Rules = "abapa", **options: Any) -> Any:
    """The environment with PettingZoo's usual guards: an illegal action loses the game, acting before `reset` or out of
    range is refused with a sentence. The options are those of `AwaleAEC`."""
    guarded = wrappers.TerminateIllegalWrapper(raw_env(rules, **options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


def raw_env(rules: str | Rules = "abapa", **options: Any) -> AwaleAEC:
    """The environment by itself: an illegal action raises."""
    return AwaleAEC(rules, **options)


class AwaleAEC(AECEnv):
    """A game between the agents `player_0` (South, who moves first) and `player_1`.

    An observation is `{"observation": ..., "action_mask": ...}` as described in `encoding`, seen by the agent that
    asks; the mask is empty unless it is his turn. Who plays twice running, because the other had to pass, is selected
    again. `reward`: `result` or `margin`. A game cut after `max_moves` is truncated and brings nobody a result.
    `reset(options={"start": POSITION})` begins elsewhere; `random_moves` begins with so many random moves, drawn by
    `reset(seed=...)`.
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
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.encoding = Encoding(rules, max_moves)
        self.rules = self.encoding.rules
        check_reward(reward)
        check_render_mode(render_mode)
        self.reward = reward
        self.random_moves = check_whole("random_moves", random_moves, 0, 1000)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._random = np.random.default_rng()
        self._game: Game | None = None
        highest = self.encoding.highest
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(np.zeros_like(highest), highest, dtype=np.int32),
                    "action_mask": spaces.Box(0, 1, (self.encoding.actions,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self._action_spaces = {agent: spaces.Discrete(self.encoding.actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_spaces[agent]

    @property
    def game(self) -> Game:
        """The game itself."""
        if self._game is None:
            raise wrong("not-started")
        return self._game

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        game = start_game(self.rules, (options or {}).get("start"))
        for _ in range(self.random_moves):
            game.push(game.legal_moves[int(self._random.integers(len(game.legal_moves)))])
            if game.over:
                game.pop()
                break
        self._game = game
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[game.turn]

    def observe(self, agent: str) -> dict[str, Any]:
        """The position as this agent sees it, and his legal actions if it is his turn."""
        player = AGENTS.index(agent)
        game = self.game
        mask = np.zeros(self.encoding.actions, np.int8)
        if game.turn == player and not self.encoding.cut(game):
            mask = self.encoding.mask(game)
        return {"observation": self.encoding.observe(game.state, player), "action_mask": mask}

    def state(self) -> Numbers:
        """The position as South sees it."""
        return self.encoding.observe(self.game.state, 0)

    def step(self, action: Any) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        game, agent = self.game, self.agent_selection
        move = self.encoding.move(game.turn, action) if self.action_space(agent).contains(action) else None
        if move is None or move not in game.legal_moves:
            legal = ", ".join(str(self.encoding.action(each)) for each in game.legal_moves)
            raise wrong("illegal", action=repr(action)[:40], legal=legal)
        self._cumulative_rewards[agent] = 0.0
        before = game.scores
        game.push(move)
        after = game.scores
        for player, name in enumerate(AGENTS):
            gained = after[player] - before[player] - (after[1 - player] - before[1 - player])
            self.rewards[name] = float(gained) if self.reward == "margin" else result_for(game, player)
        self._say_whether_over()
        if not game.over:
            self.agent_selection = AGENTS[game.turn]
        else:
            self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        self._accumulate_rewards()

    def _say_whether_over(self) -> None:
        game = self.game
        outcome = game.outcome()
        if outcome is not None:
            self.terminations = dict.fromkeys(AGENTS, True)
            self.infos = {agent: {"reason": outcome.reason, "scores": outcome.scores} for agent in AGENTS}
        elif self.encoding.cut(game):
            self.truncations = dict.fromkeys(AGENTS, True)
            self.infos = {agent: {"reason": "cut", "scores": game.scores} for agent in AGENTS}

    def render(self) -> Picture | None:
        """The board: a text, an SVG picture, or an array of pixels."""
        return None if self.render_mode is None else render(self.game, self.render_mode)

    def close(self) -> None:
        """Nothing is held."""
