"""A game as an SVG picture: a wooden board, every seed of it, the numbers, the names of the pits, the last move.

No script, no font from elsewhere, and the same bytes for the same game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from awale import i18n
from awale.draw import paint, seeds
from awale.draw.board import COUNT, PIT, Arrow, BoardPicture, Place
from awale.draw.marks import last_move as find_last_move
from awale.draw.marks import state_sentence
from awale.draw.paint import element, write
from awale.draw.ring import Ring
from awale.draw.seeds import Heap, Point
from awale.errors import AwaleError
from awale.game import Game
from awale.rules.moves import Move
from awale.rules.reference import Board

PITCH = 95.0
"""From pit to pit along a row."""
NAMES = 30.0
"""The strips of the frame that carry the names."""
SIDE = 14.0
BETWEEN = 16.0
STORE = 84.0
GAP = 16.0
SEED = 8.6
STORE_SEED = 5.6


def board_svg(
    game: Game,
    *,
    flip: bool = False,
    last_move: bool = True,
    lang: str | None = None,
    size: int | None = None,
    arrows: Iterable[Arrow | tuple[int, int] | tuple[int, int, str] | Move] = (),
    fill: Mapping[int, str] | None = None,
    colours: Mapping[str, str] | None = None,
) -> str:
    """Return the game as an SVG picture.

    `flip` puts North at the bottom, `last_move` marks the last move, `size` is the width in pixels. `arrows` lead from
    pit to pit, `(2, 8)` or `(2, 8, "red")`, or show a move by the pits of its first and last seed. `fill` gives pits a
    colour, `colours` the parts of the picture: `frame`, `wood`, `pit`, `numbers`, `names`, `mark` and `arrow`. Pits are
    counted from 0; a colour is written as in CSS.

    >>> board_svg(Game("abapa"), arrows=[(5, 9)], fill={9: "#d33"}).startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    True
    """
    if size is not None and size < 1:
        raise AwaleError(i18n.message("draw.size", size=size))
    kind = Ring if game.rules.coloured else Rows
    mark = find_last_move(game) if last_move else None
    picture = kind(game, flip=flip, mark=mark, lang=lang, arrows=arrows, fill=fill or {}, colours=colours or {})
    title = f"{game.rules.name}: {state_sentence(game, lang)}"
    return paint.picture(*picture.size, size, title, game.position, picture.draw())


class Rows(BoardPicture):
    """Two rows of pits between two stores."""

    @property
    def size(self) -> tuple[float, float]:
        inner_width = 2 * (GAP + STORE) + 2 * GAP + self.rules.pits * PITCH
        inner_height = 2 * (COUNT + 2 * PIT) + BETWEEN + 12
        return inner_width + 2 * SIDE, inner_height + 2 * NAMES

    def wood(self) -> list[str]:
        width, height = self.size
        inner_width, inner_height = width - 2 * SIDE, height - 2 * NAMES
        return [
            element("rect", x=0, y=0, width=width, height=height, rx=26, fill=self.colours["frame"]),
            element("rect", x=1.5, y=1.5, width=width - 3, height=height - 3, rx=25, fill="none", stroke="#2b1506",
                    stroke_width=2),
            element("rect", x=SIDE, y=NAMES, width=inner_width, height=inner_height, rx=16, fill=self.colours["wood"],
                    stroke="#3a1f0b", stroke_width=1.5),
            paint.grain(SIDE + 4, NAMES, inner_width - 8, inner_height),
        ]  # fmt: skip

    def place(self, pit: int) -> Place:
        at_top = self.at_top(self.rules.owner(pit))
        column = self.rules.rows(self.flip)[0 if at_top else 1].index(pit)
        from_edge = NAMES + 6 + COUNT + PIT
        y, outwards = (from_edge, -1) if at_top else (self.size[1] - from_edge, 1)
        x = SIDE + 2 * GAP + STORE + PITCH / 2 + column * PITCH
        number, name = y + outwards * (PIT + COUNT / 2 + 2), y + outwards * (PIT + COUNT + 6 + NAMES / 2)
        return Place((x, y), (x, number), (x, name))

    def heaps(self, pit: int, board: Board) -> list[tuple[str, Heap, Point]]:
        return [("", seeds.in_circle(cast(int, board[pit]), PIT - 5, SEED), (0.0, 0.0))]

    def store_heap(self, player: int, count: int) -> tuple[Heap, Point]:
        x, y, tall, _ = self._store_place(player)
        return seeds.in_box(count, STORE - 18, tall - 48, STORE_SEED), (x + STORE / 2, y + tall / 2)

    def store_number(self, player: int) -> Point:
        x, y, tall, _ = self._store_place(player)
        return x + STORE / 2, y - COUNT / 2 - 2 if self.at_top(player) else y + tall + COUNT / 2 + 2

    def empty_store(self, player: int) -> list[str]:
        return [*self._store_pit(player), self._name(player)]

    def _store_pit(self, player: int) -> list[str]:
        x, y, tall, _ = self._store_place(player)
        return paint.store(x, y, STORE, tall, STORE / 2, self.colours["pit"])

    def _name(self, player: int, *, to_move: bool = False) -> str:
        x, _, _, y = self._store_place(player)
        colour = self.colours["mark" if to_move else "names"]
        return write(self.game.player_name(player, self.lang), x + STORE / 2, y, 15, colour, bold=to_move)

    def _store_place(self, player: int) -> tuple[float, float, float, float]:
        """Return the corner of a store, its height, and the height of its owner's name."""
        width, height = self.size
        at_top = self.at_top(player)
        x = SIDE + GAP if at_top else width - SIDE - GAP - STORE
        y = NAMES + 6 + COUNT if at_top else NAMES + 14
        return x, y, height - 2 * NAMES - 2 * 6 - COUNT - 8, NAMES / 2 if at_top else height - NAMES / 2

    def store(self, player: int) -> list[str]:
        """Draw a store: its number is in line with those of its owner's row, the name on the frame."""
        score = self.game.scores[player]
        heap, middle = self.store_heap(player, score)
        to_move = not self.game.over and self.game.turn == player
        drawn = [
            *self._store_pit(player),
            *paint.seeds(heap, *middle),
            write(str(score), *self.store_number(player), 20, self.colours["numbers"], bold=True),
            self._name(player, to_move=to_move),
        ]
        if to_move:
            drawn.append(paint.pointer(middle[0] - 38, self._store_place(player)[3], self.colours["mark"]))
        return drawn
