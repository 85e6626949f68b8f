"""Recorded one-lap games, played by the thousand: the states of every game, move by move."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from awale.kernels.jit import jit
from awale.kernels.lap import LapRules, LapState, legal, play
from awale.rules.description import Rules

FIELDS = len(LapState._fields)
MINE, THEIRS, TURN, SOUTH, NORTH, PLY = range(FIELDS)


@jit
def follow(
    k: LapRules, start: LapState, moves: NDArray[np.uint8], ends: NDArray[np.int64], rows: NDArray[np.int64]
) -> None:
    """Play games from one start and write their states, each game's first one included.

    `moves`: of all games, the mover's pits from their left. `ends`: where the moves of each game end in `moves`.
    `rows`: for each game, a row more than it has moves. The ply is -1 from the first illegal move of a game on.
    """
    at = 0
    for game in range(len(ends)):
        state = start
        played = 0
        while True:
            row = at + game
            rows[row, MINE] = state.mine
            rows[row, THEIRS] = state.theirs
            rows[row, TURN] = state.turn
            rows[row, SOUTH] = state.south
            rows[row, NORTH] = state.north
            rows[row, PLY] = played
            if at == ends[game]:
                break
            move = int(moves[at])
            at += 1
            if played < 0 or move >= k.pits or (legal(k, state) >> move) & 1 == 0:
                played = -1
            else:
                state = play(k, state, move)
                played += 1


def boards(rules: Rules, rows: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the boards of states, a row each, South's pits first."""
    words = rows[:, :2].astype("<i8").view(np.uint8).reshape(-1, 16)
    mine, theirs = words[:, : rules.pits], words[:, 8 : 8 + rules.pits]
    north_moves = rows[:, TURN, None] == 1
    return np.hstack((np.where(north_moves, theirs, mine), np.where(north_moves, mine, theirs)))
