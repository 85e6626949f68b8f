"""The board widget. It knows no rules: it draws a position with marks and reports which pit was chosen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from rich.style import Style
from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget

from awale.rules import Rules, moves
from awale.rules.reference import Board

SEED = "●"
COLOURS = ("bright_red", "bright_blue", "default")
LETTERS = "RBT"
LARGEST = (17, 9)
"""The most characters and lines of a pit: a larger board is harder to read."""

EDGE = Style(color="yellow", dim=True)
NAME = Style(dim=True)
LEGAL = Style(bold=True)
CURSOR = Style(bold=True, reverse=True)
HOT = Style(bold=True, color="black", bgcolor="bright_yellow")
PLAYED = Style(bold=True, color="bright_yellow")
MARK = Style(bold=True, color="bright_green")
SEEDS = Style(color="yellow")
COUNT = Style(bold=True)


@dataclass(frozen=True, slots=True)
class View:
    """Everything that is drawn."""

    rules: Rules
    board: Board
    flip: bool = False
    cursor: int | None = None
    legal: frozenset[int] = frozenset()
    played: int | None = None
    hot: int | None = None
    """The pit where a seed is being sown or captured."""
    marks: Mapping[int, str] = field(default_factory=dict)
    """A character in the corner of a pit: where a move would sow, what it would capture."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The position and size of the pits within the widget."""

    left: int
    top: int
    wide: int
    """Characters inside a pit."""
    high: int
    """Lines inside a pit."""

    @classmethod
    def fit(cls, rules: Rules, width: int, height: int) -> Layout:
        least = 3 if rules.coloured else 1
        wide = max(3, min(LARGEST[0], (width - 1) // rules.pits - 1))
        high = max(least, min(LARGEST[1], (height - 5) // 2, max(least, (wide + 1) // 2)))
        across = (wide + 1) * rules.pits + 1
        return cls(max(0, (width - across) // 2), max(0, (height - 2 * high - 5) // 2), wide, high)

    def pit_at(self, rules: Rules, flip: bool, x: int, y: int) -> int | None:
        """Return the pit at a place, its name included."""
        column, within = divmod(x - self.left - 1, self.wide + 1)
        if not 0 <= column < rules.pits or within >= self.wide:
            return None
        row = y - self.top
        upper, lower = rules.rows(flip)
        if 0 <= row <= 1 + self.high:
            return upper[column]
        if self.high + 3 <= row <= 2 * self.high + 4:
            return lower[column]
        return None


class BoardWidget(Widget):
    """A `View`, drawn as large as there is room for."""

    DEFAULT_CSS = "BoardWidget { height: 1fr; width: 1fr; }"

    class Chosen(Message):
        """A pit was clicked."""

        def __init__(self, pit: int) -> None:
            super().__init__()
            self.pit = pit

    class Pointed(Message):
        """The mouse is over a pit, or over none."""

        def __init__(self, pit: int | None) -> None:
            super().__init__()
            self.pit = pit

    def __init__(self, view: View, **options: str) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.view = view
        self._pointed: int | None = None

    def show(self, view: View) -> None:
        if view != self.view:
            self.view = view
            self.refresh()

    def _layout_now(self) -> Layout:
        return Layout.fit(self.view.rules, self.size.width, self.size.height)

    def _pit(self, event: events.MouseEvent) -> int | None:
        return self._layout_now().pit_at(self.view.rules, self.view.flip, event.x, event.y)

    def on_click(self, event: events.Click) -> None:
        pit = self._pit(event)
        if pit is not None:
            self.post_message(self.Chosen(pit))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._point(self._pit(event))

    def on_leave(self) -> None:
        self._point(None)

    def _point(self, pit: int | None) -> None:
        if pit != self._pointed:
            self._pointed = pit
            self.post_message(self.Pointed(pit))

    def render(self) -> Text:
        return draw(self.view, self._layout_now())


def draw(view: View, layout: Layout) -> Text:
    """Return the board as lines of text."""
    upper, lower = view.rules.rows(view.flip)
    wide, pits = layout.wide, view.rules.pits
    lines = [Text()] * layout.top
    lines.append(_names(view, upper, wide))
    lines.append(Text("┌" + "┬".join(["─" * wide] * pits) + "┐", EDGE))
    lines += _cells(view, upper, layout)
    lines.append(Text("├" + "┼".join(["─" * wide] * pits) + "┤", EDGE))
    lines += _cells(view, lower, layout)
    lines.append(Text("└" + "┴".join(["─" * wide] * pits) + "┘", EDGE))
    lines.append(_names(view, lower, wide))
    margin = Text(" " * layout.left)
    board = Text("\n", no_wrap=True, overflow="crop").join(margin + line for line in lines)
    board.no_wrap, board.overflow = True, "crop"
    return board


def _names(view: View, pits: list[int], wide: int) -> Text:
    line = Text(" ")
    for pit in pits:
        name = moves.write(view.rules, pit)
        style = LEGAL if pit in view.legal else NAME
        if pit == view.cursor:
            name, style = f"[{name}]", CURSOR
        elif pit == view.played:
            name, style = f"‹{name}›", PLAYED
        space = wide - len(name)
        line.append(" " * (space // 2)).append(name, style).append(" " * (space - space // 2 + 1))
    return line


def _cells(view: View, pits: list[int], layout: Layout) -> list[Text]:
    lines = [Text("│", EDGE) for _ in range(layout.high)]
    for pit in pits:
        cell = _hole(view, pit, layout)
        mark = view.marks.get(pit)
        for number, line in enumerate(lines):
            shown = cell[number]
            if mark and number == 0:
                shown = Text(mark, MARK) + shown[1:]
            if pit == view.hot:
                shown = Text(shown.plain, HOT)
            line.append_text(shown).append("│", EDGE)
    return lines


def _hole(view: View, pit: int, layout: Layout) -> list[Text]:
    """Return the lines of a pit, all of the same width."""
    hole = view.board[pit]
    wide, high = layout.wide, layout.high
    if isinstance(hole, int):
        return _heap(hole, wide, high, strong=pit in view.legal)
    above = (high - 3) // 2
    lines = [Text(" " * wide)] * above
    for letter, colour, count in zip(LETTERS, COLOURS, hole, strict=True):
        style = Style(color=colour, bold=True)
        if not count:
            lines.append(_centred(Text("·", NAME), wide))
            continue
        # Seeds in one column, figures in another: "12R ●●●".
        room = wide - 5
        text = Text(f"{count:2}{letter}", style)
        if room >= 3:
            text.append(" ").append((SEED * min(count, room)).ljust(room), Style(color=colour))
        lines.append(_centred(text, wide))
    return lines + [Text(" " * wide)] * (high - len(lines))


def _heap(count: int, wide: int, high: int, *, strong: bool) -> list[Text]:
    """Return rows of seeds with their number below."""
    number = _centred(Text(str(count) if count else "·", COUNT if strong else Style()), wide)
    if high == 1:
        return [number]
    drawn = high - 1
    # About twice as many columns as rows looks square; a full pit takes all the room there is.
    across = min(max(1, (wide - 1) // 2), max(2, math.isqrt(2 * count)))
    if across * drawn < count:
        across = max(1, (wide - 1) // 2)
    shown: list[str] = []
    left = count
    while left and len(shown) < drawn:
        here = min(left, across)
        left -= here
        shown.append(" ".join([SEED] * here))
    if left:
        shown[-1] = shown[-1][:-1] + "+"
    above = (drawn - len(shown)) // 2
    lines = [_centred(Text(row, SEEDS), wide) for row in [""] * above + shown]
    lines += [Text(" " * wide)] * (drawn - len(lines))
    return [*lines, number]


def _centred(text: Text, wide: int) -> Text:
    space = wide - text.cell_len
    if space < 0:
        return text[:wide]
    return Text(" " * (space // 2)) + text + Text(" " * (space - space // 2))
