"""Finding stored games: the latest, and those in which a position occurs."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, joinedload

from awale.errors import MoveError
from awale.notation.replay import for_rules
from awale.rules import positions
from awale.rules.description import Rules
from awale.rules.reference import Position
from awale.store import position_index
from awale.store.games import rules_of
from awale.store.models import Game

BATCH = 500
PIECE = 50
"""Games read at a time of those that the index names: mostly the first few are wanted."""


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
    patience: Callable[[], bool] = lambda: True,
) -> Iterator[Game]:
    """Yield the games of some rules in which a position occurs (board and player to move), the latest first.

    Candidates come from the index of positions; games that are not in it yet are replayed. The search ends when
    `patience`, called before every game, returns False.
    """
    wanted = positions.read(rules, position)
    chosen: Select[tuple[Game]] = select(Game) if query is None else query
    base = chosen.where(Game.rules == rules.name)
    found = position_index.candidates(session, rules.name, position_index.position_hash(wanted.board, wanted.turn))
    waiting = latest(session, base.where(Game.indexed.is_(False)))
    games = heapq.merge(waiting, _by_number(session, base, found), key=lambda game: -game.id)
    for game in games:
        if not patience():
            return
        if rules_of(game) == rules and _occurs(wanted, rules, game):
            yield game


def _by_number(session: Session, base: Select[tuple[Game]], numbers: Iterator[int]) -> Iterator[Game]:
    """Yield games by their numbers, a batch at a time and each batch the latest first."""
    while piece := list(islice(numbers, PIECE)):
        query = base.where(Game.id.in_(piece), Game.indexed.is_(True)).order_by(Game.id.desc())
        games: list[Game] = list(session.scalars(query.options(joinedload(Game.south), joinedload(Game.north))))
        yield from games


def _occurs(wanted: Position, rules: Rules, game: Game) -> bool:
    """Return whether a position occurs in a game, which is replayed until it has captured more than that shows."""
    left = _seeds(wanted.board)
    replay = for_rules(rules)
    spot = replay.start(None if game.start is None else positions.read(rules, game.start))
    moves = iter(game.moves.split())
    try:
        while spot.turn != wanted.turn or spot.board != wanted.board:
            text = next(moves, None)
            if text is None or _seeds(spot.board) < left:
                return False
            _, spot = replay.push(spot, text)
    except MoveError:  # stored under rules that have changed since
        return False
    return True


def _seeds(board: Sequence[int | tuple[int, ...]]) -> int:
    return sum(sum(hole) if isinstance(hole, tuple) else hole for hole in board)
