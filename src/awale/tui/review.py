"""The review of a game: a chart of the values, and the verdict on every move."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Static

from awale import i18n
from awale.draw.marks import last_move
from awale.game import Game
from awale.i18n import text
from awale.match.review import Mark, Review, Verdict
from awale.tui.analysis_pane import shown
from awale.tui.analysis_thread import Analyser
from awale.tui.board import BoardWidget, View
from awale.tui.compiling import Notice
from awale.tui.value_chart import curve

if TYPE_CHECKING:
    from awale.search.analysis import Analysis

SECONDS = 0.4
"""How long a position is analysed."""
HEIGHT = 7
NOTABLE = 0.5
"""Seeds lost from which a better move is shown."""
STYLES: dict[Mark, Style] = {
    "": Style(),
    "?!": Style(color="yellow"),
    "?": Style(color="bright_red"),
    "??": Style(bold=True, color="bright_red"),
}


class ReviewScreen(Screen[None]):
    """A game, position by position."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,w", "dismiss", show=False),
        Binding("left", "go(-1)", show=False),
        Binding("right", "go(1)", show=False),
        Binding("pageup", "go(-10)", show=False),
        Binding("pagedown", "go(10)", show=False),
        Binding("home", "go(-100000)", show=False),
        Binding("end", "go(100000)", show=False),
        Binding("n", "mistake(1)", show=False),
        Binding("p", "mistake(-1)", show=False),
        Binding("v", "flip", show=False),
    ]
    DEFAULT_CSS = f"""
    ReviewScreen #title {{ height: 1; text-style: bold; }}
    ReviewScreen #curve {{ height: {HEIGHT}; }}
    ReviewScreen #about {{ height: 3; padding: 0 1; }}
    ReviewScreen #keys {{ height: 1; }}
    """

    def __init__(self, game: Game, flip: bool, analyser: Analyser) -> None:
        super().__init__()
        self.whole, self.flip = game, flip
        step, steps = game.copy(), [game]
        while step.moves:
            step.pop()
            steps.append(step.copy())
        self._steps = steps[::-1]
        """The game before each of its moves, and at its end."""
        self.at = len(game.moves)
        self.found: dict[int, Analysis] = {}
        self.review = Review(game)
        self._analyser = analyser
        self._problem = ""
        self._waiting = Notice()

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        yield BoardWidget(View(self.whole.rules, self.whole.board, self.flip))
        yield Static(id="about")
        yield Static(id="curve")
        yield Static(id="keys")

    def on_mount(self) -> None:
        self.query_one("#keys", Static).update(Text(" " + text("tui.review.keys"), Style(dim=True), no_wrap=True))
        self._analyse_next()
        self.set_interval(1.0, self._still_waiting)

    def _still_waiting(self) -> None:
        if not self.found and self._waiting.compiling:
            self.query_one("#about", Static).update(self._about())

    def on_unmount(self) -> None:
        self._analyser.stop()

    def on_resize(self, _: events.Resize) -> None:
        self.call_after_refresh(self._show)

    # -- analysing ---------------------------------------------------------------------------------------------------

    @property
    def _unknown(self) -> list[int]:
        return [ply for ply, game in enumerate(self._steps) if ply not in self.found and not game.over]

    def _analyse_next(self) -> None:
        """Analyse another position, first those around the one shown."""
        if not self._unknown:
            return
        ply = min(self._unknown, key=lambda ply: (ply < self.at - 1, ply))

        def tell(analysis: Analysis) -> None:
            if analysis.final:
                self.call_later(self._add, ply, analysis)

        self._analyser.start(self._steps[ply], SECONDS, tell, lambda problem: self.call_later(self._fail, problem))

    def _add(self, ply: int, analysis: Analysis) -> None:
        self.found[ply] = analysis
        # Verdicts come in order; analyses do not.
        self.review = Review(self.whole)
        for known in sorted(self.found.keys() - {len(self.whole.moves)}):
            self.review.add(known, self.found[known])
        self._analyse_next()
        self._show()

    def _fail(self, problem: str) -> None:
        self._problem = problem
        self._show()

    def lead(self, ply: int) -> float | None:
        """Return South's lead, as far as it is known."""
        game, found = self._steps[ply], self.found.get(ply)
        if game.over:
            return float(game.scores[0] - game.scores[1])
        return None if found is None else found.value.pov(0).seeds

    # -- showing -----------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        if not self.is_mounted:
            return
        game = self._steps[self.at]
        mark = last_move(game)
        played = None if mark is None else mark.origin
        self.query_one(BoardWidget).show(View(game.rules, game.board, self.flip, played=played))
        self.query_one("#title", Static).update(Text(f" {self._title()}", no_wrap=True))
        self.query_one("#about", Static).update(self._about())
        leads = [self.lead(ply) for ply in range(len(self._steps))]
        chart = curve(leads, self.at, max(10, self.size.width - 7), HEIGHT)
        self.query_one("#curve", Static).update(chart)

    def _title(self) -> str:
        game = self._steps[self.at]
        scores = "-".join(map(str, game.scores))
        title = text("tui.review.title", at=self.at, moves=len(self.whole.moves), scores=scores)
        known = [
            f"{game.player_name(side)} {i18n.percent(percent / 100)}"
            for side, percent in enumerate(self.review.accuracy)
            if percent is not None
        ]
        return f"{title} · {text('tui.review.accuracy', players=', '.join(known))}" if known else title

    def _about(self) -> Text:
        game = self._steps[self.at]
        lines = Text()
        if self.at:
            before = self._steps[self.at - 1]
            verdict = next((verdict for verdict in self.review.verdicts if verdict.ply == self.at - 1), None)
            mark = "" if verdict is None else verdict.mark
            played = text("tui.review.played", player=before.player_name(before.turn), move=f"{game.moves[-1]}{mark}")
            lines.append(played, Style(bold=True))
            if verdict is not None and verdict.loss >= NOTABLE:
                lines.append(f" {_better(verdict)}", STYLES[verdict.mark])
        lines.append("\n")
        outcome, now = game.outcome(), self.found.get(self.at)
        if outcome is not None:
            lines.append(outcome.sentence(coloured=game.rules.coloured))
        elif now is not None:
            line = " ".join(map(str, now.line[:10]))
            lines.append(text("tui.review.value", player=game.player_name(now.turn), value=shown(now.value), line=line))
        if self._problem:
            lines.append(f"\n{self._problem}", STYLES["?"])
        elif unknown := len(self._unknown):
            compiling = not self.found and self._waiting.compiling
            note = self._waiting.sentence() if compiling else text("tui.review.left", left=unknown)
            lines.append(f"\n{note}", Style(dim=True))
        return lines

    # -- keys --------------------------------------------------------------------------------------------------------

    def action_go(self, plies: int) -> None:
        self.at = max(0, min(len(self.whole.moves), self.at + plies))
        self._show()

    def action_mistake(self, direction: int) -> None:
        """Go to the next or the previous mistake that is known."""
        plies = [verdict.ply + 1 for verdict in self.review.mistakes]
        ahead = [ply for ply in plies[::direction] if (ply - self.at) * direction > 0]
        self.at = ahead[0] if ahead else self.at
        self._show()

    def action_flip(self) -> None:
        self.flip = not self.flip
        self._show()


def _better(verdict: Verdict) -> str:
    key = {"?!": "inaccuracy", "?": "mistake", "??": "blunder"}.get(verdict.mark, "better")
    return text(f"tui.review.{key}", best=verdict.best, lost=i18n.decimal(verdict.loss))
