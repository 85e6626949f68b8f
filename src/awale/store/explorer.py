"""The opening explorer: what was played in a position, how often, how those games ended, and what the book says.

A position is a board, its stores and the player to move, however it was reached: transpositions are one position.

>>> from awale.store import Store, StoredGame, explorer
>>> store = Store("sqlite://")
>>> with store.transaction() as session:
...     for moves in ("F f", "F e"):
...         _ = store.games.add(session, StoredGame(rules="abapa", moves=moves, winner=0, end="resignation"))
...     found = explorer.explore(session, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "abapa")
>>> found.games, found.moves[0].move, found.moves[0].games, found.book_depth > 10
(2, 'F', 2, True)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from awale.errors import AwaleError
from awale.game import Game
from awale.players import book
from awale.rules import Rules, positions, presets
from awale.rules.reference import Position
from awale.store import find, position_index
from awale.store.games import rules_of
from awale.store.models import UNINDEXED
from awale.store.models import Game as GameRow
from awale.store.position_index import DRAWN, NO_MOVE, NORTH_WON, SOUTH_WON


@dataclass(frozen=True, slots=True)
class Results:
    """How some games ended: won by South, drawn, won by North."""

    south: int
    draws: int
    north: int

    @property
    def games(self) -> int:
        return self.south + self.draws + self.north


@dataclass(frozen=True, slots=True)
class MoveResults(Results):
    """A move, how the games ended in which it was played, and its value in the opening book."""

    move: str
    value: float | None = None
    """Seeds for the player to move, as a search estimated them; None without a book."""


@dataclass(frozen=True, slots=True)
class Explored(Results):
    """How the finished games ended in which a position occurs, and its moves that were played or are in the book, the
    most frequent first, then the best."""

    moves: tuple[MoveResults, ...]
    book_depth: int | None = None
    """The depth of the search in the opening book; None where it says nothing."""


def explore(session: Session, position: str | Position, rules: str | Rules, *, stores: bool = True) -> Explored:
    """Return what the finished games of some rules hold about a position.

    `stores`: whether the captured seeds have to be the same, besides the board and the player to move. A game in which
    the position was repeated counts once, and once for each move that was played there.
    """
    rules = presets.get(rules)
    wanted = positions.read(rules, position) if isinstance(position, str) else position
    indexed, waiting = (count(session, wanted, rules, stores) for count in (_indexed, _waiting))
    games, moves = indexed.games + waiting.games, indexed.moves + waiting.moves
    entry = _book(rules, wanted)
    values = {} if entry is None else {one.move: one.value for one in entry.moves}
    lines = [
        MoveResults(*_results(moves[number, result] for result in _ORDER), move.text, values.get(move))
        for number, move in enumerate(position_index.numbered_moves(rules))
        if move in values or any(moves[number, result] for result in _ORDER)
    ]
    lines.sort(key=lambda line: (-line.games, -(line.value or 0.0), line.move))
    depth = None if entry is None else entry.depth
    return Explored(*_results(games[result] for result in _ORDER), tuple(lines), depth)


def _book(rules: Rules, position: Position) -> book.BookEntry | None:
    try:
        return book.lookup(Game(rules, start=position))
    except AwaleError:  # a relay that takes too long to follow here
        return None


_ORDER = (SOUTH_WON, DRAWN, NORTH_WON)


def _results(counts: Iterable[int]) -> tuple[int, int, int]:
    south, draws, north = counts
    return south, draws, north


class _Counts(NamedTuple):
    """How often each result occurs, and each move with a result."""

    games: Counter[int]
    moves: Counter[tuple[int, int]]


def _indexed(session: Session, wanted: Position, rules: Rules, stores: bool) -> _Counts:
    """Count the games of the index."""
    import numpy as np

    games, moves = found = _Counts(Counter(), Counter())
    last = (-1, -1)
    for entries in find.entries_at(session, rules, wanted, stores):
        if not len(entries):
            continue
        # The entries of a game lie together, those of a move in it too, perhaps in two blocks.
        other = np.diff(entries.numbers, prepend=last[0]) != 0
        another = other | (np.diff(entries.moves.astype(np.int64), prepend=last[1]) != 0)
        last = (int(entries.numbers[-1]), int(entries.moves[-1]))
        for result, count in enumerate(np.bincount(entries.results[other]).tolist()):
            games[result] += count
        pairs = np.bincount(entries.moves[another].astype(np.int64) * len(_ORDER) + entries.results[another])
        for pair in np.flatnonzero(pairs).tolist():
            move, result = divmod(pair, len(_ORDER))
            if move != NO_MOVE:
                moves[move, result] += int(pairs[pair])
    return found


def _waiting(session: Session, wanted: Position, rules: Rules, stores: bool) -> _Counts:
    """Count the games that are not in the index yet."""
    games, moves = found = _Counts(Counter(), Counter())
    query = select(GameRow).where(GameRow.rules == rules.name, UNINDEXED, GameRow.end.is_not(None))
    # In this order, SQLite reads the index of just these games.
    for game in session.scalars(query.order_by(GameRow.id)):
        if rules_of(game) != rules:
            continue
        here = {
            move
            for position, move in position_index.trail_of(rules, game.start, game.moves)
            if find.same_position(position, wanted, stores)
        }
        result = DRAWN if game.winner is None else game.winner
        games[result] += bool(here)
        moves.update((move, result) for move in here if move != NO_MOVE)
    return found
