"""What a search needs of a state besides its moves: storage in arrays, and a key for the transposition table.

Every function takes the arguments of any family: see `awale.kernels.jit.dispatch`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.kernels import NO_MOVE, generic
from awale.kernels.bits import lowest
from awale.kernels.jit import COMPILER_OFF, class_of, dispatch, function_of, jit
from awale.kernels.lap import LapState
from awale.kernels.lap_wide import LapWideState
from awale.kernels.relay import RelayState
from awale.kernels.relay import play as play_relay
from awale.kernels.relay_wide import RelayWideState

FIELDS = 16
"""The most fields of any family's state."""
MOVES = 32
"""The most moves of any family: eight holes, four colours."""

NARROW = (LapState, RelayState)
"""States of two words, a byte per pit."""
WIDE = (LapWideState, RelayWideState)
"""States of four: the pits beyond the sixth of a side are in the high words."""

_MIX_1 = -0x61C8864680B583EB
_MIX_2 = -0x4B47D0C5A6A4B7C5
_MASK_64 = (1 << 64) - 1


@dispatch
def save(rows: NDArray[np.int64], index: int, state: Any) -> Any:
    """Write a state to a row of an array."""
    return _saver(class_of(state))


@dispatch
def load(like: Any, rows: NDArray[np.int64], index: int) -> Any:
    """Return the state of a row; `like` is any state of its family."""
    return _loader(class_of(like))


@dispatch
def exact_key(state: Any) -> Any:
    """Return two words that identify a position: exactly, or for large states by a 126-bit hash. They include captured
    seeds and the turn, not the ply."""
    family = class_of(state)
    if family in NARROW:
        return _narrow_key
    return _hashed_key(family, _mix_python if isinstance(state, family) else mix)


@dispatch
def expand(k: Any, state: Any, rows: NDArray[np.int64]) -> Any:
    """Return the legal moves as bits; write to `rows`, at the number of each move, the state it leads to."""
    return _expand_relay if class_of(state) is RelayState else _expand


@dispatch
def moves_above_leaves(k: Any, state: Any, rows: NDArray[np.int64]) -> Any:
    """Return the legal moves of a node of depth 1, where most are not played. Relay moves must be sown to know whether
    they are legal: for those, write the states to `rows` too."""
    return _expand_relay if class_of(state) is RelayState else lambda k, state, rows: generic.legal(k, state)


@dispatch
def leaf(k: Any, state: Any, rows: NDArray[np.int64], move: int) -> Any:
    """Return the state that a move of `moves_above_leaves` leads to."""
    if class_of(state) is RelayState:
        return lambda k, state, rows, move: load(state, rows, move)
    return lambda k, state, rows, move: generic.play(k, state, move)


@dispatch
def leaf_stuck(k: Any, state: Any) -> Any:
    """Return NO_MOVE at a leaf without a legal move, else 0. A relay player all of whose moves are endless is detected
    only one ply deeper: it costs a sowing each."""
    if class_of(state) is RelayState:
        return lambda k, state: 0
    return lambda k, state: NO_MOVE if generic.legal(k, state) == 0 else 0


@jit(forceinline=True)
def leaf_ending(k: Any, state: Any, last: int) -> int:
    """Return the ending at a leaf of the search, or 0: see `leaf_stuck`."""
    code = generic.stopped(k, state, last)
    return leaf_stuck(k, state) if code == 0 else code


@cache
def _saver(family: Any) -> Any:
    lines = "".join(f"    rows[index, {field}] = state[{field}]\n" for field in range(len(family._fields)))
    return function_of(f"def impl(rows, index, state):\n{lines}")


@cache
def _loader(family: Any) -> Any:
    fields = ", ".join(f"int(rows[index, {field}])" for field in range(len(family._fields)))
    return function_of(f"def impl(like, rows, index): return make({fields})", make=family)


@jit(forceinline=True)
def _expand(k: Any, state: Any, rows: NDArray[np.int64]) -> int:
    mask = generic.legal(k, state)
    left = mask
    while left:
        move = lowest(left)
        left &= left - 1
        save(rows, move, generic.play(k, state, move))
    return mask


@jit
def _expand_relay(k: Any, state: Any, rows: NDArray[np.int64]) -> int:
    """Expand a relay position, sowing each move once."""
    mask = 0
    if state.endless == 0:
        for move in range(k.pits):
            if (state.mine >> 8 * move) & 255:
                after = play_relay(k, state, move)
                if k.endless_ends == 1 or after.endless == 0:
                    mask |= 1 << move
                    save(rows, move, after)
    return mask


@jit(forceinline=True)
def _narrow_key(state: Any) -> tuple[int, int]:
    return (
        state.mine | (state.south << 48),
        state.theirs | (state.north << 48) | (state.turn << 56),
    )


@jit(forceinline=True)
def mix(word: int) -> int:
    """Spread the bits of a word."""
    word = (word ^ ((word >> 31) & 0x1FFFFFFFF)) * _MIX_1
    word = (word ^ ((word >> 29) & 0x7FFFFFFFF)) * _MIX_2
    return word ^ ((word >> 32) & 0xFFFFFFFF)


@jit
def draw(random: NDArray[np.int64], below: int) -> int:
    """Return a random number from 0 to below - 1; `random` is the state of the random numbers, one word."""
    random[0] = mix(random[0] + 0x1E3779B97F4A7C15)
    return (random[0] & 0x7FFFFFFFFFFFFFFF) % below


def _signed(word: int) -> int:
    word &= _MASK_64
    return word - (1 << 64) if word >> 63 else word


def _mix_python(word: int) -> int:
    word = int(word)
    word = _signed((word ^ ((word >> 31) & 0x1FFFFFFFF)) * _MIX_1)
    word = _signed((word ^ ((word >> 29) & 0x7FFFFFFFF)) * _MIX_2)
    return _signed(word ^ ((word >> 32) & 0xFFFFFFFF))


@cache
def _hashed_key(family: Any, mix: Any) -> Any:
    lines = "".join(
        f"    one = mix(one * 3 + state[{number}])\n    two = mix(two * 5 - state[{number}])\n"
        for number, name in enumerate(family._fields)
        if name != "ply"
    )
    source = f"def impl(state):\n    one, two = 0x1234567, 0x7654321\n{lines}    return one, two\n"
    return function_of(source, mix=mix)


if COMPILER_OFF:
    mix = _mix_python
