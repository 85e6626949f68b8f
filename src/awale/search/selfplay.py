"""Positions of strong self-play with the value that a deeper search gives them: the data that weights are fitted to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.kernels import generic
from awale.kernels.bits import nth_bit, popcount
from awale.kernels.jit import jit
from awale.search.core import ABORTED, EXACT, KNOWN, MAX_PLY, Scratch, Setup, search_root
from awale.search.evaluation import SEED
from awale.search.states import MOVES, mix, save
from awale.search.tableprobe import TableSet


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
def collect(
    k: Any,
    setup: Setup,
    weights: NDArray[np.int32],
    tables: TableSet,
    seen: NDArray[np.int64],
    s: Scratch,
    control: NDArray[np.int64],
    start: Any,
    seed: int,
    play_depth: int,
    label_depth: int,
    rows: NDArray[np.int64],
    labels: NDArray[np.int64],
) -> int:
    """Play games until `rows` is full."""
    random = np.array([seed * 2 + 1], np.int64)
    kept = 0
    age = 1
    while kept < rows.shape[0]:
        kept, age, _ = collect_game(
            k, setup, weights, tables, seen, s, control, start, random, play_depth, label_depth, rows, labels, kept, age
        )
    return kept


__all__ = ["MOVES", "collect", "collect_game"]
