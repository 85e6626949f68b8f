"""Any move of any one-colour game, sown seed by seed: for relays, whose moves cannot be split by side, for rules with a
move limit, and as a simple check of the fast solver."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.kernels.jit import jit
from awale.kernels.lap import DUTY_IF_POSSIBLE, NO_DUTY
from awale.rules.description import Rules
from awale.tables.half_boards import rank_of
from awale.tables.lap_moves import LapOptions, lap_options
from awale.tables.lap_retrograde import NONE
from awale.tables.layers import Shape

ENDLESS = -1


class PlainOptions(NamedTuple):
    """The options as numbers for compiled code."""

    lap: LapOptions
    relay: bool
    own_relay: bool
    """Whether only the mover's own pits are lifted again."""
    endless_ends: bool


def plain_options(rules: Rules) -> PlainOptions:
    own_relay = rules.relay_from == "own-side"
    return PlainOptions(lap_options(rules), rules.sowing == "relay", own_relay, rules.endless == "ends")


@jit
def _sow(options: PlainOptions, board: NDArray[np.int64], pit: int) -> int:
    """Sow one handful; return the pit of the last seed. The mover's pits come first on the board."""
    holes = board.shape[0]
    seeds = board[pit]
    board[pit] = 0
    here = pit
    while seeds > 0:
        here = here + 1 if here + 1 < holes else 0
        if here == pit and options.lap.skip_origin:
            continue
        board[here] += 1
        seeds -= 1
    return here


@jit
def play(options: PlainOptions, board: NDArray[np.int64], first: NDArray[np.int64], pit: int) -> int:
    """Play a pit that is not empty, in place; return the seeds taken, or ENDLESS. `first` is a scratch board."""
    holes = board.shape[0]
    pits = holes // 2
    last = pit
    if options.relay:
        first[:] = board
        while True:
            last = _sow(options, board, last)
            if board[last] == 1 or (options.own_relay and last >= pits):
                break
            if last == pit:
                same = True
                for i in range(holes):
                    if board[i] != first[i]:
                        same = False
                        break
                if same:
                    return ENDLESS
    else:
        last = _sow(options, board, pit)
    begin = last
    end = last
    if options.lap.opposite:
        if last < pits and board[last] == 1:
            begin = holes - 1 - last
            end = begin + 1
    else:
        end = last + 1
        begin = end
        while begin > pits and board[begin - 1] < 64 and (options.lap.takes >> board[begin - 1]) & 1:
            begin -= 1
    taken = 0
    for i in range(begin, end):
        taken += board[i]
    if taken == 0:
        return 0
    if options.lap.spared:
        left = -taken
        for i in range(pits, holes):
            left += board[i]
        if left == 0:
            return 0
    for i in range(begin, end):
        board[i] = 0
    return taken


@jit
def list_children(
    options: PlainOptions,
    shape: Shape,
    counts: NDArray[np.uint8],
    ranks: NDArray[np.int64],
    seeds: int,
    begin: int,
    end: int,
    ends: NDArray[np.int64],
    kids: NDArray[np.int64],
    taken: NDArray[np.uint8],
    fixed: NDArray[np.int8],
) -> None:
    """List the children of some positions of a layer.

    Args:
        options: the rules.
        shape: where layers, blocks and rows begin.
        counts: the seeds in each pit of every half.
        ranks: what each pit adds to the rank of a half.
        seeds: of the layer.
        begin: the first position.
        end: one past the last.
        ends: what a game that ends is worth, by the mover's seeds.
        kids: written from 0 on: the index of each child among all layers; 0: no such move.
        taken: written: the seeds that each move takes.
        fixed: written: what the position is worth without a legal move, else NONE.
    """
    pits = options.lap.pits
    board = np.zeros(2 * pits, np.int64)
    first = np.zeros(2 * pits, np.int64)
    start = shape.block[seeds, 0]
    waiting = 0
    for index in range(begin, end):
        while start + index >= shape.block[seeds, waiting + 1]:
            waiting += 1
        mine = seeds - waiting
        inside = start + index - shape.block[seeds, waiting]
        mover = shape.first[mine] + inside % shape.width[mine]
        other = shape.first[waiting] + inside // shape.width[mine]
        at = index - begin
        fixed[at] = NONE
        line = at * pits
        every = 0
        feeding = 0
        for pit in range(pits):
            kids[line + pit] = 0
            taken[line + pit] = 0
            if counts[mover, pit] == 0:
                continue
            for i in range(pits):
                board[i] = counts[mover, i]
                board[pits + i] = counts[other, i]
            gain = play(options, board, first, pit)
            if gain == ENDLESS:
                if options.endless_ends:
                    fixed[at] = 0
                continue
            left = 0
            for i in range(pits):
                left += board[i]
            below = seeds - gain
            row = rank_of(board, 0, pits, ranks)
            column = rank_of(board, pits, 2 * pits, ranks)
            kids[line + pit] = shape.block[below, left] + row * shape.width[below - left] + column
            taken[line + pit] = gain
            every |= 1 << pit
            if below > left:
                feeding |= 1 << pit
        duty = NO_DUTY
        if not options.relay:
            duty = options.lap.slam if waiting > 0 else options.lap.feeding
        legal = every
        if duty != NO_DUTY and not (duty == DUTY_IF_POSSIBLE and feeding == 0):
            legal = feeding
        for pit in range(pits):
            if not (legal >> pit) & 1:
                kids[line + pit] = 0
        if mine == 0 and waiting > 0 and options.lap.passes:
            # A pass: the same halves, seen from the other side.
            row = shape.block[seeds, 0]
            kids[line] = row + inside // shape.width[mine]
        elif legal == 0 and fixed[at] == NONE:
            fixed[at] = ends[mine]
