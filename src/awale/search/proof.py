"""Proof-number search: can a player force a result?

A *claim* says that player `x` can force the game to end with a margin (their seeds minus the other's) of at least
`margin`. The search is depth-first proof-number search (df-pn: A. Nagai, "Df-pn algorithm for searching AND/OR trees
and its applications", 2002): each position has a proof number and a disproof number, estimates of how many positions
must still be settled to prove or to refute the claim, and the most promising position is expanded next.

What makes the answers exact:

- the transposition table holds whole positions, not hashes: a position's number among all of up to 83 seeds, who
  moves and what is claimed fit in one word. (With more seeds on the board two positions may share it.) The second word
  of an entry masks the first, so that an entry torn by two threads does not match. All claims about a position are in
  one bucket, a cache line: what is proved for one margin settles the weaker claims too;
- a position repeated on the line being searched settles the claim on that line: in relay games it refutes it (whoever
  claims to force an end may not cycle), in single-lap games the margin at that moment decides. What follows from that
  may hold on this line only (graph-history interaction): the search tracks how far up the line it depends, and stores
  only what is true on every line. Between two captures the margin stays as it is, so all repetitions there settle the
  claim the same way: the opposite answer never depends on one;
- `certificate` checks the result again, move by move.

With a limit on the moves left, the claim becomes "within so many moves", and repetition does not matter.
"""

from __future__ import annotations

from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.kernels.bits import BYTES, ONES, occupied, popcount
from awale.kernels.endgame import TableSet, prefetch
from awale.kernels.jit import COMPILER_OFF, UNCOUNTED, jit
from awale.search.claims import (
    DEPENDS_ON,
    DISPROOF,
    INFINITE,
    KEY,
    LEFT,
    LEVELS,
    MINE,
    MOVE,
    MOVE_FIELDS,
    NORTH,
    NOTHING_ABOVE,
    PROOF,
    REPEATED,
    SEEDS,
    SETTLED,
    SOUTH,
    THEIRS,
    TURN,
    Claim,
    holds_repeated,
    holds_without_move,
    list_moves,
    margin_of,
    read_tables,
    set_position,
)
from awale.search.net import net_value

MOST_MOVES_LEFT = 62
BUCKET = 4
WORDS = 2
MARKS = 1 << 14
LINE = BUCKET * WORDS * 8
"""The bytes of a bucket, and of a cache line."""
APART = 16
"""Words between what two threads write, so that they never share a cache line."""

UNDECIDED, PROVED, REFUTED, TOO_DEEP = range(4)

# The further fields of a level of the line being searched.
MOVES, BEST, PROOF_LIMIT, DISPROOF_LIMIT, WORK, MARK, SINCE = range(7, 14)
LEVEL_FIELDS = 14


class Workspace(NamedTuple):
    """The working memory of one thread."""

    line: NDArray[np.int64]
    keys: NDArray[np.int64]
    """Of the positions of the line."""
    choices: NDArray[np.int64]
    tally: NDArray[np.int64]
    """Positions searched, longest line, repetitions met."""


def new_workspace() -> Workspace:
    return Workspace(
        np.zeros((LEVELS + 1, LEVEL_FIELDS), np.int64),
        np.zeros(LEVELS + 1, np.int64),
        np.zeros((LEVELS + 1, 6, MOVE_FIELDS), np.int64),
        np.zeros(3 + 2 * APART, np.int64)[APART : APART + 3],
    )


def new_table(entries: int) -> NDArray[np.int64]:
    """Return an empty transposition table for at most `entries` positions, every bucket a cache line. (NumPy asks for
    huge pages: with small ones nearly every access would miss the cache of page addresses too.)"""
    words = BUCKET * WORDS << max(4, (entries // BUCKET).bit_length() - 1)
    memory = np.zeros(words + LINE // 8, np.int64)
    skipped = -memory.ctypes.data % LINE // 8
    return memory[skipped : skipped + words]


# -- transposition table -------------------------------------------------------------------------------------------

LEFT_SHIFT, OURS_SHIFT, NEEDED_SHIFT = 49, 55, 56
POSITION = (1 << NEEDED_SHIFT) - 1
"""The bits of a key that do not depend on the claimed margin."""
_COUNTS = 256
_RANKS = np.array(
    [comb(seeds + pit, pit + 1) & ((1 << OURS_SHIFT) - 1) for pit in range(2 * BYTES) for seeds in range(_COUNTS)],
    np.int64,
)
"""What each pit adds to the number of a position, by the seeds up to and including it."""


@jit(forceinline=True)
def _number(mine: int, theirs: int) -> int:
    """Return the number of a position among all with as many seeds or fewer."""
    sums = int(mine) * ONES
    both = int(theirs) * ONES + ((sums >> 40) & 255) * ONES
    return int(
        _RANKS[sums & 255]
        + _RANKS[_COUNTS + ((sums >> 8) & 255)]
        + _RANKS[2 * _COUNTS + ((sums >> 16) & 255)]
        + _RANKS[3 * _COUNTS + ((sums >> 24) & 255)]
        + _RANKS[4 * _COUNTS + ((sums >> 32) & 255)]
        + _RANKS[5 * _COUNTS + ((sums >> 40) & 255)]
        + _RANKS[6 * _COUNTS + (both & 255)]
        + _RANKS[7 * _COUNTS + ((both >> 8) & 255)]
        + _RANKS[8 * _COUNTS + ((both >> 16) & 255)]
        + _RANKS[9 * _COUNTS + ((both >> 24) & 255)]
        + _RANKS[10 * _COUNTS + ((both >> 32) & 255)]
        + _RANKS[11 * _COUNTS + ((both >> 40) & 255)]
    )


@jit(forceinline=True)
def key_of(claim: Claim, here: NDArray[np.int64]) -> int:
    """Return the key of a claim about a position: its number, the moves left, whether the claimant moves, and how many
    seeds of those on the board they must win more than the other.

    Needing more than a signed byte holds is needing all of the seeds, and the same claim.
    """
    needed = min(max(claim.margin - margin_of(claim, here[SOUTH], here[NORTH]), -128), 127)
    position = (_number(here[MINE], here[THEIRS]) + (here[LEFT] << LEFT_SHIFT)) & ((1 << OURS_SHIFT) - 1)
    return (needed << NEEDED_SHIFT) | (int(here[TURN] == claim.x) << OURS_SHIFT) | position


if COMPILER_OFF:

    def mixed(key: int) -> int:
        """Return a hash of the position of a key."""
        return hash((int(key) & POSITION, 0))

    def _mask(entry: int) -> int:
        """Return what masks the key of an entry."""
        return hash((int(entry), 1))

else:

    @jit(forceinline=True)
    def mixed(key: int) -> int:
        """Return a hash of the position of a key."""
        product = (key & POSITION) * -7046029254386353131
        product ^= (product >> 29) & 0x7FFFFFFFF
        product *= -4658895280553007687
        return product ^ ((product >> 32) & 0xFFFFFFFF)

    @jit(forceinline=True)
    def _mask(entry: int) -> int:
        """Return what masks the key of an entry: every bit of it changes the lower half of the mask."""
        product = entry * -7046029254386353131
        return (product << 32) | ((product >> 32) & 0xFFFFFFFF)


@jit(forceinline=True)
def _bucket(table: NDArray[np.int64], key: int) -> int:
    """Return where the bucket of a position begins, whatever is claimed of it."""
    buckets = table.size // (BUCKET * WORDS)
    return (mixed(key) & (buckets - 1)) * (BUCKET * WORDS)


@jit(forceinline=True)
def look_up(table: NDArray[np.int64], key: int) -> int:
    """Return the table's entry for a claim about a position, or 0: proof number, disproof number, move and work in one
    word. A proof of more than is needed is one, and so is a refutation of less."""
    place = _bucket(table, key)
    found = 0
    for _ in range(BUCKET):
        entry = table[place + 1]
        if entry != 0:
            other = table[place] ^ _mask(entry)
            if (other ^ key) & POSITION == 0:
                if other == key:
                    found = entry
                elif (proof_in(entry) == 0 and other > key) or (disproof_in(entry) == 0 and other < key):
                    return entry
        place += WORDS
    return found


@jit(forceinline=True)
def prefetch_entry(table: NDArray[np.int64], key: int) -> None:
    """Start loading the bucket of a position, to be looked up soon."""
    prefetch(table.ctypes.data + 8 * _bucket(table, key))


@jit(forceinline=True)
def proof_in(entry: int) -> int:
    return entry >> 40


@jit(forceinline=True)
def disproof_in(entry: int) -> int:
    return (entry >> 17) & 0x7FFFFF


@jit(forceinline=True)
def move_in(entry: int) -> int:
    return (entry >> 11) & 7


@jit
def _place_for(table: NDArray[np.int64], key: int) -> int:
    """Return where to store a claim: in place of an earlier result, else of the entry of its bucket that took the least
    work."""
    start = _bucket(table, key)
    chosen, least = start, 1 << 30
    for i in range(BUCKET):
        place = start + i * WORDS
        entry = table[place + 1]
        if entry == 0 or table[place] ^ _mask(entry) == key:
            return place
        if entry & 2047 < least:
            chosen, least = place, entry & 2047
    return chosen


@jit
def store_entry(table: NDArray[np.int64], key: int, proof: int, disproof: int, move: int, work: int) -> None:
    """Store what is known of a claim about a position."""
    shift = 0
    while work >> shift > 31:
        shift += 1
    entry = (proof << 40) | (disproof << 17) | (move << 11) | (shift << 5) | (work >> shift)
    place = _place_for(table, key)
    table[place] = key ^ _mask(entry)
    table[place + 1] = entry


def entries_of(table: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return the `most` entries that took the most work, to be saved when a search is interrupted."""
    rows = table.reshape(-1, WORDS)
    entry = rows[:, 1]
    used = np.flatnonzero(entry)
    if len(used) > most:
        used = used[np.argpartition(entry[used] & 2047, len(used) - most)[len(used) - most :]]
    return rows[used].copy()


@jit(**UNCOUNTED)
def restore_entries(table: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
    """Fill a table from what `entries_of` returned."""
    for i in range(rows.shape[0]):
        place = _place_for(table, rows[i, 0] ^ _mask(rows[i, 1]))
        for word in range(WORDS):
            table[place + word] = rows[i, word]


NO_NET = np.zeros(0, np.int16)
_STEPS = 128
_HARDNESS = np.array([max(1, min(4000, round(16 * 2 ** (step / 12)))) for step in range(-_STEPS, _STEPS + 1)], np.int64)
"""How hard it is to refute a claim that the estimate exceeds by so many quarters of a seed: twice per three seeds."""


@jit(forceinline=True)
def set_initial_numbers(row: NDArray[np.int64], claim: Claim, pits: int, net: NDArray[np.int16]) -> None:
    """Set the initial numbers of a new position: larger the farther the claim is from what the network expects, or,
    without one, the more seeds are lacking; and the more replies there are."""
    replies = popcount(occupied(row[MINE]))
    ahead = margin_of(claim, row[SOUTH], row[NORTH]) - claim.margin
    if net.size == 0:
        to_prove = max(1, 2 * (row[SEEDS] - ahead) + 1)
        to_refute = max(1, 2 * (row[SEEDS] + ahead) + 3)
    else:
        worth = net_value(net, row[MINE], row[THEIRS], pits, 0)
        worth = (worth if row[TURN] == claim.x else -worth) + 100 * ahead + 50
        step = min(max(worth // 25, -_STEPS), _STEPS)
        to_prove = _HARDNESS[_STEPS - step]
        to_refute = _HARDNESS[_STEPS + step]
    if row[TURN] == claim.x:
        row[PROOF] = to_prove
        row[DISPROOF] = to_refute * replies
    else:
        row[PROOF] = to_prove * replies
        row[DISPROOF] = to_refute


@jit(**UNCOUNTED)
def search(
    k: Any,
    claim: Claim,
    t: TableSet,
    root: Any,
    table: NDArray[np.int64],
    work: Workspace,
    marks: NDArray[np.uint8],
    thread: int,
    stop: NDArray[np.int64],
    most: int,
    net: NDArray[np.int16],
) -> int:
    """Search until the claim is settled for `root`, `most` positions were searched, or `stop[0]` is set.

    Threads may share `table`. `marks` has a column per thread with the positions it is working on, so that threads
    spread out; those of one position share a cache line. `net` estimates new positions, unless it is empty. Called
    again with the same table, the search resumes.
    """
    line, keys, choices, tally = work
    level = 0
    set_position(line[0], claim, root)
    line[0, PROOF_LIMIT] = INFINITE
    line[0, DISPROOF_LIMIT] = INFINITE
    line[0, MARK] = 0
    line[0, SINCE] = 0
    keys[0] = key_of(claim, line[0])
    last_count = tally[0] + most
    arriving = True
    leaving = False
    while True:
        here = line[level]
        moves = choices[level]
        if arriving:
            arriving = False
            here[WORK] = 1
            here[MOVES] = list_moves(k, claim, t, here, moves)
            tally[0] += 1
            for c in range(here[MOVES]):
                if moves[c, SETTLED] == 0 and moves[c, DEPENDS_ON] <= NOTHING_ABOVE:  # not in the tables
                    moves[c, KEY] = key_of(claim, moves[c])
                    prefetch_entry(table, moves[c, KEY])
            read_tables(k, claim, t, moves, here[MOVES])
            for c in range(here[MOVES]):
                if moves[c, SETTLED] == 0 and moves[c, KEY] == 0:
                    moves[c, KEY] = key_of(claim, moves[c])
            if level > tally[1]:
                tally[1] = level
            if claim.moves == 0:
                # A repetition since the last capture settles the claim on this line.
                for c in range(here[MOVES]):
                    row = moves[c]
                    if row[SETTLED] != 0 or row[SEEDS] != here[SEEDS]:
                        continue
                    for above in range(here[SINCE], level + 1):
                        if keys[above] == row[KEY]:
                            repeated = holds_repeated(k, claim, row)
                            row[PROOF] = 0 if repeated else INFINITE
                            row[DISPROOF] = INFINITE if repeated else 0
                            row[SETTLED] = REPEATED
                            row[DEPENDS_ON] = above
                            tally[2] += 1
                            break
        ours = here[TURN] == claim.x
        sum_of_all = 0
        one_infinite = False
        smallest = INFINITE + 1
        second = INFINITE
        best = -1
        best_weight = 1 << 60
        highest_rest = -1
        lowest_rest = NOTHING_ABOVE
        for c in range(here[MOVES]):
            row = moves[c]
            if row[SETTLED] == 0:
                entry = look_up(table, row[KEY])
                if entry != 0:
                    row[PROOF] = proof_in(entry)
                    row[DISPROOF] = disproof_in(entry)
                elif row[PROOF] < 0:
                    set_initial_numbers(row, claim, k.pits, net)
            to_choose = row[PROOF] if ours else row[DISPROOF]
            to_add = row[DISPROOF] if ours else row[PROOF]
            # A sum of estimates, however large, settles nothing.
            sum_of_all = min(INFINITE - 1, sum_of_all + to_add)
            one_infinite |= to_add == INFINITE
            if row[DEPENDS_ON] < lowest_rest:
                lowest_rest = row[DEPENDS_ON]
            if to_choose == 0 and row[DEPENDS_ON] > highest_rest:
                highest_rest = row[DEPENDS_ON]
            weight = to_choose
            if marks.shape[1] > 1 and 0 < to_choose < INFINITE:
                spot = mixed(row[KEY]) & (MARKS - 1)
                for other in range(marks.shape[1]):
                    if other != thread and marks[spot, other] != 0:
                        weight += (weight >> 3) + 1
            if weight < best_weight:
                if best >= 0 and smallest < second:
                    second = smallest
                best, best_weight, smallest = c, weight, to_choose
            elif to_choose < second:
                second = to_choose
        if best < 0:
            proof, disproof = (0, INFINITE) if holds_without_move(k, claim, here) else (INFINITE, 0)
            depends_on = NOTHING_ABOVE
        else:
            if one_infinite:
                sum_of_all = INFINITE
            least = min(smallest, second)
            proof, disproof = (least, sum_of_all) if ours else (sum_of_all, least)
            # One move settles the position, or all of them do together.
            depends_on = highest_rest if smallest == 0 else lowest_rest
        if proof == 0:
            disproof = INFINITE
        elif disproof == 0:
            proof = INFINITE
        if tally[0] >= last_count or stop[0] != 0:
            leaving = True
        settled = proof == 0 or disproof == 0
        if settled or leaving or proof >= here[PROOF_LIMIT] or disproof >= here[DISPROOF_LIMIT]:
            path_bound = settled and depends_on < level
            if not path_bound:
                move = moves[best, MOVE] if best >= 0 else 0
                store_entry(table, keys[level], proof, disproof, move, here[WORK])
            if level == 0:
                if proof == 0:
                    return PROVED
                return REFUTED if disproof == 0 else UNDECIDED
            marks[here[MARK], thread] -= 1
            level -= 1
            line[level, WORK] += here[WORK]
            row = choices[level, line[level, BEST]]
            row[PROOF] = proof
            row[DISPROOF] = disproof
            if path_bound:
                row[SETTLED] = REPEATED
                row[DEPENDS_ON] = depends_on
            continue
        if level == LEVELS:
            return TOO_DEEP
        # Stay in the child until it is half as hard again as the next best move (the 1 + epsilon trick of J. Pawlewicz
        # and L. Lew, "Improving depth-first PN-search"); with better estimates, less long.
        row = moves[best]
        bound = second + 1 + (second >> (1 if net.size == 0 else 2))
        if ours:
            proof_limit = max(min(here[PROOF_LIMIT], bound), row[PROOF] + 1)
            disproof_limit = min(INFINITE, here[DISPROOF_LIMIT] - disproof + row[DISPROOF])
        else:
            disproof_limit = max(min(here[DISPROOF_LIMIT], bound), row[DISPROOF] + 1)
            proof_limit = min(INFINITE, here[PROOF_LIMIT] - proof + row[PROOF])
        here[BEST] = best
        level += 1
        below = line[level]
        for field in range(LEFT + 1):
            below[field] = row[field]
        below[PROOF_LIMIT] = proof_limit
        below[DISPROOF_LIMIT] = disproof_limit
        below[SINCE] = here[SINCE] if row[SEEDS] == here[SEEDS] else level
        keys[level] = row[KEY]
        below[MARK] = mixed(row[KEY]) & (MARKS - 1)
        marks[below[MARK], thread] += 1
        arriving = True
