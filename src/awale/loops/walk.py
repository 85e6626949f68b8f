"""Compiled walks over boards: all chains, all rings, random starts, random games.

A sowing does not depend on the rotation of the board, so only starts from pit 0 are walked: each stands for one at
every pit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from awale.kernels import relay
from awale.kernels.bits import lowest, nth_bit, popcount
from awale.kernels.jit import jit
from awale.kernels.relay import LAPS, PIT_ROWS, ROW, RelayRules, RelayState, turned
from awale.kernels.rng import advance, below, stream

# Results of a walk over chains.
STARTS, LONGEST, AT_MINE, AT_THEIRS = range(4)
# Columns of a walk over rings.
RING_LAPS, RING_TURN, RING_MINE, RING_THEIRS = range(4)
# Counters of a sample.
SOWN, ENDLESS, LAPS_SOWN, TOP_PERIOD, TOP_MINE, TOP_THEIRS, TOP_PIT, GAMES, POSITIONS, WITH_ENDLESS = range(10)
SAMPLE_FIELDS = 10

UNIFORM, THROWN = range(2)


@jit(forceinline=True)
def add_seeds(k: RelayRules, mine: int, theirs: int, pit: int, seeds: int) -> tuple[int, int]:
    """Add seeds to a pit (or remove them, if negative)."""
    if pit < k.pits:
        return mine + seeds * (1 << 8 * pit), theirs
    return mine, theirs + seeds * (1 << 8 * (pit - k.pits))


@jit
def next_board(k: RelayRules, pits: NDArray[np.int64], mine: int, theirs: int) -> tuple[int, int]:
    """Write the next distribution of the seeds over all pits but pit 0 to `pits` and return its words. There must be
    one.

    Colexicographic order (A. Nijenhuis and H. Wilf, Combinatorial Algorithms, NEXCOM).
    """
    i = 1
    while pits[i] == 0:
        i += 1
    heap = pits[i]
    pits[i] = 0
    mine, theirs = add_seeds(k, mine, theirs, i, -heap)
    pits[1] = heap - 1
    mine, theirs = add_seeds(k, mine, theirs, 1, heap - 1)
    pits[i + 1] += 1
    return add_seeds(k, mine, theirs, i + 1, 1)


@jit
def words_of(k: RelayRules, pits: NDArray[np.int64]) -> tuple[int, int]:
    mine, theirs = 0, 0
    for pit in range(2 * k.pits):
        mine, theirs = add_seeds(k, mine, theirs, pit, pits[pit])
    return mine, theirs


@jit
def chains(k: RelayRules, pits: NDArray[np.int64], boards: int, found: NDArray[np.int64]) -> None:
    """Walk the chains that begin in pit 0 with its single seed, for so many boards from `pits` on.

    A chain of n laps holds n different starts: adding up the laps counts every start that is not endless without
    storing any.
    """
    mine, theirs = words_of(k, pits)
    starts, longest = found[STARTS], found[LONGEST]
    for board in range(boards):
        if board:
            mine, theirs = next_board(k, pits, mine, theirs)
        laps = relay.sow(k, mine, theirs, 0)[3]
        starts += laps
        if laps > longest:
            longest = laps
            found[AT_MINE] = mine
            found[AT_THEIRS] = theirs
    found[STARTS] = starts
    found[LONGEST] = longest


@jit
def rings(k: RelayRules, pits: NDArray[np.int64], boards: int, found: NDArray[np.int64]) -> tuple[int, int]:
    """Find the rings that have their leader among so many boards from `pits` on; return boards done and rings found.

    A ring's leader is its start with the largest handful, among these the one with the smallest board (rotated to pit
    0). Each walk ends where the sowing stops or meets a start that precedes its own: only leaders complete the ring.
    """
    mine, theirs = words_of(k, pits)
    handful = pits[0]
    rows = 0
    for board in range(boards):
        if rows == found.shape[0]:
            return board, rows
        if board:
            mine, theirs = next_board(k, pits, mine, theirs)
        now_mine, now_theirs, pit, seeds, laps = mine, theirs, 0, handful, 0
        while True:
            row = k.table + pit * PIT_ROWS + seeds * ROW
            now_mine += int(LAPS[row])
            now_theirs += int(LAPS[row + 1])
            pit = int(LAPS[row + 2])
            seeds = ((now_mine if pit < k.pits else now_theirs) >> int(LAPS[row + 3])) & 255
            laps += 1
            if seeds == 1 or seeds > handful:
                break
            if seeds == handful:
                here_mine, here_theirs = turned(k, now_mine, now_theirs, pit)
                if here_theirs < theirs or (here_theirs == theirs and here_mine < mine):
                    break
                if here_theirs == theirs and here_mine == mine:
                    found[rows, RING_LAPS] = laps
                    found[rows, RING_TURN] = pit
                    found[rows, RING_MINE] = mine
                    found[rows, RING_THEIRS] = theirs
                    rows += 1
                    break
    return boards, rows


@jit
def throw(k: RelayRules, seeds: int, how: int, random: int, pits: NDArray[np.int64]) -> int:
    """Write a random board with seeds in pit 0; return the next random state.

    UNIFORM: every start is equally likely. THROWN: every seed falls into any pit with equal probability, and one of the
    non-empty pits is chosen.
    """
    holes = 2 * k.pits
    pits[:holes] = 0
    if how == THROWN:
        for _ in range(seeds):
            random = advance(random)
            pits[below(random, holes)] += 1
        filled = 0
        for pit in range(holes):
            filled |= int(pits[pit] > 0) << pit
            pits[holes + pit] = pits[pit]
        random = advance(random)
        first = nth_bit(filled, below(random, popcount(filled)))
        for pit in range(holes):
            pits[pit] = pits[holes + (pit + first) % holes]
        return random
    # Stars and bars: one seed is reserved for pit 0, the others and the bars between pits form a row.
    places, bars = seeds + holes - 2, holes - 1
    pit = 0
    if places < 63:
        chosen = 0
        while popcount(chosen) < bars:
            random = advance(random)
            chosen |= 1 << below(random, places)
        before = -1
        while chosen != 0:
            place = lowest(chosen)
            chosen &= chosen - 1
            pits[pit] = place - before - 1
            before = place
            pit += 1
        pits[pit] = places - before - 1
    else:
        for place in range(places):
            random = advance(random)
            if below(random, places - place) < bars:
                bars -= 1
                pit += 1
            else:
                pits[pit] += 1
    pits[0] += 1
    return random


@jit
def _count(found: NDArray[np.int64], laps: int, endless: bool, mine: int, theirs: int, pit: int) -> None:
    """Count a sowing of a sample."""
    found[SOWN] += 1
    found[LAPS_SOWN] += laps
    if endless:
        found[ENDLESS] += 1
        if laps > found[TOP_PERIOD]:
            found[TOP_PERIOD], found[TOP_MINE], found[TOP_THEIRS], found[TOP_PIT] = laps, mine, theirs, pit


@jit
def sample(k: RelayRules, seeds: int, how: int, seed: int, first: int, count: int, found: NDArray[np.int64]) -> None:
    """Sow random starts; their numbers decide which, so that any split gives the same ones."""
    pits = np.zeros(4 * k.pits, np.int64)
    for number in range(first, first + count):
        throw(k, seeds, how, stream(seed, number), pits)
        mine, theirs = words_of(k, pits[: 2 * k.pits])
        laps, endless = relay.sow(k, mine, theirs, 0)[3:]
        _count(found, laps, endless, mine, theirs, 0)


@jit
def count_endless(k: RelayRules, state: RelayState, found: NDArray[np.int64]) -> int:
    """Count the endless sowings of the player to move; return a bit for each move that ends."""
    mask = 0
    some = False
    for move in range(k.pits):
        if (state.mine >> 8 * move) & 255:
            laps, endless = relay.sow(k, state.mine, state.theirs, move)[3:]
            # As seen from South, whose pits are written first.
            if state.turn == 0:
                _count(found, laps, endless, state.mine, state.theirs, move)
            else:
                _count(found, laps, endless, state.theirs, state.mine, move + k.pits)
            if endless:
                some = True
            else:
                mask |= 1 << move
    found[POSITIONS] += 1
    found[WITH_ENDLESS] += int(some)
    return mask


@jit
def random_games(
    k: RelayRules, start: RelayState, seed: int, first: int, count: int, limit: int, found: NDArray[np.int64]
) -> None:
    """Play random games, counting at every ply all sowings of the player to move."""
    for number in range(first, first + count):
        random = stream(seed, number)
        state = start
        found[GAMES] += 1
        for _ in range(limit):
            mask = count_endless(k, state, found)
            if mask == 0:
                break
            random = advance(random)
            mover = state.turn
            state = relay.play(k, state, nth_bit(mask, below(random, popcount(mask))))
            if relay.stopped(k, state, mover) != 0:
                break
