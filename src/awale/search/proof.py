"""Proof-number search: can a player force a result?

A *claim* says that player `x` can force the game to end with a margin (their seeds minus the other's) of at least
`margin`. The search is depth-first proof-number search (df-pn: A. Nagai, "Df-pn algorithm for searching AND/OR trees
and its applications", 2002): each position has a proof number and a disproof number, estimates of how many positions
must still be settled to prove or to refute the claim, and the most promising position is expanded next.

What makes the answers exact:

- the transposition table holds whole positions, not hashes. Its entries are masked by what they say, so that an entry
  torn by two threads does not match;
- a position repeated on the line being searched settles the claim on that line: it refutes it (whoever claims to force
  an end may not cycle), or, where endless play is worth it, the margin at that moment decides. What follows from that
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

from awale.kernels.bits import bit_length, occupied, popcount
from awale.kernels.endgame import TableSet, prefetch
from awale.kernels.jit import UNCOUNTED, jit
from awale.search.claims import (
    DEPENDS_ON,
    DISPROOF,
    EFFORT,
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
    SPREAD,
    THEIRS,
    TURN,
    Claim,
    holds_repeated,
    holds_without_move,
    list_moves,
    margin_of,
    read_tables,
    set_root,
)

MOST_MOVES_LEFT = 62
BUCKET = 3
"""Entries of a bucket, which is a cache line."""
LINE_WORDS = 8
LEAST_BUCKETS, MOST_BUCKETS = 1 << 6, 1 << 31
MARKS = 1 << 14
WORTH_A_MARK = 32
"""Positions that were searched below one before threads tell each other that they are there. Nearly all positions see
fewer, and reading what other threads write costs more than searching such a position twice."""

UNDECIDED, PROVED, REFUTED, TOO_DEEP = range(4)

# The further fields of a level of the line being searched.
MOVES, BEST, PROOF_LIMIT, DISPROOF_LIMIT, WORK, MARK, SINCE = range(7, 14)
"""SINCE: the first level after the last capture. MARK: where the position is marked, or -1."""
LEVEL_FIELDS = 14
# A position of the line as the transposition table knows it.
PATH_KEY, PATH_OTHER, PATH_SPREAD = range(3)
PATH_FIELDS = 3


class Workspace(NamedTuple):
    """The working memory of one thread."""

    line: NDArray[np.int64]
    path: NDArray[np.int64]
    choices: NDArray[np.int64]
    tally: NDArray[np.int64]
    """Positions searched, longest line, repetitions met."""


def new_workspace() -> Workspace:
    return Workspace(
        np.zeros((LEVELS + 1, LEVEL_FIELDS), np.int64),
        np.zeros((LEVELS + 1, PATH_FIELDS), np.int64),
        np.zeros((LEVELS + 1, 6, MOVE_FIELDS), np.int64),
        alone(3),
    )


def alone(words: int) -> NDArray[np.int64]:
    """Return zeros in cache lines that nothing else is in: threads write there while others read."""
    return aligned(words + LINE_WORDS)[:words]


def aligned(words: int) -> NDArray[np.int64]:
    """Return zeros that begin with a cache line. (NumPy asks for huge pages where there are many.)"""
    memory = np.zeros(words + LINE_WORDS, np.int64)
    skipped = -memory.ctypes.data % (8 * LINE_WORDS) // 8
    return memory[skipped : skipped + words]


def new_table(entries: int) -> NDArray[np.int64]:
    """Return an empty transposition table for at least `entries` positions."""
    return aligned(LINE_WORDS * min(max(-(-entries // BUCKET), LEAST_BUCKETS), MOST_BUCKETS))


# -- transposition table -------------------------------------------------------------------------------------------
#
# A key is two words, of 63 and 48 bits. The second is replaced by a one-to-one function of it that depends on the first
# and is spread evenly: its upper 32 bits choose the bucket, and its lower 42 bits, with the bucket, stand for it. So a
# bucket of eight words holds three entries: three first keys, three words of data, and three times 42 bits, masked by
# the data as the first keys are.

SPREAD_BITS = 48
_SPREAD = (1 << SPREAD_BITS) - 1
TAG_BITS = 42
_TAG = (1 << TAG_BITS) - 1
_HALF_TAG = (1 << TAG_BITS // 2) - 1
_DATA, _TAGS = BUCKET, 2 * BUCKET


@jit(forceinline=True)
def spread(a: int, b: int) -> int:
    """Return what stands for the second word of a key."""
    word = (int(a) & _SPREAD) * 0x9E3779B97F4B + (int(a) >> SPREAD_BITS) * 0x5851F42D4C95 + int(b) * 0xC2B2AE3D27D5
    word &= _SPREAD
    word ^= word >> 25
    word = (word * 0xD6E8FEB86659) & _SPREAD
    word ^= word >> 22
    word = (word * 0xBF58476D1CE5) & _SPREAD
    return word ^ (word >> 24)


@jit(forceinline=True)
def bucket_of(table: NDArray[np.int64], at: int) -> int:
    """Return where the bucket of a position begins."""
    return (((at >> 16) * (table.size // LINE_WORDS)) >> 32) * LINE_WORDS


@jit(forceinline=True)
def _tag_of(at: int, data: int) -> int:
    return (at ^ data ^ (data >> 21)) & _TAG


@jit(forceinline=True)
def _tag_at(table: NDArray[np.int64], start: int, i: int) -> int:
    """Return the tag of an entry. The third is in two halves, above the others."""
    one, two = table[start + _TAGS], table[start + _TAGS + 1]
    if i == 2:
        return (one >> TAG_BITS) | ((two >> TAG_BITS) << (TAG_BITS // 2))
    return (one if i == 0 else two) & _TAG


@jit(forceinline=True)
def first_key(claim: Claim, here: NDArray[np.int64]) -> int:
    """Return the mover's pits, whether the claimant moves, the seeds they still need to win more than the other of
    those on the board, and the moves left in one word. The other word of a key is the other side's pits."""
    needed = claim.margin - margin_of(claim, here[SOUTH], here[NORTH])
    return here[MINE] | ((needed & 255) << 48) | (int(here[TURN] == claim.x) << 56) | (here[LEFT] << 57)


@jit(forceinline=True)
def look_up_spread(table: NDArray[np.int64], a: int, at: int) -> int:
    """Look up a position of which `spread` is known."""
    start = bucket_of(table, at)
    for i in range(BUCKET):
        data = table[start + _DATA + i]
        if data != 0 and table[start + i] ^ data == a and _tag_at(table, start, i) == _tag_of(at, data):
            return data
    return 0


@jit(forceinline=True)
def look_up(table: NDArray[np.int64], a: int, b: int) -> int:
    """Return the table's entry for a position, or 0: proof number, disproof number, move and work in one word."""
    return look_up_spread(table, a, spread(a, b))


@jit(forceinline=True)
def proof_in(entry: int) -> int:
    return entry >> 40


@jit(forceinline=True)
def disproof_in(entry: int) -> int:
    return (entry >> 17) & 0x7FFFFF


@jit(forceinline=True)
def is_settled(entry: int) -> bool:
    return proof_in(entry) == 0 or disproof_in(entry) == 0


@jit(forceinline=True)
def move_in(entry: int) -> int:
    return (entry >> 11) & 7


@jit(forceinline=True)
def _put(table: NDArray[np.int64], a: int, at: int, data: int) -> None:
    """Store an entry in place of the one of its bucket that took the least work. What is settled stays: another thread
    may have done so since the numbers were computed."""
    start = bucket_of(table, at)
    chosen, least = 0, 1 << 30
    for i in range(BUCKET):
        held = table[start + _DATA + i]
        if held == 0 or (table[start + i] ^ held == a and _tag_at(table, start, i) == _tag_of(at, held)):
            if is_settled(held) and held != 0 and not is_settled(data):
                return
            chosen = i
            break
        if held & 2047 < least:
            chosen, least = i, held & 2047
    tag = _tag_of(at, data)
    one, two = start + _TAGS, start + _TAGS + 1
    if chosen == 2:
        table[one] = (table[one] & _TAG) | ((tag & _HALF_TAG) << TAG_BITS)
        table[two] = (table[two] & _TAG) | ((tag >> (TAG_BITS // 2)) << TAG_BITS)
    else:
        table[one + chosen] = (table[one + chosen] & (_HALF_TAG << TAG_BITS)) | tag
    table[start + chosen] = a ^ data
    table[start + _DATA + chosen] = data


@jit(forceinline=True)
def _data(proof: int, disproof: int, move: int, work: int) -> int:
    shift = max(0, bit_length(work) - 5)
    return (proof << 40) | (disproof << 17) | (move << 11) | (shift << 5) | (work >> shift)


@jit
def store_entry(table: NDArray[np.int64], a: int, b: int, proof: int, disproof: int, move: int, work: int) -> None:
    """Store a position."""
    _put(table, a, spread(a, b), _data(proof, disproof, move, work))


def entries_of(table: NDArray[np.int64], most: int | None = None) -> NDArray[np.int64]:
    """Return the `most` entries that took the most work, to be saved when a search is interrupted: rows of first key,
    what stands for the second, and data."""
    buckets = table.reshape(-1, LINE_WORDS)
    data = buckets[:, _DATA:_TAGS].ravel()
    used = np.flatnonzero(data)
    if most is not None and len(used) > most:
        used = used[np.argpartition(data[used] & 2047, len(used) - most)[len(used) - most :]]
    data = data[used]
    bucket, i = np.divmod(used, BUCKET)
    one, two = buckets[bucket, _TAGS], buckets[bucket, _TAGS + 1]
    third = (one >> TAG_BITS) | ((two >> TAG_BITS) << (TAG_BITS // 2))
    tag = np.where(i == 2, third, np.where(i == 0, one, two) & _TAG) ^ ((data ^ (data >> 21)) & _TAG)
    # The only number with these lower bits among those of the bucket.
    first = -(-(bucket << 32) // len(buckets)) << 16
    return np.column_stack((buckets[bucket, i] ^ data, first + ((tag - first) & _TAG), data))


@jit(**UNCOUNTED)
def restore_entries(table: NDArray[np.int64], rows: NDArray[np.int64]) -> None:
    """Fill a table from what `entries_of` returned."""
    for i in range(rows.shape[0]):
        _put(table, rows[i, 0], rows[i, 1] & _SPREAD, rows[i, 2])


@jit(forceinline=True)
def set_initial_numbers(row: NDArray[np.int64], claim: Claim, t: TableSet) -> None:
    """Set the initial numbers of a new position: larger the more seeds are lacking, the more must be captured before
    tables settle the rest, and the more replies there are."""
    replies = max(1, popcount(occupied(row[MINE])))  # without a seed to move the game ends: that is not settled yet
    ahead = margin_of(claim, row[SOUTH], row[NORTH]) - claim.margin
    above = row[SEEDS] - max(t.layers - 3, 0)
    to_prove = max(1, 4 * (above - ahead) + 1)
    to_refute = max(1, 4 * (above + ahead) + 3)
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
    line, path, choices, tally = work
    level = 0
    set_root(line[0], claim, root)
    line[0, PROOF_LIMIT] = INFINITE
    line[0, DISPROOF_LIMIT] = INFINITE
    line[0, MARK] = 0
    line[0, SINCE] = 0
    path[0, PATH_KEY] = first_key(claim, line[0])
    path[0, PATH_OTHER] = root.theirs
    path[0, PATH_SPREAD] = spread(path[0, PATH_KEY], root.theirs)
    last_count = tally[0] + most
    arriving = True
    leaving = False
    while True:
        here = line[level]
        moves = choices[level]
        if arriving:
            arriving = False
            here[WORK] = 1
            count = list_moves(k, claim, t, here, moves)
            here[MOVES] = count
            tally[0] += 1
            # The cache misses of both tables overlap.
            for c in range(count):
                row = moves[c]
                if row[SETTLED] == 0 and row[DEPENDS_ON] <= NOTHING_ABOVE:  # not in the endgame tables
                    row[KEY] = first_key(claim, row)
                    row[SPREAD] = spread(row[KEY], row[THEIRS])
                    prefetch(table.ctypes.data + 8 * bucket_of(table, row[SPREAD]))
                else:
                    row[SPREAD] = -1
            read_tables(k, claim, t, moves, count)
            if level > tally[1]:
                tally[1] = level
            for c in range(count):
                row = moves[c]
                if row[SETTLED] != 0:
                    continue
                if row[SPREAD] < 0:  # an entry of the endgame tables that says nothing
                    row[KEY] = first_key(claim, row)
                    row[SPREAD] = spread(row[KEY], row[THEIRS])
                if claim.moves == 0 and row[SEEDS] == here[SEEDS]:
                    # A repetition since the last capture settles the claim on this line.
                    for above in range(level, here[SINCE] - 1, -1):
                        if path[above, PATH_KEY] == row[KEY] and path[above, PATH_OTHER] == row[THEIRS]:
                            repeated = holds_repeated(claim, row)
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
        best = settling = -1
        best_weight = 1 << 60
        highest_rest = -1
        lowest_rest = NOTHING_ABOVE
        for c in range(here[MOVES]):
            row = moves[c]
            if row[SETTLED] == 0:
                entry = look_up_spread(table, row[KEY], row[SPREAD])
                if entry != 0:
                    row[EFFORT] = entry & 2047
                    row[PROOF] = proof_in(entry)
                    row[DISPROOF] = disproof_in(entry)
                elif row[PROOF] < 0:
                    set_initial_numbers(row, claim, t)
            to_choose = row[PROOF] if ours else row[DISPROOF]
            to_add = row[DISPROOF] if ours else row[PROOF]
            # A sum of estimates, however large, settles nothing.
            sum_of_all = min(INFINITE - 1, sum_of_all + to_add)
            one_infinite |= to_add == INFINITE
            if row[DEPENDS_ON] < lowest_rest:
                lowest_rest = row[DEPENDS_ON]
            if to_choose == 0 and row[DEPENDS_ON] > highest_rest:
                highest_rest, settling = row[DEPENDS_ON], c
            weight = to_choose
            if here[MARK] >= 0 and row[SETTLED] == 0 and 0 < to_choose < INFINITE:
                spot = row[SPREAD] & (MARKS - 1)
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
            if smallest == 0:
                best = settling  # another may do so on this line only
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
                data = _data(proof, disproof, move, here[WORK])
                _put(table, path[level, PATH_KEY], path[level, PATH_SPREAD], data)
            if level == 0:
                if proof == 0:
                    return PROVED
                return REFUTED if disproof == 0 else UNDECIDED
            if here[MARK] >= 0:
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
            disproof_limit = here[DISPROOF_LIMIT]
            if disproof_limit < INFINITE:
                disproof_limit += row[DISPROOF] - disproof
        else:
            disproof_limit = max(min(here[DISPROOF_LIMIT], bound), row[DISPROOF] + 1)
            proof_limit = here[PROOF_LIMIT]
            if proof_limit < INFINITE:
                proof_limit += row[PROOF] - proof
        here[BEST] = best
        level += 1
        below = line[level]
        for field in range(LEFT + 1):
            below[field] = row[field]
        below[PROOF_LIMIT] = proof_limit
        below[DISPROOF_LIMIT] = disproof_limit
        below[MARK] = -1
        if marks.shape[1] > 1 and row[EFFORT] >= WORTH_A_MARK:  # up to 31 an effort is coded as itself
            below[MARK] = row[SPREAD] & (MARKS - 1)
            marks[below[MARK], thread] += 1
        below[SINCE] = here[SINCE] if row[SEEDS] == here[SEEDS] else level
        path[level, PATH_KEY] = row[KEY]
        path[level, PATH_OTHER] = row[THEIRS]
        path[level, PATH_SPREAD] = row[SPREAD]
        arriving = True
