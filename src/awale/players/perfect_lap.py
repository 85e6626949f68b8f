"""`perfect` in single-lap games: what tables and shipped results prove, and the engine elsewhere; it says which."""

from __future__ import annotations

from collections.abc import Mapping

from awale.game import Game
from awale.players.base import BasePlayer, Choice, PlayerClock
from awale.players.engine import Engine
from awale.players.oracle import Oracle
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.search import certificate
from awale.search.limits import Limit
from awale.search.single_lap import Prover
from awale.search.solve import Proof
from awale.tables.board_values import Bounds

STRATEGY_BUDGET = 3_000_000
"""Positions searched for a way to the next capture."""
KEPT = 8
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
        self._followed: list[Proof] = []

    def new_game(self) -> None:
        self._followed.clear()
        self._engine.new_game()

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        source, values = self._oracle.ask(game)
        best = _certainly_best(values)
        if not best:
            found = self._engine.play(game, clock=clock)
            found.info["source"] = "engine"
            return found
        worth = values[best[0]].least
        move, nodes = None, 0
        ahead = game.scores[game.turn] - game.scores[1 - game.turn]
        if source == "table" and worth > ahead and len(game.legal_moves) > 1:
            move, nodes = self._towards_capture(game, worth)
        if move is not None:
            source = "strategy"
        else:
            move = best[0] if len(best) == 1 else self._preferred(game, best)
        known = float(worth) if values[move].exact else None
        return Choice(move, known, (move,), nodes, {"source": str(source), "proved": _result(values[move])})

    def _towards_capture(self, game: Game, worth: int) -> tuple[Move | None, int]:
        """Return the move of a strategy that takes the value and never cycles: probing move by move could."""
        from awale.kernels import convert

        if self.rules.move_limit is not None or self.rules.repetition == "own-side" or self._oracle.tables is None:
            return None, 0
        state = convert.pack_position(self.rules, game.state)._replace(ply=0)
        for proof in reversed(self._followed):
            if proof.claim.x == game.turn and proof.claim.margin == worth:
                kept = proof.kept(state)
                if kept is not None and kept[0] != certificate.ALL:
                    return convert.move_of(self.rules, game.turn, kept[0]), 0
        # Only smaller layers are known to the search, so every line must leave this one.
        below = self._oracle.tables.table_set._replace(layers=sum(game.counts))
        proof = Prover(self.rules, below, entries=1 << 18).settle(state, game.turn, worth, most=STRATEGY_BUDGET)
        if not proof.holds:
            return None, proof.nodes
        proof.check()
        proof.forget_table()
        self._followed = [*self._followed[1 - KEPT :], proof]
        kept = proof.kept(state)
        assert kept is not None
        return convert.move_of(self.rules, game.turn, kept[0]), proof.nodes

    def _preferred(self, game: Game, best: list[Move]) -> Move:
        """Return the engine's choice among moves of the same value."""
        found = self._engine.analyse(game, Limit(depth=PREFERENCE_DEPTH), every_move=True)
        values = {move.move: move.value.seeds for move in found.moves}
        return max(best, key=lambda move: values.get(move, 0.0))


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
