"""The full-screen application."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter

from awale.local import LocalGame
from awale.tui.analysis_thread import Analyser, Updates, engine_updates
from awale.tui.ascii import AsciiFilter


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How games are shown."""

    pause: float = 0.8
    """Seconds that a lap of sowing lasts at most; 0 shows the final position only."""
    ascii: bool = False
    seed: int | None = None
    """The random seed of players in games begun from the new-game screen."""
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

    def __init__(self, local: LocalGame, settings: Settings | None = None, *, ask: bool = False) -> None:
        """`local`: the game to begin with. `ask`: begin with the new-game screen; closing it leads to that game."""
        super().__init__(ansi_color=True)
        self.local = local
        self.settings = settings or Settings()
        self._ask = ask
        self._ascii = [AsciiFilter()] if self.settings.ascii else []

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), *self._ascii]

    def on_mount(self) -> None:
        from awale.tui.game_screen import GameScreen

        self.push_screen(GameScreen(self.local, ask=self._ask))

    def analyser(self) -> Analyser:
        return Analyser(self.settings.updates)

    async def action_quit(self) -> None:
        """Leave at once: an unfinished game is on disk already."""
        self.exit()
