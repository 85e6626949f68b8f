"""What the two programs that fit evaluations share: a search to play with, and positions as columns of weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.game import Game
from awale.kernels.convert import pack_position, pack_rules
from awale.rules import reference
from awale.rules.description import Rules
from awale.search import core
from awale.search.engine import SearchEngine, new_transposition_table
from awale.search.tableprobe import NO_TABLES

Array = NDArray[Any]


def context(rules: Rules, weights: Array) -> tuple[core.Context, Any]:
    """Return what a search with these weights needs, in a thread of its own, and the packed starting position."""
    setup = SearchEngine(rules, hash_mb=1, weights=weights)._setup(Game(rules), fixed=False)
    control = np.zeros(core.CONTROL, np.int64)
    control[core.NODE_LIMIT] = 1 << 60
    scratch = core.new_scratch(np.zeros((0, 2), np.int64))
    table = new_transposition_table(16)
    c = core.Context(pack_rules(rules), setup, weights, NO_TABLES, table, scratch, control)
    return c, pack_position(rules, reference.start(rules))


def pit_contents(sides: Iterable[Array], pits: Sequence[int]) -> Array:
    """Return the seeds of these pits of both sides, a row a position."""
    return np.stack([(side >> (8 * pit)) & 255 for side in sides for pit in pits], axis=1)


def pit_columns(contents: Array, most: int, places: Iterable[int]) -> Array:
    """Return the number of the weight that counts for each pit: one for each of its contents, up to `most`.

    `places` numbers the pits in the order of the weights.
    """
    return np.array(list(places)) * (most + 1) + np.minimum(contents, most)
