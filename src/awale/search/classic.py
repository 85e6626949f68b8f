"""Textbook searches: full-width minimax, alpha-beta, negamax on gains, and the BASIC program's four levels.

They are the historical programs on fast kernels: the same choices, the first best move, no move ordering. Values are
hundredths of a seed for the player to move at the root.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import message
from awale.kernels import NO_MOVE, generic
from awale.kernels.bits import BYTES, lowest, popcount
from awale.kernels.convert import move_of, pack_game
from awale.kernels.jit import UNCOUNTED, class_of, dispatch, jit
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.search.heuristics import HEURISTICS, SEED, pit_values
from awale.search.states import NARROW, WIDE, leaf_ending

WIN = 1_000_000
EXCLUDED = 1 << 40
VISITED, CUT = range(2)


class Found(NamedTuple):
    """What a classic search chose: the move, its value (hundredths of a seed for the mover) and the work done."""

    move: Move
    value: int
    visited: int
    cut: int
    """Moves left untried because a window closed."""


@jit
def _end(k: Any, state: Any, code: int, last: int, player: int) -> int:
    south, north = generic.final(k, state, code, last)
    margin = south - north if player == 0 else north - south
    if margin > 0:
        return WIN + margin
    if margin < 0:
        return margin - WIN
    return 0


@jit(**UNCOUNTED)
def alphabeta(
    k: Any,
    state: Any,
    last: int,
    depth: int,
    alpha: int,
    beta: int,
    prune: bool,
    player: int,
    values: NDArray[np.int64],
    work: NDArray[np.int64],
) -> int:
    """Return the minimax value of a state for `player`; with `prune` exact only between alpha and beta.

    Args:
        k: packed rules of any family.
        state: the position.
        last: the player who moved last.
        depth: plies to search.
        alpha: what `player` has already; without `prune`, not looked at.
        beta: what the opponent allows; without `prune`, not looked at.
        prune: alpha-beta; plain minimax without.
        player: the maximising player, who is to move at the root.
        values: `heuristics.pit_values`; empty for `material`, which needs no look at the board.
        work: counters, indexed by VISITED and CUT.
    """
    work[VISITED] += 1
    code = leaf_ending(k, state, last)
    if code != 0:
        return _end(k, state, code, last, player)
    if depth <= 0:
        value = SEED * (state.south - state.north if player == 0 else state.north - state.south)
        if values.shape[0] == 0:
            return value
        pits = pits_value(values, state)
        return value + pits if state.turn == player else value - pits
    mask = generic.legal(k, state)
    if mask == 0:
        return _end(k, state, NO_MOVE, last, player)
    best = -EXCLUDED if state.turn == player else EXCLUDED
    while mask:
        move = lowest(mask)
        mask &= mask - 1
        child = generic.play(k, state, move)
        value = alphabeta(k, child, state.turn, depth - 1, alpha, beta, prune, player, values, work)
        if state.turn == player:
            best = max(best, value)
        else:
            best = min(best, value)
        if prune:
            if state.turn == player:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if alpha >= beta:
                work[CUT] += popcount(mask)
                mask = 0
    return best


@jit
def negamax_gains(k: Any, state: Any, last: int, depth: int, work: NDArray[np.int64]) -> int:
    """The examination's NegaAwale: what one takes less what the other then takes; 0 at the horizon and at the end."""
    work[VISITED] += 1
    if depth <= 0 or leaf_ending(k, state, last) != 0:
        return 0
    mask = generic.legal(k, state)
    if mask == 0:
        return 0
    best = -EXCLUDED
    while mask:
        move = lowest(mask)
        mask &= mask - 1
        child = generic.play(k, state, move)
        gain = child.south + child.north - state.south - state.north
        rest = negamax_gains(k, child, state.turn, depth - 1, work)
        value = gain - rest if child.turn != state.turn else gain + rest
        best = max(best, value)
    return best


@jit
def basic_levels(k: Any, state: Any, mover: int, level: int, player: int, work: NDArray[np.int64]) -> int:
    """The BASIC program's tree below a position where `mover` is due: seeds taken by `player` less those of the other.

    A player without a seed passes, which uses up a level; a branch where someone has seeds but nothing to play is left
    out of the choice (EXCLUDED), as are empty pits and endless sowings. The end of the game is not looked at.
    """
    work[VISITED] += 1
    taken = state.south - state.north if player == 0 else state.north - state.south
    if level == 0:
        return taken
    if state.turn != mover:
        return basic_levels(k, state, 1 - mover, level - 1, player, work)
    mask = generic.legal(k, state)
    best = EXCLUDED
    while mask:
        move = lowest(mask)
        mask &= mask - 1
        child = generic.play(k, state, move)
        value = EXCLUDED
        if child.ply > state.ply and not endless_move(child):
            value = basic_levels(k, child, 1 - mover, level - 1, player, work)
        if value != EXCLUDED:
            if best == EXCLUDED or (mover == player and value > best) or (mover != player and value < best):
                best = value
    return best


@dispatch
def endless_move(state: Any) -> Any:
    """Return whether a state was reached by an endless sowing (possible in `ghana-basic` only)."""
    return (lambda state: state.endless != 0) if "endless" in class_of(state)._fields else lambda state: False


@jit
def _pits_value(values: NDArray[np.int64], mine: int, theirs: int) -> int:
    value = 0
    for pit in range(BYTES):
        value += values[(mine >> (8 * pit)) & 255] - values[(theirs >> (8 * pit)) & 255]
    return value


@dispatch
def pits_value(values: NDArray[np.int64], state: Any) -> Any:
    """Return the pit values of the mover's side less those of the other side; 0 for the three-colour rules."""
    if class_of(state) in NARROW:
        return lambda values, state: _pits_value(values, state.mine, state.theirs)
    if class_of(state) in WIDE:
        return lambda values, state: (
            _pits_value(values, state.mine, state.theirs) + _pits_value(values, state.mine_high, state.theirs_high)
        )
    return lambda values, state: 0


# -- for players ---------------------------------------------------------------------------------------------------


def heuristic_values(name: str, rules: Rules) -> NDArray[np.int64]:
    """Return the pit values of a heuristic, none for `material`; refuse those that these rules do not have."""
    if name not in HEURISTICS:
        raise AwaleError(message("search.bad.heuristic", name=name[:40], known=", ".join(HEURISTICS)))
    if rules.coloured and name != "material":
        raise AwaleError(message("search.bad.one-colour", name=name))
    return np.array([] if name == "material" else pit_values(name), np.int64)


def choose_minimax(game: Game, depth: int, heuristic: str = "material", *, prune: bool = False) -> Found:
    """Return the first move with the largest minimax value."""
    k, root = pack_game(game)
    work = np.zeros(2, np.int64)
    values = heuristic_values(heuristic, game.rules)
    alpha = -EXCLUDED

    def value(child: Any) -> int:
        nonlocal alpha
        # A value at or below alpha is only a bound, and cannot be chosen: the first best is kept.
        found = alphabeta(k, child, root.turn, depth - 1, alpha, EXCLUDED, prune, root.turn, values, work)
        alpha = max(alpha, int(found))
        return int(found)

    return _first_best(game, k, root, value, work)


def choose_alphabeta(game: Game, depth: int, heuristic: str = "material") -> Found:
    """Return the same move and value as `choose_minimax`, with less work."""
    return choose_minimax(game, depth, heuristic, prune=True)


def choose_negamax(game: Game, depth: int = 5) -> Found:
    """The examination's program; its value is in hundredths too."""
    k, root = pack_game(game)
    work = np.zeros(2, np.int64)

    def value(child: Any) -> int:
        gain = child.south + child.north - root.south - root.north
        rest = int(negamax_gains(k, child, root.turn, depth - 1, work))
        return 100 * (gain - rest if child.turn != root.turn else gain + rest)

    return _first_best(game, k, root, value, work)


def choose_basic(game: Game, levels: int = 4) -> Found:
    """The BASIC program: full width, four levels, the first best pit."""
    k, root = pack_game(game)
    work = np.zeros(2, np.int64)

    def value(child: Any) -> int | None:
        if endless_move(child):
            return None
        found = int(basic_levels(k, child, 1 - root.turn, levels - 1, root.turn, work))
        return None if found == EXCLUDED else 100 * found

    return _first_best(game, k, root, value, work)


def _first_best(game: Game, k: Any, root: Any, value: Any, work: NDArray[np.int64]) -> Found:
    mask = int(generic.legal(k, root))
    numbers = [n for n in range(mask.bit_length()) if mask >> n & 1]
    best, best_value = numbers[0], None
    work[VISITED] += 1
    for number in numbers:
        found = value(generic.play(k, root, number))
        if found is not None and (best_value is None or found > best_value):
            best, best_value = number, found
    return Found(move_of(game.rules, game.turn, best), best_value or 0, int(work[VISITED]), int(work[CUT]))
