"""Checking what the search found, move by move: a strategy that anybody can replay.

A proved claim comes with a strategy: one move for every position where the claimant is to move, every reply answered,
and every line ending as claimed: at the end of a game, at a position that a table knows, or where too few seeds are
left to change the result. A refuted claim comes with one for the other side, which stays for ever among positions from
which no line ends as claimed. A strategy may cycle where a cycle settles the claim in its favour, and nowhere else.

`walk` plays these strategies with the kernel and takes from the transposition table only the move to try. So the
certificate does not depend on how the search works, nor on whether threads shared its table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.kernels.endgame import TableSet
from awale.kernels.jit import UNCOUNTED, jit
from awale.search.claims import (
    ENDED,
    LEFT,
    LEVELS,
    MOVE,
    PROOF,
    REPEATED,
    SETTLED,
    THEIRS,
    TURN,
    Claim,
    expand,
    holds_repeated,
    holds_without_move,
    set_root,
)
from awale.search.proof import MOVES, Workspace, disproof_in, first_key, look_up, move_in, proof_in, spread

COMPLETE, MISSING, FULL, WRONG, TOO_LONG, CYCLE, CANCELLED = range(7)

# The columns of a strategy.
KEY_A, KEY_B, DATA = range(3)
USED = 1 << 39
OPEN = 1 << 40
"""The position is on the line being walked."""
INTERRUPTED = 1 << 41
"""It was when a walk was interrupted: nothing is known of it."""
ALL = 7
"""In place of a move: the other side is to move, and all moves were walked."""

# More columns of a level.
NEXT, LONGEST, SLOT = 8, 9, 10


class Strategy(NamedTuple):
    """Positions with the move chosen there and the longest line from there, in an open-addressing hash table."""

    slots: NDArray[np.int64]
    kept: NDArray[np.int64]
    """The number of positions; then how often a line was closed by the end of the game, by too few seeds being left, by
    a table entry, and by a cycle."""


def new_strategy(bits: int) -> Strategy:
    return Strategy(np.zeros((1 << bits, 3), np.int64), np.zeros(1 + REPEATED, np.int64))


@jit(**UNCOUNTED)
def find(slots: NDArray[np.int64], a: int, b: int) -> int:
    """Return the slot of a position, or the empty one where it belongs."""
    last = slots.shape[0] - 1
    place = spread(a, b) & last
    while slots[place, DATA] != 0 and (slots[place, KEY_A] != a or slots[place, KEY_B] != b):
        place = (place + 1) & last
    return place


@jit
def chosen_move(slots: NDArray[np.int64], a: int, b: int) -> int:
    """Return the move that the strategy plays in a position, ALL if the other side is to move, -1 if it is not
    included."""
    data = slots[find(slots, a, b), DATA]
    return (data & 7) if data != 0 else -1


@jit(**UNCOUNTED)
def walk(
    k: Any,
    claim: Claim,
    t: TableSet,
    root: Any,
    holds: bool,
    table: NDArray[np.int64],
    work: Workspace,
    strategy: Strategy,
    hints: NDArray[np.int64],
    missing: NDArray[np.int64],
    cancelled: NDArray[np.int64],
) -> int:
    """Walk the strategy which shows that the claim holds (or fails). Return COMPLETE once every line is closed.

    MISSING: the table has no move for the position written to `missing`: search it, and walk again (progress is kept).
    CYCLE: the moves in the table lead back to that position, which happens when entries were overwritten: solve it
    again. FULL: the strategy needs more slots. WRONG: a line does not end as it should. CANCELLED: `cancelled[0]` is
    set. `hints` are the slots of an earlier walk, whose moves are tried before the table's.
    """
    line, _, choices, tally = work
    slots, kept = strategy
    level = 0
    set_root(line[0], claim, root)
    arriving = True
    outcome = COMPLETE
    opened = -1  # the last level whose position is marked as open
    while True:
        here = line[level]
        moves = choices[level]
        if arriving:
            arriving = False
            a = first_key(claim, here)
            slot = find(slots, a, here[THEIRS])
            data = slots[slot, DATA]
            opened = level - 1
            if data & OPEN and holds_repeated(claim, here) != holds:
                for field in range(LEFT + 1):
                    missing[field] = here[field]
                outcome = CYCLE
                break
            if data & INTERRUPTED == 0 and data != 0:
                if level == 0:
                    return COMPLETE
                level -= 1
                length = 0 if data & OPEN else (data >> 3) & 0xFFFFFF
                kept[REPEATED] += int(data & OPEN != 0)
                line[level, LONGEST] = max(line[level, LONGEST], length + 1)
                continue
            if 4 * kept[0] > 3 * slots.shape[0] or cancelled[0] != 0:
                outcome = FULL if cancelled[0] == 0 else CANCELLED
                break
            here[MOVES] = expand(k, claim, t, here, moves)
            tally[0] += 1
            here[NEXT] = 0
            here[LONGEST] = 0
            here[SLOT] = slot
            chosen = ALL
            if here[MOVES] == 0:
                if holds_without_move(k, claim, here) != holds:
                    outcome = WRONG
                    break
                kept[ENDED] += 1
            elif (here[TURN] == claim.x) == holds:
                # The strategy's own side plays one move: one that settles the claim at once, or the one found.
                for c in range(here[MOVES]):
                    if moves[c, SETTLED] != 0 and (moves[c, PROOF] == 0) == holds:
                        chosen = c
                        break
                if chosen == ALL:
                    # The table may have lost the move again: what an interrupted walk chose here is kept.
                    hint = data & 7 if data != 0 else chosen_move(hints, a, here[THEIRS])
                    if hint < 0 or hint == ALL:
                        found = look_up(table, a, here[THEIRS])
                        if found != 0 and (proof_in(found) == 0 if holds else disproof_in(found) == 0):
                            hint = move_in(found)
                    for c in range(here[MOVES]):
                        if moves[c, MOVE] == hint:
                            chosen = c
                    if chosen == ALL:
                        for field in range(LEFT + 1):
                            missing[field] = here[field]
                        outcome = MISSING
                        break
                for field in range(moves.shape[1]):
                    moves[0, field] = moves[chosen, field]
                here[MOVES] = 1
                chosen = moves[0, MOVE]
            kept[0] += int(data == 0)
            slots[slot, KEY_A] = a
            slots[slot, KEY_B] = here[THEIRS]
            slots[slot, DATA] = USED | OPEN | chosen
        opened = level
        if here[NEXT] == here[MOVES]:
            data = slots[here[SLOT], DATA]
            slots[here[SLOT], DATA] = USED | (here[LONGEST] << 3) | (data & 7)
            if level == 0:
                return COMPLETE
            level -= 1
            line[level, LONGEST] = max(line[level, LONGEST], here[LONGEST] + 1)
            continue
        row = moves[here[NEXT]]
        here[NEXT] += 1
        if row[SETTLED] != 0:
            if (row[PROOF] == 0) != holds:
                outcome = WRONG
                break
            kept[row[SETTLED]] += 1
            here[LONGEST] = max(here[LONGEST], 1)
            continue
        if level == LEVELS:
            outcome = TOO_LONG
            break
        level += 1
        for field in range(LEFT + 1):
            line[level, field] = row[field]
        arriving = True
    for above in range(opened + 1):
        slot = line[above, SLOT]
        slots[slot, DATA] = USED | INTERRUPTED | (ALL if outcome == CYCLE else slots[slot, DATA] & 7)
    return outcome
