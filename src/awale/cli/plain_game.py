"""A game line by line: asks people for moves and commands, lets programs decide, prints what happens."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from awale import i18n
from awale.cli import common
from awale.cli.terminal import Terminal, TimeIsUp
from awale.draw.text import board_text, grid
from awale.errors import AwaleError, InvalidMoveError, MoveError
from awale.game import Game, Trace
from awale.i18n import text
from awale.local import Action, LocalGame, sentences
from awale.local.seats import instant
from awale.match import Ended, Match, MatchError, Moved, Offered, TakenBack, format_time
from awale.rules import moves as move_texts
from awale.rules.moves import COLOURS
from awale.rules.reference import Board

ENDLESS_LAPS_SHOWN = 12
LAPS_SHOWN_AT_ONCE = 100


class Leave(Exception):
    """The user wants to leave."""


@cache
def words() -> dict[str, str]:
    """Return every word that is understood, in any language, with the command that it means."""
    found: dict[str, str] = {}
    for key, by_language in i18n.section("play").items():
        if key.startswith("word."):
            for word in " ".join(by_language.values()).split():
                found[_simple(word)] = key.removeprefix("word.")
    return found


def _simple(word: str) -> str:
    """Return a word without accents and capitals."""
    parts = unicodedata.normalize("NFD", word.lower())
    return "".join(part for part in parts if not unicodedata.combining(part))


def shown_word(command: str) -> str:
    return text(f"play.word.{command}").split()[0]


class PlainGame:
    """A game and the terminal it is played at."""

    def __init__(self, local: LocalGame, terminal: Terminal, *, laps: bool = True) -> None:
        self.local = local
        self.terminal = terminal
        self.laps = laps
        self._prepared = False
        self._began = time.monotonic()
        self._written: set[Path] = set()
        self._told: set[str] = set()
        """Problems that were told already."""

    @property
    def match(self) -> Match:
        return self.local.match

    @property
    def game(self) -> Game:
        return self.local.game

    def run(self) -> None:
        """Play until the game is over or somebody leaves (`Leave`, end of input, interruption)."""
        self._greet()
        self._show()
        if self.match.offer is not None:
            self._print(sentences.of_events(self.match, [Offered(self.match.offer)]))
        while True:
            while not self.match.over:
                self._next()
            self.local.store()
            self.local.settle()
            self._tell_problem()
            if self.terminal.interactive:
                spent = format_time(time.monotonic() - self._began)
                self._say("length", moves=len(self.game.moves), time=spent)
            if not self.match.persons:
                return
            while self.match.over:
                self._ask_after_end()

    def leave(self) -> None:
        """Say goodbye, and whether the game is kept."""
        kept = self.local.leave()
        self._tell_problem()
        self._say("kept" if kept else "bye")

    # -- printing ----------------------------------------------------------------------------------------------------

    def _greet(self) -> None:
        rules, seats = self.game.rules, self.match.seats
        self._say("hello", rules=rules.title.get(i18n.language()) or rules.name)
        if self.match.persons < 2:
            south, north = (text("play.say.person") if seat.person else seat.name for seat in seats)
            self._say("seats-coloured" if rules.coloured else "seats", south=south, north=north)
        elif self.terminal.interactive:
            self._say("alone", who="engine:3")
        if self.match.clock is not None:
            self._say("clock", clock=self.match.clock.control)
        self.terminal.say()

    def _say(self, key: str, **values: object) -> None:
        self.terminal.say(text(f"play.say.{key}", **values))

    def _print(self, lines: list[str]) -> None:
        for line in lines:
            self.terminal.say(line)

    def _show(self) -> None:
        drawn = board_text(self.game, unicode=self.terminal.unicode, flip=self.local.flip, colour=self.terminal.colour)
        self.terminal.say(f"{drawn}\n")

    def _name(self, player: int) -> str:
        return self.game.player_name(player)

    def _tell_problem(self) -> None:
        problem = self.local.take_problem()
        if problem and problem not in self._told:
            self._told.add(problem)
            self.terminal.say(problem)

    # -- the match ---------------------------------------------------------------------------------------------------

    def _do(self, action: Action) -> None:
        """Do something to the match and print what happened."""
        before = self.game.copy()
        events = self.local.do(action)
        first = events[0] if events else None
        if isinstance(first, Moved) and self.laps and first.trace.lap_count > 1:
            self.terminal.show_in_turn(self._frames(before, first.trace))
        self._print(sentences.of_events(self.match, events))
        if any(isinstance(event, Moved | TakenBack | Ended) for event in events):
            self._show()
        self._tell_problem()

    def _next(self) -> None:
        """Let the side that has to decide now do so."""
        question = self.local.question()
        if question is None:
            if self.local.person_asked:
                self._answer()
            elif self.local.paused:
                self._ask_paused()
            else:
                self._ask_move()
            return
        if not self._prepared:
            self.local.prepare()
            self._prepared = True
        seat = self.match.seats[question.side]
        self.local.run_clock(True)
        if self.terminal.interactive and not question.about_offer and not instant(seat):
            self._say("thinking", player=self._name(question.side), who=seat.name)
        self._do(question.ask())

    def _ask_move(self) -> None:
        match, turn = self.match, self.game.turn
        player = self._name(turn)
        if match.clock is not None:
            player += f" {format_time(match.clock.remaining(turn, self.local.now()))}"
        self.local.run_clock(True)
        prompt = text("play.say.prompt", player=player, pits=move_texts.pit_names(self.game.rules, turn))
        try:
            line = self.terminal.ask(prompt, match.flag_in(self.local.now())).strip()
        except TimeIsUp:
            line = ""
        if match.flag_in(self.local.now()) == 0:
            self.terminal.say()
            return self._do(match.check_flag)
        if not line or self._obey(line):
            return
        try:
            self._do(lambda now: match.play(turn, self.game.parse(line), now))
        except InvalidMoveError as refusal:
            self._say("unknown", reason=refusal)
        except MoveError as refusal:
            self._say("refused", reason=refusal)

    def _ask_paused(self) -> None:
        """Ask what to do with a game that was reopened at the turn of a program."""
        line = self.terminal.ask(text("play.say.prompt-paused")).strip()
        if not line:
            self.local.pause(False)
        elif not self._obey(line):
            self._say("refused", reason=text("match.refused.turn"))

    def _ask_after_end(self) -> None:
        line = self.terminal.ask(text("play.say.prompt-over")).strip()
        if not line:
            raise Leave
        if not self._obey(line):
            self.terminal.say(str(MatchError("over")))

    def _answer(self) -> None:
        offer = self.match.offer
        assert offer is not None
        accept = self._yes_or_no("accept", player=self._name(1 - offer.by))
        self._do(lambda now: self.match.answer(1 - offer.by, offer.id, accept=accept, now=now))

    def _yes_or_no(self, key: str, **values: object) -> bool:
        while True:
            answer = self.terminal.ask(text(f"play.say.{key}", **values)).strip()
            meant = words().get(_simple(answer))
            if meant in ("yes", "no"):
                return meant == "yes"
            if meant == "quit":
                raise Leave
            self._say("yes-or-no")

    def _frames(self, before: Game, trace: Trace) -> Iterator[list[str]]:
        """Yield the board after every lap of a relay, before anything is captured."""
        rules = before.rules
        board = list(before.counts)
        # Without pauses a long show cannot be skipped, so it is cut.
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
                flip=self.local.flip,
                colour=self.terminal.colour,
            )
            yield [heading, *lines, *([text("play.say.skip")] if self.terminal.pause else [])]
        if trace.period is None and len(shown) < trace.lap_count:
            yield [text("play.say.more-laps", laps=i18n.number(trace.lap_count - len(shown)))]

    # -- commands ----------------------------------------------------------------------------------------------------

    def _obey(self, line: str) -> bool:
        """Carry out a command; return False if the line is none."""
        first, _, rest = line.partition(" ")
        command = words().get(_simple(first.removesuffix("!")))
        actions: dict[str, Callable[[], None]] = {
            "help": self._help,
            "board": self._show,
            "legal": self._legal,
            "moves": self._moves,
            "undo": lambda: self._do(lambda now: self.match.undo(self.local.person_side, now)),
            "redo": lambda: self._do(lambda now: self.match.redo(self.local.person_side, now)),
            "hint": self._hint,
            "flip": self._flip,
            "rules": self._rules,
            "save": lambda: self._save(rest.strip(), replace=first.endswith("!")),
            "load": lambda: self._load(rest.strip()),
            "stop": lambda: self._do(lambda now: self.match.offer_stop(self.local.person_side, now)),
            "resign": self._resign,
            "new": self._new,
            "quit": self._quit,
        }
        if command not in actions or (first.endswith("!") and command != "save"):
            return False
        try:
            actions[command]()
        except MatchError as error:
            self.terminal.say(str(error))
        except AwaleError as error:
            self._say("refused", reason=error)
        except OSError as error:
            self._say("refused", reason=i18n.labelled(error.filename, i18n.system_problem(error)))
        return True

    def _must_be_on(self) -> None:
        if self.match.over:
            raise MatchError("over")

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
        self._must_be_on()
        self._say("legal", moves=" ".join(map(str, self.game.legal_moves)))

    def _moves(self) -> None:
        played = [str(move) for move in self.game.moves]
        if played:
            pairs = [f"{n // 2 + 1}. {' '.join(played[n : n + 2])}" for n in range(0, len(played), 2)]
            self.terminal.say(common.wrap("  ".join(pairs)))
        else:
            self._say("no-moves-yet")

    def _hint(self) -> None:
        self._must_be_on()
        if self.terminal.interactive:
            self._say("wait")
        self._say("hint", move=self.local.advice(self.game.copy()))

    def _flip(self) -> None:
        self.local.flip = not self.local.flip
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
        self.local.write(path)
        self._written.add(path.resolve())
        self._say("saved", file=path)

    def _load(self, name: str) -> None:
        if not name:
            return self._say("needs-file", word=shown_word("load"))
        path = Path(name).expanduser()
        self.local = self.local.load(path)
        self._prepared = False
        self._say("loaded", file=path)
        self._show()

    def _new(self) -> None:
        match = self.match
        control = None if match.clock is None else match.clock.control
        game = Game(self.game.rules, start=self.game.start)
        self.local = self.local.play_instead(Match(game, match.seats, clock=control, shared=True))
        self._prepared = False
        self._show()

    def _resign(self) -> None:
        self._must_be_on()
        side = self.local.person_side
        # A script means what it says.
        if not self.terminal.interactive or self._yes_or_no("confirm-resign", player=self._name(side)):
            self._do(lambda now: self.match.resign(side, now))

    def _quit(self) -> None:
        raise Leave
