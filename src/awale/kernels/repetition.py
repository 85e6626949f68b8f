"""Exact detection of positions repeated since the last capture: a 64-bit filter excludes most, and the others are
compared.

A game stores its positions in consecutive `rows`, restarting at 0 after a capture.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.kernels.jit import jit

AFTER_TURN = 3
"""Fields of a one-lap state after the turn: captured seeds and ply do not matter to repetition."""
_FACTOR = 0x2545_F491_4F6C_DD1D


@jit(forceinline=True)
def trace(state: Any) -> int:
    """Return the bit that a position sets in the filter."""
    return 1 << ((((state[0] ^ (state[1] << 1)) * _FACTOR) >> 56) & 63)


@jit(forceinline=True)
def remember(state: Any, rows: NDArray[np.int64], row: int) -> None:
    for i in range(len(state) - AFTER_TURN):
        rows[row, i] = state[i]


@jit
def came_back(state: Any, rows: NDArray[np.int64], first: int, end: int) -> bool:
    """Return whether the position is in the rows from `first` to `end - 1`."""
    for row in range(first, end):
        same = True
        for i in range(len(state) - AFTER_TURN):
            if rows[row, i] != state[i]:
                same = False
                break
        if same:
            return True
    return False
