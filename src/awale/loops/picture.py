"""The chart of how rare endless sowings are: one line per board, seeds across, "one in so many" upwards."""

from __future__ import annotations

import math
from collections.abc import Iterable
from xml.sax.saxutils import escape

from awale.i18n import number, text
from awale.loops.known import Count

WIDTH, HEIGHT = 760, 460
LEFT, RIGHT, TOP, BOTTOM = 104, 84, 44, 56
# Distinguishable without colour vision, by their marks.
COLOURS = ("#7a3b10", "#1b6ca8", "#b8860b", "#2e7d32", "#8e2a6b", "#444444")


def rarity_svg(found: Iterable[Count], lang: str | None = None) -> str:
    """Return the chart as SVG; the same bytes for the same counts."""
    lines: dict[int, list[tuple[int, float]]] = {}
    for count in found:
        one_in = count.one_in
        if one_in is not None:
            lines.setdefault(count.pits, []).append((count.seeds, one_in))
    most_seeds = max((seeds for line in lines.values() for seeds, _ in line), default=1)
    decades = max(1, math.ceil(math.log10(max((n for line in lines.values() for _, n in line), default=10))))

    def across(seeds: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * seeds / most_seeds

    def up(one_in: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * math.log10(one_in) / decades

    title = escape(text("loops.picture.title", lang))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" font-family="sans-serif" font-size="13">',
        f"<title>{title}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fffdf8"/>',
        f'<text x="{LEFT}" y="24" font-size="16" fill="#333">{title}</text>',
    ]
    for decade in range(decades + 1):
        y = up(10**decade)
        label = escape(text("loops.picture.one-in", lang, number=number(10**decade, lang)))
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="#555">{label}</text>')
    step = 1 if most_seeds <= 12 else 2 if most_seeds <= 24 else 4
    for seeds in range(0, most_seeds + 1, step):
        x, y = across(seeds), HEIGHT - BOTTOM
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{y}" y2="{y + 5}" stroke="#999"/>')
        parts.append(f'<text x="{x:.1f}" y="{y + 20}" text-anchor="middle" fill="#555">{seeds}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    label = escape(text("loops.picture.seeds", lang))
    parts.append(f'<text x="{middle:.1f}" y="{HEIGHT - 14}" text-anchor="middle" fill="#333">{label}</text>')
    ends: list[float] = []
    for index, (pits, line) in enumerate(sorted(lines.items())):
        colour = COLOURS[index % len(COLOURS)]
        line.sort()
        points = " ".join(f"{across(seeds):.1f},{up(n):.1f}" for seeds, n in line)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        for seeds, n in line:
            parts.append(f'<circle cx="{across(seeds):.1f}" cy="{up(n):.1f}" r="2.6" fill="{colour}"/>')
        seeds, n = line[-1]
        label = escape(text("loops.picture.pits", lang, pits=pits))
        y = up(n)
        while any(abs(y - other) < 15 for other in ends):
            y -= 1
        ends.append(y)
        parts.append(f'<text x="{across(seeds) + 9:.1f}" y="{y + 4:.1f}" fill="{colour}">{label}</text>')
    parts.append("</svg>")
    return "\n".join(parts) + "\n"
