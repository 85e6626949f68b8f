"""The SVG elements that pictures are made of: wood, pits, seeds, texts."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from html import escape

from awale.draw.seeds import Heap

CREAM = "#f6e8cb"
INK = "#2c1808"
MARK = "#ffb21a"
FONT = "Helvetica, Arial, sans-serif"

DEFINITIONS = """<defs>
<linearGradient id="awale-frame" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#7b4a24"/>\
<stop offset=".5" stop-color="#633817"/><stop offset="1" stop-color="#472610"/></linearGradient>
<linearGradient id="awale-wood" x1="0" y1="0" x2="0.15" y2="1"><stop offset="0" stop-color="#dcab6e"/>\
<stop offset=".55" stop-color="#cb9454"/><stop offset="1" stop-color="#b87e42"/></linearGradient>
<radialGradient id="awale-pit" cx=".5" cy=".62" r=".62"><stop offset="0" stop-color="#8d5a2e"/>\
<stop offset=".6" stop-color="#6c3f1b"/><stop offset="1" stop-color="#42240d"/></radialGradient>
<radialGradient id="awale-seed" cx=".36" cy=".32" r=".75"><stop offset="0" stop-color="#fffdf2"/>\
<stop offset=".45" stop-color="#d6d1ba"/><stop offset="1" stop-color="#87806a"/></radialGradient>
<radialGradient id="awale-dark" cx=".36" cy=".32" r=".75"><stop offset="0" stop-color="#fae6c0"/>\
<stop offset=".5" stop-color="#d0a968"/><stop offset="1" stop-color="#8a6531"/></radialGradient>
<radialGradient id="awale-red" cx=".36" cy=".32" r=".75"><stop offset="0" stop-color="#ff9c86"/>\
<stop offset=".5" stop-color="#d8321f"/><stop offset="1" stop-color="#8e150b"/></radialGradient>
<linearGradient id="awale-blue" x1="0" y1="0" x2=".6" y2="1"><stop offset="0" stop-color="#a9d4ff"/>\
<stop offset=".45" stop-color="#3b86dd"/><stop offset="1" stop-color="#164a94"/></linearGradient>
</defs>"""


def number(value: float) -> str:
    """Return a number as short as possible, and the same on every machine."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


_NOT_XML = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def safe(text: str) -> str:
    """Return a text, such as the name of village rules, escaped for XML."""
    return escape(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text))


def element(tag: str, text: str | None = None, **attributes: object) -> str:
    """Return one element; `stroke_width=2` writes `stroke-width="2"`, and None leaves an attribute out."""
    parts = [tag]
    for name, value in attributes.items():
        if value is not None:
            shown = number(value) if isinstance(value, float | int) else safe(str(value))
            parts.append(f'{name.rstrip("_").replace("_", "-")}="{shown}"')
    opening = " ".join(parts)
    return f"<{opening}/>" if text is None else f"<{opening}>{safe(text)}</{tag}>"


def write(text: str, x: float, y: float, size: float, fill: str, *, bold: bool = False, anchor: str = "middle") -> str:
    """Write a text whose capitals are centred on `y` (renderers disagree on baselines other than the default)."""
    weight = "bold" if bold else None
    return element(
        "text", text, x=x, y=y + 0.36 * size, font_size=size, fill=fill, text_anchor=anchor, font_weight=weight
    )


def grain(x: float, y: float, width: float, height: float, *, step: float = 13.0) -> str:
    """Draw the grain of the wood: long flat waves, no two neighbours alike."""
    strokes: list[str] = []
    rows = int(height / step)
    for row in range(1, rows + 1):
        level = y + row * height / (rows + 1) + 3.5 * math.sin(row * 2.4)
        swing = 2.2 + 1.8 * math.sin(row * 1.7)
        third = width / 3
        near, far = number(third * 0.35), number(third * 0.65)
        strokes.append(
            f"M{number(x)} {number(level)}"
            f"c{near} {number(swing)} {far} {number(swing)} {number(third)} 0"
            f"s{far} {number(-swing * 1.4)} {number(third)} 0"
            f"s{far} {number(swing)} {number(third)} {number(swing * 0.4)}"
        )
    return element("path", d="".join(strokes), fill="none", stroke="#7c4a1d", stroke_opacity=0.22, stroke_width=1.1)


def pit(x: float, y: float, radius: float, fill: str) -> list[str]:
    """Draw a hollow with its lit lower lip."""
    return [
        element("circle", cx=x, cy=y + 1.5, r=radius + 1.5, fill="#f3d3a0", fill_opacity=0.55),
        element("circle", cx=x, cy=y, r=radius, fill=fill, stroke="#3a1f0b", stroke_width=1),
    ]


def store(x: float, y: float, width: float, height: float, rx: float, fill: str) -> list[str]:
    """Draw a long hollow with its lit lower lip."""
    return [
        element("rect", x=x - 1.5, y=y, width=width + 3, height=height + 3, rx=rx, fill="#f3d3a0", fill_opacity=0.55),
        element("rect", x=x, y=y, width=width, height=height, rx=rx, fill=fill, stroke="#3a1f0b", stroke_width=1),
    ]


def taken(count: int, x: float, y: float) -> str:
    """Write what the last move took from a pit, in the hollow that it left."""
    return write(f"\N{MINUS SIGN}{count}", x, y, 22, "#ffd488", bold=True)


def pointer(x: float, y: float, fill: str) -> str:
    """Draw a small triangle that points right."""
    return element("path", d=f"M{number(x)} {number(y - 5)}l8 5l-8 5z", fill=fill)


def seeds(heap: Heap, x: float, y: float, colour: str = "") -> list[str]:
    """Draw seeds. Colours differ in shape too: red ones are round, blue ones square, transparent ones rings."""
    r = heap.radius
    drawn: list[str] = []
    for seed in heap.seeds:
        cx, cy = x + seed.x, y + seed.y
        if not colour:
            fill = "url(#awale-dark)" if seed.dark else "url(#awale-seed)"
            line = min(0.9, r * 0.12)
            drawn.append(element("circle", cx=cx, cy=cy, r=r, fill=fill, stroke="#33291a", stroke_width=line))
        elif colour == "r":
            round_one = element(
                "circle", cx=cx, cy=cy, r=r, fill="url(#awale-red)", stroke="#3d0803", stroke_width=r * 0.1
            )
            drawn.append(round_one)
        elif colour == "b":
            half = r * 0.86
            drawn.append(
                element(
                    "rect", x=cx - half, y=cy - half, width=2 * half, height=2 * half, rx=r * 0.18,
                    fill="url(#awale-blue)", stroke="#071c3d", stroke_width=r * 0.1,
                )
            )  # fmt: skip
        else:
            drawn.append(
                element(
                    "circle", cx=cx, cy=cy, r=r * 0.76, fill="#ffffff", fill_opacity=0.16, stroke="#fdf8ea",
                    stroke_width=r * 0.42,
                )
            )  # fmt: skip
    return drawn


def picture(width: float, height: float, size: int | None, title: str, description: str, body: Iterable[str]) -> str:
    """Return the whole file. `size` is the width in pixels; the drawing scales with it."""
    return svg(width, height, [element("title", title), element("desc", description), DEFINITIONS, *body], size=size)


def svg(width: float, height: float, body: Iterable[str], *, font: str = FONT, size: int | None = None) -> str:
    """Return a file with these elements."""
    shown = width if size is None else float(size)
    opening = element(
        "svg", "", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {number(width)} {number(height)}",
        width=shown, height=shown * height / width, role="img", font_family=font,
    ).removesuffix("</svg>")  # fmt: skip
    return "\n".join([opening, *body, "</svg>\n"])
