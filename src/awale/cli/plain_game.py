"""A game at the terminal: asks persons, lets players choose, shows what happens, keeps what is unfinished."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from awale import i18n
from awale.cli import common, opponents
from awale.cli.terminal import Terminal, TimeIsUp
from awale.clock import Clock, reading
from awale.draw.text import board_text, grid
from awale.errors import AwaleError, InvalidMoveError, MoveError
from awale.game import Game, Trace
from awale.i18n import text
from awale.rules import moves as move_texts
from awale.rules.moves import COLOURS, Move
from awale.rules.reference import Board
from awale.tui.house import Seat
from awale.tui.table import Table

ENDLESS_LAPS_SHOWN = 12
LAPS_SHOWN_AT_ONCE = 100


class Leave(Exception):
    """The user has had enough."""


@cache
def words() -> dict[str, str]:
    """Every word that is understood, in any language, and the command that it means."""
    found: dict[str, str] = {}
    for key, by_language in i18n.section("play").items():
        if key.startswith("word."):
            for word in " ".join(by_language.values()).split():
                found[_simple(word)] = key.removeprefix("word.")
    return found


def _simple(word: str) -> str:
    """Without accents and capitals: people type quickly."""
    parts = unicodedata.normalize("NFD", word.lower())
    return "".join(part for part in parts if not unicodedata.combining(part))


def shown_word(command: str) -> str:
    return text(f"play.word.{command}").split()[0]


class Session:
    """One sitting: a game, who plays it, and the terminal between them."""

    def __init__(self, table: Table, terminal: Terminal, *, laps: bool = True) -> None:
        self.table = table
        self.terminal = terminal
        self.laps = laps
        self._written: set[Path] = set()
        self._told: set[str] = set()
        """Troubles that were told: once is enough."""

    @property
    def game(self) -> Game:
        return self.table.game

    @property
    def seats(self) -> tuple[Seat, Seat]:
        return self.table.seats

    # -- the sitting ---------------------------------------------------------------------------------------------

    def run(self) -> None:
        """Play until the game is over or somebody leaves (`Leave`, end of input, interruption)."""
        self._greet()
        self._show()
        if self.game.end_offer is not None:  # left while somebody was thinking it over
            self._answer_offer(self.game.end_offer)
        while True:
            while not self.game.over:
                self.table.run_clock(True)
                if self.table.person_to_move:
                    self._person()
                else:
                    self._computer()
            self._finished()
            if not self.table.persons:
                return
            self._after_the_end()

    def _greet(self) -> None:
        rules = self.game.rules
        self._say("hello", rules=rules.title.get(i18n.language()) or rules.name)
        if all(seat.person for seat in self.seats):
            if self.terminal.interactive:
                self._say("alone", who="engine:3")
        else:
            key = "seats-coloured" if rules.coloured else "seats"
            self._say(key, south=self._who(0), north=self._who(1))
        if self.table.clock is not None:
            self._say("clock", clock=self.table.clock.text())
        self.terminal.say()

    def _who(self, player: int) -> str:
        seat = self.seats[player]
        return text("play.say.person") if seat.person else seat.name

    def _say(self, key: str, **values: object) -> None:
        self.terminal.say(text(f"play.say.{key}", **values))

    def _show(self) -> None:
        drawn = board_text(self.game, unicode=self.terminal.unicode, flip=self.table.flip, colour=self.terminal.colour)
        self.terminal.say(f"{drawn}\n")

    def _name(self, player: int) -> str:
        return self.game.player_name(player)

    def _tell_trouble(self) -> None:
        """A full or forbidden disk must not stop the game."""
        trouble, self.table.trouble = self.table.trouble, ""
        if trouble and trouble not in self._told:
            self._told.add(trouble)
            self.terminal.say(trouble)

    def leave(self) -> None:
        """Say goodbye, and what becomes of the game."""
        self.table.run_clock(False)
        kept = self.table.keep()
        self.table.settle()
        self._tell_trouble()
        self._say("kept" if kept else "bye")

    def close(self) -> None:
        """Let the players go."""
        self.table.close()

    def _finished(self) -> None:
        """A game that is over goes to the store."""
        self.table.store()
        self.table.settle()
        self._tell_trouble()

    # -- moves ---------------------------------------------------------------------------------------------------

    def _play(self, move: Move) -> None:
        before, mover = self.game.copy(), self.game.turn
        # It counts and is kept before it is shown, and no clock runs meanwhile.
        trace = self.table.play(move)
        if self.laps and trace.lap_count > 1:
            self.terminal.show_in_turn(self._frames(before, trace))
        if trace.period is not None:
            self._say("endless", move=move, period=i18n.number(trace.period))
        if trace.spared:
            self._say("spared", move=move)
        for player in (0, 1):
            if trace.swept[player]:
                self._say("swept", player=self._name(player), seeds=trace.swept[player])
        if trace.passed:
            self._say("passed", player=self._name(1 - mover))
        self._show()
        self._tell_trouble()

    def _frames(self, before: Game, trace: Trace) -> Iterator[list[str]]:
        """The board after every lap of a relay, before anything is captured."""
        rules = before.rules
        board = list(before.counts)
        # Without pauses nobody can break off the show, so a very long one stops by itself.
        most = ENDLESS_LAPS_SHOWN if trace.period else None if self.terminal.pause else LAPS_SHOWN_AT_ONCE
        shown = trace.laps[:most]
        for number, lap in enumerate(shown, 1):
            board[lap.pit] = 0
            for pit in lap.landings:
                board[pit] += 1
            position: Board = tuple(board)
            heading = text(
                "play.say.lap",
                move=trace.move,
                lap=number,
                laps=i18n.number(trace.lap_count),
                seeds=len(lap.landings),
                pit=move_texts.write(rules, lap.pit),
                end=move_texts.write(rules, lap.landings[-1]),
            )
            if number == trace.lap_count and trace.taken:
                taken = ", ".join(move_texts.write(rules, pit) for pit, _ in trace.captures)
                heading += text("play.say.lap-takes", pit=taken, seeds=trace.taken)
            lines = grid(
                rules,
                position,
                before.scores,
                names=(self._name(0), self._name(1)),
                played=lap.landings[-1],
                unicode=self.terminal.unicode,
                flip=self.table.flip,
                colour=self.terminal.colour,
            )
            yield [heading, *lines, *([text("play.say.skip")] if self.terminal.pause else [])]
        if trace.period is None and len(shown) < trace.lap_count:
            yield [text("play.say.more-laps", laps=i18n.number(trace.lap_count - len(shown)))]

    def _computer(self) -> None:
        player, seat = self.game.turn, self.seats[self.game.turn]
        if self._computer_offers(player):
            return
        if self.terminal.interactive and not seat.instant:
            self._say("thinking", player=self._name(player), who=seat.name)
        assert seat.player is not None
        chosen = seat.player.choose(self.game.copy(), self.table.time()).move
        if not self._flag_fell():
            self._play(chosen)

    def _flag_fell(self) -> bool:
        """Whether somebody's time is up, and the game over."""
        if not self.table.flag_falls():
            return False
        self.terminal.say()
        self._show()
        return True

    def _computer_offers(self, player: int) -> bool:
        """True if the offer ended the game."""
        if not self.table.computer_offers():
            return False
        self._offer(player)
        return self.game.over

    def _person(self) -> None:
        rules = self.game.rules
        pits = move_texts.pit_names(rules, self.game.turn)
        clock, player = self.table.clock, self._name(self.game.turn)
        if clock is not None:
            player += f" {reading(clock.remaining(self.game.turn))}"
        seconds = clock.remaining(self.game.turn) if clock is not None and clock.running is not None else None
        try:
            line = self.terminal.ask(text("play.say.prompt", player=player, pits=pits), seconds).strip()
        except TimeIsUp:
            line = ""
        if self._flag_fell() or not line or self._obey(line):
            return
        try:
            move = self.game.parse(line)
        except InvalidMoveError as refusal:
            self._say("unknown", reason=refusal)
        except MoveError as refusal:
            self._say("refused", reason=refusal)
        else:
            self._play(move)

    def _after_the_end(self) -> None:
        """The result has been shown: another game, one move back, or goodbye."""
        while self.game.over:
            line = self.terminal.ask(text("play.say.prompt-over")).strip()
            if not line:
                raise Leave
            if not self._obey(line):
                self._say("over-already")

    # -- commands ------------------------------------------------------------------------------------------------

    def _obey(self, line: str) -> bool:
        """Carry out a command; False if the line is none."""
        first, _, rest = line.partition(" ")
        command = words().get(_simple(first.removesuffix("!")))
        actions: dict[str, Callable[[], None]] = {
            "help": self._help,
            "board": self._show,
            "legal": self._legal,
            "moves": self._moves,
            "undo": self._undo,
            "hint": self._hint,
            "flip": self._flip,
            "rules": self._rules,
            "save": lambda: self._save(rest.strip(), replace=first.endswith("!")),
            "load": lambda: self._load(rest.strip()),
            "stop": self._stop,
            "resign": self._resign,
            "new": self._new,
            "quit": self._quit,
        }
        if command not in actions or (first.endswith("!") and command != "save"):
            return False
        try:
            actions[command]()
        except (AwaleError, OSError) as error:
            problem = error if isinstance(error, AwaleError) else f"{error.filename}: {error.strerror}"
            self._say("refused", reason=problem)
        return True

    def _help(self) -> None:
        rules = self.game.rules
        pits = move_texts.pit_names(rules, self.game.turn)
        if rules.coloured:
            own = next(pit for pit in range(rules.holes) if rules.owner(pit) == self.game.turn)
            example = move_texts.write(rules, own, COLOURS[0])
            self.terminal.say(f"  {text('play.help.move-coloured', pits=pits, example=example)}")
        else:
            self.terminal.say(f"  {text('play.help.move', pits=pits)}")
        listed = [key.removeprefix("help.") for key in i18n.section("play") if key.startswith("help.")]
        commands = [name for name in listed if f"word.{name}" in i18n.section("play")]
        rows = [
            (shown_word(name) + (f" {text('play.help.file')}" if name in ("save", "load") else ""), name)
            for name in commands
        ]
        width = max(len(word) for word, _ in rows)
        for word, name in rows:
            self.terminal.say(f"  {word:{width}}  {text(f'play.help.{name}')}")
        self.terminal.say()

    def _legal(self) -> None:
        if self.game.over:
            self._say("over-already")
        else:
            self._say("legal", moves=" ".join(map(str, self.game.legal_moves)))

    def _moves(self) -> None:
        played = [str(move) for move in self.game.moves]
        if played:
            pairs = [f"{n // 2 + 1}. {' '.join(played[n : n + 2])}" for n in range(0, len(played), 2)]
            self.terminal.say(common.wrap("  ".join(pairs)))
        else:
            self._say("no-moves-yet")

    def _undo(self) -> None:
        """Back to the last move of a person: his own again if he plays a computer."""
        only_the_end = self.game.ended is not None
        undone = self.table.undo()
        if not undone and not only_the_end:
            return self._say("nothing-to-undo")
        if not only_the_end:
            self._say("undone", moves=" ".join(map(str, undone)))
        self._show()

    def _hint(self) -> None:
        if self.game.over:
            return self._say("over-already")
        if self.terminal.interactive:
            self._say("wait")
        self._say("hint", move=opponents.advice(self.game))

    def _flip(self) -> None:
        self.table.flip = not self.table.flip
        self._show()

    def _rules(self) -> None:
        rules = self.game.rules
        self.terminal.say(common.wrap(rules.description.get(i18n.language()) or rules.name))
        self.terminal.say()

    def _save(self, name: str, *, replace: bool) -> None:
        if not name:
            return self._say("needs-file", word=shown_word("save"))
        path = Path(name).expanduser()
        if path.exists() and not replace and path.resolve() not in self._written:
            return self._say("exists", file=path, word=shown_word("save"))
        self.table.write(path)
        self._written.add(path.resolve())
        self._say("saved", file=path)

    def _load(self, name: str) -> None:
        if not name:
            return self._say("needs-file", word=shown_word("load"))
        path = Path(name).expanduser()
        record = self.table.house.read(path)
        game, names = record.game(), self.table.names
        seats = self.seats
        if game.rules != self.game.rules:  # a player is made for the rules that it plays
            seats = (opponents.seat(names[0], game.rules), opponents.seat(names[1], game.rules))
            self.close()
        self._start(game, seats, Clock.from_tags(record.tags))
        self._say("loaded", file=path)
        self._show()

    def _start(self, game: Game, seats: tuple[Seat, Seat], clock: Clock | None) -> None:
        """Sit down to another game; the one on the table is kept if it is unfinished."""
        self.table.run_clock(False)
        self.table.keep()
        flip = self.table.flip
        self.table = Table(self.table.house, game, seats, clock=clock)
        self.table.flip = flip

    def _new(self) -> None:
        clock = self.table.clock
        game = Game(self.game.rules, start=self.game.start)
        self._start(game, self.seats, None if clock is None else clock.fresh())
        self._show()

    def _stop(self) -> None:
        if self.game.over:
            return self._say("over-already")
        self._offer(self.game.turn)

    def _offer(self, player: int) -> None:
        self.game.offer_end(player)
        self._answer_offer(player)

    def _answer_offer(self, player: int) -> None:
        other = 1 - player
        scores = f"{self.game.scores[0]}-{self.game.scores[1]}"
        self._say("offers", player=self._name(player), scores=scores)
        if self._accepts(other):
            self._say("accepted", player=self._name(other))
            self.table.answer(True)
            self._show()
        else:
            self._say("declined", player=self._name(other))
            self.table.answer(False)

    def _accepts(self, player: int) -> bool:
        if not self.seats[player].person:
            return self.seats[player].accepts_end(self.game)
        while True:
            answer = self.terminal.ask(text("play.say.accept", player=self._name(player))).strip()
            meant = words().get(_simple(answer))
            if meant in ("yes", "no"):
                return meant == "yes"
            if meant == "quit":
                raise Leave
            self._say("yes-or-no")

    def _resign(self) -> None:
        if self.game.over:
            return self._say("over-already")
        self.game.resign()
        self._show()

    def _quit(self) -> None:
        raise Leave
