"""The board and what happens at it: whose turn it is, how a move is shown, who is asked what."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from awale import i18n
from awale.clock import reading
from awale.draw.marks import last_move
from awale.draw.text import caption
from awale.errors import AwaleError
from awale.game import Game, Trace
from awale.i18n import text
from awale.rules import moves as move_texts
from awale.rules.moves import Move
from awale.rules.reference import Board
from awale.tui.analysis_pane import AnalysisPane
from awale.tui.board import BoardWidget, View
from awale.tui.compiling import Notice
from awale.tui.keys import KeyLine
from awale.tui.lazy_player import LazyPlayer
from awale.tui.move_entry import Choice, Entry
from awale.tui.player_line import NEWS, QUIET, REFUSED, SideLine
from awale.tui.sowing_frames import Frame, film
from awale.tui.table import Table

if TYPE_CHECKING:
    from awale.tui.app import AwaleApp

TICK = 0.2
"""Seconds between two looks at the clock."""


class GameScreen(Screen[None]):
    """A game being played."""

    DEFAULT_CSS = """
    GameScreen #title { height: 1; text-style: bold; }
    GameScreen #middle { height: 1fr; }
    GameScreen #say { height: 3; padding: 0 1; link-style: none; }
    """

    class Decided(Message):
        """A computer has a move."""

        def __init__(self, era: int, move: Move) -> None:
            super().__init__()
            self.era, self.move = era, move

    class Answered(Message):
        """A computer answers an offer to stop."""

        def __init__(self, era: int, accepted: bool) -> None:
            super().__init__()
            self.era, self.accepted = era, accepted

    class Advised(Message):
        def __init__(self, era: int, move: Move) -> None:
            super().__init__()
            self.era, self.move = era, move

    class Prepared(Message):
        """The players of a table are ready."""

        def __init__(self, table: Table) -> None:
            super().__init__()
            self.table = table

    class Stored(Message):
        """The finished game of a table is in the store, or could not get there."""

        def __init__(self, table: Table) -> None:
            super().__init__()
            self.table = table

    class Failed(Message):
        """Somebody who was asked could not answer."""

        def __init__(self, era: int, problem: str) -> None:
            super().__init__()
            self.era, self.problem = era, problem

    def __init__(self, table: Table, *, ask: bool = False) -> None:
        super().__init__()
        self.table = table
        self._ask = ask
        self.era = 0
        """Grows with every change of the game: an answer to an older question is not heard any more."""
        self.paused = False
        self._cursor: int | None = None
        self._pointed: int | None = None
        self._entry = Entry()
        self._choice: Choice | None = None
        self._asked: int | None = None
        """The person who is asked whether to stop."""
        self._sowing: asyncio.Event | None = None
        """While a sowing is shown: set it to skip to the end."""
        self._news: Text = Text()
        self._ticked = 0.0
        self._previews: dict[tuple[int, Move], Trace | None] = {}
        self._written: set[Path] = set()
        self._waiting = ""
        self._preparing: Notice | None = None
        """While the players get ready."""
        self._laid_out = False

    @property
    def house_app(self) -> AwaleApp:
        return cast("AwaleApp", self.app)

    @property
    def game(self) -> Game:
        return self.table.game

    @property
    def pane(self) -> AnalysisPane:
        return self.query_one(AnalysisPane)

    def on_resize(self, event: events.Resize) -> None:
        self.pane.set_class(event.size.width >= 110, "wide")

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        with Horizontal(id="middle"):
            with Vertical():
                yield SideLine(id="top")
                yield BoardWidget(View(self.game.rules, self.game.board), id="board")
                yield SideLine(id="bottom")
            yield AnalysisPane(self.house_app.thinker())
        yield Static(id="say")
        yield KeyLine()

    def on_mount(self) -> None:
        # `is_mounted` comes only after this, and what is shown first must not wait for the next tick.
        self._laid_out = True
        self._ticked = self.house_app.settings.clock()
        self._wind_clock()
        self.set_interval(TICK, self._tick)
        if self.table.persons == 2 and not self.game.moves:
            self._say("alone", who="engine:3", section="play")
        self._changed()
        # Once the board is there: loading an engine keeps the processor busy.
        self.call_after_refresh(self.prepare)
        if self._ask:
            self.begin_anew()

    def prepare(self) -> None:
        """Let the players get ready while somebody looks at the board."""
        table, game = self.table, self.game.copy()
        waiting = [seat.player for seat in table.seats if isinstance(seat.player, LazyPlayer)]
        if not waiting:
            return
        self._preparing = Notice()
        self._show()

        def run() -> None:
            # What goes wrong here goes wrong again when the player is asked, and is told then.
            with table.thinking, contextlib.suppress(Exception):
                for player in waiting:
                    player.prepare(game)
            self.post_message(self.Prepared(table))

        threading.Thread(target=run, daemon=True).start()

    def on_game_screen_prepared(self, message: Prepared) -> None:
        if message.table is self.table:
            self._preparing = None
            self._run_clock()
            self._show()

    def on_game_screen_stored(self, message: Stored) -> None:
        message.table.settle()
        if message.table is self.table and self.table.trouble:
            self._tell_trouble()
            self._show()

    def begin_anew(self) -> None:
        """Ask which game comes next."""
        raise NotImplementedError

    # -- showing -----------------------------------------------------------------------------------------------------

    def _called(self, player: int) -> str:
        return self.game.player_name(player)

    def _say(self, key: str, *, style: Style = NEWS, section: str = "tui.say", **values: object) -> None:
        section = "play.say" if section == "play" else section
        self._news = Text(text(f"{section}.{key}", **values), style)

    def _refuse(self, reason: object) -> None:
        self._news = Text(text("play.say.refused", reason=reason), REFUSED)
        self._show()

    def _person_may(self) -> bool:
        return self.table.person_to_move and self._asked is None

    def _show(self, scores: tuple[int, int] | None = None) -> None:
        """Everything but the board while a sowing is shown."""
        if not self._laid_out or not self.is_attached:
            return
        self._show_title()
        self._show_sides(self.game.scores if scores is None else scores)
        if self._sowing is None:
            self._show_board()
            self._show_words()
        self.query_one(KeyLine).offer(self._commands())

    def _show_title(self) -> None:
        rules = self.game.rules
        title = rules.title.get(i18n.language()) or rules.name
        heading = Text(f" awalé · {title}", no_wrap=True, overflow="ellipsis")
        if self.table.clock is not None:
            heading.append(f" · {self.table.clock.text()}")
        if self._preparing is not None:
            key = "compiling" if self._preparing.compiling else "preparing"
            heading.append(f" · {text(f'tui.say.{key}')}", QUIET)
        self.query_one("#title", Static).update(heading)

    def _show_sides(self, scores: tuple[int, int]) -> None:
        bottom = 1 if self.table.flip else 0
        for place, player in (("#bottom", bottom), ("#top", 1 - bottom)):
            seat, clock = self.table.seats[player], self.table.clock
            who = text("tui.person") if seat.person else seat.name
            to_move = not self.game.over and self.game.turn == player and self._sowing is None
            used = int(self.table.used[player])
            time = f"{used // 60}:{used % 60:02}" if clock is None else reading(clock.remaining(player))
            hurry = clock is not None and clock.running == player and clock.remaining(player) < 10
            line = self.query_one(place, SideLine)
            line.show(f"{self._called(player)} ({who})", scores[player], time, to_move=to_move, hurry=hurry)

    def _show_board(self) -> None:
        game, mark = self.game, last_move(self.game)
        legal = frozenset(move.pit for move in game.legal_moves) if self._person_may() else frozenset()
        view = View(
            game.rules,
            game.board,
            self.table.flip,
            self._cursor if self._person_may() else None,
            legal,
            None if mark is None else mark.origin,
            None,
            self._marks(),
        )
        self.query_one(BoardWidget).show(view)

    def _previewed(self) -> Move | None:
        """The move whose landing is shown: the one pointed at, or the one the cursor is on."""
        if not self._person_may():
            return None
        if self._choice is not None:
            return self._choice.move
        pit = self._cursor if self._pointed is None else self._pointed
        return next((move for move in self.game.legal_moves if move.pit == pit), None)

    def _preview(self, move: Move) -> Trace | None:
        key = (self.era, move)
        if key not in self._previews:
            self._previews.clear()
            self._previews[key] = self.game.trace(move)
        return self._previews[key]

    def _marks(self) -> dict[int, str]:
        move = self._previewed()
        trace = None if move is None else self._preview(move)
        if trace is None or trace.period or (self.game.rules.coloured and self._choice is None):
            return {}
        marks: dict[int, str] = {}
        if trace.lap_count == 1:
            marks |= dict.fromkeys(trace.landings, "+")
        marks[trace.laps[-1].landings[-1]] = "◎"
        if not trace.spared:
            marks |= dict.fromkeys((pit for pit, _ in trace.captures), "×")
        return marks

    def _show_words(self) -> None:
        game = self.game
        first = Text(caption(game, last_move(game)), Style(bold=True), no_wrap=True, overflow="ellipsis")
        second = self._second_line()
        self.query_one("#say", Static).update(Text("\n").join([first, second, self._news]))

    def _second_line(self) -> Text:
        if self._asked is not None:
            offerer, scores = self._called(1 - self._asked), "-".join(map(str, self.game.scores))
            return Text(text("tui.say.answer", offerer=offerer, player=self._called(self._asked), scores=scores), NEWS)
        if self._waiting:
            return Text(self._waiting, QUIET)
        if self._choice is not None:
            line = Text(text("tui.say.colour", pit=move_texts.write(self.game.rules, self._choice.pit)) + " ")
            for number, move in enumerate(self._choice.moves):
                style = Style(reverse=number == self._choice.at, bold=True, meta={"@click": f"screen.colour({number})"})
                line.append(f" {move} ", style).append(" ")
            return line
        if self._entry.typed:
            return Text(text("tui.say.typed", typed=self._entry.typed.upper()))
        wanted = self._previewed()
        trace = None if wanted is None else self._preview(wanted)
        if trace is not None and len(colours := self._moves_of(trace.move.pit)) > 1:
            pit, wanted_ones = move_texts.write(self.game.rules, trace.move.pit), ", ".join(map(str, colours))
            return Text(text("tui.say.colours", pit=pit, moves=wanted_ones), QUIET)
        if trace is None:
            return Text(text("tui.say.watching"), QUIET) if self.table.persons == 0 and not self.game.over else Text()
        return Text(self._preview_sentence(trace), QUIET)

    def _preview_sentence(self, trace: Trace) -> str:
        if trace.period:
            return text("play.say.endless", move=trace.move, period=i18n.number(trace.period))
        end = move_texts.write(self.game.rules, trace.laps[-1].landings[-1])
        seeds = len(trace.laps[0].landings)
        key = "preview-laps" if trace.lap_count > 1 else "preview" if seeds > 1 else "preview-one"
        sentence = text(f"tui.say.{key}", move=trace.move, seeds=seeds, laps=i18n.number(trace.lap_count), end=end)
        if trace.spared:
            return f"{sentence} {text('play.say.spared', move=trace.move)}"
        return sentence + (text("tui.say.preview-takes", seeds=trace.taken) if trace.taken else "")

    def _commands(self) -> list[str]:
        """The commands that do something now, for the line of keys."""
        game, table = self.game, self.table
        offered = ["help", "quit", "new", "analysis"]
        if game.moves:
            offered.append("undo")
        if table.can_redo:
            offered.append("redo")
        if table.person_to_move:
            offered += ["hint", "offer", "resign"]
        if game.over:
            offered.insert(2, "review")
        offered += ["flip", "save", "open", "copy", "games"]
        return offered if game.over or not game.moves else [*offered, "review"]

    # -- what happens ------------------------------------------------------------------------------------------------

    def _tick(self) -> None:
        now = self.house_app.settings.clock()
        spent, self._ticked = now - self._ticked, now
        if self.game.over or self._sowing is not None or self.paused or self._asked is not None:
            return
        self.table.used[self.game.turn] += spent
        if self._flag_fell():
            return
        self._show_sides(self.game.scores)
        if self._preparing is not None:
            self._show_title()

    # -- clocks ------------------------------------------------------------------------------------------------------

    def _wind_clock(self) -> None:
        if self.table.clock is not None:
            self.table.clock.now = self.house_app.settings.clock

    def _run_clock(self) -> None:
        """The clock of whoever is to move runs, while he can: not while seeds are being sown before his eyes."""
        stands = self._sowing is not None or self.paused or self._asked is not None
        # Code that has to be compiled first is not the engine's fault.
        stands = stands or (self._preparing is not None and not self.table.person_to_move)
        self.table.run_clock(not stands)

    def _flag_fell(self) -> bool:
        """Whether somebody's time is up; the game is shown as over then."""
        if not self.table.flag_falls():
            return False
        self._news = Text()
        self._changed()
        return True

    # -- what happens next -------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        """The game is another one than before: show it, and let whoever is next do what he has to."""
        table = self.table
        self.era += 1
        self._entry, self._choice, self._pointed, self._asked, self._waiting = Entry(), None, None, None, ""
        self._place_cursor()
        self.table.store(lambda: self.post_message(self.Stored(table)))
        self._tell_trouble()
        self._go_on()
        self._run_clock()
        self.pane.look_at(self.game)
        self._show()

    def _tell_trouble(self) -> None:
        if self.table.trouble:
            self._news = Text(self.table.trouble, REFUSED)
            self.table.trouble = ""

    def _place_cursor(self) -> None:
        if self.table.person_to_move:
            pits = [move.pit for move in self.game.legal_moves]
            if self._cursor is None or self.game.rules.owner(self._cursor) != self.game.turn:
                self._cursor = pits[0]

    def _go_on(self) -> None:
        table, game = self.table, self.game
        if game.over or self.paused:
            return
        if game.end_offer is None and not table.person_to_move and table.computer_offers():
            game.offer_end(game.turn)
        if game.end_offer is not None:
            self._ask_other(1 - game.end_offer)
        elif not table.person_to_move:
            self._let_choose()

    def _ask_other(self, player: int) -> None:
        seat = self.table.seats[player]
        if seat.person:
            self._asked = player
            return
        self._waiting = text("tui.say.thinks-it-over", player=self._called(player))
        game = self.game.copy()
        self._in_background(lambda era: self.Answered(era, seat.accepts_end(game)))

    def _let_choose(self) -> None:
        seat = self.table.seats[self.game.turn]
        player, game = seat.player, self.game.copy()
        assert player is not None
        if not seat.instant:
            self._waiting = text("play.say.thinking", player=self._called(self.game.turn), who=seat.name)
        self._run_clock()
        table = self.table
        self._in_background(lambda era: self.Decided(era, player.choose(game, table.time()).move))

    def _in_background(self, work: Callable[[int], Message]) -> None:
        """Ask somebody without holding up the screen. The thread is a daemon: nobody who leaves has to wait for it."""
        era, table = self.era, self.table

        def run() -> None:
            with table.thinking:
                if era != self.era:
                    return
                try:
                    answer = work(era)
                except AwaleError as error:
                    answer = self.Failed(era, str(error))
                except Exception as error:  # an outside program, a machine without a compiler: say it and play on
                    answer = self.Failed(era, f"{type(error).__name__}: {error}")
            self.post_message(answer)

        threading.Thread(target=run, daemon=True).start()

    def on_game_screen_decided(self, message: Decided) -> None:
        if message.era == self.era:
            self._play(message.move)

    def on_game_screen_answered(self, message: Answered) -> None:
        if message.era == self.era:
            self._answer(message.accepted)

    def on_game_screen_advised(self, message: Advised) -> None:
        if message.era == self.era:
            self._waiting, self._cursor = "", message.move.pit
            self._say("hint", section="play", move=message.move)
            self._show()

    def on_game_screen_failed(self, message: Failed) -> None:
        if message.era == self.era:
            self._waiting = ""
            # Nothing goes on by itself now; the game can be taken back, saved, or begun anew with somebody else.
            self._refuse(message.problem)

    def _answer(self, accepted: bool) -> None:
        offer = self.game.end_offer
        assert offer is not None
        self.table.answer(accepted)
        self._say("accepted" if accepted else "declined", section="play", player=self._called(1 - offer))
        self._changed()

    # -- a move ------------------------------------------------------------------------------------------------------

    def _play(self, move: Move) -> None:
        """Play a legal move: it counts and is kept at once, and is shown from then on."""
        if self._flag_fell():
            return
        before, mover = self.game.state, self.game.turn
        trace = self.table.play(move)
        self._tell(trace, mover)
        pause = self.house_app.settings.pause
        self.era += 1
        if not pause:
            self._changed()
            return
        self._choice, self._entry, self._waiting = None, Entry(), ""
        self._sowing = asyncio.Event()
        self.run_worker(self._sow(before.board, before.scores, trace, mover, self._sowing), exclusive=True)

    def _tell(self, trace: Trace, mover: int) -> None:
        said = []
        if trace.period is not None:
            said.append(text("play.say.endless", move=trace.move, period=i18n.number(trace.period)))
        if trace.spared:
            said.append(text("play.say.spared", move=trace.move))
        for player in (0, 1):
            if trace.swept[player]:
                said.append(text("play.say.swept", player=self._called(player), seeds=trace.swept[player]))
        if trace.passed:
            said.append(text("play.say.passed", player=self._called(1 - mover)))
        self._news = Text(" ".join(said), NEWS)

    async def _sow(self, board: Board, scores: tuple[int, int], trace: Trace, mover: int, skip: asyncio.Event) -> None:
        widget = self.query_one(BoardWidget)
        words = self.query_one("#say", Static)
        for frame in film(self.game.rules, board, trace, self.house_app.settings.pause):
            if skip.is_set():  # between two frames: the end is on the board already
                return
            now = (scores[0] + frame.taken * (mover == 0), scores[1] + frame.taken * (mover == 1))
            widget.show(View(self.game.rules, frame.board, self.table.flip, played=trace.move.pit, hot=frame.pit))
            words.update(self._sowing_words(trace, frame, mover))
            self._show(now)
            try:
                await asyncio.wait_for(skip.wait(), frame.seconds)
                break
            except TimeoutError:
                continue
        if self._sowing is skip:
            self._sowing = None
            self._changed()

    def _sowing_words(self, trace: Trace, frame: Frame, mover: int) -> Text:
        first = Text(text("tui.say.plays", player=self._called(mover), move=trace.move), Style(bold=True))
        if not frame.lap:
            second = text("tui.say.takes", seeds=frame.taken)
        elif trace.lap_count > 1:
            laps = i18n.number(trace.lap_count)
            second = text("tui.say.lap", lap=frame.lap, laps=laps, hand=frame.hand)
        else:
            second = text("tui.say.hand", hand=frame.hand)
        return Text("\n").join([first, Text(second), Text(text("tui.say.skip"), QUIET)])

    def _skip(self) -> None:
        """Whatever is being shown is shown to its end at once."""
        if self._sowing is not None:
            self._sowing.set()
            self._sowing = None
            self._changed()

    def _moves_of(self, pit: int) -> tuple[Move, ...]:
        return tuple(move for move in self.game.legal_moves if move.pit == pit)

    def _choose(self, pit: int) -> None:
        """A person wants to play this pit."""
        if not self._person_may():
            return self._not_now()
        rules = self.game.rules
        moves = self._moves_of(pit)
        if rules.owner(pit) == self.game.turn:
            self._cursor = pit
        if not moves:
            named = move_texts.write(rules, pit) if rules.coloured else move_texts.make(rules, pit)
            self._refuse(self.game.why_illegal(named))
        elif len(moves) == 1:
            self._play(moves[0])
        else:
            self._choice = Choice(pit, moves)
            self._show()

    def _not_now(self) -> None:
        if self.game.over:
            self._say("over-already", section="play", style=REFUSED)
        elif self._asked is None:
            self._say("not-your-turn", style=REFUSED)
        self._show()

    def _entered(self, what: int | str | None) -> None:
        if isinstance(what, int):
            self._choose(what)
        elif what is not None:
            self._refuse(self.game.why_illegal(what))
        else:
            self._show()

    def action_colour(self, number: int) -> None:
        if self._choice is not None:
            self._play(self._choice.moves[number])

    def on_board_widget_chosen(self, message: BoardWidget.Chosen) -> None:
        if self._sowing is not None:
            return self._skip()
        self._choice = None
        self._choose(message.pit)

    def on_board_widget_pointed(self, message: BoardWidget.Pointed) -> None:
        self._pointed = message.pit
        if self._sowing is None:
            self._show()
