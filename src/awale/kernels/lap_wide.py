"""One-lap games of up to twelve pits a side: as `lap`, with two words per side and arithmetic instead of a table.

Slower than `lap`, which plays the common boards; the tests compare the two.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.errors import RulesError
from awale.i18n import message
from awale.kernels.bits import BYTES, byte_sum, occupied
from awale.kernels.endings import EndingOptions, ending_options, final_wide, stop_code
from awale.kernels.jit import jit
from awale.kernels.lap import DUTY_IF_POSSIBLE, MOST_TAKEN, NO_DUTY, OPPOSITE, capture_kind, duties
from awale.kernels.sides import sides_of, split
from awale.kernels.sides import unpack as unpack
from awale.rules.description import Rules
from awale.rules.reference import Position


class LapWideState(NamedTuple):
    """A position, from the mover's side: six pits of a side in the low word, the others in the high one."""

    mine: int
    mine_high: int
    theirs: int
    theirs_high: int
    turn: int
    south: int
    north: int
    ply: int


class LapWideRules(NamedTuple):
    """As `LapRules`."""

    pits: int
    receivers: int
    """Pits that a full round of sowing reaches."""
    capture: int
    spared: int
    slam: int
    feeding: int
    passes: int
    endings: EndingOptions
    takes: int


# -- in Python -----------------------------------------------------------------------------------------------------


def pack_rules(rules: Rules) -> LapWideRules:
    if rules.family != "lap":
        raise RulesError(message("kernels.bad.rules", rules=rules.name))
    slam, feeding = duties(rules)
    return LapWideRules(
        pits=rules.pits,
        receivers=rules.holes - int(rules.origin == "skipped"),
        capture=capture_kind(rules),
        spared=int(rules.grand_slam == "takes-nothing"),
        slam=slam,
        feeding=feeding,
        passes=int(rules.starved == "passes"),
        endings=ending_options(rules),
        takes=sum(1 << count for count in rules.capture_counts),
    )


def pack(rules: Rules, position: Position) -> LapWideState:
    mine, theirs = sides_of(rules, position)
    return LapWideState(*split(mine), *split(theirs), position.turn, *position.scores, position.ply)


# -- compiled ----------------------------------------------------------------------------------------------------------

FIRST_ONES: NDArray[np.int64] = np.array([sum(1 << (8 * i) for i in range(n)) for n in range(BYTES + 1)], np.int64)
"""A seed in each of the first n pits of a word."""


@jit
def _ones(pits: int) -> tuple[int, int]:
    """Return a seed in each of the first pits of a side (none for a negative number), as its two words."""
    low = max(0, min(pits, BYTES))
    high = max(0, min(pits - BYTES, BYTES))
    return int(FIRST_ONES[low]), int(FIRST_ONES[high])


@jit
def seeds_in_pit(low: int, high: int, pit: int) -> int:
    """Return the seeds in a pit of a side, given as its two words."""
    return ((low >> (8 * pit)) if pit < BYTES else (high >> (8 * (pit - BYTES)))) & 255


@jit
def _in_pit(seeds: int, pit: int) -> tuple[int, int]:
    """Return so many seeds in one pit of a side, as its two words."""
    if pit < BYTES:
        return seeds << (8 * pit), 0
    return 0, seeds << (8 * (pit - BYTES))


@jit
def step(
    k: LapWideRules, mine: int, mine_high: int, theirs: int, theirs_high: int, pit: int
) -> tuple[int, int, int, int, int]:
    """Sow and capture. Return the words, still from the same side, and the seeds taken."""
    seeds = seeds_in_pit(mine, mine_high, pit)
    rounds = seeds // k.receivers
    rest = seeds - rounds * k.receivers
    # The origin loses its seeds, and regains one a round where it is sown too.
    low, high = _in_pit(seeds + rounds * (2 * k.pits - k.receivers), pit)
    end = pit + 1 + rest  # one past the last seed
    around = end - 2 * k.pits
    full, full_high = _ones(k.pits)
    upto, upto_high = _ones(min(end, k.pits))
    before, before_high = _ones(pit + 1)
    again, again_high = _ones(around)
    mine += rounds * full + upto - before + again - low
    mine_high += rounds * full_high + upto_high - before_high + again_high - high
    upto, upto_high = _ones(min(end - k.pits, k.pits))
    theirs += rounds * full + upto
    theirs_high += rounds * full_high + upto_high

    last = end - 1
    if last == pit and k.receivers < 2 * k.pits:
        last -= 1  # whole rounds end in the pit before the skipped origin
    last = (last + 2 * k.pits) % (2 * k.pits)
    low, high = _taken(k, mine, mine_high, theirs, theirs_high, last)
    if low == theirs and high == theirs_high and k.spared:
        low = 0
        high = 0
    return mine, mine_high, theirs - low, theirs_high - high, byte_sum(low) + byte_sum(high)


@jit
def _taken(k: LapWideRules, mine: int, mine_high: int, theirs: int, theirs_high: int, last: int) -> tuple[int, int]:
    """Return the opponent's seeds that are taken, as two words."""
    if k.capture == OPPOSITE:
        if last < k.pits and seeds_in_pit(mine, mine_high, last) == 1:
            facing = k.pits - 1 - last
            return _in_pit(seeds_in_pit(theirs, theirs_high, facing), facing)
        return 0, 0
    low = 0
    high = 0
    pit = last - k.pits
    while pit >= 0:
        seeds = seeds_in_pit(theirs, theirs_high, pit)
        if seeds > MOST_TAKEN or (k.takes >> seeds) & 1 == 0:
            break
        here, here_high = _in_pit(seeds, pit)
        low += here
        high += here_high
        pit -= 1
    return low, high


@jit
def legal(k: LapWideRules, state: LapWideState) -> int:
    """Return a bit for each legal move: the mover's pits from their left."""
    own = occupied(state.mine) | (occupied(state.mine_high) << BYTES)
    duty = k.feeding if state.theirs == 0 and state.theirs_high == 0 else k.slam
    if duty == NO_DUTY:
        return own
    leaving = 0
    for pit in range(k.pits):
        if (own >> pit) & 1:
            _, _, theirs, theirs_high, _ = step(k, state.mine, state.mine_high, state.theirs, state.theirs_high, pit)
            if theirs != 0 or theirs_high != 0:
                leaving |= 1 << pit
    if leaving == 0 and duty == DUTY_IF_POSSIBLE:
        return own
    return leaving


@jit
def play(k: LapWideRules, state: LapWideState, move: int) -> LapWideState:
    """Play a legal move; the turn passes to the opponent, or stays if they are starved and pass."""
    mine, mine_high, theirs, theirs_high, taken = step(
        k, state.mine, state.mine_high, state.theirs, state.theirs_high, move
    )
    south = state.south + (1 - state.turn) * taken
    north = state.north + state.turn * taken
    if k.passes and theirs == 0 and theirs_high == 0 and (mine != 0 or mine_high != 0):
        return LapWideState(mine, mine_high, theirs, theirs_high, state.turn, south, north, state.ply + 1)
    return LapWideState(theirs, theirs_high, mine, mine_high, 1 - state.turn, south, north, state.ply + 1)


@jit
def stopped(k: LapWideRules, state: LapWideState, last: int) -> int:
    """Return the ending that does not depend on the legal moves, or 0."""
    seeds = byte_sum(state.mine + state.theirs) + byte_sum(state.mine_high + state.theirs_high)
    return stop_code(k.endings, state.south, state.north, state.ply, seeds)


final = final_wide
