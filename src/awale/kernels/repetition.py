"""Which positions came up since the last capture, exactly: a word of 64 bits says "surely not" most of the time, and
where it cannot, the positions themselves are compared.

A game keeps its positions in `rows`, one after the other, and forgets them at a capture by counting from 0 again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.kernels.jit import jit

AFTER_TURN = 3
"""Fields of a one-lap state after the turn: captured seeds and ply are no part of a position that comes back."""
_FACTOR = 0x2545_F491_4F6C_DD1D


@jit(forceinline=True)
def trace(state: Any) -> int:
    """One bit that a position always sets in the word of those seen; another position may set the same."""
    return 1 << ((((state[0] ^ (state[1] << 1)) * _FACTOR) >> 56) & 63)


@jit(forceinline=True)
def remember(state: Any, rows: NDArray[np.int64], row: int) -> None:
    for i in range(len(state) - AFTER_TURN):
        rows[row, i] = state[i]


@jit
def came_back(state: Any, rows: NDArray[np.int64], first: int, end: int) -> bool:
    """Whether the position is one of those in the rows from `first` to `end - 1`."""
    for row in range(first, end):
        same = True
        for i in range(len(state) - AFTER_TURN):
            if rows[row, i] != state[i]:
                same = False
                break
        if same:
            return True
    return False
