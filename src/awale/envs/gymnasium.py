"""A Gymnasium environment: one learner against any player.

>>> import gymnasium
>>> import awale.envs
>>> env = gymnasium.make("awale/Awale-v0", rules="abapa", opponent="greedy", seat=1)
>>> observation, info = env.reset(seed=7)
>>> observation.shape, info["action_mask"].tolist()
((15,), [1, 1, 1, 1, 1, 1])
>>> observation, reward, terminated, truncated, info = env.step(3)
>>> env.close()
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from awale.envs.extras import need

need("gymnasium", extra="rl")

import gymnasium  # noqa: E402

from awale.envs.encoding import MAX_MOVES, Mask, Numbers, Reward, result_for, wrong  # noqa: E402
from awale.envs.game_env import GameEnv  # noqa: E402
from awale.envs.pictures import FRAMES_A_SECOND, RENDER_MODES  # noqa: E402
from awale.errors import AwaleError  # noqa: E402
from awale.players import Player, make  # noqa: E402
from awale.rules.description import Rules  # noqa: E402

Seat = Literal[0, 1, "random"]
ILLEGAL_REWARD = -1.0


class AwaleEnv(GameEnv, gymnasium.Env[Numbers, np.int64]):
    """A game against a player of this package.

    `opponent`: a player's name (`random`, `greedy`, `engine:3`, `alphabeta:4,kroo` ...) or a `Player`. `seat`: 0 to
    move first, 1 to move second, `random` for either. `random_moves`: the number of random moves that each game starts
    with, for variety against a deterministic opponent. `reward`: `result` or `margin`, see `encoding`. `scaled`:
    observations are floats from 0 to 1 instead of whole numbers. `render_mode="human"` prints the board.

    Observation and action are described in `encoding`; the mask of legal actions is `info["action_mask"]` and what
    `action_masks()` returns. An illegal action loses the game at once (reward -1, `info["illegal"]` says why), or
    raises where `illegal="raises"`.

    `reset(seed=...)` seeds the choice of the seat, the random moves and the opponent: the same seed and actions give
    the same game, unless the opponent's search is limited by time. `reset(options={"start": POSITION})` starts from
    another position.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": FRAMES_A_SECOND}  # noqa: RUF012

    def __init__(
        self,
        rules: str | Rules = "abapa",
        opponent: str | Player = "random",
        seat: Seat = 0,
        *,
        reward: Reward = "result",
        max_moves: int = MAX_MOVES,
        random_moves: int = 0,
        illegal: Literal["loses", "raises"] = "loses",
        scaled: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(rules, reward, max_moves, random_moves, render_mode, illegal, scaled)
        if seat not in (0, 1, "random"):
            raise wrong("choice", name="seat", choices="0, 1, random", value=repr(seat)[:40])
        self.opponent = opponent
        self.seat = seat
        self.observation_space = self._observations()
        self.action_space = self._actions()
        # An unknown opponent is refused now, not at the first game.
        self._player: Player | None = self._make_player(0)
        self._side = 0
        self._counted = 0
        self._done = False

    # -- Gymnasium's own ---------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Start a new game; if the opponent moves first, they have already moved."""
        super().reset(seed=seed)
        if seed is not None or self._player is None:
            self._seed_player()
        self._side = int(self.np_random.integers(2)) if self.seat == "random" else int(self.seat)
        self._begin(options, self.np_random)
        self._done = False
        self._counted = self._margin()
        self._let_opponent_play(stop_short=True)
        self._show()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Play the learner's move and the opponent's reply or replies."""
        game = self.game
        if self._done:
            raise wrong("over")
        try:
            game.push(self._legal_move(action))
        except AwaleError as error:
            if self.illegal == "raises":
                raise
            self._done = True
            return self._observation(), ILLEGAL_REWARD, True, False, self._info() | {"illegal": str(error)}
        self._let_opponent_play()
        terminated, truncated = game.over, self.encoding.cut(game)
        self._done = terminated or truncated
        # What the opponent took with the very first move counts here too: the rewards add up to the final margin.
        gained = self._margin() - self._counted if self.reward == "margin" else result_for(game, self._side)
        self._counted = self._margin()
        self._show()
        return self._observation(), float(gained), terminated, truncated, self._info()

    def close(self) -> None:
        """Close the opponent, which may be another process."""
        if self._player is not None:
            self._player.close()
            self._player = None

    # -- beyond Gymnasium's interface ----------------------------------------------------------------------------------

    @property
    def side(self) -> int:
        """The learner's seat in this game: 0 or 1."""
        return self._side

    def action_masks(self) -> Mask:
        """Return the legal actions, under the name that maskable algorithms look for."""
        if self._done:
            return np.zeros(self.encoding.actions, np.int8)
        return self.encoding.mask(self.game)

    # -- within --------------------------------------------------------------------------------------------------------

    def _make_player(self, seed: int) -> Player:
        return make(self.opponent, self.rules, seed) if isinstance(self.opponent, str) else self.opponent

    def _seed_player(self) -> None:
        if isinstance(self.opponent, str):
            self.close()
        self._player = self._make_player(int(self.np_random.integers(2**31)))

    def _let_opponent_play(self, *, stop_short: bool = False) -> None:
        """Play for the opponent until it is the learner's turn or the game is over; `stop_short`: never end it."""
        game, player = self.game, self._player
        assert player is not None
        while not game.over and not self.encoding.cut(game) and game.turn != self._side:
            game.push(player.choose(game).move)
            if stop_short and game.outcome() is not None:
                # The opponent's first move would end the game: the learner takes the other seat.
                game.pop()
                self._side = game.turn
                self._counted = self._margin()

    def _margin(self) -> int:
        scores = self.game.scores
        return scores[self._side] - scores[1 - self._side]

    def _observation(self) -> Numbers:
        found: Numbers = self._observe(self._side)
        return found

    def _info(self) -> dict[str, Any]:
        game = self.game
        info: dict[str, Any] = {
            "action_mask": self.action_masks(),
            "side": self._side,
            "scores": game.scores,
            "position": game.position,
        }
        outcome = game.outcome()
        if outcome is not None:
            info["reason"] = outcome.reason
        return info
