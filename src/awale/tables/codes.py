"""The meaning of a position's byte.

An exact value is the byte itself as a signed number, -n to n in a layer of n seeds. The other codes stand for pairs of
bounds, widened to a grid that fits the remaining codes; up to ten seeds every pair has its own code.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from awale.tables.support import Cycles

NO_VALUE = -32768
"""As in `kernels.endgame`."""
UNKNOWN = 128
"""The code of an unknown entry."""


class Codes(NamedTuple):
    """The 256 codes of a layer."""

    exact: tuple[int, ...]
    """The value, or NO_VALUE for a code without one."""
    least: tuple[int, ...]
    most: tuple[int, ...]


def grid(seeds: int) -> list[int]:
    """Return the bounds that have codes: ends and middle always, the others evenly between, as many as fit."""
    available = 255 - 2 * seeds
    size = 3
    while (size + 2) * (size + 1) // 2 <= available and size + 2 <= 2 * seeds + 1:
        size += 2
    steps = size // 2
    above = sorted({round(step * seeds / steps) for step in range(steps + 1)})
    return [-bound for bound in above[:0:-1]] + above


@lru_cache(maxsize=256)
def codes(seeds: int, cycles: Cycles) -> Codes:
    """Return the codes of a layer."""
    exact, least, most = [NO_VALUE] * 256, [-seeds] * 256, [seeds] * 256
    for value in range(-seeds, seeds + 1):
        exact[value & 255] = least[value & 255] = most[value & 255] = value
    if cycles == "open" and seeds:
        bounds = grid(seeds)
        pairs = [(low, high) for i, low in enumerate(bounds) for high in bounds[i + 1 :]]
        for code, (low, high) in enumerate(pairs, seeds + 1):
            least[code], most[code] = low, high
    return Codes(tuple(exact), tuple(least), tuple(most))


def encoder(seeds: int) -> list[list[int]]:
    """Return the code of every pair of bounds: [low + seeds][high + seeds], 0 where low is above high."""
    found = [[0] * (2 * seeds + 1) for _ in range(2 * seeds + 1)]
    _, least, most = codes(seeds, "open")
    by_pair = {(least[code], most[code]): code for code in range(255, -1, -1)}
    bounds = grid(seeds)
    for low in range(-seeds, seeds + 1):
        found[low + seeds][low + seeds] = low & 255
        wide_low = max(bound for bound in bounds if bound <= low)
        for high in range(low + 1, seeds + 1):
            wide_high = min(bound for bound in bounds if bound >= high)
            found[low + seeds][high + seeds] = by_pair[wide_low, wide_high]
    return found
