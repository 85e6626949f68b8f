"""The three-colour game in machine words: a byte a hole and colour, a word a player and colour.

Splitting the ring by owner rather than by place keeps the questions asked most often down to one word each: what can
the mover play, is he starved, where do blue seeds go. Hole `h` of the ring is byte `h // 2` of player `h % 2`'s words.
No byte can overflow: a game holds at most 240 seeds.

Sowing adds table rows instead of dropping seeds one by one. `n` seeds sown from a hole add a fixed word to each player;
transparent seeds go first, so the colour that follows adds what all of them together would, less what the transparent
ones did.

Words are kept as signed 64-bit integers: a state that went through Python comes back with the very types it had, and a
compiled function is compiled once.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from awale.errors import RulesError
from awale.kernels import ENDINGS
from awale.kernels.jit import COMPILER_OFF, jit
from awale.rules.description import MAX_SEEDS, Rules
from awale.rules.reference import Board, Hole, Position

WIN, MOVES, FEW, NO_MOVE = (ENDINGS.index(name) for name in ("win", "moves", "few", "no-move"))
_NOBODY, _OWN_SIDE, _TO_MOVE, _LAST_MOVER = range(4)
_RESTS = {"nobody": _NOBODY, "own-side": _OWN_SIDE, "to-move": _TO_MOVE, "last-mover": _LAST_MOVER}
MAJORITY = -1
_NEVER = 1 << 40

MASK = (1 << 64) - 1


class TriRules(NamedTuple):
    """What the kernel needs of a `Rules`."""

    sow: npt.NDArray[np.int64]
    """[red-like 0 or blue-like 1, hole, seeds]: the words added to player 0 and to player 1, the last hole, 0."""
    holes: int
    takes: int
    """Bit n: a hole of n seeds is taken."""
    passes: int
    """1 if a starved player passes."""
    win: int
    """Captured seeds that end the game, or MAJORITY."""
    limit: int
    few: int
    order: int
    """The codes of win, moves and few, four bits each, the first to be looked at lowest."""
    rests: int
    """Who takes the rest, four bits for each code of `ENDINGS`."""


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


def _sowing_table(rules: Rules) -> npt.NDArray[np.int64]:
    table = np.zeros((2, rules.holes, MAX_SEEDS + 1, 4), np.int64)
    for like in range(2):
        for origin in range(rules.holes):
            words = [0, 0]
            here = origin
            table[like, origin, 0, 2] = origin
            for seeds in range(1, MAX_SEEDS + 1):
                here = (here + 1) % rules.holes
                while here == origin or (like and (here - origin) % 2 == 0):
                    here = (here + 1) % rules.holes
                words[here % 2] += 1 << here // 2 * 8
                table[like, origin, seeds] = _signed(words[0] & MASK), _signed(words[1] & MASK), here, 0
    return table


def pack_rules(rules: Rules) -> TriRules:
    if rules.family != "tricolor":
        raise RulesError(f"the three-colour kernel cannot play {rules.name}: its family is {rules.family}")
    codes = {"win": WIN, "moves": MOVES, "few": FEW}
    rests = {WIN: rules.win_rest, MOVES: rules.move_limit_rest, FEW: rules.few_rest, NO_MOVE: rules.no_move}
    win = _NEVER if rules.win_at is None else MAJORITY if rules.win_at == "majority" else rules.win_at
    return TriRules(
        sow=_sowing_table(rules),
        holes=rules.holes,
        takes=sum(1 << count for count in rules.capture_counts),
        passes=int(rules.starved == "passes"),
        win=win,
        limit=_NEVER if rules.move_limit is None else rules.move_limit,
        few=-1 if rules.few_seeds is None else rules.few_seeds,
        order=sum(codes[name] << 4 * place for place, name in enumerate(rules.endings)),
        rests=sum(_RESTS[rest] << 4 * code for code, rest in rests.items()),
    )


def pack(rules: Rules, position: Position) -> TriState:
    """The position as it stands; a `Game` has let a starved player pass already."""
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

# Words are unsigned while they are worked on. Without the compiler they are Python's own integers, which know no size,
# so whatever could grow past 64 bits is cut here.
if COMPILER_OFF:
    _u64: Any = int

    def unsigned(word: Any) -> Any:
        return int(word) & MASK

    def signed(word: Any) -> Any:
        return _signed(int(word) & MASK)

else:
    _u64 = np.uint64

    @jit
    def unsigned(word: Any) -> Any:
        return np.uint64(word)

    @jit
    def signed(word: Any) -> Any:
        return np.int64(word)


_ONES = _u64(0x0101010101010101)
_LOW = _u64(0x7F7F7F7F7F7F7F7F)
_HIGH = _u64(0x8080808080808080)
_PAIRS = _u64(0x00FF00FF00FF00FF)
_QUADS = _u64(0x0000FFFF0000FFFF)
_HALF = _u64(0x00000000FFFFFFFF)
_BYTE = _u64(0xFF)
_ALL = _u64(MASK)
_1, _2, _3, _4, _7, _8, _16, _32 = (_u64(n) for n in (1, 2, 3, 4, 7, 8, 16, 32))


@jit
def byte_sum(word: Any) -> Any:
    """The sum of a word's bytes."""
    pairs = (word & _PAIRS) + ((word >> _8) & _PAIRS)
    quads = (pairs & _QUADS) + ((pairs >> _16) & _QUADS)
    return signed((quads + (quads >> _32)) & _HALF)


@jit
def _nonzero(word: Any) -> Any:
    """The lowest bit of each byte: whether the byte holds anything."""
    return ((((word & _LOW) + _LOW) | word) & _HIGH) >> _7


@jit
def legal(k: TriRules, state: TriState) -> Any:
    """Bit 4*i+c: the mover may play colour c (R, B, TR, TB) of his i-th hole."""
    if state.turn == 0:
        red, blue, clear = unsigned(state.red0), unsigned(state.blue0), unsigned(state.clear0)
    else:
        red, blue, clear = unsigned(state.red1), unsigned(state.blue1), unsigned(state.clear1)
    free = _nonzero(clear)
    moves = _nonzero(red) | (_nonzero(blue) << _1) | (free << _2) | (free << _3)
    # Four bits in each byte; push the bytes together.
    moves = (moves | (moves >> _4)) & _PAIRS
    moves = (moves | (moves >> _8)) & _QUADS
    return (moves | (moves >> _16)) & _HALF


@jit
def play(k: TriRules, state: TriState, move: Any) -> TriState:
    """One legal move. A starved opponent passes where the rules say so; endings are not looked at."""
    mover = state.turn
    number = signed(move)
    place = number >> 2
    like = number & 1
    hole = 2 * place + mover
    shift = _u64(8 * place)
    red0, blue0, clear0 = unsigned(state.red0), unsigned(state.blue0), unsigned(state.clear0)
    red1, blue1, clear1 = unsigned(state.red1), unsigned(state.blue1), unsigned(state.clear1)

    if mover == 0:
        mine, free = (red0 if like == 0 else blue0), clear0
    else:
        mine, free = (red1 if like == 0 else blue1), clear1
    lifted = mine & (_BYTE << shift)
    seeds = signed(lifted >> shift)
    first = 0
    if number & 2:
        freed = free & (_BYTE << shift)
        first = signed(freed >> shift)
        add0, add1 = unsigned(k.sow[like, hole, first, 0]), unsigned(k.sow[like, hole, first, 1])
        clear0 += add0
        clear1 += add1
        if mover == 0:
            clear0 -= freed
        else:
            clear1 -= freed
    else:
        add0, add1 = unsigned(0), unsigned(0)
    add0 = unsigned(k.sow[like, hole, first + seeds, 0]) - add0
    add1 = unsigned(k.sow[like, hole, first + seeds, 1]) - add1
    if mover == 0:
        add0 -= lifted
    else:
        add1 -= lifted
    if like == 0:
        red0 = unsigned(red0 + add0)
        red1 = unsigned(red1 + add1)
    else:
        blue0 = unsigned(blue0 + add0)
        blue1 = unsigned(blue1 + add1)

    # The chain, from the last hole backwards. Emptied holes stop it, so it cannot go round twice.
    all0 = red0 + blue0 + clear0
    all1 = red1 + blue1 + clear1
    taken = 0
    keep0, keep1 = _ALL, _ALL
    last = int(k.sow[like, hole, first + seeds, 2])
    while True:
        shift = _u64(8 * (last >> 1))
        count = signed(((all0 if last & 1 == 0 else all1) >> shift) & _BYTE)
        if count > 63 or (k.takes >> count) & 1 == 0:
            break
        taken += count
        hit = _BYTE << shift
        if last & 1 == 0:
            keep0 &= ~hit
            all0 &= ~hit
        else:
            keep1 &= ~hit
            all1 &= ~hit
        last = last - 1 if last > 0 else k.holes - 1
    turn = 1 - mover
    if k.passes and (all0 if turn == 0 else all1) == 0 and (all0 | all1) != 0:
        turn = mover
    return TriState(
        signed(red0 & keep0),
        signed(blue0 & keep0),
        signed(clear0 & keep0),
        signed(red1 & keep1),
        signed(blue1 & keep1),
        signed(clear1 & keep1),
        turn,
        state.south + (taken if mover == 0 else 0),
        state.north + (taken if mover == 1 else 0),
        state.ply + 1,
    )


@jit
def side(state: TriState, player: int) -> Any:
    """The seeds lying in a player's holes."""
    if player == 0:
        return byte_sum(unsigned(state.red0) + unsigned(state.blue0) + unsigned(state.clear0))
    return byte_sum(unsigned(state.red1) + unsigned(state.blue1) + unsigned(state.clear1))


@jit
def ending(k: TriRules, state: TriState, last: int) -> int:
    """0 while the game goes on, else the code of what ended it."""
    seeds = side(state, 0) + side(state, 1)
    captured = max(state.south, state.north)
    if k.win == MAJORITY:
        won = 2 * captured > seeds + state.south + state.north
    else:
        won = captured >= k.win
    late = state.ply >= k.limit
    few = seeds <= k.few
    if won or late or few:
        order = k.order
        while order:
            code = order & 15
            if (code == WIN and won) or (code == MOVES and late) or (code == FEW and few):
                return code
            order >>= 4
    if state.turn == 0:
        if state.red0 | state.blue0 | state.clear0 == 0:
            return NO_MOVE
    elif state.red1 | state.blue1 | state.clear1 == 0:
        return NO_MOVE
    return 0


@jit
def final(k: TriRules, state: TriState, code: int, last: int) -> tuple[int, int]:
    """The scores once the game is over by `code`."""
    south, north = state.south, state.north
    rest = (k.rests >> (4 * code)) & 15
    if rest == _OWN_SIDE:
        south += side(state, 0)
        north += side(state, 1)
    elif rest != _NOBODY:
        swept = side(state, 0) + side(state, 1)
        if (last if rest == _LAST_MOVER else state.turn) == 0:
            south += swept
        else:
            north += swept
    return south, north
