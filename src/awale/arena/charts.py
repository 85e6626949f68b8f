"""The charts of a report, as SVG without scripts: heat map and curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from awale.arena import statistics
from awale.arena.standings import MatchResult, TournamentResult
from awale.draw.paint import element, number, svg
from awale.i18n import decimal, text

COLOURS = ("#1f6f8b", "#c1440e", "#5b8c2a", "#7b4b94", "#b8860b", "#0b6e4f", "#a4343a", "#36454f")
INK, LINE, PAPER = "#2b2118", "#d8cbb8", "#fffdf8"


class Curve(NamedTuple):
    """A line through points, optionally with a band."""

    name: str
    points: Sequence[tuple[float, float]]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


def picture(width: float, height: float, title: str, parts: list[str]) -> str:
    return svg(width, height, [element("title", title), *parts], font="system-ui,sans-serif")


def label(x: float, y: float, words: str, *, size: float = 13, anchor: str = "start", fill: str = INK) -> str:
    return element("text", words, x=x, y=y, font_size=size, text_anchor=anchor, fill=fill)


def shortened(name: str, most: int = 22) -> str:
    """Return a name shortened to fit; commands of external programs are long."""
    return name if len(name) <= most else name[: most - 1] + "…"


def heat_map(result: TournamentResult, lang: str | None = None) -> str:
    """Return a heat map of the points per game of each player against each other, the best at the top."""
    order = result.order
    cell, left, top = 52.0, 190.0, 150.0
    parts = [label(8, 20, text("arena.report.heat", lang), size=15)]
    for row, a in enumerate(order):
        y = top + row * cell
        name = result.plan.players[a]
        parts.append(label(left - 8, y + cell / 2 + 5, shortened(name), anchor="end"))
        x = left + row * cell + cell / 2
        turn = f"rotate(-50 {number(x)} {number(top - 8)})"
        parts.append(element("text", shortened(name, 18), x=x, y=top - 8, font_size=13, fill=INK, transform=turn))
        for column, b in enumerate(order):
            x = left + column * cell
            games = result.met[a][b]
            share = result.scores[a][b] / games if games else None
            fill = "#eee6d8" if share is None else _heat(share)
            parts.append(element("rect", x=x, y=y, width=cell - 2, height=cell - 2, fill=fill, rx=4))
            if share is not None:
                ink = "#ffffff" if abs(share - 0.5) > 0.27 else INK
                parts.append(
                    label(x + cell / 2 - 1, y + cell / 2 + 4, decimal(share, ".2f", lang), anchor="middle", fill=ink)
                )
    width = max(left + len(order) * cell + 90, 420)
    return picture(width, top + len(order) * cell + 12, text("arena.report.heat", lang), parts)


def _heat(share: float) -> str:
    """Return a colour from red (all lost) through cream to blue-green (all won)."""
    low, middle, high = (176, 58, 46), (248, 240, 222), (24, 106, 128)
    a, b, t = (low, middle, 2 * share) if share < 0.5 else (middle, high, 2 * share - 1)
    return "#" + "".join(f"{round(p + (q - p) * t):02x}" for p, q in zip(a, b, strict=True))


def curves(title: str, across: str, lines: Sequence[Curve], *, zero: float | None = None) -> str:
    """Return some curves in one frame."""
    width, height, left, right, top, bottom = 760.0, 340.0, 64.0, 190.0, 40.0, 46.0
    points = [point for line in lines for point in line.points]
    values = [y for _, y in points] + [v for line in lines for v in (*line.low, *line.high) if math.isfinite(v)]
    if zero is not None:
        values.append(zero)
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    if high - low < 1e-9:
        low, high = low - 1, high + 1
    last = max([x for x, _ in points], default=1.0) or 1.0

    def at(x: float, y: float) -> tuple[float, float]:
        y = min(max(y, low), high)
        across_part = left + (width - left - right) * x / last
        return across_part, top + (height - top - bottom) * (high - y) / (high - low)

    parts = [
        element("rect", x=0, y=0, width=width, height=height, fill=PAPER),
        label(8, 20, title, size=15),
        label(left + (width - left - right) / 2, height - 10, across, anchor="middle"),
    ]
    for step in range(5):
        value = low + (high - low) * step / 4
        _, y = at(0, value)
        parts.append(element("line", x1=left, y1=y, x2=width - right, y2=y, stroke=LINE))
        parts.append(label(left - 8, y + 4, f"{value:.3g}", anchor="end", size=12))
        x, _ = at(last * step / 4, low)
        parts.append(label(x, height - bottom + 18, f"{last * step / 4:.4g}", anchor="middle", size=12))
    if zero is not None:
        _, y = at(0, zero)
        parts.append(element("line", x1=left, y1=y, x2=width - right, y2=y, stroke=INK, stroke_dasharray="4 4"))
    for index, line in enumerate(lines):
        colour = COLOURS[index % len(COLOURS)]
        if line.low:
            band = [at(x, v) for (x, _), v in zip(line.points, line.high, strict=True)]
            band += [at(x, v) for (x, _), v in reversed(list(zip(line.points, line.low, strict=True)))]
            parts.append(element("polygon", points=_points(band), fill=colour, fill_opacity=0.15))
        path = _points([at(x, y) for x, y in line.points])
        parts.append(element("polyline", points=path, fill="none", stroke=colour, stroke_width=2))
        y = top + 14 + 20 * index
        parts.append(element("rect", x=width - right + 14, y=y - 9, width=12, height=4, fill=colour))
        parts.append(label(width - right + 32, y - 3, shortened(line.name, 20), size=12))
    return picture(width, max(height, top + 30 + 20 * len(lines)), title, parts)


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def score_curves(result: TournamentResult, lang: str | None = None) -> str:
    """Return each player's score after each of their games."""
    lines = []
    for seat in result.order:
        totals = accumulate(game.score(game.seats.index(seat)) for game in result.games if seat in game.seats)
        points = [(float(count), 100 * total / count) for count, total in enumerate(totals, 1)]
        lines.append(Curve(result.plan.players[seat], points))
    return curves(text("arena.report.curve", lang) + " (%)", text("arena.report.game", lang), lines, zero=50.0)


def elo_curve(result: MatchResult, lang: str | None = None) -> str:
    """Return the first player's Elo after each pair of games."""
    points, low, high = [], [], []
    counts = [0] * 5
    pairs: dict[int, float] = {}
    for game in result.games:
        score = game.score(game.seats.index(0))
        if game.pair not in pairs:
            pairs[game.pair] = score
            continue
        counts[round(2 * (pairs[game.pair] + score))] += 1
        found = statistics.estimate(counts)
        if all(map(math.isfinite, (found.elo, found.low, found.high))):
            points.append((2.0 * sum(counts), found.elo))
            low.append(found.low)
            high.append(found.high)
    line = Curve(result.plan.players[0], points, low, high)
    return curves(text("arena.report.elo-curve", lang), text("arena.report.game", lang), [line], zero=0.0)


def pictures(result: TournamentResult, lang: str | None = None) -> dict[str, str]:
    """Return all charts of a result by name."""
    found = {"heat-map": heat_map(result, lang), "score": score_curves(result, lang)}
    if isinstance(result, MatchResult):
        found["elo"] = elo_curve(result, lang)
    return found
