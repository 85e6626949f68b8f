"""A game as an SVG picture: a wooden board, every seed of it, the numbers, the names of the pits, the last move.

No script, no font from elsewhere, and the same bytes for the same game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from awale import i18n
from awale.draw import paint, seeds
from awale.draw.board import COUNT, PIT, Arrow, BoardPicture, Place
from awale.draw.marks import last_move as find_last_move
from awale.draw.marks import state_sentence
from awale.draw.paint import element, write
from awale.draw.ring import Ring
from awale.draw.seeds import Point
from awale.errors import AwaleError
from awale.game import Game
from awale.rules import moves
from awale.rules.moves import Move

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
        at_top = self._at_top(self.rules.owner(pit))
        column = self.rules.rows(self.flip)[0 if at_top else 1].index(pit)
        from_edge = NAMES + 6 + COUNT + PIT
        y, outwards = (from_edge, -1) if at_top else (self.size[1] - from_edge, 1)
        x = SIDE + 2 * GAP + STORE + PITCH / 2 + column * PITCH
        number, name = y + outwards * (PIT + COUNT / 2 + 2), y + outwards * (PIT + COUNT + 6 + NAMES / 2)
        return Place((x, y), (x, number), (x, name))

    def empty(self) -> list[str]:
        """Draw the board with its names, without seeds and numbers."""
        drawn = self.wood()
        for player in (0, 1):
            x, y, tall, name_y = self._store_place(player)
            drawn += paint.store(x, y, STORE, tall, STORE / 2, self.colours["pit"])
            name = self.game.player_name(player, self.lang)
            drawn.append(write(name, x + STORE / 2, name_y, 15, self.colours["names"]))
        for pit in range(self.rules.holes):
            (x, y), _, name_place = self.place(pit)
            drawn += paint.pit(x, y, PIT, self.colours["pit"])
            drawn.append(write(moves.write(self.rules, pit), *name_place, 16, self.colours["names"]))
        return drawn

    def store_room(self, player: int) -> tuple[float, float, float, float]:
        """Return the centre, the width and the height of the room for a store's seeds."""
        x, y, tall, _ = self._store_place(player)
        return x + STORE / 2, y + tall / 2, STORE - 18, tall - 48

    def number_place(self, place: int) -> Point:
        """Return where the number of a pit is written, or after the pits that of a store."""
        if place < self.rules.holes:
            return self.place(place).number
        player = place - self.rules.holes
        x, y, tall, _ = self._store_place(player)
        return x + STORE / 2, y - COUNT / 2 - 2 if self._at_top(player) else y + tall + COUNT / 2 + 2

    def _at_top(self, player: int) -> bool:
        return (player == 0) == self.flip

    def _store_place(self, player: int) -> tuple[float, float, float, float]:
        """Return the corner of a store, its height, and the height of its owner's name."""
        width, height = self.size
        at_top = self._at_top(player)
        x = SIDE + GAP if at_top else width - SIDE - GAP - STORE
        y = NAMES + 6 + COUNT if at_top else NAMES + 14
        return x, y, height - 2 * NAMES - 2 * 6 - COUNT - 8, NAMES / 2 if at_top else height - NAMES / 2

    def seeds(self, pit: int, x: float, y: float) -> list[str]:
        return paint.seeds(seeds.in_circle(self.game.counts[pit], PIT - 5, SEED), x, y)

    def store(self, player: int, *, at_top: bool) -> list[str]:
        """Draw a store: its number is in line with those of its owner's row, the name on the frame."""
        x, y, tall, name_y = self._store_place(player)
        middle, count_y = self.number_place(self.rules.holes + player)
        room = self.store_room(player)
        score = self.game.scores[player]
        to_move = not self.game.over and self.game.turn == player
        drawn = [
            *paint.store(x, y, STORE, tall, STORE / 2, self.colours["pit"]),
            *paint.seeds(seeds.in_box(score, *room[2:], STORE_SEED), *room[:2]),
            write(str(score), middle, count_y, 20, self.colours["numbers"], bold=True),
            write(self.game.player_name(player, self.lang), middle, name_y, 15,
                  self.colours["mark" if to_move else "names"], bold=to_move),
        ]  # fmt: skip
        if to_move:
            drawn.append(paint.pointer(middle - 38, name_y, self.colours["mark"]))
        return drawn
