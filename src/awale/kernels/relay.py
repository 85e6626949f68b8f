"""Relay sowing (`ghana` and its kin) on boards of up to 2x6, in two machine words: a byte a pit.

A lap is two additions: a table says what lifting `seeds` from a pit and sowing them changes in each word (six bytes of
a word are used, so a change may be negative and nothing ever overflows). A lap can be undone in one way only, so a
sowing either stops or comes back to the very board and pit it started from; comparing with the start after each lap
is therefore an exact test for endless sowings, whatever their period.

Which moves are legal is known only after sowing them all. A search calls `expand`, which sows every pit once and keeps
the states, in place of `legal` and then `play`. Periods can be long (tens of thousands of laps are not rare among the
endless ones): a search that meets the same position again keeps `expand`'s answer in its own table.

Wider boards are played by `relay_wide`, with the same functions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.errors import RulesError
from awale.kernels import ENDINGS
from awale.kernels.jit import jit
from awale.rules.description import MAX_SEEDS, Rules
from awale.rules.reference import Position

MAX_PITS = 6
FIELDS = 7
"""Numbers in a row of `expand`."""
SPAN = MAX_SEEDS + 1
BYTE_PAIRS = 0x00FF00FF00FF

WIN, MOVES, FEW, NO_MOVE, ENDLESS = (ENDINGS.index(name) for name in ("win", "moves", "few", "no-move", "endless"))
RESTS = ("nobody", "own-side", "to-move", "last-mover")
NOBODY, OWN_SIDE, TO_MOVE, LAST_MOVER = range(4)
MAJORITY = -1
NEVER = -2


class RelayRules(NamedTuple):
    """The options of a relay game, and the tables of its sowing."""

    pits: int
    endless_ends: int
    """1: an endless sowing may be played and ends the game; 0: it is illegal."""
    passes: int
    """1: a player without seeds passes; 0: he has no legal move."""
    win_at: int
    """Captured seeds that end the game, or MAJORITY, or NEVER."""
    few_seeds: int
    """So many seeds on the board, or fewer, end the game; or NEVER."""
    move_limit: int
    """So many moves end the game; or NEVER."""
    order: NDArray[np.int64]
    """The codes of these three endings, in the order they are looked at."""
    rests: NDArray[np.int64]
    """Who takes what is left, by the code of the ending (an index into RESTS)."""
    delta: NDArray[np.int64]
    """What sowing adds to South's and to North's word, by `pit * SPAN + seeds`."""
    follow: NDArray[np.int64]
    """The pit of the last seed, by `pit + seeds`."""
    shift: NDArray[np.int64]
    """Where a pit's byte begins in its owner's word."""


class RelayState(NamedTuple):
    """A position. `board_south` and `board_north` hold a byte a pit, each player's leftmost pit lowest."""

    board_south: int
    board_north: int
    turn: int
    south: int
    north: int
    ply: int
    endless: int = 0
    """1 once an endless sowing was played: the game is over."""


def options_of(rules: Rules) -> tuple[int, int, int, int, int, NDArray[np.int64], NDArray[np.int64]]:
    """What both widths of board read off the rules: the fields from `endless_ends` to `rests`."""
    if rules.family != "relay":
        raise RulesError(f"{rules.name} is not a relay game: the {rules.family} kernel plays it")
    win_at = MAJORITY if rules.win_at == "majority" else NEVER if rules.win_at is None else rules.win_at
    rests = np.zeros(len(ENDINGS), dtype=np.int64)
    rests[WIN] = RESTS.index(rules.win_rest)
    rests[MOVES] = RESTS.index(rules.move_limit_rest)
    rests[FEW] = RESTS.index(rules.few_rest)
    rests[NO_MOVE] = RESTS.index(rules.no_move)
    return (
        int(rules.endless == "ends"),
        int(rules.starved == "passes"),
        win_at,
        NEVER if rules.few_seeds is None else rules.few_seeds,
        NEVER if rules.move_limit is None else rules.move_limit,
        np.array([ENDINGS.index(name) for name in rules.endings], dtype=np.int64),
        rests,
    )


def sowing_table(holes: int, words: int, place: list[tuple[int, int]]) -> NDArray[np.int64]:
    """What sowing changes in each word, by `pit * SPAN + seeds`; `place` gives each pit's word and shift."""
    delta = np.zeros((holes * SPAN, words), dtype=np.int64)
    for pit in range(holes):
        for seeds in range(SPAN):
            row = delta[pit * SPAN + seeds]
            around, rest = divmod(seeds, holes)
            for hole in range(holes):
                word, shift = place[hole]
                gain = around + ((hole - pit - 1) % holes < rest) - (seeds if hole == pit else 0)
                row[word] += gain * (1 << shift)
    return delta


def pack_rules(rules: Rules) -> RelayRules:
    """The rules as the kernel needs them."""
    if rules.pits > MAX_PITS:
        raise RulesError(f"{rules.pits} pits a side: the kernel of two words plays at most {MAX_PITS}")
    k = rules.pits
    place = [(pit // k, 8 * (pit % k)) for pit in range(2 * k)]
    return RelayRules(
        k,
        *options_of(rules),
        sowing_table(2 * k, 2, place),
        (np.arange(2 * k + MAX_SEEDS) % (2 * k)).astype(np.int64),
        np.array([shift for _, shift in place], dtype=np.int64),
    )


def pack(rules: Rules, position: Position) -> RelayState:
    """A position that `reference.settle` has seen, as a `Game` holds it."""
    words = [0, 0]
    for pit, seeds in enumerate(position.board):
        assert isinstance(seeds, int)
        words[pit // rules.pits] |= seeds << 8 * (pit % rules.pits)
    return RelayState(words[0], words[1], position.turn, *position.scores, position.ply, 0)


def unpack(rules: Rules, state: RelayState) -> Position:
    """The position that a state holds."""
    board = tuple(
        (int(word) >> 8 * pit) & 255 for word in (state.board_south, state.board_north) for pit in range(rules.pits)
    )
    return Position(board, (int(state.south), int(state.north)), int(state.turn), int(state.ply))


# -- sowing --------------------------------------------------------------------------------------------------------


@jit
def seeds_in(word: int) -> int:
    """The sum of six bytes that together hold at most 255."""
    pairs = (word & BYTE_PAIRS) + ((word >> 8) & BYTE_PAIRS)
    return (pairs & 0xFFFF) + ((pairs >> 16) & 0xFFFF) + (pairs >> 32)


@jit
def sow(k: RelayRules, south: int, north: int, pit: int) -> tuple[int, int, int, int, bool]:
    """Sow from a pit that holds seeds, to the end.

    Returns both words, the pit of the last seed, the laps, and whether it is endless (then the words are those of the
    start and the laps are the period).
    """
    first_south, first_north, first_pit = south, north, pit
    laps = 0
    word = south if pit < k.pits else north
    seeds = (word >> k.shift[pit]) & 255
    while True:
        row = pit * SPAN + seeds
        south += k.delta[row, 0]
        north += k.delta[row, 1]
        pit = k.follow[pit + seeds]
        laps += 1
        word = south if pit < k.pits else north
        seeds = (word >> k.shift[pit]) & 255
        if seeds == 1:
            return south, north, pit, laps, False
        if south == first_south and north == first_north and pit == first_pit:
            return south, north, pit, laps, True


@jit
def move_on(k: RelayRules, state: RelayState, pit: int) -> RelayState:
    """Sow a pit that holds seeds, capture, hand the turn over. An endless sowing only sets the flag."""
    south, north, last, _, endless = sow(k, state.board_south, state.board_north, pit)
    if endless:
        return RelayState(state.board_south, state.board_north, state.turn, state.south, state.north, state.ply + 1, 1)
    won_south, won_north = state.south, state.north
    if state.turn == 0:
        if last < k.pits:
            shift = k.shift[2 * k.pits - 1 - last]
            taken = (north >> shift) & 255
            won_south += taken
            north -= taken << shift
    else:
        if last >= k.pits:
            shift = k.shift[2 * k.pits - 1 - last]
            taken = (south >> shift) & 255
            won_north += taken
            south -= taken << shift
    turn = 1 - state.turn
    if k.passes == 1:
        if turn == 0:
            if south == 0 and north != 0:
                turn = 1
        elif north == 0 and south != 0:
            turn = 0
    return RelayState(south, north, turn, won_south, won_north, state.ply + 1, 0)


# -- the functions of every family ---------------------------------------------------------------------------------


@jit
def legal(k: RelayRules, state: RelayState) -> np.uint64:
    """A bit for each legal move."""
    mask = np.uint64(0)
    if state.endless == 1:
        return mask
    own = state.board_south if state.turn == 0 else state.board_north
    first = state.turn * k.pits
    for move in range(k.pits):
        if (own >> (8 * move)) & 255:
            if k.endless_ends == 1 or not sow(k, state.board_south, state.board_north, first + move)[4]:
                mask |= np.uint64(1) << np.uint64(move)
    return mask


@jit
def play(k: RelayRules, state: RelayState, move: int) -> RelayState:
    """One legal move."""
    return move_on(k, state, state.turn * k.pits + move)


@jit
def expand(k: RelayRules, state: RelayState, rows: NDArray[np.int64]) -> np.uint64:
    """The legal moves, and in `rows` (at least `pits` by FIELDS) what each leads to: see `child`."""
    mask = np.uint64(0)
    if state.endless == 1:
        return mask
    own = state.board_south if state.turn == 0 else state.board_north
    first = state.turn * k.pits
    for move in range(k.pits):
        if (own >> (8 * move)) & 255:
            after = move_on(k, state, first + move)
            if k.endless_ends == 1 or after.endless == 0:
                mask |= np.uint64(1) << np.uint64(move)
                rows[move, 0] = after.board_south
                rows[move, 1] = after.board_north
                rows[move, 2] = after.turn
                rows[move, 3] = after.south
                rows[move, 4] = after.north
                rows[move, 5] = after.ply
                rows[move, 6] = after.endless
    return mask


@jit
def child(rows: NDArray[np.int64], move: int) -> RelayState:
    """The state after a legal move, from the rows that `expand` filled."""
    return RelayState(
        rows[move, 0], rows[move, 1], rows[move, 2], rows[move, 3], rows[move, 4], rows[move, 5], rows[move, 6]
    )


@jit
def can_move(k: RelayRules, state: RelayState) -> bool:
    """Whether the player to move has a legal move: stops at the first."""
    own = state.board_south if state.turn == 0 else state.board_north
    first = state.turn * k.pits
    for move in range(k.pits):
        if (own >> (8 * move)) & 255:
            if k.endless_ends == 1 or not sow(k, state.board_south, state.board_north, first + move)[4]:
                return True
    return False


@jit
def counted_ending(k: RelayRules, seeds: int, south: int, north: int, ply: int) -> int:
    """The endings that counting shows: enough captured, few seeds left, many moves played. 0 if there is none."""
    goal = k.win_at
    if goal == MAJORITY:
        goal = (seeds + south + north) // 2 + 1
    for code in k.order:
        if code == WIN:
            if goal != NEVER and max(south, north) >= goal:
                return WIN
        elif code == FEW:
            if seeds <= k.few_seeds:
                return FEW
        elif k.move_limit != NEVER and ply >= k.move_limit:
            return MOVES
    return 0


@jit
def swept(
    k: RelayRules, code: int, side_south: int, side_north: int, turn: int, south: int, north: int, last: int
) -> tuple[int, int]:
    """The final scores, once those who are due it have taken what is left."""
    rest = k.rests[code]
    if rest == NOBODY:
        return south, north
    if rest == OWN_SIDE:
        return south + side_south, north + side_north
    # Without a legal move the player who cannot play is the one to move, even after a pass (then `last` is he too).
    taker = last
    if code == NO_MOVE:
        taker = turn if rest == TO_MOVE else 1 - turn
    if taker == 0:
        return south + side_south + side_north, north
    return south, north + side_south + side_north


@jit
def ending(k: RelayRules, state: RelayState, last: int) -> int:
    """0 while the game goes on, else the code of how it ended."""
    if state.endless == 1:
        return ENDLESS
    seeds = seeds_in(state.board_south) + seeds_in(state.board_north)
    code = counted_ending(k, seeds, state.south, state.north, state.ply)
    if code == 0 and not can_move(k, state):
        return NO_MOVE
    return code


@jit
def final(k: RelayRules, state: RelayState, code: int, last: int) -> tuple[int, int]:
    """South's and North's seeds once the game is over."""
    return swept(
        k,
        code,
        seeds_in(state.board_south),
        seeds_in(state.board_north),
        state.turn,
        state.south,
        state.north,
        last,
    )
