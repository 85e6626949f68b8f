"""Exact values of the moves of a position: from an endgame table, else by proof. Never an estimate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from awale.errors import RulesError
from awale.game import Game
from awale.rules import Rules
from awale.rules.moves import Move
from awale.tables import Tables
from awale.tables.board_values import Bounds, board_values
from awale.tables.errors import TablesError
from awale.training.puzzle import ProofSource

if TYPE_CHECKING:
    from awale.search.engine import SearchEngine
    from awale.search.single_lap import Prover

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
        key = (game.key, unique, frozenset((old.board, old.turn) for old in _earlier(game)))
        if key not in self._known:
            self._known[key] = self._table(game) or self._proof(game, unique)
        return self._known[key]

    def reply(self, game: Game, margin: int) -> Move | None:
        """Return a move that forces a final margin for the player to move: the best one where a table knows it, else
        the first that is proven, captures before others."""
        known = self._table(game)
        if known is not None:
            best = max(game.legal_moves, key=lambda move: (known[0][move].least, game.trace(move, laps=1).taken))
            return best if known[0][best].least >= margin else None
        prover = None if _earlier(game) else self._prover()
        if prover is None:
            proven = self._by_engine(game)
            best = max(game.legal_moves, key=lambda move: proven[move].least)
            return best if proven[best].least >= margin else None
        for move in sorted(game.legal_moves, key=lambda move: -game.trace(move, laps=1).taken):
            after = game.copy()
            after.push(move)
            if _at_least(prover, game.turn, after, margin):
                return move
        return None

    def _table(self, game: Game) -> Known | None:
        if self.tables is None or _earlier(game):
            return None
        try:
            found = board_values(self.tables, game).moves
        except TablesError:
            return None
        if not all(value.exact for value in found.values()):
            return None
        return {game.parse(move): value for move, value in found.items()}, "table"

    def _proof(self, game: Game, unique: bool) -> Known | None:
        found = self._by_claims(game, unique)
        return None if found is None else (found, "proof")

    def _by_claims(self, game: Game, unique: bool) -> dict[Move, Bounds] | None:
        """Return the result of each move by claims "the mover wins" and "the mover does not lose"."""
        prover = None if _earlier(game) else self._prover()
        if prover is None:
            return self._by_engine(game)
        found: dict[Move, Bounds] = {}
        wins = 0
        for move in game.legal_moves:
            after = game.copy()
            after.push(move)
            won = _at_least(prover, game.turn, after, 1)
            if won is None:
                return None
            drawn = won or _at_least(prover, game.turn, after, 0)
            found[move] = Bounds(-_far(game), 0) if drawn is None else _result(game, 1 if won else 0 if drawn else -1)
            wins += won
            if unique and wins > 1:
                return None
        return found

    def _prover(self) -> Any:
        """Return what proves claims under these rules, with an empty transposition table; None if nothing does."""
        from awale.kernels.endgame import NO_TABLES
        from awale.search import single_lap, solve

        try:
            if self.rules.family == "relay":
                solve.check_rules(self.rules)
                return _RelayProver(self.rules, self.tables, self.nodes)
            tables = NO_TABLES if self.tables is None else self.tables.table_set
            return _LapProver(single_lap.Prover(self.rules, tables, entries=ENTRIES), self.nodes)
        except RulesError:
            return None

    def _by_engine(self, game: Game) -> dict[Move, Bounds]:
        from awale.search.engine import SearchEngine
        from awale.search.limits import Limit

        if self._engine is None:
            self._engine = SearchEngine(self.rules, hash_mb=4, tables=self.tables)
        analysis = self._engine.analyse(game, Limit(depth=self.depth), every_move=True)
        far = _far(game)
        proven = {
            each.move: Bounds(
                -far if each.value.least is None else each.value.least,
                far if each.value.most is None else each.value.most,
            )
            for each in analysis.moves
        }
        return {move: proven[move] for move in game.legal_moves}


class _LapProver:
    def __init__(self, prover: Prover, nodes: int) -> None:
        self._prover, self._nodes = prover, nodes

    def settle(self, game: Game, player: int, margin: int) -> bool | None:
        return self._prover.settle(self._prover.state(game), player, margin, most=self._nodes).holds


class _RelayProver:
    def __init__(self, rules: Rules, tables: Tables | None, nodes: int) -> None:
        self._rules, self._nodes, self._tables = rules, nodes, tables

    def settle(self, game: Game, player: int, margin: int) -> bool | None:
        from awale.kernels import convert
        from awale.search.claims import Claim
        from awale.search.solve import Proof

        state = convert.pack_position(self._rules, game.state)._replace(ply=0)
        return Proof(self._rules, Claim(player, margin, 0), state, entries=ENTRIES).settle(most=self._nodes)


def _at_least(prover: Any, player: int, after: Game, margin: int) -> bool | None:
    """Return whether a player can force a final margin from here."""
    if after.over:
        return after.scores[player] - after.scores[1 - player] >= margin
    settled: bool | None = prover.settle(after, player, margin)
    return settled


def _result(game: Game, result: int) -> Bounds:
    """Return the bounds of a result: of a win or a loss only the sign is known."""
    far = _far(game)
    return Bounds(1, far) if result > 0 else Bounds(-far, -1) if result < 0 else Bounds(0, 0)


def _far(game: Game) -> int:
    """Return a margin that no game exceeds."""
    return sum(game.counts) + max(game.scores)


def _earlier(game: Game) -> list[Any]:
    """Return the earlier positions that could come back and count."""
    if game.rules.repetition == "none":
        return []
    return [old for old in game.history[:-1] if old.scores == game.scores]
