"""Stored results: a census of every board up to twelve pits and 48 seeds, and a few beyond.

`known.json` was written from `awale loops census`, the large ones with `--device cuda` (12 pits and 48 seeds: 2.7
thousand billion starts in 22 s on an H200). The tests count the small ones again.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from awale.loops.census import Census, starts_in_all


class Count(NamedTuple):
    """The result of a census."""

    pits: int
    seeds: int
    endless: int
    longest_relay: int
    rings: int | None
    """None, like what follows, where only the endless starts were counted."""
    period: int | None
    board: tuple[int, ...]
    """Where the longest period starts, at pit 1."""

    @property
    def starts(self) -> int:
        return starts_in_all(self.pits, self.seeds)

    @property
    def one_in(self) -> float | None:
        return self.starts / self.endless if self.endless else None

    @classmethod
    def of(cls, census: Census) -> Count:
        rings = sum(census.lengths.values()) if census.rings_wanted else None
        period, board = census.longest_ring
        found = period if census.rings_wanted else None
        return cls(census.pits, census.seeds, census.endless, census.longest, rings, found, board)


@cache
def known() -> dict[tuple[int, int], Count]:
    """Return the stored results by pits and seeds.

    >>> known()[12, 9].endless
    72
    """
    rows = json.loads(files("awale.loops").joinpath("known.json").read_text(encoding="utf-8"))
    counts = [Count(*row)._replace(board=tuple(row[6])) for row in rows]
    return {(count.pits, count.seeds): count for count in counts}
