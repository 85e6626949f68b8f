"""The three evaluations of the 2025 report on the three-colour game, bit for bit.

Values are 32-bit floats, J1's, each operation rounded in the written order: the report's games depend on the last bit.
Every term depends on one small integer and is looked up; the sums are returned as integers in the same order as the
floats.

Rounded addition is monotone. So a value without its costly term, the threatened captures, bounds the value with it:
`threat_side` says from which side.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.kernels.bits import bit_length, popcount
from awale.kernels.jit import jit
from awale.kernels.tricolor import TriState, seeds_in, signed, unsigned, unsigned_constant
from awale.rules.description import MAX_SEEDS

EVALUATIONS = ("raw", "defence", "corrected")
RAW, DEFENCE, CORRECTED = range(3)

ONE = 0x3F800000
"""The float 1.0 as an integer (`as_order`)."""
_MOST_THREATS = 8 * 3 * 3 * 16
"""Eight holes of three colours, each taking three seeds from every hole: an upper bound."""

F = np.float32


def _terms(weight: float, counts: range, divisor: int, sign: int) -> NDArray[np.float32]:
    """Return weight * (sign * count / divisor) for every count."""
    return np.array([F(weight) * (F(sign * count) / F(divisor)) for count in counts], F)


def _tables() -> tuple[NDArray[np.float32], ...]:
    """Return the terms of all evaluations, by evaluation and player to move."""
    differences = range(-MAX_SEEDS, MAX_SEEDS + 1)
    captured, lying, clear, threats, safety = [], [], [], [], []
    for name in EVALUATIONS:
        for turn in (0, 1):
            sign = -1 if turn else 1
            whole = sign if name == "raw" else 1
            captured.append(_terms(0.25 if name == "defence" else 0.4, differences, 48, whole))
            lying.append(_terms(0.06 if name == "defence" else 0.2, differences, 48, whole))
            clear.append(_terms(0.04 if name == "defence" else 0.1, differences, 16, whole))
            threats.append(_terms(0.3, range(_MOST_THREATS + 1), 16, 1 if name == "raw" else sign))
            weak = [F(1) - F(holes) / F(16) for holes in range(9)]
            safety.append(np.array([F(0.25) * (-safe if turn else safe) for safe in weak], F))
    return np.array(captured), np.array(lying), np.array(clear), np.array(threats), np.array(safety)


CAPTURED, LYING, CLEAR, THREATS, SAFETY = _tables()


@jit
def as_order(value: Any) -> int:
    """Return an integer for a float, in the same order; 0 for 0."""
    bits = int(np.float32(abs(value)).view(np.int32))
    return -bits if value < 0 else bits


def from_order(order: int) -> float:
    """Return the float of such an integer."""
    value = float(np.int32(abs(order)).view(np.float32))
    return -value if order < 0 else value


_LOW_SEVEN = unsigned_constant(0x7F7F7F7F7F7F7F7F)
_TOPS = unsigned_constant(0x8080808080808080)
_NIBBLES = unsigned_constant(0x000F000F000F000F)
_BYTES = unsigned_constant(0x000000FF000000FF)
_RING = unsigned_constant(0xFFFF)
_COUNTS = tuple(unsigned_constant(0x0101010101010101 * count) for count in (1, 2, 3))
_BYTE = unsigned_constant(0xFF)
_6, _7, _12, _24 = (unsigned_constant(n) for n in (6, 7, 12, 24))


@jit
def _equal(word: Any, count: Any) -> Any:
    """Return the top bit of each byte that equals the byte of `count`."""
    other = word ^ count
    return ~(((other & _LOW_SEVEN) + _LOW_SEVEN) | other) & _TOPS


@jit
def _holding(all0: Any, all1: Any, count: Any) -> int:
    """Return a bit for each hole of the ring with `count` seeds."""
    found = (_equal(all0, count) >> _7) | (_equal(all1, count) >> _6)
    found = (found | (found >> _6)) & _NIBBLES
    found = (found | (found >> _12)) & _BYTES
    return signed((found | (found >> _24)) & _RING)


@jit
def _taken_after_a_lap(all0: Any, all1: Any, holes: int, hole: int, seeds: int) -> int:
    """Return what a chain takes when the seeds go all round the ring: rare, so hole by hole."""
    here = (hole + seeds) % holes
    taken = 0
    for _ in range(holes):
        word = all1 if here & 1 else all0
        count = signed((word >> unsigned_constant(8 * (here >> 1))) & _BYTE)
        if here == hole:
            count -= seeds
        count += seeds // holes
        if 0 < (here - hole) % holes <= seeds % holes:
            count += 1
        if count != 2 and count != 3:
            break
        taken += count
        here = here - 1 if here > 0 else holes - 1
    return taken


@jit
def threats(state: TriState, holes: int, ones: int, twos: int, threes: int) -> int:
    """Return what the player to move could take, summed over every colour of every hole.

    As the report's program counts: the seeds go one to each following hole, whatever their colour and also into the
    hole they came from. `ones`, `twos`, `threes`: a bit for each hole of the ring with so many seeds.
    """
    turn = state.turn
    red0, blue0, clear0 = unsigned(state.red0), unsigned(state.blue0), unsigned(state.clear0)
    red1, blue1, clear1 = unsigned(state.red1), unsigned(state.blue1), unsigned(state.clear1)
    all0, all1 = red0 + blue0 + clear0, red1 + blue1 + clear1
    if turn == 0:
        red, blue, clear, own = red0, blue0, clear0, all0
    else:
        red, blue, clear, own = red1, blue1, clear1, all1
    ring = (1 << holes) - 1
    ones |= ones << holes
    twos |= twos << holes
    threes |= threes << holes
    total = 0
    for hole in range(turn, holes, 2):
        shift = unsigned_constant(8 * (hole >> 1))
        here = signed((own >> shift) & _BYTE)
        if here == 0:
            continue
        # The ring as seen from this hole: bit 0 is the hole itself, bit n the n-th after it.
        one, two, three = (ones >> hole) & ring, (twos >> hole) & ring, (threes >> hole) & ring
        for colour in range(3):
            word = red if colour == 0 else (blue if colour == 1 else clear)
            seeds = signed((word >> shift) & _BYTE)
            if seeds == 0:
                continue
            if seeds >= holes:
                total += _taken_after_a_lap(all0, all1, holes, hole, seeds)
                continue
            if ((one | two) >> seeds) & 1 == 0:
                continue
            sown = ((1 << seeds) - 1) << 1
            left = here - seeds
            rest = ring & ~sown & ~1
            now_two = (one & sown) | (two & rest) | (1 if left == 2 else 0)
            now_three = (two & sown) | (three & rest) | (1 if left == 3 else 0)
            # Rotated so that the hole of the last seed is the highest bit: the chain is the run of ones there.
            takes = now_two | now_three
            takes = ((takes | (takes << holes)) >> (seeds + 1)) & ring
            run = holes - bit_length(ring & ~takes)
            now_three = ((now_three | (now_three << holes)) >> (seeds + 1)) & ring
            total += 2 * run + popcount(now_three >> (holes - run))
    return total


@jit
def sum_of(kind: int, state: TriState, weak: int, threat: int) -> int:
    """Return J1's value of a leaf in the form of `as_order`. `weak`: the mover's holes of one or two seeds."""
    row = 2 * kind + state.turn
    clear0, clear1 = unsigned(state.clear0), unsigned(state.clear1)
    side0 = seeds_in(unsigned(state.red0) + unsigned(state.blue0) + clear0)
    side1 = seeds_in(unsigned(state.red1) + unsigned(state.blue1) + clear1)
    captured = CAPTURED[row, state.south - state.north + MAX_SEEDS]
    lying = LYING[row, side0 - side1 + MAX_SEEDS]
    clear = CLEAR[row, seeds_in(clear0) - seeds_in(clear1) + MAX_SEEDS]
    if kind == DEFENCE:
        value = np.float32(SAFETY[row, weak] + THREATS[row, threat])
        value = np.float32(value + captured)
    else:
        value = np.float32(captured + THREATS[row, threat])
    value = np.float32(value + lying)
    value = np.float32(value + clear)
    order = as_order(value)
    return min(max(order, -ONE), ONE)


@jit
def threat_side(kind: int, turn: int) -> int:
    """Return 1 if threats of the player to move can only raise J1's value, -1 if they can only lower it."""
    return 1 if kind == RAW or turn == 0 else -1


@jit
def _weak(state: TriState) -> int:
    """Return the mover's holes of one or two seeds."""
    if state.turn == 0:
        word = unsigned(state.red0) + unsigned(state.blue0) + unsigned(state.clear0)
    else:
        word = unsigned(state.red1) + unsigned(state.blue1) + unsigned(state.clear1)
    return popcount(signed((_equal(word, _COUNTS[0]) | _equal(word, _COUNTS[1])) >> _7))


@jit
def leaf_without_threats(kind: int, state: TriState) -> int:
    """Return the value of a leaf as if the player to move could take nothing; see `threat_side`."""
    return sum_of(kind, state, _weak(state) if kind == DEFENCE else 0, 0)


@jit
def potential(state: TriState, holes: int) -> int:
    """Return the report's "potential captures" of the player to move."""
    all0 = unsigned(state.red0) + unsigned(state.blue0) + unsigned(state.clear0)
    all1 = unsigned(state.red1) + unsigned(state.blue1) + unsigned(state.clear1)
    ones = _holding(all0, all1, _COUNTS[0])
    twos = _holding(all0, all1, _COUNTS[1])
    threes = _holding(all0, all1, _COUNTS[2])
    return threats(state, holes, ones, twos, threes)


@jit
def leaf(kind: int, state: TriState, holes: int) -> int:
    """Return the value of a leaf."""
    return sum_of(kind, state, _weak(state) if kind == DEFENCE else 0, potential(state, holes))
