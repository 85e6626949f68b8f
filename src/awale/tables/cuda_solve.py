"""Solving layers of one-lap games on an NVIDIA GPU, through numba-cuda (extra `awale[cuda]`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale import i18n
from awale.kernels import gpu
from awale.rules.description import Rules
from awale.tables.codes import encoder
from awale.tables.errors import InsufficientResourcesError, TablesError
from awale.tables.index import half_count, layer_size
from awale.tables.lap_moves import TILE
from awale.tables.lap_solve import LapSolver
from awale.tables.layers import HEAD, NOTHING, Progress, Report
from awale.tables.resources import card_memory_needed, format_size
from awale.tables.workers import Workers

LAST_SWEEP = 250
"""Stamps have one byte."""


def free_on_card(cuda: Any) -> int:
    """Return the free memory of the GPU; the simulator's is unlimited."""
    if gpu.SIMULATED:
        return 1 << 60
    return int(cuda.current_context().get_memory_info()[0])


def make_tasks(pits: int, seeds: int, group: int, run: int) -> NDArray[np.int64]:
    """Return groups of the mover's halves and runs of other halves; the columns as in `cuda_kernels`."""
    found: list[NDArray[np.int64]] = []
    line = 0
    for mine in range(seeds + 1):
        span, halves = half_count(pits, seeds - mine), half_count(pits, mine)
        grid = np.meshgrid(np.arange(0, halves, group), np.arange(0, span, run), indexing="ij")
        first, begin = (part.ravel() for part in grid)
        columns = (
            np.full(len(first), mine),
            first,
            np.minimum(halves - first, group),
            begin,
            np.minimum(begin + run, span),
            line + first * span,
        )
        found.append(np.stack(columns, axis=1).astype(np.int64))
        line += halves * span
    return np.concatenate(found)


class CudaSolver(LapSolver):
    """Hold all layers up to `seeds` seeds on the GPU, and the current one on the host, to be written."""

    def __init__(self, rules: Rules, seeds: int, workers: Workers) -> None:
        self.kernels = gpu.load("awale.tables.cuda_kernels", TablesError)
        self.cuda = self.kernels.cuda
        _check_memory(rules, seeds, free_on_card(self.cuda))
        super().__init__(rules, seeds, workers)
        tables = (self.shape, self.tables.sowings, self.tables.replies)
        self._moves = (self.tables.options, *(type(each)(*map(self.cuda.to_device, each)) for each in tables))
        self._here: dict[int, NDArray[np.uint8]] = {}

    def allocate(self, size: int) -> Any:
        flat = self.cuda.device_array(size, np.int8)
        self.kernels.fill[1, HEAD](flat, 0, HEAD, NOTHING)
        return flat

    def sections(self, seeds: int) -> dict[str, NDArray[np.uint8]]:
        """Return the bytes of a layer on the host."""
        if seeds not in self._here:
            # Only the current layer is kept on the host; a writer may still use the previous one.
            self._here = {seeds: np.empty(layer_size(self.rules.pits, seeds), np.uint8)}
        return {"codes": self._here[seeds]}

    def learn(self, seeds: int) -> None:
        """Copy a layer that was read from a file to the GPU."""
        self.layer(seeds).copy_to_device(self.sections(seeds)["codes"].view(np.int8))
        self.understand(seeds)

    def layer(self, seeds: int) -> Any:
        """Return a layer on the GPU."""
        block = self.shape.block[seeds]
        return self.flat[int(block[0]) : int(block[seeds + 1])]

    def fetch(self, seeds: int) -> dict[str, NDArray[np.uint8]]:
        """Copy a solved layer to the host."""
        found = self.sections(seeds)
        self.layer(seeds).copy_to_host(found["codes"].view(np.int8))
        return found

    def byte(self, seeds: int, at: int) -> int:
        """Return one entry of a solved layer."""
        place = int(self.shape.block[seeds, 0]) + at
        return int(self.flat[place : place + 1].copy_to_host()[0]) & 255

    def fill_range(self, begin: int, end: int, value: int) -> None:
        self.kernels.fill[4, 64](self.flat, begin, end, value)

    def solve(self, seeds: int, report: Report) -> None:
        size = layer_size(self.rules.pits, seeds)
        kernels, cuda = self.kernels, self.cuda
        start = int(self.shape.block[seeds, 0])
        run = TILE
        while run < 1024 and size > 4_000 * kernels.GROUP * run:
            run *= 2
        tasks = make_tasks(self.rules.pits, seeds, kernels.GROUP, run)
        blocks = len(tasks)
        on_card = cuda.to_device(tasks)
        most = cuda.device_array(size, np.int8)
        shift = start - HEAD if self.bounds else 0
        pairs = cuda.device_array(HEAD + size if self.bounds else 1, np.int16)
        wide = (1024, 256) if size > 1_000_000 else (4, 64)
        if self.bounds:
            kernels.fill[1, HEAD](pairs, 0, HEAD, (NOTHING << 8) | NOTHING)
        else:
            kernels.fill[wide](self.flat, start, start + size, 0)
        values = map(cuda.to_device, (self.ends(seeds), self.lows, self.highs))
        kernels.take_captures[blocks, kernels.THREADS](
            self.bounds, *self._moves, seeds, shift, on_card, *values, self.flat, pairs, most
        )
        stamps = cuda.device_array(size // TILE + 3, np.uint8)
        kernels.fill[wide](stamps, 0, len(stamps), 0)
        counters = cuda.to_device(np.zeros(2, np.int64))
        array = pairs if self.bounds else self.flat
        kernel = (kernels.sweep_open if self.bounds else kernels.sweep_even)[blocks, kernels.THREADS]
        sweeps = stamp = visited = 0
        while True:
            sweeps += 1
            stamp += 1
            if stamp > LAST_SWEEP:
                kernels.fill[wide](stamps, 0, len(stamps), 0)
                stamp = 1
            kernel(*self._moves, seeds, shift, on_card, array, most, stamps, stamp, counters)
            changed, seen = (int(count) for count in counters.copy_to_host())
            counters.copy_to_device(np.zeros(2, np.int64))
            visited += seen
            report(Progress(sweeps, changed, visited))
            if not changed:
                break
        if self.bounds:
            table = cuda.to_device(np.array(encoder(seeds), np.uint8))
            kernels.encode[wide](pairs, HEAD, table, seeds, self.flat, start, size)


def _check_memory(rules: Rules, seeds: int, free: int) -> None:
    needed = card_memory_needed(rules, seeds)
    if needed > free:
        sizes = {"needed": format_size(needed), "free": format_size(free)}
        fits = max((n for n in range(seeds) if card_memory_needed(rules, n) <= free), default=0)
        raise InsufficientResourcesError(i18n.message("tables.room.card", **sizes, fits=fits))
