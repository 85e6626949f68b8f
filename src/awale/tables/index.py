"""The index of a position: halves, their ranks, and the blocks of a layer.

A layer holds all positions of `n` seeds. It is divided into blocks by the seeds `s` of the opponent; a block has a row
for each half that the opponent may have and in it a byte for each half of the player to move (see `kernels.endgame`). A
move's effect on the mover's half does not depend on the other half, and the mover is the opponent afterwards: all
positions with the same mover's half and move lead into the same row. That is what makes building fast.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from math import comb

MOST_SEEDS = 55
"""As in `kernels.endgame`."""


def half_count(pits: int, seeds: int) -> int:
    """Return the number of halves with so many seeds."""
    return comb(seeds + pits - 1, pits - 1)


def layer_size(pits: int, seeds: int) -> int:
    """Return the number of positions with so many seeds on the board."""
    return comb(seeds + 2 * pits - 1, 2 * pits - 1)


def total_size(pits: int, seeds: int) -> int:
    """Return the number of positions with at most so many seeds on the board."""
    return comb(seeds + 2 * pits, 2 * pits)


@lru_cache(maxsize=16)
def widths(pits: int) -> tuple[int, ...]:
    """Return `half_count` for every number of seeds."""
    return tuple(half_count(pits, seeds) for seeds in range(MOST_SEEDS + 1))


@lru_cache(maxsize=16)
def rank_table(pits: int) -> tuple[tuple[int, ...], ...]:
    """Return what each pit adds to a half's rank, by the seeds up to and including it; 0 for the last pit and missing
    pits."""
    rows = [[comb(seeds + pit, pit + 1) if pit < pits - 1 else 0 for seeds in range(64)] for pit in range(5)]
    return tuple(map(tuple, rows))


@lru_cache(maxsize=512)
def block_starts(pits: int, seeds: int) -> tuple[int, ...]:
    """Return where each block of a layer begins, and finally the layer's size."""
    width = widths(pits)[: seeds + 1]
    return tuple(accumulate((a * b for a, b in zip(width, reversed(width), strict=True)), initial=0))


def rank(half: Sequence[int]) -> int:
    """Return the rank of a half among those with as many seeds.

    >>> rank((0, 0, 3)), rank((3, 0, 0)), half_count(3, 3)
    (0, 9, 10)
    """
    seeds_so_far = 0
    found = 0
    for pit, seeds in enumerate(half[:-1]):
        seeds_so_far += seeds
        found += comb(seeds_so_far + pit, pit + 1)
    return found


def position_index(mine: Sequence[int], theirs: Sequence[int]) -> int:
    """Return the index of a position in its layer."""
    pits, my_seeds, waiting = len(mine), sum(mine), sum(theirs)
    ranks = rank_table(pits)
    row = column = my_sum = their_sum = 0
    for pit in range(pits - 1):
        my_sum += mine[pit]
        their_sum += theirs[pit]
        column += ranks[pit][my_sum]
        row += ranks[pit][their_sum]
    return block_starts(pits, my_seeds + waiting)[waiting] + row * widths(pits)[my_seeds] + column
