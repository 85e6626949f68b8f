"""Every start with a number of seeds: how many are endless, in which rings, and how long the others last."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from awale.cores import cores
from awale.errors import AwaleError
from awale.i18n import text
from awale.kernels import convert
from awale.kernels.bits import BYTES
from awale.kernels.playouts import in_threads
from awale.kernels.relay import RelayRules
from awale.loops import walk
from awale.rules import get
from awale.rules.description import MAX_SEEDS

CHUNK = 1 << 20
"""Boards per task: a fraction of a second."""
MOST_RINGS = 1 << 14
"""The most rings that one call returns."""
VERSION = 1


class CensusError(AwaleError):
    """Raised for a census that cannot be taken."""


def starts_in_all(pits: int, seeds: int) -> int:
    """Return the number of starts: boards of `seeds` seeds in `pits` pits, times the pits that are not empty.

    >>> starts_in_all(12, 9)
    906984
    """
    return pits * math.comb(seeds + pits - 2, pits - 1) if seeds else 0


def boards(parts: int, seeds: int) -> int:
    """Return the number of ways to distribute seeds over pits."""
    return math.comb(seeds + parts - 1, parts - 1)


def board_number(number: int, parts: int, seeds: int) -> list[int]:
    """Return the `number`-th way to distribute seeds over pits, in the order of `walk.next_board`.

    >>> [board_number(i, 2, 2) for i in range(3)]
    [[2, 0], [1, 1], [0, 2]]
    """
    pits = [0] * parts
    for part in range(parts - 1, 0, -1):
        while number >= boards(part, seeds):
            number -= boards(part, seeds)
            seeds -= 1
            pits[part] += 1
    pits[0] = seeds
    return pits


@dataclass
class Census:
    """The counts so far. Complete when both stages are."""

    pits: int
    seeds: int
    rings_wanted: bool = True
    chains_done: int = 0
    """Boards with a single seed in pit 0 whose chain was walked."""
    stopping: int = 0
    """Starts in these chains (from pit 0)."""
    longest: int = 0
    longest_board: tuple[int, ...] = ()
    handful: int = 2
    """The handful whose leaders are being searched, and how many of its boards are done."""
    rings_done: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    """The number of rings of each length."""
    longest_ring: tuple[int, tuple[int, ...]] = (0, ())
    seconds: float = 0.0

    @property
    def total(self) -> int:
        return starts_in_all(self.pits, self.seeds)

    @property
    def chains_in_all(self) -> int:
        return boards(self.pits - 1, self.seeds - 1)

    @property
    def chains_complete(self) -> bool:
        return self.chains_done == self.chains_in_all

    @property
    def complete(self) -> bool:
        return self.chains_complete and (not self.rings_wanted or self.handful > self.seeds or self.endless == 0)

    @property
    def endless(self) -> int:
        """Return the number of endless starts: all that are in no chain."""
        return self.total - self.pits * self.stopping

    @property
    def one_in(self) -> float | None:
        return self.total / self.endless if self.endless else None

    @property
    def ring_boards(self) -> int:
        return sum(boards(self.pits - 1, self.seeds - handful) for handful in range(2, self.seeds + 1))

    @property
    def ring_boards_done(self) -> int:
        return self.rings_done + sum(
            boards(self.pits - 1, self.seeds - handful) for handful in range(2, min(self.handful, self.seeds + 1))
        )

    def as_dict(self) -> dict[str, Any]:
        period, board = self.longest_ring
        return {
            "pits": self.pits,
            "seeds": self.seeds,
            "starts": self.total,
            "endless": self.endless,
            "one_in": self.one_in,
            "longest_relay": self.longest,
            "longest_relay_board": list(self.longest_board),
            "rings": None if not self.rings_wanted else sum(self.lengths.values()),
            "lengths": None if not self.rings_wanted else {str(n): self.lengths[n] for n in sorted(self.lengths)},
            "longest_period": None if not self.rings_wanted else period,
            "longest_period_board": list(board),
            "seconds": round(self.seconds, 3),
        }

    def state(self) -> dict[str, Any]:
        """Return everything, for a file."""
        return {"version": VERSION} | vars(self) | {"lengths": {str(n): count for n, count in self.lengths.items()}}

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> Census:
        """Read such a file's contents; raise KeyError, TypeError or ValueError if they are invalid."""
        if state["version"] != VERSION:
            raise ValueError("another version")
        census = cls(int(state["pits"]), int(state["seeds"]), bool(state["rings_wanted"]))
        census.chains_done, census.stopping = int(state["chains_done"]), int(state["stopping"])
        census.longest, census.longest_board = int(state["longest"]), tuple(map(int, state["longest_board"]))
        census.handful, census.rings_done = int(state["handful"]), int(state["rings_done"])
        census.lengths = Counter({int(n): int(count) for n, count in state["lengths"].items()})
        census.longest_ring = (int(state["longest_ring"][0]), tuple(map(int, state["longest_ring"][1])))
        census.seconds = float(state["seconds"])
        if not (0 <= census.chains_done <= census.chains_in_all and 2 <= census.handful <= census.seeds + 1):
            raise ValueError("not a census")
        return census


def check_size(pits: int, seeds: int) -> None:
    if pits % 2 or not 2 <= pits <= 2 * BYTES:
        raise CensusError(text("loops.refused.pits", pits=pits, most=2 * BYTES))
    if not 1 <= seeds <= MAX_SEEDS:
        raise CensusError(text("loops.refused.seeds", most=MAX_SEEDS))


Stage = Literal["chains", "rings"]
Device = Literal["cpu", "cuda"]


def take_census(
    pits: int,
    seeds: int,
    *,
    rings: bool = True,
    threads: int | None = None,
    device: Device = "cpu",
    resume: Census | None = None,
    report: Callable[[Census, Stage], None] | None = None,
) -> Census:
    """Count all starts with `seeds` seeds on a ring of `pits` pits. `report` is called after every chunk.

    >>> census = take_census(4, 5, threads=1)
    >>> census.total, census.endless, dict(census.lengths)
    (140, 8, {8: 1})
    """
    check_size(pits, seeds)
    census = resume or Census(pits, seeds, rings)
    census.rings_wanted = rings
    k = convert.pack_rules(get(f"ghana:pits={pits // 2},seeds=1"))
    begun, before = time.perf_counter(), census.seconds
    workers = threads or cores()

    def done(stage: Stage) -> None:
        census.seconds = before + time.perf_counter() - begun
        if report is not None:
            report(census, stage)

    if device == "cuda":
        from awale.loops.cuda_census import CudaCensus

        card = CudaCensus(census, k)
        card.walk_chains(done)
        if rings and census.endless:
            card.find_rings(done)
    else:
        _walk_chains(census, k, workers, done)
        if rings and census.endless:
            _find_rings(census, k, workers, done)
    census.seconds = before + time.perf_counter() - begun
    if rings and census.endless:
        in_rings = sum(length * count for length, count in census.lengths.items())
        # Two independent counts.
        assert in_rings == census.endless, (in_rings, census.endless)
    return census


def _walk_chains(census: Census, k: RelayRules, workers: int, done: Callable[[Stage], None]) -> None:
    parts, seeds, in_all = census.pits - 1, census.seeds - 1, census.chains_in_all

    def run(first: int) -> NDArray[np.int64]:
        found = np.zeros(4, np.int64)
        board = np.array([1, *board_number(first, parts, seeds)], np.int64)
        walk.chains(k, board, min(CHUNK, in_all - first), found)
        return found

    for found in in_threads(run, range(census.chains_done, in_all, CHUNK), workers):
        census.chains_done = min(census.chains_done + CHUNK, in_all)
        census.stopping += int(found[walk.STARTS])
        if found[walk.LONGEST] > census.longest:
            census.longest = int(found[walk.LONGEST])
            census.longest_board = board_of(census.pits, found[walk.AT_MINE], found[walk.AT_THEIRS])
        done("chains")


def board_of(pits: int, mine: int, theirs: int) -> tuple[int, ...]:
    """Return the pits of two words."""
    half = pits // 2
    return tuple(int(word) >> 8 * i & 255 for word in (mine, theirs) for i in range(half))


def _find_rings(census: Census, k: RelayRules, workers: int, done: Callable[[Stage], None]) -> None:
    parts = census.pits - 1

    def run(task: tuple[int, int, int]) -> tuple[int, int, NDArray[np.int64]]:
        handful, first, end = task
        found: list[NDArray[np.int64]] = []
        while first < end:
            rows = np.zeros((MOST_RINGS, 4), np.int64)
            board = [handful, *board_number(first, parts, census.seeds - handful)]
            more, written = walk.rings(k, np.array(board, np.int64), end - first, rows)
            found.append(rows[:written])
            first += int(more)
        return handful, end, np.concatenate(found)

    def tasks() -> Iterator[tuple[int, int, int]]:
        begun, ready = census.handful, census.rings_done
        for handful in range(begun, census.seeds + 1):
            in_all = boards(parts, census.seeds - handful)
            for first in range(ready if handful == begun else 0, in_all, CHUNK):
                yield handful, first, min(first + CHUNK, in_all)

    for handful, end, found in in_threads(run, tasks(), workers):
        add_rings(census, found)
        census.handful, census.rings_done = handful, end
        if census.rings_done == boards(parts, census.seeds - handful):
            census.handful, census.rings_done = handful + 1, 0
        done("rings")


def add_rings(census: Census, found: NDArray[np.int64]) -> None:
    """Count rings: the laps after which each returns, rotated by some pits, and its leader."""
    laps, turns = found[:, walk.RING_LAPS], found[:, walk.RING_TURN]
    # The board returns rotated: the ring is complete when the rotations add up to a full turn.
    alike = np.gcd(turns, census.pits)
    lengths = laps * (census.pits // alike)
    for length in np.unique(lengths):
        census.lengths[int(length)] += int(alike[lengths == length].sum())
    if len(found) and lengths.max() > census.longest_ring[0]:
        top = int(np.argmax(lengths))
        board = board_of(census.pits, found[top, walk.RING_MINE], found[top, walk.RING_THEIRS])
        census.longest_ring = (int(lengths[top]), board)
