"""Retrograde analysis of a layer of a one-lap game: the captures once, then sweeps until nothing changes.

All layers are stored one after another in one array, `flat`. A task is a group of GROUP neighbouring halves of the
mover; with each of them the other half runs over its ranks in tiles of TILE. A tile is visited only if a line of TILE
bytes that it reads has changed since: each line is stamped with the last sweep that changed it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.kernels.jit import UNCOUNTED, dispatch, jit
from awale.kernels.lap import DUTY_IF_POSSIBLE, NO_DUTY
from awale.tables.lap_moves import NO_MOVE, RANK_MASK, TAKEN_SHIFT, TILE, LapOptions, Replies, Sowings
from awale.tables.layers import Shape

GROUP = 64
TILE_BITS = 6
RANKS = np.uint64(RANK_MASK)
OUTSIDE = np.uint64(0)
LINE_BITS = np.uint64(TILE_BITS)
NONE = -127
"""The value of captures where there are none."""


@jit
def legal_alone(options: LapOptions, sowings: Sowings, replies: Replies, number: int) -> int:
    """Return a bit for each legal move of a half that holds all the seeds of the board."""
    every = 0
    feeding = 0
    for pit in range(options.pits):
        mode = sowings.mode[number, pit]
        if mode == NO_MOVE:
            continue
        every |= 1 << pit
        passed = int(sowings.passed[number, pit])
        entry = int(replies.entries[replies.start[0, passed, mode]])
        if passed > entry >> TAKEN_SHIFT:
            feeding |= 1 << pit
    if options.feeding == NO_DUTY or (options.feeding == DUTY_IF_POSSIBLE and feeding == 0):
        return every
    return feeding


@jit(forceinline=True)
def find_move(
    options: LapOptions,
    shape: Shape,
    sowings: Sowings,
    replies: Replies,
    seeds: int,
    shift: int,
    mine: int,
    number: int,
    legal: int,
    pit: int,
) -> tuple[int, int, int]:
    """Return where the row begins that a move leads to, where the replies to it begin and where their edges do; zeros
    if there is no such move. It is the same on a GPU.

    Args:
        options: the rules.
        shape: where layers, blocks and rows begin.
        sowings: what each move does to the mover's half.
        replies: what each move does to the other half.
        seeds: of the layer.
        shift: the offset of the layer in the array that holds it.
        mine: seeds of the mover's half.
        number: of this half.
        legal: its moves that may be legal, a bit each.
        pit: that is played.
    """
    other = seeds - mine
    mode = sowings.mode[number, pit]
    if mode == NO_MOVE or not (legal >> pit) & 1:
        if mine == 0 and pit == 0 and options.passes != 0 and seeds > 0:
            return shape.block[seeds, 0] - shift, replies.start[other, 0, 0], replies.edge_start[other, 0]
        return 0, 0, 0
    passed = np.int64(sowings.passed[number, pit])
    row = shape.block[seeds, mine - passed] - shift + sowings.rank[number, pit] * shape.width[other + passed]
    return row, replies.start[other, passed, mode], replies.edge_start[other, passed]


@jit(**UNCOUNTED)
def _list_moves(
    options: LapOptions,
    shape: Shape,
    sowings: Sowings,
    replies: Replies,
    seeds: int,
    shift: int,
    mine: int,
    half: int,
    rows: NDArray[np.int64],
    tables: NDArray[np.int64],
    starts: NDArray[np.int64],
    at: int,
) -> int:
    """Write what `find_move` returns for each move of a half, from `at` on; return how many there are."""
    number = shape.first[mine] + half
    legal = legal_alone(options, sowings, replies, number) if mine == seeds else -1
    count = 0
    for pit in range(options.pits):
        row, table, start = find_move(options, shape, sowings, replies, seeds, shift, mine, number, legal, pit)
        if row != 0:
            rows[at + count], tables[at + count], starts[at + count] = row, table, start
            count += 1
    return count


@jit(forceinline=True)
def best_capture(
    options: LapOptions,
    shape: Shape,
    sowings: Sowings,
    replies: Replies,
    seeds: int,
    ends: NDArray[np.int64],
    lows: NDArray[np.int8],
    highs: NDArray[np.int8],
    flat: NDArray[np.int8],
    mine: int,
    number: int,
    legal: int,
    rank: int,
) -> tuple[int, int]:
    """Return the upper and the lower bound of what the moves out of the layer are worth at best, or the end of the game
    where there is no legal move, or NONE. It is the same on a GPU.

    Args:
        options: the rules.
        shape: where layers, blocks and rows begin.
        sowings: what each move does to the mover's half.
        replies: what each move does to the other half.
        seeds: of the layer.
        ends: what a game that ends is worth, by the mover's seeds.
        lows: the lower bound that each code of a lower layer stands for.
        highs: the upper one.
        flat: the codes of all layers.
        mine: seeds of the mover's half.
        number: of this half.
        legal: its moves that may be legal, a bit each.
        rank: of the other half.
    """
    other = seeds - mine
    most, least, forced, forced_least = NONE, NONE, NONE, NONE
    inside = mine == 0 and options.passes != 0 and seeds > 0
    for pit in range(options.pits):
        mode = sowings.mode[number, pit]
        if mode == NO_MOVE or not (legal >> pit) & 1:
            continue
        passed = np.int64(sowings.passed[number, pit])
        entry = np.int64(replies.entries[replies.start[other, passed, mode] + rank])
        taken = entry >> TAKEN_SHIFT
        if taken == 0:
            inside = True
            continue
        below = seeds - taken
        row = shape.block[below, mine - passed] + sowings.rank[number, pit] * shape.width[other + passed - taken]
        code = (below << 8) + (np.int64(flat[row + (entry & RANK_MASK)]) & 255)
        high, low = taken - lows[code], taken - highs[code]
        if taken == other + passed and other > 0 and options.slam != NO_DUTY:
            forced, forced_least = max(forced, high), max(forced_least, low)
        else:
            most, least = max(most, high), max(least, low)
    if inside or most != NONE:
        return most, least
    if options.slam == DUTY_IF_POSSIBLE and forced != NONE:
        return forced, forced_least
    return ends[mine], ends[mine]


@jit(**UNCOUNTED)
def take_captures(
    bounds: bool,
    options: LapOptions,
    shape: Shape,
    sowings: Sowings,
    replies: Replies,
    seeds: int,
    shift: int,
    tasks: NDArray[np.int64],
    ends: NDArray[np.int64],
    lows: NDArray[np.int8],
    highs: NDArray[np.int8],
    flat: NDArray[np.int8],
    pairs: NDArray[np.int16],
    most: NDArray[np.int8],
) -> None:
    """Write the `best_capture` of every position of some tasks.

    Args:
        bounds: whether to write lower bounds too.
        options: the rules.
        shape: where layers, blocks and rows begin.
        sowings: what each move does to the mover's half.
        replies: what each move does to the other half.
        seeds: of the layer.
        shift: the offset of the layer in `pairs`.
        tasks: as for `sweep`.
        ends: what a game that ends is worth, by the mover's seeds.
        lows: the lower bound that each code of a lower layer stands for.
        highs: the upper one.
        flat: the codes of all layers.
        pairs: written with `bounds`: the lower bounds, from which the sweeps start.
        most: written: the upper bounds, the mover's half first.
    """
    for task in range(tasks.shape[0]):
        mine = tasks[task, 0]
        span = shape.width[seeds - mine]
        for half in range(tasks[task, 1], tasks[task, 2]):
            number = shape.first[mine] + half
            line = tasks[task, 3] + (half - tasks[task, 1]) * span
            place = shape.block[seeds, seeds - mine] - shift + half
            legal = legal_alone(options, sowings, replies, number) if mine == seeds else -1
            for i in range(span):
                high, low = best_capture(
                    options, shape, sowings, replies, seeds, ends, lows, highs, flat, mine, number, legal, i
                )
                most[line + i] = high
                if bounds:
                    pairs[place + i * shape.width[mine]] = (max(low, -seeds) << 8) | seeds


@jit
def _stale(
    stamps: NDArray[np.uint16],
    edges: NDArray[np.uint32],
    rows: NDArray[np.int64],
    starts: NDArray[np.int64],
    at: int,
    count: int,
    tile: int,
    origin: int,
    since: int,
) -> bool:
    """Return whether a line that a tile reads, for any of `count` moves, was changed at tick `since` or later."""
    for j in range(at, at + count):
        first = (rows[j] + int(edges[starts[j] + 2 * tile])) >> TILE_BITS
        last = (rows[j] + int(edges[starts[j] + 2 * tile + 1])) >> TILE_BITS
        for line in range(first - origin, last - origin + 1):
            if stamps[line] >= since:
                return True
    return False


@jit(forceinline=True)
def _upper(pair: int) -> int:
    """Return the upper bound of a pair: its low byte, signed."""
    return ((pair & 255) ^ 128) - 128


@jit(forceinline=True)
def _raise(
    bounds: bool, values: NDArray[Any], entry: np.uint64, row: np.uint64, low: np.int32, high: np.int32
) -> tuple[np.int32, np.int32]:
    """Return the bounds of a position after one more of its moves; a move out of the layer changes nothing."""
    child = np.int32(values[row + entry if entry <= RANKS else OUTSIDE])
    if bounds:
        return max(low, np.int32(-_upper(child))), max(high, np.int32(-(child >> 8)))
    return low, max(high, np.int32(-child))


# Nearly all time is spent here. Indices are unsigned, so that no code is generated for negative ones, and every move
# has its own variables: together 2.5 times as fast as the plain loop.
@jit(forceinline=True)
def _tile(
    bounds: bool,
    values: NDArray[Any],
    entries: NDArray[np.uint32],
    most: NDArray[np.int8],
    rows: NDArray[np.uint64],
    tables: NDArray[np.uint64],
    at: int,
    count: int,
    line: np.uint64,
    place: np.uint64,
    across: np.uint64,
    begin: int,
    end: int,
    stamps: NDArray[np.uint16],
    origin: np.uint64,
    now: int,
) -> int:
    """Update the positions of one half of the mover's and a run of other halves; return how many changed.

    Args:
        bounds: whether an entry is a pair of bounds, the lower one in its high byte; else it is a value, and endless
            play is worth nothing. A constant.
        values: the array that holds the layer.
        entries: replies: what each other half becomes.
        most: what captures are worth at best. (Those that raise a lower bound are in it from the start.)
        rows: where the row begins that each move leads to.
        tables: where the replies to each move begin.
        at: the first move in `rows` and `tables`.
        count: the number of moves, at most six.
        line: where the captures of this half begin in `most`.
        place: the index of its entry with the first other half.
        across: from there to the next other half.
        begin: the first other half.
        end: one past the last.
        stamps: the sweep that last changed each line.
        origin: the first line of the layer.
        now: the stamp for changes.
    """
    row0, row1, row2, row3, row4, row5 = rows[at], rows[at + 1], rows[at + 2], rows[at + 3], rows[at + 4], rows[at + 5]
    tab0, tab1, tab2 = tables[at], tables[at + 1], tables[at + 2]
    tab3, tab4, tab5 = tables[at + 3], tables[at + 4], tables[at + 5]
    changed = 0
    place += np.uint64(begin) * across
    for i in range(begin, end):
        b = np.uint64(i)
        old = np.int32(values[place])
        low = np.int32(old >> 8)
        high = np.int32(most[line + b])
        if count >= 1:
            low, high = _raise(bounds, values, np.uint64(entries[tab0 + b]), row0, low, high)
        if count >= 2:
            low, high = _raise(bounds, values, np.uint64(entries[tab1 + b]), row1, low, high)
        if count >= 3:
            low, high = _raise(bounds, values, np.uint64(entries[tab2 + b]), row2, low, high)
        if count >= 4:
            low, high = _raise(bounds, values, np.uint64(entries[tab3 + b]), row3, low, high)
        if count >= 5:
            low, high = _raise(bounds, values, np.uint64(entries[tab4 + b]), row4, low, high)
        if count >= 6:
            low, high = _raise(bounds, values, np.uint64(entries[tab5 + b]), row5, low, high)
        new = np.int32((low << 8) | (high & 255)) if bounds else high
        if old != new:
            values[place] = new
            stamps[(place >> LINE_BITS) - origin] = now
            changed += 1
        place += across
    return changed


@dispatch
def _holds_pairs(values: NDArray[Any]) -> Any:
    """Return whether an entry is a pair of bounds: a constant in compiled code."""
    return (lambda values: True) if str(values.dtype) == "int16" else lambda values: False


@jit
def sweep(
    options: LapOptions,
    shape: Shape,
    sowings: Sowings,
    replies: Replies,
    seeds: int,
    shift: int,
    tasks: NDArray[np.int64],
    values: NDArray[Any],
    most: NDArray[np.int8],
    stamps: NDArray[np.uint16],
    since: int,
    now: int,
) -> tuple[int, int]:
    """Sweep some tasks once; return how many entries changed and how many were visited.

    Args:
        options: the rules.
        shape: where layers, blocks and rows begin.
        sowings: what each move does to the mover's half.
        replies: what each move does to the other half.
        seeds: of the layer.
        shift: the offset of the layer in the array that holds it.
        tasks: rows of the mover's seeds, first half, one past the last half, and where their captures begin in `most`.
        values: the array that holds the layer: pairs of bounds, 16 bits each, or values.
        most: what captures are worth at best.
        stamps: the sweep that last changed each line.
        since: visit only tiles that read something changed in this sweep or later; 0: all.
        now: the stamp for changes.
    """
    pits = options.pits
    bounds = _holds_pairs(values)
    rows = np.zeros(GROUP * pits + 6, np.int64)
    tables = np.zeros(GROUP * pits + 6, np.int64)
    starts = np.zeros(GROUP * pits + 6, np.int64)
    counts = np.zeros(GROUP, np.int64)
    unsigned_rows = rows.view(np.uint64)
    unsigned_tables = tables.view(np.uint64)
    origin = (shape.block[seeds, 0] - shift) >> TILE_BITS
    changed = 0
    seen = 0
    for task in range(tasks.shape[0]):
        mine = tasks[task, 0]
        other = seeds - mine
        span = shape.width[other]
        begin = tasks[task, 1]
        group = tasks[task, 2] - begin
        for i in range(group):
            counts[i] = _list_moves(
                options, shape, sowings, replies, seeds, shift, mine, begin + i, rows, tables, starts, i * pits
            )
        home = shape.block[seeds, other] - shift + begin
        for tile in range((span + TILE - 1) >> TILE_BITS):
            first = tile << TILE_BITS
            last = min(first + TILE, span)
            for i in range(group):
                if since > 0:
                    if not _stale(stamps, replies.edges, rows, starts, i * pits, counts[i], tile, origin, since):
                        continue
                seen += last - first
                line = np.uint64(tasks[task, 3] + i * span)
                place = np.uint64(home + i)
                across = np.uint64(shape.width[mine])
                changed += _tile(
                    bounds, values, replies.entries, most, unsigned_rows, unsigned_tables, i * pits, counts[i], line,
                    place, across, first, last, stamps, np.uint64(origin), now,
                )  # fmt: skip
    return changed, seen


@jit
def encode(pairs: NDArray[np.int16], table: NDArray[np.uint8], seeds: int, out: NDArray[np.int8]) -> None:
    """Write the codes of pairs of bounds."""
    for i in range(pairs.shape[0]):
        low, high = int(pairs[i]) >> 8, _upper(int(pairs[i]))
        out[i] = (int(table[low + seeds, high + seeds]) ^ 128) - 128
