"""`perfect` in single-lap games: what tables and shipped results prove, and the engine elsewhere; it says which."""

from __future__ import annotations

from collections.abc import Mapping

from awale.bounds import Bounds
from awale.game import Game
from awale.players.base import BasePlayer, Choice, PlayerClock
from awale.players.engine import Engine
from awale.players.oracle import Oracle
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.rules.reference import Position
from awale.search.limits import Limit
from awale.search.single_lap import has_exact_values
from awale.search.solve import Proof
from awale.tables import Tables
from awale.tables.board_values import board_values

STRATEGY_BUDGET = 3_000_000
"""Positions searched for a way to the next capture."""
PREFERENCE_DEPTH = 8


class PerfectLapPlayer(BasePlayer):
    """Plays solved positions of single-lap games by their value, other positions by the engine.

    `info` holds where a move comes from: `results` (shipped), `table`, `strategy` (a way from the table's value to the
    next capture, checked move by move) or `engine`; and, unless it is the engine's, what is `proved` for the mover.
    """

    name = "perfect"

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._engine = Engine(rules)
        self._oracle = Oracle(rules)
        self._followed: tuple[Proof, tuple[Position, ...]] | None = None
        """A strategy, and the game after the move that it played last."""

    def new_game(self) -> None:
        self._followed = None
        self._engine.new_game()

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        source, values = self._oracle.ask(game)
        tables = self._oracle.covering(game)
        if tables is not None and len(values) > 1:
            found = self._towards_capture(game, values, tables)
            if found is not None:
                return found
        best = _certainly_best(values) or _securing(values)
        if not best:
            found = self._engine.play(game, clock=clock)
            found.info["source"] = "engine"
            return found
        move = best[0] if len(best) == 1 else self._preferred(game, best)
        return _choice(move, values[move], str(source))

    def _towards_capture(self, game: Game, values: Mapping[Move, Bounds], tables: Tables) -> Choice | None:
        """Return the move of a strategy for the most that can be hoped for, or, where a cycle may be worth anything,
        for the best win or draw that is certain. It never cycles: probing move by move could."""
        from awale.kernels import convert

        ahead = game.scores[game.turn] - game.scores[1 - game.turn]
        exact = has_exact_values(self.rules)
        if exact:
            worth, without = {max(value.most for value in values.values())}, ahead
        else:
            alone = board_values(tables, game, alone=True).moves
            worth = {max(value.least for value in each.values()) for each in (values, alone)}
            without = max(ahead - sum(game.counts), -1)  # certain anyway, or a loss
        state = convert.pack_position(self.rules, game.state)
        followed, expected = self._followed or (None, ())
        if followed is not None and (game.history[:-1] != expected or followed.kept(state) is None):
            followed = None
        if followed is not None:
            worth.add(followed.claim.margin)
        for margin in sorted(worth, reverse=True):
            if margin <= without:
                return None
            known = followed is not None and followed.claim.margin == margin
            proof = followed if known else self._oracle.strategy(game, game.turn, margin, STRATEGY_BUDGET)
            if proof is not None and (kept := proof.kept(state)) is not None:
                move = convert.move_of(self.rules, game.turn, kept[0])
                after = game.copy()
                after.push(move)
                self._followed = proof, after.history
                value = Bounds(margin, margin if exact else max(margin, values[move].most))
                return _choice(move, value, "strategy", 0 if known else proof.nodes)
        return None

    def _preferred(self, game: Game, best: list[Move]) -> Move:
        """Return the engine's choice among moves that are all best, or secure as much."""
        found = self._engine.analyse(game, Limit(depth=PREFERENCE_DEPTH), every_move=True)
        values = {move.move: move.value.seeds for move in found.moves}
        return max(best, key=lambda move: values.get(move, 0.0))


def _choice(move: Move, value: Bounds, source: str, nodes: int = 0) -> Choice:
    known = float(value.least) if value.exact else None
    return Choice(move, known, (move,), nodes, {"source": source, "proved": _result(value)})


def _result(value: Bounds) -> str:
    """Return what bounds of the final margin prove: the key of a sentence in `players.proved`."""
    if value == (0, 0):
        return "draw"
    if value.least > 0 or value.most < 0:
        return "win" if value.least > 0 else "loss"
    return "at-least-draw" if value.least == 0 else "best"


def _certainly_best(values: Mapping[Move, Bounds]) -> list[Move]:
    """Return the moves that no other move can beat."""
    return [
        move
        for move, value in values.items()
        if all(value.least >= other.most for rival, other in values.items() if rival != move)
    ]


def _securing(values: Mapping[Move, Bounds]) -> list[Move]:
    """Return the moves that are proven to win; if there is none, those that are proven not to lose."""
    wins = [move for move, value in values.items() if value.least > 0]
    return wins or [move for move, value in values.items() if value.least == 0]
