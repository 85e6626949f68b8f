"""Where a position lies: halves, their ranks, and the blocks of a layer.

A layer holds all positions of `n` seeds. It is cut into blocks by the seeds `s` of the player who waits; a block has a
row for each half that he may have and in it a byte for each half of the player to move (see `kernels.endgame`). A move
changes the mover's half by itself alone, and he is the one who waits afterwards: all positions that share his half and
his move lead into the same row. That is what makes building fast.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from awale.kernels.endgame import MOST_SEEDS
from awale.kernels.jit import jit


def half_count(pits: int, seeds: int) -> int:
    """How many halves hold so many seeds."""
    return comb(seeds + pits - 1, pits - 1)


def layer_size(pits: int, seeds: int) -> int:
    """How many positions have so many seeds on the board."""
    return comb(seeds + 2 * pits - 1, 2 * pits - 1)


def total_size(pits: int, seeds: int) -> int:
    """How many positions have at most so many seeds on the board."""
    return comb(seeds + 2 * pits, 2 * pits)


@lru_cache(maxsize=16)
def widths(pits: int) -> NDArray[np.int64]:
    """`half_count` for every number of seeds."""
    found = np.array([half_count(pits, seeds) for seeds in range(MOST_SEEDS + 1)], np.int64)
    found.setflags(write=False)
    return found


@lru_cache(maxsize=16)
def rank_table(pits: int) -> NDArray[np.int64]:
    """What pit `j` adds to a half's rank, by the seeds up to and including it; nothing for pits that are not there."""
    found = np.zeros((5, 64), np.int64)
    for pit in range(pits - 1):
        found[pit] = [comb(seeds + pit, pit + 1) for seeds in range(64)]
    found.setflags(write=False)
    return found


@lru_cache(maxsize=512)
def block_starts(pits: int, seeds: int) -> NDArray[np.int64]:
    """Where each block of a layer begins, and the layer's size after the last."""
    width = widths(pits)[: seeds + 1]
    found = np.zeros(seeds + 2, np.int64)
    np.cumsum(width * width[::-1], out=found[1:])
    found.setflags(write=False)
    return found


def rank(half: tuple[int, ...] | list[int]) -> int:
    """The rank of a half among those with as many seeds.

    >>> rank((0, 0, 3)), rank((3, 0, 0)), half_count(3, 3)
    (0, 9, 10)
    """
    seeds_so_far = 0
    found = 0
    for pit, seeds in enumerate(half[:-1]):
        seeds_so_far += seeds
        found += comb(seeds_so_far + pit, pit + 1)
    return found


def position_index(mine: tuple[int, ...], theirs: tuple[int, ...]) -> int:
    """Where a position lies in its layer: a slow, plain statement of it, for checks."""
    pits, seeds, waiting = len(mine), sum(mine) + sum(theirs), sum(theirs)
    start = int(block_starts(pits, seeds)[waiting])
    return start + rank(theirs) * half_count(pits, sum(mine)) + rank(mine)


@jit
def _fill_halves(pits: int, ranks: NDArray[np.int64], seeds: int, out: NDArray[np.uint8]) -> None:
    """Every half of `seeds` seeds, written to the row of its rank."""
    half = np.zeros(pits, np.int64)
    half[pits - 1] = seeds
    while True:
        so_far = 0
        row = 0
        for pit in range(pits - 1):
            so_far += half[pit]
            row += ranks[pit, so_far]
        for pit in range(pits):
            out[row, pit] = half[pit]
        # The next half: move a seed from the last pit to the first place that is free to grow.
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
        self.width = widths(pits)
        self.ranks = rank_table(pits)
        self.first = np.zeros(seeds + 2, np.int64)
        np.cumsum(self.width[: seeds + 1], out=self.first[1:])
        """The number of the first half of so many seeds."""
        self.counts = np.zeros((int(self.first[-1]), pits), np.uint8)
        """The seeds in each pit of each half."""
        for n in range(seeds + 1):
            _fill_halves(pits, self.ranks, n, self.counts[self.first[n] : self.first[n + 1]])
