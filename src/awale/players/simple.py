"""Players that hardly think."""

from __future__ import annotations

import random

from awale.game import Game
from awale.players.base import BasePlayer, Choice, PlayerClock


class RandomPlayer(BasePlayer):
    """Any legal move."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        return Choice(self._random.choice(game.legal_moves))


class GreedyPlayer(BasePlayer):
    """The most seeds now (those swept up at the end of the game included); the first of equals."""

    name = "greedy"

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        best, most = game.legal_moves[0], -1
        for move in game.legal_moves:
            after = game.copy()
            after.push(move)
            gain = after.scores[game.turn] - game.scores[game.turn]
            if gain > most:
                best, most = move, gain
        return Choice(best, value=float(most))
