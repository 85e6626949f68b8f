"""Games of the engine against itself, and what is learnt from them: positions with the value that a deeper search gives
them (`awale tune`), or with the way the game ended (the engine's own weights)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.kernels import REPETITION, generic
from awale.kernels.bits import nth_bit, popcount
from awale.kernels.jit import jit
from awale.search.core import ABORTED, EXACT, KNOWN, MAX_PLY, Scratch, Setup, search_root
from awale.search.evaluation import SEED
from awale.search.states import mix, save
from awale.search.tableprobe import TableSet

OPENING = 12
"""A game begins with fewer random moves than this, and at least two."""
RANDOM_PERCENT = 3
"""So many of the later moves are random too, so that odd positions are seen."""
MOST_PLIES = 400
"""A game that lasts so long counts as drawn, whoever leads: to learn from it would be to learn to sit on a lead."""
QUIET_PLIES = 60
"""After so many moves without a capture the players would agree to stop, unless the rules limit the moves."""


@jit
def _draw(random: NDArray[np.int64], below: int) -> int:
    random[0] = mix(random[0] + 0x1E3779B97F4A7C15)
    return (random[0] & 0x7FFFFFFFFFFFFFFF) % below


@jit
def _best(
    k: Any,
    setup: Setup,
    weights: NDArray[np.int32],
    tables: TableSet,
    seen: NDArray[np.int64],
    s: Scratch,
    control: NDArray[np.int64],
    state: Any,
    depth: int,
    age: int,
) -> tuple[int, int]:
    """The best move and its value, by iterative deepening to a depth."""
    mask = generic.legal(k, state)
    count = popcount(mask)
    moves = np.zeros(count, np.int64)
    for i in range(count):
        moves[i] = nth_bit(mask, i)
    values = np.zeros(count, np.int64)
    bounds = np.zeros(count, np.int64)
    line = np.zeros(MAX_PLY + 2, np.int64)
    best, value = moves[0], ABORTED
    for reach in range(1, depth + 1):
        search_root(k, setup, weights, tables, seen, s, control, state, reach, moves, values, bounds, line, False, age)
        best, value = line[1], ABORTED
        for i in range(count):
            if moves[i] == best and bounds[i] == EXACT:
                value = values[i]
                moves[i], moves[0] = moves[0], best
                break
    return best, value


@jit
def collect_game(
    k: Any,
    setup: Setup,
    weights: NDArray[np.int32],
    tables: TableSet,
    seen: NDArray[np.int64],
    s: Scratch,
    control: NDArray[np.int64],
    start: Any,
    random: NDArray[np.int64],
    play_depth: int,
    label_depth: int,
    rows: NDArray[np.int64],
    labels: NDArray[np.int64],
    kept: int,
    age: int,
) -> tuple[int, int, int]:
    """Play a game from a random opening, now and then with a random move, and keep some of its positions from row
    `kept` on, while there is room. Each has as label what the search says beyond the captured seeds, for the player to
    move; decided positions are left out. Returns how many rows are used now, the age of the table of positions, and
    South's margin at the end."""
    state = start
    last = 1 - start.turn
    opening = 2 + _draw(random, 14)
    for ply in range(300):
        code = generic.ending(k, state, last)
        if code != 0:
            south, north = generic.final(k, state, code, last)
            return kept, age, south - north
        mask = generic.legal(k, state)
        age = (age + 1) & 0xFFFF
        if ply < opening or _draw(random, 100) < 12:
            move = nth_bit(mask, _draw(random, popcount(mask)))
        else:
            if _draw(random, 100) < 35:
                _, value = _best(k, setup, weights, tables, seen, s, control, state, label_depth, age)
                if value != ABORTED and -KNOWN < value < KNOWN:
                    ahead = state.south - state.north if state.turn == 0 else state.north - state.south
                    save(rows, kept, state)
                    labels[kept] = value - SEED * ahead
                    kept += 1
                    if kept == rows.shape[0]:
                        break
            move, _ = _best(k, setup, weights, tables, seen, s, control, state, play_depth, age)
        last = state.turn
        state = generic.play(k, state, move)
    return kept, age, state.south - state.north


@jit
def record_game(
    k: Any,
    setup: Setup,
    weights: NDArray[np.int32],
    tables: TableSet,
    seen: NDArray[np.int64],
    s: Scratch,
    control: NDArray[np.int64],
    start: Any,
    random: NDArray[np.int64],
    depth: int,
    rows: NDArray[np.int64],
    values: NDArray[np.int64],
    margins: NDArray[np.int64],
    kept: int,
    age: int,
) -> tuple[int, int]:
    """Play a game, looking `depth` moves ahead, and keep its positions from row `kept` on while there is room: each
    with the value that the search gave it and the margin at the end of the game, both for the player to move. Returns
    how many rows are used now, and the age of the table of positions."""
    state = start
    last = 1 - start.turn
    first = kept
    opening = 2 + _draw(random, OPENING - 2)
    ply = quiet = south = north = 0
    while ply < MOST_PLIES:
        code = generic.ending(k, state, last)
        if code == 0 and quiet >= QUIET_PLIES and setup.move_limit > MOST_PLIES:
            code = REPETITION
        if code != 0:
            south, north = generic.final(k, state, code, last)
            break
        mask = generic.legal(k, state)
        age = (age + 1) & 0xFFFF
        if ply < opening or _draw(random, 100) < RANDOM_PERCENT:
            move = nth_bit(mask, _draw(random, popcount(mask)))
        else:
            move, value = _best(k, setup, weights, tables, seen, s, control, state, depth, age)
            if value != ABORTED and kept < rows.shape[0]:
                save(rows, kept, state)
                values[kept] = value
                margins[kept] = 1 - 2 * state.turn
                kept += 1
        last = state.turn
        captured = state.south + state.north
        state = generic.play(k, state, move)
        ply += 1
        quiet = quiet + 1 if state.south + state.north == captured else 0
    for i in range(first, kept):
        margins[i] *= south - north
    return kept, age


@jit
def record(
    k: Any,
    setup: Setup,
    weights: NDArray[np.int32],
    tables: TableSet,
    seen: NDArray[np.int64],
    s: Scratch,
    control: NDArray[np.int64],
    start: Any,
    seed: int,
    depth: int,
    rows: NDArray[np.int64],
    values: NDArray[np.int64],
    margins: NDArray[np.int64],
) -> None:
    """Play games until `rows` is full."""
    random = np.array([seed * 2 + 1], np.int64)
    kept = 0
    age = 1
    while kept < rows.shape[0]:
        kept, age = record_game(
            k, setup, weights, tables, seen, s, control, start, random, depth, rows, values, margins, kept, age
        )


__all__ = ["collect_game", "record", "record_game"]
