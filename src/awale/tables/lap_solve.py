"""Solving one layer of a one-lap game after another."""

from __future__ import annotations

import threading
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from awale.rules.description import Rules
from awale.tables.codes import codes, encoder
from awale.tables.index import half_count, layer_size
from awale.tables.lap_moves import TILE, LapTables
from awale.tables.lap_retrograde import GROUP, encode, sweep, take_captures
from awale.tables.layers import HEAD, NOTHING, Layers, Progress, Report
from awale.tables.workers import Workers

LAST_TICK = 65_000
"""Stamps have 16 bits."""


def make_tasks(pits: int, seeds: int) -> NDArray[np.int64]:
    """Return groups of the mover's halves: their seeds, the first and last rank, and where their captures begin in
    `most`.

    Moves alternate between few seeds of the mover's and many, so the groups come in that order: it saves one sweep in
    twelve.
    """
    tasks: dict[int, list[tuple[int, int, int, int]]] = {}
    line = 0
    for mine in range(seeds + 1):
        span, halves = half_count(pits, seeds - mine), half_count(pits, mine)
        tasks[mine] = []
        for begin in range(0, halves, GROUP):
            end = min(begin + GROUP, halves)
            tasks[mine].append((mine, begin, end, line))
            line += (end - begin) * span
    order = sorted(tasks, key=lambda mine: (min(mine, seeds - mine), mine))
    return np.array([task for mine in order for task in tasks[mine]], np.int64)


def cut(tasks: NDArray[np.int64], pits: int, seeds: int, parts: int) -> list[NDArray[np.int64]]:
    """Divide the tasks into parts of about equal weight."""
    spans = np.array([half_count(pits, seeds - mine) for mine in range(seeds + 1)])
    ends = np.cumsum((tasks[:, 2] - tasks[:, 1]) * spans[tasks[:, 0]])
    borders = np.unique(np.searchsorted(ends, np.arange(1, parts) * ends[-1] // parts))
    return [part for part in np.split(tasks, borders) if len(part)]


class LapSolver(Layers):
    """The layers of a one-lap game."""

    def __init__(self, rules: Rules, seeds: int, workers: Workers) -> None:
        super().__init__(rules, seeds, workers)
        self.bounds = self.cycles == "open"
        self.tables = LapTables(rules, self.halves)
        self.lows = np.tile(np.arange(256, dtype=np.uint8).view(np.int8), seeds + 1)
        self.highs = self.lows.copy()

    def understand(self, seeds: int) -> None:
        if self.bounds:
            meaning = codes(seeds, "open")
            self.lows[seeds << 8 : (seeds + 1) << 8] = meaning.least
            self.highs[seeds << 8 : (seeds + 1) << 8] = meaning.most

    def solve(self, seeds: int, report: Report) -> None:
        pairs = self._sweep_all(seeds, report)
        if self.bounds:
            size = layer_size(self.rules.pits, seeds)
            table = np.array(encoder(seeds), np.uint8)
            layer = self.layer(seeds)
            self.workers.map(
                lambda part: encode(pairs[HEAD + part[0] : HEAD + part[1]], table, seeds, layer[part[0] : part[1]]),
                list(pairwise([size * part // 16 for part in range(17)])),
            )

    def _sweep_all(self, seeds: int, report: Report) -> NDArray[np.int16]:
        """Return the bounds of every position as pairs (see `lap_retrograde._tile`), or none where endless play is
        worth nothing: the layer holds the values then."""
        pits = self.rules.pits
        size = layer_size(pits, seeds)
        parts = cut(make_tasks(pits, seeds), pits, seeds, max(1, min(32 * self.workers.threads, size // 20_000)))
        most = np.empty(size, np.int8)
        ends = self.ends(seeds)
        shift = int(self.shape.block[seeds, 0]) - HEAD if self.bounds else 0
        pairs = np.empty(HEAD + size if self.bounds else 0, np.int16)
        pairs[:HEAD] = (NOTHING << 8) | NOTHING
        if not self.bounds:
            self.layer(seeds)[:] = 0
        fixed = (self.tables.options, self.shape, self.tables.sowings, self.tables.replies, seeds, shift)
        values = pairs if self.bounds else self.flat

        def captures(part: NDArray[np.int64]) -> None:
            take_captures(self.bounds, *fixed, part, ends, self.lows, self.highs, self.flat, pairs, most)

        self.workers.map(captures, parts)
        clock = _Clock(len(parts), size)

        def look(number: int) -> tuple[int, int]:
            since, now = clock.start(number)
            found: tuple[int, int] = sweep(*fixed, parts[number], values, most, clock.stamps, since, now)
            clock.done(number, now)
            return found

        sweeps = visited = 0
        while True:
            found = self.workers.map(look, range(len(parts)))
            changed = sum(each[0] for each in found)
            visited += sum(each[1] for each in found)
            sweeps += 1
            report(Progress(sweeps, changed, visited))
            if not changed:
                return pairs
            clock.rewind()


class _Clock:
    """Ticks, one for each part of a sweep: when lines were changed, and what each part has certainly seen."""

    def __init__(self, parts: int, size: int) -> None:
        self.stamps = np.zeros(size // TILE + 3, np.uint16)
        self._seen = [0] * parts
        self._oldest = [0] * parts
        self._running: set[int] = set()
        self._tick = 0
        self._lock = threading.Lock()

    def start(self, part: int) -> tuple[int, int]:
        """Return the tick from which on changes may be new to a part, and the tick of its present work."""
        with self._lock:
            self._tick += 1
            self._running.add(self._tick)
            # Concurrent changes by other threads may be missed, so they stay new.
            self._oldest[part] = min(self._running)
            return self._seen[part], self._tick

    def done(self, part: int, tick: int) -> None:
        with self._lock:
            self._running.discard(tick)
            self._seen[part] = self._oldest[part]

    def rewind(self) -> None:
        """Between sweeps: restart before the stamps overflow, with everything new."""
        if self._tick > LAST_TICK:
            self._tick = 0
            self._seen = [0] * len(self._seen)
            self.stamps[:] = 0
