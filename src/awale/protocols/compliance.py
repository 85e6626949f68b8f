"""Conformance checks of an external program: protocol, legal moves, time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import ClassVar, NamedTuple

from awale import i18n
from awale.errors import AwaleError, PlayerFault
from awale.game import Game, random_game
from awale.players.simple import GreedyPlayer
from awale.protocols.external_process import Program, read_move, receive_contest_line
from awale.protocols.uci_client import HELLO_SECONDS, READY_SECONDS, Introduction, introduce, position_line, read_info
from awale.rules import get
from awale.rules.description import Rules

SLACK = 0.5
"""Seconds over the time given that are forgiven, for a busy machine."""
SOME_POSITIONS = 12
MOST_GAMES = 5
PATIENCE, LITTLE_PATIENCE = 10.0, 1.5
"""Seconds to wait for an answer, at first and after the program has timed out once."""


class Finding(NamedTuple):
    """A check and its outcome."""

    check: str
    good: bool
    detail: str = ""

    def sentence(self, lang: str | None = None) -> str:
        return i18n.text(f"protocols.check.{self.check}", lang)


class Failed(AwaleError):
    """A check that was not passed."""


def _fail(key: str, **values: object) -> Failed:
    return Failed(i18n.message(f"protocols.detail.{key}", **values))


def random_games(rules: Rules, count: int, seed: int) -> Iterator[Game]:
    """Yield unfinished games of all lengths."""
    chance = random.Random(seed)
    while count:
        game = random_game(rules, chance.randrange(60), chance)
        if not game.over:
            count -= 1
            yield game


def _second_word(line: str) -> str:
    return [*line.split(), "", ""][1]


class _Checks:
    """Run checks one after another; a program that has ended is started again for the next one."""

    checks: ClassVar[tuple[str, ...]]
    """The checks in order; each is a method of this name."""
    needed: ClassVar[tuple[str, ...]] = ()

    def __init__(self, command: str) -> None:
        self.command = command
        self.program: Program | None = None

    def fresh(self) -> Program:
        self.close()
        self.program = Program(self.command)
        return self.program

    def run(self) -> list[Finding]:
        """Make every check, up to one that the others need."""
        findings: list[Finding] = []
        try:
            for name in self.checks:
                work: Callable[[], str | None] = getattr(self, name.replace("-", "_"))
                try:
                    findings.append(Finding(name, True, work() or ""))
                except AwaleError as error:
                    findings.append(Finding(name, False, str(error)))
                    self.close()
                    if name in self.needed:
                        break
            return findings
        finally:
            self.close()

    def close(self) -> None:
        if self.program is not None:
            self.program.close()
            self.program = None


class _Uci(_Checks):
    checks = (
        *("starts", "names", "rules", "unknown", "legal", "separated", "fen", "movetime", "depth", "clock", "stop"),
        *("info", "over", "silence", "quit"),
    )
    needed = ("starts", "rules")

    def __init__(self, command: str, rules: Rules, timeout: float | None, seed: int) -> None:
        super().__init__(command)
        self.system, self.seed = rules, seed
        self.hello, self.ready, self.patience = (timeout or most for most in (HELLO_SECONDS, READY_SECONDS, PATIENCE))
        self.introduction = Introduction()
        self.infos: list[str] = []

    # -- conversation ------------------------------------------------------------------------------------------------

    def running(self) -> Program:
        """Return the program, started, introduced and with the rules chosen."""
        if self.program is None or not self.program.running:
            program = self.fresh()
            self.introduction = Introduction()
            program.send("uci")
            introduce(program, self.introduction, self.hello)
            if (variant := self.introduction.variant(self.system)) is not None:
                program.send(f"setoption name UCI_Variant value {variant}")
            program.send("isready")
            self.until("readyok", self.ready)
        assert self.program is not None
        return self.program

    def until(self, word: str, seconds: float, read: Callable[[str], object] | None = None) -> str:
        """Wait for a line; a timeout shortens the waits that follow."""
        assert self.program is not None
        try:
            return self.program.receive_until(word, seconds, read)
        except PlayerFault as error:
            if error.kind == "time":
                self.patience = min(self.patience, LITTLE_PATIENCE)
            raise

    def answer(self, position: str, go: str, seconds: float) -> tuple[str, float]:
        """Return its best move and the seconds that it took."""
        program = self.running()
        program.drain()
        program.send(position)
        begun = time.monotonic()
        program.send(go)
        line = self.until("bestmove", seconds, lambda text: self.infos.append(text) if len(self.infos) < 1000 else None)
        return _second_word(line), time.monotonic() - begun

    # -- checks ------------------------------------------------------------------------------------------------------

    def starts(self) -> None:
        self.running()

    def names(self) -> None:
        self.running()
        if not self.introduction.name:
            raise _fail("none")

    def rules(self) -> None:
        self.running()
        variants = self.introduction.variants
        if self.system.name not in variants and (variants or self.system.name != "abapa"):
            raise Failed(
                i18n.message("protocols.uci.rules", rules=self.system.name, known=", ".join(variants) or "abapa")
            )

    def unknown(self) -> None:
        program = self.running()
        program.send("no such command")
        program.send("isready")
        self.until("readyok", 5)

    def legal(self) -> None:
        for game in random_games(self.system, SOME_POSITIONS, self.seed):
            try:
                read_move(game, self.answer(position_line(game), "go movetime 50", self.patience)[0])
            except PlayerFault as error:
                raise _fail("position", problem=str(error), position=position_line(game)) from None

    def separated(self) -> None:
        game = next(game for game in random_games(self.system, 50, self.seed + 1) if len(game.moves) > 3)
        for joint in (" ", "") if self.system.notation.startswith("letters") else (" ",):
            moves = joint.join(map(str, game.moves))
            read_move(game, self.answer(f"position startpos moves {moves}", "go movetime 50", self.patience)[0])

    def fen(self) -> None:
        game = next(game for game in random_games(self.system, 50, self.seed + 2) if len(game.moves) > 8)
        fresh = Game(self.system, start=game.position)
        read_move(fresh, self.answer(f"position fen {game.position}", "go movetime 50", self.patience)[0])

    def movetime(self) -> None:
        game = Game(self.system)
        for given in (0.1, 0.5):
            move, spent = self.answer("position startpos", f"go movetime {round(1000 * given)}", given + self.patience)
            read_move(game, move)
            if spent > given + SLACK:
                raise _fail("slow", spent=round(spent, 2), given=given)

    def depth(self) -> None:
        read_move(Game(self.system), self.answer("position startpos", "go depth 3", 3 * self.patience)[0])

    def clock(self) -> None:
        move, spent = self.answer("position startpos", "go wtime 2000 btime 2000 winc 100 binc 100", 2 + self.patience)
        read_move(Game(self.system), move)
        if spent > 2:
            raise _fail("slow", spent=round(spent, 2), given=2)

    def stop(self) -> None:
        program = self.running()
        program.drain()
        program.send("position startpos")
        program.send("go infinite")
        deadline = time.monotonic() + 0.7
        while (left := deadline - time.monotonic()) > 0:
            try:
                line = program.receive(left)
            except PlayerFault as error:
                if error.kind != "time":
                    raise
                break
            if line.startswith("bestmove"):
                raise _fail("early")
        begun = time.monotonic()
        program.send("stop")
        line = self.until("bestmove", self.patience)
        if time.monotonic() - begun > 1 + SLACK:
            raise _fail("slow", spent=round(time.monotonic() - begun, 2), given=1)
        read_move(Game(self.system), _second_word(line))

    def info(self) -> None:
        self.answer("position startpos", "go movetime 300", self.patience)
        for line in reversed(self.infos):
            value, _, moves, info = read_info(Game(self.system), line)
            if line.startswith("info ") and value is not None and moves and "depth" in info:
                return
        raise _fail("none")

    def over(self) -> None:
        game = random_game(self.system, 2000, random.Random(self.seed))
        if not game.over:
            return
        move, _ = self.answer(position_line(game), "go movetime 50", self.patience)
        if move != "0000":
            raise _fail("said", line=f"bestmove {move}")

    def silence(self) -> None:
        program = self.running()
        self.answer("position startpos", "go movetime 50", self.patience)
        try:
            raise _fail("said", line=program.receive(0.5)[:80])
        except PlayerFault as error:
            if error.kind != "time":
                raise

    def quit(self) -> None:
        program = self.running()
        program.send("quit")
        if program.wait(5) is None:
            raise _fail("runs", seconds=5)


def check_uci(
    command: str, rules: str | Rules = "abapa", *, timeout: float | None = None, seed: int = 1
) -> list[Finding]:
    """Run all checks of a UCI engine. `timeout`: the most seconds to wait for an answer, `uciok` included."""
    return _Uci(command, get(rules), timeout, seed).run()


# -- the three-colour contest ------------------------------------------------------------------------------------------


class _Contest(_Checks):
    checks = ("first", "second", "game-first", "game-second", "result", "only-moves", "end")

    def __init__(self, command: str, timeout: float, seed: int) -> None:
        super().__init__(command)
        self.timeout, self.seed = timeout, seed
        self.extra: list[str] = []
        self.results: list[tuple[Game, str | None]] = []

    def first(self) -> None:
        program = self.fresh()
        program.send("START")
        read_move(Game("tricolor"), self.line(program))

    def second(self) -> None:
        program = self.fresh()
        try:
            early = program.receive(0.5)
        except PlayerFault as error:
            if error.kind != "time":
                raise
        else:
            raise _fail("said", line=early[:80])
        game = Game("tricolor")
        program.send(str(game.push(game.legal_moves[0])))
        read_move(game, self.line(program))

    def line(self, program: Program) -> str:
        return receive_contest_line(program, self.timeout)

    def game_first(self) -> str | None:
        return self.whole_game(0)

    def game_second(self) -> str | None:
        return self.whole_game(1)

    def whole_game(self, side: int) -> str | None:
        """Play games until one ends by the opponent's move; what the program writes then is kept for a later check."""
        for attempt in range(MOST_GAMES):
            if self.one_game(side, random.Random(f"{self.seed}/{side}/{attempt}")):
                return None
        return i18n.text("protocols.detail.by-us")

    def one_game(self, side: int, chance: random.Random) -> bool:
        program = self.fresh()
        game = Game("tricolor")
        word = "START"
        while not game.over:
            if game.turn == side:
                program.send(word)
                line = self.line(program)
                if "RESULT" in line:
                    trial = game.copy()
                    trial.push(read_move(trial, _second_word(line)))
                    if not trial.over:
                        raise Failed(i18n.message("protocols.contest.early", line=line[:80]))
                    game = trial
                    self.results.append((game, line))
                    return True
                game.push(read_move(game, line))
                self.extra += [text for text in program.drain() if text.strip() not in ("", "END")]
            else:
                greedy = GreedyPlayer().choose(game).move
                word = str(game.push(greedy if chance.random() < 0.7 else chance.choice(game.legal_moves)))
        if game.rules.owner(game.moves[-1].pit) == side:
            return False
        program.send(word)
        try:
            self.results.append((game, self.line(program)))
        except PlayerFault:
            self.results.append((game, None))
        return True

    def result(self) -> None:
        for game, line in self.results:
            true = [str(score) for score in game.scores]
            if line is None or "RESULT" not in line:
                raise _fail("no-result")
            if line.split()[-2:] != true:
                raise Failed(i18n.message("protocols.contest.other-result", line=line[:80], true=" ".join(true)))

    def only_moves(self) -> None:
        if self.extra:
            raise _fail("said", line=self.extra[0][:80])

    def end(self) -> None:
        program = self.fresh()
        program.send("START")
        self.line(program)
        program.end_input()
        if program.wait(5) is None:
            raise _fail("runs", seconds=5)


def check_contest(command: str, *, timeout: float = 2.0, seed: int = 1) -> list[Finding]:
    """Run all checks of a program for the three-colour contest."""
    return _Contest(command, timeout, seed).run()
