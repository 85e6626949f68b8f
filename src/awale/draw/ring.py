"""The three-colour board: holes in a ring, the stores in its middle."""

from __future__ import annotations

import math
from typing import cast

from awale.draw import paint, seeds
from awale.draw.marks import LastMove
from awale.draw.paint import CREAM, INK, MARK, element, write
from awale.draw.seeds import Heap, Point, Seed
from awale.game import Game
from awale.rules import moves
from awale.rules.reference import Hole

HOLE = 42.0
STEP = 93.0
"""From hole to hole along the ring."""
COUNT = 30.0
FRAME = 42.0
SMALLEST_RING = 205.0
"""Leaves room for the stores inside a ring of few holes."""
SEED = 7.6
STORE_SEED = 5.4
STORE_WIDTH = 226.0
STORE_HEIGHT = 66.0
RIMS = ("#fbe6bd", "#241006")
"""Whose hole it is: the first player's rims are light, the second's dark."""


def draw(game: Game, *, flip: bool, mark: LastMove | None, lang: str | None) -> tuple[float, float, list[str]]:
    """Width, height and elements of the picture."""
    rules = game.rules
    ring = max(SMALLEST_RING, rules.holes * STEP / (2 * math.pi))
    wood = ring + HOLE + COUNT + 4
    outer = wood + FRAME
    body = [
        element("circle", cx=outer, cy=outer, r=outer - 1, fill="url(#awale-frame)", stroke="#2b1506", stroke_width=2),
        element("circle", cx=outer, cy=outer, r=wood, fill="url(#awale-wood)", stroke="#3a1f0b", stroke_width=1.5),
        *_grain(outer, wood),
    ]
    for index in range(rules.holes):
        turned = index + (rules.pits if flip else 0)
        angle = math.pi - (turned + 0.5) * 2 * math.pi / rules.holes
        body += _hole(game, index, outer, ring, wood, angle, mark)
    bottom, top = (1, 0) if flip else (0, 1)
    body += _store(game, top, outer, outer - 28 - STORE_HEIGHT, -1, lang)
    body += _store(game, bottom, outer, outer + 28, 1, lang)
    body += _legend(outer)
    return 2 * outer, 2 * outer, body


def _grain(centre: float, wood: float) -> list[str]:
    """The rings of the tree that the disc was cut from."""
    return [
        element("circle", cx=centre + 3 * math.sin(i * 1.9), cy=centre + 3 * math.cos(i * 2.6), r=wood * i / 15,
                fill="none", stroke="#7c4a1d", stroke_opacity=0.18, stroke_width=1.1)
        for i in range(2, 15)
    ]  # fmt: skip


def _hole(
    game: Game, index: int, centre: float, ring: float, wood: float, angle: float, mark: LastMove | None
) -> list[str]:
    def at(distance: float) -> Point:
        return centre + distance * math.cos(angle), centre + distance * math.sin(angle)

    x, y = at(ring)
    rim = RIMS[game.rules.owner(index)]
    drawn = [
        *paint.pit(x, y, HOLE),
        element("circle", cx=x, cy=y, r=HOLE - 1, fill="none", stroke=rim, stroke_width=2.5),
    ]
    name_fill, bold = CREAM, False
    if mark is not None and index == mark.origin:
        drawn.append(element("circle", cx=x, cy=y, r=HOLE - 1, fill="none", stroke=MARK, stroke_width=5))
        name_fill, bold = MARK, True
    elif mark is not None and index == mark.end:
        drawn.append(
            element("circle", cx=x, cy=y, r=HOLE - 1, fill="none", stroke=MARK, stroke_width=4,
                    stroke_dasharray="0.1 7.6", stroke_linecap="round")
        )  # fmt: skip
    hole = cast(Hole, game.board[index])
    for colour, heap, (hx, hy) in _heaps(hole):
        drawn += paint.coloured_seeds(heap, x + hx, y + hy, colour)
    cx, cy = at(ring + HOLE + COUNT / 2 + 1)
    drawn.append(write(str(sum(hole)), cx, cy, 19, INK, bold=True))
    if mark is not None and index in mark.taken:
        drawn.append(paint.taken(mark.taken[index], x, y))
    nx, ny = at(wood + FRAME / 2)
    name = str(mark.move) if mark is not None and index == mark.origin else moves.write(game.rules, index)
    drawn.append(write(name, nx, ny, 15, name_fill, bold=bold))
    return drawn


def _heaps(hole: Hole) -> list[tuple[str, Heap, Point]]:
    """Each colour in a part of the hole of its own; seeds of one size, so that the heaps compare."""
    present = [(colour, count) for colour, count in zip("rbt", hole, strict=True) if count]
    room = HOLE - 5
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


def _store(game: Game, player: int, centre: float, y: float, outwards: int, lang: str | None) -> list[str]:
    """A player's captured seeds; their colours no longer matter, so they are drawn plain."""
    x = centre - STORE_WIDTH / 2
    score = game.scores[player]
    heap = seeds.in_box(score, STORE_WIDTH - 30, STORE_HEIGHT - 12, STORE_SEED)
    line = y + (STORE_HEIGHT + 20 if outwards > 0 else -20)
    name = game.player_name(player, lang)
    drawn = [
        element("rect", x=x - 1.5, y=y, width=STORE_WIDTH + 3, height=STORE_HEIGHT + 3, rx=30, fill="#f3d3a0",
                fill_opacity=0.55),
        element("rect", x=x, y=y, width=STORE_WIDTH, height=STORE_HEIGHT, rx=30, fill="url(#awale-pit)",
                stroke="#3a1f0b", stroke_width=1),
        *paint.seeds(heap, centre, y + STORE_HEIGHT / 2),
        element("circle", cx=centre - 50, cy=line, r=9, fill="url(#awale-pit)", stroke=RIMS[player], stroke_width=3),
        write(name, centre - 32, line, 17, INK, anchor="start"),
        write(str(score), centre + 40, line, 22, INK, bold=True),
    ]  # fmt: skip
    if not game.over and game.turn == player:
        drawn.append(paint.pointer(centre - 78, line, "#9c1c10"))
    return drawn


def _legend(centre: float) -> list[str]:
    """Which shape is which colour, by the letters that moves are written with."""
    drawn = [element("rect", x=centre - 84, y=centre - 16, width=168, height=32, rx=16, fill="#6c3f1b")]
    for place, colour in enumerate("rbt"):
        x = centre - 58 + place * 54
        drawn += paint.coloured_seeds(Heap(SEED, (Seed(0.0, 0.0),)), x, centre, colour)
        drawn.append(write(colour.upper(), x + 18, centre, 15, CREAM))
    return drawn
