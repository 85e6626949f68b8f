"""The player of the 2025 report on the three-colour game."""

from __future__ import annotations

from awale.game import Game
from awale.players.base import BasePlayer, Choice, PlayerClock, once_per_process
from awale.players.spec import DEFAULT_DEPTH, PlayerSpec
from awale.rules.description import Rules
from awale.search.tricolor_2025 import Depth, ReportSearch


class ReportPlayer(BasePlayer):
    """Fixed or adaptive depth with one of the report's evaluations, as if the opponent used the same one."""

    def __init__(self, spec: PlayerSpec, rules: Rules) -> None:
        self.name = str(spec)
        self._depth: Depth = "adaptive" if spec.adaptive else spec.schedule or spec.depth or DEFAULT_DEPTH["report"]
        evaluation = spec.evaluation or "corrected"
        self._search = ReportSearch(rules, (evaluation, evaluation))

    def warm_up(self) -> None:
        rules = self._search.rules
        once_per_process(("report", rules), lambda: ReportSearch(rules).choose(Game(rules), 1))

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        found = self._search.choose(game, self._depth)
        value = found.value if game.turn == 0 else -found.value
        return Choice(found.move, None, (found.move,), found.nodes, {"depth": found.depth, "evaluation": value})
