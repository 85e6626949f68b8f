"""How games end: the options as integers, and compiled functions of them for the kernels of every family."""

from __future__ import annotations

from typing import Any, NamedTuple

from awale.kernels import FEW, MOVES, NO_MOVE, REPETITION, WIN
from awale.kernels.bits import byte_sum
from awale.kernels.jit import jit
from awale.rules.description import Rules

NOBODY, OWN_SIDE, TO_MOVE, LAST_MOVER = range(4)
RESTS = ("nobody", "own-side", "to-move", "last-mover")
MAJORITY = -1
NEVER = 1 << 62
_CODES = {"win": WIN, "moves": MOVES, "few": FEW}


class EndingOptions(NamedTuple):
    """How the games of some rules end, for compiled code; who takes the rest is an index into `RESTS`."""

    goal: int
    """Captured seeds that end the game; `MAJORITY`; or `NEVER`."""
    move_limit: int
    few: int
    """This many seeds on the board, or fewer, end the game; -1 for never."""
    first: int
    second: int
    third: int
    """The order in which the rules check them."""
    win_rest: int
    moves_rest: int
    few_rest: int
    repetition: int
    """Who takes the rest when a position is repeated; -1: repetition is allowed."""
    no_move: int


def ending_options(rules: Rules) -> EndingOptions:
    first, second, third = (_CODES[name] for name in rules.endings)
    goal = MAJORITY if rules.win_at == "majority" else rules.win_at
    return EndingOptions(
        goal=NEVER if goal is None else goal,
        move_limit=NEVER if rules.move_limit is None else rules.move_limit,
        few=-1 if rules.few_seeds is None else rules.few_seeds,
        first=first,
        second=second,
        third=third,
        win_rest=RESTS.index(rules.win_rest),
        moves_rest=RESTS.index(rules.move_limit_rest),
        few_rest=RESTS.index(rules.few_rest),
        repetition=-1 if rules.repetition == "none" else RESTS.index(rules.repetition),
        no_move=RESTS.index(rules.no_move),
    )


@jit(forceinline=True)
def stop_code(k: EndingOptions, south: int, north: int, ply: int, seeds: int) -> int:
    """Return the ending by captured seeds, moves or seeds left, in the order in which the rules check them; or 0."""
    most = south if south > north else north
    # More than half of all seeds: more than the board and the other store together.
    won = most > south + north - most + seeds if k.goal == MAJORITY else most >= k.goal
    if not won and ply < k.move_limit and seeds > k.few:
        return 0
    for code in (k.first, k.second, k.third):
        if (code == WIN and won) or (code == MOVES and ply >= k.move_limit) or (code == FEW and seeds <= k.few):
            return code
    return 0


@jit
def rest_of(k: EndingOptions, code: int) -> int:
    """Return who takes the seeds left when a game ends by `code`."""
    if code == WIN:
        return k.win_rest
    if code == MOVES:
        return k.moves_rest
    if code == FEW:
        return k.few_rest
    if code == REPETITION:
        return k.repetition
    if code == NO_MOVE:
        return k.no_move
    return NOBODY


@jit
def share(k: EndingOptions, state: Any, code: int, last: int, mine: int, theirs: int) -> tuple[int, int]:
    """Return the final scores, South's first: what was captured, and what is left as the ending hands it out.

    Args:
        k: the options of the endings.
        state: a state of any family.
        code: the ending (see `awale.kernels`).
        last: the player who moved last; a starved player may have passed since, so the turn does not tell.
        mine: seeds left on the side of the player to move.
        theirs: seeds left on the other side.
    """
    south, north, turn = state.south, state.north, state.turn
    rest = rest_of(k, code)
    if rest == NOBODY:
        return south, north
    if rest == OWN_SIDE:
        return (south + mine, north + theirs) if turn == 0 else (south + theirs, north + mine)
    taker = last
    if code == NO_MOVE:
        taker = turn if rest == TO_MOVE else 1 - turn
    if taker == 0:
        return south + mine + theirs, north
    return south, north + mine + theirs


@jit
def final(k: Any, state: Any, code: int, last: int) -> tuple[int, int]:
    """Return South's and North's seeds once a game of one word a side is over."""
    return share(k.endings, state, code, last, byte_sum(state.mine), byte_sum(state.theirs))


@jit
def final_wide(k: Any, state: Any, code: int, last: int) -> tuple[int, int]:
    """Return the same of a game of two words a side."""
    mine, theirs = byte_sum(state.mine + state.mine_high), byte_sum(state.theirs + state.theirs_high)
    return share(k.endings, state, code, last, mine, theirs)
