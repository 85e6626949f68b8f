"""Relay sowing (`ghana` and related rules) on boards of up to six pits a side: two words, a byte per pit, two additions
per lap.

Everything is seen from the player to move, as in `lap`; pits are numbered round the ring from the mover's left. A table
says what lifting the seeds of a pit and sowing them adds to the two words.

Laps are invertible, so a sowing either stops or returns to the board and pit that it started from: comparing with the
start after each lap is an exact test for endless sowings, whatever their period. It is enough that the board returns
rotated, which is detected up to twelve times sooner.

Legal moves are known only after sowing them all. A search calls `awale.search.states.expand`, which sows every pit once
and stores the results, instead of `legal` and then `play`. Endless sowings are rare but can be long (tens of thousands
of laps): a search should store them in its transposition table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.errors import RulesError
from awale.i18n import message
from awale.kernels import ENDLESS
from awale.kernels.bits import BYTES, byte_sum, gcd
from awale.kernels.endings import EndingOptions, ending_options, stop_code
from awale.kernels.endings import final as final
from awale.kernels.jit import jit
from awale.kernels.sides import sides_of, word_of
from awale.kernels.sides import unpack as unpack
from awale.rules.description import MAX_SEEDS, Rules
from awale.rules.reference import Position


class RelayState(NamedTuple):
    """A position, from the mover's side."""

    mine: int
    theirs: int
    turn: int
    south: int
    north: int
    ply: int
    endless: int = 0
    """1 once an endless sowing was played: the game is over."""


class RelayRules(NamedTuple):
    """The options of a `Rules` that the kernel needs."""

    pits: int
    relayed: int
    """The pits that are lifted again, counted from the mover's first: all, or only the mover's own."""
    endless_ends: int
    """1 if an endless sowing may be played and ends the game; 0 if it is illegal."""
    passes: int
    """1 if a starved player passes."""
    endings: EndingOptions
    table: int
    """The start of this size of board in `LAPS`."""


# -- in Python -----------------------------------------------------------------------------------------------------


def _laps(pits: int) -> list[tuple[int, int, int, int]]:
    """Return the rows of `LAPS` for one size of board: pit by pit, from no seed to the maximum."""
    rows: list[tuple[int, int, int, int]] = []
    for pit in range(2 * pits):
        added = [0] * (2 * pits)
        for seeds in range(MAX_SEEDS + 1):
            last = (pit + seeds) % (2 * pits)
            added[last] += int(seeds > 0)
            added[pit] -= seeds
            rows.append((word_of(added[:pits]), word_of(added[pits:]), last, 8 * (last % pits)))
            added[pit] += seeds
    return rows


ROW = 4
PIT_ROWS = (MAX_SEEDS + 1) * ROW
LAPS: NDArray[np.int64] = np.array([row for pits in range(1, BYTES + 1) for row in _laps(pits)], np.int64).reshape(-1)
"""Four numbers for each board, pit and seeds in it: what the lap adds to `mine` and to `theirs`, the pit of the last
seed, and that pit's shift in its word."""
_INDEX = (1 << len(LAPS).bit_length()) - 1  # tells the compiler that an index is never negative


def pack_rules(rules: Rules) -> RelayRules:
    if rules.family != "relay" or rules.pits > BYTES:
        raise RulesError(message("kernels.bad.rules", rules=rules.name))
    return RelayRules(
        pits=rules.pits,
        relayed=rules.pits if rules.relay_from == "own-side" else rules.holes,
        endless_ends=int(rules.endless == "ends"),
        passes=int(rules.starved == "passes"),
        endings=ending_options(rules),
        table=sum(2 * pits * PIT_ROWS for pits in range(1, rules.pits)),
    )


def pack(rules: Rules, position: Position) -> RelayState:
    return RelayState(*sides_of(rules, position), position.turn, *position.scores, position.ply)


# -- compiled ----------------------------------------------------------------------------------------------------------


@jit(forceinline=True)
def turned(k: RelayRules, mine: int, theirs: int, pit: int) -> tuple[int, int]:
    """Return the board rotated so that `pit` becomes the first one."""
    if pit >= k.pits:
        mine, theirs = theirs, mine
        pit -= k.pits
    down = 8 * pit
    up = 8 * k.pits - down
    low = (1 << down) - 1
    return (mine >> down) | ((theirs & low) << up), (theirs >> down) | ((mine & low) << up)


@jit
def sow(k: RelayRules, mine: int, theirs: int, pit: int) -> tuple[int, int, int, int, bool]:
    """Sow from a pit that holds seeds, to the end.

    Return both words, the pit of the last seed, the laps, and whether it is endless (then words and pit are those of
    the start, and the laps are the period).
    """
    first_mine, first_theirs, first_pit = mine, theirs, pit
    laps = 0
    seeds = (mine >> 8 * pit if pit < k.pits else theirs >> 8 * (pit - k.pits)) & 255
    handful = seeds
    while True:
        row = (k.table + pit * PIT_ROWS + seeds * ROW) & _INDEX
        mine += int(LAPS[row])
        theirs += int(LAPS[row + 1])
        pit = int(LAPS[row + 2])
        laps += 1
        seeds = ((mine if pit < k.pits else theirs) >> int(LAPS[row + 3])) & 255
        if seeds == 1 or pit >= k.relayed:
            return mine, theirs, pit, laps, False
        # Where only the mover's pits are lifted no sowing is endless, and a rotated board does not repeat.
        if (
            seeds == handful
            and k.relayed > k.pits
            and turned(k, mine, theirs, pit) == turned(k, first_mine, first_theirs, first_pit)
        ):
            # The board returned rotated: the period is complete when the rotations add up to a full turn.
            turn = pit - first_pit if pit >= first_pit else pit - first_pit + 2 * k.pits
            rounds = 2 * k.pits // gcd(2 * k.pits, turn)
            return first_mine, first_theirs, first_pit, laps * rounds, True


@jit
def play(k: RelayRules, state: RelayState, move: int) -> RelayState:
    """Return the state after a move, a starved player's pass included. An endless one only sets the flag."""
    mine, theirs, last, _, endless = sow(k, state.mine, state.theirs, move)
    if endless:
        return RelayState(state.mine, state.theirs, state.turn, state.south, state.north, state.ply + 1, 1)
    south, north = state.south, state.north
    if last < k.pits:
        shift = 8 * (k.pits - 1 - last)
        taken = (theirs >> shift) & 255
        theirs -= taken << shift
        if state.turn == 0:
            south += taken
        else:
            north += taken
    if k.passes == 1 and theirs == 0 and mine != 0:
        return RelayState(mine, theirs, state.turn, south, north, state.ply + 1, 0)
    return RelayState(theirs, mine, 1 - state.turn, south, north, state.ply + 1, 0)


@jit
def allowed(k: RelayRules, state: RelayState, move: int) -> bool:
    """Return whether a pit may be played: it holds seeds, and its sowing ends or may be endless."""
    if (state.mine >> 8 * move) & 255 == 0:
        return False
    return k.endless_ends == 1 or not sow(k, state.mine, state.theirs, move)[4]


@jit
def legal(k: RelayRules, state: RelayState) -> int:
    """Return a bit for each legal move."""
    mask = 0
    if state.endless == 0:
        for move in range(k.pits):
            if allowed(k, state, move):
                mask |= 1 << move
    return mask


@jit
def stopped(k: RelayRules, state: RelayState, last: int) -> int:
    """Return the ending that does not depend on the legal moves, or 0."""
    if state.endless == 1:
        return ENDLESS
    return stop_code(k.endings, state.south, state.north, state.ply, byte_sum(state.mine + state.theirs))


@jit
def can_move(k: RelayRules, state: RelayState) -> bool:
    """Return whether there is a legal move, sowing no further than the first."""
    for move in range(k.pits):
        if allowed(k, state, move):
            return True
    return False
