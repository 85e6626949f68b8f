"""The programs of the documents this project grew from, move for move."""

from __future__ import annotations

from awale.game import Game
from awale.players.base import BasePlayer, Choice, PlayerClock
from awale.search import classic
from awale.search.classic import Found


def _choice(found: Found) -> Choice:
    return Choice(found.move, found.value / 100, (found.move,), found.visited, {"cut": found.cut})


class BasicPlayer(BasePlayer):
    """The BASIC program of the Ghanaian game: all positions four levels deep, the first best pit."""

    name = "basic"

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        return _choice(classic.choose_basic(game))


class NegamaxPlayer(BasePlayer):
    """The examination's NegaAwale."""

    def __init__(self, depth: int = 5) -> None:
        self.depth = depth
        self.name = f"negamax:{depth}"

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        return _choice(classic.choose_negamax(game, self.depth))


class MinimaxPlayer(BasePlayer):
    """Plain minimax to a depth, with a heuristic."""

    def __init__(self, depth: int, heuristic: str = "material") -> None:
        self.depth, self.heuristic = depth, heuristic
        self.name = f"minimax:{depth},{heuristic}"

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        return _choice(classic.choose_minimax(game, self.depth, self.heuristic))


class AlphaBetaPlayer(BasePlayer):
    """The same choices as minimax, with less work."""

    def __init__(self, depth: int, heuristic: str = "material") -> None:
        self.depth, self.heuristic = depth, heuristic
        self.name = f"alphabeta:{depth},{heuristic}"

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        return _choice(classic.choose_alphabeta(game, self.depth, self.heuristic))
