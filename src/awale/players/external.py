"""Outside programs as players: `uci:"COMMAND"` for engines that speak UCI, `contest:"COMMAND"` for programs of the
three-colour contest."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from awale import i18n
from awale.errors import MoveError
from awale.game import Game
from awale.players.base import BasePlayer, Choice, PlayerClock, PlayerError, PlayerFault
from awale.players.external_process import Program, split_command
from awale.players.spec import PlayerSpec
from awale.rules import positions, reference
from awale.rules.description import Rules
from awale.rules.moves import Move

START_SECONDS = 120.0
"""For an engine to say `uciok` and `readyok`: some load large files or compile something first."""
GRACE_SECONDS = 5.0
"""After its time an engine is waited for so much longer, then ended. (Whether it loses by time is the arena's word.)"""
LONGEST_THINKING = 3600.0
DEFAULT_MOVE_SECONDS = 1.0
CONTEST_TIMEOUT = 2.0


# -- UCI --------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Introduction:
    """What an engine says about itself between `uci` and `uciok`."""

    name: str = ""
    author: str = ""
    options: dict[str, str] = field(default_factory=dict)
    """The options' names (in lower case) and the whole line of each."""

    def hear(self, line: str) -> None:
        words = line.split(None, 2)
        if len(words) == 3 and words[0] == "id":
            if words[1] == "name":
                self.name = words[2].strip()
            elif words[1] == "author":
                self.author = words[2].strip()
        elif found := re.match(r"option\s+name\s+(.+?)\s+type\s", line):
            self.options[found[1].lower()] = line

    @property
    def variants(self) -> tuple[str, ...]:
        """The rules it can play by its own word."""
        return tuple(re.findall(r"\bvar\s+(\S+)", self.options.get("uci_variant", "")))


def position_line(game: Game) -> str:
    """The game as UCI's `position` says it, with its moves, so that repetitions are seen."""
    if game.start == reference.start(game.rules):
        line = "position startpos"
    else:
        line = f"position fen {positions.write(game.rules, game.start)}"
    if not game.moves:
        return line
    joint = "" if game.rules.notation.startswith("letters") else " "
    return f"{line} moves {joint.join(map(str, game.moves))}"


def go_line(clock: PlayerClock | None, turn: int, *, depth: int | None, seconds: float | None) -> tuple[str, float]:
    """UCI's `go` for a clock, and how long the answer may take."""
    if clock is not None and clock.move is not None:
        limit = f" depth {depth}" if depth else ""
        return f"go movetime {max(1, round(1000 * clock.move))}{limit}", clock.move
    if clock is not None and clock.left is not None:
        left = [clock.left, clock.left]
        left[1 - turn] = clock.left if clock.opponent_left is None else clock.opponent_left
        south, north = (max(1, round(1000 * seconds)) for seconds in left)
        increment = round(1000 * clock.increment)
        return f"go wtime {south} btime {north} winc {increment} binc {increment}", clock.left
    if depth is not None:
        limit = f" movetime {round(1000 * seconds)}" if seconds else ""
        return f"go depth {depth}{limit}", seconds or LONGEST_THINKING
    seconds = seconds or DEFAULT_MOVE_SECONDS
    return f"go movetime {max(1, round(1000 * seconds))}", seconds


class UciPlayer(BasePlayer):
    """An engine that speaks UCI."""

    def __init__(self, spec: PlayerSpec, rules: Rules) -> None:
        self.name = str(spec)
        self.command, self.rules = spec.command or "", rules
        split_command(self.command)
        self._depth, self._seconds, self._options = spec.depth, spec.seconds, dict(spec.options)
        self._program: Program | None = None
        self.introduction = Introduction()

    # -- conversation ------------------------------------------------------------------------------------------------

    def start(self) -> Program:
        """The running program; started and introduced if it is not."""
        if self._program is not None and self._program.running:
            return self._program
        self.close()
        program = self._program = Program(self.command)
        try:
            self.introduction = Introduction()
            program.send("uci")
            self._until("uciok", START_SECONDS, self.introduction.hear)
            self._choose_rules(program, self.introduction.variants)
            self._set(program, self._options)
            self._ready(program)
        except BaseException:
            self.close()
            raise
        return program

    def _choose_rules(self, program: Program, variants: tuple[str, ...]) -> None:
        by_folded = {name.casefold(): name for name in variants}
        name = by_folded.get(self.rules.name.casefold())
        if name is not None:
            program.send(f"setoption name UCI_Variant value {name}")
        elif variants or self.rules.name != "abapa":
            known = ", ".join(variants) or "abapa"
            raise PlayerError(i18n.message("protocols.uci.rules", rules=self.rules.name, known=known))

    def _set(self, program: Program, options: Mapping[str, str]) -> None:
        for name, value in options.items():
            program.send(f"setoption name {name} value {value}")

    def _ready(self, program: Program) -> None:
        program.send("isready")
        self._until("readyok", START_SECONDS)

    def _until(self, word: str, seconds: float, hear: object = None) -> str:
        """Listen up to a line that begins with a word."""
        import time

        assert self._program is not None
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self._program.receive(max(0.0, deadline - time.monotonic()))
            except PlayerFault as error:
                if error.kind == "time":
                    message = i18n.message("protocols.uci.waited", word=word, seconds=f"{seconds:g}")
                    raise PlayerFault(message, "time") from None
                raise
            if line.split(None, 1)[:1] == [word]:
                return line
            if callable(hear):
                hear(line)

    # -- playing -----------------------------------------------------------------------------------------------------

    def warm_up(self) -> None:
        self.start()

    def new_game(self) -> None:
        program = self.start()
        program.send("ucinewgame")
        self._ready(program)

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        try:
            return self._choose(game, clock)
        except PlayerFault:
            self.close()  # whatever it says later is not an answer to the next question
            raise

    def _choose(self, game: Game, clock: PlayerClock | None) -> Choice:
        program = self.start()
        program.waiting()
        program.send(position_line(game))
        line, seconds = go_line(clock, game.turn, depth=self._depth, seconds=self._seconds)
        told: dict[str, int | float | str] = {}
        lines: list[str] = []

        def hear(text: str) -> None:
            if text.startswith("info ") and (" score " in text or " pv " in text):
                lines[:] = [text]

        program.send(line)
        answer = self._until("bestmove", seconds + GRACE_SECONDS, hear)
        move = read_move(game, answer.split()[1] if len(answer.split()) > 1 else "")
        value, nodes, pv = read_info(game, lines[0] if lines else "", told)
        return Choice(move, value, pv or (move,), nodes, told)

    def close(self) -> None:
        if self._program is not None:
            program, self._program = self._program, None
            try:
                program.send("quit", 0.2)
            except PlayerFault:
                program.close()
            else:
                program.close(0.5)


def read_move(game: Game, text: str) -> Move:
    """An outside program's move, or the fault of it."""
    try:
        return game.parse(text)
    except MoveError as error:
        said = error.said or str(error)
        raise PlayerFault(i18n.message("protocols.outside.illegal", text=text[:40], problem=said), "illegal") from None


_NUMBER = {name: re.compile(rf"\b{name}\s+(-?[0-9]{{1,15}})\b") for name in ("depth", "nodes", "nps", "time", "cp")}


def read_info(
    game: Game, line: str, told: dict[str, int | float | str]
) -> tuple[float | None, int | None, tuple[Move, ...]]:
    """What an `info` line says: value in seeds, nodes, and the line of play as far as it is legal."""
    head, _, tail = line.partition(" pv ")
    found = {name: int(match[1]) for name, pattern in _NUMBER.items() if (match := pattern.search(head))}
    for name in ("depth", "nps", "time"):
        if name in found:
            told[name] = found[name]
    trial = game.copy()
    words = list(tail.strip()) if game.rules.notation.startswith("letters") else tail.split()
    for word in words:
        if word.isspace():
            continue
        try:
            trial.push(word)
        except MoveError:
            break
    value = found["cp"] / 100 if "cp" in found else None
    return value, found.get("nodes"), trial.moves[len(game.moves) :]


# -- the three-colour contest ------------------------------------------------------------------------------------------


def result_line(game: Game) -> str:
    """What a contest player writes when the game is over."""
    last = game.moves[-1] if game.moves else ""
    return f"RESULT {last} {game.scores[0]} {game.scores[1]}"


class ContestPlayer(BasePlayer):
    """A program of the three-colour contest. It keeps the game itself, so it can only play from the usual start."""

    def __init__(self, spec: PlayerSpec, rules: Rules) -> None:
        self.name = str(spec)
        self.command, self.rules = spec.command or "", rules
        split_command(self.command)
        self.timeout = spec.timeout or CONTEST_TIMEOUT
        self._program: Program | None = None
        self._known = 0
        """So many moves of the game the program has written or been told."""
        self._answers: list[Move] = []

    def new_game(self) -> None:
        """A game, a process: the protocol has no word for another game."""
        self.close()

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        moves = game.moves
        if self._program is None or len(moves) < self._known:
            self.new_game()
            if game.start != reference.start(game.rules) or len(moves) > 1:
                raise PlayerFault(i18n.message("protocols.contest.start"))
            self._program = Program(self.command)
        elif moves[self._known - 1 : self._known] != tuple(self._answers[-1:]) or len(moves) != self._known + 1:
            raise PlayerFault(i18n.message("protocols.contest.start"))
        program = self._program
        seconds = self.timeout if clock is None or clock.move is None else clock.move + GRACE_SECONDS
        try:
            program.send(str(moves[-1]) if moves else "START")
            line = ""
            while not line or line == "END":
                line = program.receive(seconds).strip()
            if "RESULT" in line:
                raise PlayerFault(i18n.message("protocols.contest.early", line=line[:80]), "illegal")
            move = read_move(game, line)
        except PlayerFault:
            self.close()
            raise
        self._known = len(moves) + 1
        self._answers.append(move)
        return Choice(move)

    def close(self) -> None:
        if self._program is not None:
            self._program.close()
        self._program, self._known, self._answers = None, 0, []
