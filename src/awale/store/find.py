"""Finding stored games: the latest, and those in which a position occurs."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from sqlalchemy import Select, case, select
from sqlalchemy.orm import Session, joinedload

from awale.errors import MoveError
from awale.notation.replay import for_rules
from awale.rules import positions
from awale.rules.description import Rules
from awale.rules.reference import Position
from awale.store import position_index
from awale.store.games import rules_of, rules_options
from awale.store.models import UNINDEXED, Game
from awale.store.position_index import Entries

BATCH = 500
PIECE = 20
"""Games read first of those that the index names, then twice as many each time: mostly the first few are wanted."""


def latest(session: Session, query: Select[tuple[Game]] | None = None) -> Iterator[Game]:
    """Yield games, the latest first, a batch in memory at a time."""
    base = select(Game) if query is None else query
    before: int | None = None
    while True:
        piece = base if before is None else base.where(Game.id < before)
        piece = piece.order_by(Game.id.desc()).limit(BATCH)
        found = list(session.scalars(piece.options(joinedload(Game.south), joinedload(Game.north))))
        if not found:
            return
        yield from found
        before = found[-1].id


def by_position(
    session: Session,
    position: str,
    rules: Rules,
    query: Select[tuple[Game]] | None = None,
    *,
    stores: bool = True,
    patience: Callable[[], bool] = lambda: True,
) -> Iterator[Game]:
    """Yield the games of some rules in which a position occurs, the latest first.

    `query` may only add conditions to `select(Game)`. `stores`: whether the captured seeds have to be the same, besides
    the board and the player to move. Candidates come from the index of positions; games that are not in it yet are
    replayed. The search ends when `patience`, called before every game, returns False.
    """
    wanted = positions.read(rules, position)
    chosen: Select[tuple[Game]] = select(Game) if query is None else query
    waiting = latest(session, chosen.where(Game.rules == rules.name, UNINDEXED))
    found = _by_number(session, chosen, _candidates(session, rules, wanted, stores))
    for game in heapq.merge(waiting, found, key=lambda game: -game.id):
        if not patience():
            return
        if rules_of(game) == rules and _occurs(wanted, rules, game, stores):
            yield game


def _candidates(session: Session, rules: Rules, wanted: Position, stores: bool) -> Iterator[int]:
    """Yield the numbers of indexed games in which a position may occur, the latest segment first."""
    for entries in entries_at(session, rules, wanted, stores):
        last = None
        for number in entries.numbers.tolist():
            if number != last:
                yield number
            last = number


def entries_at(session: Session, rules: Rules, wanted: Position, stores: bool) -> Iterator[Entries]:
    """Yield what the index holds about a position."""
    name = position_index.identity(rules.name, rules_options(rules), rules.version)
    for entries in position_index.lookup(session, name, position_index.position_key(wanted)):
        yield entries[(entries.stores == wanted.scores).all(axis=1)] if stores else entries


def _by_number(session: Session, chosen: Select[tuple[Game]], numbers: Iterator[int]) -> Iterator[Game]:
    """Yield games by their numbers, a batch at a time and each batch the latest first."""
    base = select(Game).where(Game.indexed.is_(True)).options(joinedload(Game.south), joinedload(Game.north))
    if chosen.whereclause is not None:
        # As a CASE, because SQLite would rather read all games of some rules or players by an index of theirs.
        base = base.where(case((chosen.whereclause, 1), else_=0) == 1)
    size = PIECE
    while piece := list(islice(numbers, size)):
        yield from session.scalars(base.where(Game.id.in_(piece)).order_by(Game.id.desc())).all()
        size = min(2 * size, BATCH)


def same_position(position: Position, wanted: Position, stores: bool) -> bool:
    """Return whether board and player to move are the same, and the captured seeds where `stores` asks for it."""
    same = position.turn == wanted.turn and position.board == wanted.board
    return same and (not stores or position.scores == wanted.scores)


def _occurs(wanted: Position, rules: Rules, game: Game, stores: bool) -> bool:
    """Return whether a position occurs in a game, which is replayed until it has captured more than that shows."""
    left = _seeds(wanted.board)
    replay = for_rules(rules)
    spot = replay.start(None if game.start is None else positions.read(rules, game.start))
    moves = iter(game.moves.split())
    try:
        while not same_position(spot.position, wanted, stores):
            text = next(moves, None)
            if text is None or _seeds(spot.board) < left:
                return False
            _, spot = replay.push(spot, text)
    except MoveError:  # stored under rules that have changed since
        return False
    return True


def _seeds(board: Sequence[int | tuple[int, ...]]) -> int:
    return sum(sum(hole) if isinstance(hole, tuple) else hole for hole in board)
