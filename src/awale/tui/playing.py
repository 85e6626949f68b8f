"""What a person can do at the board: the keys, and the commands behind them."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from rich.text import Text
from textual import events

from awale.clock import Clock
from awale.errors import AwaleError
from awale.i18n import text
from awale.rules import moves as move_texts
from awale.rules.moves import Colour
from awale.tui import help_text
from awale.tui.board import rows
from awale.tui.dialogs import AskScreen, ReadScreen
from awale.tui.game_screen import GameScreen
from awale.tui.keys import COMMANDS
from awale.tui.new_game import NewGameScreen
from awale.tui.player_line import REFUSED
from awale.tui.review import ReviewScreen
from awale.tui.stored_games import StoredGamesScreen
from awale.tui.table import Table


class PlayScreen(GameScreen):
    """A game being played."""

    # -- keys --------------------------------------------------------------------------------------------------------

    def on_key(self, event: events.Key) -> None:
        key, character = event.key, event.character or ""
        if key == "ctrl+c":
            return
        event.stop()
        if self._sowing is not None:
            if key in ("space", "enter"):
                # Who watches two computers wants to halt them, and between two moves there is hardly a moment for it.
                return self._skip() if self.table.persons else self._pause()
            self._skip()
        if self._asked is not None and character.lower() in ("y", "o", "n"):
            return self._answer(character.lower() != "n")
        if self._choice is not None and self._choice_key(key, character.lower()):
            return
        if self._entry.typed and self._entry_key(key, character.lower()):
            return
        if key in ("left", "right", "up", "down"):
            self._move_cursor(key)
        elif key in ("enter", "space"):
            if self.table.persons == 0:
                self._pause()
            elif self._cursor is not None and self._person_may():
                self._choose(self._cursor)
        elif self._entry.takes(self.game, character) and self._asked is None:
            if self._person_may():
                self._news = Text()
                self._entered(self._entry.add(self.game, character))
            else:
                self._not_now()
        elif character in COMMANDS:
            self.action_command(COMMANDS[character])

    def _choice_key(self, key: str, character: str) -> bool:
        assert self._choice is not None
        if key in ("left", "up", "right", "down"):
            self._choice.step(1 if key in ("right", "down") else -1)
        elif key in ("enter", "space"):
            self._play(self._choice.move)
            return True
        elif key == "escape":
            self._choice = None
        elif character in ("r", "b", "t"):
            colour = self._choice.letter(character)
            if colour is not None:
                move = move_texts.make(self.game.rules, self._choice.pit, cast(Colour, colour))
                reason = self.game.why_illegal(move)
                if reason is None:
                    self._play(move)
                else:
                    self._refuse(reason)
                return True
        else:
            self._choice = None
            return False
        self._show()
        return True

    def _entry_key(self, key: str, character: str) -> bool:
        """A key after the beginning of a number."""
        if key == "enter" or (self.game.rules.coloured and character in ("r", "b", "t") and character):
            self._entered(self._entry.finish(self.game))
            if self._choice is not None and character:
                self._choice_key(key, character)
        elif key == "backspace":
            self._entry.typed = self._entry.typed[:-1]
        elif key == "escape":
            self._entry.typed = ""
        else:
            return False
        self._show()
        return True

    def _move_cursor(self, key: str) -> None:
        if not self._person_may() or self._cursor is None:
            return
        upper, lower = rows(self.game.rules, self.table.flip)
        own = [row if self.game.rules.coloured or self._cursor in row else [] for row in (upper, lower)]
        line = 0 if self._cursor in upper else 1
        at = own[line].index(self._cursor)
        if key in ("up", "down"):
            line = 1 - line
            nearest = sorted(range(len(own[line])), key=lambda place: abs(place - at))
        else:
            count, step = len(own[line]), 1 if key == "right" else -1
            nearest = [(at + step * far) % count for far in range(1, count + 1)]
        for place in nearest:
            if self.game.rules.owner(own[line][place]) == self.game.turn:
                self._cursor, self._news = own[line][place], Text()
                break
        self._show()

    # -- commands ----------------------------------------------------------------------------------------------------

    def action_command(self, name: str) -> None:
        """A command by its name, from the keyboard or the line of keys."""
        self._skip()
        self._news = Text()
        getattr(self, f"_do_{name}")()

    def _pause(self) -> None:
        """Halt two computers, or let them go on. A move that is being shown is shown to its end at once."""
        if self.game.over:
            return self._not_now() if self._sowing is None else self._skip()
        self.paused = not self.paused
        self._say("paused" if self.paused else "goes-on")
        if self._sowing is not None:
            self._skip()
        else:
            self._changed()

    def _do_help(self) -> None:
        turn = self.game.turn
        # While a computer thinks, its pits are of no use to the reader.
        reader = turn if self.table.persons == 0 or self.table.seats[turn].person else 1 - turn
        self.app.push_screen(ReadScreen(help_text.help_text(self.game, reader)))

    def _do_quit(self) -> None:
        self.app.exit()

    def _do_flip(self) -> None:
        self.table.flip = not self.table.flip
        self._show()

    def _do_undo(self) -> None:
        if self.table.persons == 0:
            self.paused = True
        ended = self.game.ended is not None
        undone = self.table.undo()
        if ended:
            self._say("goes-on")
        elif undone:
            self._say("undone", section="play", moves=" ".join(map(str, undone)))
        else:
            self._say("nothing-to-undo", section="play", style=REFUSED)
        self._changed()

    def _do_redo(self) -> None:
        again = self.table.redo()
        if again:
            self._say("redone", moves=" ".join(map(str, again)))
        else:
            self._say("nothing-to-redo", style=REFUSED)
        self._changed()

    def _do_hint(self) -> None:
        if not self._person_may():
            return self._not_now()
        self._waiting = text("play.say.wait")
        game, adviser = self.game.copy(), self.table.adviser()
        self._in_background(lambda era: self.Advised(era, adviser.choose(game).move))
        self._show()

    def _do_offer(self) -> None:
        if not self._person_may():
            return self._not_now()
        self.game.offer_end()
        self._changed()

    def _do_resign(self) -> None:
        if not self._person_may():
            return self._not_now()
        self.game.resign()
        self.table.keep()
        self._changed()

    def _do_copy(self) -> None:
        self.app.copy_to_clipboard(self.game.position)
        self._say("copied", position=self.game.position)
        self._show()

    def _do_save(self) -> None:
        name = f"{self.game.rules.name.partition(':')[0]}.ogn"
        self.app.push_screen(AskScreen(text("tui.ask.save"), name), self._save)

    def _save(self, name: str | None) -> None:
        if name is None:
            return
        path = Path(name).expanduser()
        if path.exists() and path.resolve() not in self._written:
            # Asked for once more, it is meant.
            self._written.add(path.resolve())
            return self._refuse(text("tui.say.exists", file=path))
        try:
            self.table.write(path)
        except OSError as error:
            return self._refuse(f"{error.filename}: {error.strerror}")
        self._written.add(path.resolve())
        self._say("saved", section="play", file=path)
        self._show()

    def _do_open(self) -> None:
        self.app.push_screen(AskScreen(text("tui.ask.open")), self._open)

    def _open(self, name: str | None) -> None:
        if name is None:
            return
        house = self.table.house
        try:
            record = house.read(Path(name).expanduser())
            game = record.game()
            seats = (
                house.seat(self.table.seats[0].name, game.rules, None),
                house.seat(self.table.seats[1].name, game.rules, None),
            )
        except AwaleError as error:
            return self._refuse(error)
        except OSError as error:
            return self._refuse(f"{error.filename}: {error.strerror}")
        self.sit_down(Table(house, game, seats, clock=Clock.from_tags(record.tags)))
        self._say("loaded", section="play", file=name)
        self._show()

    def sit_down(self, table: Table) -> None:
        """Another game; the one on the table is kept if it is unfinished."""
        self.table.run_clock(False)
        self.table.keep()
        self.table.close()
        self.table = self.house_app.table = table
        self._wind_clock()
        self.paused, self._cursor, self._news, self._preparing = False, None, Text(), None
        self._changed()
        self.prepare()

    def _do_new(self) -> None:
        self.app.push_screen(NewGameScreen(self.game.rules.name, *self.table.names, self._clock_text()), self._begin)

    def begin_anew(self) -> None:
        self.app.push_screen(NewGameScreen(self.game.rules.name, clock=self._clock_text()), self._begin)

    def _clock_text(self) -> str:
        return "" if self.table.clock is None else self.table.clock.text()

    def _begin(self, table: Table | None) -> None:
        if table is not None:
            self.sit_down(table)

    def _do_analysis(self) -> None:
        self.pane.toggle(self.game)
        self._show()

    def _do_review(self) -> None:
        if not self.game.moves:
            self._say("no-moves-yet", section="play", style=REFUSED)
            return self._show()
        # While the game is looked back on nobody plays on behind the reader's back.
        self.paused = self.paused or self.table.persons == 0
        self.app.push_screen(ReviewScreen(self.game.copy(), self.table.flip, self.house_app.thinker()))

    def _do_games(self) -> None:
        self.app.push_screen(StoredGamesScreen())
