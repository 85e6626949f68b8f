"""Exact values of the moves of a position: from an endgame table, else by proof. Never an estimate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from awale.bounds import Bounds
from awale.errors import RulesError
from awale.game import Game
from awale.rules import Rules
from awale.rules.moves import Move
from awale.tables import Tables
from awale.tables.board_values import board_values
from awale.tables.errors import TablesError
from awale.training.puzzle import ProofSource

if TYPE_CHECKING:
    from awale.search import single_lap
    from awale.search.engine import SearchEngine

PROOF_NODES = 60_000
"""Positions that a proof about one move may cost."""
PROOF_DEPTH = 8
"""Depth of the search whose proofs are taken where the claim search does not know the rules."""
ENTRIES = 1 << 16
Known: TypeAlias = tuple[dict[Move, Bounds], ProofSource]


class ExactValues:
    """Bounds of the final margin of every move, for the player to move.

    A table answers where it covers the board, its entries are exact and no earlier position can come back. Elsewhere
    the result of every move is proven: by proof-number search under rules that it knows, else by the engine's search
    for proofs, which knows the game's earlier positions.
    """

    def __init__(self, rules: Rules, tables: Tables | None, *, nodes: int = PROOF_NODES, depth: int = PROOF_DEPTH):
        self.rules = rules
        self.tables = tables
        self.nodes, self.depth = nodes, depth
        self._engine: SearchEngine | None = None
        self._known: dict[Any, Known | None] = {}

    def clear(self) -> None:
        """Forget everything, so that the next answer does not depend on earlier questions."""
        self._known.clear()
        if self._engine is not None:
            self._engine.clear()

    def values(self, game: Game, *, unique: bool = False) -> Known | None:
        """Return the bounds of every move and what showed them; None where it is not settled which moves win, with
        `unique` also as soon as two of them do."""
        key = (game.key, unique, frozenset((old.board, old.turn) for old in earlier_positions(game)))
        if key not in self._known:
            proven = self.table(game)
            if proven is None and (bounds := self._by_claims(game, unique)) is not None:
                proven = (bounds, "proof")
            self._known[key] = proven
        return self._known[key]

    def reply(self, game: Game, margin: int) -> Move | None:
        """Return a move that forces a final margin for the player to move: the best one where a table knows it, else
        the first that is proven, captures before others."""
        known = self.table(game)
        if known is not None:
            best = max(game.legal_moves, key=lambda move: (known[0][move].least, game.trace(move, laps=1).taken))
            return best if known[0][best].least >= margin else None
        prover = self._prover(game)
        if prover is None:
            proven = self._by_engine(game)
            best = max(game.legal_moves, key=lambda move: proven[move].least)
            return best if proven[best].least >= margin else None
        for move in sorted(game.legal_moves, key=lambda move: -game.trace(move, laps=1).taken):
            if prover.at_least(game, move, margin):
                return move
        return None

    def table(self, game: Game) -> Known | None:
        """Return the values that a table knows exactly for every move."""
        if self.tables is None or earlier_positions(game):
            return None
        try:
            found = board_values(self.tables, game).moves
        except TablesError:
            return None
        if not all(value.exact for value in found.values()):
            return None
        return {game.parse(move): value for move, value in found.items()}, "table"

    def _by_claims(self, game: Game, unique: bool) -> dict[Move, Bounds] | None:
        """Return the result of each move by claims "the mover wins" and "the mover does not lose"."""
        prover = self._prover(game)
        if prover is None:
            return self._by_engine(game)
        found: dict[Move, Bounds] = {}
        wins = 0
        for move in game.legal_moves:
            won = prover.at_least(game, move, 1)
            if won is None:
                return None
            drawn = won or prover.at_least(game, move, 0)
            found[move] = Bounds(-_far(game), 0) if drawn is None else _result(game, 1 if won else 0 if drawn else -1)
            wins += won
            if unique and wins > 1:
                return None
        return found

    def _prover(self, game: Game) -> ClaimProver | None:
        """Return what proves claims about a position; None where earlier positions count, or for other rules."""
        if earlier_positions(game):
            return None
        try:
            return ClaimProver(self.rules, self.tables, nodes=self.nodes)
        except RulesError:
            return None

    def _by_engine(self, game: Game) -> dict[Move, Bounds]:
        from awale.search.engine import SearchEngine

        if self._engine is None:
            self._engine = SearchEngine(self.rules, hash_mb=4, tables=self.tables)
        return engine_bounds(self._engine, game, self.depth)


def engine_bounds(engine: SearchEngine, game: Game, depth: int) -> dict[Move, Bounds]:
    """Return what the engine's search for proofs shows about every move, after a search of this depth."""
    from awale.search.limits import Limit

    analysis = engine.analyse(game, Limit(depth=depth), every_move=True)
    far = _far(game)
    proven = {
        each.move: Bounds(
            -far if each.value.least is None else each.value.least, far if each.value.most is None else each.value.most
        )
        for each in analysis.moves
    }
    return {move: proven[move] for move in game.legal_moves}


class ClaimProver:
    """Settle claims about one position's moves by proof-number search, from an empty transposition table, every
    strategy walked again move by move.

    Raise `RulesError` for rules that the search does not know.
    """

    def __init__(self, rules: Rules, tables: Tables | None = None, *, nodes: int, entries: int = ENTRIES) -> None:
        from awale.kernels.endgame import NO_TABLES
        from awale.search import limits, single_lap

        self._rules, self._nodes, self._entries = rules, nodes, entries
        self._lap: single_lap.Prover | None = None
        if rules.family == "relay":
            limits.check_rules(rules)
        else:
            single_lap.check_exact(rules)
            leaves = NO_TABLES if tables is None else tables.table_set
            self._lap = single_lap.Prover(rules, leaves, entries=entries)

    def at_least(self, game: Game, move: Move | str, margin: int) -> bool | None:
        """Return whether the player to move forces a final margin by this move; None if that is not settled."""
        player = game.turn
        after = Game(self._rules, start=game.state)
        after.push(move)
        if after.over:
            return after.scores[player] - after.scores[1 - player] >= margin
        if self._lap is not None:
            return self._lap.settle(self._lap.state(after), player, margin, most=self._nodes, check=True).holds
        from awale.kernels import convert
        from awale.search.claims import Claim
        from awale.search.solve import Proof

        state = convert.pack_position(self._rules, after.state)._replace(ply=0)
        return Proof(self._rules, Claim(player, margin, 0), state, entries=self._entries).prove(self._nodes)


def _result(game: Game, result: int) -> Bounds:
    """Return the bounds of a result: of a win or a loss only the sign is known."""
    far = _far(game)
    return Bounds(1, far) if result > 0 else Bounds(-far, -1) if result < 0 else Bounds(0, 0)


def _far(game: Game) -> int:
    """Return a margin that no game exceeds."""
    return sum(game.counts) + max(game.scores)


def earlier_positions(game: Game) -> list[Any]:
    """Return the earlier positions that could come back and count."""
    if game.rules.repetition == "none":
        return []
    return [old for old in game.history[:-1] if old.scores == game.scores]
