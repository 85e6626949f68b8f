"""Solving layers of one-lap games on an NVIDIA GPU, through numba-cuda (extra `awale[cuda]`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale import i18n
from awale.kernels import gpu
from awale.kernels.jit import jit
from awale.rules.description import Rules
from awale.tables.codes import codes, encoder
from awale.tables.errors import InsufficientResourcesError, TablesError
from awale.tables.half_boards import Halves
from awale.tables.index import block_starts, half_count, layer_size, total_size
from awale.tables.lap_moves import TILE, LapOptions, LapTables, Replies, Sowings
from awale.tables.lap_retrograde import legal_alone
from awale.tables.layers import HEAD, NOTHING, Progress, Report, make_shape
from awale.tables.resources import card_memory_needed, format_size
from awale.tables.support import cycles, rest_value
from awale.tables.workers import Workers

LAST_SWEEP = 250
"""Stamps have one byte."""


@jit
def _legal_alone(options: LapOptions, sowings: Sowings, replies: Replies, out: NDArray[np.uint8]) -> None:
    for number in range(out.shape[0]):
        out[number] = legal_alone(options, sowings, replies, number)


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


class CudaSolver:
    """Hold all layers up to `seeds` seeds on the GPU, and the current one on the host, to be written."""

    def __init__(self, rules: Rules, seeds: int, workers: Workers) -> None:
        self.rules = rules
        self.bounds = cycles(rules) == "open"
        self.kernels = gpu.load("awale.tables.cuda_kernels", TablesError)
        self.cuda = self.kernels.cuda
        self._check_memory(seeds)
        halves = Halves(rules.pits, seeds)
        tables = LapTables(rules, halves)
        self.shape = make_shape(halves)
        alone = np.zeros(len(halves.counts), np.uint8)
        _legal_alone(tables.options, tables.sowings, tables.replies, alone)
        options = np.array([rules.pits, tables.options.passes, tables.options.slam], np.int64)
        send = self.cuda.to_device
        self._options = send(options)
        self._shape = [send(part) for part in (self.shape.width, self.shape.first, self.shape.block)]
        self._sowings = [send(part) for part in (*tables.sowings, alone)]
        self._replies = Replies(*(send(part) for part in tables.replies))
        self.flat = self.cuda.device_array(HEAD + total_size(rules.pits, seeds), np.int8)
        self.kernels.fill[1, HEAD](self.flat, 0, HEAD, NOTHING)
        same = np.tile(np.arange(256, dtype=np.uint8).view(np.int8), seeds + 1)
        self.lows = same.copy()
        self.highs = same.copy()
        self._here: dict[int, NDArray[np.uint8]] = {}

    def _check_memory(self, seeds: int) -> None:
        needed = card_memory_needed(self.rules, seeds)
        free = free_on_card(self.cuda)
        if needed > free:
            sizes = {"needed": format_size(needed), "free": format_size(free)}
            fits = max((n for n in range(seeds) if card_memory_needed(self.rules, n) <= free), default=0)
            raise InsufficientResourcesError(i18n.message("tables.room.card", **sizes, fits=fits))

    def sections(self, seeds: int) -> dict[str, NDArray[np.uint8]]:
        """Return the bytes of a layer on the host."""
        if seeds not in self._here:
            # Only the current layer is kept on the host; a writer may still use the previous one.
            self._here = {seeds: np.empty(layer_size(self.rules.pits, seeds), np.uint8)}
        return {"codes": self._here[seeds]}

    def learn(self, seeds: int) -> None:
        """Copy a layer that was read from a file to the GPU."""
        block = self.shape.block[seeds]
        self.flat[int(block[0]) : int(block[seeds + 1])].copy_to_device(self.sections(seeds)["codes"].view(np.int8))
        self._understand(seeds)

    def _understand(self, seeds: int) -> None:
        if self.bounds:
            meaning = codes(seeds, "open")
            self.lows[seeds << 8 : (seeds + 1) << 8] = meaning.least
            self.highs[seeds << 8 : (seeds + 1) << 8] = meaning.most

    def fetch(self, seeds: int) -> dict[str, NDArray[np.uint8]]:
        """Copy a solved layer to the host."""
        block = self.shape.block[seeds]
        found = self.sections(seeds)
        self.flat[int(block[0]) : int(block[seeds + 1])].copy_to_host(found["codes"].view(np.int8))
        return found

    def byte(self, seeds: int, at: int) -> int:
        """Return one entry of a solved layer."""
        place = int(self.shape.block[seeds, 0]) + at
        return int(self.flat[place : place + 1].copy_to_host()[0]) & 255

    def fill(self, seeds: int, report: Report) -> None:
        """Solve a layer on the GPU."""
        few = self.rules.few_seeds
        size = layer_size(self.rules.pits, seeds)
        if seeds == 0 or (few is not None and seeds <= few):
            start = int(self.shape.block[seeds, 0])
            blocks = block_starts(self.rules.pits, seeds)
            rest = self.rules.no_move if few is None else self.rules.few_rest
            for waiting in range(seeds + 1):
                worth = rest_value(rest, seeds - waiting, waiting)
                self.kernels.fill[4, 64](self.flat, start + blocks[waiting], start + blocks[waiting + 1], worth)
            report(Progress(0, 0, size))
        else:
            self._solve(seeds, size, report)
        self._understand(seeds)

    def _solve(self, seeds: int, size: int, report: Report) -> None:
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
        ends = np.array([rest_value(self.rules.no_move, mine, seeds - mine) for mine in range(seeds + 1)], np.int64)
        kernels.take_captures[blocks, kernels.THREADS](
            self.bounds, self._options, seeds, shift, *self._shape, *self._sowings, self._replies.start,
            self._replies.entries, on_card, cuda.to_device(ends), cuda.to_device(self.lows), cuda.to_device(self.highs),
            self.flat, pairs, most,
        )  # fmt: skip
        stamps = cuda.device_array(size // TILE + 3, np.uint8)
        kernels.fill[wide](stamps, 0, len(stamps), 0)
        counters = cuda.to_device(np.zeros(2, np.int64))
        replies = self._replies
        array = pairs if self.bounds else self.flat
        kernel = (kernels.sweep_open if self.bounds else kernels.sweep_even)[blocks, kernels.THREADS]
        sweeps = stamp = visited = 0
        while True:
            sweeps += 1
            stamp += 1
            if stamp > LAST_SWEEP:
                kernels.fill[wide](stamps, 0, len(stamps), 0)
                stamp = 1
            kernel(
                self._options, seeds, shift, *self._shape, *self._sowings, replies.start, replies.edge_start,
                replies.entries, replies.edges, on_card, array, most, stamps, stamp, counters,
            )  # fmt: skip
            changed, seen = (int(count) for count in counters.copy_to_host())
            counters.copy_to_device(np.zeros(2, np.int64))
            visited += seen
            report(Progress(sweeps, changed, visited))
            if not changed:
                break
        if self.bounds:
            table = cuda.to_device(np.array(encoder(seeds), np.uint8))
            kernels.encode[wide](pairs, HEAD, table, seeds, self.flat, start, size)
