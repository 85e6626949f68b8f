"""Proof-number search: can a player force a result?

A *claim* says that player `x` can force the game to end with a margin (their seeds minus the other's) of at least
`margin`. The search is depth-first proof-number search (df-pn: A. Nagai, "Df-pn algorithm for searching AND/OR trees
and its applications", 2002): each position has a proof number and a disproof number, estimates of how many positions
must still be settled to prove or to refute the claim, and the most promising position is expanded next.

What makes the answers exact:

- the transposition table holds whole positions, not hashes; an entry is three words, two of them masked by the third,
  so that an entry torn by two threads does not match;
- a position repeated on the line being searched settles the claim on that line: in relay games it refutes it (whoever
  claims to force an end may not cycle), in single-lap games the margin at that moment decides. What follows from that
  may hold on this line only (graph-history interaction): the search tracks how far up the line it depends, and stores
  only what is true on every line. Between two captures the margin stays as it is, so all repetitions there settle the
  claim the same way: the opposite answer never depends on one;
- `certificate` checks the result again, move by move.

With a limit on the moves left, the claim becomes "within so many moves", and repetition does not matter.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.kernels.bits import byte_sum, occupied, popcount
from awale.kernels.endgame import TableSet, prefetch
from awale.kernels.jit import COMPILER_OFF, UNCOUNTED, jit
from awale.search.claims import (
    DEPENDS_ON,
    DISPROOF,
    INFINITE,
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
    expand,
    holds_repeated,
    holds_without_move,
    margin_of,
)

MOST_MOVES_LEFT = 62
BUCKET = 4
WORDS = 3
MARKS = 1 << 14

UNDECIDED, PROVED, REFUTED, TOO_DEEP = range(4)

# The further fields of a level of the line being searched.
MOVES, BEST, PROOF_LIMIT, DISPROOF_LIMIT, WORK, MARK = range(7, 13)
LEVEL_FIELDS = 13


class Workspace(NamedTuple):
    """The working memory of one thread."""

    line: NDArray[np.int64]
    choices: NDArray[np.int64]
    tally: NDArray[np.int64]
    """Positions searched, longest line, repetitions met."""


def new_workspace() -> Workspace:
    return Workspace(
        np.zeros((LEVELS + 1, LEVEL_FIELDS), np.int64),
        np.zeros((LEVELS + 1, 6, MOVE_FIELDS), np.int64),
        np.zeros(3, np.int64),
    )


def new_table(entries: int) -> NDArray[np.int64]:
    """Return an empty transposition table for at least `entries` positions."""
    buckets = 1 << max(4, (max(1, entries // BUCKET) - 1).bit_length())
    return np.zeros(buckets * BUCKET * WORDS, np.int64)


# -- transposition table -------------------------------------------------------------------------------------------


if COMPILER_OFF:

    def hash_key(a: int, b: int) -> int:
        """Return the hash of a position."""
        return hash((int(a), int(b)))

else:

    @jit(forceinline=True)
    def hash_key(a: int, b: int) -> int:
        """Return the hash of a position."""
        mixed = (a * -7046029254386353131) ^ (b * -4417276706812531889)
        mixed ^= (mixed >> 29) & 0x7FFFFFFFF
        mixed *= -4658895280553007687
        return mixed ^ ((mixed >> 32) & 0xFFFFFFFF)


@jit(forceinline=True)
def first_key(claim: Claim, here: NDArray[np.int64]) -> int:
    """Return the mover's pits, whether the claimant moves, the seeds they still need to win more than the other of
    those on the board, and the moves left in one word. The other word of a key is the other side's pits."""
    needed = claim.margin - margin_of(claim, here[SOUTH], here[NORTH])
    return here[MINE] | ((needed & 255) << 48) | (int(here[TURN] == claim.x) << 56) | (here[LEFT] << 57)


@jit(forceinline=True)
def look_up(table: NDArray[np.int64], a: int, b: int) -> int:
    """Return the table's entry for a position, or 0: proof number, disproof number, move and work in one word."""
    buckets = table.size // (BUCKET * WORDS)
    place = (hash_key(a, b) & (buckets - 1)) * (BUCKET * WORDS)
    for _ in range(BUCKET):
        entry = table[place + 2]
        if entry != 0 and table[place] ^ entry == a and table[place + 1] ^ entry == b:
            return entry
        place += WORDS
    return 0


@jit(forceinline=True)
def prefetch_entry(table: NDArray[np.int64], a: int, b: int) -> None:
    """Start loading the bucket of a position, to be looked up soon."""
    buckets = table.size // (BUCKET * WORDS)
    place = (hash_key(a, b) & (buckets - 1)) * (BUCKET * WORDS)
    prefetch(table.ctypes.data + 8 * place)
    prefetch(table.ctypes.data + 8 * (place + BUCKET * WORDS - 1))


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
def store_entry(table: NDArray[np.int64], a: int, b: int, proof: int, disproof: int, move: int, work: int) -> None:
    """Store a position, replacing the entry of its bucket that took the least work."""
    shift = 0
    while work >> shift > 31:
        shift += 1
    effort = (shift << 5) | (work >> shift)
    buckets = table.size // (BUCKET * WORDS)
    start = (hash_key(a, b) & (buckets - 1)) * (BUCKET * WORDS)
    chosen, least = start, 1 << 30
    for i in range(BUCKET):
        place = start + i * WORDS
        entry = table[place + 2]
        if entry == 0 or (table[place] ^ entry == a and table[place + 1] ^ entry == b):
            chosen = place
            break
        if entry & 2047 < least:
            chosen, least = place, entry & 2047
    entry = (proof << 40) | (disproof << 17) | (move << 11) | effort
    table[chosen] = a ^ entry
    table[chosen + 1] = b ^ entry
    table[chosen + 2] = entry


def entries_of(table: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return the `most` entries that took the most work, to be saved when a search is interrupted."""
    rows = table.reshape(-1, WORDS)
    entry = rows[:, 2]
    used = np.flatnonzero(entry)
    if len(used) > most:
        used = used[np.argpartition(entry[used] & 2047, len(used) - most)[len(used) - most :]]
    return rows[used].copy()


@jit(**UNCOUNTED)
def restore_entries(table: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
    """Fill a table from what `entries_of` returned."""
    for i in range(rows.shape[0]):
        entry = rows[i, 2]
        effort = entry & 2047
        a, b = rows[i, 0] ^ entry, rows[i, 1] ^ entry
        store_entry(table, a, b, proof_in(entry), disproof_in(entry), move_in(entry), (effort & 31) << (effort >> 5))


@jit(forceinline=True)
def set_initial_numbers(row: NDArray[np.int64], claim: Claim) -> None:
    """Set the initial numbers of a new position: larger the more seeds are lacking and the more replies there are."""
    replies = popcount(occupied(row[MINE]))
    ahead = margin_of(claim, row[SOUTH], row[NORTH]) - claim.margin
    to_prove = max(1, 2 * (row[SEEDS] - ahead) + 1)
    to_refute = max(1, 2 * (row[SEEDS] + ahead) + 3)
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
) -> int:
    """Search until the claim is settled for `root`, `most` positions were searched, or `stop[0]` is set.

    Threads may share `table`. `marks` has a column per thread with the positions it is working on, so that threads
    spread out; those of one position share a cache line. Called again with the same table, the search resumes.
    """
    line, choices, tally = work
    level = 0
    line[0, MINE] = root.mine
    line[0, THEIRS] = root.theirs
    line[0, TURN] = root.turn
    line[0, SOUTH] = root.south
    line[0, NORTH] = root.north
    line[0, SEEDS] = byte_sum(root.mine + root.theirs)
    line[0, LEFT] = claim.moves
    line[0, PROOF_LIMIT] = INFINITE
    line[0, DISPROOF_LIMIT] = INFINITE
    line[0, MARK] = 0
    last_count = tally[0] + most
    arriving = True
    leaving = False
    while True:
        here = line[level]
        moves = choices[level]
        if arriving:
            arriving = False
            here[WORK] = 1
            here[MOVES] = expand(k, claim, t, here, moves)
            tally[0] += 1
            for c in range(here[MOVES]):
                if moves[c, SETTLED] == 0:
                    prefetch_entry(table, first_key(claim, moves[c]), moves[c, THEIRS])
            if level > tally[1]:
                tally[1] = level
            if claim.moves == 0:
                # A repetition since the last capture settles the claim on this line.
                for c in range(here[MOVES]):
                    row = moves[c]
                    if row[SETTLED] != 0:
                        continue
                    above = level
                    while above >= 0 and line[above, SEEDS] == row[SEEDS]:
                        if (
                            line[above, MINE] == row[MINE]
                            and line[above, THEIRS] == row[THEIRS]
                            and line[above, TURN] == row[TURN]
                        ):
                            repeated = holds_repeated(k, claim, row)
                            row[PROOF] = 0 if repeated else INFINITE
                            row[DISPROOF] = INFINITE if repeated else 0
                            row[SETTLED] = REPEATED
                            row[DEPENDS_ON] = above
                            tally[2] += 1
                            break
                        above -= 1
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
                entry = look_up(table, first_key(claim, row), row[THEIRS])
                if entry != 0:
                    row[PROOF] = proof_in(entry)
                    row[DISPROOF] = disproof_in(entry)
                elif row[PROOF] < 0:
                    set_initial_numbers(row, claim)
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
                spot = hash_key(row[MINE], row[THEIRS]) & (MARKS - 1)
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
                store_entry(table, first_key(claim, here), here[THEIRS], proof, disproof, move, here[WORK])
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
        # and L. Lew, "Improving depth-first PN-search").
        row = moves[best]
        bound = second + 1 + (second >> 1)
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
        below[MARK] = hash_key(row[MINE], row[THEIRS]) & (MARKS - 1)
        marks[below[MARK], thread] += 1
        arriving = True
