"""Self-play: positions labelled with the value of a deeper search (`awale tune`) or with the result of the game (the
engine's own weights)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.kernels import REPETITION, generic
from awale.kernels.bits import nth_bit, popcount
from awale.kernels.jit import jit
from awale.search.core import (
    ABORTED,
    EXACT,
    KNOWN,
    MAX_PLY,
    REPETITION_RULE,
    REPETITION_STANDSTILL,
    Context,
    search_root,
)
from awale.search.evaluation import SEED
from awale.search.states import draw, exact_key, save

OPENING = 12
"""A game begins with fewer random moves than this, and at least two."""
RANDOM_PERCENT = 3
"""So many of the later moves are random too, so that odd positions are seen."""
MOST_PLIES = 400
"""A game that lasts so long counts as drawn, whoever leads: to learn from it would be to learn to sit on a lead."""
NO_PROGRESS = 3
"""Where no rule ends a cycle (no repetition rule, no move limit), the game stops when the same position, board and
player to move, occurs for the third time since the last capture."""


@jit
def _best(c: Context, state: Any, depth: int, age: int) -> tuple[int, int]:
    """Return the best move and its value, by iterative deepening to a depth. Depth 0: ABORTED."""
    mask = generic.legal(c.k, state)
    count = popcount(mask)
    moves = np.zeros(count, np.int64)
    for i in range(count):
        moves[i] = nth_bit(mask, i)
    values = np.zeros(count, np.int64)
    bounds = np.zeros(count, np.int64)
    lines = np.zeros((count, MAX_PLY + 2), np.int64)
    value = ABORTED
    for reach in range(1, depth + 1):
        search_root(c, state, reach, moves, values, bounds, lines, 1, age)
        first = 0
        for i in range(1, count):
            if bounds[i] == EXACT and values[i] > values[first]:
                first = i
        value = values[first]
        moves[0], moves[first] = moves[first], moves[0]
    return moves[0], value


@jit
def occurrences(keys: NDArray[np.int64], ply: int, first: int) -> int:
    """Return how often the position of row `ply` stands in rows `first` to `ply`, itself included."""
    count = 0
    for row in range(first, ply + 1):
        count += keys[row, 0] == keys[ply, 0] and keys[row, 1] == keys[ply, 1]
    return count


@jit
def collect_game(
    c: Context,
    start: Any,
    random: NDArray[np.int64],
    play_depth: int,
    label_depth: int,
    rows: NDArray[np.int64],
    labels: NDArray[np.int64],
    kept: int,
    age: int,
) -> tuple[int, int, int]:
    """Play a game from a random opening, with some random moves, and keep some of its positions.

    The label of a position is the value of the search beyond the captured seeds, for the player to move; positions
    with a proven value are left out. Return the rows used now, the age of the transposition table, and South's margin.

    Args:
        c: the search.
        start: the first position.
        random: the state of the random numbers, one word.
        play_depth: depth of the search that chooses moves.
        label_depth: depth of the search that labels positions.
        rows: written: positions, from row `kept` on while there is room.
        labels: written: their labels.
        kept: rows used so far.
        age: the number of the last search, for the transposition table.
    """
    k = c.k
    state = start
    last = 1 - start.turn
    opening = 2 + draw(random, 14)
    for ply in range(300):
        code = generic.ending(k, state, last)
        if code != 0:
            south, north = generic.final(k, state, code, last)
            return kept, age, south - north
        mask = generic.legal(k, state)
        age = (age + 1) & 0xFFFF
        if ply < opening or draw(random, 100) < 12:
            move = nth_bit(mask, draw(random, popcount(mask)))
        else:
            if draw(random, 100) < 35:
                _, value = _best(c, state, label_depth, age)
                if value != ABORTED and -KNOWN < value < KNOWN:
                    ahead = state.south - state.north if state.turn == 0 else state.north - state.south
                    save(rows, kept, state)
                    labels[kept] = value - SEED * ahead
                    kept += 1
                    if kept == rows.shape[0]:
                        break
            move, _ = _best(c, state, play_depth, age)
        last = state.turn
        state = generic.play(k, state, move)
    return kept, age, state.south - state.north


@jit
def record_game(
    c: Context,
    start: Any,
    random: NDArray[np.int64],
    depth: int,
    rows: NDArray[np.int64],
    values: NDArray[np.int64],
    margins: NDArray[np.int64],
    kept: int,
    age: int,
) -> tuple[int, int]:
    """Play a game and keep its positions; return the rows used now and the age of the transposition table.

    Args:
        c: the search.
        start: the first position.
        random: the state of the random numbers, one word.
        depth: of the search.
        rows: written: positions, from row `kept` on while there is room.
        values: written: the value of the search for the player to move.
        margins: written: the final margin for the player to move.
        kept: rows used so far.
        age: the number of the last search, for the transposition table.
    """
    k = c.k
    state = start
    last = 1 - start.turn
    first = kept
    opening = 2 + draw(random, OPENING - 2)
    keys = np.zeros((MOST_PLIES, 2), np.int64)
    since = south = north = 0
    for ply in range(MOST_PLIES):
        code = generic.ending(k, state, last)
        keys[ply, 0], keys[ply, 1] = exact_key(state)
        if code == 0 and c.setup.repetition == REPETITION_RULE and occurrences(keys, ply, since) > 1:
            code = REPETITION
        stands_still = c.setup.repetition == REPETITION_STANDSTILL and occurrences(keys, ply, since) >= NO_PROGRESS
        if code != 0 or stands_still:
            south, north = generic.final(k, state, code, last)
            break
        mask = generic.legal(k, state)
        age = (age + 1) & 0xFFFF
        if ply < opening or draw(random, 100) < RANDOM_PERCENT:
            move = nth_bit(mask, draw(random, popcount(mask)))
        else:
            move, value = _best(c, state, depth, age)
            if value != ABORTED and kept < rows.shape[0]:
                save(rows, kept, state)
                values[kept] = value
                margins[kept] = 1 - 2 * state.turn
                kept += 1
        last = state.turn
        captured = state.south + state.north
        state = generic.play(k, state, move)
        if state.south + state.north != captured:
            since = ply + 1
    for i in range(first, kept):
        margins[i] *= south - north
    return kept, age


@jit
def record(
    c: Context,
    start: Any,
    seed: int,
    depth: int,
    rows: NDArray[np.int64],
    values: NDArray[np.int64],
    margins: NDArray[np.int64],
) -> None:
    """Play games until `rows` is full: see `record_game`."""
    random = np.array([seed * 2 + 1], np.int64)
    kept = 0
    age = 1
    while kept < rows.shape[0]:
        kept, age = record_game(c, start, random, depth, rows, values, margins, kept, age)
