"""What a claim means in a position, for each family of games: the moves and which of them settle it at once, the end of
a game without a legal move, and a position repeated.

A *claim* says that player `x` can force the game to end with a margin (their seeds minus the other's) of at least
`margin`. `list_moves`, `read_tables` and `holds_without_move` are chosen by the type of the packed rules.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.kernels import NO_MOVE, lap, relay
from awale.kernels.bits import byte_sum
from awale.kernels.endgame import TableSet, bounds_at, locate
from awale.kernels.jit import UNCOUNTED, class_of, dispatch, jit
from awale.kernels.lap import LapRules, LapState
from awale.kernels.relay import RelayRules, RelayState

INFINITE = 1 << 22
"""A proof number that says "refuted", or a disproof number that says "proved"."""
LEVELS = 4000
"""The longest line searched."""
NOTHING_ABOVE = LEVELS

# A position: the first fields of a level of the line being searched, and of a move.
MINE, THEIRS, TURN, SOUTH, NORTH, SEEDS, LEFT = range(7)
# The other fields of a move.
PROOF, DISPROOF, SETTLED, DEPENDS_ON, MOVE, EFFORT, KEY, SPREAD = range(7, 15)
MOVE_FIELDS = 15

# Why a move is settled at once.
ENDED, CERTAIN, TABLED, REPEATED = range(1, 5)
"""The game is over; too few seeds are left to change the result; a table knows it; the position was there before."""


AGAINST, MARGIN = range(2)
"""What play that never ends does to a claim: it fails, or it is settled by the margin at that moment."""


class Claim(NamedTuple):
    """Player `x` ends at least `margin` seeds ahead; within `moves` moves if that is not 0."""

    x: int
    margin: int
    moves: int
    endless: int = AGAINST


@jit(forceinline=True)
def margin_of(claim: Claim, south: int, north: int) -> int:
    return south - north if claim.x == 0 else north - south


@jit(forceinline=True)
def holds_repeated(claim: Claim, row: NDArray[np.int64]) -> bool:
    """Return whether the claim holds on a line that comes back to a position."""
    return claim.endless == MARGIN and margin_of(claim, row[SOUTH], row[NORTH]) >= claim.margin


@jit(forceinline=True)
def set_root(here: NDArray[np.int64], claim: Claim, root: Any) -> None:
    """Set the position that a line begins with."""
    here[MINE] = root.mine
    here[THEIRS] = root.theirs
    here[TURN] = root.turn
    here[SOUTH] = root.south
    here[NORTH] = root.north
    here[SEEDS] = byte_sum(root.mine + root.theirs)
    here[LEFT] = claim.moves


@jit(forceinline=True)
def _settle(row: NDArray[np.int64], holds: bool, why: int) -> None:
    row[PROOF] = 0 if holds else INFINITE
    row[DISPROOF] = INFINITE if holds else 0
    row[SETTLED] = why


@jit(forceinline=True)
def _list(
    row: NDArray[np.int64], move: int, mine: int, theirs: int, turn: int, south: int, north: int, seeds: int, left: int
) -> None:
    row[MINE] = mine
    row[THEIRS] = theirs
    row[TURN] = turn
    row[SOUTH] = south
    row[NORTH] = north
    row[SEEDS] = seeds
    row[LEFT] = left
    row[PROOF] = -1
    row[DISPROOF] = -1
    row[SETTLED] = 0
    row[DEPENDS_ON] = NOTHING_ABOVE
    row[MOVE] = move
    row[EFFORT] = 0


# -- relay games ---------------------------------------------------------------------------------------------------


@jit(**UNCOUNTED)
def list_relay(k: RelayRules, claim: Claim, t: TableSet, here: NDArray[np.int64], choices: NDArray[np.int64]) -> int:
    turn = here[TURN]
    state = RelayState(here[MINE], here[THEIRS], turn, here[SOUTH], here[NORTH], 0, 0)
    n = 0
    for move in range(k.pits):
        if (state.mine >> 8 * move) & 255 == 0:
            continue
        after = relay.play(k, state, move)
        if after.endless == 1 and k.endless_ends == 0:
            continue
        seeds = byte_sum(after.mine + after.theirs)
        left = here[LEFT] - 1 if claim.moves > 0 else 0
        row = choices[n]
        _list(row, move, after.mine, after.theirs, after.turn, after.south, after.north, seeds, left)
        code = relay.stopped(k, after, turn)
        if code != 0:
            south, north = relay.final(k, after, code, turn)
            _settle(row, margin_of(claim, south, north) >= claim.margin, ENDED)
        elif margin_of(claim, after.south, after.north) + seeds < claim.margin:
            _settle(row, False, CERTAIN)
        elif claim.moves > 0 and left == 0:
            # Out of moves, unless the other side cannot move either.
            if relay.can_move(k, after):
                _settle(row, False, ENDED)
            else:
                south, north = relay.final(k, after, NO_MOVE, turn)
                _settle(row, margin_of(claim, south, north) >= claim.margin, ENDED)
        n += 1
    return n


@jit(**UNCOUNTED)
def tables_relay(k: RelayRules, claim: Claim, t: TableSet, choices: NDArray[np.int64], count: int) -> None:
    pass


@jit(**UNCOUNTED)
def without_move_relay(k: RelayRules, claim: Claim, here: NDArray[np.int64]) -> bool:
    state = RelayState(here[MINE], here[THEIRS], here[TURN], here[SOUTH], here[NORTH], 0, 0)
    south, north = relay.final(k, state, NO_MOVE, 1 - state.turn)
    return margin_of(claim, south, north) >= claim.margin


# -- single-lap games ----------------------------------------------------------------------------------------------


@jit(**UNCOUNTED)
def list_lap(k: LapRules, claim: Claim, t: TableSet, here: NDArray[np.int64], choices: NDArray[np.int64]) -> int:
    turn = here[TURN]
    state = LapState(here[MINE], here[THEIRS], turn, here[SOUTH], here[NORTH], 0)
    legal = lap.legal(k, state)
    n = 0
    for move in range(k.pits):
        if (legal >> move) & 1 == 0:
            continue
        after = lap.play(k, state, move)
        seeds = byte_sum(after.mine + after.theirs)
        row = choices[n]
        _list(row, move, after.mine, after.theirs, after.turn, after.south, after.north, seeds, 0)
        n += 1
        margin = margin_of(claim, after.south, after.north)
        code = lap.stopped(k, after, turn)
        if code != 0:
            south, north = lap.final(k, after, code, turn)
            _settle(row, margin_of(claim, south, north) >= claim.margin, ENDED)
        elif margin + seeds < claim.margin:
            _settle(row, False, CERTAIN)
        elif margin - seeds >= claim.margin:
            _settle(row, True, CERTAIN)
        else:
            row[DEPENDS_ON] = locate(t, after.mine, after.theirs, seeds)
    return n


@jit(**UNCOUNTED)
def tables_lap(k: LapRules, claim: Claim, t: TableSet, choices: NDArray[np.int64], count: int) -> None:
    for child in range(count):
        row = choices[child]
        if row[SETTLED] == 0:
            address = row[DEPENDS_ON]
            row[DEPENDS_ON] = NOTHING_ABOVE
            if address != 0:
                least, most = bounds_at(t, row[SEEDS], address)
                margin = margin_of(claim, row[SOUTH], row[NORTH])
                _settle(row, margin + (least if row[TURN] == claim.x else -most) >= claim.margin, TABLED)


@jit(**UNCOUNTED)
def without_move_lap(k: LapRules, claim: Claim, here: NDArray[np.int64]) -> bool:
    state = LapState(here[MINE], here[THEIRS], here[TURN], here[SOUTH], here[NORTH], 0)
    south, north = lap.final(k, state, NO_MOVE, 1 - state.turn)
    return margin_of(claim, south, north) >= claim.margin


# -- the choice between them ---------------------------------------------------------------------------------------

_FAMILIES: dict[type, tuple[Any, Any, Any]] = {
    RelayRules: (list_relay, without_move_relay, tables_relay),
    LapRules: (list_lap, without_move_lap, tables_lap),
}


@dispatch(**UNCOUNTED)
def list_moves(k: Any, claim: Claim, t: TableSet, here: NDArray[np.int64], choices: NDArray[np.int64]) -> Any:
    """List the legal moves of a position, marking those that settle the claim at once; return how many. Table entries
    are only being loaded: DEPENDS_ON holds the address of one, or 0, until `read_tables` is called."""
    return _FAMILIES[class_of(k)][0]


@dispatch(**UNCOUNTED)
def read_tables(k: Any, claim: Claim, t: TableSet, choices: NDArray[np.int64], count: int) -> Any:
    """Settle the listed moves that tables know: where a table has only bounds, by the one that holds for `x` however
    endless play is scored."""
    return _FAMILIES[class_of(k)][2]


@dispatch(**UNCOUNTED)
def holds_without_move(k: Any, claim: Claim, here: NDArray[np.int64]) -> Any:
    """Return whether the claim holds in a position without a legal move."""
    return _FAMILIES[class_of(k)][1]


@jit(**UNCOUNTED)
def expand(k: Any, claim: Claim, t: TableSet, here: NDArray[np.int64], choices: NDArray[np.int64]) -> int:
    """List the legal moves of a position, marking those that settle the claim at once; return how many."""
    count = list_moves(k, claim, t, here, choices)
    read_tables(k, claim, t, choices, count)
    return count
