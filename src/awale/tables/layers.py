"""All layers of a table in memory, one after another, and what all solvers share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.rules.description import Rules
from awale.tables.half_boards import Halves
from awale.tables.index import block_starts, layer_size, total_size
from awale.tables.support import cycles, few_needs_move, rest_value
from awale.tables.workers import Workers

HEAD = 64
"""Bytes before the first layer; byte 0 stands for a move that leaves the layer."""
NOTHING = 127
"""Its contents: a child worse than any."""
NEVER = 255
"""The plies of an entry that never settles."""


class Progress(NamedTuple):
    """What the solver of a layer reports after each sweep."""

    sweeps: int
    changed: int
    """Entries that changed in it."""
    visited: int
    """Entries visited so far, in all sweeps."""


Report = Callable[[Progress], None]


class Shape(NamedTuple):
    """All layers: halves by seeds, and where each layer and its blocks begin in `flat`."""

    width: NDArray[np.int64]
    """The number of halves with so many seeds."""
    first: NDArray[np.int64]
    """The number of the first of them."""
    block: NDArray[np.int64]
    """[seeds of the layer, seeds of the opponent]"""


def make_shape(halves: Halves) -> Shape:
    block = np.zeros((halves.seeds + 1, halves.seeds + 2), np.int64)
    for seeds in range(halves.seeds + 1):
        start = HEAD + (total_size(halves.pits, seeds - 1) if seeds else 0)
        block[seeds, : seeds + 2] = np.add(start, block_starts(halves.pits, seeds))
    return Shape(halves.width, halves.first, block)


class Layers:
    """Hold all layers up to `seeds` seeds; they are filled one by one, lowest first."""

    def __init__(self, rules: Rules, seeds: int, workers: Workers) -> None:
        self.rules = rules
        self.workers = workers
        self.cycles = cycles(rules)
        self.halves = Halves(rules.pits, seeds)
        self.shape = make_shape(self.halves)
        self.flat = self.allocate(HEAD + total_size(rules.pits, seeds))
        self.plies = np.empty(len(self.flat) if self.cycles == "counted" else 0, np.uint8)

    def allocate(self, size: int) -> Any:
        """Return the array of all layers, with its head."""
        flat = np.empty(size, np.int8)
        flat[:HEAD] = NOTHING
        return flat

    def layer(self, seeds: int) -> NDArray[np.int8]:
        """Return the bytes of a layer."""
        block = self.shape.block[seeds]
        return self.flat[block[0] : block[seeds + 1]]

    def layer_plies(self, seeds: int) -> NDArray[np.uint8]:
        """Return how many moves must be left for each entry to hold; empty without a move limit."""
        block = self.shape.block[seeds]
        return self.plies[block[0] : block[seeds + 1]]

    def sections(self, seeds: int) -> dict[str, Any]:
        """Return the arrays to be saved of a layer."""
        found = {"codes": self.layer(seeds).view(np.uint8)}
        return found | {"plies": self.layer_plies(seeds)} if self.cycles == "counted" else found

    def ends(self, seeds: int) -> NDArray[np.int64]:
        """Return the value of a position without a legal move, by the seeds of the mover's half."""
        worth = [rest_value(self.rules.no_move, mine, seeds - mine) for mine in range(seeds + 1)]
        return np.array(worth, np.int64)

    def over(self, seeds: int) -> bool:
        """Return whether the game is already over with so few seeds."""
        few = self.rules.few_seeds
        return seeds == 0 or (few is not None and seeds <= few)

    def fill_over(self, seeds: int) -> None:
        rest = self.rules.no_move if self.rules.few_seeds is None else self.rules.few_rest
        block = self.shape.block[seeds]
        for waiting in range(seeds + 1):
            self.fill_range(int(block[waiting]), int(block[waiting + 1]), rest_value(rest, seeds - waiting, waiting))
        if self.cycles == "counted":
            self.layer_plies(seeds)[:] = int(seeds > 0 and few_needs_move(self.rules))

    def fill_range(self, begin: int, end: int, value: int) -> None:
        self.flat[begin:end] = value

    def fetch(self, seeds: int) -> dict[str, Any]:
        """Return the arrays of a solved layer."""
        return self.sections(seeds)

    def fill(self, seeds: int, report: Report) -> None:
        """Fill a layer whose lower ones are filled."""
        if self.over(seeds):
            self.fill_over(seeds)
        else:
            self.solve(seeds, report)
        self.understand(seeds)
        report(Progress(0, 0, layer_size(self.rules.pits, seeds)))

    def learn(self, seeds: int) -> None:
        """Process a layer that was read into its sections."""
        self.understand(seeds)

    def understand(self, seeds: int) -> None:
        """Note what the codes of a layer mean, before the next one is solved."""

    def solve(self, seeds: int, report: Report) -> None:
        """Compute the values of a layer."""
        raise NotImplementedError
