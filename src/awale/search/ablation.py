"""Ablation: one search whose improvements are switched on one by one, to measure what each of them saves.

Plain minimax; alpha-beta; captures first; killer moves and history heuristic; transposition table; iterative deepening.
The value of a position does not depend on the switches (a transposition-table entry is used only at its exact depth);
the counted work does. Repetitions are not detected, as in `awale.search.classic`. Values are as in `awale.search.core`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.game import Game
from awale.kernels import NO_MOVE, generic
from awale.kernels.bits import lowest
from awale.kernels.convert import move_of, pack_game
from awale.kernels.jit import jit
from awale.rules.moves import Move
from awale.search.core import (
    ABORTED,
    ALPHA,
    BEST,
    BEST_MOVE,
    BETA,
    COUNT,
    DEPTH,
    EXACT,
    FIRST_ALPHA,
    INDEX,
    INFINITE,
    LAST,
    LOWER,
    MAX_PLY,
    UPPER,
    Scratch,
    descend,
    end_value,
    estimate,
    insert_ranked,
    new_scratch,
    open_node,
    probe_entry,
    reward,
    store_entry,
    stored_value,
    strip_ranks,
    usable,
)
from awale.search.engine import new_transposition_table
from awale.search.states import MOVES, exact_key, expand, leaf_ending, load, mix, save

PRUNE, CAPTURES_FIRST, HISTORY, TABLE, DEEPENING = (1 << n for n in range(5))
NODES, LEAVES, CUTS, HITS, LIMIT = range(5)
METHODS: dict[str, int] = {
    "minimax": 0,
    "alphabeta": PRUNE,
    "captures": PRUNE | CAPTURES_FIRST,
    "history": PRUNE | CAPTURES_FIRST | HISTORY,
    "table": PRUNE | CAPTURES_FIRST | HISTORY | TABLE,
    "deepening": PRUNE | CAPTURES_FIRST | HISTORY | TABLE | DEEPENING,
}
"""Each method adds one improvement to the one before."""
TABLE_MB = 32


@jit
def _order(s: Scratch, ply: int, mask: int, state: Any, table_move: int, flags: int) -> int:
    """Order the moves of a node as `flags` say, else by pit; return their number."""
    count = 0
    captured = state.south + state.north
    while mask:
        move = lowest(mask)
        mask &= mask - 1
        rank = 0
        if flags & HISTORY:
            rank = s.history[state.turn, move]
            if move == s.killers[ply, 0]:
                rank += 1 << 40
            elif move == s.killers[ply, 1]:
                rank += 1 << 39
        if flags & CAPTURES_FIRST:
            child = load(state, s.children, ply * MOVES + move)
            taken = child.south + child.north - captured
            if taken > 0:
                rank = (1 << 40) + (taken << 41)
        if move == table_move:
            rank = 1 << 50
        insert_ranked(s, ply, count, rank, move)
        count += 1
    strip_ranks(s, ply, count)
    return count


@jit
def search(
    k: Any,
    weights: NDArray[np.int32],
    tt: NDArray[np.int64],
    s: Scratch,
    counts: NDArray[np.int64],
    root: Any,
    depth: int,
    flags: int,
) -> int:
    """Return the value of a position that is not over, for the player to move; ABORTED once the node limit is reached.
    The best move is left in the first frame.

    Args:
        k: packed rules of any family.
        weights: as for `evaluation.evaluate`.
        tt: the transposition table.
        s: the memory of the search.
        counts: counters, indexed by NODES, LEAVES, CUTS and HITS, and the LIMIT of nodes.
        root: the position.
        depth: plies to search.
        flags: what is switched on (see METHODS).
    """
    frames = s.frames
    ply = 0
    save(s.states, 0, root)
    frames[0, ALPHA], frames[0, BETA], frames[0, DEPTH], frames[0, LAST] = -INFINITE, INFINITE, depth, 1 - root.turn
    entering = True
    value = 0
    while True:
        state = load(root, s.states, ply)
        if entering:
            counts[NODES] += 1
            if counts[NODES] > counts[LIMIT]:
                return ABORTED
            depth, alpha, beta, last = frames[ply, DEPTH], frames[ply, ALPHA], frames[ply, BETA], frames[ply, LAST]
            value = ABORTED
            code = generic.stopped(k, state, last)
            if code != 0:
                value = end_value(k, state, code, last, ply)
            elif depth <= 0:
                counts[LEAVES] += 1
                code = leaf_ending(k, state, last)
                value = estimate(k, weights, state) if code == 0 else end_value(k, state, code, last, ply)
            table_move = -1
            if value == ABORTED and flags & TABLE:
                one, two = exact_key(state)
                two ^= mix(state.ply + 1)
                data = probe_entry(tt, one, two)
                if data != 0:
                    table_move = (data >> 27) & 31
                    found = stored_value(data, ply)
                    if (data >> 17) & 255 == depth and ply > 0 and usable(data, found, alpha, beta):
                        counts[HITS] += 1
                        value = found
            if value == ABORTED:
                mask = expand(k, state, s.children[ply * MOVES : (ply + 1) * MOVES])
                if mask == 0:
                    value = end_value(k, state, NO_MOVE, last, ply)
                else:
                    open_node(s, ply, _order(s, ply, mask, state, table_move, flags), alpha)
                    ply = descend(s, root, ply, state)
                    continue
            if ply == 0:
                return value
            ply -= 1
            entering = False
            continue

        child = load(root, s.states, ply + 1)
        if child.turn != state.turn:
            value = -value
        index = frames[ply, INDEX]
        move = s.order[ply, index]
        if value > frames[ply, BEST]:
            frames[ply, BEST] = value
            frames[ply, BEST_MOVE] = move
            if flags & PRUNE and value > frames[ply, ALPHA]:
                frames[ply, ALPHA] = value
        closed = flags & PRUNE and frames[ply, ALPHA] >= frames[ply, BETA]
        if not closed and index + 1 < frames[ply, COUNT]:
            frames[ply, INDEX] = index + 1
            ply = descend(s, root, ply, state)
            entering = True
            continue
        value = frames[ply, BEST]
        if closed:
            counts[CUTS] += 1
            if flags & HISTORY:
                reward(s, ply, state.turn, move, frames[ply, DEPTH])
        if flags & TABLE:
            bound = LOWER if value >= frames[ply, BETA] else UPPER if value <= frames[ply, FIRST_ALPHA] else EXACT
            one, two = exact_key(state)
            two ^= mix(state.ply + 1)
            store_entry(tt, one, two, value, ply, frames[ply, DEPTH], bound, frames[ply, BEST_MOVE], 1)
        if ply == 0:
            return value
        ply -= 1


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a search."""

    method: str
    depth: int
    move: Move
    value: int
    """Hundredths of a seed for the player to move."""
    nodes: int
    leaves: int
    cuts: int
    hits: int
    seconds: float
    """CPU time, so that other load does not count."""


class AblationSearch:
    """Run a position through the methods, each search with empty tables.

    >>> from awale.search.linear import BUILT_IN
    >>> ablation = AblationSearch(Game("ghana4").rules, BUILT_IN["material"].array(Game("ghana4").rules))
    >>> plain, pruned = (ablation.run(Game("ghana4"), method, 4) for method in ("minimax", "alphabeta"))
    >>> plain.value == pruned.value, plain.nodes > pruned.nodes
    (True, True)
    """

    def __init__(self, rules: Any, weights: NDArray[Any]) -> None:
        self.rules, self._weights = rules, weights
        self._tt = new_transposition_table(TABLE_MB)

    def run(self, game: Game, method: str, depth: int, limit: int = 1 << 60) -> Work | None:
        """Search a game that is not over; return None if that takes more than `limit` nodes."""
        flags = METHODS[method]
        if not 1 <= depth <= MAX_PLY - 4:
            raise ValueError(f"the depth must be from 1 to {MAX_PLY - 4}")
        k, root = pack_game(game)
        scratch = new_scratch(np.zeros((0, 2), np.int64))
        counts = np.zeros(8, np.int64)
        counts[LIMIT] = limit
        if flags & TABLE:
            self._tt[:] = 0
        began = time.thread_time()
        value = 0
        for reach in range(1 if flags & DEEPENING else depth, depth + 1):
            value = int(search(k, self._weights, self._tt, scratch, counts, root, reach, flags))
            if value == ABORTED:
                return None
        seconds = time.thread_time() - began
        move = move_of(game.rules, game.turn, int(scratch.frames[0, BEST_MOVE]))
        nodes, leaves, cuts, hits = (int(counts[at]) for at in (NODES, LEAVES, CUTS, HITS))
        return Work(method, depth, move, value, nodes, leaves, cuts, hits, seconds)
