"""The board with names, scores, clocks and sentences around it: shows a game and changes nothing."""

from __future__ import annotations

import asyncio
from functools import partial

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from awale import i18n
from awale.draw.marks import last_move
from awale.draw.text import caption
from awale.game import Game, Trace
from awale.i18n import text
from awale.local import LocalGame
from awale.match import format_time
from awale.rules.moves import Move
from awale.rules.reference import Position
from awale.tui import preview
from awale.tui.analysis_pane import AnalysisPane
from awale.tui.analysis_thread import Analyser
from awale.tui.board import BoardWidget, View
from awale.tui.compiling import Notice
from awale.tui.move_entry import MoveEntry
from awale.tui.player_line import NEWS, QUIET, SideLine
from awale.tui.sowing_frames import Frame, show_frames

NARROW, LISTED, WIDE = 80, 100, 110
"""Columns: below the first the analysis is under the board; from the second on the moves are listed, from the third on
the analysis is wide."""


class GameView(Vertical):
    """A game, and what is being entered."""

    DEFAULT_CSS = """
    GameView #title { height: 1; text-style: bold; }
    GameView #middle { height: 1fr; }
    GameView #middle.narrow { layout: vertical; }
    GameView #moves { width: 18; height: 1fr; border-left: solid ansi_bright_black; padding: 0 1; display: none; }
    GameView #moves.shown { display: block; }
    GameView #say { height: 3; padding: 0 1; link-style: none; }
    """

    def __init__(self, local: LocalGame, entry: MoveEntry, analyser: Analyser) -> None:
        super().__init__()
        self.local, self.entry = local, entry
        self.pane = AnalysisPane(analyser)
        self.news = Text()
        """The line about what has just happened."""
        self.waiting = ""
        """The line about what a program is doing."""
        self.confirming = False
        """Whether the person is asked if they mean to resign."""
        self.preparing: Notice | None = None
        self.sowing: asyncio.Event | None = None
        """While a sowing is shown; set, it skips to the end."""
        self._previews: dict[tuple[int, Move], Trace] = {}

    @property
    def game(self) -> Game:
        return self.local.game

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        with Horizontal(id="middle"):
            with Vertical():
                yield SideLine(id="top")
                yield BoardWidget(View(self.game.rules, self.game.board), id="board")
                yield SideLine(id="bottom")
            yield Static(id="moves")
            yield self.pane
        yield Static(id="say")

    def fit(self, width: int) -> None:
        """Arrange the parts for a terminal of this width: the analysis beside the board or below it, and the list of
        moves where it leaves the board its room."""
        narrow = width < NARROW
        self.query_one("#middle").set_class(narrow, "narrow")
        self.pane.set_class(narrow, "below")
        self.pane.set_class(width >= WIDE, "wide")
        beside = (40 if width >= WIDE else 28) if self.pane.is_open else 0
        self.query_one("#moves").set_class(width - beside >= LISTED, "shown")

    def show(self) -> None:
        """Show everything; while a sowing is shown, not the board."""
        self.show_title()
        self.show_sides(self.game.scores)
        self._show_moves()
        if self.sowing is None:
            self._show_board()
            self._show_sentences()

    def show_title(self) -> None:
        rules, clock = self.game.rules, self.local.match.clock
        heading = Text(f" awalé · {rules.title.get(i18n.language()) or rules.name}", no_wrap=True, overflow="ellipsis")
        if clock is not None:
            heading.append(f" · {clock.control}")
        if self.preparing is not None:
            key = "compiling" if self.preparing.compiling else "preparing"
            heading.append(f" · {text(f'tui.say.{key}')}", QUIET)
        self.query_one("#title", Static).update(heading)

    def _show_moves(self) -> None:
        """List the moves in pairs, the latest ones where there is no room for all."""
        moves = list(map(str, self.game.moves))
        pairs = [moves[at : at + 2] for at in range(0, len(moves), 2)]
        lines = [f"{number:>3}. {' '.join(f'{move:<4}' for move in pair)}" for number, pair in enumerate(pairs, 1)]
        place = self.query_one("#moves", Static)
        room = max(1, place.content_size.height - 1)
        title = Text(text("tui.moves.title") + "\n", Style(bold=True))
        place.update(title.append("\n".join(lines[-room:])))

    def show_sides(self, scores: tuple[int, int]) -> None:
        match, now = self.local.match, self.local.now()
        bottom = 1 if self.local.flip else 0
        for place, side in (("#bottom", bottom), ("#top", 1 - bottom)):
            seat, clock = match.seats[side], match.clock
            name = text("tui.person") if seat.person else seat.name
            used = int(match.time_used(side, now))
            time = f"{used // 60}:{used % 60:02}" if clock is None else format_time(clock.remaining(side, now))
            self.query_one(place, SideLine).show(
                f"{self.game.player_name(side)} ({name})",
                scores[side],
                time,
                to_move=not match.over and match.turn == side and self.sowing is None,
                hurry=clock is not None and clock.running == side and clock.remaining(side, now) < 10,
            )

    def _show_board(self) -> None:
        asked, trace = self.local.person_may_move, self._preview()
        self.query_one(BoardWidget).show(preview.board(self.game, self.entry, trace, flip=self.local.flip, asked=asked))

    def _preview(self) -> Trace | None:
        """Return what the move under the cursor or the mouse would do."""
        move = self.entry.previewed(self.game) if self.local.person_may_move else None
        if move is None:
            return None
        key = (self.local.serial, move)
        if key not in self._previews:
            self._previews = {key: self.game.trace(move)}
        return self._previews[key]

    def _show_sentences(self) -> None:
        first = Text(caption(self.game, last_move(self.game)), Style(bold=True), no_wrap=True, overflow="ellipsis")
        self.query_one("#say", Static).update(Text("\n").join([first, self._second_line(), self.news]))

    def _second_line(self) -> Text:
        game, match = self.game, self.local.match
        if self.confirming:
            return Text(text("tui.say.confirm-resign", player=game.player_name(self.local.person_side)), NEWS)
        if match.offer is not None and self.local.person_asked:
            by, scores = match.offer.by, "-".join(map(str, game.scores))
            names = {"offerer": game.player_name(by), "player": game.player_name(1 - by)}
            return Text(text("tui.say.answer", **names, scores=scores), NEWS)
        if self.waiting:
            return Text(self.waiting, QUIET)
        if self.local.paused and not game.over:
            return Text(text("tui.say.paused"), QUIET)
        if match.persons == 0 and not game.over:
            return Text(text("tui.say.watching"), QUIET)
        return preview.line(game, self.entry, self._preview())

    async def sow(self, before: Position, trace: Trace, pause: float, skip: asyncio.Event) -> None:
        """Show a sowing seed by seed, until its end or until it is skipped."""
        show = partial(self._show_frame, before, trace)
        await show_frames(self.game.rules, before.board, trace, pause, skip, show)

    def _show_frame(self, before: Position, trace: Trace, frame: Frame) -> None:
        played = trace.move.pit
        view = View(self.game.rules, frame.board, self.local.flip, played=played, hot=frame.pit)
        self.query_one(BoardWidget).show(view)
        scores = list(before.scores)
        scores[trace.mover] += frame.taken
        self.show_sides((scores[0], scores[1]))
        self.query_one("#say", Static).update(preview.sowing(self.game, trace, frame))
