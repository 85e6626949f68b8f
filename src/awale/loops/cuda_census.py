"""A census on an NVIDIA GPU: the same counts, about a hundred times as fast."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from awale.i18n import text
from awale.kernels import gpu
from awale.kernels.relay import LAPS, PIT_ROWS, RelayRules
from awale.loops.census import Census, CensusError, Stage, add_rings, board_number, boards

MOST_RINGS = 1 << 22
"""The most rings that one launch may find."""


class CudaCensus:
    """The kernels, and their data on the GPU for one size of board."""

    def __init__(self, census: Census, k: RelayRules) -> None:
        self.walk = gpu.load("awale.loops.cuda_walk", CensusError)
        self.cuda = self.walk.cuda
        self.census = census
        self.half = census.pits // 2
        self.parts = census.pits - 1
        ways = [
            [boards(parts, seeds) if parts else 0 for seeds in range(census.seeds + 1)] for parts in range(census.pits)
        ]
        if max(map(max, ways)) >= 1 << 62:
            raise CensusError(text("loops.refused.too-many"))
        self.ways = self.cuda.to_device(np.array(ways, np.int64))
        self.laps = self.cuda.to_device(np.ascontiguousarray(LAPS[k.table : k.table + census.pits * PIT_ROWS]))
        self.at_once = self.walk.BLOCKS * self.walk.THREADS * self.walk.RUN

    def _grid(self, count: int) -> tuple[int, int]:
        return max(1, math.ceil(count / (self.walk.RUN * self.walk.THREADS))), self.walk.THREADS

    def walk_chains(self, done: Callable[[Stage], None]) -> None:
        census, seeds = self.census, self.census.seeds - 1
        threads = self.walk.BLOCKS * self.walk.THREADS
        best, best_at = (self.cuda.to_device(np.zeros(threads, np.int64)) for _ in range(2))
        while census.chains_done < census.chains_in_all:
            first = census.chains_done
            count = min(self.at_once, census.chains_in_all - first)
            starts = self.cuda.to_device(np.zeros(1, np.int64))
            blocks, width = self._grid(count)
            self.walk.chains[blocks, width](
                self.laps, self.half, self.ways, self.parts, seeds, first, count, starts, best, best_at
            )
            lengths = best.copy_to_host()[: blocks * width]
            longest = int(lengths.max())
            if longest > census.longest:
                at = int(best_at.copy_to_host()[: blocks * width][lengths == longest].min())
                census.longest = longest
                census.longest_board = (1, *board_number(at, self.parts, seeds))
            census.stopping += int(starts.copy_to_host()[0])
            census.chains_done += count
            done("chains")

    def find_rings(self, done: Callable[[Stage], None]) -> None:
        census = self.census
        found = self.cuda.to_device(np.zeros((MOST_RINGS, 4), np.int64))
        at_once = self.at_once
        while census.handful <= census.seeds:
            in_all = boards(self.parts, census.seeds - census.handful)
            first = census.rings_done
            count = min(at_once, in_all - first)
            rows = self.cuda.to_device(np.zeros(1, np.int64))
            board = (self.laps, self.half, self.ways, self.parts)
            self.walk.rings[self._grid(count)](*board, census.seeds, census.handful, first, count, found, rows)
            written = int(rows.copy_to_host()[0])
            if written > MOST_RINGS:
                at_once = max(1, at_once // 2)  # more than the output holds: fewer boards per launch
                continue
            if written:
                add_rings(census, self._in_order(found[:written].copy_to_host()))
            census.rings_done = first + count
            if census.rings_done == in_all:
                census.handful, census.rings_done = census.handful + 1, 0
            done("rings")

    def _in_order(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows in the CPU's order: a later pit counts more."""
        return rows[np.lexsort((rows[:, 2], rows[:, 3]))]
