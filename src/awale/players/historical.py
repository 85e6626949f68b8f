"""The programs of the documents this project grew from, move for move."""

from __future__ import annotations

from awale.game import Game
from awale.players.base import BasePlayer, Choice, PlayerClock, once_per_process
from awale.players.spec import DEFAULT_DEPTH, PlayerSpec
from awale.rules.description import Rules
from awale.search import classic
from awale.search.classic import Found


class HistoricalPlayer(BasePlayer):
    """`basic`, `negamax`, `minimax` and `alphabeta`: every position to a fixed depth, the first best move."""

    def __init__(self, spec: PlayerSpec, rules: Rules) -> None:
        self.name = str(spec)
        self._spec, self._rules = spec, rules
        self._heuristic = spec.heuristic or "material"

    def warm_up(self) -> None:
        key = (self._spec.kind, self._heuristic, self._rules)
        once_per_process(key, lambda: self._find(Game(self._rules), 1))

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        found = self._find(game, self._spec.depth or DEFAULT_DEPTH[self._spec.kind])
        return Choice(found.move, found.value / 100, (found.move,), found.visited, {"cut": found.cut})

    def _find(self, game: Game, depth: int) -> Found:
        match self._spec.kind:
            case "basic":
                return classic.choose_basic(game, depth)
            case "negamax":
                return classic.choose_negamax(game, depth)
            case "minimax":
                return classic.choose_minimax(game, depth, self._heuristic)
            case _:
                return classic.choose_alphabeta(game, depth, self._heuristic)
