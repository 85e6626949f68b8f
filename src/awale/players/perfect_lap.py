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
from awale.search.solve import Proof

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
        if source == "table" and len(values) > 1:
            found = self._towards_capture(game, max(value.most for value in values.values()))
            if found is not None:
                return found
        best = _certainly_best(values) or [move for move, value in values.items() if value.least > 0]
        if not best:
            found = self._engine.play(game, clock=clock)
            found.info["source"] = "engine"
            return found
        move = best[0] if len(best) == 1 else self._preferred(game, best)
        return _choice(move, values[move], str(source))

    def _towards_capture(self, game: Game, worth: int) -> Choice | None:
        """Return the move of a strategy for the most that can be hoped for, which never cycles: probing move by move
        could."""
        from awale.kernels import convert

        ahead = game.scores[game.turn] - game.scores[1 - game.turn]
        if worth <= ahead:
            return None
        state, nodes = convert.pack_position(self.rules, game.state), 0
        proof, expected = self._followed or (None, ())
        kept = proof.kept(state) if proof is not None and game.history[:-1] == expected else None
        if proof is None or kept is None or proof.claim.margin != worth:
            proof = self._oracle.strategy(game, game.turn, worth, STRATEGY_BUDGET)
            if proof is None:
                return None
            kept, nodes = proof.kept(state), proof.nodes
        assert kept is not None
        move = convert.move_of(self.rules, game.turn, kept[0])
        after = game.copy()
        after.push(move)
        self._followed = proof, after.history
        return _choice(move, Bounds(worth, worth), "strategy", nodes)

    def _preferred(self, game: Game, best: list[Move]) -> Move:
        """Return the engine's choice among moves that are all best, or all proven to win."""
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
