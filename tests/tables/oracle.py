"""Endgame values in plain Python, over the plain-Python rules: slow, short, and written without a look at the
tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from awale.rules import reference
from awale.rules.description import Rules
from awale.rules.reference import Position

Counts = tuple[int, ...]


def boards(holes: int, seeds: int) -> Iterator[Counts]:
    """Every way to lay so many seeds into so many holes."""
    if holes == 1:
        yield (seeds,)
        return
    for first in range(seeds + 1):
        for rest in boards(holes - 1, seeds - first):
            yield (first, *rest)


class Node(NamedTuple):
    """A position with South to move: what it is worth if the game is over, and its moves: seeds taken, whether
    South is to move again (the other passes), and the board turned so that the next to move is South."""

    worth: int | None
    moves: tuple[tuple[int, bool, Counts], ...]


def turned(board: Counts) -> Counts:
    half = len(board) // 2
    return board[half:] + board[:half]


def boundless(rules: Rules) -> Rules:
    """The same rules without goal, limit of moves and repetition: what a table is about."""
    return rules.variant(win_at=None, move_limit=None, repetition="none", name="boundless")


@cache
def node(rules: Rules, board: Counts) -> Node:
    settled = reference.settle(rules, Position(board, (0, 0), 0))
    if settled.reason is not None:
        return Node(settled.swept[0] - settled.swept[1], ())
    if settled.passed:
        return Node(None, ((0, False, turned(board)),))
    moves = []
    for step in reference.legal_steps(rules, settled.position).values():
        if step.sown.period is not None:
            moves.append((0, True, ()))  # chosen endless sowing: over, nothing more for anybody
        else:
            moves.append((step.taken, False, turned(step.board)))
    return Node(None, tuple(moves))


def solve(rules: Rules, seeds: int) -> dict[Counts, tuple[int, int]]:
    """The bounds of every position with at most so many seeds, whatever endless play is worth: South to move."""
    rules = boundless(rules)
    low: dict[Counts, int] = {}
    high: dict[Counts, int] = {}
    for layer in range(seeds + 1):
        mine = list(boards(rules.holes, layer))
        for board in mine:
            worth = node(rules, board).worth
            low[board], high[board] = (-layer, layer) if worth is None else (worth, worth)
        changing = True
        while changing:
            changing = False
            for board in mine:
                moves = node(rules, board).moves
                if not moves:
                    continue
                new_low = max(taken if over else taken - high[child] for taken, over, child in moves)
                new_high = max(taken if over else taken - low[child] for taken, over, child in moves)
                if (new_low, new_high) != (low[board], high[board]):
                    low[board], high[board] = new_low, new_high
                    changing = True
    return {board: (low[board], high[board]) for board in low}


def solve_even(rules: Rules, seeds: int) -> dict[Counts, int]:
    """The values if endless play is worth nothing, settled layer by layer."""
    rules = boundless(rules)
    value: dict[Counts, int] = {}
    for layer in range(seeds + 1):
        mine = list(boards(rules.holes, layer))
        low = dict.fromkeys(mine, -layer)
        high = dict.fromkeys(mine, layer)
        for board in mine:
            worth = node(rules, board).worth
            if worth is not None:
                low[board] = high[board] = worth
        changing = True
        while changing:
            changing = False
            for board in mine:
                best_low = best_high = None
                for taken, over, child in node(rules, board).moves:
                    if over:
                        pair = (taken, taken)
                    elif child in value:
                        pair = (taken - value[child],) * 2
                    else:
                        pair = (taken - high[child], taken - low[child])
                    best_low = pair[0] if best_low is None else max(best_low, pair[0])
                    best_high = pair[1] if best_high is None else max(best_high, pair[1])
                if best_low is not None and (best_low, best_high) != (low[board], high[board]):
                    low[board], high[board] = best_low, best_high
                    changing = True
        for board in mine:
            value[board] = low[board] if low[board] > 0 else high[board] if high[board] < 0 else 0
    return value


def counted_value(rules: Rules, board: Counts, left: int) -> int:
    """The value with so many moves left before the limit, by the rules as they are, but for the goal."""
    plain = rules.variant(win_at=None, repetition="none", name="goalless")
    assert plain.move_limit is not None

    @cache
    def value(board: Counts, left: int) -> int:
        settled = reference.settle(plain, Position(board, (0, 0), 0, plain.move_limit - left))
        if settled.reason is not None:
            return settled.swept[0] - settled.swept[1]
        best = -(10**6)
        passed = settled.position.turn == 1
        for step in reference.legal_steps(plain, settled.position).values():
            endless = step.sown.period is not None
            after = step.board if passed else turned(step.board)
            best = max(best, 0 if endless else step.taken - value(after, left - 1))
        return -best if passed else best

    return value(board, left)


def played_out(rules: Rules, board: Counts) -> int:
    """The value by playing every line to its end under the rules themselves, repetition included, but for the goal.
    Only for the smallest boards."""
    plain = rules.variant(win_at=None, name="goalless")

    def value(position: Position, earlier: tuple[Position, ...], low: int, high: int) -> int:
        """The margin of the player to move, within a window."""
        best = -(10**6)
        for move in reference.legal_steps(plain, position):
            settled = reference.play(plain, position, move, earlier)
            gained = [after - before for after, before in zip(settled.position.scores, position.scores, strict=True)]
            margin = gained[position.turn] - gained[1 - position.turn]
            if settled.reason is None:
                if settled.position.turn == position.turn:
                    margin += value(settled.position, (position, *earlier), low - margin, high - margin)
                else:
                    margin -= value(settled.position, (position, *earlier), margin - high, margin - low)
            best = max(best, margin)
            low = max(low, best)
            if low >= high:
                break
        return best

    start = reference.settle(plain, Position(board, (0, 0), 0))
    if start.reason is not None:
        return start.swept[0] - start.swept[1]
    sign = 1 if start.position.turn == 0 else -1
    return sign * value(start.position, (), -(10**6), 10**6)
