"""Playing a solved game: never lose what is proved, and make a win hard for the opponent.

In a won position the player follows one checked strategy to the end of the game: a strategy makes progress, while a new
proof at every move could cycle. A small book holds the opening positions that take long to prove; all later ones are
proved within milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from awale.game import Game
from awale.kernels import convert
from awale.rules import positions
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.search import certificate
from awale.search.claims import Claim
from awale.search.limits import check_rules
from awale.search.solve import Proof, Solver, Value

QUICK = 10_000
"""Positions searched for a proof during the game: some milliseconds."""
WIN_BUDGET = 400_000
REPLY_BUDGET = 60_000
"""The same, for one reply in a position that is not won."""
ENTRIES = 1 << 18
KEPT = 32

Book = Mapping[str, str]
"""Positions and the winning move there, as text."""


class Advice(NamedTuple):
    """A move and what is known of it."""

    move: Move
    value: Value | None
    """The value of the position to the player to move, where proved."""
    source: str
    """`book`, `strategy` (being followed), `proof` (found now) or `resistance`."""
    nodes: int


class _Reply(NamedTuple):
    """A move in a position that is not won; greater is better."""

    holds: int
    """2: the opponent cannot force a win; 1: unknown; 0: they can."""
    trouble: int
    """Positions that the opponent must search to prove it."""
    taken: int
    number: int


@dataclass
class Perfect:
    """Choose moves in a relay game. Use one instance per game: it remembers its strategies."""

    rules: Rules
    book: Book = field(default_factory=dict)
    _followed: list[Proof] = field(default_factory=list)

    def __post_init__(self) -> None:
        check_rules(self.rules)

    def choose(self, game: Game) -> Advice:
        """Return a move of a game that is not over."""
        if len(game.legal_moves) == 1:
            return Advice(game.legal_moves[0], None, "resistance", 0)
        written = self.book.get(positions.write(self.rules, game.state))
        if written is not None:
            return Advice(game.parse(written), "win", "book", 0)
        state = convert.pack_position(self.rules, game.state)._replace(ply=0)
        for proof in reversed(self._followed):
            if proof.claim.x == game.turn:
                kept = proof.kept(state)
                if kept is not None and kept[0] != certificate.ALL:
                    return Advice(convert.move_of(self.rules, game.turn, kept[0]), "win", "strategy", 0)
        proof = Proof(self.rules, Claim(game.turn, 1, 0), state, entries=ENTRIES)
        if proof.prove(WIN_BUDGET):
            proof.forget_table()
            self._followed = [*self._followed[1 - KEPT :], proof]
            kept = proof.kept(state)
            assert kept is not None
            return Advice(convert.move_of(self.rules, game.turn, kept[0]), "win", "proof", proof.nodes)
        replies = {move: self._reply(game, move) for move in game.legal_moves}
        best = max(game.legal_moves, key=lambda move: replies[move])
        nodes = proof.nodes + sum(reply.trouble for reply in replies.values())
        value: Value | None = None
        if replies[best].holds == 0:
            value = "loss"
        elif replies[best].holds == 2 and proof.holds is False:
            value = "draw"
        return Advice(best, value, "resistance", nodes)

    def _reply(self, game: Game, move: Move) -> _Reply:
        me = game.turn
        after = game.copy()
        after.push(move)
        taken = after.scores[me] - game.scores[me]
        outcome = after.outcome()
        if outcome is not None:
            return _Reply(0 if outcome.winner == 1 - me else 2, 0, taken, -move.pit)
        state = convert.pack_position(self.rules, after.state)._replace(ply=0)
        proof = Proof(self.rules, Claim(1 - me, 1, 0), state, entries=ENTRIES)
        won = proof.prove(REPLY_BUDGET)
        return _Reply(1 if won is None else 0 if won else 2, proof.nodes, taken, -move.pit)


def build_book(
    rules: Rules, *, quick: int = QUICK, threads: int = 1, report: Callable[[int], None] | None = None
) -> dict[str, str]:
    """Return a book for a game won by the first player: each of their positions not proved within `quick`.

    Empty if the first player does not win.
    """
    game = Game(rules)
    solver = Solver(game, threads)
    if not solver.claim(game.turn):
        return {}
    whole = solver.proof(game.turn)
    me = game.turn
    book: dict[str, str] = {}
    waiting = [game]
    seen = set()
    while waiting:
        here = waiting.pop()
        if here.over:
            continue
        if here.turn != me:
            for reply in here.legal_moves:
                after = Game(rules, start=here.state)
                after.push(reply)
                waiting.append(after)
            continue
        state = convert.pack_position(rules, here.state)._replace(ply=0)
        if state in seen:
            continue
        seen.add(state)
        if Proof(rules, Claim(me, 1, 0), state, entries=ENTRIES).settle(most=quick):
            continue
        kept = whole.kept(state)
        assert kept is not None
        move = convert.move_of(rules, me, kept[0])
        book[positions.write(rules, here.state)] = str(move)
        if report is not None:
            report(len(book))
        after = Game(rules, start=here.state)
        after.push(move)
        waiting.append(after)
    return dict(sorted(book.items()))
