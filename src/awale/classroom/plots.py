"""Plots of an experiment as SVG without scripts: curves on a scale of powers of ten, and scores with error bars."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from awale import i18n
from awale.arena.charts import COLOURS, INK, LINE, PAPER, label, picture
from awale.draw.paint import element, number

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760.0, 390.0, 78.0, 200.0, 58.0, 50.0


class Line(NamedTuple):
    """A named line through points."""

    name: str
    points: Sequence[tuple[float, float]]


class Bar(NamedTuple):
    """A value with the interval it lies in."""

    name: str
    value: float
    low: float
    high: float


def _picture(height: float, title: str, parts: list[str]) -> str:
    paper = element("rect", x=0, y=0, width=WIDTH, height=height, fill=PAPER)
    return picture(WIDTH, height, title, [paper, label(10, 24, title, size=15), *parts])


def growth(title: str, across: str, up: str, lines: Sequence[Line]) -> str:
    """Curves over whole numbers, the height in powers of ten: what grows by a factor a step is a straight line."""
    points = [point for line in lines for point in line.points if point[1] > 0]
    low = math.floor(math.log10(min((y for _, y in points), default=1.0)))
    high = max(low + 1, math.ceil(math.log10(max((y for _, y in points), default=1.0))))
    first = min((x for x, _ in points), default=0.0)
    last = max(first + 1, max((x for x, _ in points), default=1.0))

    def at(x: float, y: float) -> tuple[float, float]:
        share = (math.log10(y) - low) / (high - low)
        return (
            LEFT + (WIDTH - LEFT - RIGHT) * (x - first) / (last - first),
            HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share,
        )

    parts = [
        label(LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 12, across, anchor="middle"),
        label(LEFT, TOP - 4, up, size=12),
    ]
    for exponent in range(low, high + 1, max(1, (high - low) // 8)):
        _, y = at(first, 10.0**exponent)
        parts.append(element("line", x1=LEFT, y1=y, x2=WIDTH - RIGHT, y2=y, stroke=LINE))
        power = f"{10**exponent:g}" if -4 <= exponent <= 4 else f"1e{exponent}"
        parts.append(label(LEFT - 8, y + 4, power, anchor="end", size=12))
    for x_value in range(math.ceil(first), math.floor(last) + 1, max(1, round((last - first) / 12))):
        x, _ = at(x_value, 10.0**low)
        parts.append(label(x, HEIGHT - BOTTOM + 18, str(x_value), anchor="middle", size=12))
    for index, line in enumerate(lines):
        colour = COLOURS[index % len(COLOURS)]
        drawn = [at(x, y) for x, y in line.points if y > 0]
        path = " ".join(f"{number(x)},{number(y)}" for x, y in drawn)
        parts.append(element("polyline", points=path, fill="none", stroke=colour, stroke_width=2))
        parts += [element("circle", cx=x, cy=y, r=3, fill=colour) for x, y in drawn]
        y = TOP + 14 + 22 * index
        parts.append(element("rect", x=WIDTH - RIGHT + 16, y=y - 9, width=12, height=5, fill=colour))
        parts.append(label(WIDTH - RIGHT + 34, y - 3, line.name, size=12))
    return _picture(HEIGHT, title, parts)


def scores(title: str, bars: Sequence[Bar], lang: str | None = None, *, even: float = 0.5) -> str:
    """Scores between nothing and all, each with its interval, beside the line of even chances."""
    left, right, row = 150.0, 80.0, 40.0
    height = TOP + row * len(bars) + 40
    span = WIDTH - left - right

    def at(score: float) -> float:
        return left + span * min(1.0, max(0.0, score))

    parts = []
    for tenth in range(0, 11, 2):
        x = at(tenth / 10)
        parts.append(element("line", x1=x, y1=TOP, x2=x, y2=height - 36, stroke=LINE))
        parts.append(label(x, height - 16, i18n.percent(tenth / 10, 0, lang), anchor="middle", size=12))
    parts.append(
        element("line", x1=at(even), y1=TOP - 6, x2=at(even), y2=height - 36, stroke=INK, stroke_dasharray="4 4")
    )
    for index, bar in enumerate(bars):
        y = TOP + row * index + row / 2
        colour = COLOURS[index % len(COLOURS)]
        parts.append(label(left - 12, y + 5, bar.name, anchor="end"))
        parts.append(element("line", x1=at(bar.low), y1=y, x2=at(bar.high), y2=y, stroke=colour, stroke_width=3))
        for end in (bar.low, bar.high):
            parts.append(element("line", x1=at(end), y1=y - 7, x2=at(end), y2=y + 7, stroke=colour, stroke_width=3))
        parts.append(element("circle", cx=at(bar.value), cy=y, r=6, fill=colour))
        parts.append(label(WIDTH - right + 8, y + 5, i18n.percent(bar.value, lang=lang)))
    return _picture(height, title, parts)


def shares(title: str, rows: Sequence[tuple[str, Sequence[float]]], names: Sequence[str]) -> str:
    """Stacked shares, such as won, drawn and lost."""
    left, right, row = 150.0, 30.0, 40.0
    height = TOP + row * len(rows) + 44
    span = WIDTH - left - right
    colours = (COLOURS[0], "#c9bda8", COLOURS[1])
    parts = []
    for index, (name, values) in enumerate(rows):
        y = TOP + row * index + 6
        whole = sum(values) or 1.0
        x = left
        parts.append(label(left - 12, y + row / 2, name, anchor="end"))
        for value, colour in zip(values, colours, strict=False):
            width = span * value / whole
            if width > 0:
                parts.append(element("rect", x=x, y=y, width=width, height=row - 12, fill=colour))
                if width > 34:
                    ink = INK if colour == colours[1] else "#ffffff"
                    middle = x + width / 2
                    parts.append(label(middle, y + row / 2 - 1, f"{value:g}", anchor="middle", fill=ink))
            x += width
    for index, (name, colour) in enumerate(zip(names, colours, strict=False)):
        x = left + 130 * index
        parts.append(element("rect", x=x, y=height - 26, width=12, height=12, fill=colour))
        parts.append(label(x + 18, height - 16, name, size=12))
    return _picture(height, title, parts)
