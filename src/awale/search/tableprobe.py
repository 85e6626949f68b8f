"""Endgame tables as the search asks them, for any family's states."""

from __future__ import annotations

from typing import Any

from awale.kernels.bits import byte_sum
from awale.kernels.endgame import NO_TABLES, NOT_FOUND, TableSet, probe_within
from awale.kernels.jit import COMPILER_OFF, jit
from awale.search.states import NARROW

__all__ = ["NOT_FOUND", "NO_TABLES", "TableSet", "table_value"]


@jit(forceinline=True)
def _narrow(tables: TableSet, state: Any, below: int, limit: int) -> int:
    if tables.layers == 0:
        return NOT_FOUND
    seeds = byte_sum(state.mine + state.theirs)
    if seeds >= below:
        return NOT_FOUND
    return probe_within(tables, state.mine, state.theirs, seeds, limit - state.ply)


def table_value(tables: TableSet, state: Any, below: int, limit: int) -> int:
    """What the player to move still wins of the seeds on the board, if there are fewer than `below` and a table knows;
    else NOT_FOUND. `limit` is the number of moves that ends a game. The game must not be over."""
    if isinstance(state, NARROW):
        return int(_narrow(tables, state, below, limit))
    return NOT_FOUND


if not COMPILER_OFF:
    from numba.extending import overload

    @overload(table_value, strict=False, jit_options={"forceinline": True})
    def _table_value(tables: Any, state: Any, below: Any, limit: Any) -> Any:
        if getattr(state, "instance_class", None) in NARROW:
            return lambda tables, state, below, limit: _narrow(tables, state, below, limit)
        return lambda tables, state, below, limit: NOT_FOUND
