"""The three-colour contest's referee: pass moves between two programs line by line, and check every one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from awale import i18n
from awale.errors import MoveError, PlayerFault
from awale.game import Game
from awale.notation import GameRecord
from awale.notation.records import BARE_RESULTS
from awale.protocols.external_process import Program, read_move, receive_contest_line

RULES = "tricolor"
LAST_WORDS = 1.0
"""Seconds for a program to write RESULT once the game is over; nothing depends on it."""

Hear = Callable[[int, str, str], object]
"""Called with every line: the player, `<` or `>`, the line."""


@dataclass(slots=True)
class Refereed:
    """How a game between two programs ended."""

    commands: tuple[str, str]
    game: Game
    winner: int | None
    reason: str
    """As in `Outcome`, or `time`, `illegal`, `crash` for a program that was disqualified."""
    disqualified: int | None = None
    sentence: str = ""
    notes: list[str] = field(default_factory=list)
    """What was not right but changes nothing: a wrong RESULT."""

    def as_data(self) -> dict[str, Any]:
        return {
            "players": list(self.commands),
            "winner": self.winner,
            "scores": list(self.game.scores),
            "reason": self.reason,
            "disqualified": self.disqualified,
            "sentence": self.sentence,
            "notes": self.notes,
            "moves": [str(move) for move in self.game.moves],
        }

    def record(self) -> GameRecord:
        tags = {"Event": "tricolor contest", "South": self.commands[0], "North": self.commands[1]}
        if not self.game.over:
            tags["Termination"] = f"{self.reason}: {self.sentence}"
        record = GameRecord.from_game(self.game, tags)
        if not self.game.over:
            record.result = BARE_RESULTS[self.winner]
        return record


def referee(first: str, second: str, *, timeout: float = 2.0, hear: Hear | None = None) -> Refereed:
    """Run two programs against each other. Whatever they do, the game ends, and both processes with it."""
    game = Game(RULES)
    commands = (first, second)
    programs: list[Program] = []
    try:
        for player, command in enumerate(commands):
            try:
                programs.append(Program(command))
            except PlayerFault as error:
                return _out(commands, game, player, error)
        return _Contest(commands, game, programs, timeout, hear or (lambda *_: None)).play()
    finally:
        for program in programs:
            program.close()


def _out(commands: tuple[str, str], game: Game, player: int, error: PlayerFault) -> Refereed:
    return Refereed(commands, game, 1 - player, error.kind, player, str(error))


class _Contest:
    """One game in progress."""

    def __init__(
        self, commands: tuple[str, str], game: Game, programs: list[Program], timeout: float, hear: Hear
    ) -> None:
        self.commands, self.game, self.programs, self.timeout, self.hear = commands, game, programs, timeout, hear
        self.notes: list[str] = []

    def play(self) -> Refereed:
        line = "START"
        while not self.game.over:
            player = self.game.turn
            try:
                self._send(player, line)
                line = self._answer(player)
                if "RESULT" in line:
                    self._early_result(line)
                    break
                self.game.push(read_move(self.game, line))
            except PlayerFault as error:
                return _out(self.commands, self.game, player, error)
            self._unasked(1 - player)
        else:
            self._last_words(line)
        outcome = self.game.outcome()
        assert outcome is not None
        return Refereed(self.commands, self.game, outcome.winner, outcome.reason, notes=self.notes)

    def _send(self, player: int, line: str) -> None:
        self.hear(player, ">", line)
        self.programs[player].send(line, self.timeout)

    def _answer(self, player: int) -> str:
        return receive_contest_line(self.programs[player], self.timeout, lambda line: self.hear(player, "<", line))

    def _unasked(self, player: int) -> None:
        """Note lines written out of turn: they do not disqualify, and must not pass as an answer."""
        for line in self.programs[player].drain():
            if line.strip() and line.strip() != "END":
                self._note(player, i18n.text("protocols.referee.extra", line=line.strip()[:80]))

    def _note(self, player: int, said: str) -> None:
        self.notes.append(f"{self.game.player_name(player)}: {said}")

    def _early_result(self, line: str) -> None:
        """Accept a RESULT in place of a move if the move it names ends the game."""
        words = line.split()
        try:
            trial = self.game.copy()
            trial.push(words[1] if len(words) > 1 else "")
        except MoveError:
            trial = self.game
        if not trial.over:
            raise PlayerFault(i18n.message("protocols.contest.early", line=line[:80]), "illegal")
        self.game.push(words[1])
        self._check_result(self.game.turn, line)

    def _check_result(self, player: int, line: str) -> None:
        true = f"{self.game.scores[0]} {self.game.scores[1]}"
        if line.split()[-2:] != true.split():
            self._note(player, i18n.text("protocols.contest.other-result", line=line[:80], true=true))

    def _last_words(self, line: str) -> None:
        """Send the last move to the other player too, who may write RESULT."""
        player = 1 - self.game.rules.owner(self.game.moves[-1].pit)
        try:
            self._send(player, line)
            said = self.programs[player].receive(min(LAST_WORDS, self.timeout))
            self.hear(player, "<", said)
            if "RESULT" in said:
                self._check_result(player, said)
        except PlayerFault:
            pass
