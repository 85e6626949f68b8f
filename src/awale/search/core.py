"""The engine's compiled search: principal variation search on an explicit stack, for any family of rules.

No recursion: a compiled function that calls itself would pass all its arrays down again at every node. Each ply has a
row in `frames` for its window and progress, and its children's states in `children`; a node is entered, its children
are entered one after the other, and their values come back up.

Values are hundredths of a seed for the player to move. A game won at ply n of the search is worth `WIN - n`, so that
the shorter win is preferred; a win proven by an endgame table is worth `KNOWN` plus its margin, below any win that the
search itself reaches.

Used here: a transposition table, null windows, killer moves, the history heuristic, late-move reductions,
reverse futility pruning, and for several threads a simplified ABDADA.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.kernels import NO_MOVE, REPETITION, generic
from awale.kernels.bits import bit_length, lowest
from awale.kernels.jit import UNCOUNTED, jit
from awale.search.evaluation import evaluate
from awale.search.states import (
    FIELDS,
    MOVES,
    exact_key,
    expand,
    leaf,
    leaf_stuck,
    load,
    mix,
    moves_above_leaves,
    save,
)
from awale.search.tableprobe import NOT_FOUND, TableSet, table_bounds

MAX_PLY = 96
WIN = 30_000
WON = WIN - 2 * MAX_PLY
"""At least this: the search reached the end of the game."""
KNOWN = 26_000
"""At least this: proven by an endgame table."""
ESTIMATE_LIMIT = 25_000
INFINITE = 32_000
ABORTED = 1 << 20

ALPHA, BETA, BEST, BEST_MOVE, DEPTH, FIRST_ALPHA, COUNT, INDEX, FULL_WINDOW, LAST, SINCE, REDUCTION = range(12)
"""Columns of `frames`. LAST: the player who moved last. SINCE: the ply of the first position after the last capture."""
FRAME = 12
STOP, NODES, CUTS, TABLE_HITS, KNOWN_HITS, NODE_LIMIT, OVERTAKEN = range(7)
"""Entries of `control`. OVERTAKEN: the first thread has finished this depth, so the others leave it."""
CONTROL = 16
UPPER, LOWER, EXACT = 1, 2, 3
LATE, VERY_LATE = 2, 7
"""Places in the move order from which quiet moves are reduced by one ply and by two."""
FUTILE_DEPTH, FUTILE_MARGIN = 4, 200
"""Reverse futility pruning: the depth up to which it is tried, and its margin for each ply."""
BUSY = 1 << 12
SHARED_DEPTH = 3
"""Threads avoid each other's moves where at least this depth is left."""

NOWHERE, ON_PATH, BEFORE = range(3)
"""Where a position occurred: nowhere; on the path below the root; at the root or in the game before it."""
NO_REPETITION, REPETITION_RULE, REPETITION_STANDSTILL = range(3)
"""Repetitions never count; they end the game by the rules; or no rule ends a cycle, and a repeated position is worth
what has been captured (the players would agree to stop)."""


class Scratch(NamedTuple):
    """The memory of one searching thread; rows are plies."""

    frames: NDArray[np.int64]
    """Window and progress of each node on the current path."""
    states: NDArray[np.int64]
    """The states of the current path."""
    children: NDArray[np.int64]
    """The states after each move of those nodes: row `ply * MOVES + move`."""
    order: NDArray[np.int64]
    """The moves of each node in the order to try them."""
    keys: NDArray[np.int64]
    """The exact keys of the current path, for repetitions."""
    history: NDArray[np.int64]
    """History heuristic: by player and move."""
    killers: NDArray[np.int64]
    """Two killer moves a ply."""
    lines: NDArray[np.int64]
    """The principal variation below each ply, `lengths` moves long."""
    lengths: NDArray[np.int64]
    past: NDArray[np.int64]
    """Keys of the game's positions since the last capture, oldest first."""
    busy: NDArray[np.int64]
    """Moves that some thread is searching now, shared by all threads; a single entry if there is one thread."""


def new_busy(threads: int) -> NDArray[np.int64]:
    return np.zeros(BUSY if threads > 1 else 1, np.int64)


def new_scratch(past: NDArray[np.int64], busy: NDArray[np.int64] | None = None) -> Scratch:
    return Scratch(
        frames=np.zeros((MAX_PLY, FRAME), np.int64),
        states=np.zeros((MAX_PLY, FIELDS), np.int64),
        children=np.zeros((MAX_PLY * MOVES, FIELDS), np.int64),
        order=np.zeros((MAX_PLY, MOVES), np.int64),
        keys=np.zeros((MAX_PLY, 2), np.int64),
        history=np.zeros((2, MOVES), np.int64),
        killers=np.full((MAX_PLY, 2), -1, np.int64),
        lines=np.zeros((MAX_PLY + 1, MAX_PLY + 1), np.int64),
        lengths=np.zeros(MAX_PLY + 1, np.int64),
        past=past,
        busy=new_busy(1) if busy is None else busy,
    )


class Setup(NamedTuple):
    """How a search treats cycles, limits and depth."""

    repetition: int
    shortest_cycle: int
    """No position comes back in fewer moves: 4 where nobody passes and a pit is empty after it was played (whatever a
    first move sows, a second cannot gather again)."""
    cycle_step: int
    """2 where nobody passes, because the same player must be to move."""
    move_limit: int
    """Above any ply if the rules have none."""
    probe_below: int
    """Endgame tables are asked about positions with fewer seeds than this."""
    equal_depth: int
    """1: a stored value counts only for the very depth it was found at, so that a search to a fixed depth has one
    answer whatever is in the table and however many threads fill it."""
    selective: int = 0
    """1: late-move reductions. Quiet moves late in the order are searched to a smaller depth first, and to the full
    depth only if they beat alpha."""
    margin: int = 0
    """Reverse futility pruning, unless 0: a position whose evaluation is above the null window by so much for every ply
    of the depth left is not searched."""
    salt: int = 0
    """Part of the keys of the transposition table: another one hides what earlier searches have stored."""


class Context(NamedTuple):
    """All that stays the same during one thread's search."""

    k: Any
    """The packed rules of any family."""
    setup: Setup
    weights: NDArray[Any]
    """Fitted weights (one dimension) or those of a `linear.Weighing` (two): see `evaluation.evaluate`."""
    tables: TableSet
    """Endgame tables, or `NO_TABLES`."""
    tt: NDArray[np.int64]
    """The transposition table, shared by all threads; see `store_entry`."""
    scratch: Scratch
    control: NDArray[np.int64]
    """Counters and flags of this thread, `CONTROL` entries."""


@jit(forceinline=True)
def end_value(k: Any, state: Any, code: int, last: int, ply: int) -> int:
    """Return the value of a game that is over by `code`, at `ply` of the search; `last` moved last."""
    south, north = generic.final(k, state, code, last)
    margin = south - north if state.turn == 0 else north - south
    if margin > 0:
        return WIN - ply
    if margin < 0:
        return ply - WIN
    return 0


@jit(forceinline=True)
def known_value(state: Any, rest: int) -> int:
    """Return the value of a position where the player to move still wins `rest` seeds net, by an endgame table."""
    margin = rest + (state.south - state.north if state.turn == 0 else state.north - state.south)
    if margin > 0:
        return KNOWN + margin
    if margin < 0:
        return margin - KNOWN
    return 0


@jit(forceinline=True)
def estimate(k: Any, weights: NDArray[np.int32], state: Any) -> int:
    """Return the static evaluation, kept below every proven value."""
    value = evaluate(k, weights, state)
    if value > ESTIMATE_LIMIT:
        return ESTIMATE_LIMIT
    if value < -ESTIMATE_LIMIT:
        return -ESTIMATE_LIMIT
    return value


@jit(forceinline=True)
def may_repeat(setup: Setup, s: Scratch, ply: int, since: int) -> bool:
    """Return whether enough moves were played since the last capture for a position to come back."""
    if setup.repetition == NO_REPETITION:
        return False
    return ply - since >= setup.shortest_cycle or (since == 0 and s.past.shape[0] > 0)


@jit(forceinline=True)
def occurred(setup: Setup, s: Scratch, ply: int, since: int, one: int, two: int) -> int:
    """Return where a position occurred since the last capture: NOWHERE, ON_PATH or BEFORE."""
    i = ply - setup.shortest_cycle
    while i >= since:
        if s.keys[i, 0] == one and s.keys[i, 1] == two:
            return BEFORE if i == 0 else ON_PATH
        i -= setup.cycle_step
    if since == 0:
        for i in range(s.past.shape[0] - 1, -1, -1):
            if s.past[i, 0] == one and s.past[i, 1] == two:
                return BEFORE
    return NOWHERE


# -- transposition table -------------------------------------------------------------------------------------------


@jit(forceinline=True)
def salted(setup: Setup, two: int, state_ply: int) -> int:
    """Return the second key word, mixed with the ply of the game where a search can reach the move limit."""
    if state_ply + MAX_PLY >= setup.move_limit:
        return two ^ setup.salt ^ mix(state_ply + 1)
    return two ^ setup.salt


@jit(forceinline=True)
def probe_entry(tt: NDArray[np.int64], one: int, two: int) -> int:
    """Return the data stored for a position, or 0. Keys are stored xored with the data, so that an entry half written
    by another thread does not match."""
    at = mix(one ^ mix(two)) & (tt.shape[0] - 2)
    for slot in range(at, at + 2):
        data = tt[slot, 2]
        if data != 0 and tt[slot, 0] ^ data == one and tt[slot, 1] ^ data == two:
            return data
    return 0


@jit(forceinline=True)
def store_entry(
    tt: NDArray[np.int64], one: int, two: int, value: int, ply: int, depth: int, bound: int, move: int, age: int
) -> None:
    """Store a search result. Of a bucket's two entries, the first keeps the deeper result of this search, the second
    the latest.

    Args:
        tt: the transposition table.
        one: first word of the exact key.
        two: second word, `salted`.
        value: from this ply's point of view; wins are stored as counted from the position.
        ply: of the node in the search.
        depth: to which it was searched.
        bound: UPPER, LOWER or EXACT.
        move: the best one.
        age: the number of the search; entries of older searches are replaced first.
    """
    if value >= WON:
        value += ply
    elif value <= -WON:
        value -= ply
    data = (value + 32_768) | (depth << 17) | (bound << 25) | (move << 27) | (age << 33)
    at = mix(one ^ mix(two)) & (tt.shape[0] - 2)
    old = tt[at, 2]
    same = tt[at, 0] ^ old == one and tt[at, 1] ^ old == two
    if not same and old != 0 and (old >> 33) == age and ((old >> 17) & 255) > depth:
        at += 1
    tt[at, 0] = one ^ data
    tt[at, 1] = two ^ data
    tt[at, 2] = data


@jit(forceinline=True)
def stored_value(data: int, ply: int) -> int:
    """Return the value of an entry, for a node at this ply."""
    value = (data & 0x1FFFF) - 32_768
    if value >= WON:
        return value - ply
    if value <= -WON:
        return value + ply
    return value


@jit(forceinline=True)
def usable(data: int, value: int, alpha: int, beta: int) -> bool:
    """Return whether an entry's value, which may be a bound, decides a node with this window."""
    bound = (data >> 25) & 3
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)


# -- move ordering -------------------------------------------------------------------------------------------------


@jit(forceinline=True)
def insert_ranked(s: Scratch, ply: int, count: int, rank: int, move: int) -> None:
    """Insert a move by its rank among `count` moves of a node: rank above, move in the low bits (31 - move keeps the
    first pit first among equals). `strip_ranks` ends the sort."""
    item = (rank << 5) | (31 - move)
    i = count
    while i > 0 and s.order[ply, i - 1] < item:
        s.order[ply, i] = s.order[ply, i - 1]
        i -= 1
    s.order[ply, i] = item


@jit(forceinline=True)
def strip_ranks(s: Scratch, ply: int, count: int) -> None:
    """Leave the moves alone in the order that `insert_ranked` made."""
    for i in range(count):
        s.order[ply, i] = 31 - (s.order[ply, i] & 31)


@jit(forceinline=True)
def sort_moves(s: Scratch, ply: int, mask: int, state: Any, table_move: int) -> int:
    """Order the moves of a node: that of the transposition table, captures, killers, then by history. Return their
    number."""
    count = 0
    captured = state.south + state.north
    mine = state.turn
    while mask:
        move = lowest(mask)
        mask &= mask - 1
        child = load(state, s.children, ply * MOVES + move)
        taken = child.south + child.north - captured
        rank = s.history[mine, move]
        if move == table_move:
            rank += 1 << 50
        elif taken > 0:
            rank += (1 << 40) + (taken << 41)
        elif move == s.killers[ply, 0]:
            rank += 1 << 40
        elif move == s.killers[ply, 1]:
            rank += 1 << 39
        insert_ranked(s, ply, count, rank, move)
        count += 1
    strip_ranks(s, ply, count)
    return count


@jit(forceinline=True)
def reward(s: Scratch, ply: int, player: int, move: int, depth: int) -> None:
    """Record a move that caused a beta cutoff: killer move and history heuristic."""
    if s.killers[ply, 0] != move:
        s.killers[ply, 1] = s.killers[ply, 0]
        s.killers[ply, 0] = move
    s.history[player, move] += depth * depth
    if s.history[player, move] > 1 << 30:
        for p in range(2):
            for m in range(MOVES):
                s.history[p, m] >>= 4


# -- threads -------------------------------------------------------------------------------------------------------


@jit(forceinline=True)
def mark_of(s: Scratch, ply: int, move: int) -> int:
    """Return the entry of `busy` while a move is searched; never 0."""
    return mix(s.keys[ply, 0] ^ mix(s.keys[ply, 1] + (move << 58))) | 1


@jit(forceinline=True)
def take_free_move(s: Scratch, ply: int, index: int, count: int) -> None:
    """Bring forward the first move from `index` on that no other thread is searching, and mark it. The others' moves
    come last, when the transposition table has them (simplified ABDADA, after T. Kerrigan)."""
    last = s.busy.shape[0] - 1
    for j in range(index, count):
        move = s.order[ply, j]
        mark = mark_of(s, ply, move)
        if s.busy[mark & last] != mark or j == count - 1:
            if j == count - 1 and s.busy[mark & last] == mark:
                j, move = index, s.order[ply, index]
                mark = mark_of(s, ply, move)
            while j > index:
                s.order[ply, j] = s.order[ply, j - 1]
                j -= 1
            s.order[ply, index] = move
            s.busy[mark & last] = mark
            return


@jit(forceinline=True)
def release_move(s: Scratch, ply: int, move: int) -> None:
    """Take a move out of `busy`."""
    last = s.busy.shape[0] - 1
    mark = mark_of(s, ply, move)
    if s.busy[mark & last] == mark:
        s.busy[mark & last] = 0


# -- searching -----------------------------------------------------------------------------------------------------


@jit(forceinline=True)
def settled_value(c: Context, state: Any, ply: int, since: int, last: int, alpha: int, beta: int) -> int:
    """Return the value of a position that needs no search (game over, repetition, endgame table), or a bound that an
    endgame table gives and that decides the window; else ABORTED.

    Args:
        c: the context; the position's key must be in its `scratch.keys` where it may repeat.
        state: the position.
        ply: where it is in the search.
        since: the ply of the first position after the last capture.
        last: the player who moved last.
        alpha: lower end of the window.
        beta: upper end of the window.
    """
    code = generic.stopped(c.k, state, last)
    if code != 0:
        return end_value(c.k, state, code, last, ply)
    s = c.scratch
    if may_repeat(c.setup, s, ply, since):
        if occurred(c.setup, s, ply, since, s.keys[ply, 0], s.keys[ply, 1]) != NOWHERE:
            if c.setup.repetition == REPETITION_RULE:
                return end_value(c.k, state, REPETITION, last, ply)
            return end_value(c.k, state, 0, last, ply)
    least, most = table_bounds(c.tables, state, c.setup.probe_below, c.setup.move_limit)
    if most != NOT_FOUND:
        low = known_value(state, least)
        # A bound's use depends on the window: not where a depth must have one answer.
        if least == most or (c.setup.equal_depth == 0 and low >= beta):
            c.control[KNOWN_HITS] += 1
            return low
        high = known_value(state, most)
        if c.setup.equal_depth == 0 and high <= alpha:
            c.control[KNOWN_HITS] += 1
            return high
    return ABORTED


@jit(forceinline=True)
def futile_value(c: Context, state: Any, depth: int, beta: int) -> int:
    """Return the evaluation of a position where it is so far above beta that a search would hardly change this; else
    ABORTED. No end of the game is claimed or refuted by it: an evaluation stays below every proven value."""
    if -ESTIMATE_LIMIT < beta < ESTIMATE_LIMIT:
        value = estimate(c.k, c.weights, state)
        if value - c.setup.margin * depth >= beta and leaf_stuck(c.k, state) == 0:
            return value
    return ABORTED


@jit(forceinline=True)
def frontier(
    c: Context, state: Any, ply: int, since: int, alpha: int, beta: int, mask: int, rows: NDArray[np.int64]
) -> int:
    """Return the value of a node of depth 1, whose children are evaluated as they are played: first the killer move,
    then from the right, where sowings leave for the other side.

    Args:
        c: the context.
        state: the position.
        ply: where it is in the search.
        since: the ply of the first position after the last capture.
        alpha: lower end of the window.
        beta: upper end of the window.
        mask: its moves, a bit each.
        rows: the states they lead to, where `moves_above_leaves` has written them.
    """
    s = c.scratch
    best = -INFINITE
    captured = state.south + state.north
    s.lengths[ply] = 0
    killer = s.killers[ply, 0]
    move = killer if killer >= 0 and (mask >> killer) & 1 else bit_length(mask) - 1
    while True:
        child = leaf(c.k, state, rows, move)
        c.control[NODES] += 1
        child_since = since if child.south + child.north == captured else ply + 1
        if may_repeat(c.setup, s, ply + 1, child_since):
            s.keys[ply + 1, 0], s.keys[ply + 1, 1] = exact_key(child)
        low, high = alpha, beta
        if child.turn != state.turn:
            low, high = -beta, -alpha
        value = settled_value(c, child, ply + 1, child_since, state.turn, low, high)
        if value == ABORTED:
            code = leaf_stuck(c.k, child)
            value = estimate(c.k, c.weights, child) if code == 0 else end_value(c.k, child, code, state.turn, ply + 1)
        if child.turn != state.turn:
            value = -value
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                s.lines[ply, 0] = move
                s.lengths[ply] = 1
                if alpha >= beta:
                    s.killers[ply, 0] = move
                    break
        mask &= ~(1 << move)
        if mask == 0:
            break
        move = bit_length(mask) - 1
    return best


@jit(**UNCOUNTED)
def explore(
    c: Context, root: Any, base: int, depth: int, alpha: int, beta: int, last: int, since: int, age: int
) -> int:
    """Return the value of a subtree by principal variation search, or ABORTED.

    Args:
        c: the context.
        root: the position at the top of the subtree.
        base: its ply in the search.
        depth: plies to search below it.
        alpha: lower end of the window.
        beta: upper end of the window.
        last: the player who moved last.
        since: the ply of the first position after the last capture.
        age: the number of this search, for the transposition table.
    """
    k, setup, weights, s, control = c.k, c.setup, c.weights, c.scratch, c.control
    ply = base
    save(s.states, ply, root)
    frames = s.frames
    frames[ply, ALPHA], frames[ply, BETA], frames[ply, DEPTH] = alpha, beta, depth
    frames[ply, LAST], frames[ply, SINCE] = last, since
    entering = True
    value = 0
    while True:
        state = load(root, s.states, ply)
        if entering:
            control[NODES] += 1
            if control[NODES] & 1023 == 0:
                if control[STOP] + control[OVERTAKEN] != 0 or control[NODES] >= control[NODE_LIMIT]:
                    return ABORTED
            depth, alpha, beta = frames[ply, DEPTH], frames[ply, ALPHA], frames[ply, BETA]
            one, two = exact_key(state)
            s.keys[ply, 0], s.keys[ply, 1] = one, two
            s.lengths[ply] = 0
            value = settled_value(c, state, ply, frames[ply, SINCE], frames[ply, LAST], alpha, beta)
            if value == ABORTED and (depth <= 0 or ply >= MAX_PLY - 2):
                code = leaf_stuck(k, state)
                value = estimate(k, weights, state) if code == 0 else end_value(k, state, code, frames[ply, LAST], ply)
            table_move = -1
            if value == ABORTED and depth >= 2:
                data = probe_entry(c.tt, one, salted(setup, two, state.ply))
                if data != 0:
                    control[TABLE_HITS] += 1
                    table_move = (data >> 27) & 31
                    found = stored_value(data, ply)
                    stored_depth = (data >> 17) & 255
                    if stored_depth == depth or (setup.equal_depth == 0 and stored_depth > depth):
                        if usable(data, found, alpha, beta):
                            value = found
            if value == ABORTED and setup.margin > 0 and depth <= FUTILE_DEPTH and beta - alpha == 1:
                value = futile_value(c, state, depth, beta)
            if value == ABORTED:
                rows = s.children[ply * MOVES : (ply + 1) * MOVES]
                mask = moves_above_leaves(k, state, rows) if depth == 1 else expand(k, state, rows)
                if mask == 0:
                    value = end_value(k, state, NO_MOVE, frames[ply, LAST], ply)
                elif depth == 1:
                    value = frontier(c, state, ply, frames[ply, SINCE], alpha, beta, mask, rows)
                else:
                    open_node(s, ply, sort_moves(s, ply, mask, state, table_move), alpha)
                    ply = descend(s, root, ply, state)
                    continue
            if ply == base:
                return value
            ply -= 1
            entering = False
            continue

        # A child of this node has its value.
        child = load(root, s.states, ply + 1)
        if child.turn != state.turn:
            value = -value
        alpha, beta = frames[ply, ALPHA], frames[ply, BETA]
        index = frames[ply, INDEX]
        move = s.order[ply, index]
        if frames[ply, REDUCTION] > 0 and value > alpha:
            frames[ply, REDUCTION] = 0
            ply = descend(s, root, ply, state)
            entering = True
            continue
        if frames[ply, FULL_WINDOW] == 0 and alpha < value < beta:
            frames[ply, FULL_WINDOW] = 1
            ply = descend(s, root, ply, state)
            entering = True
            continue
        if value > frames[ply, BEST]:
            frames[ply, BEST] = value
            frames[ply, BEST_MOVE] = move
            if value > alpha:
                frames[ply, ALPHA] = value
                s.lines[ply, 0] = move
                length = s.lengths[ply + 1]
                for i in range(length):
                    s.lines[ply, i + 1] = s.lines[ply + 1, i]
                s.lengths[ply] = length + 1
        depth = frames[ply, DEPTH]
        shared = depth >= SHARED_DEPTH and s.busy.shape[0] > 1
        if shared and index > 0:
            release_move(s, ply, move)
        if frames[ply, ALPHA] < beta and index + 1 < frames[ply, COUNT]:
            frames[ply, INDEX] = index + 1
            if shared:
                take_free_move(s, ply, index + 1, frames[ply, COUNT])
            frames[ply, FULL_WINDOW] = 0
            frames[ply, REDUCTION] = reduction(setup, s, state, ply, index + 1, depth)
            ply = descend(s, root, ply, state)
            entering = True
            continue
        value = frames[ply, BEST]
        bound = EXACT
        if value >= beta:
            bound = LOWER
            control[CUTS] += 1
            reward(s, ply, state.turn, move, depth)
        elif value <= frames[ply, FIRST_ALPHA]:
            bound = UPPER
        one, two = s.keys[ply, 0], salted(setup, s.keys[ply, 1], state.ply)
        store_entry(c.tt, one, two, value, ply, depth, bound, frames[ply, BEST_MOVE], age)
        if ply == base:
            return value
        ply -= 1


@jit(forceinline=True)
def open_node(s: Scratch, ply: int, count: int, alpha: int) -> None:
    """Set up the frame of a node with `count` ordered moves."""
    frames = s.frames
    frames[ply, COUNT] = count
    frames[ply, INDEX] = 0
    frames[ply, FIRST_ALPHA] = alpha
    frames[ply, BEST] = -INFINITE
    frames[ply, BEST_MOVE] = s.order[ply, 0]
    frames[ply, FULL_WINDOW] = 1
    frames[ply, REDUCTION] = 0


@jit(forceinline=True)
def reduction(setup: Setup, s: Scratch, state: Any, ply: int, index: int, depth: int) -> int:
    """Return the late-move reduction of the move at `index`: none for the first moves and for captures."""
    if setup.selective == 0 or index < LATE or depth < 3:
        return 0
    child = load(state, s.children, ply * MOVES + s.order[ply, index])
    if child.south + child.north != state.south + state.north:
        return 0
    return 2 if index >= VERY_LATE and depth >= 5 else 1


@jit(forceinline=True)
def descend(s: Scratch, like: Any, ply: int, state: Any) -> int:
    """Set up the frame of the next child, with the full window or a null window; return its ply."""
    frames = s.frames
    move = s.order[ply, frames[ply, INDEX]]
    child = load(like, s.children, ply * MOVES + move)
    save(s.states, ply + 1, child)
    alpha = frames[ply, ALPHA]
    beta = frames[ply, BETA] if frames[ply, FULL_WINDOW] == 1 else alpha + 1
    if child.turn != state.turn:
        alpha, beta = -beta, -alpha
    frames[ply + 1, ALPHA], frames[ply + 1, BETA] = alpha, beta
    frames[ply + 1, DEPTH] = frames[ply, DEPTH] - 1 - frames[ply, REDUCTION]
    frames[ply + 1, LAST] = state.turn
    same = child.south + child.north == state.south + state.north
    frames[ply + 1, SINCE] = frames[ply, SINCE] if same else ply + 1
    return ply + 1


@jit(forceinline=True)
def nth_best(values: NDArray[np.int64], bounds: NDArray[np.int64], finished: int, n: int) -> int:
    """Return the n-th best of the exact values found so far, -INFINITE if there are fewer."""
    for i in range(finished):
        better = 0
        for j in range(finished):
            if bounds[j] == EXACT and (values[j] > values[i] or (values[j] == values[i] and j < i)):
                better += 1
        if bounds[i] == EXACT and better == n - 1:
            return values[i]
    return -INFINITE


@jit(**UNCOUNTED)
def search_root(
    c: Context,
    root: Any,
    depth: int,
    moves: NDArray[np.int64],
    values: NDArray[np.int64],
    bounds: NDArray[np.int64],
    lines: NDArray[np.int64],
    multi: int,
    age: int,
) -> int:
    """Search the root to a depth; return how many of its moves were finished before the search was stopped.

    Args:
        c: the context.
        root: the position to search.
        depth: plies to search.
        moves: the moves to search, in the order to try them.
        values: written: the value of each move finished.
        bounds: written: EXACT, or UPPER where the value is only an upper bound.
        lines: written: for each move with an exact value, the length of its variation, then its moves.
        multi: so many of the best moves get exact values.
        age: the number of this search, for the transposition table.
    """
    s = c.scratch
    rows = s.children[0:MOVES]
    expand(c.k, root, rows)
    s.keys[0, 0], s.keys[0, 1] = exact_key(root)
    for i in range(moves.shape[0]):
        child = load(root, rows, moves[i])
        swap = child.turn != root.turn
        since = 0 if child.south + child.north == root.south + root.north else 1
        alpha = nth_best(values, bounds, i, multi)
        full = alpha == -INFINITE
        while True:
            low, high = alpha, INFINITE if full else alpha + 1
            if swap:
                low, high = -high, -low
            value = explore(c, child, 1, depth - 1, low, high, root.turn, since, age)
            if value == ABORTED:
                return i
            if swap:
                value = -value
            if full or value <= alpha:
                break
            full = True
        values[i] = value
        bounds[i] = EXACT if full else UPPER
        if full:
            lines[i, 0] = s.lengths[1] + 1
            lines[i, 1] = moves[i]
            for j in range(s.lengths[1]):
                lines[i, 2 + j] = s.lines[1, j]
    return moves.shape[0]
