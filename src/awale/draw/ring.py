"""The three-colour board: holes in a ring, the stores in its middle."""

from __future__ import annotations

import math
from typing import cast

from awale.draw import paint, seeds
from awale.draw.board import COUNT, PIT, BoardPicture, Place
from awale.draw.paint import CREAM, element, write
from awale.draw.seeds import Heap, Point, Seed
from awale.rules.reference import Board, Hole

STEP = 93.0
"""From hole to hole along the ring."""
FRAME = 42.0
SMALLEST_RING = 205.0
"""Leaves enough space for the stores inside a ring of few holes."""
SEED = 7.6
STORE_SEED = 5.4
STORE_WIDTH = 226.0
STORE_HEIGHT = 66.0


class Ring(BoardPicture):
    """A disc with the holes along its edge."""

    rims = ("#fbe6bd", "#241006")

    @property
    def _radius(self) -> float:
        """From the centre of the board to that of a hole."""
        return max(SMALLEST_RING, self.rules.holes * STEP / (2 * math.pi))

    @property
    def _edge(self) -> float:
        """From the centre of the board to the edge of its wood."""
        return self._radius + PIT + COUNT + 4

    @property
    def _centre(self) -> float:
        return self._edge + FRAME

    @property
    def size(self) -> tuple[float, float]:
        return 2 * self._centre, 2 * self._centre

    @property
    def caption(self) -> Point:
        return self._centre, self._centre + 28 + STORE_HEIGHT + 48

    def wood(self) -> list[str]:
        centre, edge = self._centre, self._edge
        return [
            element("circle", cx=centre, cy=centre, r=centre - 1, fill=self.colours["frame"], stroke="#2b1506",
                    stroke_width=2),
            element("circle", cx=centre, cy=centre, r=edge, fill=self.colours["wood"], stroke="#3a1f0b",
                    stroke_width=1.5),
            *(
                element("circle", cx=centre + 3 * math.sin(i * 1.9), cy=centre + 3 * math.cos(i * 2.6), r=edge * i / 15,
                        fill="none", stroke="#7c4a1d", stroke_opacity=0.18, stroke_width=1.1)
                for i in range(2, 15)
            ),
            *_legend(centre),
        ]  # fmt: skip

    def place(self, pit: int) -> Place:
        turned = pit + (self.rules.pits if self.flip else 0)
        angle = math.pi - (turned + 0.5) * 2 * math.pi / self.rules.holes

        side = 1 if self.rules.direction == "counter-clockwise" else -1

        def at(distance: float) -> Point:
            return self._centre + side * distance * math.cos(angle), self._centre + distance * math.sin(angle)

        return Place(at(self._radius), at(self._radius + PIT + COUNT / 2 + 1), at(self._edge + FRAME / 2))

    def heaps(self, pit: int, board: Board) -> list[tuple[str, Heap, Point]]:
        return _heaps(cast(Hole, board[pit]))

    def _store_place(self, player: int) -> tuple[float, float]:
        """Return the heights of a store's upper edge and of the line with its owner's name."""
        if self.at_top(player):
            top = self._centre - 28 - STORE_HEIGHT
            return top, top - 20
        return self._centre + 28, self._centre + 28 + STORE_HEIGHT + 20

    def store_heap(self, player: int, count: int) -> tuple[Heap, Point]:
        heap = seeds.in_box(count, STORE_WIDTH - 30, STORE_HEIGHT - 12, STORE_SEED)
        return heap, (self._centre, self._store_place(player)[0] + STORE_HEIGHT / 2)

    def store_number(self, player: int) -> Point:
        return self._centre + 40, self._store_place(player)[1]

    def empty_store(self, player: int) -> list[str]:
        return [*self._store_pit(player), *self._name(player)]

    def _store_pit(self, player: int) -> list[str]:
        left, top = self._centre - STORE_WIDTH / 2, self._store_place(player)[0]
        return paint.store(left, top, STORE_WIDTH, STORE_HEIGHT, 30, self.colours["pit"])

    def _name(self, player: int) -> list[str]:
        centre, line = self._centre, self._store_place(player)[1]
        name = self.game.player_name(player, self.lang)
        return [
            element("circle", cx=centre - 50, cy=line, r=9, fill=self.colours["pit"], stroke=self.rims[player],
                    stroke_width=3),
            write(name, centre - 32, line, 17, self.colours["numbers"], anchor="start"),
        ]  # fmt: skip

    def store(self, player: int) -> list[str]:
        """Draw a player's captured seeds; their colours no longer matter, so they are plain."""
        game = self.game
        heap, middle = self.store_heap(player, game.scores[player])
        drawn = [
            *self._store_pit(player),
            *paint.seeds(heap, *middle),
            *self._name(player),
            write(str(game.scores[player]), *self.store_number(player), 20, self.colours["numbers"], bold=True),
        ]
        if not game.over and game.turn == player:
            drawn.append(paint.pointer(self._centre - 78, self._store_place(player)[1], "#9c1c10"))
        return drawn


def _heaps(hole: Hole) -> list[tuple[str, Heap, Point]]:
    """Return each colour in its own part of the hole; all seeds have one size, so that the heaps compare."""
    present = [(colour, count) for colour, count in zip("rbt", hole, strict=True) if count]
    room = PIT - 5
    shares = {0: 0.0, 1: 1.0, 2: 0.5, 3: 2 * math.sqrt(3) - 3}
    radius = room * shares[len(present)]
    spots: tuple[Point, ...] = ((0.0, 0.0),)
    if len(present) == 2:
        spots = ((-radius, 0.0), (radius, 0.0))
    elif len(present) == 3:
        away = room - radius
        side, rise = away * math.sqrt(3) / 2, away / 2
        spots = ((-side, -rise), (side, -rise), (0.0, away))
    size = min((seeds.in_circle(count, radius, SEED).radius for _, count in present), default=SEED)
    return [
        (colour, seeds.in_circle(count, radius, size), spot)
        for (colour, count), spot in zip(present, spots, strict=False)
    ]


def _legend(centre: float) -> list[str]:
    """Draw which shape is which colour, by the letters that moves are written with."""
    drawn = [element("rect", x=centre - 84, y=centre - 16, width=168, height=32, rx=16, fill="#6c3f1b")]
    for place, colour in enumerate("rbt"):
        x = centre - 58 + place * 54
        drawn += paint.seeds(Heap(SEED, (Seed(0.0, 0.0),)), x, centre, colour)
        drawn.append(write(colour.upper(), x + 18, centre, 15, CREAM))
    return drawn
