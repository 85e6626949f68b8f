"""All halves of a board, listed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from awale.kernels.jit import jit
from awale.tables.index import rank_table, widths


@jit
def rank_of(board: NDArray[np.int64], begin: int, end: int, ranks: NDArray[np.int64]) -> int:
    """Return the rank of the half in some pits of a board."""
    so_far = 0
    found = 0
    for pit in range(begin, end - 1):
        so_far += board[pit]
        found += ranks[pit - begin, so_far]
    return found


@jit
def _fill_halves(pits: int, ranks: NDArray[np.int64], seeds: int, out: NDArray[np.uint8]) -> None:
    """Write every half of `seeds` seeds to the row of its rank."""
    half = np.zeros(pits, np.int64)
    half[pits - 1] = seeds
    while True:
        row = rank_of(half, 0, pits, ranks)
        for pit in range(pits):
            out[row, pit] = half[pit]
        # The next half: move a seed from the last pit to the first pit that can take it.
        pit = pits - 2
        while pit >= 0:
            if half[pits - 1] > 0:
                half[pits - 1] -= 1
                half[pit] += 1
                break
            half[pits - 1] = half[pit]
            half[pit] = 0
            pit -= 1
        if pit < 0:
            return


class Halves:
    """All halves of a board with at most so many seeds, by seeds and then by rank."""

    def __init__(self, pits: int, seeds: int) -> None:
        self.pits = pits
        self.seeds = seeds
        self.width = np.array(widths(pits), np.int64)
        self.ranks = np.array(rank_table(pits), np.int64)
        self.first = np.zeros(seeds + 2, np.int64)
        np.cumsum(self.width[: seeds + 1], out=self.first[1:])
        """The number of the first half of so many seeds."""
        self.counts = np.zeros((int(self.first[-1]), pits), np.uint8)
        """The seeds in each pit of each half."""
        for n in range(seeds + 1):
            _fill_halves(pits, self.ranks, n, self.counts[self.first[n] : self.first[n + 1]])
