"""Counting the values of a layer, for its header and to verify it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from awale.kernels.jit import jit
from awale.tables.checksums import pieces_of
from awale.tables.codes import NO_VALUE, codes
from awale.tables.support import Cycles


@jit
def _count(data: NDArray[np.uint8], counts: NDArray[np.int64]) -> None:
    # Four counters, so that equal neighbours do not wait for each other.
    for i in range(0, data.size - 3, 4):
        counts[0, data[i]] += 1
        counts[1, data[i + 1]] += 1
        counts[2, data[i + 2]] += 1
        counts[3, data[i + 3]] += 1
    for i in range(data.size - data.size % 4, data.size):
        counts[0, data[i]] += 1


def count_codes(data: memoryview, threads: int = 1) -> NDArray[np.int64]:
    """Return how often each byte occurs."""

    def one(piece: memoryview) -> NDArray[np.int64]:
        counts = np.zeros((4, 256), np.int64)
        _count(np.frombuffer(piece, np.uint8), counts)
        return counts.sum(axis=0)

    with ThreadPoolExecutor(threads) as pool:
        found = sum(pool.map(one, pieces_of(data)), start=np.zeros(256, np.int64))
    return found


def value_counts(counts: Sequence[int] | NDArray[np.int64], seeds: int, cycles: Cycles) -> list[int]:
    """Return how many positions of a layer have each exact value from -seeds to seeds, from the counts of its codes."""
    found = [0] * (2 * seeds + 1)
    for value, count in zip(codes(seeds, cycles).exact, counts, strict=True):
        if value != NO_VALUE:
            found[value + seeds] += int(count)
    return found
