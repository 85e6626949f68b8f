"""One-lap games on boards of up to six pits a side: two words, a byte per pit, and a table instead of a loop.

Everything is seen from the player to move: `mine` are their pits from their left, `theirs` the opponent's from the
opponent's left. The ring looks the same from both sides, so one table serves both: for each pit and the seeds in it,
what a sowing adds to the two words, and how far a chain of captures may reach.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.errors import RulesError
from awale.i18n import message
from awale.kernels.bits import BYTES, LOW_SEVEN, ONES, TOPS, bit_length, byte_sum, occupied
from awale.kernels.endings import EndingOptions, ending_options, stop_code
from awale.kernels.endings import final as final
from awale.kernels.jit import jit
from awale.kernels.sides import sides_of, word_of
from awale.kernels.sides import unpack as unpack
from awale.rules.description import MAX_SEEDS, Rules
from awale.rules.reference import Position

CHAIN_2_3, CHAIN, OPPOSITE = range(3)
NO_DUTY, DUTY, DUTY_IF_POSSIBLE = range(3)
MOST_TAKEN = 60
"""No rule takes a pit of more seeds (`Rules` refuses it), so the counts that are taken fit into one word."""

_TWOS = 2 * ONES
_ALL_BUT_LAST_BITS = 0xFE * ONES


class LapState(NamedTuple):
    """A position, from the mover's side."""

    mine: int
    theirs: int
    turn: int
    south: int
    north: int
    ply: int


class LapRules(NamedTuple):
    """The options of a `Rules` that the kernel needs."""

    pits: int
    capture: int
    spared: int
    """1 if a grand slam takes nothing."""
    slam: int
    """The mover's duty towards an opponent who has seeds: `NO_DUTY`, `DUTY` (leave them some) or `DUTY_IF_POSSIBLE`."""
    feeding: int
    """The duty towards an opponent who has none."""
    passes: int
    """1 if a starved player passes."""
    unslammable: int
    """If the opponent's word has one of these bits, one of their pits holds more than a chain can take."""
    endings: EndingOptions
    takes: int
    """Bit n is set if a chain takes a pit of n seeds."""
    table: int
    """The start of this size of board in `SOWINGS`."""


# -- in Python -----------------------------------------------------------------------------------------------------


def _sowings(pits: int, skip_origin: bool) -> list[tuple[int, int, int, int]]:
    """Return the rows of `SOWINGS` for one size of board: pit by pit, from no seed to the maximum."""
    rows: list[tuple[int, int, int, int]] = []
    for pit in range(pits):
        added = [0] * (2 * pits)
        last = pit
        rows.append((0, 0, 0, pit))
        for seeds in range(1, MAX_SEEDS + 1):
            last = (last + 1) % (2 * pits)
            if last == pit and skip_origin:
                last = (last + 1) % (2 * pits)
            added[last] += 1
            to_mine, to_theirs = word_of(added[:pits]) - (seeds << (8 * pit)), word_of(added[pits:])
            reach = (1 << (8 * (last - pits + 1))) - 1 if last >= pits else 0
            rows.append((to_mine, to_theirs, reach, last))
    return rows


ROW = 4
PIT_ROWS = (MAX_SEEDS + 1) * ROW
_BOARDS = [(pits, skip) for pits in range(1, BYTES + 1) for skip in (True, False)]
SOWINGS: NDArray[np.int64] = np.array([row for board in _BOARDS for row in _sowings(*board)], np.int64).reshape(-1)
"""Four numbers for each board, pit and seeds in it: what the sowing adds to `mine` and to `theirs`; the bytes of
`theirs` from the first to that of the last seed (0 if it falls on the own side); the pit of the last seed, counted
round from the mover's left."""
_INDEX = (1 << len(SOWINGS).bit_length()) - 1  # tells the compiler that an index is never negative


def _table_start(rules: Rules) -> int:
    before = _BOARDS[: _BOARDS.index((rules.pits, rules.origin == "skipped"))]
    return sum(pits * PIT_ROWS for pits, _ in before)


def duties(rules: Rules) -> tuple[int, int]:
    """Return the duties towards an opponent with seeds and one without."""
    slam = {"illegal": DUTY, "illegal-unless-forced": DUTY_IF_POSSIBLE}.get(rules.grand_slam, NO_DUTY)
    feeding = {"required": DUTY, "if-possible": DUTY_IF_POSSIBLE}.get(rules.feeding, NO_DUTY)
    return slam, feeding


def capture_kind(rules: Rules) -> int:
    if rules.capture == "opposite":
        return OPPOSITE
    return CHAIN_2_3 if set(rules.capture_counts) == {2, 3} else CHAIN


def pack_rules(rules: Rules) -> LapRules:
    if rules.family != "lap" or rules.pits > BYTES:
        raise RulesError(message("kernels.bad.rules", rules=rules.name))
    slam, feeding = duties(rules)
    chain = capture_kind(rules) != OPPOSITE
    too_many = 0xFF & ~((1 << max(rules.capture_counts).bit_length()) - 1)
    return LapRules(
        pits=rules.pits,
        capture=capture_kind(rules),
        spared=int(rules.grand_slam == "takes-nothing"),
        slam=slam,
        feeding=feeding,
        passes=int(rules.starved == "passes"),
        unslammable=too_many * ONES if chain else 0,
        endings=ending_options(rules),
        takes=sum(1 << count for count in rules.capture_counts),
        table=_table_start(rules),
    )


def pack(rules: Rules, position: Position) -> LapState:
    return LapState(*sides_of(rules, position), position.turn, *position.scores, position.ply)


# -- compiled ----------------------------------------------------------------------------------------------------------


@jit(forceinline=True)
def sow_and_take(table: int, spared: int, mine: int, theirs: int, pit: int) -> tuple[int, int, int]:
    """Sow, and take a chain of pits that hold 2 or 3: the hot path, almost without branches. Return both words, still
    from the same side, and the taken seeds as a word."""
    at = (table + pit * PIT_ROWS + ((mine >> (8 * pit)) & 255) * ROW) & _INDEX
    mine += int(SOWINGS[at])
    theirs += int(SOWINGS[at + 1])
    reach = int(SOWINGS[at + 2])
    # Bytewise: 0 where a pit holds 2 or 3; then the top bit of every other pit within reach.
    other = (theirs & _ALL_BUT_LAST_BITS) ^ _TWOS
    other = (((other & LOW_SEVEN) + LOW_SEVEN) | other) & TOPS & reach
    below = bit_length(other)
    taken = (theirs & reach) & (-1 << below)
    if taken == theirs and spared:
        taken = 0
    return mine, theirs - taken, taken


@jit
def sow_and_take_otherwise(k: LapRules, mine: int, theirs: int, pit: int) -> tuple[int, int, int]:
    """Sow and capture under every other capture rule."""
    at = (k.table + pit * PIT_ROWS + ((mine >> (8 * pit)) & 255) * ROW) & _INDEX
    mine += int(SOWINGS[at])
    theirs += int(SOWINGS[at + 1])
    last = int(SOWINGS[at + 3])
    taken = 0
    if k.capture == OPPOSITE:
        if last < k.pits and (mine >> (8 * last)) & 255 == 1:
            taken = theirs & (255 << (8 * (k.pits - 1 - last)))
    else:
        here = last - k.pits
        while here >= 0:
            seeds = (theirs >> (8 * here)) & 255
            if seeds > MOST_TAKEN or (k.takes >> seeds) & 1 == 0:
                break
            taken |= seeds << (8 * here)
            here -= 1
    if taken == theirs and k.spared:
        taken = 0
    return mine, theirs - taken, taken


@jit(forceinline=True)
def step(k: LapRules, mine: int, theirs: int, pit: int) -> tuple[int, int, int]:
    """Sow and capture. Return both words, still from the same side, and the taken seeds as a word."""
    if k.capture == CHAIN_2_3:
        return sow_and_take(k.table, k.spared, mine, theirs, pit)
    return sow_and_take_otherwise(k, mine, theirs, pit)


@jit(forceinline=True)
def legal(k: LapRules, state: LapState) -> int:
    """Return a bit for each legal move: the mover's pits from their left."""
    duty = k.feeding if state.theirs == 0 else k.slam
    if duty == NO_DUTY or state.theirs & k.unslammable:
        return occupied(state.mine)
    return _legal_under_duty(k, state.mine, state.theirs, duty)


@jit
def _legal_under_duty(k: LapRules, mine: int, theirs: int, duty: int) -> int:
    """Return the moves that leave the opponent a seed."""
    own = occupied(mine)
    leaving = 0
    for pit in range(k.pits):
        if (own >> pit) & 1:
            _, left, _ = step(k, mine, theirs, pit)
            if left != 0:
                leaving |= 1 << pit
    if leaving == 0 and duty == DUTY_IF_POSSIBLE:
        return own
    return leaving


@jit(forceinline=True)
def play(k: LapRules, state: LapState, move: int) -> LapState:
    """Play a legal move; the turn passes to the opponent, or stays if they are starved and pass."""
    mine, theirs, word = step(k, state.mine, state.theirs, move)
    taken = byte_sum(word)
    south = state.south + (1 - state.turn) * taken
    north = state.north + state.turn * taken
    if k.passes and theirs == 0 and mine != 0:
        return LapState(mine, theirs, state.turn, south, north, state.ply + 1)
    return LapState(theirs, mine, 1 - state.turn, south, north, state.ply + 1)


@jit(forceinline=True)
def stopped(k: LapRules, state: LapState, last: int) -> int:
    """Return the ending that does not depend on the legal moves, or 0."""
    return stop_code(k.endings, state.south, state.north, state.ply, byte_sum(state.mine + state.theirs))
