"""External programs as players: `uci:"COMMAND"` for engines that speak UCI, `contest:"COMMAND"` for programs of the
three-colour contest, `lines:"COMMAND"` for programs that answer each position with a move."""

from __future__ import annotations

import contextlib
import time

from awale import i18n
from awale.game import Game
from awale.players.base import BasePlayer, Choice, PlayerClock, PlayerFault
from awale.players.spec import PlayerSpec
from awale.protocols.external_process import END_SECONDS, Program, read_move, receive_contest_line, split_command
from awale.protocols.uci_client import GRACE_SECONDS, UciEngine
from awale.rules import reference
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.search.limits import Limit

CONTEST_TIMEOUT = 2.0
LINE_TIMEOUT = 10.0


class UciPlayer(BasePlayer):
    """An engine that speaks UCI."""

    def __init__(self, spec: PlayerSpec, rules: Rules) -> None:
        self.name = str(spec)
        self._limit = Limit(time=spec.seconds, depth=spec.depth, nodes=spec.nodes)
        self._engine = UciEngine(spec.command or "", rules, options=dict(spec.options))

    def warm_up(self) -> None:
        self._engine.start()

    def new_game(self) -> None:
        self._engine.new_game()

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        return self._engine.play(game, self._limit, clock=clock)

    def close(self) -> None:
        self._engine.close()


class _ProgramPlayer(BasePlayer):
    """A program that answers lines with lines."""

    def __init__(self, spec: PlayerSpec, timeout: float) -> None:
        self.name = str(spec)
        self._command = spec.command or ""
        split_command(self._command)
        self._timeout = spec.timeout or timeout
        self._program: Program | None = None

    def _seconds(self, clock: PlayerClock | None) -> float:
        return self._timeout if clock is None or clock.move is None else clock.move + GRACE_SECONDS


class ContestPlayer(_ProgramPlayer):
    """A program of the three-colour contest. It keeps the game itself, so it can only play from the usual start."""

    def __init__(self, spec: PlayerSpec) -> None:
        super().__init__(spec, CONTEST_TIMEOUT)
        self._known: tuple[Move, ...] = ()
        """The moves that the program has sent or been sent."""

    def new_game(self) -> None:
        """End the process: the protocol has no word for another game."""
        self.close()

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        moves = game.moves
        if self._program is None or len(moves) < len(self._known):
            self.close()
            if game.start != reference.start(game.rules) or len(moves) > 1:
                raise PlayerFault(i18n.message("protocols.contest.start"))
            self._program = Program(self._command)
        elif moves[:-1] != self._known:
            raise PlayerFault(i18n.message("protocols.contest.start"))
        try:
            self._program.send(str(moves[-1]) if moves else "START")
            line = receive_contest_line(self._program, self._seconds(clock))
            if "RESULT" in line:
                raise PlayerFault(i18n.message("protocols.contest.early", line=line[:80]), "illegal")
            move = read_move(game, line)
        except PlayerFault:
            self.close()
            raise
        self._known = (*moves, move)
        return Choice(move)

    def close(self) -> None:
        if self._program is not None:
            self._program.close()
        self._program, self._known = None, ()


class LinePlayer(_ProgramPlayer):
    """A program that keeps nothing: it is sent `play POSITION MOVE MOVE ...` and answers with one of the moves.

    Lines that begin with `#` are its own notes. At the end it is sent `quit`.
    """

    def __init__(self, spec: PlayerSpec) -> None:
        super().__init__(spec, LINE_TIMEOUT)

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        if self._program is None or not self._program.running:
            self.close()
            self._program = Program(self._command)
        deadline = time.monotonic() + self._seconds(clock)
        try:
            self._program.send(" ".join(["play", game.position, *map(str, game.legal_moves)]))
            while True:
                line = self._program.receive(max(0.0, deadline - time.monotonic())).strip()
                if line and not line.startswith("#"):
                    return Choice(read_move(game, line))
        except PlayerFault:
            self.close()
            raise

    def close(self) -> None:
        if self._program is not None:
            with contextlib.suppress(PlayerFault):
                self._program.send("quit")
            self._program.close(END_SECONDS)
        self._program = None
