"""Perft, the usual test of a move generator: the number of sequences of so many moves from a position.

The last moves are played too, not only counted: the seeds they take and a checksum of their boards are returned with
the count.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import message
from awale.kernels import convert, generic
from awale.kernels.bits import byte_sum, lowest
from awale.kernels.endings import stop_code
from awale.kernels.jit import jit
from awale.kernels.lap import CHAIN_2_3, NO_DUTY, LapRules, LapState, legal, play, sow_and_take, stopped
from awale.kernels.repetition import AFTER_TURN, came_back, remember
from awale.rules import reference
from awale.rules.moves import Move

MAX_DEPTH = 64
PART_DEPTH = 9
"""The deepest count in one piece: some hundredths of a second."""
Report = Callable[[float], object]

Counts = tuple[int, int, int]
"""Sequences of moves, seeds taken by the last moves, checksum of the last boards."""


class Perft(NamedTuple):
    leaves: int
    captured: int | None
    """Seeds taken by the last moves of all sequences together; None from the pure-Python reference."""
    seconds: float

    @property
    def rate(self) -> float:
        return self.leaves / self.seconds if self.seconds > 0 else 0.0


@jit
def count(k: Any, state: Any, depth: int, repetition: int, rows: NDArray[np.int64], row: int, first: int) -> Counts:
    """Return the counts of sequences of `depth` moves. Where the rules forbid repetition, rows `first` to `row - 1`
    hold the positions since the last capture."""
    leaves = 0
    captured = 0
    checksum = 0
    mask = generic.legal(k, state)
    if repetition:
        remember(state, rows, row)
    while mask != 0:
        move = lowest(mask)
        mask &= mask - 1
        child = generic.play(k, state, move)
        taken = child.south + child.north - state.south - state.north
        if depth == 1:
            leaves += 1
            captured += taken
            checksum ^= child[0] + 31 * child[1]
            continue
        if generic.stopped(k, child, state.turn) != 0:
            continue
        since = first if taken == 0 else row + 1
        if repetition and came_back(child, rows, since, row + 1):
            continue
        below = count(k, child, depth - 1, repetition, rows, row + 1, since)
        leaves += below[0]
        captured += below[1]
        checksum ^= below[2]
    return leaves, captured, checksum


# -- one lap, chains of 2 and 3: the last two moves in flat loops ---------------------------------------------------


@jit
def play_leaves(table: int, spared: int, mine: int, theirs: int, mask: int) -> Counts:
    """Play the last moves: those of the mask, from pits that hold a seed."""
    leaves = 0
    taken = 0
    checksum = 0
    for pit in range(6):
        if (mine >> (8 * pit)) & 255 != 0 and (mask >> pit) & 1 != 0:
            my, their, word = sow_and_take(table, spared, mine, theirs, pit)
            leaves += 1
            taken += word  # at most six times 3 per pit: no byte overflows
            checksum ^= their + 31 * my
    return leaves, byte_sum(taken), checksum


@jit
def play_all_leaves(table: int, spared: int, mine: int, theirs: int) -> Counts:
    """Play the last moves where every pit may be played: most of all work."""
    return play_leaves(table, spared, mine, theirs, 63)


@jit(forceinline=True)
def came_back_in_turn(mine: int, theirs: int, rows: NDArray[np.int64], first: int, row: int) -> bool:
    """Return `came_back` where nobody passes: only every second row has the same player to move."""
    earlier = row - 1
    while earlier >= first:
        if rows[earlier, 0] == mine and rows[earlier, 1] == theirs:
            return True
        earlier -= 2
    return False


@jit(forceinline=True)
def count_two(k: LapRules, state: LapState, rows: NDArray[np.int64], row: int, first: int) -> Counts:
    """Count the sequences of two moves."""
    leaves = 0
    captured = 0
    checksum = 0
    mask = legal(k, state)
    while mask != 0:
        pit = lowest(mask)
        mask &= mask - 1
        mine, theirs, word = sow_and_take(k.table, k.spared, state.mine, state.theirs, pit)
        taken = byte_sum(word)
        south = state.south + (1 - state.turn) * taken
        north = state.north + state.turn * taken
        if stop_code(k.endings, south, north, state.ply + 1, byte_sum(mine + theirs)) != 0:
            continue
        if taken == 0 and k.endings.repetition >= 0 and came_back_in_turn(theirs, mine, rows, first, row):
            continue
        if mine != 0 and (k.slam == NO_DUTY or mine & k.unslammable):
            below = play_all_leaves(k.table, k.spared, theirs, mine)
        else:
            child = LapState(theirs, mine, 1 - state.turn, south, north, state.ply + 1)
            below = play_leaves(k.table, k.spared, theirs, mine, legal(k, child))
        leaves += below[0]
        captured += below[1]
        checksum ^= below[2]
    return leaves, captured, checksum


@jit
def count_chains(k: LapRules, state: LapState, depth: int, rows: NDArray[np.int64], row: int, first: int) -> Counts:
    """Count from a depth of three on. This is the only recursive function: passing arrays costs atomic reference
    counts, so there should be few calls."""
    leaves = 0
    captured = 0
    checksum = 0
    mask = legal(k, state)
    if k.endings.repetition >= 0:
        remember(state, rows, row)
    while mask != 0:
        move = lowest(mask)
        mask &= mask - 1
        child = play(k, state, move)
        if stopped(k, child, state.turn) != 0:
            continue
        since = first if child.south + child.north == state.south + state.north else row + 1
        if k.endings.repetition >= 0 and came_back_in_turn(child.mine, child.theirs, rows, since, row):
            continue
        if depth == 3:
            below = count_two(k, child, rows, row + 1, since)
        else:
            below = count_chains(k, child, depth - 1, rows, row + 1, since)
        leaves += below[0]
        captured += below[1]
        checksum ^= below[2]
    return leaves, captured, checksum


# -- in Python -------------------------------------------------------------------------------------------------------


def counts(
    k: Any, state: Any, depth: int, *, repetition: bool, history: tuple[Any, ...] = (), generally: bool = False
) -> Counts:
    """Count below a state that is not over by the fastest way, or `generally` by the one that fits all rules.
    `history`: the states since the last capture, where the rules forbid repetition."""
    rows = np.zeros((len(history) + depth + 1, len(state) - AFTER_TURN), np.int64)
    for row, earlier in enumerate(history):
        rows[row] = earlier[:-AFTER_TURN]
    if isinstance(k, LapRules) and k.capture == CHAIN_2_3 and not k.passes and depth >= 3 and not generally:
        return count_chains(k, state, depth, rows, len(history), 0)
    return count(k, state, depth, int(repetition), rows, len(history), 0)


def perft(game: Game, depth: int, *, slowly: bool = False, report: Report | None = None) -> Perft:
    """Count from the position of a game, without its history. `slowly`: by the pure-Python reference. `report` is
    called now and then with the share of the work done.

    >>> perft(Game("abapa"), 4).leaves
    1014
    """
    _check_depth(depth)
    begun = time.perf_counter()
    if slowly:
        leaves = reference.perft(game.rules, game.state, depth)
        return Perft(leaves, None, time.perf_counter() - begun)
    leaves, captured = _below(Game(game.rules, start=game.state), depth, report)
    return Perft(leaves, captured, time.perf_counter() - begun)


def _below(game: Game, depth: int, report: Report | None = None) -> tuple[int, int]:
    """Count below the last position of a game, with its history: leaves and seeds taken by the last moves.

    Compiled code cannot be interrupted, so a deep count is made of many short ones.
    """
    if depth == 0 or game.over:
        return int(depth == 0), 0
    leaves = captured = 0
    repetition = game.rules.repetition != "none"
    for share, at in _positions_after(game, depth - PART_DEPTH):
        k, state = convert.pack_game(at)
        history = tuple(convert.pack_history(at)[:-1]) if repetition else ()
        found = counts(k, state, min(depth, PART_DEPTH), repetition=repetition, history=history)
        leaves += found[0]
        captured += found[1]
        if report is not None:
            report(share)
    return leaves, captured


def _positions_after(game: Game, plies: int, done: float = 0.0, whole: float = 1.0) -> Iterator[tuple[float, Game]]:
    """Yield the unfinished positions after so many moves, one object for all of them, and the share of the tree that
    ends with each."""
    if plies <= 0:
        yield done + whole, game
        return
    moves = game.legal_moves
    for number, move in enumerate(moves):
        game.push(move)
        if not game.over:
            yield from _positions_after(game, plies - 1, done + number * whole / len(moves), whole / len(moves))
        game.pop()


def divide(game: Game, depth: int, *, slowly: bool = False) -> dict[Move, int]:
    """Return the same count below each first move."""
    _check_depth(depth)
    found: dict[Move, int] = {}
    for move in game.legal_moves if depth > 0 else ():
        after = Game(game.rules, start=game.state)
        after.push(move)
        if depth == 1 or after.over:
            found[move] = int(depth == 1)
        else:
            found[move] = _slow_below(after, depth - 1) if slowly else _below(after, depth - 1)[0]
    return found


def _slow_below(game: Game, depth: int) -> int:
    if depth == 0 or game.over:
        return int(depth == 0)
    total = 0
    for move in game.legal_moves:
        game.push(move)
        total += _slow_below(game, depth - 1)
        game.pop()
    return total


def _check_depth(depth: int) -> None:
    if not 0 <= depth <= MAX_DEPTH:
        raise AwaleError(message("kernels.bad.number", name="depth", least=0, most=MAX_DEPTH, value=depth))
