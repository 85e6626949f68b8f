"""Probing endgame tables from compiled code.

A `TableSet` is three integers, no arrays, so passing it down a search is free. They refer to a directory of 64-bit
words (laid out below, written by `awale.tables`) with the addresses of the mapped files. Whoever holds a `TableSet`
must keep alive the `awale.tables.Tables` it came from.

The index of a position in the table of its layer (all positions with the same number of seeds): the layer is divided
into blocks by the opponent's seeds; in a block, a row for each of the opponent's halves, and in the row a byte for each
half of the player to move. The rank of a half is a sum of one table look-up for each pit but the last: with `c` the
seeds up to and including pit `j`, it is the sum of `binomial(c + j, j + 1)`.
"""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

from awale.kernels.jit import COMPILER_OFF, jit

NOT_FOUND = 1 << 20
"""Outside the range of values."""
ONES = 0x0101_0101_0101

# The directory, in 64-bit words. Boards have at most six pits a side, layers at most MOST_SEEDS seeds.
MOST_SEEDS = 55
RANK = 64
"""Words 0 to 63: the number of halves with so many seeds. From here: what each of the first five pits adds to the rank.
"""
LAYERS = RANK + 5 * 64
"""From here LAYER words for each layer: the addresses of its bytes, its codes, its plies, one unused ..."""
LAYER = 64
BLOCKS = 8
"""... and from this one on the start of each block."""
CODES = 256
"""A layer's codes: 256 exact values (or NO_VALUE), 256 lower bounds, 256 upper bounds, 16 bits each."""
NO_VALUE = -32768


class TableSet(NamedTuple):
    """What compiled code needs of a table. `NO_TABLES` contains nothing."""

    directory: int
    """The address of the directory."""
    layers: int
    """Positions with fewer seeds than this are known."""
    limited: int
    """1 if the rules have a move limit: an entry then holds only while enough moves are left."""


NO_TABLES = TableSet(0, 0, 0)

if COMPILER_OFF:

    def word_at(address: int) -> int:
        """Return the 64-bit word at an address."""
        return ctypes.c_int64.from_address(address).value

    def short_at(address: int) -> int:
        """Return the signed 16-bit number at an address."""
        return ctypes.c_int16.from_address(address).value

    def byte_at(address: int) -> int:
        """Return the byte at an address, 0 to 255."""
        return ctypes.c_uint8.from_address(address).value

    def prefetch(address: int) -> None:
        """Start loading the cache line at an address."""

else:
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    from awale.kernels.bits import instruction

    def _load(name: str, bits: int, signed: bool) -> Any:
        def emit(builder: Any, place: Any) -> Any:
            pointer = builder.inttoptr(place, ir.IntType(bits).as_pointer())
            loaded = builder.load(pointer, align=bits // 8)
            return loaded if bits == 64 else (builder.sext if signed else builder.zext)(loaded, ir.IntType(64))

        return instruction(emit, name, "Return the number at an address.")

    word_at = _load("word_at", 64, True)
    short_at = _load("short_at", 16, True)
    byte_at = _load("byte_at", 8, False)

    @intrinsic
    def prefetch(context: Any, address: Any) -> Any:
        """Start loading the cache line at an address."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            number, pointer = ir.IntType(32), ir.IntType(8).as_pointer()
            kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
            function = builder.module.declare_intrinsic("llvm.prefetch", [pointer], kind)
            place = context.cast(builder, arguments[0], signature.args[0], types.int64)
            # To be read, kept in all caches, data.
            builder.call(function, [builder.inttoptr(place, pointer), number(0), number(3), number(1)])
            return context.get_dummy_value()

        return types.none(address), generate


@jit
def _half_rank(directory: int, sums: int) -> int:
    """Return the rank of a half, from the cumulative sums of its pits."""
    ranks = directory + 8 * RANK
    return (
        word_at(ranks + 8 * (sums & 255))
        + word_at(ranks + 512 + 8 * ((sums >> 8) & 255))
        + word_at(ranks + 1024 + 8 * ((sums >> 16) & 255))
        + word_at(ranks + 1536 + 8 * ((sums >> 24) & 255))
        + word_at(ranks + 2048 + 8 * ((sums >> 32) & 255))
    )


@jit
def place(t: TableSet, mine: int, theirs: int, layer: int) -> int:
    """Return the index of a position in its layer; `layer` is the address of the layer's words."""
    my_sums = mine * ONES
    their_sums = theirs * ONES
    row = _half_rank(t.directory, their_sums)
    width = word_at(t.directory + 8 * ((my_sums >> 40) & 255))
    block = word_at(layer + 8 * (BLOCKS + ((their_sums >> 40) & 255)))
    return block + row * width + _half_rank(t.directory, my_sums)


@jit
def probe_within(t: TableSet, mine: int, theirs: int, seeds: int, left: int) -> int:
    """Return what the player to move still wins of the seeds on the board, less what the opponent does; NOT_FOUND where
    the table does not reach or its entry depends on how cycles are scored.

    `mine` and `theirs` hold a byte a pit, each half from its owner's left; `seeds` is their sum; `left` are the moves
    that may still be played where the rules count moves, and anything large elsewhere. The game must not be over.
    """
    if seeds >= t.layers:
        return NOT_FOUND
    layer = t.directory + 8 * (LAYERS + LAYER * seeds)
    at = place(t, mine, theirs, layer)
    if t.limited != 0:
        if byte_at(word_at(layer + 16) + at) > left:
            return NOT_FOUND
    code = byte_at(word_at(layer) + at)
    value = short_at(word_at(layer + 8) + 2 * code)
    return NOT_FOUND if value == NO_VALUE else value


@jit(forceinline=True)
def locate(t: TableSet, mine: int, theirs: int, seeds: int) -> int:
    """Return the address of a position's entry, whose cache line is being loaded; 0 where the table does not reach or
    moves are limited. `bounds_at` reads it."""
    if seeds >= t.layers or t.limited != 0:
        return 0
    layer = t.directory + 8 * (LAYERS + LAYER * seeds)
    address = word_at(layer) + place(t, mine, theirs, layer)
    prefetch(address)
    return address


@jit(forceinline=True)
def bounds_at(t: TableSet, seeds: int, address: int) -> tuple[int, int]:
    """Return the bounds of an entry that `locate` found, which are equal where it has a value."""
    layer = t.directory + 8 * (LAYERS + LAYER * seeds)
    codes = word_at(layer + 8) + 2 * (CODES + byte_at(address))
    return short_at(codes), short_at(codes + 2 * CODES)


@jit
def probe(t: TableSet, mine: int, theirs: int, seeds: int) -> int:
    """Probe under rules without a move limit; with a move limit always NOT_FOUND."""
    if t.limited != 0:
        return NOT_FOUND
    return probe_within(t, mine, theirs, seeds, 255)


@jit
def bounds(t: TableSet, mine: int, theirs: int, seeds: int) -> tuple[int, int]:
    """Return the bounds of `probe`, however cycles are scored; (-seeds, seeds) where nothing is known."""
    if seeds >= t.layers or t.limited != 0:
        return -seeds, seeds
    layer = t.directory + 8 * (LAYERS + LAYER * seeds)
    return bounds_at(t, seeds, word_at(layer) + place(t, mine, theirs, layer))
