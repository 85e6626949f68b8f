"""The compiled walks over boards: all chains, all rings, random starts, random games.

Turning the board does not change a sowing, so only starts from pit 0 are walked: each stands for one at every pit.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from awale.kernels import relay
from awale.kernels.bits import lowest, popcount
from awale.kernels.jit import jit
from awale.kernels.relay import LAPS, PIT_ROWS, ROW, RelayRules, RelayState, turned
from awale.kernels.rng import advance, below, stream

# What a walk over chains counts.
STARTS, LONGEST, AT_MINE, AT_THEIRS = range(4)
# What a walk over rings writes for each.
RING_LAPS, RING_TURN, RING_MINE, RING_THEIRS = range(4)
# What sampling counts.
LOOKED_AT, ENDLESS, LAPS_SOWN, TOP_PERIOD, TOP_MINE, TOP_THEIRS, TOP_PIT, GAMES, POSITIONS, WITH_ENDLESS = range(10)
SAMPLE_FIELDS = 10

UNIFORM, THROWN = range(2)


@jit(forceinline=True)
def add_seeds(k: RelayRules, mine: int, theirs: int, pit: int, seeds: int) -> tuple[int, int]:
    """Put seeds into a pit (or take them out, if negative)."""
    if pit < k.pits:
        return mine + seeds * (1 << 8 * pit), theirs
    return mine, theirs + seeds * (1 << 8 * (pit - k.pits))


@jit
def next_board(k: RelayRules, pits: NDArray[np.int64], mine: int, theirs: int) -> tuple[int, int]:
    """The next way to lay the seeds of all pits but pit 0, in `pits` and in the words. There must be a next one.

    The order: a later pit counts more. (A. Nijenhuis and H. Wilf, Combinatorial Algorithms, NEXCOM.)
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
    """Walk the chains that begin in pit 0 with its single seed, from the board `pits` on, so many boards.

    A chain of n laps holds n starts, and all of them are different: adding up the laps counts every start that is not
    endless, with nothing to remember.
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
    """Find the rings that have their leader among so many boards from `pits` on; returns boards done, rings found.

    A ring's leader is its start with the largest handful, among these the one with the smallest board (turned to pit
    0). From every start we walk until the sowing stops, or meets a start that comes before it: only leaders get round.
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


# -- samples -------------------------------------------------------------------------------------------------------


@jit
def throw(k: RelayRules, seeds: int, how: int, random: int, pits: NDArray[np.int64]) -> int:
    """A random board with seeds in pit 0; returns the next random state.

    UNIFORM: every start is equally likely. THROWN: every seed falls into any pit with the same chance, and one of the
    pits that then hold seeds is chosen.
    """
    holes = 2 * k.pits
    pits[:holes] = 0
    if how == THROWN:
        for _ in range(seeds):
            random = advance(random)
            pits[below(random, holes)] += 1
        filled = 0
        for pit in range(holes):
            filled += int(pits[pit] > 0)
        random = advance(random)
        skip = below(random, filled)
        first = 0
        for pit in range(holes):
            if pits[pit] > 0:
                if skip == 0:
                    first = pit
                    break
                skip -= 1
        for pit in range(holes):
            pits[holes + pit] = pits[pit]
        for pit in range(holes):
            pits[pit] = pits[holes + (pit + first) % holes]
        return random
    # Stars and bars: one seed is put aside for pit 0, the others and the bars between pits lie in a row.
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
def sample(k: RelayRules, seeds: int, how: int, seed: int, first: int, count: int, found: NDArray[np.int64]) -> None:
    """Sow random starts; the numbers `first` and up decide which, so that any split gives the same ones."""
    pits = np.zeros(4 * k.pits, np.int64)
    for number in range(first, first + count):
        throw(k, seeds, how, stream(seed, number), pits)
        mine, theirs = words_of(k, pits[: 2 * k.pits])
        laps, endless = relay.sow(k, mine, theirs, 0)[3:]
        found[LOOKED_AT] += 1
        found[LAPS_SOWN] += laps
        if endless:
            found[ENDLESS] += 1
            if laps > found[TOP_PERIOD]:
                found[TOP_PERIOD] = laps
                found[TOP_MINE] = mine
                found[TOP_THEIRS] = theirs
                found[TOP_PIT] = 0


@jit
def look_at(k: RelayRules, state: RelayState, found: NDArray[np.int64]) -> int:
    """Count the endless ones among the sowings of the player to move; returns a bit for each move that ends."""
    mask = 0
    some = False
    for move in range(k.pits):
        if (state.mine >> 8 * move) & 255:
            laps, endless = relay.sow(k, state.mine, state.theirs, move)[3:]
            found[LOOKED_AT] += 1
            found[LAPS_SOWN] += laps
            if endless:
                some = True
                found[ENDLESS] += 1
                if laps > found[TOP_PERIOD]:
                    found[TOP_PERIOD] = laps
                    # As seen from South: a board is written with his pits first.
                    south = state.turn == 0
                    found[TOP_MINE] = state.mine if south else state.theirs
                    found[TOP_THEIRS] = state.theirs if south else state.mine
                    found[TOP_PIT] = move if south else move + k.pits
            else:
                mask |= 1 << move
    found[POSITIONS] += 1
    found[WITH_ENDLESS] += int(some)
    return mask


@jit
def random_games(
    k: RelayRules, start: RelayState, seed: int, first: int, count: int, limit: int, found: NDArray[np.int64]
) -> None:
    """Play random games and look at all sowings of the player to move, at every move."""
    for number in range(first, first + count):
        random = stream(seed, number)
        state = start
        found[GAMES] += 1
        for _ in range(limit):
            mask = look_at(k, state, found)
            if mask == 0:
                break
            random = advance(random)
            skip = below(random, popcount(mask))
            while skip > 0:
                mask &= mask - 1
                skip -= 1
            mover = state.turn
            state = relay.play(k, state, lowest(mask))
            if relay.stopped(k, state, mover) != 0:
                break
