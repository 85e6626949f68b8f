"""The three-colour report's player."""

from __future__ import annotations

from typing import Literal

from awale.game import Game
from awale.players.base import BasePlayer, Choice, PlayerClock
from awale.rules.description import Rules
from awale.search.tricolor_2025 import ReportSearch


class ReportPlayer(BasePlayer):
    """Fixed or adaptive depth with one of the report's evaluations, as if the other player used the same one."""

    def __init__(self, rules: Rules, evaluation: str, depth: int | Literal["adaptive"]) -> None:
        self.name = f"report:{evaluation},{depth}"
        self._depth: int | Literal["adaptive"] = depth
        self._search = ReportSearch(rules, (evaluation, evaluation))

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        found = self._search.choose(game, self._depth)
        value = found.value if game.turn == 0 else -found.value
        return Choice(found.move, None, (found.move,), found.nodes, {"depth": found.depth, "evaluation": value})
