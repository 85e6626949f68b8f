"""The same sweeps on a GPU. The rules come in the same tables as on the processor (`lap_moves`); only the walk over
a layer differs: a block of threads takes a group of the mover's halves and a run of other halves, works a tile at a
time in shared memory, and writes it back turned by a quarter, so that all reads and writes of a warp lie side by
side.

Indices are unsigned throughout, which spares the code for negative ones."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

# numba-cuda asks for these names when it is loaded, and the newest NumPy has dropped them.
for _old, _new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
    if not hasattr(np, _old):
        setattr(np, _old, getattr(np, _new))

from numba import config, cuda  # noqa: E402

from awale.tables.lap_moves import DUTY_IF_POSSIBLE, NO_DUTY, NO_MOVE, RANK_MASK, TAKEN_SHIFT, TILE  # noqa: E402
from awale.tables.lap_retrograde import NONE, TILE_BITS  # noqa: E402

# The first layers are small, and a card is never busy with them: not worth a warning.
config.CUDA_LOW_OCCUPANCY_WARNINGS = 0

GROUP = 32
"""Halves of the mover's that a block takes: the width of a warp."""
THREADS = 32 if os.environ.get("NUMBA_ENABLE_CUDASIM") == "1" else 128
"""In a block. (The simulator starts a thread of Python for each.)"""
WARPS = THREADS // 32
SLOTS = 6
"""Room for the moves of a half."""
# What is shared in a block: sizes must be plain constants. A tile's rows are padded, so that walking down a column
# meets other banks of the memory.
MOVES = GROUP * SLOTS
TILE_OF_BYTES = (GROUP, TILE + 4)
TILE_OF_PAIRS = (GROUP, TILE + 2)
NOWHERE = 0
"""A row that no move leads to (nothing lies at the very start of the array)."""
MINE, FIRST, COUNT, BEGIN, END, LINE = range(6)
"""The columns of a task: the mover's seeds, his first half and how many, the first and last other half, and where
the first half's captures lie."""
OPTION_PITS, OPTION_PASSES, OPTION_SLAM = range(3)

_RANKS = np.uint32(RANK_MASK)
_TAKEN = np.uint32(TAKEN_SHIFT)


@cuda.jit
def take_captures(
    bounds: Any,
    options: Any,
    seeds: Any,
    shift: Any,
    width: Any,
    first: Any,
    block: Any,
    sown_rank: Any,
    sown_passed: Any,
    sown_mode: Any,
    alone: Any,
    reply_start: Any,
    entries: Any,
    tasks: Any,
    ends: Any,
    lows: Any,
    highs: Any,
    flat: Any,
    pairs: Any,
    most: Any,
) -> None:
    """What the moves out of the layer are worth (see `lap_sweep.take_captures`)."""
    task = cuda.blockIdx.x
    thread = cuda.threadIdx.x
    pits = options[OPTION_PITS]
    mine = tasks[task, MINE]
    other = seeds - mine
    span = width[other]
    for i in range(tasks[task, COUNT]):
        half = tasks[task, FIRST] + i
        number = first[mine] + half
        legal = 255
        if other == 0 and mine > 0:
            legal = alone[number]
        for b in range(tasks[task, BEGIN] + thread, tasks[task, END], THREADS):
            best = NONE
            least = NONE
            forced = NONE
            forced_least = NONE
            inside = mine == 0 and options[OPTION_PASSES] != 0 and seeds > 0
            for pit in range(pits):
                mode = sown_mode[number, pit]
                if mode == NO_MOVE or not (legal >> pit) & 1:
                    continue
                passed = np.int64(sown_passed[number, pit])
                entry = np.int64(entries[reply_start[other, passed, mode] + b])
                taken = entry >> TAKEN_SHIFT
                if taken == 0:
                    inside = True
                    continue
                below = seeds - taken
                row = block[below, mine - passed] + sown_rank[number, pit] * width[other + passed - taken]
                code = (below << 8) + (np.int64(flat[row + (entry & RANK_MASK)]) & 255)
                high = taken - lows[code]
                low = taken - highs[code]
                if taken == other + passed and other > 0 and options[OPTION_SLAM] != NO_DUTY:
                    forced = max(forced, high)
                    forced_least = max(forced_least, low)
                else:
                    best = max(best, high)
                    least = max(least, low)
            if not inside and best == NONE:
                if options[OPTION_SLAM] == DUTY_IF_POSSIBLE and forced != NONE:
                    best = forced
                    least = forced_least
                else:
                    best = ends[mine]
                    least = best
            most[tasks[task, LINE] + i * span + b] = best
            if bounds:
                low = max(least, -seeds)
                pairs[block[seeds, other] - shift + b * width[mine] + half] = (low << 8) | seeds


@cuda.jit(device=True)
def list_moves(
    options: Any,
    seeds: Any,
    shift: Any,
    width: Any,
    first: Any,
    block: Any,
    sown_rank: Any,
    sown_passed: Any,
    sown_mode: Any,
    alone: Any,
    reply_start: Any,
    edge_start: Any,
    tasks: Any,
    rows: Any,
    tables: Any,
    starts: Any,
) -> None:
    """Into shared memory: for each half of the task and each pit, the row that the move leads to, and where its
    replies and their edges begin."""
    task = cuda.blockIdx.x
    mine = tasks[task, MINE]
    other = seeds - mine
    for slot in range(cuda.threadIdx.x, tasks[task, COUNT] * SLOTS, THREADS):
        half = slot // SLOTS
        pit = slot - half * SLOTS
        number = first[mine] + tasks[task, FIRST] + half
        rows[slot] = NOWHERE
        tables[slot] = 0
        if mine == 0:
            if pit == 0 and options[OPTION_PASSES] != 0 and seeds > 0:
                rows[slot] = block[seeds, 0] - shift
                tables[slot] = reply_start[other, 0, 0]
                starts[slot] = edge_start[other, 0]
        elif pit < options[OPTION_PITS]:
            mode = sown_mode[number, pit]
            legal = 255
            if other == 0:
                legal = alone[number]
            if mode != NO_MOVE and (legal >> pit) & 1:
                passed = np.int64(sown_passed[number, pit])
                row = block[seeds, mine - passed] - shift
                rows[slot] = row + sown_rank[number, pit] * width[other + passed]
                tables[slot] = reply_start[other, passed, mode]
                starts[slot] = edge_start[other, passed]


@cuda.jit(device=True)
def find_stale(
    stamps: Any, edges: Any, rows: Any, starts: Any, count: Any, tile: Any, origin: Any, sweep: Any, looks: Any
) -> None:
    """Into `looks`: which halves read a line, in this tile, that changed in the last sweep or this one. All threads
    of the block must call it."""
    for half in range(cuda.threadIdx.x, count, THREADS):
        looks[half] = 1 if sweep == 1 else 0
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
                        looks[slot // SLOTS] = 1
                        break
                    line += 1
        cuda.syncthreads()


@cuda.jit(device=True)
def child(rows: Any, tables: Any, entries: Any, slot: Any, b: Any) -> Any:
    """Where a move leads: a place in the layer, or 0, where nobody wants to go, if it leaves the layer or does not
    exist."""
    row = rows[np.uint64(slot)]
    entry = entries[np.uint64(tables[np.uint64(slot)] + b)]
    inside = row != NOWHERE and entry <= _RANKS
    return np.uint64(row) + np.uint64(entry) if inside else np.uint64(0)


@cuda.jit(device=True)
def put(array: Any, stamps: Any, place: Any, old: Any, new: Any, origin: Any, sweep: Any) -> Any:
    """Write an entry if it has changed, and stamp its line; returns whether it has."""
    if old == new:
        return 0
    array[place] = new
    stamps[(place >> np.uint64(TILE_BITS)) - np.uint64(origin)] = sweep
    return 1


@cuda.jit(device=True)
def tightened(old: Any, new: Any) -> Any:
    """A new pair of bounds whose lower one never falls: it starts with what captures are worth."""
    if old >> 8 > new >> 8:
        return np.int16(((np.int32(old) >> 8) << 8) | (np.int32(new) & 255))
    return np.int16(new)


@cuda.jit(device=True)
def upper(pair: Any) -> Any:
    """The upper bound of a pair."""
    return ((pair & 255) ^ 128) - 128


@cuda.jit
def sweep_even(
    options: Any,
    seeds: Any,
    shift: Any,
    width: Any,
    first: Any,
    block: Any,
    sown_rank: Any,
    sown_passed: Any,
    sown_mode: Any,
    alone: Any,
    reply_start: Any,
    edge_start: Any,
    entries: Any,
    edges: Any,
    tasks: Any,
    flat: Any,
    most: Any,
    stamps: Any,
    sweep: Any,
    counters: Any,
) -> None:
    """One sweep where endless play is worth nothing. Counts what changed and what was looked at."""
    rows = cuda.shared.array(MOVES, np.int64)
    tables = cuda.shared.array(MOVES, np.int64)
    starts = cuda.shared.array(MOVES, np.int64)
    looks = cuda.shared.array(GROUP, np.int32)
    found = cuda.shared.array(TILE_OF_BYTES, np.int8)
    counts = cuda.shared.array(2, np.int32)
    task = cuda.blockIdx.x
    thread = cuda.threadIdx.x
    warp = thread // 32
    lane = thread - warp * 32
    if thread < 2:
        counts[thread] = 0
    list_moves(
        options, seeds, shift, width, first, block, sown_rank, sown_passed, sown_mode, alone, reply_start, edge_start,
        tasks, rows, tables, starts,
    )  # fmt: skip
    cuda.syncthreads()
    mine = tasks[task, MINE]
    count = tasks[task, COUNT]
    end = tasks[task, END]
    other = seeds - mine
    span = width[other]
    across = width[mine]
    home = block[seeds, other] - shift + tasks[task, FIRST]
    origin = (block[seeds, 0] - shift) >> TILE_BITS
    changed = 0
    looked_at = 0
    for begin in range(tasks[task, BEGIN], end, TILE):
        find_stale(stamps, edges, rows, starts, count, begin >> TILE_BITS, origin, sweep, looks)
        for half in range(warp, count, WARPS):
            if looks[half] == 0:
                continue
            line = tasks[task, LINE] + half * span
            for column in range(lane, TILE, 32):
                b = begin + column
                if b < end:
                    looked_at += 1
                    best = np.int32(most[np.uint64(line + b)])
                    # All moves at once, and no branch between them: the reads of one need not wait for another's.
                    child0 = child(rows, tables, entries, half * SLOTS, b)
                    child1 = child(rows, tables, entries, half * SLOTS + 1, b)
                    child2 = child(rows, tables, entries, half * SLOTS + 2, b)
                    child3 = child(rows, tables, entries, half * SLOTS + 3, b)
                    child4 = child(rows, tables, entries, half * SLOTS + 4, b)
                    child5 = child(rows, tables, entries, half * SLOTS + 5, b)
                    worst = min(
                        min(min(flat[child0], flat[child1]), min(flat[child2], flat[child3])),
                        min(flat[child4], flat[child5]),
                    )
                    best = max(best, -np.int32(worst))
                    found[half, column] = best
        cuda.syncthreads()
        if lane < count and looks[lane] != 0:
            last = min(TILE, end - begin) - 1
            for column in range(warp, last + 1, 4 * WARPS):
                # Four reads before the first comparison; past the end the last one is read again and left alone.
                column1 = min(column + WARPS, last)
                column2 = min(column + 2 * WARPS, last)
                column3 = min(column + 3 * WARPS, last)
                place0 = np.uint64(home + (begin + column) * across + lane)
                place1 = np.uint64(home + (begin + column1) * across + lane)
                place2 = np.uint64(home + (begin + column2) * across + lane)
                place3 = np.uint64(home + (begin + column3) * across + lane)
                old0 = flat[place0]
                old1 = flat[place1]
                old2 = flat[place2]
                old3 = flat[place3]
                changed += put(flat, stamps, place0, old0, found[lane, np.uint64(column)], origin, sweep)
                if column + WARPS <= last:
                    changed += put(flat, stamps, place1, old1, found[lane, np.uint64(column1)], origin, sweep)
                if column + 2 * WARPS <= last:
                    changed += put(flat, stamps, place2, old2, found[lane, np.uint64(column2)], origin, sweep)
                if column + 3 * WARPS <= last:
                    changed += put(flat, stamps, place3, old3, found[lane, np.uint64(column3)], origin, sweep)
        cuda.syncthreads()
    if changed > 0:
        cuda.atomic.add(counts, 0, changed)
    if looked_at > 0:
        cuda.atomic.add(counts, 1, looked_at)
    cuda.syncthreads()
    if thread < 2 and counts[thread] > 0:
        cuda.atomic.add(counters, thread, np.int64(counts[thread]))


@cuda.jit
def sweep_open(
    options: Any,
    seeds: Any,
    shift: Any,
    width: Any,
    first: Any,
    block: Any,
    sown_rank: Any,
    sown_passed: Any,
    sown_mode: Any,
    alone: Any,
    reply_start: Any,
    edge_start: Any,
    entries: Any,
    edges: Any,
    tasks: Any,
    pairs: Any,
    most: Any,
    stamps: Any,
    sweep: Any,
    counters: Any,
) -> None:
    """The same for pairs of bounds (see `lap_sweep._tile_open`)."""
    rows = cuda.shared.array(MOVES, np.int64)
    tables = cuda.shared.array(MOVES, np.int64)
    starts = cuda.shared.array(MOVES, np.int64)
    looks = cuda.shared.array(GROUP, np.int32)
    found = cuda.shared.array(TILE_OF_PAIRS, np.int16)
    counts = cuda.shared.array(2, np.int32)
    task = cuda.blockIdx.x
    thread = cuda.threadIdx.x
    warp = thread // 32
    lane = thread - warp * 32
    if thread < 2:
        counts[thread] = 0
    list_moves(
        options, seeds, shift, width, first, block, sown_rank, sown_passed, sown_mode, alone, reply_start, edge_start,
        tasks, rows, tables, starts,
    )  # fmt: skip
    cuda.syncthreads()
    mine = tasks[task, MINE]
    count = tasks[task, COUNT]
    end = tasks[task, END]
    other = seeds - mine
    span = width[other]
    across = width[mine]
    home = block[seeds, other] - shift + tasks[task, FIRST]
    origin = (block[seeds, 0] - shift) >> TILE_BITS
    changed = 0
    looked_at = 0
    for begin in range(tasks[task, BEGIN], end, TILE):
        find_stale(stamps, edges, rows, starts, count, begin >> TILE_BITS, origin, sweep, looks)
        for half in range(warp, count, WARPS):
            if looks[half] == 0:
                continue
            line = tasks[task, LINE] + half * span
            for column in range(lane, TILE, 32):
                b = begin + column
                if b < end:
                    looked_at += 1
                    child0 = child(rows, tables, entries, half * SLOTS, b)
                    child1 = child(rows, tables, entries, half * SLOTS + 1, b)
                    child2 = child(rows, tables, entries, half * SLOTS + 2, b)
                    child3 = child(rows, tables, entries, half * SLOTS + 3, b)
                    child4 = child(rows, tables, entries, half * SLOTS + 4, b)
                    child5 = child(rows, tables, entries, half * SLOTS + 5, b)
                    pair0 = np.int32(pairs[child0])
                    pair1 = np.int32(pairs[child1])
                    pair2 = np.int32(pairs[child2])
                    pair3 = np.int32(pairs[child3])
                    pair4 = np.int32(pairs[child4])
                    pair5 = np.int32(pairs[child5])
                    highest = min(
                        min(min(upper(pair0), upper(pair1)), min(upper(pair2), upper(pair3))),
                        min(upper(pair4), upper(pair5)),
                    )
                    lowest = min(
                        min(min(pair0 >> 8, pair1 >> 8), min(pair2 >> 8, pair3 >> 8)), min(pair4 >> 8, pair5 >> 8)
                    )
                    low = -highest
                    high = max(np.int32(most[np.uint64(line + b)]), -lowest)
                    found[half, column] = (low << 8) | (high & 255)
        cuda.syncthreads()
        if lane < count and looks[lane] != 0:
            last = min(TILE, end - begin) - 1
            for column in range(warp, last + 1, 4 * WARPS):
                column1 = min(column + WARPS, last)
                column2 = min(column + 2 * WARPS, last)
                column3 = min(column + 3 * WARPS, last)
                place0 = np.uint64(home + (begin + column) * across + lane)
                place1 = np.uint64(home + (begin + column1) * across + lane)
                place2 = np.uint64(home + (begin + column2) * across + lane)
                place3 = np.uint64(home + (begin + column3) * across + lane)
                old0 = pairs[place0]
                old1 = pairs[place1]
                old2 = pairs[place2]
                old3 = pairs[place3]
                new = tightened(old0, found[lane, np.uint64(column)])
                changed += put(pairs, stamps, place0, old0, new, origin, sweep)
                if column + WARPS <= last:
                    new = tightened(old1, found[lane, np.uint64(column1)])
                    changed += put(pairs, stamps, place1, old1, new, origin, sweep)
                if column + 2 * WARPS <= last:
                    new = tightened(old2, found[lane, np.uint64(column2)])
                    changed += put(pairs, stamps, place2, old2, new, origin, sweep)
                if column + 3 * WARPS <= last:
                    new = tightened(old3, found[lane, np.uint64(column3)])
                    changed += put(pairs, stamps, place3, old3, new, origin, sweep)
        cuda.syncthreads()
    if changed > 0:
        cuda.atomic.add(counts, 0, changed)
    if looked_at > 0:
        cuda.atomic.add(counts, 1, looked_at)
    cuda.syncthreads()
    if thread < 2 and counts[thread] > 0:
        cuda.atomic.add(counters, thread, np.int64(counts[thread]))


@cuda.jit
def encode(pairs: Any, begin: Any, table: Any, seeds: Any, flat: Any, start: Any, size: Any) -> None:
    """The codes of pairs of bounds, into the layer's place."""
    for i in range(cuda.grid(1), size, cuda.gridsize(1)):
        pair = np.int32(pairs[begin + i])
        low = pair >> 8
        high = ((pair & 255) ^ 128) - 128
        flat[start + i] = (np.int32(table[low + seeds, high + seeds]) ^ 128) - 128


@cuda.jit
def fill(array: Any, begin: Any, end: Any, value: Any) -> None:
    for i in range(begin + cuda.grid(1), end, cuda.gridsize(1)):
        array[i] = value
