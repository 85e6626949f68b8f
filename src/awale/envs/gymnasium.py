"""One learner against any player, as Gymnasium has it.

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
from gymnasium import spaces  # noqa: E402

from awale.envs.encoding import (  # noqa: E402
    MAX_MOVES,
    Encoding,
    Mask,
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
from awale.players import Player, make  # noqa: E402
from awale.rules.description import Rules  # noqa: E402

Seat = Literal[0, 1, "random"]
ILLEGAL_REWARD = -1.0


class AwaleEnv(gymnasium.Env[Numbers, np.int64]):
    """A game in which the other seat is taken by a player of ours.

    `opponent`: a player's name (`random`, `greedy`, `engine:3`, `alphabeta:4,kroo` ...) or a `Player`. `seat`: 0 to
    move first, 1 to move second, `random` for either. `random_moves`: so many random moves before the game proper,
    against opponents that always play the same. `reward`: `result` or `margin`, see `encoding`.

    Observation and action are described in `encoding`; the mask of legal actions is `info["action_mask"]` and what
    `action_masks()` returns. An illegal action loses the game at once (reward -1, `info["illegal"]` says why), or
    raises where `illegal="raises"`.

    `reset(seed=...)` decides seat, random moves and the opponent's chance: the same seed and actions give the same
    game, unless the opponent thinks by the clock. `reset(options={"start": POSITION})` begins elsewhere.
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
        render_mode: str | None = None,
    ) -> None:
        self.encoding = Encoding(rules, max_moves)
        self.rules = self.encoding.rules
        check_reward(reward)
        check_render_mode(render_mode)
        if seat not in (0, 1, "random"):
            raise wrong("choice", name="seat", choices="0, 1, random", value=repr(seat)[:40])
        if illegal not in ("loses", "raises"):
            raise wrong("choice", name="illegal", choices="loses, raises", value=repr(illegal)[:40])
        self.opponent = opponent
        self.seat = seat
        self.reward = reward
        self.random_moves = check_whole("random_moves", random_moves, 0, 1000)
        self.illegal = illegal
        self.render_mode = render_mode
        highest = self.encoding.highest
        self.observation_space = spaces.Box(np.zeros_like(highest), highest, dtype=np.int32)
        self.action_space = spaces.Discrete(self.encoding.actions)
        # A name that cannot be is refused now, not at the first game.
        self._player: Player | None = self._make_player(0)
        self._game: Game | None = None
        self._side = 0
        self._counted = 0
        self._done = False

    # -- Gymnasium's own ---------------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """A new game; if the opponent moves first, he has moved already."""
        super().reset(seed=seed)
        if seed is not None or self._player is None:
            self._seed_player()
        self._side = int(self.np_random.integers(2)) if self.seat == "random" else int(self.seat)
        game = start_game(self.rules, (options or {}).get("start"))
        for _ in range(self.random_moves):
            move = game.legal_moves[int(self.np_random.integers(len(game.legal_moves)))]
            game.push(move)
            if game.over:
                game.pop()
                break
        self._game = game
        self._done = False
        self._counted = self._margin()
        self._let_opponent_play(stop_short=True)
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """One's own move, and the opponent's answer or answers."""
        game = self.game
        if self._done:
            raise wrong("over")
        move = None
        if self.action_space.contains(action):
            move = self.encoding.move(self._side, action)
        if move is None or move not in game.legal_moves:
            return self._refuse(action)
        game.push(move)
        self._let_opponent_play()
        terminated, truncated = game.over, self.encoding.cut(game)
        self._done = terminated or truncated
        # What the opponent took with the very first move counts here too: the rewards add up to the final margin.
        gained = self._margin() - self._counted if self.reward == "margin" else result_for(game, self._side)
        self._counted = self._margin()
        return self._observation(), float(gained), terminated, truncated, self._info()

    def render(self) -> Picture | None:
        """The board: a text, an SVG picture, or an array of pixels."""
        return None if self.render_mode is None else render(self.game, self.render_mode)

    def close(self) -> None:
        """Let go of the opponent (a process, perhaps)."""
        if self._player is not None:
            self._player.close()
            self._player = None

    # -- beyond --------------------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game itself."""
        if self._game is None:
            raise wrong("not-started")
        return self._game

    @property
    def side(self) -> int:
        """The learner's seat in this game: 0 or 1."""
        return self._side

    def action_masks(self) -> Mask:
        """The legal actions now, under the name that maskable algorithms look for."""
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
        """Until it is the learner's turn or the game is over; `stop_short`: at the start, short of the game's end."""
        game, player = self.game, self._player
        assert player is not None
        while not game.over and not self.encoding.cut(game) and game.turn != self._side:
            game.push(player.choose(game).move)
            if stop_short and game.outcome() is not None:
                # From a start such as this there is nothing to learn: the learner takes the other seat.
                game.pop()
                self._side = game.turn
                self._counted = self._margin()

    def _refuse(self, action: object) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        legal = ", ".join(str(self.encoding.action(move)) for move in self.game.legal_moves)
        error = wrong("illegal", action=repr(action)[:40], legal=legal)
        if self.illegal == "raises":
            raise error
        self._done = True
        return self._observation(), ILLEGAL_REWARD, True, False, self._info() | {"illegal": str(error)}

    def _margin(self) -> int:
        scores = self.game.scores
        return scores[self._side] - scores[1 - self._side]

    def _observation(self) -> Numbers:
        return self.encoding.observe(self.game.state, self._side)

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
