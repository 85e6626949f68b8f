"""The commands by key, and the line at the bottom that lists them and can be clicked."""

from __future__ import annotations

from collections.abc import Mapping

from rich.style import Style
from rich.text import Text
from textual.widget import Widget

from awale.i18n import text

COMMANDS = {
    "?": "help",
    "n": "new",
    "u": "undo",
    "r": "redo",
    "t": "hint",
    "p": "offer",
    "x": "resign",
    "v": "flip",
    "s": "save",
    "o": "open",
    "y": "copy",
    "z": "analysis",
    "w": "review",
    "m": "games",
    "!": "puzzles",
    "q": "quit",
}
"""Letters from M on: those before it are pits on boards of up to twelve pits a side."""
PUZZLE_COMMANDS = {
    "?": "help",
    "t": "hint",
    "x": "solution",
    "w": "explain",
    "n": "next",
    "v": "flip",
    "y": "copy",
    "q": "quit",
}
KEY = Style(bold=True, color="yellow")


class KeyLine(Widget):
    """The commands that can be used now, as far as there is room."""

    DEFAULT_CSS = "KeyLine { height: 1; dock: bottom; link-style: none; link-style-hover: reverse; }"

    def __init__(self, commands: Mapping[str, str]) -> None:
        """`commands`: all of them by their keys."""
        super().__init__()
        self._keys = {name: key for key, name in commands.items()}
        self._commands: list[str] = []

    def offer(self, commands: list[str]) -> None:
        if commands != self._commands:
            self._commands = commands
            self.refresh()

    def render(self) -> Text:
        line = Text(no_wrap=True, overflow="crop")
        for name in self._commands:
            word = text(f"tui.key.{name}")
            if line.cell_len + len(word) + 4 > self.size.width:
                break
            click = Style(meta={"@click": f"screen.command('{name}')"})
            line.append(f" {self._keys[name]}", KEY + click).append(f" {word}", click).append(" ")
        return line
