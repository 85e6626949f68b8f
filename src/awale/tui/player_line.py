"""The line of a player above or below the board, and the styles of sentences."""

from __future__ import annotations

from rich.style import Style
from rich.text import Text
from textual.widget import Widget

from awale.tui.board import SEED

REFUSED = Style(bold=True, color="bright_red")
NEWS = Style(color="bright_green")
QUIET = Style(dim=True)


class SideLine(Widget):
    """A player: name, captured seeds and clock."""

    DEFAULT_CSS = "SideLine { height: 1; width: 1fr; }"

    def __init__(self, **options: str) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._shown: tuple[str, int, str, bool, bool] = ("", 0, "", False, False)

    def show(self, name: str, score: int, clock: str, *, to_move: bool, hurry: bool) -> None:
        shown = (name, score, clock, to_move, hurry)
        if shown != self._shown:
            self._shown = shown
            self.refresh()

    def render(self) -> Text:
        name, score, clock, to_move, hurry = self._shown
        line = Text(no_wrap=True, overflow="crop").append("▸ " if to_move else "  ", NEWS)
        line.append(name, Style(bold=to_move)).append(f"  {score} ", Style(bold=True))
        room = self.size.width - line.cell_len - len(clock) - 2
        line.append((SEED * min(score, max(0, room))).ljust(max(0, room)), Style(color="yellow"))
        return line.append(f" {clock} ", REFUSED if hurry else Style(bold=True) if to_move else QUIET)
