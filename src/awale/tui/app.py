"""The application: which screen is shown, in which language and which characters."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter

from awale.tui.analysis_thread import Thinker, Updates, engine_updates
from awale.tui.ascii import AsciiFilter
from awale.tui.house import House
from awale.tui.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How games are shown."""

    pause: float = 0.8
    """Seconds that a lap of sowing lasts at most; 0 shows the end alone."""
    ascii: bool = False
    seed: int | None = None
    """Decides the random player's moves in games begun from the new-game screen."""
    clock: Callable[[], float] = time.monotonic
    updates: Updates = engine_updates
    """Where analyses come from."""


class AwaleApp(App[None]):
    """Awalé in a terminal."""

    TITLE = "awalé"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", show=False, priority=True)]
    CSS = """
    Screen { background: ansi_default; color: ansi_default; scrollbar-size: 1 1; }
    ModalScreen { background: ansi_default; align: center middle; }
    AskScreen, ReadScreen { background: transparent; }
    """

    def __init__(self, house: House, table: Table, settings: Settings | None = None, *, ask: bool = False) -> None:
        """`table`: the game to begin with. `ask`: the new-game screen first; leaving it leads to that table."""
        super().__init__(ansi_color=True)
        self.house = house
        self.table = table
        self.settings = settings or Settings()
        self._ask = ask
        self._ascii = [AsciiFilter()] if self.settings.ascii else []

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), *self._ascii]

    def on_mount(self) -> None:
        from awale.tui.playing import PlayScreen

        self.push_screen(PlayScreen(self.table, ask=self._ask))

    def thinker(self) -> Thinker:
        """Somebody who analyses games."""
        return Thinker(self.settings.updates)

    async def action_quit(self) -> None:
        """Leave at once: an unfinished game is on the disk already."""
        self.exit()
