"""What the two kinds of boards have in common: pits with seeds, numbers, names and marks, and arrows between them."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from awale import i18n
from awale.draw import paint
from awale.draw.marks import LastMove
from awale.draw.paint import element, write
from awale.draw.seeds import Heap, Point
from awale.errors import AwaleError
from awale.game import Game
from awale.rules import moves
from awale.rules.moves import Move
from awale.rules.reference import Board

PIT = 42.0
"""The radius of a pit."""
COUNT = 30.0
"""The band beside a pit where its number stands."""
COLOURS = {
    "frame": "url(#awale-frame)",
    "wood": "url(#awale-wood)",
    "pit": "url(#awale-pit)",
    "numbers": paint.INK,
    "names": paint.CREAM,
    "mark": paint.MARK,
    "arrow": "#1c8a4a",
}
"""The parts of a picture that can be given a colour, with the usual one."""
_CSS_COLOUR = re.compile(r"#[0-9a-f]{3,8}|[a-z]+|(?:rgb|hsl)a?\([0-9.,%/ a-z-]+\)", re.I)


class Arrow(NamedTuple):
    """An arrow from pit to pit, a ring where both are the same; in the usual colour unless it has its own."""

    start: int
    end: int
    colour: str | None = None


class Place(NamedTuple):
    """Where a pit is drawn, and where its number and its name are written."""

    pit: Point
    number: Point
    name: Point


class BoardPicture(ABC):
    """A board on which everything has its place; subclasses say where."""

    rims: tuple[str, str] | None = None
    """The rims of each player's pits, where the sides of the board do not tell whose they are."""

    def __init__(
        self,
        game: Game,
        *,
        flip: bool,
        mark: LastMove | None,
        lang: str | None,
        arrows: Iterable[Arrow | tuple[int, int] | tuple[int, int, str] | Move],
        fill: Mapping[int, str],
        colours: Mapping[str, str],
    ) -> None:
        self.game, self.rules, self.flip, self.mark, self.lang = game, game.rules, flip, mark, lang
        for part in colours:
            if part not in COLOURS:
                known = ", ".join(COLOURS)
                raise AwaleError(i18n.message("draw.unknown-part", name=repr(part)[:40], known=known))
        self.colours = COLOURS | {part: _colour(colour) for part, colour in colours.items()}
        self.fill = {self._checked(pit): _colour(colour) for pit, colour in fill.items()}
        self.arrows = [self._arrow(arrow) for arrow in arrows]

    def _arrow(self, arrow: Arrow | tuple[int, int] | tuple[int, int, str] | Move) -> Arrow:
        if isinstance(arrow, Move):
            return Arrow(arrow.pit, self.game.trace(arrow, laps=0).last)
        start, end, *colour = arrow
        return Arrow(
            self._checked(start), self._checked(end), _colour(colour[0]) if colour and colour[0] is not None else None
        )

    def _checked(self, pit: int) -> int:
        if not isinstance(pit, int) or not 0 <= pit < self.rules.holes:
            raise AwaleError(i18n.message("draw.no-such-pit", pit=repr(pit)[:40], last=self.rules.holes - 1))
        return pit

    # -- what the kind of board decides --------------------------------------------------------------------------------

    @property
    @abstractmethod
    def size(self) -> tuple[float, float]:
        """Width and height."""

    @property
    def caption(self) -> Point:
        """Where there is room for a word: the middle."""
        width, height = self.size
        return width / 2, height / 2

    @abstractmethod
    def wood(self) -> list[str]:
        """Draw the board without its pits."""

    @abstractmethod
    def place(self, pit: int) -> Place:
        """Return where a pit is."""

    @abstractmethod
    def heaps(self, pit: int, board: Board) -> list[tuple[str, Heap, Point]]:
        """Return the heaps of a pit: the seeds' kind, the heap, and how far it is from the pit's centre."""

    @abstractmethod
    def store(self, player: int) -> list[str]:
        """Draw a store with its number and its owner's name."""

    @abstractmethod
    def empty_store(self, player: int) -> list[str]:
        """Draw a store without its seeds and number."""

    @abstractmethod
    def store_heap(self, player: int, count: int) -> tuple[Heap, Point]:
        """Return the seeds of a store and the middle of its room."""

    @abstractmethod
    def store_number(self, player: int) -> Point:
        """Return where the number of a store is written."""

    # -- what all boards share -----------------------------------------------------------------------------------------

    def draw(self) -> list[str]:
        """Return all elements of the picture, from the back to the front."""
        body = self.wood()
        for player in (0, 1):
            body += self.store(player)
        for pit in range(self.rules.holes):
            body += self._pit(pit)
        for arrow in self.arrows:
            body.append(self._draw_arrow(arrow))
        return body

    def empty(self) -> list[str]:
        """Return the board with its names, without seeds and numbers."""
        drawn = [*self.wood(), *self.empty_store(0), *self.empty_store(1)]
        for pit in range(self.rules.holes):
            drawn += self._empty_pit(pit)
            drawn.append(write(moves.write(self.rules, pit), *self.place(pit).name, 16, self.colours["names"]))
        return drawn

    def at_top(self, player: int) -> bool:
        """Whether a player's side is the upper one."""
        return (player == 0) == self.flip

    def _empty_pit(self, pit: int) -> list[str]:
        x, y = self.place(pit).pit
        drawn = paint.pit(x, y, PIT, self.colours["pit"])
        if pit in self.fill:
            drawn.append(element("circle", cx=x, cy=y, r=PIT, fill=self.fill[pit], fill_opacity=0.6))
        if self.rims is not None:
            drawn.append(self._rim(x, y, self.rims[self.rules.owner(pit)], 2.5))
        return drawn

    def _pit(self, pit: int) -> list[str]:
        (x, y), count, name = self.place(pit)
        mark, colours = self.mark, self.colours
        drawn = self._empty_pit(pit)
        origin = mark is not None and pit == mark.origin
        if origin:
            drawn.append(self._rim(x, y, colours["mark"], 5))
        elif mark is not None and pit == mark.end:
            drawn.append(self._rim(x, y, colours["mark"], 4, stroke_dasharray="0.1 7.6", stroke_linecap="round"))
        for kind, heap, (dx, dy) in self.heaps(pit, self.game.board):
            drawn += paint.seeds(heap, x + dx, y + dy, kind)
        drawn.append(write(str(self.game.counts[pit]), *count, 20, colours["numbers"], bold=True))
        if mark is not None and pit in mark.taken:
            drawn.append(paint.taken(mark.taken[pit], x, y))
        text = str(mark.move) if mark is not None and origin else moves.write(self.rules, pit)
        drawn.append(write(text, *name, 16, colours["mark" if origin else "names"], bold=origin))
        return drawn

    @staticmethod
    def _rim(x: float, y: float, colour: str, width: float, **attributes: str) -> str:
        return element("circle", cx=x, cy=y, r=PIT - 1, fill="none", stroke=colour, stroke_width=width, **attributes)

    def _draw_arrow(self, arrow: Arrow) -> str:
        colour = arrow.colour or self.colours["arrow"]
        (x, y), (to_x, to_y) = self.place(arrow.start).pit, self.place(arrow.end).pit
        if arrow.start == arrow.end:
            return element("circle", cx=x, cy=y, r=PIT - 2, fill="none", stroke=colour, stroke_width=7, opacity=0.8)
        length = math.hypot(to_x - x, to_y - y)
        along, across = (to_x - x) / length, (to_y - y) / length

        def point(forward: float, sideways: float) -> str:
            px, py = x + along * forward - across * sideways, y + across * forward + along * sideways
            return f"{paint.number(px)} {paint.number(py)}"

        neck, tip = length - 36, length - 10
        outline = [(12, -4.5), (neck, -4.5), (neck, -14), (tip, 0), (neck, 14), (neck, 4.5), (12, 4.5)]
        path = "M" + "L".join(point(*corner) for corner in outline) + "z"
        return element("path", d=path, fill=colour, opacity=0.8, stroke="#ffffff", stroke_opacity=0.5, stroke_width=1.2)


def _colour(colour: str) -> str:
    """Return a colour as it is; refuse what a browser would not take for one, or would fetch from elsewhere."""
    if not isinstance(colour, str) or not _CSS_COLOUR.fullmatch(colour.strip()):
        raise AwaleError(i18n.message("draw.bad-colour", colour=repr(colour)[:40]))
    return colour.strip()
