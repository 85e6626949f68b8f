"""The screen of a game: turns keys into actions on the match, lets programs decide, and shows what happens."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.screen import Screen

from awale import i18n
from awale.errors import AwaleError
from awale.game import Game, Trace
from awale.i18n import text
from awale.local import Action, LocalGame, sentences
from awale.local.seats import instant
from awale.match import Match, MatchError, Moved
from awale.rules.moves import Move
from awale.rules.reference import Position
from awale.tui import help_text
from awale.tui.analysis_pane import AnalysisPane
from awale.tui.board import BoardWidget
from awale.tui.compiling import Notice
from awale.tui.dialogs import AskScreen, ReadScreen
from awale.tui.game_view import GameView
from awale.tui.keys import COMMANDS, KeyLine
from awale.tui.move_entry import Entered, MoveEntry
from awale.tui.new_game import NewGameScreen
from awale.tui.player_line import NEWS, REFUSED
from awale.tui.review import ReviewScreen
from awale.tui.stored_games import StoredGamesScreen

if TYPE_CHECKING:
    from awale.tui.app import AwaleApp

T = TypeVar("T")
TICK = 0.2
"""Seconds between two updates of the clocks."""


class GameScreen(Screen[None]):
    """A game being played."""

    def __init__(self, local: LocalGame, *, ask: bool = False) -> None:
        """`ask`: begin with the new-game screen."""
        super().__init__()
        self.local = local
        self.entry = MoveEntry()
        self._ask = ask
        self._written: set[Path] = set()

    @property
    def awale(self) -> AwaleApp:
        return cast("AwaleApp", self.app)

    @property
    def match(self) -> Match:
        return self.local.match

    @property
    def game(self) -> Game:
        return self.local.game

    @property
    def view(self) -> GameView:
        return self.query_one(GameView)

    @property
    def pane(self) -> AnalysisPane:
        return self.view.pane

    def compose(self) -> ComposeResult:
        yield GameView(self.local, self.entry, self.awale.analyser())
        yield KeyLine(COMMANDS)

    def on_resize(self, event: events.Resize) -> None:
        self.view.fit(event.size.width)
        self.call_after_refresh(self.show)

    def on_mount(self) -> None:
        self.set_interval(TICK, self._tick)
        if self.match.persons == 2 and not self.game.moves:
            self._say("play.say.alone", who="engine:3")
        self._changed()
        # Loading an engine keeps the processor busy: the board comes first.
        self.call_after_refresh(self._prepare)
        if self._ask:
            self.app.push_screen(NewGameScreen(self.game.rules.name, clock=self._clock_text()), self._begin)

    # -- the match ---------------------------------------------------------------------------------------------------

    def _do(self, action: Action, *, animate: bool = True) -> bool:
        """Do something to the match and show what happened; return whether it could be done."""
        before = self.game.state
        try:
            happened = self.local.do(action)
        except AwaleError as error:
            self._refuse(error)
            return False
        said = " ".join(sentences.of_events(self.match, happened))
        self.view.news = Text(said, REFUSED if self.match.fault else NEWS)
        first = happened[0] if happened else None
        if animate and isinstance(first, Moved) and self.awale.settings.pause:
            self.view.sowing, self.view.waiting = asyncio.Event(), ""
            self.entry.restart(self.game)
            self.run_worker(self._sow(before, first.trace, self.view.sowing), exclusive=True)
        else:
            self._changed()
        return True

    def _changed(self) -> None:
        """Show another state of the match, and let a program decide if it is asked."""
        view, local = self.view, self.local
        view.waiting, view.confirming = "", view.confirming and not self.match.over
        if self.match.person_to_move:
            self.entry.restart(self.game)
        local.store(lambda: self.call_later(self._stored, local))
        self._tell_problem()
        self._update_clock()
        self._ask_program()
        self.pane.look_at(self.game)
        self.show()

    def _ask_program(self) -> None:
        question = self.local.question()
        if question is None:
            return
        name, seat = self.game.player_name(question.side), self.match.seats[question.side]
        if question.about_offer:
            self.view.waiting = text("tui.say.thinks-it-over", player=name)
        elif not instant(seat):
            self.view.waiting = text("play.say.thinking", player=name, who=seat.name)
        self._in_background(question.ask, self._do)

    def _in_background(self, work: Callable[[], T], done: Callable[[T], object]) -> None:
        """Work in a thread; `done` is called here unless the match has changed. A daemon thread delays no exit."""
        local, serial = self.local, self.local.serial

        def finish(call: Callable[[], object]) -> None:
            if local is self.local and serial == local.serial:
                self.view.waiting = ""
                call()

        def run() -> None:
            with local.thinking:
                if serial != local.serial:
                    return
                try:
                    result = work()
                except AwaleError as error:
                    problem = error
                    self.call_later(finish, lambda: self._refuse(problem))
                    return
            self.call_later(finish, lambda: done(result))

        threading.Thread(target=run, daemon=True).start()

    def _prepare(self) -> None:
        """Let the programs get ready while the board is shown."""
        local = self.local
        if all(seat.person or instant(seat) for seat in self.match.seats):
            return
        self.view.preparing = Notice()
        self._update_clock()
        self.show()

        def run() -> None:
            # What fails here fails again when the program has to move, and loses the match then.
            with local.thinking, contextlib.suppress(Exception):
                local.prepare()
            self.call_later(self._prepared, local)

        threading.Thread(target=run, daemon=True).start()

    def _prepared(self, local: LocalGame) -> None:
        if local is self.local:
            self.view.preparing = None
            self._update_clock()
            self.show()

    def _stored(self, local: LocalGame) -> None:
        local.settle()
        if local is self.local and local.problem:
            self._tell_problem()
            self.show()

    def _start(self, local: LocalGame) -> None:
        """Play another game on this screen."""
        self.local = self.view.local = self.awale.local = local
        self.entry.cursor, self.view.news, self.view.preparing = None, Text(), None
        self._changed()
        self._prepare()

    # -- time --------------------------------------------------------------------------------------------------------

    def _update_clock(self) -> None:
        """Let the time of the side to move run, unless something else is shown or a program is being compiled."""
        stands = self.view.sowing is not None or self.local.paused
        compiling = self.view.preparing is not None and not self.match.person_to_move
        self.local.run_clock(not stands and not compiling)

    def _tick(self) -> None:
        if self.match.over or self.view.sowing is not None or not self.is_attached:
            return
        if self.match.flag_in(self.local.now()) == 0:
            self._do(self.match.check_flag)
            return
        self.view.show_sides(self.game.scores)
        if self.view.preparing is not None:
            self.view.show_title()

    # -- showing -----------------------------------------------------------------------------------------------------

    def show(self) -> None:
        if self.is_attached:
            self.view.show()
            self.query_one(KeyLine).offer(self._commands())

    def _commands(self) -> list[str]:
        """Return the commands that do something now, for the line of keys."""
        game, match = self.game, self.match
        offered = ["help", "quit", "new", "analysis"]
        if game.moves:
            offered.append("undo")
        if match.can_redo:
            offered.append("redo")
        if match.person_to_move:
            offered += ["hint", "offer"]
        if match.persons and not game.over:
            offered.append("resign")
        if game.over:
            offered.insert(2, "review")
        offered += ["flip", "save", "open", "copy", "games", "puzzles"]
        return offered if game.over or not game.moves else [*offered, "review"]

    def _say(self, key: str, **values: object) -> None:
        self.view.news = Text(text(key, **values), NEWS)
        self.show()

    def _refuse(self, reason: object) -> None:
        sentence = str(reason) if isinstance(reason, MatchError) else text("play.say.refused", reason=reason)
        self.view.news = Text(sentence, REFUSED)
        self.show()

    def _refuse_now(self) -> None:
        """Say why a person cannot do that now."""
        code = "over" if self.match.over else "offer-open" if self.match.offer is not None else "turn"
        self._refuse(MatchError(code))

    def _tell_problem(self) -> None:
        if problem := self.local.take_problem():
            self.view.news = Text(problem, REFUSED)

    async def _sow(self, before: Position, trace: Trace, skip: asyncio.Event) -> None:
        await self.view.sow(before, trace, self.awale.settings.pause, skip)
        if self.view.sowing is skip:
            self._skip()

    def _skip(self) -> None:
        """Show the end of a sowing at once."""
        if self.view.sowing is not None:
            self.view.sowing.set()
            self.view.sowing = None
            self._changed()

    # -- keys and mouse ----------------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        key, character = event.key, event.character or ""
        if key == "ctrl+c":
            return
        event.stop()
        if self.view.sowing is not None:
            if key in ("space", "enter"):
                # Between two moves of quick programs there is hardly a moment to pause them.
                return self._skip() if self.match.persons else self._pause()
            self._skip()
        answer = {"y": True, "o": True, "n": False}.get(character.lower())
        if self.view.confirming:
            self._confirm(answer)
        elif self.local.person_asked and answer is not None:
            self._answer(answer)
        elif self.local.person_may_move:
            self._entered(self.entry.press(self.game, key, character.lower(), flip=self.local.flip), character)
        elif key in ("enter", "space") and (self.match.persons == 0 or self.local.paused):
            self._pause()
        elif self.entry.takes(self.game, character):
            self._refuse_now()
        elif character in COMMANDS:
            self.action_command(COMMANDS[character])

    def _confirm(self, answer: bool | None) -> None:
        self.view.confirming = False
        if answer:
            self._do(lambda now: self.match.resign(self.local.person_side, now))
        else:
            self.show()

    def _answer(self, accept: bool) -> None:
        offer = self.match.offer
        assert offer is not None
        self._do(lambda now: self.match.answer(1 - offer.by, offer.id, accept=accept, now=now))

    def _entered(self, entered: Entered, character: str = "") -> None:
        if isinstance(entered, Move):
            self._do(lambda now: self.match.play(self.match.turn, entered, now))
        elif isinstance(entered, str):
            self._refuse(entered)
        elif entered:
            self.view.news = Text()
            self.show()
        elif character in COMMANDS:
            self.action_command(COMMANDS[character])

    def action_colour(self, number: int) -> None:
        if self.entry.choice is not None:
            self._entered(self.entry.choice.moves[number])

    @on(BoardWidget.Chosen)
    def _pit_chosen(self, message: BoardWidget.Chosen) -> None:
        self.view.confirming = False
        if self.view.sowing is not None:
            self._skip()
        elif self.local.person_may_move:
            self.entry.choice = None
            self._entered(self.entry.choose(self.game, message.pit))
        else:
            self._refuse_now()

    @on(BoardWidget.Pointed)
    def _pit_pointed(self, message: BoardWidget.Pointed) -> None:
        self.entry.pointed = message.pit
        self.show()

    # -- commands ----------------------------------------------------------------------------------------------------

    def action_command(self, name: str) -> None:
        """Carry out a command by its name, from the keyboard or the line of keys."""
        self._skip()
        self.view.news, self.view.confirming = Text(), False
        self.show()
        getattr(self, f"_do_{name}")()

    def _pause(self) -> None:
        """Pause the programs, or let them go on. A move that is being shown is shown to its end at once."""
        if not self.match.over:
            self.local.pause(not self.local.paused)
            self.view.news = Text() if self.local.paused else Text(text("tui.say.goes-on"), NEWS)
        if self.view.sowing is not None:
            self._skip()
        elif self.match.over:
            self._refuse_now()
        else:
            self._changed()

    def _do_help(self) -> None:
        turn = self.game.turn
        # While a program thinks, the person wants to know their own pits.
        reader = turn if self.match.persons == 0 or self.match.seats[turn].person else 1 - turn
        self.app.push_screen(ReadScreen(help_text.help_text(self.game, reader)))

    def _do_quit(self) -> None:
        self.app.exit()

    def _do_flip(self) -> None:
        self.local.flip = not self.local.flip
        self.show()

    def _do_undo(self) -> None:
        self._do(lambda now: self.match.undo(self.match.turn, now))

    def _do_redo(self) -> None:
        ply = self.match.ply
        if self._do(lambda now: self.match.redo(self.match.turn, now), animate=False):
            self._say("tui.say.redone", moves=" ".join(map(str, self.game.moves[ply:])))

    def _do_hint(self) -> None:
        if not self.local.person_may_move:
            return self._refuse_now()
        game = self.game.copy()
        self.view.waiting = text("play.say.wait")
        self._in_background(lambda: self.local.advice(game), self._show_hint)
        self.show()

    def _show_hint(self, move: Move) -> None:
        self.entry.cursor = move.pit
        self._say("play.say.hint", move=move)

    def _do_offer(self) -> None:
        if self.local.person_may_move:
            self._do(lambda now: self.match.offer_stop(self.match.turn, now))
        else:
            self._refuse_now()

    def _do_resign(self) -> None:
        if self.match.over or not self.match.persons:
            return self._refuse_now()
        self.view.confirming = True
        self.show()

    def _do_copy(self) -> None:
        self.app.copy_to_clipboard(self.game.position)
        self._say("tui.say.copied", position=self.game.position)

    def _do_save(self) -> None:
        name = f"{self.game.rules.name.partition(':')[0]}.ogn"
        self.app.push_screen(AskScreen(text("tui.ask.save"), name), self._save)

    def _save(self, name: str | None) -> None:
        if name is None:
            return
        path = Path(name).expanduser()
        if path.exists() and path.resolve() not in self._written:
            # The second request is the confirmation.
            self._written.add(path.resolve())
            return self._refuse(text("tui.say.exists", file=path))
        try:
            self.local.write(path)
        except OSError as error:
            return self._refuse(i18n.labelled(error.filename, i18n.system_problem(error)))
        self._written.add(path.resolve())
        self._say("play.say.saved", file=path)

    def _do_open(self) -> None:
        self.app.push_screen(AskScreen(text("tui.ask.open")), self._open)

    def _open(self, name: str | None) -> None:
        if name is None:
            return
        try:
            self._start(self.local.load(Path(name).expanduser()))
        except AwaleError as error:
            self._refuse(error)
        except OSError as error:
            self._refuse(i18n.labelled(error.filename, i18n.system_problem(error)))
        else:
            self._say("play.say.loaded", file=name)

    def _do_new(self) -> None:
        self.app.push_screen(NewGameScreen(self.game.rules.name, *self.local.names, self._clock_text()), self._begin)

    def _clock_text(self) -> str:
        return "" if self.match.clock is None else str(self.match.clock.control)

    def _begin(self, match: Match | None) -> None:
        if match is not None:
            self._start(self.local.play_instead(match))

    def _do_analysis(self) -> None:
        self.pane.toggle(self.game)
        self.view.fit(self.size.width)
        self.show()

    def _do_review(self) -> None:
        if not self.game.moves:
            return self._say("play.say.no-moves-yet")
        if self.match.persons == 0 and not self.match.over:
            self.local.pause(True)
            self._changed()
        self.app.push_screen(ReviewScreen(self.game.copy(), self.local.flip, self.awale.analyser()))

    def _do_puzzles(self) -> None:
        from awale.tui.puzzles import PuzzleScreen, own_session

        try:
            self.app.push_screen(PuzzleScreen(own_session(self.game.rules)))
        except AwaleError as error:
            self._refuse(error)

    def _do_games(self) -> None:
        self.app.push_screen(StoredGamesScreen())
