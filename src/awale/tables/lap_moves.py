"""One-lap moves in two parts: what a sowing does to the mover's half, and what the seeds that pass do to the other
half. Both are tabulated once for all layers; building a layer then sows nothing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.kernels.jit import jit
from awale.kernels.lap import duties
from awale.rules.description import Rules
from awale.tables.half_boards import Halves, rank_of

NO_MOVE = 255
"""In `Sowings.mode`: an empty pit."""
QUIET, CHAIN, FACING = 0, 1, 2
"""How a sowing may capture: not at all; from its last pit backwards; or (FACING + p) what faces the mover's pit p."""
TAKEN_SHIFT = 24
TILE = 64
"""The other halves are visited in tiles of this size."""
RANK_MASK = (1 << TAKEN_SHIFT) - 1


class LapOptions(NamedTuple):
    """The options as numbers for compiled code."""

    pits: int
    skip_origin: int
    opposite: int
    takes: int
    """Bit n: a chain takes a pit of n seeds."""
    spared: int
    """A grand slam takes nothing."""
    slam: int
    """The duty towards an opponent who has seeds: see `awale.kernels.lap.LapRules`."""
    feeding: int
    """The duty towards an opponent who has none."""
    passes: int


def lap_options(rules: Rules) -> LapOptions:
    slam, feeding = duties(rules)
    return LapOptions(
        pits=rules.pits,
        skip_origin=int(rules.origin == "skipped"),
        opposite=int(rules.capture == "opposite"),
        takes=sum(1 << count for count in rules.capture_counts),
        spared=int(rules.grand_slam == "takes-nothing"),
        slam=slam,
        feeding=feeding,
        passes=int(rules.starved == "passes"),
    )


class Sowings(NamedTuple):
    """For each half (by number) and pit: the rank of the half afterwards, the seeds that pass to the other side, and
    how the sowing may capture."""

    rank: NDArray[np.int32]
    passed: NDArray[np.uint8]
    mode: NDArray[np.uint8]


class Replies(NamedTuple):
    """The effect of `passed` seeds on the other half: `entries[start[m, passed, mode] + rank]` for a half of `m` seeds
    is the rank of the half afterwards and, above TAKEN_SHIFT, the seeds taken from it."""

    start: NDArray[np.int64]
    entries: NDArray[np.uint32]
    edge_start: NDArray[np.int64]
    edges: NDArray[np.uint32]
    """`edges[edge_start[m, passed] + 2 * i]` and the next one: the ranks, before captures, of the first and the last
    half of the i-th TILE. Sowing preserves the order of ranks, so all others are between."""


class LapTables:
    """Both tables for a rule system and all halves of at most `halves.seeds` seeds."""

    def __init__(self, rules: Rules, halves: Halves) -> None:
        self.options = lap_options(rules)
        self.halves = halves
        count = len(halves.counts)
        self.sowings = Sowings(
            np.zeros((count, rules.pits), np.int32),
            np.zeros((count, rules.pits), np.uint8),
            np.full((count, rules.pits), NO_MOVE, np.uint8),
        )
        _sow_halves(self.options, halves.counts, halves.ranks, self.sowings)
        start, size = _reply_starts(self.options, halves)
        edge_start, edges = _edge_starts(halves)
        self.replies = Replies(start, np.zeros(size, np.uint32), edge_start, np.zeros(edges, np.uint32))
        _fill_replies(self.options, halves.counts, halves.first, halves.ranks, self.replies)

    @property
    def nbytes(self) -> int:
        parts = (*self.sowings, *self.replies, self.halves.counts)
        return sum(part.nbytes for part in parts)


def modes_of(options: LapOptions, passed: int) -> list[int]:
    """Return the ways of capturing of a sowing that passes so many seeds."""
    if passed % options.pits:
        return [QUIET] if options.opposite else [CHAIN]
    if options.opposite:
        return [QUIET, *range(FACING, FACING + options.pits)]
    return [QUIET, CHAIN] if passed else [QUIET]


def _reply_starts(options: LapOptions, halves: Halves) -> tuple[NDArray[np.int64], int]:
    start = np.full((halves.seeds + 1, halves.seeds + 1, FACING + options.pits), -1, np.int64)
    size = 0
    for seeds in range(halves.seeds + 1):
        for passed in range(halves.seeds + 1 - seeds):
            for mode in modes_of(options, passed):
                start[seeds, passed, mode] = size
                size += int(halves.width[seeds])
    return start, size


def _edge_starts(halves: Halves) -> tuple[NDArray[np.int64], int]:
    start = np.full((halves.seeds + 1, halves.seeds + 1), -1, np.int64)
    size = 0
    for seeds in range(halves.seeds + 1):
        for passed in range(halves.seeds + 1 - seeds):
            start[seeds, passed] = size
            size += 2 * -(-int(halves.width[seeds]) // TILE)
    return start, size


@jit
def _sow_halves(options: LapOptions, counts: NDArray[np.uint8], ranks: NDArray[np.int64], sowings: Sowings) -> None:
    pits = options.pits
    half = np.zeros(pits, np.int64)
    for number in range(counts.shape[0]):
        for pit in range(pits):
            seeds = int(counts[number, pit])
            if seeds == 0:
                continue
            for i in range(pits):
                half[i] = counts[number, i]
            half[pit] = 0
            here = pit
            passed = 0
            while seeds > 0:
                here = here + 1 if here + 1 < 2 * pits else 0
                if here == pit and options.skip_origin:
                    continue
                if here < pits:
                    half[here] += 1
                else:
                    passed += 1
                seeds -= 1
            mode = QUIET
            if options.opposite:
                if here < pits:
                    if half[here] == 1:
                        mode = FACING + here
            elif here >= pits:
                mode = CHAIN
            sowings.rank[number, pit] = rank_of(half, 0, pits, ranks)
            sowings.passed[number, pit] = passed
            sowings.mode[number, pit] = mode


@jit
def _reply(options: LapOptions, half: NDArray[np.int64], passed: int, mode: int) -> int:
    """Sow `passed` seeds into a half, in place, and capture; return the seeds taken."""
    pits = options.pits
    each = passed // pits
    some = passed % pits
    for pit in range(pits):
        half[pit] += each + (1 if pit < some else 0)
    first = 0
    last = -1
    if mode == CHAIN:
        last = (passed - 1) % pits
        first = last + 1
        while first > 0 and half[first - 1] < 64 and (options.takes >> half[first - 1]) & 1:
            first -= 1
    elif mode >= FACING:
        first = last = pits - 1 - (mode - FACING)
    taken = 0
    left = 0
    for pit in range(pits):
        if first <= pit <= last:
            taken += half[pit]
        else:
            left += half[pit]
    if taken == 0 or (left == 0 and options.spared):
        return 0
    for pit in range(first, last + 1):
        half[pit] = 0
    return taken


@jit
def _fill_replies(
    options: LapOptions,
    counts: NDArray[np.uint8],
    first: NDArray[np.int64],
    ranks: NDArray[np.int64],
    replies: Replies,
) -> None:
    pits = options.pits
    half = np.zeros(pits, np.int64)
    most = replies.start.shape[0] - 1
    for seeds in range(most + 1):
        for passed in range(most + 1 - seeds):
            for number in range(first[seeds], first[seeds + 1]):
                i = number - first[seeds]
                if i % TILE == 0 or i % TILE == TILE - 1 or number + 1 == first[seeds + 1]:
                    for pit in range(pits):
                        half[pit] = counts[number, pit]
                    _reply(options, half, passed, QUIET)
                    edge = replies.edge_start[seeds, passed] + 2 * (i // TILE)
                    if i % TILE == 0:
                        replies.edges[edge] = np.uint32(rank_of(half, 0, pits, ranks))
                    replies.edges[edge + 1] = np.uint32(rank_of(half, 0, pits, ranks))
            for mode in range(replies.start.shape[2]):
                start = replies.start[seeds, passed, mode]
                if start < 0:
                    continue
                for number in range(first[seeds], first[seeds + 1]):
                    for pit in range(pits):
                        half[pit] = counts[number, pit]
                    taken = _reply(options, half, passed, mode)
                    entry = (taken << TAKEN_SHIFT) | rank_of(half, 0, pits, ranks)
                    replies.entries[start + number - first[seeds]] = np.uint32(entry)
