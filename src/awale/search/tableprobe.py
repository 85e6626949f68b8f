"""Endgame tables as the search asks them, for any family's states."""

from __future__ import annotations

from typing import Any

from awale.kernels.bits import byte_sum
from awale.kernels.endgame import NO_TABLES, NOT_FOUND, TableSet, bounds, probe_within
from awale.kernels.jit import class_of, dispatch, jit
from awale.search.states import NARROW

__all__ = ["NOT_FOUND", "NO_TABLES", "TableSet", "table_bounds"]


@jit(forceinline=True)
def _narrow(tables: TableSet, state: Any, below: int, limit: int) -> tuple[int, int]:
    if tables.layers == 0:
        return -NOT_FOUND, NOT_FOUND
    seeds = byte_sum(state.mine + state.theirs)
    if seeds >= below or seeds >= tables.layers:
        return -NOT_FOUND, NOT_FOUND
    if tables.limited == 0:
        return bounds(tables, state.mine, state.theirs, seeds)
    value = probe_within(tables, state.mine, state.theirs, seeds, limit - state.ply)
    return (-NOT_FOUND, NOT_FOUND) if value == NOT_FOUND else (value, value)


@dispatch
def table_bounds(tables: TableSet, state: Any, below: int, limit: int) -> Any:
    """Return the least and the most that the player to move still wins of the seeds on the board, if there are fewer
    than `below` and a table knows; else -NOT_FOUND and NOT_FOUND. They hold as long as no earlier position comes back.
    `limit` is the number of moves that ends a game. The game must not be over."""
    if class_of(state) in NARROW:
        return _narrow
    return lambda tables, state, below, limit: (-NOT_FOUND, NOT_FOUND)
