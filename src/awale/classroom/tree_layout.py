"""Where the positions of a tree stand: leaves side by side, parents over the middle of their children."""

from __future__ import annotations

from dataclasses import dataclass

from awale.classroom.tree import Tree, Unfolded

STORE = 22.0
PAD = 5.0
PILL = 20.0
"""The value's height; it hangs from the board's lower edge."""
HANG = PILL - 5.0
WINDOW = 15.0
GAP_DOWN, LEVEL_DOWN = 16.0, 44.0
GAP_ACROSS, LEVEL_ACROSS = 8.0, 54.0
GUTTER_DOWN, GUTTER_ACROSS = 74.0, 40.0
"""Room for the names of the levels."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """A small board: the side of a pit's square, and the whole of a node."""

    cell: float
    board_width: float
    board_height: float
    height: float
    """Board, value and, for alpha-beta, the window."""

    @classmethod
    def of(cls, tree: Tree) -> Sizes:
        pits = tree.rules.pits
        cell = 26.0 if pits <= 3 else 22.0 if pits <= 6 else 21.0 if tree.rules.coloured else 18.0
        width, height = pits * cell + 2 * (STORE + PAD), 2 * cell + 2 * PAD
        window = WINDOW if tree.method == "alphabeta" else 0.0
        return cls(cell, width, height, height + HANG + window)


STUB = (64.0, 24.0)
"""What stands for all the branches cut at a node."""


def stub_of(parent: int) -> int:
    """The number that stands for the cut children of a node; it is its own inverse."""
    return -1 - parent


@dataclass(frozen=True, slots=True)
class Layout:
    """The upper left corner of every node and stub that is seen; `across` lets the tree grow to the right, not down."""

    across: bool
    width: float
    height: float
    corners: dict[int, tuple[float, float]]
    levels: list[tuple[float, float]]
    """Where each level's band begins and ends."""


def children_seen(tree: Tree, index: int, shown: Unfolded) -> list[int]:
    """A node's children as they are shown: all of them, or those looked at and a stub for the rest."""
    if index < 0 or index not in shown.opened:
        return []
    children = tree.nodes[index].children
    if tree.nodes[index].cut is None or index in shown.cuts:
        return children
    return [child for child in children if tree.nodes[child].value is not None] + [stub_of(index)]


def lay_out(tree: Tree, shown: Unfolded, *, across: bool, outline: bool = False) -> Layout:
    """`outline` puts parents beside their first child, not the middle of all: long trees are read from the top."""
    sizes = Sizes.of(tree)
    board = (sizes.board_width, sizes.height)
    order: list[int] = []
    waiting = [0]
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(children_seen(tree, order[-1], shown))
    gap, rank = (GAP_ACROSS, LEVEL_ACROSS) if across else (GAP_DOWN, LEVEL_DOWN)
    length = board[not across]
    middle: dict[int, float] = {}
    free = 0.0
    for index in reversed(order):  # children before parents, from the far end
        below = [middle[child] for child in children_seen(tree, index, shown)]
        breadth = (STUB if index < 0 else board)[across]
        if below:
            middle[index] = below[0] if outline else (below[0] + below[-1]) / 2
        else:
            middle[index] = free + breadth / 2
            free += breadth + gap
    whole = free - gap
    before = GUTTER_ACROSS if across else GUTTER_DOWN
    corners: dict[int, tuple[float, float]] = {}
    deepest = 0
    for index in order:
        depth = tree.nodes[index].depth if index >= 0 else tree.nodes[stub_of(index)].depth + 1
        deepest = max(deepest, depth)
        size = STUB if index < 0 else board
        along = (length + rank) * depth + rank / 2
        beside = before + whole - middle[index] - size[across] / 2
        corners[index] = (along, beside) if across else (beside, along)
    far = (length + rank) * (deepest + 1)
    levels = [((length + rank) * depth, (length + rank) * (depth + 1)) for depth in range(deepest + 1)]
    full = before + whole + gap
    return Layout(across, *((far, full) if across else (full, far)), corners, levels)


def fitting(tree: Tree, shown: Unfolded, shape: float = 1.6) -> Layout:
    """Down or across, whichever comes nearer to a sheet of this shape (width by height)."""
    both = [lay_out(tree, shown, across=across) for across in (False, True)]
    best = max(both, key=lambda layout: min(shape / layout.width, 1 / layout.height))
    long = best.across and best.height > 1.5 * best.width
    return lay_out(tree, shown, across=True, outline=True) if long else best
