"""The sweeps of `lap_retrograde` on a GPU.

The moves come in the same tables as on the CPU (`lap_moves`); only the traversal of a layer differs: a block of threads
takes a group of the mover's halves and a run of other halves, works a tile at a time in shared memory, and writes it
back transposed, so that all reads and writes of a warp are coalesced.

Indices are unsigned throughout, which saves the code for negative ones.

Parameters that all kernels share:

- options: the rules; shape: where layers, blocks and rows begin; sowings and replies: the tables of moves;
- seeds: of the layer; shift: the offset of the layer in the array that holds it;
- tasks: one row a block (see the columns below); ends: the value of a finished game, by the mover's seeds;
- lows, highs: the bounds that a lower layer's codes stand for;
- flat: the codes of all layers; pairs: the bounds of this one; values: whichever of the two is swept;
- most: the value of the best capture; stamps: the sweep that last changed each line; sweep: the number of this one;
- counters: entries changed, and entries visited.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from awale.kernels.gpu import SIMULATED, device_function, numba_cuda
from awale.tables import lap_retrograde
from awale.tables.lap_moves import RANK_MASK, TILE
from awale.tables.lap_retrograde import TILE_BITS

cuda = numba_cuda()
GROUP = 32
"""The mover's halves per block: the width of a warp."""
THREADS = 32 if SIMULATED else 128
"""Per block. (The simulator starts a Python thread for each.)"""
WARPS = THREADS // 32
SLOTS = 6
"""The most moves of a half."""
# Sizes in shared memory must be plain constants. A tile's rows are padded to avoid bank conflicts between columns.
MOVES = GROUP * SLOTS
TILE_OF_BYTES = (GROUP, TILE + 4)
TILE_OF_PAIRS = (GROUP, TILE + 2)
NOWHERE = 0
"""A row that no move leads to (the array starts with an unused byte)."""
MINE, FIRST, COUNT, BEGIN, END, LINE = range(6)
"""The columns of a task: the mover's seeds, first half and number of halves, the first and last other half, and where
the first half's captures begin."""

_RANKS = np.uint32(RANK_MASK)
_legal_alone = device_function(lap_retrograde.legal_alone)
_find_move = device_function(lap_retrograde.find_move)
_best_capture = device_function(lap_retrograde.best_capture)


@cuda.jit
def take_captures(
    bounds: Any,
    options: Any,
    shape: Any,
    sowings: Any,
    replies: Any,
    seeds: Any,
    shift: Any,
    tasks: Any,
    ends: Any,
    lows: Any,
    highs: Any,
    flat: Any,
    pairs: Any,
    most: Any,
) -> None:
    """Compute the value of the moves out of the layer (see `lap_retrograde.take_captures`)."""
    task = cuda.blockIdx.x
    mine = tasks[task, MINE]
    for i in range(tasks[task, COUNT]):
        half = tasks[task, FIRST] + i
        number = shape.first[mine] + half
        line = tasks[task, LINE] + i * shape.width[seeds - mine]
        place = shape.block[seeds, seeds - mine] - shift + half
        legal = np.int64(-1)
        if mine == seeds:
            legal = np.int64(_legal_alone(options, sowings, replies, number))
        for b in range(tasks[task, BEGIN] + cuda.threadIdx.x, tasks[task, END], THREADS):
            high, low = _best_capture(
                options, shape, sowings, replies, seeds, ends, lows, highs, flat, mine, number, legal, b
            )
            most[line + b] = high
            if bounds:
                pairs[place + b * shape.width[mine]] = (max(low, -seeds) << 8) | seeds


@cuda.jit(device=True)
def find_stale(
    stamps: Any, edges: Any, rows: Any, starts: Any, count: Any, tile: Any, origin: Any, sweep: Any, stale: Any
) -> None:
    """Write to `stale` which halves read a line, in this tile, that changed in the last sweep or this one. All threads
    of the block must call it."""
    for half in range(cuda.threadIdx.x, count, THREADS):
        stale[half] = 1 if sweep == 1 else 0
    cuda.syncthreads()
    if sweep > 1:
        for slot in range(cuda.threadIdx.x, count * SLOTS, THREADS):
            row = rows[slot]
            if row != NOWHERE:
                edge = starts[slot] + 2 * tile
                line = ((row + np.int64(edges[edge])) >> TILE_BITS) - origin
                last = ((row + np.int64(edges[edge + 1])) >> TILE_BITS) - origin
                while line <= last:
                    if stamps[line] >= sweep - 1:
                        stale[slot // SLOTS] = 1
                        break
                    line += 1
        cuda.syncthreads()


@cuda.jit(device=True)
def child(rows: Any, tables: Any, entries: Any, slot: Any, b: Any) -> Any:
    """Return the index of a child in the layer, or 0, which is never the best, if the move leaves the layer or does not
    exist."""
    row = rows[np.uint64(slot)]
    entry = entries[np.uint64(tables[np.uint64(slot)] + b)]
    inside = row != NOWHERE and entry <= _RANKS
    return np.uint64(row) + np.uint64(entry) if inside else np.uint64(0)


@cuda.jit(device=True)
def put(array: Any, stamps: Any, place: Any, old: Any, new: Any, origin: Any, sweep: Any) -> Any:
    """Write an entry if it has changed, and stamp its line; return whether it has."""
    if old == new:
        return 0
    array[place] = new
    stamps[(place >> np.uint64(TILE_BITS)) - np.uint64(origin)] = sweep
    return 1


@cuda.jit(device=True)
def tightened(old: Any, new: Any) -> Any:
    """Return a new pair of bounds whose lower one never decreases: it starts with the value of captures."""
    if old >> 8 > new >> 8:
        return np.int16(((np.int32(old) >> 8) << 8) | (np.int32(new) & 255))
    return np.int16(new)


@cuda.jit(device=True)
def upper(pair: Any) -> Any:
    """Return the upper bound of a pair."""
    return ((pair & 255) ^ 128) - 128


@cuda.jit(device=True)
def settle_value(values: Any, best: Any, c0: Any, c1: Any, c2: Any, c3: Any, c4: Any, c5: Any) -> Any:
    """Return the value of a position from its six children and `best`, the value of captures."""
    worst = min(min(min(values[c0], values[c1]), min(values[c2], values[c3])), min(values[c4], values[c5]))
    return max(best, -np.int32(worst))


@cuda.jit(device=True)
def settle_pair(pairs: Any, best: Any, c0: Any, c1: Any, c2: Any, c3: Any, c4: Any, c5: Any) -> Any:
    """Return the bounds of a position (see `lap_retrograde._tile`)."""
    pair0, pair1, pair2 = np.int32(pairs[c0]), np.int32(pairs[c1]), np.int32(pairs[c2])
    pair3, pair4, pair5 = np.int32(pairs[c3]), np.int32(pairs[c4]), np.int32(pairs[c5])
    highest = min(
        min(min(upper(pair0), upper(pair1)), min(upper(pair2), upper(pair3))), min(upper(pair4), upper(pair5))
    )
    lowest = min(min(min(pair0 >> 8, pair1 >> 8), min(pair2 >> 8, pair3 >> 8)), min(pair4 >> 8, pair5 >> 8))
    return (-highest << 8) | (max(best, -lowest) & 255)


@cuda.jit(device=True)
def replaced(old: Any, new: Any) -> Any:
    """Return the new value: single values need no `tightened`."""
    return new


def _sweep_kernel(tile_shape: tuple[int, int], tile_type: Any, settle: Any, combine: Any) -> Any:
    """Return the kernel of one sweep, for single values or for pairs of bounds.

    Args:
        tile_shape: of the tile in shared memory.
        tile_type: of its entries.
        settle: the entry of a position from those of its children.
        combine: what to write, from the old entry and the new one.
    """

    @cuda.jit
    def sweep_layer(
        options: Any,
        shape: Any,
        sowings: Any,
        replies: Any,
        seeds: Any,
        shift: Any,
        tasks: Any,
        values: Any,
        most: Any,
        stamps: Any,
        sweep: Any,
        counters: Any,
    ) -> None:
        """Sweep once; count the changed and the visited entries."""
        rows = cuda.shared.array(MOVES, np.int64)
        tables = cuda.shared.array(MOVES, np.int64)
        starts = cuda.shared.array(MOVES, np.int64)
        stale = cuda.shared.array(GROUP, np.int32)
        found = cuda.shared.array(tile_shape, tile_type)
        counts = cuda.shared.array(2, np.int32)
        task = cuda.blockIdx.x
        thread = cuda.threadIdx.x
        warp = thread // 32
        lane = thread - warp * 32
        if thread < 2:
            counts[thread] = 0
        mine = tasks[task, MINE]
        count = tasks[task, COUNT]
        for slot in range(thread, count * SLOTS, THREADS):
            half = slot // SLOTS
            pit = slot - half * SLOTS
            rows[slot], tables[slot], starts[slot] = NOWHERE, 0, 0
            if pit < options.pits:
                number = shape.first[mine] + tasks[task, FIRST] + half
                legal = np.int64(-1)
                if mine == seeds:
                    legal = np.int64(_legal_alone(options, sowings, replies, number))
                rows[slot], tables[slot], starts[slot] = _find_move(
                    options, shape, sowings, replies, seeds, shift, mine, number, legal, pit
                )
        cuda.syncthreads()
        end = tasks[task, END]
        span = shape.width[seeds - mine]
        across = shape.width[mine]
        home = shape.block[seeds, seeds - mine] - shift + tasks[task, FIRST]
        origin = (shape.block[seeds, 0] - shift) >> TILE_BITS
        changed = 0
        visited = 0
        for begin in range(tasks[task, BEGIN], end, TILE):
            find_stale(stamps, replies.edges, rows, starts, count, begin >> TILE_BITS, origin, sweep, stale)
            for half in range(warp, count, WARPS):
                if stale[half] == 0:
                    continue
                line = tasks[task, LINE] + half * span
                for column in range(lane, TILE, 32):
                    b = begin + column
                    if b < end:
                        visited += 1
                        best = np.int32(most[np.uint64(line + b)])
                        # All moves at once, without branches: their reads are independent.
                        child0 = child(rows, tables, replies.entries, half * SLOTS, b)
                        child1 = child(rows, tables, replies.entries, half * SLOTS + 1, b)
                        child2 = child(rows, tables, replies.entries, half * SLOTS + 2, b)
                        child3 = child(rows, tables, replies.entries, half * SLOTS + 3, b)
                        child4 = child(rows, tables, replies.entries, half * SLOTS + 4, b)
                        child5 = child(rows, tables, replies.entries, half * SLOTS + 5, b)
                        found[half, column] = settle(values, best, child0, child1, child2, child3, child4, child5)
            cuda.syncthreads()
            if lane < count and stale[lane] != 0:
                last = min(TILE, end - begin) - 1
                for column in range(warp, last + 1, 4 * WARPS):
                    # Four reads before the first comparison; past the end the last one is read again and ignored.
                    column1 = min(column + WARPS, last)
                    column2 = min(column + 2 * WARPS, last)
                    column3 = min(column + 3 * WARPS, last)
                    place0 = np.uint64(home + (begin + column) * across + lane)
                    place1 = np.uint64(home + (begin + column1) * across + lane)
                    place2 = np.uint64(home + (begin + column2) * across + lane)
                    place3 = np.uint64(home + (begin + column3) * across + lane)
                    old0 = values[place0]
                    old1 = values[place1]
                    old2 = values[place2]
                    old3 = values[place3]
                    new = combine(old0, found[lane, np.uint64(column)])
                    changed += put(values, stamps, place0, old0, new, origin, sweep)
                    if column + WARPS <= last:
                        new = combine(old1, found[lane, np.uint64(column1)])
                        changed += put(values, stamps, place1, old1, new, origin, sweep)
                    if column + 2 * WARPS <= last:
                        new = combine(old2, found[lane, np.uint64(column2)])
                        changed += put(values, stamps, place2, old2, new, origin, sweep)
                    if column + 3 * WARPS <= last:
                        new = combine(old3, found[lane, np.uint64(column3)])
                        changed += put(values, stamps, place3, old3, new, origin, sweep)
            cuda.syncthreads()
        if changed > 0:
            cuda.atomic.add(counts, 0, changed)
        if visited > 0:
            cuda.atomic.add(counts, 1, visited)
        cuda.syncthreads()
        if thread < 2 and counts[thread] > 0:
            cuda.atomic.add(counters, thread, np.int64(counts[thread]))

    return sweep_layer


sweep_even = _sweep_kernel(TILE_OF_BYTES, np.int8, settle_value, replaced)
"""Where endless play is worth 0."""
sweep_open = _sweep_kernel(TILE_OF_PAIRS, np.int16, settle_pair, tightened)
"""With pairs of bounds."""


@cuda.jit
def encode(pairs: Any, begin: Any, table: Any, seeds: Any, flat: Any, start: Any, size: Any) -> None:
    """Write the codes of pairs of bounds to the layer."""
    for i in range(cuda.grid(1), size, cuda.gridsize(1)):
        pair = np.int32(pairs[begin + i])
        flat[start + i] = (np.int32(table[(pair >> 8) + seeds, upper(pair) + seeds]) ^ 128) - 128


@cuda.jit
def fill(array: Any, begin: Any, end: Any, value: Any) -> None:
    for i in range(begin + cuda.grid(1), end, cuda.gridsize(1)):
        array[i] = value
