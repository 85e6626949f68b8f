"""The index of positions: in which games a position occurs.

A row for every position of every game would be a hundred times as many rows as there are games. Instead, a pass over
new games writes a *segment*: pairs of a position's hash and a game's number, sorted, in compressed blocks of some
thousands. A search reads the one block of each segment that its hash can be in. Hashes may collide and games may have
changed since, so what is found is replayed.

Games that are not indexed yet (`Game.indexed`) are searched by replaying them; `update` keeps them few.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from sqlalchemy import func, insert, select, update
from sqlalchemy.orm import Session

from awale.errors import AwaleError, MoveError
from awale.notation.replay import for_rules
from awale.rules import positions
from awale.store.models import Game, PositionBlock

HASH_BYTES = 5
BLOCK = 8192
"""Pairs in a block."""
SEGMENT = 20_000
"""The most games in a segment."""
TAIL = 500
"""So many games wait to be indexed by whoever stores single games."""


def position_hash(board: Any, turn: int) -> int:
    """Return the hash of a position: board and player to move, without the stores."""
    return int.from_bytes(blake2b(repr((board, turn)).encode(), digest_size=HASH_BYTES).digest(), "big")


def update_index(session: Session, *, least: int = 1) -> int:
    """Index the finished games that are not, if there are `least` or more; return how many were."""
    waiting = (Game.indexed.is_(False), Game.end.is_not(None))
    if least > 1 and (session.scalar(select(func.count()).select_from(Game).where(*waiting)) or 0) < least:
        return 0
    session.flush()
    count = 0
    for rules in list(session.scalars(select(Game.rules).where(*waiting).distinct().order_by(Game.rules))):
        while True:
            query = select(Game).where(*waiting, Game.rules == rules).order_by(Game.id).limit(SEGMENT)
            games = list(session.scalars(query))
            if not games:
                break
            _write(session, rules, games)
            numbers = [game.id for game in games]
            for begin in range(0, len(numbers), 500):
                chosen = update(Game).where(Game.id.in_(numbers[begin : begin + 500])).values(indexed=True)
                session.execute(chosen, execution_options={"synchronize_session": False})
            for game in games:
                session.expire(game)
            count += len(games)
    return count


def _write(session: Session, rules: str, games: list[Game]) -> None:
    """Write the segment of some games."""
    import numpy as np  # most commands of the store never need it

    hashes: list[int] = []
    numbers: list[int] = []
    for game in games:
        found = set(_hashes(game))
        hashes += found
        numbers += [game.id] * len(found)
    # Newest games first among equal positions: a search for the latest games can stop early.
    order = np.lexsort((-np.array(numbers, np.int64), np.array(hashes, np.int64)))
    keys, ids = np.array(hashes, np.int64)[order], np.array(numbers, np.int64)[order]
    segment = (session.scalar(select(func.max(PositionBlock.segment))) or 0) + 1
    rows = []
    for begin in range(0, len(keys), BLOCK):
        key, number = keys[begin : begin + BLOCK], ids[begin : begin + BLOCK]
        packed = np.diff(key, prepend=key[:1]).tobytes() + number.tobytes()
        first, last = int(key[0]), int(key[-1])
        row = {"rules": rules, "segment": segment, "block": begin // BLOCK, "first": first, "last": last}
        rows.append(row | {"data": zlib.compress(packed, 1)})
    if rows:
        session.execute(insert(PositionBlock), rows)


def _hashes(game: Game) -> Iterator[int]:
    """Yield the hashes of a stored game's positions."""
    from awale.store.games import rules_of

    try:
        rules = rules_of(game)
        replay = for_rules(rules)
        spot = replay.start(None if game.start is None else positions.read(rules, game.start))
        yield position_hash(spot.board, spot.turn)
        for text in game.moves.split():
            _, spot = replay.push(spot, text)
            yield position_hash(spot.board, spot.turn)
    except (AwaleError, MoveError):  # stored under rules that have changed since
        return


def candidates(session: Session, rules: str, key: int) -> Iterator[int]:
    """Yield the numbers of indexed games in which a position with this hash may occur, the latest segment first."""
    import numpy as np

    places = (
        select(PositionBlock.segment, PositionBlock.block)
        .where(PositionBlock.rules == rules, PositionBlock.first <= key, PositionBlock.last >= key)
        .order_by(PositionBlock.segment.desc(), PositionBlock.block)
    )
    for segment, block in session.execute(places).all():
        chosen = (PositionBlock.segment == segment, PositionBlock.block == block)
        first, data = session.execute(select(PositionBlock.first, PositionBlock.data).where(*chosen)).one()
        whole = np.frombuffer(zlib.decompress(data), np.int64)
        half = len(whole) // 2
        keys = first + np.cumsum(whole[:half])
        low, high = np.searchsorted(keys, key, "left"), np.searchsorted(keys, key, "right")
        yield from (int(number) for number in whole[half + low : half + high])
