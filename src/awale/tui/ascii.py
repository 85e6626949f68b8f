"""ASCII output: a filter behind all widgets, so that none has to care."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

LINES = {
    **dict.fromkeys("─━═╌┄▔▁╴╶", "-"),
    **dict.fromkeys("│┃║▏▕▎▊▌▐", "|"),
    **dict.fromkeys("┌┬┐├┼┤└┴┘╭╮╰╯┏┓┗┛╔╗╚╝", "+"),
    **dict.fromkeys("█▓▇▆▅▄▃▂▀", "#"),
    **dict.fromkeys("▒░", ":"),
    **dict.fromkeys("‹«◀◂←", "<"),
    **dict.fromkeys("›»▶▸→", ">"),
    **dict.fromkeys("’‘", "'"),
    **dict.fromkeys("●•◉", "o"),
    "◎": "@",
    "×": "x",
    **dict.fromkeys("–—−", "-"),
    "·": ".",
    "…": "~",
    "≤": "<",
    "\N{NO-BREAK SPACE}": " ",
    "\N{NARROW NO-BREAK SPACE}": " ",
}


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Return the text in ASCII, of the same width."""
    return text if text.isascii() else "".join(map(_character, text))


def _character(character: str) -> str:
    if character.isascii():
        return character
    if character in LINES:
        return LINES[character]
    # An accented letter loses its accent; anything else becomes a space of the same width.
    base = unicodedata.normalize("NFD", character)[0]
    if base.isascii():
        return base
    return "  " if unicodedata.east_asian_width(character) in "WF" else " "


class AsciiFilter(LineFilter):
    """Turns every line that is about to be shown into ASCII."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [Segment(plain(text), style, control) for text, style, control in segments]
