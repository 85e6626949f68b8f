"""The full-screen application."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter

from awale.local import LocalGame
from awale.tui.analysis_thread import Analyser, Updates, engine_updates
from awale.tui.ascii import AsciiFilter

if TYPE_CHECKING:
    from awale.training import Session


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


class TerminalApp(App[None]):
    """What the full-screen applications share: settings, colours, leaving."""

    TITLE = "awalé"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", show=False, priority=True)]
    CSS = """
    Screen { background: ansi_default; color: ansi_default; scrollbar-size: 1 1; }
    ModalScreen { background: ansi_default; align: center middle; }
    AskScreen, ReadScreen { background: transparent; }
    """

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(ansi_color=True)
        self.settings = settings or Settings()
        self._ascii = [AsciiFilter()] if self.settings.ascii else []

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), *self._ascii]

    async def action_quit(self) -> None:
        """Leave at once: an unfinished game is on disk already."""
        self.exit()


class AwaleApp(TerminalApp):
    """Awalé in a terminal."""

    def __init__(self, local: LocalGame, settings: Settings | None = None, *, ask: bool = False) -> None:
        """`local`: the game to begin with. `ask`: begin with the new-game screen; closing it leads to that game."""
        super().__init__(settings)
        self.local = local
        self._ask = ask

    def on_mount(self) -> None:
        from awale.tui.game_screen import GameScreen

        self.push_screen(GameScreen(self.local, ask=self._ask))

    def analyser(self) -> Analyser:
        return Analyser(self.settings.updates)


class PuzzleApp(TerminalApp):
    """Puzzles in a terminal."""

    def __init__(self, session: Session, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self.session = session

    def on_mount(self) -> None:
        from awale.tui.puzzles import PuzzleScreen

        self.push_screen(PuzzleScreen(self.session))
