"""A game as text for a terminal: the board, the stores, the pits' names, the last move, whose turn it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from awale import i18n
from awale.draw.marks import LastMove, last_move, state_sentence
from awale.game import Game
from awale.rules import moves
from awale.rules.description import Rules
from awale.rules.reference import Board

_BOLD, _DIM, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"
_MARK = "\x1b[1;33m"
_COLOURS = ("\x1b[31m", "\x1b[34m", "")


@dataclass(frozen=True, slots=True)
class _Lines:
    """The characters that the board is ruled with."""

    across: str
    down: str
    top: tuple[str, str, str]
    middle: tuple[str, str, str]
    bottom: tuple[str, str, str]
    marks: tuple[str, str]
    """Before and after the name of the pit that was played."""
    empty: str


_UNICODE = _Lines("─", "│", ("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"), ("‹", "›"), "·")
_ASCII = _Lines("-", "|", ("+", "+", "+"), ("+", "+", "+"), ("+", "+", "+"), ("<", ">"), ".")


def board_text(
    game: Game, *, unicode: bool = True, flip: bool = False, colour: bool = False, lang: str | None = None
) -> str:
    """Return the game as lines of text. `flip` puts North at the bottom; `colour` adds a terminal's colours.

    >>> print(board_text(Game("abapa", moves="F"), unicode=False))
               f    e    d    c    b    a
           +----+----+----+----+----+----+
     North |  4 |  4 |  5 |  5 |  5 |  5 |
         0 +----+----+----+----+----+----+ 0
           |  4 |  4 |  4 |  4 |  4 |  . | South
           +----+----+----+----+----+----+
              A    B    C    D    E   <F>
    South played F. North to move
    """
    mark = last_move(game)
    lines = grid(
        game.rules,
        game.board,
        game.scores,
        names=(game.player_name(0, lang), game.player_name(1, lang)),
        played=None if mark is None else mark.origin,
        unicode=unicode,
        flip=flip,
        colour=colour,
    )
    return "\n".join([*lines, caption(game, mark, colour=colour, lang=lang)])


def caption(game: Game, mark: LastMove | None, *, colour: bool = False, lang: str | None = None) -> str:
    """Return the last move and whose turn it is, in one line."""
    state = state_sentence(game, lang)
    state = state[0].upper() + state[1:]
    if colour and game.over:
        state = f"{_BOLD}{state}{_PLAIN}"
    if mark is None:
        return state
    values: dict[str, object] = {"player": game.player_name(mark.player, lang), "move": mark.move}
    if mark.total:
        pits = ", ".join(moves.pit_for(game.rules, pit, mark.player) for pit in mark.taken)
        values |= {"seeds": mark.total, "pits": pits}
    played = i18n.text("draw.took" if mark.total else "draw.played", lang, **values)
    return f"{played} {state}"


def grid(
    rules: Rules,
    board: Board,
    scores: tuple[int, int],
    *,
    names: tuple[str, str],
    played: int | None = None,
    unicode: bool = True,
    flip: bool = False,
    colour: bool = False,
) -> list[str]:
    """Return the lines of any board with its stores, also in the middle of a relay."""
    style = _UNICODE if unicode else _ASCII
    bottom, top = (1, 0) if flip else (0, 1)
    upper, lower = rules.rows(flip)
    painter = _Painter(rules, board, style, played, colour)
    label = max(len(name) for name in names)
    rows = painter.rows
    blank = " " * (label + 2)
    lines = [blank + " " + painter.heading(upper)]
    lines.append(blank + painter.rule(style.top))
    for row in range(rows):
        left = names[top].rjust(label) if row == rows // 2 and not rules.coloured else ""
        lines.append(left.rjust(label + 1) + " " + painter.cells(upper, row))
    if rules.coloured:
        lines.append(blank + painter.rule(style.middle))
    else:
        store = painter.strong(str(scores[top]).rjust(label + 1))
        lines.append(f"{store} {painter.rule(style.middle)} {painter.strong(str(scores[bottom]))}")
    for row in range(rows):
        right = names[bottom] if row == rows // 2 and not rules.coloured else ""
        lines.append(f"{blank}{painter.cells(lower, row)} {right}".rstrip())
    lines.append(blank + painter.rule(style.bottom))
    lines.append(blank + " " + painter.heading(lower))
    if rules.coloured:
        for player in (top, bottom):
            store = painter.strong(str(scores[player]).rjust(2))
            lines.append(f"{blank} {names[player]}: {store}  ({moves.pit_names(rules, player)})")
    return [line.rstrip() for line in lines]


@dataclass(frozen=True, slots=True)
class _Painter:
    """Writes the parts of a board, all cells of one width."""

    rules: Rules
    board: Board
    style: _Lines
    played: int | None
    colour: bool

    @property
    def width(self) -> int:
        return 5 if self.rules.coloured else 4

    @property
    def rows(self) -> int:
        """Lines a pit: one, or one a colour."""
        return 3 if self.rules.coloured else 1

    def strong(self, text: str) -> str:
        return f"{_BOLD}{text}{_PLAIN}" if self.colour else text

    def rule(self, corners: tuple[str, str, str]) -> str:
        left, between, right = corners
        line = left + between.join([self.style.across * self.width] * self.rules.pits) + right
        return f"{_DIM}{line}{_PLAIN}" if self.colour else line

    def heading(self, pits: Sequence[int]) -> str:
        """Return the pits' names, with the last move marked."""
        cells: list[str] = []
        for pit in pits:
            name = moves.write(self.rules, pit)
            if pit == self.played:
                before, after = self.style.marks
                shown = f"{before}{name}{after}".rjust(self.width)
                cells.append(f"{_MARK}{shown}{_PLAIN}" if self.colour else shown)
            else:
                cells.append(f"{name} ".rjust(self.width))
        return " ".join(cells)

    def cells(self, pits: Sequence[int], row: int) -> str:
        edge = f"{_DIM}{self.style.down}{_PLAIN}" if self.colour else self.style.down
        return edge + edge.join(self._cell(pit, row) for pit in pits) + edge

    def _cell(self, pit: int, row: int) -> str:
        hole = self.board[pit]
        count = hole if isinstance(hole, int) else hole[row]
        if not count:
            shown = self.style.empty
        elif self.rules.coloured:
            shown = f"{count}{'RBT'[row]}"
        else:
            shown = str(count)
        # Numbers are right-aligned.
        text = f"{shown} ".rjust(self.width) if len(shown) < self.width else shown
        if not self.colour or not count:
            return text
        code = _COLOURS[row] if self.rules.coloured else (_MARK if pit == self.played else "")
        return f"{code}{text}{_PLAIN}" if code else text
