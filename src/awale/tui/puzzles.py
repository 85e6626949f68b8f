"""The screen of puzzles: turns keys into attempts, and shows refutations, hints and explanations on the board."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from rich.style import Style
from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from awale import i18n
from awale.errors import AwaleError
from awale.game import Game, Trace
from awale.i18n import text
from awale.local.profile import own_name
from awale.rules import Rules
from awale.rules.moves import Move, pit_names
from awale.training import PRESETS, Right, Session, Solved, Wrong, goal_sentence, puzzles
from awale.tui import preview
from awale.tui.board import BoardWidget, View
from awale.tui.dialogs import ReadScreen
from awale.tui.help_text import HEADING, key_table
from awale.tui.keys import PUZZLE_COMMANDS, KeyLine
from awale.tui.move_entry import Entered, MoveEntry
from awale.tui.player_line import NEWS, QUIET, REFUSED, SideLine
from awale.tui.sowing_frames import Frame, show_frames

if TYPE_CHECKING:
    from awale.tui.app import TerminalApp

EXPLAINED = 100
"""Columns from which on the explanation is beside the board."""


def own_session(rules: Rules) -> Session:
    """Return the shipped puzzles of some rules for the person at this terminal; raise AwaleError if there are none."""
    found = puzzles(rules)
    if not found:
        raise AwaleError(text("puzzles.bad.none", rules=rules.name, known=", ".join(PRESETS)))
    return Session(found, own_name() or "")


class PuzzleScreen(Screen[None]):
    """Puzzles one after the other."""

    DEFAULT_CSS = """
    PuzzleScreen #title { height: 1; text-style: bold; }
    PuzzleScreen #middle { height: 1fr; }
    PuzzleScreen #why { width: 44; height: 1fr; border-left: solid ansi_bright_black; padding: 0 1; display: none; }
    PuzzleScreen #why.shown { display: block; }
    PuzzleScreen #say { height: 4; padding: 0 1; link-style: none; }
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        first = session.next()
        assert first is not None, "a session has at least one puzzle"
        self.session, self.solve = session, first
        self.entry = MoveEntry()
        self.flip = first.side == 1
        self.news = Text()
        self.refuted: Game | None = None
        """The position after a wrong move and the answers to it, until the next key."""
        self.sowing: asyncio.Event | None = None
        """While moves are shown; set, it skips to their end."""

    @property
    def terminal(self) -> TerminalApp:
        return cast("TerminalApp", self.app)

    @property
    def game(self) -> Game:
        return self.solve.game if self.refuted is None else self.refuted

    @property
    def _asked(self) -> bool:
        """Whether a move is asked for."""
        return not self.solve.done and self.refuted is None and self.sowing is None

    def compose(self) -> ComposeResult:
        yield Static(id="title")
        with Horizontal(id="middle"):
            with Vertical():
                yield SideLine(id="top")
                yield BoardWidget(View(self.game.rules, self.game.board))
                yield SideLine(id="bottom")
            yield Static(id="why")
        yield Static(id="say")
        yield KeyLine(PUZZLE_COMMANDS)

    def on_mount(self) -> None:
        self.entry.restart(self.solve.game)
        self._show()

    def on_resize(self, _: events.Resize) -> None:
        self.call_after_refresh(self._show)

    # -- showing -----------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        if not self.is_mounted:
            return
        puzzle, game = self.solve.puzzle, self.game
        rules = game.rules
        name = rules.title.get(i18n.language()) or rules.name
        ratings = {"rating": puzzle.rating, "yours": round(self.session.progress.strength.rating)}
        title = f" {text('tui.puzzles.heading', id=puzzle.id, **ratings)} · {name}"
        self.query_one("#title", Static).update(Text(title, no_wrap=True, overflow="ellipsis"))
        why = self.query_one("#why", Static)
        why.set_class(self.solve.done and self.size.width >= EXPLAINED, "shown")
        if self.solve.done:
            why.update(self._explanation())
        self.query_one(KeyLine).offer(self._commands())
        if self.sowing is not None:
            return
        self._show_sides(game.scores)
        trace = self._previewed()
        self.query_one(BoardWidget).show(preview.board(game, self.entry, trace, flip=self.flip, asked=self._asked))
        first = Text(f"{goal_sentence(puzzle)}.", Style(bold=True))
        second = preview.line(game, self.entry, trace) if self._asked else Text(self._what_now(), QUIET)
        self.query_one("#say", Static).update(Text("\n").join([first, second, self.news]))

    def _what_now(self) -> str:
        if self.refuted is not None:
            return text("tui.puzzles.any-key")
        return text("tui.puzzles.done" if self.session.waiting else "tui.puzzles.last")

    def _previewed(self) -> Trace | None:
        move = self.entry.previewed(self.solve.game) if self._asked else None
        return None if move is None else self.solve.game.trace(move)

    def _show_sides(self, scores: tuple[int, int]) -> None:
        game, bottom = self.game, 1 if self.flip else 0
        for place, side in (("#bottom", bottom), ("#top", 1 - bottom)):
            name = game.player_name(side)
            if side == self.solve.side:
                name += f" ({text('tui.puzzles.you')})"
            to_move = not game.over and game.turn == side and self.sowing is None
            self.query_one(place, SideLine).show(name, scores[side], "", to_move=to_move, hurry=False)

    def _commands(self) -> list[str]:
        """Return the commands that do something now, for the line of keys."""
        now = ["explain"] if self.solve.done else ["hint", "solution"]
        if self.session.waiting:
            now.append("next")
        return ["help", *now, "flip", "copy", "quit"]

    def _explanation(self) -> Text:
        heading = Text(text("tui.puzzles.explanation") + "\n\n", HEADING)
        return heading.append("\n".join(self.solve.explanation()))

    # -- moves on the board ------------------------------------------------------------------------------------------

    def _play_out(self, before: Game, moves: Sequence[Move]) -> None:
        """Show moves one after the other, then the position reached."""
        pause = self.terminal.settings.pause
        self.entry.restart(self.solve.game)
        if pause and moves:
            self.sowing = asyncio.Event()
            self.run_worker(self._sow(before.copy(), moves, pause, self.sowing), exclusive=True)
        self._show()

    async def _sow(self, game: Game, moves: Sequence[Move], pause: float, skip: asyncio.Event) -> None:
        for move in moves:
            trace = game.trace(move)
            await show_frames(
                game.rules, game.board, trace, pause, skip, partial(self._show_frame, game, game.scores, trace)
            )
            game.push(move)
        if self.sowing is skip:
            self._skip()

    def _show_frame(self, game: Game, before: tuple[int, int], trace: Trace, frame: Frame) -> None:
        self.query_one(BoardWidget).show(View(game.rules, frame.board, self.flip, played=trace.move.pit, hot=frame.pit))
        scores = list(before)
        scores[trace.mover] += frame.taken
        self._show_sides((scores[0], scores[1]))
        self.query_one("#say", Static).update(preview.sowing(game, trace, frame))

    def _skip(self) -> None:
        """Show the position after the moves at once."""
        if self.sowing is not None:
            self.sowing.set()
            self.sowing = None
            self._show()

    def _try(self, move: Move) -> None:
        before = self.solve.game.copy()
        match self.solve.play(move):
            case Wrong() as wrong:
                self.refuted = before.copy()
                for step in (wrong.move, *wrong.refutation):
                    self.refuted.push(step)
                self.news = Text(f"{wrong.sentence()} {text('puzzles.say.again')}", REFUSED)
                self._play_out(before, (wrong.move, *wrong.refutation))
            case Right() as right:
                replies = " ".join(map(str, right.replies)) or "-"
                self.news = Text(text("puzzles.say.right", replies=replies), NEWS)
                self._play_out(before, (right.move, *right.replies))
            case Solved() as solved:
                self._end(text("puzzles.say.solved-first" if solved.first_try else "puzzles.say.solved"))
                self._play_out(before, (solved.move,))

    def _end(self, said: str) -> None:
        """Count the attempt, and say what it did."""
        self.news = Text(said, NEWS)
        try:
            counted = self.session.count(self.solve)
        except AwaleError as error:
            self.news.append(f" {error}", REFUSED)
            return
        self.news.append(f" {text('puzzles.say.counted') if counted is None else counted.sentence()}")

    # -- keys and mouse ----------------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        key, character = event.key, event.character or ""
        if key == "ctrl+c":
            return
        event.stop()
        for shown, end in ((self.sowing, self._skip), (self.refuted, self._take_back)):
            if shown is not None:
                end()
                if key in ("space", "enter"):
                    return
        if self._asked:
            self._entered(self.entry.press(self.solve.game, key, character.lower(), flip=self.flip), key, character)
        elif key == "enter":
            self.action_command("next")
        else:
            self._command(key, character)

    def _take_back(self) -> None:
        """Go back to the puzzle after a refutation."""
        if self.refuted is None:
            return
        self.refuted, self.news = None, Text()
        self.entry.restart(self.solve.game)
        self._show()

    def _entered(self, entered: Entered, key: str = "", character: str = "") -> None:
        if isinstance(entered, Move):
            self._try(entered)
        elif isinstance(entered, str):
            self.news = Text(text("play.say.refused", reason=entered), REFUSED)
            self._show()
        elif entered:
            self.news = Text()
            self._show()
        else:
            self._command(key, character)

    def _command(self, key: str, character: str) -> None:
        name = "quit" if key == "escape" else PUZZLE_COMMANDS.get(character)
        if name is not None:
            self.action_command(name)

    def action_command(self, name: str) -> None:
        """Carry out a command by its name, from the keyboard or the line of keys."""
        self._skip()
        self._take_back()
        getattr(self, f"_do_{name}")()

    def action_colour(self, number: int) -> None:
        if self.entry.choice is not None:
            self._entered(self.entry.choice.moves[number])

    @on(BoardWidget.Chosen)
    def _pit_chosen(self, message: BoardWidget.Chosen) -> None:
        if self._asked:
            self.entry.choice = None
            self._entered(self.entry.choose(self.solve.game, message.pit))
        elif self.sowing is not None:
            self._skip()
        else:
            self._take_back()

    @on(BoardWidget.Pointed)
    def _pit_pointed(self, message: BoardWidget.Pointed) -> None:
        self.entry.pointed = message.pit
        self._show()

    # -- commands ----------------------------------------------------------------------------------------------------

    def _do_help(self) -> None:
        rules, side = self.game.rules, self.solve.side
        page = Text(text("tui.puzzles.title") + "\n", HEADING)
        key = "move-coloured" if rules.coloured else "move"
        page.append(f"{text('tui.puzzles.help')}\n\n{text(f'tui.help.{key}', pits=pit_names(rules, side))}\n\n")
        page.append(text("tui.help.keys") + "\n", HEADING).append(key_table(PUZZLE_COMMANDS, "tui.puzzles.key"))
        self.app.push_screen(ReadScreen(page.append("\n" + text("tui.help.close"), Style(dim=True))))

    def _do_hint(self) -> None:
        if not self.solve.done:
            hint = self.solve.hint()
            if hint.move is not None:
                self.entry.restart(self.solve.game)
                self.entry.cursor = hint.move.pit
            self.news = Text(hint.sentence(), NEWS)
            self._show()

    def _do_solution(self) -> None:
        if not self.solve.done:
            before = self.solve.game.copy()
            rest = self.solve.give_up()
            self._end(text("puzzles.say.solution", line=" ".join(map(str, rest))))
            self._play_out(before, rest)

    def _do_explain(self) -> None:
        if self.solve.done:
            page = self._explanation().append("\n\n" + text("tui.help.close"), Style(dim=True))
            self.app.push_screen(ReadScreen(page))

    def _do_next(self) -> None:
        try:
            if not self.solve.done:
                self.session.count(self.solve)
            solve = self.session.next()
        except AwaleError as error:
            self.news = Text(str(error), REFUSED)
            return self._show()
        if solve is None:
            self.news = Text(text("puzzles.say.no-more"), NEWS)
        else:
            self.solve, self.flip, self.news = solve, solve.side == 1, Text()
            self.entry.cursor = None
            self.entry.restart(solve.game)
        self._show()

    def _do_flip(self) -> None:
        self.flip = not self.flip
        self._show()

    def _do_copy(self) -> None:
        self.app.copy_to_clipboard(self.game.position)
        self.news = Text(text("tui.say.copied", position=self.game.position), NEWS)
        self._show()

    def _do_quit(self) -> None:
        """Go back to what was shown before, or leave."""
        try:
            if not self.solve.done:
                self.session.count(self.solve)
        except AwaleError as error:
            # Said once; leaving again leaves.
            if str(error) != self.news.plain:
                self.news = Text(str(error), REFUSED)
                return self._show()
        if len(self.app.screen_stack) > 2:
            self.dismiss()
        else:
            self.app.exit()
