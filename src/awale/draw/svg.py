"""A game as an SVG picture: a wooden board, every seed of it, the numbers, the names of the pits, the last move.

No script, no font from elsewhere, and the same bytes for the same game.
"""

from __future__ import annotations

from dataclasses import dataclass

from awale.draw import paint, ring, seeds
from awale.draw.marks import LastMove, state_sentence
from awale.draw.marks import last_move as find_last_move
from awale.draw.paint import CREAM, INK, MARK, element, write
from awale.game import Game
from awale.rules import moves

PIT = 42.0
PITCH = 95.0
NAMES = 30.0
"""The strips of the frame that carry the names."""
SIDE = 14.0
COUNT = 30.0
"""The band beside a row where its numbers stand."""
BETWEEN = 16.0
STORE = 84.0
GAP = 16.0
SEED = 8.6
STORE_SEED = 5.6


def board_svg(
    game: Game, *, flip: bool = False, last_move: bool = True, lang: str | None = None, size: int | None = None
) -> str:
    """The game as an SVG picture. `flip` puts North at the bottom; `size` is the width in pixels.

    >>> board_svg(Game("abapa")).startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    True
    """
    if size is not None and size < 1:
        raise ValueError(f"size: a picture is at least 1 pixel wide, not {size}")
    mark = find_last_move(game) if last_move else None
    if game.rules.coloured:
        width, height, body = ring.draw(game, flip=flip, mark=mark, lang=lang)
    else:
        width, height, body = _Rows(game, flip, mark, lang).draw()
    title = f"{game.rules.name}: {state_sentence(game, lang)}"
    return paint.picture(width, height, size, title, game.position, body)


@dataclass(slots=True)
class _Rows:
    """Two rows of pits between two stores."""

    game: Game
    flip: bool
    mark: LastMove | None
    lang: str | None

    def draw(self) -> tuple[float, float, list[str]]:
        rules = self.game.rules
        inner_width = 2 * (GAP + STORE) + 2 * GAP + rules.pits * PITCH
        inner_height = 2 * (COUNT + 2 * PIT) + BETWEEN + 12
        width, height = inner_width + 2 * SIDE, inner_height + 2 * NAMES
        body = [
            element("rect", x=0, y=0, width=width, height=height, rx=26, fill="url(#awale-frame)"),
            element("rect", x=1.5, y=1.5, width=width - 3, height=height - 3, rx=25, fill="none", stroke="#2b1506",
                    stroke_width=2),
            element("rect", x=SIDE, y=NAMES, width=inner_width, height=inner_height, rx=16, fill="url(#awale-wood)",
                    stroke="#3a1f0b", stroke_width=1.5),
            paint.grain(SIDE + 4, NAMES, inner_width - 8, inner_height),
        ]  # fmt: skip
        bottom, top = (1, 0) if self.flip else (0, 1)
        body += self._store(top, SIDE + GAP, height, at_top=True)
        body += self._store(bottom, width - SIDE - GAP - STORE, height, at_top=False)
        first = SIDE + 2 * GAP + STORE + PITCH / 2
        upper = NAMES + 6 + COUNT + PIT
        lower = height - upper
        for place in range(rules.pits):
            x = first + place * PITCH
            body += self._pit(bottom * rules.pits + place, x, lower, 1)
            body += self._pit(top * rules.pits + rules.pits - 1 - place, x, upper, -1)
        return width, height, body

    def _pit(self, index: int, x: float, y: float, outwards: int) -> list[str]:
        """A pit; its number and name lie `outwards`: 1 below it, -1 above it."""
        rules, count = self.game.rules, self.game.counts[index]
        drawn = paint.pit(x, y, PIT)
        mark = self.mark
        name_fill, name_bold = CREAM, False
        if mark is not None and index == mark.origin:
            drawn.append(element("circle", cx=x, cy=y, r=PIT - 1, fill="none", stroke=MARK, stroke_width=4))
            name_fill, name_bold = MARK, True
        elif mark is not None and index == mark.end:
            drawn.append(
                element("circle", cx=x, cy=y, r=PIT - 1, fill="none", stroke=MARK, stroke_width=3,
                        stroke_dasharray="0.1 7.2", stroke_linecap="round")
            )  # fmt: skip
        drawn += paint.seeds(seeds.in_circle(count, PIT - 5, SEED), x, y)
        beside = y + outwards * (PIT + COUNT / 2 + 2)
        drawn.append(write(str(count), x, beside, 21, INK, bold=True))
        if mark is not None and index in mark.taken:
            drawn.append(paint.taken(mark.taken[index], x, y))
        name_y = y + outwards * (PIT + COUNT + 6 + NAMES / 2)
        drawn.append(write(moves.write(rules, index), x, name_y, 16, name_fill, bold=name_bold))
        return drawn

    def _store(self, player: int, x: float, height: float, *, at_top: bool) -> list[str]:
        """A store; its number stands in line with those of its owner's row, his name on the frame."""
        score = self.game.scores[player]
        tall = height - 2 * NAMES - 2 * 6 - COUNT - 8
        y = NAMES + 6 + COUNT if at_top else NAMES + 14
        middle = x + STORE / 2
        outwards = -1 if at_top else 1
        drawn = [
            element("rect", x=x - 1.5, y=y, width=STORE + 3, height=tall + 3, rx=STORE / 2, fill="#f3d3a0",
                    fill_opacity=0.55),
            element("rect", x=x, y=y, width=STORE, height=tall, rx=STORE / 2, fill="url(#awale-pit)", stroke="#3a1f0b",
                    stroke_width=1),
        ]  # fmt: skip
        heap = seeds.in_box(score, STORE - 18, tall - 48, STORE_SEED)
        drawn += paint.seeds(heap, middle, y + tall / 2)
        edge = y if at_top else y + tall
        drawn.append(write(str(score), middle, edge + outwards * (COUNT / 2 + 2), 21, INK, bold=True))
        name_y = NAMES / 2 if at_top else height - NAMES / 2
        drawn += self._player(player, middle, name_y)
        return drawn

    def _player(self, player: int, x: float, y: float) -> list[str]:
        """A player's name, with a pointer if it is his turn."""
        to_move = not self.game.over and self.game.turn == player
        name = self.game.player_name(player, self.lang)
        drawn = [write(name, x, y, 15, MARK if to_move else CREAM, bold=to_move)]
        if to_move:
            drawn.append(paint.pointer(x - 38, y, MARK))
        return drawn
