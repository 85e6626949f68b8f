"""Relay sowing on boards of up to 2x12: the same functions as `relay`, over four words of six pits each.

The pits lie in the words round the ring (pit 0 to 5 in the first), whatever the number of pits a side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.kernels.jit import jit
from awale.kernels.relay import ENDLESS, NO_MOVE, SPAN, counted_ending, options_of, seeds_in, sowing_table, swept
from awale.rules.description import MAX_SEEDS, Rules
from awale.rules.reference import Position

IN_WORD = 6
WORDS = 4
FIELDS = 9
"""Numbers in a row of `expand`."""


class RelayWideRules(NamedTuple):
    """As RelayRules; `word` says in which of the four words a pit lies."""

    pits: int
    endless_ends: int
    passes: int
    win_at: int
    few_seeds: int
    move_limit: int
    order: NDArray[np.int64]
    rests: NDArray[np.int64]
    delta: NDArray[np.int64]
    follow: NDArray[np.int64]
    shift: NDArray[np.int64]
    word: NDArray[np.int64]
    masks: NDArray[np.int64]
    """South's bytes in each word."""


class RelayWideState(NamedTuple):
    """A position: a byte a pit, six pits a word."""

    board0: int
    board1: int
    board2: int
    board3: int
    turn: int
    south: int
    north: int
    ply: int
    endless: int = 0
    """1 once an endless sowing was played: the game is over."""


def pack_rules(rules: Rules) -> RelayWideRules:
    """The rules as the kernel needs them."""
    holes = rules.holes
    place = [(pit // IN_WORD, 8 * (pit % IN_WORD)) for pit in range(holes)]
    masks = np.zeros(WORDS, dtype=np.int64)
    for pit in range(rules.pits):
        word, shift = place[pit]
        masks[word] |= 255 << shift
    return RelayWideRules(
        rules.pits,
        *options_of(rules),
        sowing_table(holes, WORDS, place),
        (np.arange(holes + MAX_SEEDS) % holes).astype(np.int64),
        np.array([shift for _, shift in place], dtype=np.int64),
        np.array([word for word, _ in place], dtype=np.int64),
        masks,
    )


def pack(rules: Rules, position: Position) -> RelayWideState:
    """A position that `reference.settle` has seen, as a `Game` holds it."""
    words = [0] * WORDS
    for pit, seeds in enumerate(position.board):
        assert isinstance(seeds, int)
        words[pit // IN_WORD] |= seeds << 8 * (pit % IN_WORD)
    return RelayWideState(words[0], words[1], words[2], words[3], position.turn, *position.scores, position.ply, 0)


def unpack(rules: Rules, state: RelayWideState) -> Position:
    """The position that a state holds."""
    board = tuple((int(state[pit // IN_WORD]) >> 8 * (pit % IN_WORD)) & 255 for pit in range(rules.holes))
    return Position(board, (int(state.south), int(state.north)), int(state.turn), int(state.ply))


# -- sowing --------------------------------------------------------------------------------------------------------


@jit
def seeds_at(k: RelayWideRules, w0: int, w1: int, w2: int, w3: int, pit: int) -> int:
    """The seeds in a pit."""
    place = k.word[pit]
    word = (w0 if place == 0 else w1) if place < 2 else (w2 if place == 2 else w3)
    return (word >> k.shift[pit]) & 255


@jit
def sow(k: RelayWideRules, w0: int, w1: int, w2: int, w3: int, pit: int) -> tuple[int, int, int, int, int, int, bool]:
    """Sow from a pit that holds seeds, to the end: the words, the pit of the last seed, the laps, whether endless."""
    f0, f1, f2, f3, first_pit = w0, w1, w2, w3, pit
    laps = 0
    seeds = seeds_at(k, w0, w1, w2, w3, pit)
    while True:
        row = pit * SPAN + seeds
        w0 += k.delta[row, 0]
        w1 += k.delta[row, 1]
        w2 += k.delta[row, 2]
        w3 += k.delta[row, 3]
        pit = k.follow[pit + seeds]
        laps += 1
        seeds = seeds_at(k, w0, w1, w2, w3, pit)
        if seeds == 1:
            return w0, w1, w2, w3, pit, laps, False
        if pit == first_pit and w0 == f0 and w1 == f1 and w2 == f2 and w3 == f3:
            return w0, w1, w2, w3, pit, laps, True


@jit
def side_south(k: RelayWideRules, w0: int, w1: int, w2: int, w3: int) -> int:
    """The seeds in South's pits."""
    south = seeds_in(w0 & k.masks[0]) + seeds_in(w1 & k.masks[1])
    return south + seeds_in(w2 & k.masks[2]) + seeds_in(w3 & k.masks[3])


@jit
def all_seeds(w0: int, w1: int, w2: int, w3: int) -> int:
    """The seeds on the board."""
    return seeds_in(w0) + seeds_in(w1) + seeds_in(w2) + seeds_in(w3)


@jit
def move_on(k: RelayWideRules, state: RelayWideState, pit: int) -> RelayWideState:
    """Sow a pit that holds seeds, capture, hand the turn over. An endless sowing only sets the flag."""
    w0, w1, w2, w3, last, _, endless = sow(k, state.board0, state.board1, state.board2, state.board3, pit)
    if endless:
        return RelayWideState(
            state.board0,
            state.board1,
            state.board2,
            state.board3,
            state.turn,
            state.south,
            state.north,
            state.ply + 1,
            1,
        )
    won_south, won_north = state.south, state.north
    if (last >= k.pits) == (state.turn == 1):
        facing = 2 * k.pits - 1 - last
        taken = seeds_at(k, w0, w1, w2, w3, facing)
        place, gone = k.word[facing], taken << k.shift[facing]
        if place == 0:
            w0 -= gone
        elif place == 1:
            w1 -= gone
        elif place == 2:
            w2 -= gone
        else:
            w3 -= gone
        if state.turn == 0:
            won_south += taken
        else:
            won_north += taken
    turn = 1 - state.turn
    if k.passes == 1:
        ours = side_south(k, w0, w1, w2, w3)
        theirs = all_seeds(w0, w1, w2, w3) - ours
        if turn == 0:
            if ours == 0 and theirs != 0:
                turn = 1
        elif theirs == 0 and ours != 0:
            turn = 0
    return RelayWideState(w0, w1, w2, w3, turn, won_south, won_north, state.ply + 1, 0)


@jit
def allowed(k: RelayWideRules, state: RelayWideState, pit: int) -> bool:
    """Whether a pit of the mover's may be played."""
    if seeds_at(k, state.board0, state.board1, state.board2, state.board3, pit) == 0:
        return False
    return k.endless_ends == 1 or not sow(k, state.board0, state.board1, state.board2, state.board3, pit)[6]


# -- the functions of every family ---------------------------------------------------------------------------------


@jit
def legal(k: RelayWideRules, state: RelayWideState) -> np.uint64:
    """A bit for each legal move."""
    mask = np.uint64(0)
    if state.endless == 1:
        return mask
    for move in range(k.pits):
        if allowed(k, state, state.turn * k.pits + move):
            mask |= np.uint64(1) << np.uint64(move)
    return mask


@jit
def play(k: RelayWideRules, state: RelayWideState, move: int) -> RelayWideState:
    """One legal move."""
    return move_on(k, state, state.turn * k.pits + move)


@jit
def expand(k: RelayWideRules, state: RelayWideState, rows: NDArray[np.int64]) -> np.uint64:
    """The legal moves, and in `rows` (at least `pits` by FIELDS) what each leads to: see `child`."""
    mask = np.uint64(0)
    if state.endless == 1:
        return mask
    for move in range(k.pits):
        pit = state.turn * k.pits + move
        if seeds_at(k, state.board0, state.board1, state.board2, state.board3, pit):
            after = move_on(k, state, pit)
            if k.endless_ends == 1 or after.endless == 0:
                mask |= np.uint64(1) << np.uint64(move)
                rows[move, 0] = after.board0
                rows[move, 1] = after.board1
                rows[move, 2] = after.board2
                rows[move, 3] = after.board3
                rows[move, 4] = after.turn
                rows[move, 5] = after.south
                rows[move, 6] = after.north
                rows[move, 7] = after.ply
                rows[move, 8] = after.endless
    return mask


@jit
def child(rows: NDArray[np.int64], move: int) -> RelayWideState:
    """The state after a legal move, from the rows that `expand` filled."""
    return RelayWideState(
        rows[move, 0],
        rows[move, 1],
        rows[move, 2],
        rows[move, 3],
        rows[move, 4],
        rows[move, 5],
        rows[move, 6],
        rows[move, 7],
        rows[move, 8],
    )


@jit
def ending(k: RelayWideRules, state: RelayWideState, last: int) -> int:
    """0 while the game goes on, else the code of how it ended."""
    if state.endless == 1:
        return ENDLESS
    seeds = all_seeds(state.board0, state.board1, state.board2, state.board3)
    code = counted_ending(k, seeds, state.south, state.north, state.ply)
    if code != 0:
        return code
    for move in range(k.pits):
        if allowed(k, state, state.turn * k.pits + move):
            return 0
    return NO_MOVE


@jit
def final(k: RelayWideRules, state: RelayWideState, code: int, last: int) -> tuple[int, int]:
    """South's and North's seeds once the game is over."""
    ours = side_south(k, state.board0, state.board1, state.board2, state.board3)
    theirs = all_seeds(state.board0, state.board1, state.board2, state.board3) - ours
    return swept(k, code, ours, theirs, state.turn, state.south, state.north, last)
