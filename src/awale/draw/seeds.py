"""The arrangement of seeds, so that they can be counted at a glance.

Up to ten seeds lie as on dice and playing cards. More than that lie in fives, light and dark in turn: a pit of 23 shows
four fives and a three.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

Point = tuple[float, float]

SPACING = 2.16
"""From centre to centre of neighbouring seeds, in seed radii."""
GAP = 1.4
"""Between neighbouring fives, in seed radii."""
_ROW = math.sqrt(3) / 2
_CORNER = 0.71
_FIVE = ((-_CORNER, -_CORNER), (_CORNER, -_CORNER), (0.0, 0.0), (-_CORNER, _CORNER), (_CORNER, _CORNER))
FIVE_SIDE = 2 * (1 + _CORNER * SPACING)
"""The square that a five fills, in seed radii."""
FIVE_PITCH = FIVE_SIDE + GAP


def _ring(count: int, radius: float, turn: float = -math.pi / 2) -> tuple[Point, ...]:
    angles = [turn + 2 * math.pi * i / count for i in range(count)]
    return tuple((radius * math.cos(angle), radius * math.sin(angle)) for angle in angles)


def _rows(*lengths: int) -> tuple[Point, ...]:
    """Return centred rows of the given lengths in a hexagonal packing."""
    top = -(len(lengths) - 1) / 2 * _ROW
    return tuple(
        (column - (length - 1) / 2, top + row * _ROW) for row, length in enumerate(lengths) for column in range(length)
    )


def _grid(columns: int, rows: int) -> tuple[Point, ...]:
    return tuple((c - (columns - 1) / 2, r - (rows - 1) / 2) for r in range(rows) for c in range(columns))


PATTERNS: tuple[tuple[Point, ...], ...] = (
    (),
    ((0.0, 0.0),),
    ((-0.55, 0.0), (0.55, 0.0)),
    _ring(3, 0.64),
    ((-0.55, -0.55), (0.55, -0.55), (-0.55, 0.55), (0.55, 0.55)),
    _FIVE,
    _grid(3, 2),
    ((0.0, 0.0), *_ring(6, 1.0, 0.0)),
    _rows(3, 2, 3),
    _grid(3, 3),
    _rows(3, 4, 3),
)
"""One to ten seeds, in units of the spacing."""


class Seed(NamedTuple):
    """A seed's place, and whether it belongs to one of the darker fives."""

    x: float
    y: float
    dark: bool = False


class Heap(NamedTuple):
    """Seeds of one radius at their places."""

    radius: float
    seeds: tuple[Seed, ...]


def in_circle(count: int, radius: float, largest: float) -> Heap:
    """Arrange seeds in a round pit, none larger than `largest`."""
    unit, reach = _pattern_in_circle(count) if count < len(PATTERNS) else _fives_in_circle(count)
    size = min(largest, radius / reach)
    return Heap(size, tuple(Seed(seed.x * size, seed.y * size, seed.dark) for seed in unit))


def in_box(count: int, width: float, height: float, largest: float) -> Heap:
    """Arrange seeds in a store: fives in rows, filled from the top."""
    fives = math.ceil(count / 5)
    size, columns = largest, 1
    if fives:
        # As large as possible; then as many in a row as fit, so that small heaps are at the top.
        size = max(_size_in_box(fives, columns, width, height, largest) for columns in range(1, fives + 1))
        columns = max(1, int((width / size + GAP) / FIVE_PITCH + 1e-9))
    centres = [
        ((place % columns - (columns - 1) / 2) * FIVE_PITCH, place // columns * FIVE_PITCH) for place in range(fives)
    ]
    top = FIVE_SIDE / 2 - height / 2 / size
    return Heap(
        size,
        tuple(Seed(seed.x * size, (seed.y + top) * size, seed.dark) for seed in _deal(count, centres)),
    )


def _size_in_box(fives: int, columns: int, width: float, height: float, largest: float) -> float:
    rows = math.ceil(fives / columns)
    return min(largest, width / (columns * FIVE_PITCH - GAP), height / (rows * FIVE_PITCH - GAP))


def _reach(seeds: Sequence[Seed], height: float = 0.0) -> float:
    """Return the radius, in seed radii, of the circle around (0, height) that holds all the seeds."""
    return max((1 + math.hypot(seed.x, seed.y - height) for seed in seeds), default=1.0)


def _pattern_in_circle(count: int) -> tuple[tuple[Seed, ...], float]:
    """Return a pattern in seed radii, and the radius of the circle that holds it."""
    seeds = tuple(Seed(x * SPACING, y * SPACING) for x, y in PATTERNS[count])
    return seeds, _reach(seeds)


def _deal(count: int, centres: Sequence[Point]) -> list[Seed]:
    """Place five seeds around each centre, the remainder around the last; light and dark like a chessboard."""
    seeds: list[Seed] = []
    squares = [math.floor(x / FIVE_PITCH + 0.25) + round(y / FIVE_PITCH) for x, y in centres]
    for left, (x, y), square in zip(range(count, 0, -5), centres, squares, strict=True):
        dark = (square - squares[0]) % 2 == 1
        seeds += [Seed(x + px * SPACING, y + py * SPACING, dark) for px, py in PATTERNS[min(5, left)]]
    return seeds


@cache
def _fives_in_circle(count: int) -> tuple[tuple[Seed, ...], float]:
    """Arrange fives in centred rows, in reading order, with the number of rows that allows the largest seeds."""
    best: tuple[tuple[Seed, ...], float] | None = None
    for lengths in _row_lengths(math.ceil(count / 5)):
        centres = [
            ((column - (length - 1) / 2) * FIVE_PITCH, row * FIVE_PITCH)
            for row, length in enumerate(lengths)
            for column in range(length)
        ]
        seeds = _deal(count, centres)
        middle = _middle(seeds)
        reach = _reach(seeds, middle)
        if best is None or reach < best[1] - 1e-9:
            best = tuple(seed._replace(y=seed.y - middle) for seed in seeds), reach
    assert best is not None
    return best


def _middle(seeds: Sequence[Seed]) -> float:
    """Return the height of the smallest enclosing circle's centre (the rows are centred already)."""
    low, high = min(seed.y for seed in seeds), max(seed.y for seed in seeds)
    for _ in range(40):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        if _reach(seeds, a) < _reach(seeds, b):
            high = b
        else:
            low = a
    return (low + high) / 2


def _row_lengths(fives: int) -> list[tuple[int, ...]]:
    """Return arrangements of fives in rows that fill a circle, one for each number of rows."""
    ways: list[tuple[int, ...]] = []
    for rows in range(1, min(fives, 9) + 1):
        radius, lengths = 0.5, [1] * rows
        while sum(lengths) < fives:
            radius += 0.05
            edges = [abs(row - (rows - 1) / 2) + 0.5 for row in range(rows)]
            lengths = [max(1, int(2 * math.sqrt(max(0.0, radius**2 - edge**2)))) for edge in edges]
        for _ in range(sum(lengths) - fives):  # shorten the longer outer row, or else the longest
            outer = 0 if lengths[0] >= lengths[-1] else rows - 1
            longest = lengths.index(max(lengths))
            lengths[outer if lengths[outer] > 1 else longest] -= 1
        ways.append(tuple(lengths))
    return ways
