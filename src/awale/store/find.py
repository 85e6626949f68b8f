"""Finding stored games: the latest, and those in which a position occurs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlalchemy import Select, select
from sqlalchemy.orm import Session, joinedload

from awale.errors import MoveError
from awale.notation.replay import for_rules
from awale.rules import positions
from awale.rules.description import Rules
from awale.store.games import rules_of
from awale.store.models import Game

BATCH = 500


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

    There is no index: games are replayed, each until it has captured more than the position shows. The search ends when
    `patience`, called before every game, returns False.
    """
    wanted = positions.read(rules, position)
    left = sum(sum(hole) if isinstance(hole, tuple) else hole for hole in wanted.board)
    chosen: Select[tuple[Game]] = select(Game) if query is None else query
    base = chosen.where(Game.rules == rules.name)
    replay = for_rules(rules)
    for game in latest(session, base):
        if not patience():
            return
        if rules_of(game) != rules:
            continue
        spot = replay.start(None if game.start is None else positions.read(rules, game.start))
        moves = iter(game.moves.split())
        try:
            while True:
                if spot.turn == wanted.turn and spot.board == wanted.board:
                    yield game
                    break
                text = next(moves, None)
                if text is None or sum(sum(h) if isinstance(h, tuple) else h for h in spot.board) < left:
                    break
                _, spot = replay.push(spot, text)
        except MoveError:  # stored under rules that have changed since
            continue
