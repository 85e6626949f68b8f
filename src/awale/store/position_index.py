"""The index of positions: in which games a position occurs, what was played there, and how those games ended.

A row for every position of every game would be a hundred times as many rows as there are games. Instead, a pass over
new games writes a *segment*: an entry for each position of each game, sorted by the position's hash, in compressed
blocks of some thousands. A question reads the one block of each segment that its hash can be in. Segments of about the
same size are merged, so they stay few however the games arrive.

A hash of 64 bits is taken for the position itself by whoever counts entries; whoever wants the games replays them.
Games that are not indexed yet (`Game.indexed`) are replayed as well; `update_index` keeps them few.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, func, insert, select, update
from sqlalchemy.orm import Session

from awale.errors import AwaleError, MoveError
from awale.notation.replay import for_rules
from awale.rules import moves as move_texts
from awale.rules import positions
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.rules.reference import Position
from awale.store.locks import Lock, acquire
from awale.store.models import UNINDEXED, Game, PositionBlock, VoidPosition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BLOCK = 8192
"""Entries in a block."""
SEGMENT = 20_000
"""The most games that are indexed in one go."""
TAIL = 100
"""So many games wait to be indexed by whoever stores single games."""
MERGED = 8
"""So many segments of about the same size are merged into one."""
LARGEST = 200
"""Blocks of a segment that is not merged any more: seconds of work."""
COMPILED = 1000
"""Games for which it is worth loading the compiled rules."""
NO_MOVE = 255
"""In place of a move: the game ended here."""
SOUTH_WON, NORTH_WON, DRAWN = range(3)


@dataclass(slots=True)
class Entries:
    """Positions of games, a row of each array for each."""

    keys: NDArray[np.int64]
    numbers: NDArray[np.int64]
    """The games' numbers."""
    moves: NDArray[np.uint8]
    """What was played there: an index into `numbered_moves`, or `NO_MOVE`."""
    results: NDArray[np.uint8]
    stores: NDArray[np.uint8]
    """South's and North's captured seeds."""

    def __getitem__(self, chosen: Any) -> Entries:
        return Entries(
            self.keys[chosen], self.numbers[chosen], self.moves[chosen], self.results[chosen], self.stores[chosen]
        )

    def __len__(self) -> int:
        return len(self.keys)


def _joined(parts: Sequence[Entries]) -> Entries:
    import numpy as np

    fields = ("keys", "numbers", "moves", "results", "stores")
    return Entries(*(np.concatenate([getattr(part, name) for part in parts]) for name in fields))


def identity(name: str, options: dict[str, Any] | None, version: int) -> str:
    """Return what names the rules of stored games here: the name, with a hash of the options of village rules."""
    if options is None:
        return name
    written = json.dumps([options, version], sort_keys=True)
    return f"{name[:180]}#{blake2b(written.encode(), digest_size=8).hexdigest()}"


@lru_cache(maxsize=64)
def numbered_moves(rules: Rules) -> tuple[Move, ...]:
    """Return the moves of some rules, in the order of the numbers that entries hold."""
    return tuple(move_texts.table(rules).values())


def position_keys(boards: NDArray[np.uint8], turns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the hashes of positions: boards (a row each) and players to move, without the stores."""
    import numpy as np

    width = (boards.shape[1] + 8) // 8 * 8  # at least one byte for the turn
    padded = np.zeros((len(boards), width), np.uint8)
    padded[:, : boards.shape[1]] = boards
    padded[:, -1] = turns + 1
    words = padded.view("<u8")
    key = np.full(len(boards), 0x9E3779B97F4A7C15, np.uint64)
    for column in range(words.shape[1]):  # the finalizer of MurmurHash3 between the words
        key = key ^ words[:, column]
        for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
            key = (key ^ (key >> np.uint64(33))) * np.uint64(factor)
        key = key ^ (key >> np.uint64(33))
    return key.view(np.int64)


def _flat(board: Any) -> list[int]:
    return [seeds for hole in board for seeds in (hole if isinstance(hole, tuple) else (hole,))]


def position_key(position: Position) -> int:
    """Return the hash of one position."""
    import numpy as np

    return int(position_keys(np.array([_flat(position.board)], np.uint8), np.array([position.turn]))[0])


# -- games as entries ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finished:
    """What the index needs of a finished game."""

    number: int
    start: str | None
    moves: str
    winner: int | None
    end: str
    scores: tuple[int, int]

    @property
    def result(self) -> int:
        return DRAWN if self.winner is None else self.winner


def entries_of(rules: Rules, games: Sequence[Finished]) -> Entries:
    """Return the entries of some games of the same rules, one for each position and what was played there."""
    usual = [game for game in games if game.start is None and game.end != "endless"]
    made: list[Entries] = []
    if len(usual) >= COMPILED and rules.family == "lap" and rules.pits <= 6:
        made.append(_compiled(rules, usual))
        done = set(made[0].numbers.tolist())
        games = [game for game in games if game.number not in done]
    made.append(_replayed(rules, games))
    return _once(_joined(made))


def _once(entries: Entries) -> Entries:
    """Return entries sorted by hash, the newest games first; what a game repeats is one entry."""
    import numpy as np

    order = np.lexsort((entries.stores[:, 0], entries.moves, -entries.numbers, entries.keys))
    entries = entries[order]
    same = np.ones(len(entries), bool)
    same[:1] = False
    columns = (entries.keys, entries.numbers, entries.moves, entries.stores[:, 0], entries.stores[:, 1])
    for column in columns:
        same[1:] &= column[1:] == column[:-1]
    return entries[~same]


def _replayed(rules: Rules, games: Iterable[Finished]) -> Entries:
    """Return the entries of games, replayed one by one."""
    import numpy as np

    boards, turns, stores, numbers, moves, results = [], [], [], [], [], []
    for game in games:
        trail = trail_of(rules, game.start, game.moves)
        boards += [_flat(position.board) for position, _ in trail]
        turns += [position.turn for position, _ in trail]
        stores += [position.scores for position, _ in trail]
        moves += [move for _, move in trail]
        numbers += [game.number] * len(trail)
        results += [game.result] * len(trail)
    width = len(boards[0]) if boards else 1
    return Entries(
        position_keys(np.array(boards, np.uint8).reshape(-1, width), np.array(turns, np.int64)),
        np.array(numbers, np.int64),
        np.array(moves, np.uint8),
        np.array(results, np.uint8),
        np.array(stores, np.uint8).reshape(-1, 2),
    )


@lru_cache(maxsize=4 * TAIL)
def trail_of(rules: Rules, start: str | None, moves: str) -> tuple[tuple[Position, int], ...]:
    """Return the positions of a game and the numbers of the moves played there, as far as its moves are legal."""
    trail: list[tuple[Position, int]] = []
    numbers = {move: number for number, move in enumerate(numbered_moves(rules))}
    try:
        replay = for_rules(rules)
        spot = replay.start(None if start is None else positions.read(rules, start))
        for text in moves.split():
            before = spot.position
            move, spot = replay.push(spot, text)
            trail.append((before, numbers[move]))
        trail.append((spot.position, NO_MOVE))
    except (AwaleError, MoveError):  # stored under rules that have changed since
        pass
    return tuple(trail)


_RESTS = {
    "win": "win_rest",
    "moves": "move_limit_rest",
    "few": "few_rest",
    "repetition": "repetition",
    "no-move": "no_move",
}
"""The option that says who takes the rest when the rules end a game."""


def _compiled(rules: Rules, games: Sequence[Finished]) -> Entries:
    """Return the entries of games from the usual start, played by the compiled rules. A game with a move that these do
    not know or refuse is left out."""
    import numpy as np

    from awale.kernels import convert, lap_lines
    from awale.rules import reference

    pits = _own_pits(rules)
    lines = [(game, [pits.get(text, NO_MOVE) for text in game.moves.split()]) for game in games]
    played = np.array([pit for _, line in lines for pit in line], np.uint8)
    ends = np.cumsum([len(line) for _, line in lines])
    rows = np.zeros((len(played) + len(lines), lap_lines.FIELDS), np.int64)
    start = convert.pack_position(rules, reference.start(rules))
    lap_lines.follow(convert.pack_rules(rules), start, played, ends, rows)
    lasts = ends + np.arange(len(lines))
    lengths = np.diff(lasts, prepend=-1)
    moves = np.full(len(rows), NO_MOVE, np.uint8)
    inner = np.ones(len(rows), bool)
    inner[lasts] = False
    moves[inner] = played + rules.pits * rows[inner, lap_lines.TURN]
    boards = lap_lines.boards(rules, rows)
    stores = rows[:, lap_lines.SOUTH : lap_lines.NORTH + 1].astype(np.uint8)
    for place, (game, _) in zip(lasts, lines, strict=True):
        if game.end in _RESTS and getattr(rules, _RESTS[game.end]) != "nobody":
            boards[place] = 0
            stores[place] = game.scores
    entries = Entries(
        position_keys(boards, rows[:, lap_lines.TURN]),
        np.repeat(np.array([game.number for game, _ in lines], np.int64), lengths),
        moves,
        np.repeat(np.array([game.result for game, _ in lines], np.uint8), lengths),
        stores,
    )
    return entries[np.repeat(rows[lasts, lap_lines.PLY] >= 0, lengths)]


def _own_pits(rules: Rules) -> dict[str, int]:
    """Return the pits from their mover's left that texts name, where both players mean the same."""
    tables = [{text: move.pit % rules.pits for text, move in table.items()} for table in for_rules(rules).moves]
    return {text: pit for text, pit in tables[0].items() if tables[1].get(text, pit) == pit} | {
        text: pit for text, pit in tables[1].items() if text not in tables[0]
    }


# -- writing -------------------------------------------------------------------------------------------------------


def update_index(session: Session, *, least: int = 1) -> int:
    """Index the finished games that are not, if there are `least` or more; return how many were."""
    waiting = (UNINDEXED, Game.end.is_not(None))
    session.flush()
    if least > 1 and (session.scalar(select(func.count()).select_from(Game).where(*waiting)) or 0) < least:
        return 0
    acquire(session, Lock.INDEX)
    _number_voids(session)
    played = (Game.start, Game.moves, Game.winner, Game.end, Game.south_seeds, Game.north_seeds)
    count = 0
    for name in list(session.scalars(select(Game.rules).where(*waiting).distinct().order_by(Game.rules))):
        query = select(Game.id, Game.rules_options, Game.rules_version, *played).where(*waiting, Game.rules == name)
        # A game that is being changed now is left to the next time.
        query = query.order_by(Game.id).limit(SEGMENT).with_for_update(skip_locked=True)
        while rows := session.execute(query).all():
            groups: dict[str, tuple[Rules | None, list[Finished]]] = {}
            for number, options, version, start, moves, winner, end, south, north in rows:
                group = identity(name, options, version)
                if group not in groups:
                    groups[group] = (_known_rules(name, options, version), [])
                groups[group][1].append(Finished(number, start, moves, winner, end, (south, north)))
            for group, (rules, games) in groups.items():
                if rules is not None:
                    _write(session, group, entries_of(rules, games))
            _mark(session, [row.id for row in rows])
            count += len(rows)
    if count:
        for changed in session.identity_map.values():
            if isinstance(changed, Game):
                session.expire(changed, ["indexed"])
    return count


def _known_rules(name: str, options: dict[str, Any] | None, version: int) -> Rules | None:
    from awale.store.games import read_rules

    try:
        return read_rules(name, options, version)
    except AwaleError:  # an own preset of somebody else
        return None


def _mark(session: Session, numbers: list[int]) -> None:
    for begin in range(0, len(numbers), 5000):
        chosen = update(Game).where(Game.id.in_(numbers[begin : begin + 5000])).values(indexed=True)
        session.execute(chosen, execution_options={"synchronize_session": False})


def _write(session: Session, rules: str, entries: Entries) -> None:
    """Write a segment, then merge segments while there are many of one size."""
    if not len(entries):
        return
    segment = (session.scalar(select(func.max(PositionBlock.segment))) or 0) + 1
    rows = []
    for begin in range(0, len(entries), BLOCK):
        piece = entries[begin : begin + BLOCK]
        row = {"rules": rules, "segment": segment, "block": begin // BLOCK, "data": _pack(piece)}
        rows.append(row | {"first": int(piece.keys[0]), "last": int(piece.keys[-1])})
    session.execute(insert(PositionBlock), rows)
    _merge(session, rules)


def _merge(session: Session, rules: str) -> None:
    """Merge the segments of some rules that have about the same number of blocks, if there are many."""
    sizes = session.execute(
        select(PositionBlock.segment, func.count())
        .where(PositionBlock.rules == rules)
        .group_by(PositionBlock.segment)
        .order_by(PositionBlock.segment)
    ).all()
    classes: dict[int, list[int]] = {}
    for segment, blocks in sizes:
        if blocks < LARGEST:
            classes.setdefault(_size_class(blocks), []).append(segment)
    for alike in classes.values():
        if len(alike) >= MERGED:
            chosen = PositionBlock.segment.in_(alike)
            voids = _voids(session)
            query = select(PositionBlock.segment, PositionBlock.data).where(chosen)
            parts = [_valid(_unpack(data), voids, segment) for segment, data in session.execute(query)]
            session.execute(delete(PositionBlock).where(chosen))
            return _write(session, rules, _once(_joined(parts)))
    return None


def _size_class(blocks: int) -> int:
    """Return the power of `MERGED` that a number of blocks is near."""
    found = 0
    while blocks >= MERGED:
        blocks //= MERGED
        found += 1
    return found


def _pack(entries: Entries) -> bytes:
    """Return a block: byte by byte of the columns, because the high bytes of sorted hashes compress well."""
    import numpy as np

    least = int(entries.numbers.min())
    columns = (
        np.diff(entries.keys, prepend=entries.keys[:1]).astype("<i8"),
        (entries.numbers - least).astype("<u4"),
        entries.moves,
        entries.results,
        entries.stores[:, 0],
        entries.stores[:, 1],
    )
    head = np.array([len(entries), int(entries.keys[0]), least], "<i8").tobytes()
    body = (np.ascontiguousarray(column).view(np.uint8).reshape(len(entries), -1).T.tobytes() for column in columns)
    return zlib.compress(head + b"".join(body), 1)


def _unpack(data: bytes, key: int | None = None) -> Entries:
    """Return the entries of a block; only those with a hash, if it is given."""
    import numpy as np

    raw = np.frombuffer(zlib.decompress(data), np.uint8)
    count, first, least = (int(value) for value in raw[:24].view("<i8"))
    rows = raw[24:].reshape(-1, count)

    def column(begin: int, size: int) -> Any:
        return np.ascontiguousarray(rows[begin : begin + size].T)

    keys = first + np.cumsum(column(0, 8).view("<i8")[:, 0])
    if key is not None:
        low, high = np.searchsorted(keys, key, "left"), np.searchsorted(keys, key, "right")
        keys, rows = keys[low:high], rows[:, low:high]
    numbers = least + column(8, 4).view("<u4")[:, 0].astype(np.int64)
    return Entries(keys, numbers, rows[12], rows[13], column(14, 2))


# -- games that changed --------------------------------------------------------------------------------------------


def void(session: Session, numbers: Iterable[int]) -> None:
    """Make the entries of games that are about to change or go not count any more."""
    chosen = select(Game.id).where(Game.id.in_(list(numbers)), Game.indexed).with_for_update()
    for number in session.scalars(chosen).all():
        session.merge(VoidPosition(game_id=number, segment=None))
    session.flush()


def _number_voids(session: Session) -> None:
    """Note how far the entries go that do not count: a game may be indexed again. Forget those that are gone."""
    first, last = session.execute(select(func.min(PositionBlock.segment), func.max(PositionBlock.segment))).one()
    session.execute(update(VoidPosition).where(VoidPosition.segment.is_(None)).values(segment=last or 0))
    session.execute(delete(VoidPosition).where(VoidPosition.segment < (first or 1)))


def _voids(session: Session) -> dict[int, int | None]:
    """Return the games whose entries do not count, and the last segment in which they do not; None for all."""
    return {row.game_id: row.segment for row in session.execute(select(VoidPosition.game_id, VoidPosition.segment))}


def _valid(entries: Entries, voids: dict[int, int | None], segment: int) -> Entries:
    import numpy as np

    gone = [number for number, last in voids.items() if last is None or segment <= last]
    return entries[~np.isin(entries.numbers, gone)] if gone else entries


# -- reading -------------------------------------------------------------------------------------------------------


_BLOCK_DATA = select(PositionBlock.data).where(
    PositionBlock.segment == bindparam("in_segment"), PositionBlock.block == bindparam("number")
)


def lookup(session: Session, rules: str, key: int) -> Iterator[Entries]:
    """Yield the entries with a hash, the latest segment first; `rules` by their `identity`."""
    voids = _voids(session)
    places = (
        select(PositionBlock.segment, PositionBlock.block)
        .where(PositionBlock.rules == rules, PositionBlock.first <= key, PositionBlock.last >= key)
        .order_by(PositionBlock.segment.desc(), PositionBlock.block)
    )
    connection = session.connection()
    for segment, block in connection.execute(places).all():
        data = connection.scalars(_BLOCK_DATA, {"in_segment": segment, "number": block}).one()
        if entries := _unpack(data, key):
            yield _valid(entries, voids, segment)
