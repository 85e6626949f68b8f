"""The three-colour game in machine words: a byte per hole and colour, a word per player and colour.

Splitting the ring by owner rather than by place answers the most frequent questions from one word each: what can the
mover play, are they starved, where do blue seeds go. Hole `h` of the ring is byte `h // 2` of player `h % 2`'s words.
No byte can overflow: a game holds at most 240 seeds.

Sowing adds table rows. `n` seeds sown from a hole add a fixed word to each player; transparent seeds go first, so the
colour that follows adds the row of all of them less that of the transparent ones.

Words are signed 64-bit integers: a state that went through Python has the same types, and functions are compiled once.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from awale.errors import RulesError
from awale.i18n import message
from awale.kernels.endings import EndingOptions, ending_options, share, stop_code
from awale.kernels.jit import COMPILER_OFF, jit
from awale.rules.description import MAX_TRICOLOR_PITS, Rules
from awale.rules.reference import Board, Hole, Position

RED_LIKE, BLUE_LIKE = 0, 1
MOST_TAKEN = 60
"""No rule takes a hole of more seeds (`Rules` refuses it), so the counts that are taken fit into one word."""
MASK = (1 << 64) - 1


class TriRules(NamedTuple):
    """The options of a `Rules` that the kernel needs."""

    holes: int
    takes: int
    """Bit n is set if a chain takes a hole of n seeds."""
    passes: int
    """1 if a starved player passes."""
    endings: EndingOptions
    table: int
    """The start of this ring in `SOWINGS`."""


class TriState(NamedTuple):
    """Player 0's red, blue and transparent seeds, player 1's, then what every family has."""

    red0: int
    blue0: int
    clear0: int
    red1: int
    blue1: int
    clear1: int
    turn: int
    south: int
    north: int
    ply: int


# -- in Python -----------------------------------------------------------------------------------------------------


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


ROW = 4
ROWS = 16
"""Rows for each hole and way of sowing: up to one whole lap, 15 seeds on the largest ring."""


def _sowings(holes: int) -> list[tuple[int, int, int, int]]:
    """Return the rows of `SOWINGS` for one ring: hole by hole, red-like then blue-like, from no seed to a whole lap."""
    rows: list[tuple[int, int, int, int]] = []
    for origin in range(holes):
        for like in (RED_LIKE, BLUE_LIKE):
            lap = [hole % holes for hole in range(origin + 1, origin + holes)]
            if like == BLUE_LIKE:
                lap = [hole for hole in lap if hole % 2 != origin % 2]
            words = [0, 0]
            rows.append((0, 0, origin, len(lap)))
            for hole in lap:
                words[hole % 2] += 1 << (8 * (hole // 2))
                rows.append((words[0], words[1], hole, len(lap)))
            rows += [(0, 0, 0, 0)] * (ROWS - 1 - len(lap))
    return rows


SOWINGS: NDArray[np.int64] = np.array(
    [row for pits in range(1, MAX_TRICOLOR_PITS + 1) for row in _sowings(2 * pits)], np.int64
).reshape(-1)
"""Four numbers for each ring, hole, way of sowing and number of seeds: what is added to player 0's word and to player
1's, the hole of the last seed, and the seeds of a whole lap."""
_INDEX = (1 << len(SOWINGS).bit_length()) - 1  # tells the compiler that an index is never negative


def pack_rules(rules: Rules) -> TriRules:
    if rules.family != "tricolor":
        raise RulesError(message("kernels.bad.rules", rules=rules.name))
    return TriRules(
        holes=rules.holes,
        takes=sum(1 << count for count in rules.capture_counts),
        passes=int(rules.starved == "passes"),
        endings=ending_options(rules),
        table=sum(2 * pits for pits in range(1, rules.pits)) * 2 * ROWS * ROW,
    )


def pack(rules: Rules, position: Position) -> TriState:
    """Return the state of a position; a `Game` has already passed for a starved player."""
    words = [0] * 6
    for place, hole in enumerate(cast("tuple[Hole, ...]", position.board)):
        for colour, seeds in enumerate(hole):
            words[place % 2 * 3 + colour] |= seeds << place // 2 * 8
    red0, blue0, clear0, red1, blue1, clear1 = map(_signed, words)
    south, north = position.scores
    return TriState(red0, blue0, clear0, red1, blue1, clear1, position.turn, south, north, position.ply)


def unpack(rules: Rules, state: TriState) -> Position:
    words = [int(word) & MASK for word in state[:6]]
    board = tuple(
        tuple(words[place % 2 * 3 + colour] >> place // 2 * 8 & 0xFF for colour in range(3))
        for place in range(rules.holes)
    )
    scores = (int(state.south), int(state.north))
    return Position(cast(Board, board), scores, int(state.turn), int(state.ply))


# -- compiled ------------------------------------------------------------------------------------------------------

# Words are unsigned in calculations. Without the compiler they are unbounded Python integers, truncated here.
if COMPILER_OFF:
    unsigned_constant: Any = int

    def unsigned(word: Any) -> Any:
        return int(word) & MASK

    def signed(word: Any) -> Any:
        return _signed(int(word) & MASK)

else:
    unsigned_constant = np.uint64

    @jit
    def unsigned(word: Any) -> Any:
        return np.uint64(word)

    @jit
    def signed(word: Any) -> Any:
        return np.int64(word)


_ONES = unsigned_constant(0x0101010101010101)
_LOW_SEVEN = unsigned_constant(0x7F7F7F7F7F7F7F7F)
_TOPS = unsigned_constant(0x8080808080808080)
_PAIRS = unsigned_constant(0x00FF00FF00FF00FF)
_QUADS = unsigned_constant(0x0000FFFF0000FFFF)
_HALF = unsigned_constant(0x00000000FFFFFFFF)
_BYTE = unsigned_constant(0xFF)
_ALL = unsigned_constant(MASK)
_0, _1, _2, _3, _4, _7, _8, _16, _56 = (unsigned_constant(n) for n in (0, 1, 2, 3, 4, 7, 8, 16, 56))


@jit
def seeds_in(word: Any) -> int:
    """Return the sum of the bytes of an unsigned word."""
    return signed(unsigned(word * _ONES) >> _56)


@jit
def nonzero(word: Any) -> Any:
    """Return the lowest bit of each byte that is not 0."""
    return ((((word & _LOW_SEVEN) + _LOW_SEVEN) | word) & _TOPS) >> _7


@jit(forceinline=True)
def clip_bytes(word: int, bits: int, above: Any, kept: int) -> int:
    """Return each byte, but the largest of so many bits where it is more. `above`: in every byte the bits beyond them;
    `kept`: the others."""
    more = signed(nonzero(unsigned(word) & above))
    return (word | (more << bits) - more) & kept


@jit
def legal(k: TriRules, state: TriState) -> int:
    """Return bit 4*i+c where the mover may play colour c (R, B, TR, TB) of their i-th hole."""
    if state.turn == 0:
        red, blue, clear = unsigned(state.red0), unsigned(state.blue0), unsigned(state.clear0)
    else:
        red, blue, clear = unsigned(state.red1), unsigned(state.blue1), unsigned(state.clear1)
    free = nonzero(clear)
    moves = nonzero(red) | (nonzero(blue) << _1) | (free << _2) | (free << _3)
    # Four bits in each byte: pack the bytes.
    moves = (moves | (moves >> _4)) & _PAIRS
    moves = (moves | (moves >> _8)) & _QUADS
    return signed((moves | (moves >> _16)) & _HALF)


@jit
def _sown(at: int, seeds: int) -> tuple[Any, Any, int]:
    """Return what so many seeds add to both words, from the row of no seeds on, and the hole of the last one."""
    add0, add1 = _0, _0
    lap = int(SOWINGS[at + 3])
    while seeds > lap:
        seeds -= lap
        add0 += unsigned(SOWINGS[(at + ROW * lap) & _INDEX])
        add1 += unsigned(SOWINGS[(at + ROW * lap + 1) & _INDEX])
    row = (at + ROW * seeds) & _INDEX
    return add0 + unsigned(SOWINGS[row]), add1 + unsigned(SOWINGS[row + 1]), int(SOWINGS[row + 2])


@jit
def play(k: TriRules, state: TriState, move: int) -> TriState:
    """Play a legal move; the turn passes to the opponent, or stays if they are starved and pass."""
    mover = state.turn
    like = move & 1
    place = move >> 2
    at = (k.table + ((2 * place + mover) * 2 + like) * ROWS * ROW) & _INDEX
    shift = unsigned_constant(8 * place)
    red0, blue0, clear0 = unsigned(state.red0), unsigned(state.blue0), unsigned(state.clear0)
    red1, blue1, clear1 = unsigned(state.red1), unsigned(state.blue1), unsigned(state.clear1)

    if mover == 0:
        own = red0 if like == RED_LIKE else blue0
        free = clear0
    else:
        own = red1 if like == RED_LIKE else blue1
        free = clear1
    lifted = own & (_BYTE << shift)
    seeds = signed(lifted >> shift)
    if move & 2:
        freed = free & (_BYTE << shift)
        first = signed(freed >> shift)
        add0, add1, last = _sown(at, first)
        all0, all1, last = _sown(at, first + seeds)
        clear0 += add0
        clear1 += add1
        if mover == 0:
            clear0 -= freed
        else:
            clear1 -= freed
        add0, add1 = all0 - add0, all1 - add1
    else:
        add0, add1, last = _sown(at, seeds)
    if mover == 0:
        add0 -= lifted
    else:
        add1 -= lifted
    if like == RED_LIKE:
        red0, red1 = unsigned(red0 + add0), unsigned(red1 + add1)
    else:
        blue0, blue1 = unsigned(blue0 + add0), unsigned(blue1 + add1)

    # The chain, from the last hole backwards. An emptied hole stops it, so it cannot go round twice.
    all0 = red0 + blue0 + clear0
    all1 = red1 + blue1 + clear1
    keep0, keep1 = _ALL, _ALL
    taken = 0
    while True:
        shift = unsigned_constant(8 * (last >> 1))
        count = signed(((all1 if last & 1 else all0) >> shift) & _BYTE)
        if count > MOST_TAKEN or (k.takes >> count) & 1 == 0:
            break
        taken += count
        hole = _BYTE << shift
        if last & 1:
            keep1 &= ~hole
            all1 &= ~hole
        else:
            keep0 &= ~hole
            all0 &= ~hole
        last = last - 1 if last > 0 else k.holes - 1

    turn = 1 - mover
    if k.passes and (all1 if turn else all0) == _0 and (all0 | all1) != _0:
        turn = mover
    return TriState(
        signed(red0 & keep0),
        signed(blue0 & keep0),
        signed(clear0 & keep0),
        signed(red1 & keep1),
        signed(blue1 & keep1),
        signed(clear1 & keep1),
        turn,
        state.south + (1 - mover) * taken,
        state.north + mover * taken,
        state.ply + 1,
    )


@jit
def side(state: TriState, player: int) -> int:
    """Return the seeds in a player's holes."""
    if player == 0:
        return seeds_in(unsigned(state.red0) + unsigned(state.blue0) + unsigned(state.clear0))
    return seeds_in(unsigned(state.red1) + unsigned(state.blue1) + unsigned(state.clear1))


@jit
def stopped(k: TriRules, state: TriState, last: int) -> int:
    """Return the ending that does not depend on the legal moves, or 0."""
    return stop_code(k.endings, state.south, state.north, state.ply, side(state, 0) + side(state, 1))


@jit
def final(k: TriRules, state: TriState, code: int, last: int) -> tuple[int, int]:
    """Return South's and North's seeds once the game is over."""
    return share(k.endings, state, code, last, side(state, state.turn), side(state, 1 - state.turn))
