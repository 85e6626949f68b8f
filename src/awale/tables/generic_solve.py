"""Solving layers position by position, the children of each listed once: relays, and rules with a move limit."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from awale.kernels.jit import jit
from awale.rules.description import Rules
from awale.tables.codes import UNKNOWN
from awale.tables.generic_moves import list_children, plain_options
from awale.tables.index import layer_size
from awale.tables.lap_retrograde import NONE
from awale.tables.layers import HEAD, NEVER, Layers, Progress, Report
from awale.tables.support import MOST_PLIES
from awale.tables.workers import Workers

CHUNK = 50_000
"""Positions whose children are listed at a time."""


@jit
def fold_captures(
    pits: int,
    start: int,
    flat: NDArray[np.int8],
    kids: NDArray[np.int64],
    taken: NDArray[np.uint8],
    fixed: NDArray[np.int8],
    inside: NDArray[np.uint32],
) -> None:
    """Separate captures, which are worth the same in every sweep, from the moves inside the layer.

    Args:
        pits: on a side.
        start: where the layer begins in `flat`.
        flat: the values of all layers.
        kids: the children of each position, `pits` a position; 0: no such move.
        taken: seeds that each of these moves takes.
        fixed: raised to what the best capture is worth.
        inside: written: the children in the layer, counted from its start, from 1; 0 for none.
    """
    for index in range(fixed.shape[0]):
        for kid in range(index * pits, (index + 1) * pits):
            inside[kid] = 0
            if kids[kid] == 0:
                continue
            if taken[kid] > 0:
                fixed[index] = max(int(fixed[index]), int(taken[kid]) - int(flat[kids[kid]]))
            else:
                inside[kid] = kids[kid] - start + 1


@jit
def sweep_plain(
    pits: int,
    start: int,
    begin: int,
    end: int,
    flat: NDArray[np.int8],
    inside: NDArray[np.uint32],
    fixed: NDArray[np.int8],
) -> int:
    """Sweep once where endless play is worth nothing; return how many entries changed.

    Args:
        pits: on a side.
        start: where the layer begins in `flat`.
        begin: the first position of the sweep, in the layer.
        end: one past the last.
        flat: the values of all layers.
        inside: as `fold_captures` writes it.
        fixed: what captures are worth.
    """
    changed = 0
    for index in range(begin, end):
        best = int(fixed[index])
        for kid in range(index * pits, (index + 1) * pits):
            if inside[kid] != 0:
                best = max(best, -int(flat[start + int(inside[kid]) - 1]))
        if flat[start + index] != best:
            flat[start + index] = best
            changed += 1
    return changed


@jit
def sweep_counted(
    pits: int,
    seeds: int,
    start: int,
    begin: int,
    end: int,
    ply: int,
    flat: NDArray[np.int8],
    plies: NDArray[np.uint8],
    kids: NDArray[np.int64],
    taken: NDArray[np.uint8],
    fixed: NDArray[np.int8],
    old: NDArray[np.int16],
    new: NDArray[np.int16],
) -> int:
    """Compute the bounds that hold when `ply` moves may still be played from those with one fewer, whatever the move
    limit does to the seeds left on the board; return how many changed.

    Args:
        pits: on a side.
        seeds: of the layer.
        start: where the layer begins in `flat`.
        begin: the first position, in the layer.
        end: one past the last.
        ply: moves that may still be played.
        flat: the values of all layers.
        plies: from how many moves on each value holds; NEVER where it is not known.
        kids: the children of each position, `pits` a position; 0: no such move.
        taken: seeds that each of these moves takes.
        fixed: what the position is worth without a legal move, else -seeds.
        old: the pairs of bounds with one move fewer.
        new: written: those with `ply` moves.
    """
    changed = 0
    for index in range(begin, end):
        new[index] = old[index]
        if plies[start + index] != NEVER:
            continue
        low = int(fixed[index])
        high = low
        for kid in range(index * pits, (index + 1) * pits):
            if kids[kid] == 0:
                continue
            gain = int(taken[kid])
            if gain == 0:
                pair = int(old[kids[kid] - start])
                kid_low = pair >> 8
                kid_high = ((pair & 255) ^ 128) - 128
            elif plies[kids[kid]] < ply:
                kid_low = int(flat[kids[kid]])
                kid_high = kid_low
            else:
                kid_low = gain - seeds
                kid_high = seeds - gain
            low = max(low, gain - kid_high)
            high = max(high, gain - kid_low)
        pair = (low << 8) | (high & 255)
        if pair != old[index]:
            new[index] = pair
            changed += 1
        if low == high:
            flat[start + index] = low
            plies[start + index] = ply
    return changed


class PlainSolver(Layers):
    """The layers of any one-colour game. (Where a cycle gives each side its own seeds, `LapSolver` is needed.)"""

    def __init__(self, rules: Rules, seeds: int, workers: Workers) -> None:
        super().__init__(rules, seeds, workers)
        self.options = plain_options(rules)

    def solve(self, seeds: int, report: Report) -> None:
        size = layer_size(self.rules.pits, seeds)
        parts = max(1, min(16 * self.workers.threads, size // 20_000))
        borders = [size * part // parts for part in range(parts + 1)]
        ranges = list(pairwise(borders))
        if self.cycles == "counted":
            self._solve_counted(seeds, ranges, report)
        else:
            self._solve_even(seeds, ranges, report)

    def _list(
        self,
        seeds: int,
        begin: int,
        end: int,
        kids: NDArray[np.int64],
        taken: NDArray[np.uint8],
        fixed: NDArray[np.int8],
    ) -> None:
        counts, ranks, ends = self.halves.counts, self.halves.ranks, self.ends(seeds)
        list_children(self.options, self.shape, counts, ranks, seeds, begin, end, ends, kids, taken, fixed)

    def _solve_even(self, seeds: int, ranges: list[tuple[int, int]], report: Report) -> None:
        pits = self.rules.pits
        size = layer_size(pits, seeds)
        start = int(self.shape.block[seeds, 0])
        inside = np.empty(size * pits, np.uint32)
        fixed = np.empty(size, np.int8)

        def children(part: tuple[int, int]) -> None:
            for begin in range(*part, CHUNK):
                end = min(begin + CHUNK, part[1])
                kids = np.empty((end - begin) * pits, np.int64)
                taken = np.empty((end - begin) * pits, np.uint8)
                self._list(seeds, begin, end, kids, taken, fixed[begin:end])
                fold_captures(pits, start, self.flat, kids, taken, fixed[begin:end], inside[begin * pits : end * pits])

        self.workers.map(children, ranges)
        self.layer(seeds)[:] = 0
        sweeps = 0
        while True:
            found = self.workers.map(lambda part: sweep_plain(pits, start, *part, self.flat, inside, fixed), ranges)
            sweeps += 1
            report(Progress(sweeps, sum(found), sweeps * size))
            if not any(found):
                return

    def _solve_counted(self, seeds: int, ranges: list[tuple[int, int]], report: Report) -> None:
        assert self.rules.move_limit is not None
        pits = self.rules.pits
        size = layer_size(pits, seeds)
        start = int(self.shape.block[seeds, 0])
        kids = np.empty(size * pits, np.int64)
        taken = np.empty(size * pits, np.uint8)
        fixed = np.empty(size, np.int8)

        def children(part: tuple[int, int]) -> None:
            begin, end = part
            lines = slice(begin * pits, end * pits)
            self._list(seeds, begin, end, kids[lines], taken[lines], fixed[begin:end])

        self.workers.map(children, ranges)
        plies = self.layer_plies(seeds)
        self.layer(seeds)[:] = np.int8(UNKNOWN - 256)
        plies[:] = NEVER
        old = np.full(size, (-seeds << 8) | seeds, np.int16)
        new = old.copy()
        below = self.plies[HEAD:start]
        deepest = int(below[below < NEVER].max(initial=0))
        fixed[fixed == NONE] = -seeds
        for ply in range(1, min(self.rules.move_limit, MOST_PLIES) + 1):
            found = self.workers.map(
                lambda part, ply=ply, old=old, new=new: sweep_counted(  # type: ignore[misc]
                    self.rules.pits, seeds, start, *part, ply, self.flat, self.plies, kids, taken, fixed, old, new
                ),
                ranges,
            )
            old, new = new, old
            report(Progress(ply, sum(found), ply * size))
            if not any(found) and ply > deepest:
                return
