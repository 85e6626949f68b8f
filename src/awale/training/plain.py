"""A plain search for proofs: all lines, deeper and deeper, with the positions since the last capture on a path.

It shares the kernels, which are tested against the reference rules, with the engine and nothing else: no tables, no
evaluation, no selection of moves.

Where a repetition ends the game, what holds after one line need not hold after another. A proof is kept for other lines
only if it needs no repetition, or none of a position before it while every repetition within it would do as well. That
is sound: follow the proof of a position that was kept first. It leads to positions whose proofs were kept earlier
still, so nothing comes back, or to some of which the return does no harm.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.game import Game
from awale.kernels import REPETITION, convert, generic
from awale.kernels.bits import lowest
from awale.kernels.endings import NEVER
from awale.kernels.jit import jit
from awale.kernels.repetition import AFTER_TURN, remember
from awale.rules import Rules
from awale.rules.moves import Move

NODES = 10_000_000
"""Positions that the search for one proof may visit."""
DEEPEST = 80
SLOTS = 1 << 18
PROVEN = 1 << 20
FAILS = -1
NONE = 1 << 20
"""Greater than any row."""


@jit
def proves(
    k: Any,
    state: Any,
    last: int,
    side: int,
    need: int,
    depth: int,
    rows: NDArray[np.int64],
    row: int,
    first: int,
    memory: NDArray[np.int64],
    counters: NDArray[np.int64],
) -> tuple[int, bool]:
    """Return whether a player is shown to force a final margin within some moves: `FAILS`, or the lowest row whose
    return the proof relies on (`NONE`: on none), and whether the return of every position of the proof would do.

    Args:
        k: the packed rules.
        state: the position.
        last: who moved last.
        side: the player who forces it.
        need: the margin, their seeds less the opponent's.
        depth: moves that may be played.
        rows: the positions of this line.
        row: where the position goes in the rows.
        first: the first row since the last capture.
        memory: what is known of positions: the state, the claim's number, and `PROVEN` or the depth that did not
            suffice.
        counters: visits left; the claim's number; seeds in the game; rows before the search; 1 if a line was cut off.
    """
    counters[0] -= 1
    code = generic.ending(k, state, last)
    back = -1
    if code == 0 and k.endings.repetition >= 0:
        for earlier in range(first, row):
            same = True
            for i in range(len(state) - AFTER_TURN):
                same = same and rows[earlier, i] == state[i]
            if same:
                back, code = earlier, REPETITION
    if code != 0:
        south, north = generic.final(k, state, code, last)
        if (south - north if side == 0 else north - south) < need:
            return FAILS, True
        return (back if back >= counters[3] else NONE), True
    lead = state.south - state.north if side == 0 else state.north - state.south
    seeds = counters[2] - state.south - state.north
    if lead - seeds >= need:
        return NONE, True
    if lead + seeds < need:
        return FAILS, True
    width = len(state) - int(k.endings.move_limit == NEVER)  # the ply is the last field
    mixed = counters[1]
    for i in range(width):
        mixed = (mixed ^ state[i]) * 0x2545_F491_4F6C_DD1D
        mixed ^= mixed >> 29
    slot = mixed & (SLOTS - 1)
    known = memory[slot, width] == counters[1]
    for i in range(width):
        known = known and memory[slot, i] == state[i]
    if known and memory[slot, width + 1] == PROVEN:
        return NONE, True
    if depth == 0 or counters[0] <= 0 or (known and memory[slot, width + 1] >= depth):
        counters[4] = 1
        return FAILS, True
    could = True
    if k.endings.repetition >= 0:
        remember(state, rows, row)
        south, north = generic.final(k, state, REPETITION, last)
        could = (south - north if side == 0 else north - south) >= need
    own = state.turn == side
    low = FAILS if own else NONE
    for quiet in (False, True):
        mask = generic.legal(k, state)
        while mask != 0 and (low == FAILS) == own:
            move = lowest(mask)
            mask &= mask - 1
            child = generic.play(k, state, move)
            kept = child.south + child.north == state.south + state.north
            if kept != quiet:
                continue
            since = first if kept else row + 1
            found, good = proves(k, child, state.turn, side, need, depth - 1, rows, row + 1, since, memory, counters)
            if found != FAILS and not kept:  # nothing before a capture comes back after it
                found, good = NONE, True
            if own or found < low:
                low = found
            could = could and (good or found == FAILS)
    if low in (FAILS, NONE) or (low >= row and could):
        for i in range(width):
            memory[slot, i] = state[i]
        memory[slot, width] = counters[1]
        memory[slot, width + 1] = depth if low == FAILS else PROVEN
    return low, could


class PlainProver:
    """Settle claims about the moves of games under one rule system."""

    def __init__(self, rules: Rules, *, nodes: int = NODES) -> None:
        self.rules, self.nodes = rules, nodes
        self._k = convert.pack_rules(rules)
        self._memory: NDArray[np.int64] | None = None
        self._claims = 0

    def at_least(self, game: Game, move: Move | str, margin: int, *, likely: bool = True) -> bool | None:
        """Return whether the player to move forces a final margin by this move; None if that is not settled.

        `likely`: what is tried to be proven first.
        """
        after, player = game.copy(), game.turn
        after.push(move)
        if after.over:
            return after.scores[player] - after.scores[1 - player] >= margin
        for holds in (likely, not likely):
            found = self._forces(after, player if holds else 1 - player, margin if holds else 1 - margin, player)
            if found is not None:
                return found == holds
        return None

    def _forces(self, game: Game, side: int, need: int, last: int) -> bool | None:
        """Return whether a player forces a margin; False only if every line was followed to its end."""
        states = convert.pack_history(game) if self.rules.repetition != "none" else (convert.pack_game(game)[1],)
        *history, state = states
        rows = np.zeros((len(history) + DEEPEST + 1, len(state) - AFTER_TURN), np.int64)
        for row, earlier in enumerate(history):
            rows[row] = earlier[:-AFTER_TURN]
        if self._memory is None:
            self._memory = np.zeros((SLOTS, len(state) + 2), np.int64)
        self._claims += 1
        seeds = sum(game.counts) + sum(game.scores)
        counters = np.array([self.nodes, self._claims, seeds, len(history), 0], np.int64)
        for depth in range(1, DEEPEST + 1):
            counters[4] = 0
            low, _ = proves(self._k, state, last, side, need, depth, rows, len(history), 0, self._memory, counters)
            if low != FAILS:
                return True
            if counters[4] == 0:
                return False
            if counters[0] <= 0:
                return None
        return None
