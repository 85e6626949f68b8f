"""The analysis beside the board: evaluation bar, value of each move, principal variation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from rich.text import Text
from textual.widget import Widget

from awale import i18n
from awale.game import Game
from awale.i18n import text
from awale.tui.analysis_thread import Analyser
from awale.tui.compiling import Notice

if TYPE_CHECKING:
    from awale.search.analysis import Analysis, MoveValue, Value

SECONDS = 120.0
"""How long a position is analysed at most."""
FULL = 12.0
"""The lead in seeds that fills the bar."""
BEST = Style(bold=True, color="bright_green")
QUIET = Style(dim=True)


def bar(seeds: float, width: int) -> Text:
    """Return a bar whose filled part is South's: half of it when neither side is ahead."""
    share = max(0.0, min(1.0, 0.5 + seeds / (2 * FULL)))
    filled = round(share * width)
    return Text("█" * filled, Style(color="yellow")) + Text("░" * (width - filled), QUIET)


def shown(value: Value) -> str:
    """Return a value for a narrow column: `+3.2`, `+14!` where it is proven, `≥+1` where a bound is."""
    relation, number = value.shown
    if relation == "~":
        return i18n.decimal(number, "+.1f")
    return f"{number:+.0f}!" if relation == "=" else f"{relation}{number:+.0f}"


def _worth(item: MoveValue) -> str:
    return ("≤" if item.bound and item.value.shown[0] == "~" else "") + shown(item.value)


class AnalysisPane(Widget):
    """Live analysis of the position on the board."""

    DEFAULT_CSS = """
    AnalysisPane { width: 28; height: 1fr; border-left: solid ansi_bright_black; padding: 0 1; display: none; }
    AnalysisPane.open { display: block; }
    AnalysisPane.wide { width: 40; }
    AnalysisPane.below { width: 1fr; height: 7; border-left: none; border-top: solid ansi_bright_black; }
    """

    def __init__(self, analyser: Analyser) -> None:
        super().__init__()
        self._analyser = analyser
        self.analysis: Analysis | None = None
        self._asked = 0
        self._note = ""
        self._sides = ("", "")
        self._waiting: Notice | None = None

    def on_mount(self) -> None:
        self.set_interval(0.5, self._still_waiting)

    def _still_waiting(self) -> None:
        """Show that the engine is still loading or being compiled."""
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
        """Analyse another position."""
        self._asked += 1
        self.analysis, self._note, self._waiting = None, "", None
        self._sides = (game.player_name(0), game.player_name(1))
        if not self.is_open or game.over:
            self._analyser.stop()
            self._note = text("tui.pane.over") if game.over else ""
        else:
            asked = self._asked
            self._waiting = Notice()
            self._note = self._waiting.sentence()
            self._analyser.start(
                game,
                SECONDS,
                lambda analysis: self.call_later(self._found, asked, analysis),
                lambda problem: self.call_later(self._found, asked, None, problem),
            )
        self.refresh()

    def _found(self, asked: int, analysis: Analysis | None, problem: str = "") -> None:
        if asked == self._asked:
            self.analysis, self._note, self._waiting = analysis, problem, None
            self.refresh()

    def on_unmount(self) -> None:
        self._analyser.stop()

    def render(self) -> Text:
        width = max(10, self.content_size.width)
        below = self.has_class("below")
        shown_text = Text() if below else Text(text("tui.pane.title") + "\n", Style(bold=True))
        if self.analysis is None:
            return shown_text.append(self._note, QUIET)
        found = self.analysis
        south = found.value.pov(0).seeds
        shown_text.append_text(bar(south, width)).append("\n")
        left, right = self._sides
        shown_text.append(left).append(
            i18n.decimal(south, "+.1f").center(max(0, width - len(left) - len(right))), Style(bold=True)
        )
        shown_text.append(f"{right}\n")
        line = " ".join(str(move) for move in found.line[:12])
        nodes = i18n.number(found.nodes)
        end = Text(text("tui.pane.line", line=line) + "\n")
        end.append(text("tui.pane.depth", depth=found.depth, nodes=nodes), QUIET)
        if below:
            for item in found.moves:
                style = BEST if item.move == found.best else Style()
                shown_text.append(f"{item.move} {_worth(item)}", style).append("  ")
            return shown_text.append("\n").append_text(end)
        shown_text.append("\n")
        # Below them the best line, which takes more lines in a narrow pane, and the depth.
        height = max(3, self.content_size.height - (9 if width > 30 else 11))
        for item in found.moves[:height]:
            best = item.move == found.best
            shown_text.append(f"{item.move!s:>5} {_worth(item):>7} ", BEST if best else Style())
            room = max(0, width - 14)
            shown_text.append_text(bar(item.value.pov(0).seeds, room)).append("\n")
        return shown_text.append("\n").append_text(end)
