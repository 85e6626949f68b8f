"""The searches of the school: full-width minimax, alpha-beta, negamax on gains, and the BASIC program's four levels.

They are what the seed programs were, on fast kernels: same choices, first best, nothing clever. A position is valued
from the side of the player whose turn it is at the root, in hundredths of a seed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.errors import AwaleError
from awale.game import Game
from awale.kernels import NO_MOVE, generic
from awale.kernels.bits import lowest
from awale.kernels.convert import move_of, pack_game
from awale.kernels.jit import jit
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.search.features import FEATURES, feature_value
from awale.search.states import leaf_ending

HEURISTICS: tuple[str, ...] = FEATURES
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


@jit
def _leaf(k: Any, state: Any, feature: int, player: int) -> int:
    value = feature_value(k, state, feature)
    return value if state.turn == player else -value


@jit
def minimax(k: Any, state: Any, last: int, depth: int, player: int, feature: int, work: NDArray[np.int64]) -> int:
    """Plain minimax: `player` takes the largest value, the other the smallest."""
    work[VISITED] += 1
    code = leaf_ending(k, state, last)
    if code != 0:
        return _end(k, state, code, last, player)
    if depth <= 0:
        return _leaf(k, state, feature, player)
    mask = generic.legal(k, state)
    if mask == 0:
        return _end(k, state, NO_MOVE, last, player)
    best = -EXCLUDED if state.turn == player else EXCLUDED
    while mask:
        move = lowest(mask)
        mask &= mask - 1
        value = minimax(k, generic.play(k, state, move), state.turn, depth - 1, player, feature, work)
        if state.turn == player:
            best = max(best, value)
        else:
            best = min(best, value)
    return best


@jit
def alphabeta(
    k: Any,
    state: Any,
    last: int,
    depth: int,
    alpha: int,
    beta: int,
    player: int,
    feature: int,
    work: NDArray[np.int64],
) -> int:
    """The same value as `minimax` wherever it lies between alpha and beta, with fewer nodes."""
    work[VISITED] += 1
    code = leaf_ending(k, state, last)
    if code != 0:
        return _end(k, state, code, last, player)
    if depth <= 0:
        return _leaf(k, state, feature, player)
    mask = generic.legal(k, state)
    if mask == 0:
        return _end(k, state, NO_MOVE, last, player)
    best = -EXCLUDED if state.turn == player else EXCLUDED
    while mask:
        move = lowest(mask)
        mask &= mask - 1
        child = generic.play(k, state, move)
        value = alphabeta(k, child, state.turn, depth - 1, alpha, beta, player, feature, work)
        if state.turn == player:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            while mask:
                mask &= mask - 1
                work[CUT] += 1
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


def endless_move(state: Any) -> bool:
    """Whether a state was reached by an endless sowing (possible in `ghana-basic` only)."""
    return bool(getattr(state, "endless", 0))


def _overload_endless() -> None:
    from numba.extending import overload

    @overload(endless_move, strict=False)
    def _endless_move(state: Any) -> Any:
        if "endless" in state.instance_class._fields:
            return lambda state: state.endless != 0
        return lambda state: False


from awale.kernels.jit import COMPILER_OFF  # noqa: E402

if not COMPILER_OFF:
    _overload_endless()


# -- for players ---------------------------------------------------------------------------------------------------


def feature_number(name: str, rules: Rules) -> int:
    """The number of a heuristic; refuses those that these rules do not have."""
    if name not in HEURISTICS:
        raise AwaleError(f"no heuristic is called '{name}': there are {', '.join(HEURISTICS)}")
    if rules.coloured and name != "material":
        raise AwaleError(
            f"the heuristic '{name}' is for one colour; the three-colour game has material, or report:corrected"
        )
    return HEURISTICS.index(name)


def choose_minimax(game: Game, depth: int, heuristic: str = "material") -> Found:
    """The first move with the largest minimax value."""
    k, root = pack_game(game)
    work = np.zeros(2, np.int64)
    feature = feature_number(heuristic, game.rules)

    def value(child: Any) -> int:
        return int(minimax(k, child, root.turn, depth - 1, root.turn, feature, work))

    return _first_best(game, k, root, value, work)


def choose_alphabeta(game: Game, depth: int, heuristic: str = "material") -> Found:
    """The same move and value as `choose_minimax`, with less work."""
    k, root = pack_game(game)
    work = np.zeros(2, np.int64)
    feature = feature_number(heuristic, game.rules)
    alpha = -EXCLUDED

    def value(child: Any) -> int:
        nonlocal alpha
        # A value at or below alpha is only a bound, and cannot be chosen: the first best is kept.
        found = int(alphabeta(k, child, root.turn, depth - 1, alpha, EXCLUDED, root.turn, feature, work))
        alpha = max(alpha, found)
        return found

    return _first_best(game, k, root, value, work)


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
