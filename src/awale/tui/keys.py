"""The keys, in one place: what each does, and the line at the bottom that says so and can be clicked."""

from __future__ import annotations

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
    "q": "quit",
}
"""From M on in the alphabet: the letters before it are pits, also on boards of twelve a side."""
KEY = Style(bold=True, color="yellow")
KEYS = {name: key for key, name in COMMANDS.items()}


class KeyLine(Widget):
    """As many of the commands that make sense now as there is room for."""

    DEFAULT_CSS = "KeyLine { height: 1; dock: bottom; link-style: none; link-style-hover: reverse; }"

    def __init__(self) -> None:
        super().__init__()
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
            line.append(f" {KEYS[name]}", Style(bold=True, color="yellow") + click).append(f" {word}", click).append(
                " "
            )
        return line
