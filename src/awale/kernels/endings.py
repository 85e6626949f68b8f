"""How games end, for the one-lap kernels: the options as plain ints, and compiled functions over any rules that carry
them."""

from __future__ import annotations

from typing import Any, NamedTuple

from awale.kernels import FEW, MOVES, NO_MOVE, REPETITION, WIN
from awale.kernels.jit import jit
from awale.rules.description import Rules

NOBODY, OWN_SIDE, TO_MOVE, LAST_MOVER = range(4)
RESTS = ("nobody", "own-side", "to-move", "last-mover")
MAJORITY = -1
NEVER = 1 << 62
_CODES = {"win": WIN, "moves": MOVES, "few": FEW}


class EndingOptions(NamedTuple):
    """The fields that a family's rules must have for the functions below."""

    goal: int
    """Captured seeds that end the game; `MAJORITY`; or `NEVER`."""
    move_limit: int
    few: int
    """So many seeds on the board, or fewer, end the game; -1 for never."""
    first: int
    second: int
    third: int
    """The order in which these are looked at."""
    win_rest: int
    moves_rest: int
    few_rest: int
    repetition: int
    """Who takes the rest when a position comes back; -1: it may."""
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
def stop_code(k: Any, south: int, north: int, ply: int, seeds: int) -> int:
    """The ending that captured seeds, moves and seeds left make, in the order that the rules look at them; or 0."""
    most = south if south > north else north
    # More than half of all seeds: more than the board and the other's store together.
    won = most > south + north - most + seeds if k.goal == MAJORITY else most >= k.goal
    if not won and ply < k.move_limit and seeds > k.few:
        return 0
    for code in (k.first, k.second, k.third):
        if (code == WIN and won) or (code == MOVES and ply >= k.move_limit) or (code == FEW and seeds <= k.few):
            return code
    return 0


@jit
def rest_of(k: Any, code: int) -> int:
    """Who takes the rest when a game ends so."""
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
def share(k: Any, code: int, last: int, turn: int, scores: tuple[int, int], sides: tuple[int, int]) -> tuple[int, int]:
    """The final scores: what was captured, and what is left handed out as the ending says."""
    rest = rest_of(k, code)
    if rest == NOBODY:
        return scores
    if rest == OWN_SIDE:
        return scores[0] + sides[0], scores[1] + sides[1]
    if code == NO_MOVE:
        taker = turn if rest == TO_MOVE else 1 - turn
    else:
        # A starved player may have passed since: the turn does not tell who moved.
        taker = last
    left = sides[0] + sides[1]
    if taker == 0:
        return scores[0] + left, scores[1]
    return scores[0], scores[1] + left
