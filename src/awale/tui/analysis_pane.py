"""The analysis beside the board: who is ahead, what each move is worth, how it would go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text
from textual.message import Message
from textual.widget import Widget

from awale import i18n
from awale.game import Game
from awale.i18n import text
from awale.tui.analysis_thread import Thinker
from awale.tui.compiling import Notice

if TYPE_CHECKING:
    from awale.search.analysis import Analysis, Value

SECONDS = 120.0
"""One position is looked at for so long at most."""
FULL = 12.0
"""So many seeds ahead fill the bar."""
BEST = Style(bold=True, color="bright_green")
QUIET = Style(dim=True)


def bar(seeds: float, width: int) -> Text:
    """South's share of a bar: half of it when neither is ahead."""
    share = max(0.0, min(1.0, 0.5 + seeds / (2 * FULL)))
    filled = round(share * width)
    return Text("█" * filled, Style(color="yellow")) + Text("░" * (width - filled), QUIET)


def decimal(value: float, *, sign: str = "") -> str:
    """With one decimal, after a point or a comma as the language wants it."""
    return f"{value:{sign}.1f}".replace(".", "," if i18n.language() == "fr" else ".")


def shown(value: Value) -> str:
    """A value for a narrow column: `+3.2`, and `+14!` where that is proven."""
    return f"{value.seeds:+.0f}!" if value.exact else decimal(value.seeds, sign="+")


class AnalysisPane(Widget):
    """Live analysis of the position on the board."""

    DEFAULT_CSS = """
    AnalysisPane { width: 28; height: 1fr; border-left: solid ansi_bright_black; padding: 0 1; display: none; }
    AnalysisPane.open { display: block; }
    AnalysisPane.wide { width: 40; }
    """

    class Found(Message):
        def __init__(self, asked: int, analysis: Analysis) -> None:
            super().__init__()
            self.asked, self.analysis = asked, analysis

    class Failed(Message):
        def __init__(self, asked: int, problem: str) -> None:
            super().__init__()
            self.asked, self.problem = asked, problem

    def __init__(self, thinker: Thinker) -> None:
        super().__init__()
        self.thinker = thinker
        self.analysis: Analysis | None = None
        self._asked = 0
        self._note = ""
        self._sides = ("", "")
        self._waiting: Notice | None = None

    def on_mount(self) -> None:
        self.set_interval(0.5, self._still_waiting)

    def _still_waiting(self) -> None:
        """Say what takes so long, if it does."""
        if self._waiting is not None and self.is_open and self._waiting.sentence() != self._note:
            self._note = self._waiting.sentence()
            self.refresh()

    @property
    def is_open(self) -> bool:
        return self.has_class("open")

    def toggle(self, game: Game) -> None:
        self.toggle_class("open")
        self.look_at(game)

    def look_at(self, game: Game) -> None:
        """Another position: what was known of the last one is forgotten."""
        self._asked += 1
        self.analysis, self._note, self._waiting = None, "", None
        self._sides = (game.player_name(0), game.player_name(1))
        if not self.is_open or game.over:
            self.thinker.stop()
            self._note = text("tui.pane.over") if game.over else ""
        else:
            asked = self._asked
            self._waiting = Notice()
            self._note = self._waiting.sentence()
            self.thinker.ask(
                game,
                SECONDS,
                lambda analysis: self._tell(self.Found(asked, analysis)),
                lambda problem: self._tell(self.Failed(asked, problem)),
            )
        self.refresh()

    def _tell(self, message: Message) -> None:
        self.post_message(message)

    def on_analysis_pane_found(self, message: Found) -> None:
        if message.asked == self._asked:
            self.analysis, self._note, self._waiting = message.analysis, "", None
            self.refresh()

    def on_analysis_pane_failed(self, message: Failed) -> None:
        if message.asked == self._asked:
            self._note, self._waiting = message.problem, None
            self.refresh()

    def on_unmount(self) -> None:
        self.thinker.stop()

    def render(self) -> Text:
        width = max(10, self.content_size.width)
        shown_text = Text(text("tui.pane.title") + "\n", Style(bold=True))
        if self.analysis is None:
            return shown_text.append(self._note, QUIET)
        found = self.analysis
        south = found.value.pov(0).seeds
        shown_text.append_text(bar(south, width)).append("\n")
        left, right = self._sides
        shown_text.append(left).append(
            decimal(south, sign="+").center(max(0, width - len(left) - len(right))), Style(bold=True)
        )
        shown_text.append(f"{right}\n\n")
        # Below them the best line, which takes more lines in a narrow pane, and the depth.
        height = max(3, self.content_size.height - (9 if width > 30 else 11))
        for item in found.moves[:height]:
            best = item.move == found.best
            worth = ("≤" if item.bound else "") + shown(item.value)
            shown_text.append(f"{item.move!s:>5} {worth:>7} ", BEST if best else Style())
            room = max(0, width - 14)
            shown_text.append_text(bar(item.value.pov(0).seeds, room)).append("\n")
        line = " ".join(str(move) for move in found.line[:12])
        shown_text.append("\n" + text("tui.pane.line", line=line) + "\n")
        nodes = i18n.number(found.nodes)
        return shown_text.append(text("tui.pane.depth", depth=found.depth, nodes=nodes), QUIET)
