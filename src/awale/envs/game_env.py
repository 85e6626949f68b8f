"""What the Gymnasium and the PettingZoo environment share: their options, their game, how it begins and is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from awale.envs.encoding import Encoding, Reward, check_reward, check_whole, start_game, wrong
from awale.envs.pictures import Picture, check_render_mode, render
from awale.game import Game
from awale.rules.description import Rules
from awale.rules.moves import Move


class GameEnv:
    """One game behind a learning library's interface."""

    def __init__(
        self,
        rules: str | Rules,
        reward: Reward,
        max_moves: int,
        random_moves: int,
        render_mode: str | None,
        illegal: str,
        scaled: bool,
    ) -> None:
        if illegal not in ("loses", "raises"):
            raise wrong("choice", name="illegal", choices="loses, raises", value=repr(illegal)[:40])
        check_reward(reward)
        check_render_mode(render_mode)
        self.encoding = Encoding(rules, max_moves)
        self.rules = self.encoding.rules
        self.reward = reward
        self.random_moves = check_whole("random_moves", random_moves, 0, 1000)
        self.render_mode = render_mode
        self.illegal = illegal
        self.scaled = scaled
        self._game: Game | None = None

    @property
    def game(self) -> Game:
        """The game itself."""
        if self._game is None:
            raise wrong("not-started")
        return self._game

    def render(self) -> Picture | None:
        """Return the board as a text, an SVG picture, or an array of pixels; for people, print it."""
        if self.render_mode == "human":
            print(self.game, end="\n\n", flush=True)
            return None
        return None if self.render_mode is None else render(self.game, self.render_mode)

    def _show(self) -> None:
        """Show the board to people after every change, as the interface of Gymnasium asks."""
        if self.render_mode == "human":
            self.render()

    def _observations(self) -> spaces.Box[Any]:
        highest = self.encoding.highest
        if self.scaled:
            return spaces.Box(0.0, 1.0, highest.shape, np.float32)
        return spaces.Box(np.zeros_like(highest), highest, dtype=np.int32)

    def _observe(self, player: int) -> Any:
        found = self.encoding.observe(self.game.state, player)
        return self.encoding.scaled(found) if self.scaled else found

    def _actions(self) -> spaces.Discrete:
        return spaces.Discrete(self.encoding.actions)

    def _begin(self, options: dict[str, Any] | None, random: np.random.Generator) -> Game:
        """Start a game with its random moves, short of one that would end it."""
        self._game = game = start_game(self.rules, (options or {}).get("start"))
        for _ in range(self.random_moves):
            game.push(game.legal_moves[int(random.integers(len(game.legal_moves)))])
            if game.over:
                game.pop()
                break
        return game

    def _legal_move(self, action: Any) -> Move:
        """Return the move of the player to move that an action stands for; an illegal one raises."""
        game = self.game
        if self._actions().contains(action):
            move = self.encoding.move(game.turn, action)
            if move in game.legal_moves:
                return move
        legal = ", ".join(str(self.encoding.action(move)) for move in game.legal_moves)
        raise wrong("illegal", action=repr(action)[:40], legal=legal)
