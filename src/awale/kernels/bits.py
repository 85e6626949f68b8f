"""Machine instructions that Python has no operator for, and bytewise arithmetic on words of six pits.

A word holds up to six pits, a byte each, the leftmost lowest. No pit and no sum of pits exceeds 240 seeds, so bytes
never overflow, and a word of six stays a positive int64.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.kernels.jit import COMPILER_OFF, jit

ONES = 0x0101_0101_0101
LOW_SEVEN = 0x7F7F_7F7F_7F7F
TOPS = 0x8080_8080_8080
BYTES = 6

if COMPILER_OFF:

    def popcount(word: int) -> int:
        """Return the number of set bits."""
        return int(word).bit_count()

    def lowest(word: int) -> int:
        """Return the number of the lowest set bit; the word must not be 0."""
        return (int(word) & -int(word)).bit_length() - 1

    def bit_length(word: int) -> int:
        """Return one more than the number of the highest set bit; 0 for 0. The word must not be negative."""
        return int(word).bit_length()

else:
    from numba.core import types
    from numba.extending import intrinsic

    def instruction(emit: Callable[[Any, Any], Any], name: str, doc: str) -> Any:
        """Return a function of an integer that compiles to what `emit(builder, value)` makes."""

        def typing(context: Any, word: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                value = context.cast(builder, arguments[0], signature.args[0], types.int64)
                return emit(builder, value)

            return types.int64(word), generate

        typing.__name__ = typing.__qualname__ = name
        typing.__doc__ = doc
        return intrinsic(typing)

    def _false(value: Any) -> Any:
        from llvmlite import ir

        return ir.Constant(ir.IntType(1), 0)

    popcount = instruction(lambda builder, value: builder.ctpop(value), "popcount", "How many bits are set.")
    lowest = instruction(
        lambda builder, value: builder.cttz(value, _false(value)),
        "lowest",
        "The number of the lowest set bit; the word must not be 0.",
    )
    bit_length = instruction(
        lambda builder, value: builder.sub(value.type(64), builder.ctlz(value, _false(value))),
        "bit_length",
        "One more than the number of the highest set bit; 0 for 0.",
    )


@jit(forceinline=True)
def byte_sum(word: int) -> int:
    """Return the sum of the bytes of a word."""
    return ((word * ONES) >> 40) & 255


# Moves the bits 8j+7 to bits 42+j, j from 0 to 5: each power serves one of them, and no two products meet there.
_GATHER = sum(1 << (35 - 7 * j) for j in range(BYTES))


@jit(forceinline=True)
def occupied(word: int) -> int:
    """Return a bit for each pit of a word that is not empty."""
    tops = (((word & LOW_SEVEN) + LOW_SEVEN) | word) & TOPS
    return ((tops * _GATHER) >> 42) & 63


@jit
def gcd(a: int, b: int) -> int:
    """Return the greatest common divisor (`math.gcd` cannot be compiled for a GPU)."""
    while b != 0:
        a, b = b, a % b
    return a


def _selections() -> NDArray[np.int64]:
    table = np.zeros((64, 8), np.int64)
    for mask in range(64):
        places = [bit for bit in range(6) if mask >> bit & 1]
        table[mask, : len(places)] = places
    return table.reshape(-1)


_SELECTIONS: NDArray[np.int64] = _selections()


@jit(forceinline=True)
def nth_bit(mask: int, n: int) -> int:
    """Return the number of the n-th set bit, counted from 0: six bits at a time by a table, since branch prediction
    fails on a loop over single bits."""
    passed = 0
    while True:
        here = popcount(mask & 63)
        if n < here:
            return passed + int(_SELECTIONS[((mask & 63) << 3) | (n & 7)])
        n -= here
        mask >>= 6
        passed += 6


FAIR = 60
"""A number from 0 to 59 chooses uniformly among any number of things up to six."""


def _choices() -> NDArray[np.int64]:
    table = np.zeros((64, 64), np.int64)
    for mask in range(1, 64):
        places = [bit for bit in range(6) if mask >> bit & 1]
        table[mask, :FAIR] = [places[n % len(places)] for n in range(FAIR)]
    return table.reshape(-1)


CHOICES: NDArray[np.int64] = _choices()
"""At `mask * 64 + n`: one of the set bits of a mask of six, for n from 0 to 59."""
