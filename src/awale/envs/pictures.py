"""Render a board as text, as SVG, or as an array of pixels for videos.

The pixels are painted here, disc by disc, so that no graphics library is needed; where things lie comes from the same
place as in the SVG pictures.
"""

from __future__ import annotations

import math
from typing import cast

import numpy as np
from numpy.typing import NDArray

from awale.draw import seeds
from awale.draw.seeds import Heap
from awale.envs.encoding import wrong
from awale.game import Game
from awale.rules.reference import Hole

RENDER_MODES = ("human", "ansi", "svg", "rgb_array")
FRAMES_A_SECOND = 2
Pixels = NDArray[np.uint8]
Picture = str | Pixels
Colour = tuple[int, int, int]

PIT = 40
"""The radius of a pit, in pixels."""
PITCH = 92
"""From pit to pit."""
STORE = 96
MARGIN = 16
SEED = 8.0

WOOD: Colour = (203, 148, 84)
HOLLOW: Colour = (96, 56, 24)
RIM: Colour = (243, 211, 160)
INK: Colour = (44, 24, 8)
TURN: Colour = (255, 178, 26)
LIGHT: Colour = (232, 227, 208)
DARK: Colour = (208, 169, 104)
OF_COLOUR: tuple[Colour, ...] = ((216, 50, 31), (59, 134, 221), (250, 245, 232))

_DIGITS = (
    "111101101101111",
    "010110010010111",
    "111001111100111",
    "111001111001111",
    "101101111001001",
    "111100111001111",
    "111100111101111",
    "111001010010010",
    "111101111101111",
    "111101111001111",
)
"""Three by five dots each."""


def check_render_mode(mode: str | None) -> None:
    if mode is not None and mode not in RENDER_MODES:
        raise wrong("choice", name="render_mode", choices=", ".join(RENDER_MODES), value=repr(mode)[:40])


def render(game: Game, mode: str) -> Picture:
    """Return the board in one of the `RENDER_MODES`."""
    if mode == "ansi":
        return str(game)
    if mode == "svg":
        return game._repr_svg_()
    return ring_pixels(game) if game.rules.coloured else rows_pixels(game)


def rows_pixels(game: Game) -> Pixels:
    """Draw the one-colour board: North's row above, South's below, the stores at the sides."""
    pits = game.rules.pits
    width = 2 * (MARGIN + STORE) + pits * PITCH
    canvas = _Canvas(width, 2 * MARGIN + 2 * PITCH + 40)
    middle = canvas.height / 2
    upper, lower = game.rules.rows()
    for pit, count in enumerate(game.counts):
        place = upper.index(pit) if pit in upper else lower.index(pit)
        side = -1 if pit in upper else 1
        x = MARGIN + STORE + (place + 0.5) * PITCH
        y = middle + side * (PIT + 6)
        canvas.pit(x, y, PIT, RIM)
        canvas.heap(seeds.in_circle(count, PIT - 5, SEED), x, y)
        canvas.number(count, x, y + side * (PIT + 13))
    for player, x in ((0, width - MARGIN - STORE / 2), (1, MARGIN + STORE / 2)):
        waiting = game.over or game.turn != player
        canvas.pit(x, middle, PIT, RIM if waiting else TURN)
        canvas.heap(seeds.in_circle(game.scores[player], PIT - 5, SEED), x, middle)
        canvas.number(game.scores[player], x, middle + PIT + 13)
    return canvas.pixels


def ring_pixels(game: Game) -> Pixels:
    """Draw the three-colour board: the holes in a ring, the first player's with light rims, stores in the middle."""
    holes = game.rules.holes
    ring = max(150.0, holes * PITCH / (2 * math.pi))
    size = int(2 * (ring + PIT + 26 + MARGIN))
    canvas = _Canvas(size, size)
    centre = size / 2
    across = ring if game.rules.direction == "counter-clockwise" else -ring
    for index, hole in enumerate(cast(tuple[Hole, ...], game.board)):
        angle = math.pi - (index + 0.5) * 2 * math.pi / holes
        x, y = centre + across * math.cos(angle), centre + ring * math.sin(angle)
        canvas.pit(x, y, PIT, (RIM, INK)[game.rules.owner(index)])
        third = 0.464 * (PIT - 5)
        for colour, count in enumerate(hole):
            towards = -math.pi / 2 + 2 * math.pi * colour / 3
            away = PIT - 5 - third
            heap = seeds.in_circle(count, third, SEED - 2)
            canvas.heap(heap, x + away * math.cos(towards), y + away * math.sin(towards), OF_COLOUR[colour])
        outside = ring + PIT + 14
        canvas.number(sum(hole), centre + outside * math.cos(angle), centre + outside * math.sin(angle))
    for player, side in ((0, 1), (1, -1)):
        y = centre + side * (PIT + 14)
        waiting = game.over or game.turn != player
        canvas.pit(centre, y, PIT, (RIM, INK)[player] if waiting else TURN)
        canvas.heap(seeds.in_circle(game.scores[player], PIT - 5, SEED), centre, y)
        canvas.number(game.scores[player], centre + PIT + 22, y)
    return canvas.pixels


class _Canvas:
    """Pixels of wood to paint on."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.pixels: Pixels = np.empty((height, width, 3), np.uint8)
        self.pixels[:] = WOOD

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """Draw a filled circle with a soft edge."""
        left, right = max(0, int(x - radius - 1)), min(self.width, int(x + radius + 2))
        top, bottom = max(0, int(y - radius - 1)), min(self.height, int(y + radius + 2))
        down, along = np.ogrid[top:bottom, left:right]
        cover = np.clip(radius + 0.5 - np.hypot(along - x, down - y), 0, 1)[:, :, None]
        under = self.pixels[top:bottom, left:right]
        under[:] = np.rint(under * (1 - cover) + np.array(colour) * cover).astype(np.uint8)

    def pit(self, x: float, y: float, radius: float, rim: Colour) -> None:
        self.disc(x, y, radius + 3, rim)
        self.disc(x, y, radius, HOLLOW)

    def heap(self, heap: Heap, x: float, y: float, colour: Colour | None = None) -> None:
        for seed in heap.seeds:
            self.disc(x + seed.x, y + seed.y, heap.radius, INK)
            self.disc(x + seed.x, y + seed.y, heap.radius - 1, colour or (DARK if seed.dark else LIGHT))

    def number(self, value: int, x: float, y: float, dot: int = 3) -> None:
        """Draw a count centred on (x, y)."""
        digits = [_DIGITS[int(digit)] for digit in str(value)]
        left = int(x - (4 * len(digits) - 1) * dot / 2)
        top = int(y - 5 * dot / 2)
        for place, digit in enumerate(digits):
            for at, dark in enumerate(digit):
                if dark == "1":
                    row, column = top + at // 3 * dot, left + (4 * place + at % 3) * dot
                    self.pixels[max(0, row) : row + dot, max(0, column) : column + dot] = INK
