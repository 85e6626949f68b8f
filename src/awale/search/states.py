"""What a search needs of a state besides its moves: storage in arrays, and a key for the transposition table.

Every function takes the arguments of any family; the implementation is chosen at compile time, as in
`awale.kernels.generic`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.kernels import NO_MOVE, generic
from awale.kernels.bits import lowest
from awale.kernels.jit import COMPILER_OFF, INLINE, jit
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


def save(rows: NDArray[np.int64], index: int, state: Any) -> None:
    """Write a state to a row of an array."""
    for field in range(len(state)):
        rows[index, field] = state[field]


def load(like: Any, rows: NDArray[np.int64], index: int) -> Any:
    """Return the state of a row; `like` is any state of its family."""
    return type(like)(*(int(rows[index, field]) for field in range(len(like))))


def exact_key(state: Any) -> tuple[int, int]:
    """Return two words that identify a position: exactly, or for large states by a 126-bit hash. They include captured
    seeds and the turn, not the ply."""
    if isinstance(state, NARROW):
        return _narrow_key(state)
    return _hashed_key_python(state)


def expand(k: Any, state: Any, rows: NDArray[np.int64]) -> int:
    """Return the legal moves as bits; write to `rows`, at the number of each move, the state it leads to."""
    if isinstance(state, RelayState):
        return int(_expand_relay(k, state, rows))
    mask = generic.legal(k, state)
    left = mask
    while left:
        move = lowest(left)
        left &= left - 1
        save(rows, move, generic.play(k, state, move))
    return int(mask)


def moves_above_leaves(k: Any, state: Any, rows: NDArray[np.int64]) -> int:
    """Return the legal moves of a node of depth 1, where most are not played. Relay moves must be sown to know whether
    they are legal: for those, write the states to `rows` too."""
    if isinstance(state, RelayState):
        return expand(k, state, rows)
    return int(generic.legal(k, state))


def leaf(k: Any, state: Any, rows: NDArray[np.int64], move: int) -> Any:
    """Return the state that a move of `moves_above_leaves` leads to."""
    if isinstance(state, RelayState):
        return load(state, rows, move)
    return generic.play(k, state, move)


def leaf_ending(k: Any, state: Any, last: int) -> int:
    """Return the ending at a leaf of the search, or 0. A relay player all of whose moves are endless is detected only
    one ply deeper: it costs a sowing each."""
    code = int(generic.stopped(k, state, last))
    return leaf_stuck(k, state) if code == 0 else code


def leaf_stuck(k: Any, state: Any) -> int:
    """Return NO_MOVE at a leaf without a legal move, else 0."""
    if isinstance(state, RelayState) or int(generic.legal(k, state)) != 0:
        return 0
    return NO_MOVE


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


def _signed(word: int) -> int:
    word &= _MASK_64
    return word - (1 << 64) if word >> 63 else word


def _mix_python(word: int) -> int:
    word = int(word)
    word = _signed((word ^ ((word >> 31) & 0x1FFFFFFFF)) * _MIX_1)
    word = _signed((word ^ ((word >> 29) & 0x7FFFFFFFF)) * _MIX_2)
    return _signed(word ^ ((word >> 32) & 0xFFFFFFFF))


def _hashed_key_python(state: Any) -> tuple[int, int]:
    one, two = 0x1234567, 0x7654321
    for name, word in zip(state._fields, state, strict=True):
        if name != "ply":
            one = _mix_python(_signed(one * 3 + int(word)))
            two = _mix_python(_signed(two * 5 - int(word)))
    return one, two


if COMPILER_OFF:
    mix = _mix_python
else:
    from numba.extending import overload

    def _is(state: Any, *classes: type) -> bool:
        return getattr(state, "instance_class", None) in classes

    def _compiled(source: str, **names: Any) -> Any:
        """Return a function generated for the fields of one family."""
        scope: dict[str, Any] = dict(names)
        exec(source, scope)
        return scope["impl"]

    @overload(save, strict=False, jit_options=INLINE)
    def _save(rows: Any, index: Any, state: Any) -> Any:
        lines = "".join(f"    rows[index, {i}] = state[{i}]\n" for i in range(len(state)))
        return _compiled(f"def impl(rows, index, state):\n{lines}")

    @overload(load, strict=False, jit_options=INLINE)
    def _load(like: Any, rows: Any, index: Any) -> Any:
        fields = ", ".join(f"rows[index, {i}]" for i in range(len(like)))
        return _compiled(f"def impl(like, rows, index):\n    return make({fields})\n", make=like.instance_class)

    @overload(exact_key, strict=False, jit_options=INLINE)
    def _exact_key(state: Any) -> Any:
        if _is(state, *NARROW):
            return lambda state: _narrow_key(state)
        lines = "".join(
            f"    one = mix(one * 3 + state[{i}])\n    two = mix(two * 5 - state[{i}])\n"
            for i, name in enumerate(state.instance_class._fields)
            if name != "ply"
        )
        source = f"def impl(state):\n    one, two = 0x1234567, 0x7654321\n{lines}    return one, two\n"
        return _compiled(source, mix=mix)

    @overload(expand, strict=False, jit_options=INLINE)
    def _expand(k: Any, state: Any, rows: Any) -> Any:
        if _is(state, RelayState):
            return lambda k, state, rows: _expand_relay(k, state, rows)

        def impl(k: Any, state: Any, rows: Any) -> int:
            mask = generic.legal(k, state)
            left = mask
            while left:
                move = lowest(left)
                left &= left - 1
                save(rows, move, generic.play(k, state, move))
            return mask

        return impl

    @overload(moves_above_leaves, strict=False, jit_options=INLINE)
    def _moves_above_leaves(k: Any, state: Any, rows: Any) -> Any:
        if _is(state, RelayState):
            return lambda k, state, rows: _expand_relay(k, state, rows)
        return lambda k, state, rows: generic.legal(k, state)

    @overload(leaf, strict=False, jit_options=INLINE)
    def _leaf(k: Any, state: Any, rows: Any, move: Any) -> Any:
        if _is(state, RelayState):
            return lambda k, state, rows, move: load(state, rows, move)
        return lambda k, state, rows, move: generic.play(k, state, move)

    @overload(leaf_stuck, strict=False, jit_options=INLINE)
    def _leaf_stuck(k: Any, state: Any) -> Any:
        if _is(state, RelayState):
            return lambda k, state: 0
        return lambda k, state: NO_MOVE if generic.legal(k, state) == 0 else 0

    @overload(leaf_ending, strict=False, jit_options=INLINE)
    def _leaf_ending(k: Any, state: Any, last: Any) -> Any:
        def impl(k: Any, state: Any, last: int) -> int:
            code = generic.stopped(k, state, last)
            return leaf_stuck(k, state) if code == 0 else code

        return impl


__all__ = [
    "FIELDS",
    "MOVES",
    "NARROW",
    "WIDE",
    "exact_key",
    "expand",
    "leaf",
    "leaf_ending",
    "leaf_stuck",
    "load",
    "mix",
    "moves_above_leaves",
    "save",
]
