"""A client for engines that speak UCI, as oware engines do.

    with UciEngine("my-engine --fast", rules="abapa") as engine:
        choice = engine.play(game, Limit(time=0.5))
        analysis = engine.analyse(game, Limit(depth=12))

`AsyncUciEngine` is the same for asyncio. `awale.Engine` has the same `play` and `analyse` in process.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Self, TypeVar

from awale import i18n
from awale.errors import GameStateError, MoveError, PlayerError, PlayerFault
from awale.game import Game
from awale.players.base import Choice, PlayerClock
from awale.protocols.external_process import Program, read_move, split_command
from awale.rules import get, positions, reference
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.search.analysis import Analysis, MoveValue, Value
from awale.search.limits import Limit

HELLO_SECONDS = 20.0
"""For an engine to say `uciok`, which is to come before it loads or compiles anything."""
READY_SECONDS = 120.0
"""For an engine to say `readyok`: some load large files or compile something first."""
GRACE_SECONDS = 5.0
"""How long after its time an engine is still waited for, before it is ended. Who loses on time is the match's word."""
LONGEST_SEARCH = 3600.0
DEFAULT_MOVE_SECONDS = 1.0

Info = dict[str, int | float | str]
_Result = TypeVar("_Result")


@dataclass(slots=True)
class Introduction:
    """What an engine says about itself between `uci` and `uciok`."""

    name: str = ""
    author: str = ""
    options: dict[str, str] = field(default_factory=dict)
    """The options' names in lower case, and the whole line of each."""

    def read(self, line: str) -> None:
        """Take in a line."""
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
        """The rules it says that it plays."""
        return tuple(re.findall(r"\bvar\s+(\S+)", self.options.get("uci_variant", "")))

    def variant(self, rules: Rules) -> str | None:
        """Return the engine's own name for these rules; None where it names none."""
        return {name.casefold(): name for name in self.variants}.get(rules.name.casefold())


def introduce(program: Program, introduction: Introduction, seconds: float) -> None:
    """Wait for `uciok`; a program that does not say it is quoted in the fault."""
    printed: list[str] = []

    def read(line: str) -> None:
        introduction.read(line)
        printed.append(line)

    try:
        program.receive_until("uciok", seconds, read)
    except PlayerFault as error:
        lines = [*printed[-4:], *program.stderr_tail.splitlines()[-2:]]
        said = " / ".join(line.strip()[:80] for line in lines if line.strip())
        if not said:
            raise
        message = i18n.message("protocols.uci.printed", problem=error.said or str(error), printed=said)
        raise PlayerFault(message, error.kind) from None


def position_line(game: Game) -> str:
    """Return the `position` command of a game, with its moves, so that repetitions are seen."""
    if game.start == reference.start(game.rules):
        line = "position startpos"
    else:
        line = f"position fen {positions.write(game.rules, game.start)}"
    if not game.moves:
        return line
    separator = "" if game.rules.notation.startswith("letters") else " "
    return f"{line} moves {separator.join(map(str, game.moves))}"


def go_line(limit: Limit, turn: int, clock: PlayerClock | None = None) -> tuple[str, float]:
    """Return the `go` command and how many seconds the answer may take. A clock takes the place of the limit's time."""
    seconds, words = limit.time, ["go"]
    if clock is not None and clock.move is not None:
        seconds = clock.move
    elif clock is not None and clock.left is not None:
        left = [clock.left, clock.left]
        left[1 - turn] = clock.left if clock.opponent_left is None else clock.opponent_left
        south, north = (max(1, round(1000 * side)) for side in left)
        increment = round(1000 * clock.increment)
        return f"go wtime {south} btime {north} winc {increment} binc {increment}", clock.left
    if seconds is None and limit.unbounded:
        seconds = DEFAULT_MOVE_SECONDS
    if seconds is not None:
        words.append(f"movetime {max(1, round(1000 * seconds))}")
    if limit.depth is not None:
        words.append(f"depth {limit.depth}")
    if limit.nodes is not None:
        words.append(f"nodes {limit.nodes}")
    return " ".join(words), LONGEST_SEARCH if seconds is None else seconds


_MULTI = re.compile(r"\bmultipv\s+([0-9]{1,3})\b")
_NUMBER = {name: re.compile(rf"\b{name}\s+(-?[0-9]{{1,15}})\b") for name in ("depth", "nodes", "nps", "time", "cp")}


def read_info(game: Game, line: str) -> tuple[float | None, int | None, tuple[Move, ...], Info]:
    """Return what an `info` line says: value in seeds, nodes, the variation as far as it is legal, and the rest."""
    head, _, tail = line.partition(" pv ")
    found = {name: int(match[1]) for name, pattern in _NUMBER.items() if (match := pattern.search(head))}
    info: Info = {name: found[name] for name in ("depth", "nps", "time") if name in found}
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
    return value, found.get("nodes"), trial.moves[len(game.moves) :], info


class UciEngine:
    """An engine in a process of its own, started when it is first needed. One search at a time."""

    def __init__(
        self, command: str, rules: str | Rules = "abapa", *, options: Mapping[str, str | int] | None = None
    ) -> None:
        """`command`: as in a shell. `options`: sent to the engine by `setoption`."""
        split_command(command)
        self.command, self.rules = command, get(rules).variant(direction="counter-clockwise")  # a program does not draw
        self._options = dict(options or {})
        self._program: Program | None = None
        self._sent: dict[str, str] = {}
        """The options that searches have set."""
        self.introduction = Introduction()

    def start(self) -> Program:
        """Start the engine unless it runs, and return its process."""
        if self._program is not None and self._program.running:
            return self._program
        self.close()
        program = self._program = Program(self.command)
        try:
            self.introduction, self._sent = Introduction(), {}
            program.send("uci")
            introduce(program, self.introduction, HELLO_SECONDS)
            self._choose_rules(program)
            for name, value in self._options.items():
                program.send(f"setoption name {name} value {value}")
            self._wait_until_ready(program)
        except BaseException:
            self.close()
            raise
        return program

    def _choose_rules(self, program: Program) -> None:
        name, variants = self.introduction.variant(self.rules), self.introduction.variants
        if name is not None:
            program.send(f"setoption name UCI_Variant value {name}")
        elif variants or self.rules.name != "abapa":
            known = ", ".join(variants) or "abapa"
            raise PlayerError(i18n.message("protocols.uci.rules", rules=self.rules.name, known=known))

    def _wait_until_ready(self, program: Program) -> None:
        program.send("isready")
        program.receive_until("readyok", READY_SECONDS)

    def new_game(self) -> None:
        """Tell the engine that another game begins."""
        program = self.start()
        program.send("ucinewgame")
        self._wait_until_ready(program)

    def play(self, game: Game, limit: Limit | None = None, *, clock: PlayerClock | None = None) -> Choice:
        """Return the engine's move. One second without a limit or a clock."""
        move, lines = self._search(game, limit or Limit(), clock)
        value, nodes, variation, info = read_info(game, lines[0])
        return Choice(move, value, variation or (move,), nodes, info)

    def analyse(self, game: Game, limit: Limit | None = None, *, multi: int = 1) -> Analysis:
        """Return the engine's last analysis of a position. One second without a limit.

        `multi`: so many of the best moves have values and lines, if the engine has the option MultiPV.
        """
        began = time.perf_counter()
        move, lines = self._search(game, limit or Limit(), None, multi)
        found = [read_info(game, line) for line in lines]
        seeds, nodes, variation, info = found[0]
        value = Value(seeds or 0.0, game.turn)
        others = [
            MoveValue(line[0], Value(other or 0.0, game.turn), line=line) for other, _, line, _ in found[1:] if line
        ]
        return Analysis(
            rules=game.rules,
            position=game.position,
            turn=game.turn,
            depth=int(info.get("depth", 0)),
            value=value,
            line=variation or (move,),
            moves=(MoveValue(move, value, line=variation or (move,)), *others),
            nodes=nodes or 0,
            seconds=time.perf_counter() - began,
            final=True,
        )

    def _set(self, program: Program, name: str, value: float | None) -> None:
        """Set an option that the engine has, unless it has this value or none is wanted."""
        text = None if value is None else f"{max(1, round(value))}"
        if text is not None and name.lower() in self.introduction.options and self._sent.get(name) != text:
            program.send(f"setoption name {name} value {text}")
            self._sent[name] = text

    def _search(self, game: Game, limit: Limit, clock: PlayerClock | None, multi: int = 1) -> tuple[Move, list[str]]:
        """Return the best move and the last `info` line with a value or a variation of each of the best moves."""
        if game.over:
            raise GameStateError(i18n.message("search.bad.over"))
        last: dict[int, str] = {1: ""}

        def read(line: str) -> None:
            if line.startswith("info ") and (" score " in line or " pv " in line):
                number = _MULTI.search(line.partition(" pv ")[0])
                last[1 if number is None else int(number[1])] = line

        try:
            program = self.start()
            program.drain()
            self._set(program, "Hash", limit.hash_mb)
            self._set(program, "Threads", limit.threads)
            self._set(program, "MultiPV", multi if multi != 1 or "MultiPV" in self._sent else None)
            program.send(position_line(game))
            go, seconds = go_line(limit, game.turn, clock)
            program.send(go)
            answer = program.receive_until("bestmove", seconds + GRACE_SECONDS, read)
            return read_move(game, [*answer.split(), ""][1]), [last[number] for number in sorted(last)]
        except PlayerFault:
            self.close()  # whatever it says later is not an answer to the next question
            raise

    def stop(self) -> None:
        """Ask a search that another thread waits for to answer now."""
        program = self._program
        if program is not None:
            with contextlib.suppress(PlayerFault):
                program.send("stop")

    def close(self) -> None:
        """End the engine."""
        if self._program is not None:
            program, self._program = self._program, None
            try:
                program.send("quit", 0.2)
            except PlayerFault:
                program.close()
            else:
                program.close(0.5)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncUciEngine:
    """The same for asyncio. A cancelled call stops the search; the engine can be used again."""

    def __init__(
        self, command: str, rules: str | Rules = "abapa", *, options: Mapping[str, str | int] | None = None
    ) -> None:
        self._engine = UciEngine(command, rules, options=options)
        self._lock = asyncio.Lock()

    @property
    def introduction(self) -> Introduction:
        return self._engine.introduction

    async def play(self, game: Game, limit: Limit | None = None, *, clock: PlayerClock | None = None) -> Choice:
        """Return the engine's move."""
        position = game.copy()
        return await self._run(lambda: self._engine.play(position, limit, clock=clock))

    async def analyse(self, game: Game, limit: Limit | None = None, *, multi: int = 1) -> Analysis:
        """Return the engine's last analysis of a position."""
        position = game.copy()
        return await self._run(lambda: self._engine.analyse(position, limit, multi=multi))

    async def new_game(self) -> None:
        """Tell the engine that another game begins."""
        await self._run(self._engine.new_game)

    async def close(self) -> None:
        """End the engine, and a search that is under way."""
        self._engine.stop()
        await self._run(self._engine.close)

    async def _run(self, work: Callable[[], _Result]) -> _Result:
        """Do some work in a thread; when cancelled, return only when the thread has left the engine."""
        async with self._lock:
            thread = asyncio.ensure_future(asyncio.to_thread(work))
            try:
                return await asyncio.shield(thread)
            except asyncio.CancelledError:
                ending = asyncio.ensure_future(self._end_search(thread))
                while not ending.done():
                    with contextlib.suppress(asyncio.CancelledError):  # cancelled again
                        await asyncio.shield(ending)
                raise

    async def _end_search(self, thread: asyncio.Future[_Result]) -> None:
        self._engine.stop()
        done, _ = await asyncio.wait([thread], timeout=GRACE_SECONDS)
        if not done:
            await asyncio.to_thread(self._engine.close)
            await asyncio.wait([thread])
        thread.exception()  # nobody else asks for it

    async def __aenter__(self) -> Self:
        await self._run(self._engine.start)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
