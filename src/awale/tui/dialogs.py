"""Dialogs over the board."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from awale.i18n import text


class AskScreen(ModalScreen[str | None]):
    """Asks for a line of text: Enter returns it, Escape returns None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", show=False)]
    DEFAULT_CSS = """
    AskScreen > Vertical { width: 70; max-width: 100%; height: auto; border: solid ansi_yellow; padding: 0 1;
                           background: ansi_default; }
    AskScreen Input, AskScreen Input:focus { border: none; height: 1; padding: 0; background: ansi_default;
                                             text-style: underline; }
    AskScreen .below { color: ansi_bright_black; }
    """

    def __init__(self, question: str, value: str = "") -> None:
        super().__init__()
        self._question, self._value = question, value

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(Text(self._question))
            yield Input(self._value, select_on_focus=False)
            yield Static(Text(text("tui.ask.keys")), classes="below")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)


class ReadScreen(ModalScreen[None]):
    """A scrollable page of text."""

    DEFAULT_CSS = """
    ReadScreen > VerticalScroll { width: 78; max-width: 100%; height: 100%; max-height: 100%; padding: 0 1;
                                  border: solid ansi_yellow; background: ansi_default; }
    """

    def __init__(self, content: Text) -> None:
        super().__init__()
        self._content = content

    def compose(self) -> ComposeResult:
        with VerticalScroll(can_focus=True):
            yield Static(self._content)

    def on_key(self, event: events.Key) -> None:
        if event.key in ("up", "down", "pageup", "pagedown", "home", "end"):
            return
        event.stop()
        self.dismiss(None)

    def on_click(self) -> None:
        self.dismiss(None)
