"""What is proven about the moves of a position: by a table, shipped results, a book, or proofs found at once."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from awale.bounds import Bounds
from awale.errors import RulesError
from awale.game import Game
from awale.rules import positions
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.search import single_lap
from awale.search.claims import Claim
from awale.search.limits import check_rules
from awale.search.perfect import ENTRIES
from awale.search.solve import Proof, SolveError
from awale.tables import Tables, compute, find_tables, refusal
from awale.tables.board_values import board_values, shipped
from awale.tables.errors import TablesError
from awale.tables.index import total_size

SMALL = 5_000_000
"""A board with at most so many positions gets its table at once, in a second or two."""
COUNTED_EFFORT = 5
"""How much longer the table takes under a move limit."""
PROOF_BUDGET = 10_000
"""Positions searched for each claim about a move of a relay game: some milliseconds."""
RETURN_BUDGET = 100_000
"""Positions searched for a way to the value of a move that never returns to an earlier position."""


class Known(NamedTuple):
    """The proven final margins of moves, to the player to move, and by what: `table`, `results` (shipped), `book` or
    `proof`; None where nothing is known. A move whose bounds say nothing is left out in relay games."""

    source: str | None
    moves: Mapping[Move, Bounds]


UNKNOWN = Known(None, {})


class Oracle:
    """Returns what is proven about the moves of games under some rules. Remembers the tables it has opened or made."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.tables: Tables | None = None

    def ask(self, game: Game) -> Known:
        """Return what is proven about the moves of a game that is not over.

        >>> game = Game("awari:pits=2,seeds=1")
        >>> known = Oracle(game.rules).ask(game)
        >>> known.source, {str(move): value.as_json() for move, value in known.moves.items()}
        ('table', {'A': 0, 'B': 0})
        """
        if self.rules.family == "lap":
            return self._of_tables(game)
        return self._of_proofs(game) if self.rules.family == "relay" else UNKNOWN

    def covering(self, game: Game) -> Tables | None:
        """Return the tables that are open, if they cover the position."""
        return self.tables if self.tables is not None and sum(game.counts) <= self.tables.seeds else None

    # -- single-lap games ------------------------------------------------------------------------------------------

    def _of_tables(self, game: Game) -> Known:
        board = shipped(self.rules) if game.ply == 0 and game.state == Game(self.rules).state else None
        if self.covering(game) is None:
            self.tables = self._find(game)
        tables = self.covering(game)
        if tables is not None:
            try:
                found = board_values(tables, game).moves
            except TablesError:
                return UNKNOWN
            if board is not None and board.moves != found:  # a table rounds its bounds
                closer = {game.parse(move): value.closer(board.moves[move]) for move, value in found.items()}
                return Known("results", closer)
            return Known("table", self._without_returns(game, {game.parse(move): found[move] for move in found}))
        if board is None:
            return UNKNOWN
        return Known("results", {game.parse(move): value for move, value in board.moves.items()})

    def _without_returns(self, game: Game, values: dict[Move, Bounds]) -> dict[Move, Bounds]:
        """Where a return to an earlier position might spoil the value of a move, look for a way that never returns."""
        if self.rules.repetition != "nobody" or all(value.exact for value in values.values()):
            return values
        assert self.tables is not None
        ahead = game.scores[game.turn] - game.scores[1 - game.turn]
        for move, said in self.tables.probe_moves(game, alone=True).items():
            if not values[move].exact and said is not None:
                margin = ahead + said.seeds
                mine = margin == values[move].most
                after = game.copy()
                after.push(move)
                player = game.turn if mine else 1 - game.turn
                if self.strategy(after, player, margin if mine else -margin, RETURN_BUDGET):
                    values[move] = Bounds(margin, margin)
        return values

    def strategy(self, game: Game, player: int, margin: int, most: int) -> Proof | None:
        """Return a checked proof that a player ends at least so far ahead, which must be more than now where endless
        play is worth the margin. Every line makes a capture or ends the game; none returns to a position since the last
        capture, unless the rules allow that and there is no other way. None if a search of `most` positions finds none,
        and for rules that the search does not know."""
        from awale.kernels import convert

        assert self.tables is not None
        if single_lap.refusal(self.rules) is not None:
            return None
        below = self.tables.table_set._replace(layers=sum(game.counts))
        *past, state = (position._replace(ply=0) for position in convert.pack_history(game))
        past = [old for old in past if old != state]
        for avoided in [past] if self.rules.repetition != "none" or not past else [past, []]:
            proof = single_lap.Prover(self.rules, below, entries=1 << 18).settle(state, player, margin, most, avoided)
            if proof.holds:
                with suppress(SolveError):
                    proof.check()
                    proof.forget_table()
                    return proof
        return None

    def _find(self, game: Game) -> Tables | None:
        if refusal(self.rules) is not None:
            return None
        seeds = max(sum(game.counts), min(self.rules.total, sum(game.counts) + sum(game.scores)))
        found = find_tables(self.rules)
        if found is not None and found.seeds >= seeds:
            return found
        effort = 1 if self.rules.move_limit is None else COUNTED_EFFORT
        small = effort * total_size(self.rules.pits, seeds) <= SMALL
        return compute(self.rules, seeds, threads=1) if small else found

    # -- relay games -----------------------------------------------------------------------------------------------

    def _of_proofs(self, game: Game) -> Known:
        from awale.players.perfect import book_for

        try:
            check_rules(self.rules)
        except RulesError:
            return UNKNOWN
        total = sum(game.counts) + sum(game.scores)
        written = book_for(self.rules).get(positions.write(self.rules, game.state))
        if written is not None:
            return Known("book", {game.parse(written): Bounds(1, total)})
        values = {move: self._value(game, move, total) for move in game.legal_moves}
        known = {move: value for move, value in values.items() if value != (-total, total)}
        return Known("proof", known) if known else UNKNOWN

    def _value(self, game: Game, move: Move, total: int) -> Bounds:
        """Return who can force a win after a move, as bounds of the mover's margin."""
        from awale.kernels import convert

        me, after = game.turn, game.copy()
        after.push(move)
        outcome = after.outcome()
        if outcome is not None:
            margin = outcome.scores[me] - outcome.scores[1 - me]
            return Bounds(margin, margin)
        state = convert.pack_position(self.rules, after.state)._replace(ply=0)

        def wins(player: int) -> bool | None:
            """Return whether a player can force a win from here; None if the search did not tell."""
            return Proof(self.rules, Claim(player, 1, 0), state, entries=ENTRIES).prove(PROOF_BUDGET)

        theirs = wins(1 - me)
        if theirs:
            return Bounds(-total, -1)
        mine = wins(me)
        if mine:
            return Bounds(1, total)
        return Bounds(0 if theirs is False else -total, 0 if mine is False else total)
