"""How the benchmarks measure: many short turns, ours and the peer's by turns, the best turn of each.

The best turn is the one that nothing else on the machine disturbed; taking turns keeps a slow minute from falling on
one side only. What runs on one thread is timed by the processor time it used, which on a quiet machine is the time on
the wall, and on a busy one still says what the code costs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Work = Callable[[], int]
"""Does something once and says how much that was."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table."""

    what: str
    unit: str
    """What is counted a second; empty if `ours` is a plain number."""
    ours: float
    peer: float | None = None
    peer_name: str = ""
    at_least: float | None = None
    """What `ours` must reach."""
    times_peer: float | None = None
    """What the ratio must reach."""
    at_most: float | None = None
    """What `ours` must not exceed: a time."""

    @property
    def ratio(self) -> float | None:
        return self.ours / self.peer if self.peer else None

    @property
    def target(self) -> str:
        parts = []
        if self.at_least is not None:
            parts.append(f"{figure(self.at_least)} {self.unit}/s" if self.unit else figure(self.at_least))
        if self.times_peer is not None:
            parts.append(f"{self.times_peer:g} times")
        if self.at_most is not None:
            parts.append(f"at most {figure(self.at_most)}")
        return " and ".join(parts)

    @property
    def met(self) -> bool | None:
        """None where nothing is asked."""
        asked = []
        if self.at_least is not None:
            asked.append(self.ours >= self.at_least)
        if self.times_peer is not None:
            asked.append(self.ratio is not None and self.ratio >= self.times_peer)
        if self.at_most is not None:
            asked.append(self.ours <= self.at_most)
        return all(asked) if asked else None


def figure(value: float) -> str:
    """Three digits that count, with a word for the zeros."""
    for size, word in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{word}"
    return f"{value:.3g}"


def rates(works: Sequence[Work], seconds: float = 3.0, *, several_threads: bool = False) -> list[float]:
    """The best rate of each piece of work, taking turns for about so long in all; the first turns are not counted."""
    clock = time.perf_counter if several_threads else time.process_time
    for work in works:
        work()
    best = [0.0] * len(works)
    begun = time.perf_counter()
    turns = 0
    while turns < 3 or time.perf_counter() - begun < seconds:
        for i, work in enumerate(works):
            turn = clock()
            done = work()
            best[i] = max(best[i], done / (clock() - turn))
        turns += 1
    return best
