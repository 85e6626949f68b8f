"""The walks over chains and rings on an NVIDIA GPU, through numba-cuda (extra `awale[cuda]`).

Each thread takes a run of boards and sows one lap per iteration, going on to its next board when a walk ends: so the
threads of a warp, whose sowings have different lengths, do not diverge.
"""

from __future__ import annotations

from typing import Any

from numba import int64

from awale.kernels.gpu import SIMULATED, numba_cuda
from awale.kernels.relay import PIT_ROWS, ROW

cuda = numba_cuda()
THREADS = 4 if SIMULATED else 128
"""Per block. (The simulator starts a Python thread for each.)"""
BLOCKS = 2 if SIMULATED else 132 * 32
RUN = 50 if SIMULATED else 1024
"""Boards per thread."""
MOST_PITS = 12


@cuda.jit(device=True)
def _write_board(board: Any, first_seeds: int, number: int, parts: int, seeds: int, ways: Any) -> None:
    """Write a board with `first_seeds` in pit 0, as `census.board_number`. ways[p, s]: s seeds in p pits."""
    board[0] = first_seeds
    for part in range(parts - 1, 0, -1):
        here = 0
        while number >= ways[part, seeds]:
            number -= ways[part, seeds]
            seeds -= 1
            here += 1
        board[part + 1] = here
    board[1] = seeds


@cuda.jit(device=True)
def _word(board: Any, first: int, pits: int) -> Any:
    word = int64(0)
    for pit in range(pits):
        word |= board[first + pit] << (8 * pit)
    return word


@cuda.jit(device=True)
def _next(board: Any) -> None:
    """As `walk.next_board`, without the words."""
    i = 1
    while board[i] == 0:
        i += 1
    heap = board[i]
    board[i] = 0
    board[1] = heap - 1
    board[i + 1] += 1


@cuda.jit
def chains(
    laps: Any,
    half: int,
    ways: Any,
    parts: int,
    seeds: int,
    first: int,
    count: int,
    starts: Any,
    best: Any,
    best_at: Any,
) -> None:
    """Walk chains as `walk.chains`: each thread adds up the laps of its boards and records the longest."""
    me = cuda.grid(1)
    number = first + me * RUN
    last = min(number + RUN, first + count)
    best[me] = 0
    if number >= last:
        return
    board = cuda.local.array(MOST_PITS, int64)
    _write_board(board, 1, number, parts, seeds, ways)
    mine, theirs = _word(board, 0, half), _word(board, half, half)
    pit, handful, walked, total, longest, at = int64(0), int64(1), int64(0), int64(0), int64(0), number
    while True:
        row = pit * PIT_ROWS + handful * ROW
        mine += laps[row]
        theirs += laps[row + 1]
        pit = laps[row + 2]
        handful = ((mine if pit < half else theirs) >> laps[row + 3]) & 255
        walked += 1
        if handful == 1:
            total += walked
            if walked > longest:
                longest = walked
                at = number
            number += 1
            if number == last:
                break
            _next(board)
            mine, theirs = _word(board, 0, half), _word(board, half, half)
            pit, handful, walked = int64(0), int64(1), int64(0)
    best[me] = longest
    best_at[me] = at
    cuda.atomic.add(starts, 0, total)


@cuda.jit
def rings(
    laps: Any, half: int, ways: Any, parts: int, seeds: int, handful: int, first: int, count: int, found: Any, rows: Any
) -> None:
    """Find rings as `walk.rings`, in any order; those beyond the capacity of the output are only counted."""
    number = first + cuda.grid(1) * RUN
    last = min(number + RUN, first + count)
    if number >= last:
        return
    board = cuda.local.array(MOST_PITS, int64)
    _write_board(board, handful, number, parts, seeds - handful, ways)
    mine, theirs = _word(board, 0, half), _word(board, half, half)
    now_mine, now_theirs, pit, lifted, walked = mine, theirs, int64(0), int64(handful), int64(0)
    while True:
        row = pit * PIT_ROWS + lifted * ROW
        now_mine += laps[row]
        now_theirs += laps[row + 1]
        pit = laps[row + 2]
        lifted = ((now_mine if pit < half else now_theirs) >> laps[row + 3]) & 255
        walked += 1
        done = lifted == 1 or lifted > handful
        if lifted == handful:
            # The board rotated so that this pit comes first.
            low, high, turn = now_mine, now_theirs, pit
            if pit >= half:
                low, high, turn = now_theirs, now_mine, pit - half
            down, up = 8 * turn, 8 * (half - turn)
            mask = (int64(1) << down) - 1
            here_mine = (low >> down) | ((high & mask) << up)
            here_theirs = (high >> down) | ((low & mask) << up)
            if here_theirs < theirs or (here_theirs == theirs and here_mine < mine):
                done = True
            elif here_theirs == theirs and here_mine == mine:
                done = True
                place = cuda.atomic.add(rows, 0, 1)
                if place < found.shape[0]:
                    found[place, 0] = walked
                    found[place, 1] = pit
                    found[place, 2] = mine
                    found[place, 3] = theirs
        if done:
            number += 1
            if number == last:
                break
            _next(board)
            mine, theirs = _word(board, 0, half), _word(board, half, half)
            now_mine, now_theirs, pit, lifted, walked = mine, theirs, int64(0), int64(handful), int64(0)
