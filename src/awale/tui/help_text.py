"""The help page."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from rich.style import Style
from rich.text import Text

from awale import i18n
from awale.game import Game
from awale.i18n import text
from awale.rules import moves
from awale.tui.keys import COMMANDS

WIDTH = 72
"""The width of the page in a terminal of 80 columns."""
HEADING = Style(bold=True, color="yellow")


def help_text(game: Game, player: int) -> Text:
    """Return how a player enters moves, all keys, and the rules of this game."""
    rules = game.rules
    pits = moves.pit_names(rules, player)
    shown = Text()
    shown.append(text("tui.help.playing") + "\n", HEADING)
    key = "move-coloured" if rules.coloured else "move"
    shown.append(text(f"tui.help.{key}", pits=pits) + "\n\n")
    shown.append(text("tui.help.keys") + "\n", HEADING)
    shown.append(key_table(COMMANDS, "tui.help"))
    shown.append("\n" + text("tui.help.marks-heading") + "\n", HEADING)
    shown.append(text("tui.help.marks") + "\n\n")
    shown.append((rules.title.get(i18n.language()) or rules.name) + "\n", HEADING)
    shown.append((rules.description.get(i18n.language()) or rules.name) + "\n\n")
    return shown.append(text("tui.help.close"), Style(dim=True))


def key_table(commands: Mapping[str, str], section: str) -> Text:
    """Return the keys that enter a move, then those of commands, with what they do."""
    rows = [(text(f"tui.help.{name}-key"), text(f"{section}.{name}")) for name in ("arrows", "space")]
    rows += [(key, text(f"{section}.{name}")) for key, name in commands.items() if name != "help"]
    width = max(len(key) for key, _ in rows)
    shown = Text()
    for key, does in rows:
        # Wrapped here to indent the second line.
        first, *others = textwrap.wrap(does, WIDTH - width - 4)
        shown.append(f"  {key:{width}}", Style(bold=True)).append(f"  {first}\n")
        shown.append("".join(f"{'':{width + 4}}{line}\n" for line in others))
    return shown
