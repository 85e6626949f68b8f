"""Relay sowing on boards of up to twelve pits a side: as `relay`, with two words per side.

A lap adds whole rounds by multiplication and the rest by a table. Slower than `relay`, which plays the common boards;
the tests compare both with the reference.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.errors import RulesError
from awale.i18n import message
from awale.kernels import ENDLESS
from awale.kernels.bits import BYTES, byte_sum
from awale.kernels.endings import EndingOptions, ending_options, final_wide, stop_code
from awale.kernels.jit import jit
from awale.kernels.lap_wide import seeds_in_pit
from awale.kernels.sides import sides_of, split, word_of
from awale.kernels.sides import unpack as unpack
from awale.rules.description import MAX_PITS, Rules
from awale.rules.reference import Position


class RelayWideState(NamedTuple):
    """A position, from the mover's side: six pits of a side in the low word, the others in the high one."""

    mine: int
    mine_high: int
    theirs: int
    theirs_high: int
    turn: int
    south: int
    north: int
    ply: int
    endless: int = 0
    """1 once an endless sowing was played: the game is over."""


class RelayWideRules(NamedTuple):
    """As `RelayRules`."""

    pits: int
    relayed: int
    endless_ends: int
    passes: int
    ones: int
    """A seed in each pit of a low word."""
    ones_high: int
    """The same of a high word."""
    endings: EndingOptions
    table: int
    """The start of this size of board in `PARTS`."""


# -- in Python -----------------------------------------------------------------------------------------------------


def _parts(pits: int) -> list[tuple[int, ...]]:
    """Return the rows of `PARTS` for one size of board: pit by pit, from no seed to one less than a round."""
    rows: list[tuple[int, ...]] = []
    for pit in range(2 * pits):
        added = [0] * (2 * pits)
        for seeds in range(2 * pits):
            if seeds:
                added[(pit + seeds) % (2 * pits)] += 1
            rows.append((*split(word_of(added[:pits])), *split(word_of(added[pits:]))))
    return rows


ROW = 4
PARTS: NDArray[np.int64] = np.array([row for pits in range(1, MAX_PITS + 1) for row in _parts(pits)], np.int64).reshape(
    -1
)
"""What a sowing of less than a round adds to the four words, for each board, pit and number of seeds."""
_INDEX = (1 << len(PARTS).bit_length()) - 1  # tells the compiler that an index is never negative


def pack_rules(rules: Rules) -> RelayWideRules:
    if rules.family != "relay":
        raise RulesError(message("kernels.bad.rules", rules=rules.name))
    ones, ones_high = split(word_of([1] * rules.pits))
    return RelayWideRules(
        pits=rules.pits,
        relayed=rules.pits if rules.relay_from == "own-side" else rules.holes,
        endless_ends=int(rules.endless == "ends"),
        passes=int(rules.starved == "passes"),
        ones=ones,
        ones_high=ones_high,
        endings=ending_options(rules),
        table=sum((2 * pits) ** 2 * ROW for pits in range(1, rules.pits)),
    )


def pack(rules: Rules, position: Position) -> RelayWideState:
    mine, theirs = sides_of(rules, position)
    return RelayWideState(*split(mine), *split(theirs), position.turn, *position.scores, position.ply)


# -- compiled ----------------------------------------------------------------------------------------------------------


@jit
def sow(
    k: RelayWideRules, mine: int, mine_high: int, theirs: int, theirs_high: int, pit: int
) -> tuple[int, int, int, int, int, int, bool]:
    """Sow from a pit to the end; return the words, the last pit, the laps and whether it is endless."""
    m, mh, t, th, first = mine, mine_high, theirs, theirs_high, pit
    holes = 2 * k.pits
    laps = 0
    seeds = seeds_in_pit(m, mh, pit) if pit < k.pits else seeds_in_pit(t, th, pit - k.pits)
    while True:
        place = pit if pit < k.pits else pit - k.pits
        low = seeds << (8 * place) if place < BYTES else 0
        high = 0 if place < BYTES else seeds << (8 * (place - BYTES))
        if pit < k.pits:
            m -= low
            mh -= high
        else:
            t -= low
            th -= high
        rest = seeds
        if seeds >= holes:
            rounds = seeds // holes
            rest = seeds - rounds * holes
            m += rounds * k.ones
            mh += rounds * k.ones_high
            t += rounds * k.ones
            th += rounds * k.ones_high
        row = (k.table + (pit * holes + rest) * ROW) & _INDEX
        m += int(PARTS[row])
        mh += int(PARTS[row + 1])
        t += int(PARTS[row + 2])
        th += int(PARTS[row + 3])
        pit += rest
        if pit >= holes:
            pit -= holes
        laps += 1
        seeds = seeds_in_pit(m, mh, pit) if pit < k.pits else seeds_in_pit(t, th, pit - k.pits)
        if seeds == 1 or pit >= k.relayed:
            return m, mh, t, th, pit, laps, False
        if pit == first and m == mine and t == theirs and mh == mine_high and th == theirs_high:
            return m, mh, t, th, pit, laps, True


@jit
def play(k: RelayWideRules, state: RelayWideState, move: int) -> RelayWideState:
    """Return the state after a move, a starved player's pass included. An endless one only sets the flag."""
    m, mh, t, th, last, _, endless = sow(k, state.mine, state.mine_high, state.theirs, state.theirs_high, move)
    south, north, ply = state.south, state.north, state.ply + 1
    if endless:
        return RelayWideState(
            state.mine, state.mine_high, state.theirs, state.theirs_high, state.turn, south, north, ply, 1
        )
    if last < k.pits:
        facing = k.pits - 1 - last
        taken = seeds_in_pit(t, th, facing)
        if facing < BYTES:
            t -= taken << (8 * facing)
        else:
            th -= taken << (8 * (facing - BYTES))
        if state.turn == 0:
            south += taken
        else:
            north += taken
    if k.passes == 1 and t == 0 and th == 0 and (m != 0 or mh != 0):
        return RelayWideState(m, mh, t, th, state.turn, south, north, ply, 0)
    return RelayWideState(t, th, m, mh, 1 - state.turn, south, north, ply, 0)


@jit
def legal(k: RelayWideRules, state: RelayWideState) -> int:
    """Return a bit for each legal move."""
    mask = 0
    if state.endless == 0:
        for move in range(k.pits):
            if seeds_in_pit(state.mine, state.mine_high, move) != 0:
                words = state.mine, state.mine_high, state.theirs, state.theirs_high
                if k.endless_ends == 1 or not sow(k, *words, move)[6]:
                    mask |= 1 << move
    return mask


@jit
def stopped(k: RelayWideRules, state: RelayWideState, last: int) -> int:
    """Return the ending that does not depend on the legal moves, or 0."""
    if state.endless == 1:
        return ENDLESS
    seeds = byte_sum(state.mine + state.mine_high + state.theirs + state.theirs_high)
    return stop_code(k.endings, state.south, state.north, state.ply, seeds)


final = final_wide
