"""Looking back on a game: the curve, and at every move what would have been better."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from awale.draw.marks import last_move
from awale.game import Game
from awale.i18n import text
from awale.tui.analysis_pane import decimal, shown
from awale.tui.analysis_thread import Thinker
from awale.tui.board import BoardWidget, View
from awale.tui.compiling import Notice
from awale.tui.value_chart import curve

if TYPE_CHECKING:
    from awale.search.analysis import Analysis

SECONDS = 0.4
"""So long the engine looks at every position."""
HEIGHT = 7
MISTAKE = 2.0
"""Seeds lost by a move that is called a mistake."""


class ReviewScreen(Screen[None]):
    """A game, position by position."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,w", "dismiss", show=False)]
    DEFAULT_CSS = f"""
    ReviewScreen #title {{ height: 1; text-style: bold; }}
    ReviewScreen #curve {{ height: {HEIGHT}; }}
    ReviewScreen #about {{ height: 3; padding: 0 1; }}
    ReviewScreen #keys {{ height: 1; }}
    """

    class Found(Message):
        def __init__(self, ply: int, analysis: Analysis) -> None:
            super().__init__()
            self.ply, self.analysis = ply, analysis

    class Failed(Message):
        def __init__(self, problem: str) -> None:
            super().__init__()
            self.problem = problem

    def __init__(self, game: Game, flip: bool, thinker: Thinker) -> None:
        super().__init__()
        self.whole, self.flip = game, flip
        self._steps: list[Game] = []
        step = game.copy()
        while step.moves:
            self._steps.append(step.copy())
            step.pop()
        self._steps.append(step)
        self._steps.reverse()
        self.at = len(self._steps) - 1
        self.found: dict[int, Analysis] = {}
        self._thinker = thinker
        self._problem = ""
        self._waiting = Notice()

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        yield BoardWidget(View(self.whole.rules, self.whole.board, self.flip))
        yield Static(id="about")
        yield Static(id="curve")
        yield Static(id="keys")

    def on_mount(self) -> None:
        self.query_one("#keys", Static).update(Text(" " + text("tui.review.keys"), Style(dim=True)))
        self._think()
        self._refresh_all()
        self.set_interval(1.0, self._still_waiting)

    def _still_waiting(self) -> None:
        if not self.found and self._waiting.compiling:
            self.query_one("#about", Static).update(self._about())

    def on_unmount(self) -> None:
        self._thinker.stop()

    def on_resize(self) -> None:
        self.call_after_refresh(self._refresh_all)

    # -- thinking ----------------------------------------------------------------------------------------------------

    def _think(self) -> None:
        """The next position that nothing is known about, beginning with the one looked at."""
        unknown = [ply for ply, game in enumerate(self._steps) if ply not in self.found and not game.over]
        if not unknown:
            return
        ply = min(unknown, key=lambda number: (number < self.at - 1, number))
        self._thinker.ask(
            self._steps[ply],
            SECONDS,
            lambda analysis: self._tell(ply, analysis),
            lambda problem: self._say(self.Failed(problem)),
        )

    def _tell(self, ply: int, analysis: Analysis) -> None:
        if analysis.final:
            self._say(self.Found(ply, analysis))

    def _say(self, message: Message) -> None:
        self.post_message(message)

    def on_review_screen_found(self, message: Found) -> None:
        self.found[message.ply] = message.analysis
        self._think()
        self._refresh_all()

    def on_review_screen_failed(self, message: Failed) -> None:
        self._problem = message.problem
        self._refresh_all()

    def lead(self, ply: int) -> float | None:
        """What South is ahead by, as far as is known."""
        game = self._steps[ply]
        if game.over:
            return float(game.scores[0] - game.scores[1])
        found = self.found.get(ply)
        if found is None:
            return None
        return found.value.pov(0).seeds

    def loss(self, ply: int) -> float | None:
        """What the move that led to a position lost against the best one."""
        before, after = (self.lead(ply - 1), self.lead(ply)) if ply else (None, None)
        if before is None or after is None:
            return None
        lost = before - after if self._steps[ply - 1].turn == 0 else after - before
        return max(0.0, lost)

    # -- showing -----------------------------------------------------------------------------------------------------

    def _refresh_all(self) -> None:
        if not self.is_mounted:
            return
        game = self._steps[self.at]
        mark = last_move(game)
        self.query_one(BoardWidget).show(
            View(game.rules, game.board, self.flip, played=None if mark is None else mark.origin)
        )
        scores = "-".join(map(str, game.scores))
        title = text("tui.review.title", at=self.at, moves=len(self._steps) - 1, scores=scores)
        self.query_one("#title", Static).update(Text(f" {title}", no_wrap=True))
        self.query_one("#about", Static).update(self._about())
        width = max(10, self.size.width - 7)
        leads = [self.lead(ply) for ply in range(len(self._steps))]
        self.query_one("#curve", Static).update(curve(leads, self.at, width, HEIGHT))

    def _about(self) -> Text:
        game = self._steps[self.at]
        lines = Text()
        if self.at:
            before = self._steps[self.at - 1]
            played = text("tui.review.played", player=before.player_name(before.turn), move=game.moves[-1])
            lines.append(played, Style(bold=True))
            known, lost = self.found.get(self.at - 1), self.loss(self.at)
            if known is not None and lost is not None and known.best != game.moves[-1] and lost >= 0.5:
                key = "mistake" if lost >= MISTAKE else "better"
                style = Style(color="bright_red") if lost >= MISTAKE else Style()
                lines.append(" " + text(f"tui.review.{key}", best=known.best, lost=decimal(lost)), style)
        lines.append("\n")
        outcome, now = game.outcome(), self.found.get(self.at)
        if outcome is not None:
            lines.append(outcome.sentence(coloured=game.rules.coloured))
        elif now is not None:
            line = " ".join(map(str, now.line[:10]))
            player = game.player_name(now.turn)
            lines.append(text("tui.review.value", player=player, value=shown(now.value), line=line))
        left = sum(1 for ply, step in enumerate(self._steps) if ply not in self.found and not step.over)
        if self._problem:
            lines.append("\n" + self._problem, Style(color="bright_red"))
        elif left:
            # The first of all may have to be compiled.
            waiting = self._waiting.sentence() if not self.found and self._waiting.compiling else ""
            lines.append("\n" + (waiting or text("tui.review.left", left=left)), Style(dim=True))
        return lines

    def on_key(self, event: events.Key) -> None:
        last = len(self._steps) - 1
        places = {
            "left": self.at - 1,
            "right": self.at + 1,
            "pageup": self.at - 10,
            "pagedown": self.at + 10,
            "home": 0,
            "end": last,
        }
        if event.key in places:
            event.stop()
            self.at = max(0, min(last, places[event.key]))
            self._refresh_all()
        elif event.character == "v":
            event.stop()
            self.flip = not self.flip
            self._refresh_all()
