"""One game between two players by name: the unit of work that processes and clusters are handed.

Whatever a player does, a game ends with a result: who breaks off, breaks the rules or oversteps his time loses.
"""

from __future__ import annotations

import hashlib
import time
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Literal

from awale import i18n, players
from awale.arena.errors import ArenaError
from awale.clock import minutes_and_seconds
from awale.errors import AwaleError, MoveError, PlayerFault
from awale.game import Game
from awale.notation import GameRecord
from awale.players import Choice, Player, PlayerClock, PlayerSpec, stopping
from awale.rules.description import Rules

Fault = Literal["time", "illegal", "crash"]
MAX_PLIES = 1000
"""A game that is longer is stopped, each keeping what he has captured."""


@dataclass(frozen=True, slots=True)
class Control:
    """How much time a player has: so many seconds a move, or a clock with an increment, or as much as he takes."""

    move: float | None = None
    base: float | None = None
    increment: float = 0.0
    margin: float = 0.5
    """Overstepping by no more than this is counted and forgiven: the machine may have been busy."""

    @classmethod
    def read(cls, *, time: float | None = None, clock: str | None = None, margin: float = 0.5) -> Control:
        """`time`: seconds a move. `clock`: minutes and increment in seconds, as in `5+3` or `0.1+0.05`."""
        if time is not None and clock is not None:
            raise ArenaError(i18n.message("arena.bad.time-and-clock"))
        if not 0 <= margin <= 3600:
            raise ArenaError(i18n.message("arena.bad.margin", margin=f"{margin:g}"))
        if time is not None:
            if not 0.001 <= time <= 86_400:
                raise ArenaError(i18n.message("arena.bad.time", time=f"{time:g}"))
            return cls(move=time, margin=margin)
        if clock is None:
            return cls(margin=margin)
        found = minutes_and_seconds(clock)
        if found is None or sum(found) <= 0:
            raise ArenaError(i18n.message("arena.bad.clock", clock=clock[:40]))
        return cls(base=found[0], increment=found[1], margin=margin)

    def __str__(self) -> str:
        if self.move is not None:
            return f"{self.move:g} s"
        return "" if self.base is None else f"{self.base / 60:g}+{self.increment:g}"


@dataclass(frozen=True, slots=True)
class Job:
    """A game to play. Everything that decides it is here, so it may be played anywhere, any number of times."""

    number: int
    pair: int
    """The two games of a pair have the same opening, sides swapped."""
    seats: tuple[int, int]
    """Which of the players of the match is South, and which North."""
    names: tuple[str, str]
    rules: Rules
    start: str | None
    opening: tuple[str, ...]
    seed: int
    control: Control = Control()
    max_plies: int = MAX_PLIES

    def chance(self, side: int) -> int:
        """The seed of a player's own chance in this game."""
        text = f"{self.seed}/{self.pair}/{self.number}/{side}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")

    def game(self) -> Game:
        """The position to play from."""
        return Game(self.rules, start=self.start, moves=self.opening)


@dataclass(slots=True)
class Played:
    """A game that was played."""

    number: int
    pair: int
    seats: tuple[int, int]
    start: str | None
    opening: int
    """So many of the moves were given, the others chosen."""
    moves: tuple[str, ...]
    winner: int | None
    """0 South, 1 North, None a draw."""
    scores: tuple[int, int]
    reason: str
    """As in `Outcome`, or `time`, `illegal`, `crash` when a player lost by that, or `length` for a game cut short."""
    fault: str = ""
    """What the loser did wrong, in words."""
    seconds: tuple[float, float] = (0.0, 0.0)
    chosen: tuple[int, int] = (0, 0)
    """The moves each player chose."""
    longest: tuple[float, float] = (0.0, 0.0)
    overruns: tuple[int, int] = (0, 0)
    """Moves that took longer than the player had."""
    overrun: tuple[float, float] = (0.0, 0.0)
    """By how much at most."""
    nodes: tuple[int, int] = (0, 0)

    def score(self, side: int) -> float:
        """1, half or nothing."""
        return 0.5 if self.winner is None else float(self.winner == side)

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        data = {name: getattr(self, name) for name in self.__slots__}
        data["moves"] = " ".join(self.moves)
        for name in ("seconds", "longest", "overrun"):
            data[name] = [round(value, 6) for value in data[name]]
        return data

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Played:
        """The same back; refuses what does not fit."""
        try:
            values: dict[str, Any] = {
                name: tuple(value) if isinstance(value, list) else value
                for name, value in data.items()
                if name in cls.__slots__
            }
            values["moves"] = tuple(str(data["moves"]).split())
            return cls(**values)
        except (TypeError, KeyError) as error:
            raise ArenaError(i18n.message("arena.journal.entry", problem=error)) from None

    def record(self, names: tuple[str, str], rules: Rules, tags: dict[str, str]) -> GameRecord:
        """The game as files keep it. `names`: South's and North's."""
        ended = "agreement" if self.reason in ("agreement", "length") else None
        game = Game(rules, start=self.start, moves=self.moves, ended=ended)
        told = {"South": names[0], "North": names[1], **tags}
        if not game.over:
            told["Termination"] = f"{self.reason}: {self.fault}" if self.fault else self.reason
        record = GameRecord.from_game(game, told)
        if not game.over:
            record.result = {0: "1-0", 1: "0-1", None: "1/2-1/2"}[self.winner]
        return record


@dataclass(slots=True)
class _Side:
    """A player at the board and the time he uses."""

    player: Player
    left: float | None
    seconds: float = 0.0
    chosen: int = 0
    longest: float = 0.0
    overruns: int = 0
    overrun: float = 0.0
    nodes: int = 0


@dataclass(slots=True)
class _Lost:
    """The player to move loses by his own doing."""

    reason: Fault
    fault: str = field(default="")


_kept: dict[tuple[str, str], Player] = {}
"""Outside programs stay started from game to game: starting one may take longer than a game."""


def close_kept() -> None:
    """End the outside programs that this process keeps."""
    while _kept:
        _kept.popitem()[1].close()


def warm_up(name: str, rules: Rules) -> None:
    """Compile, or load what was compiled, before any clock runs."""
    spec = PlayerSpec.parse(name)
    if not spec.persistent:
        with closing(spec.make(rules, 0)) as player:
            player.warm_up()


def _seat(name: str, rules: Rules, seed: int, control: Control, side: int) -> _Side:
    key = (f"{side}:{name}", repr(rules))
    player = _kept.get(key)
    if player is None:
        player = players.make(name, rules, seed)
        if PlayerSpec.parse(name).persistent:
            _kept[key] = player
    player.warm_up()
    player.new_game()
    return _Side(player, control.base)


def play(job: Job) -> Played:
    """Play a game to its end."""
    game = job.game()
    sides: list[_Side] = []
    lost: _Lost | None = None
    loser = 0
    try:
        for side, name in enumerate(job.names):
            try:
                sides.append(_seat(name, job.rules, job.chance(side), job.control, side))
            except AwaleError as error:
                lost, loser = _Lost("crash", str(error)), side
                break
        while lost is None and not game.over and game.ply < job.max_plies and not _goes_round(game):
            loser = game.turn
            lost = _move(game, sides[loser], sides[1 - loser], job.control)
    finally:
        for seat in sides:
            if seat.player not in _kept.values():
                seat.player.close()
    return _result(job, game, sides, lost, loser)


def _goes_round(game: Game) -> bool:
    """Return whether nothing in the rules ends a cycle, and the position is here for the third time."""
    return stopping.endless(game.rules) and game.repetitions() >= 2


def _move(game: Game, mover: _Side, other: _Side, control: Control) -> _Lost | None:
    given = control.move if control.move is not None else mover.left
    clock = None
    if given is not None:
        clock = PlayerClock(mover.left, control.increment, control.move, other.left)
    reason: Fault
    begun = time.perf_counter()
    try:
        choice: Choice | None = mover.player.choose(game.copy(), clock)
        failed, reason = "", "crash"
    except Exception as error:  # whatever it is, the other player must get his win
        choice = None
        failed = str(error) if isinstance(error, AwaleError) else f"{type(error).__name__}: {error}"
        reason = error.kind if isinstance(error, PlayerFault) else "crash"
    spent = time.perf_counter() - begun
    mover.seconds += spent
    mover.chosen += 1
    mover.longest = max(mover.longest, spent)
    if choice is None:
        return _Lost(reason, failed)
    mover.nodes += choice.nodes or 0
    if given is not None and spent > given:
        mover.overruns += 1
        mover.overrun = max(mover.overrun, spent - given)
        if spent > given + control.margin:
            said = i18n.text("arena.fault.time", "en", spent=f"{spent:.3f}", given=f"{max(0.0, given):.3f}")
            return _Lost("time", said)
    if mover.left is not None:
        mover.left = max(0.0, mover.left - spent) + control.increment
    try:
        game.push(choice.move)
    except MoveError as error:
        return _Lost("illegal", f"{choice.move}: {error}")
    return None


def _result(job: Job, game: Game, sides: list[_Side], lost: _Lost | None, loser: int) -> Played:
    south, north = game.scores
    winner: int | None
    if lost is not None:
        winner, reason, fault = 1 - loser, str(lost.reason), lost.fault
    else:
        outcome = game.outcome()
        if outcome is not None:
            winner, reason = outcome.winner, str(outcome.reason)
        else:
            winner = None if south == north else int(north > south)
            reason = "length" if game.ply >= job.max_plies else "agreement"
        fault = ""
    while len(sides) < 2:
        sides.append(_Side(players.BasePlayer(), None))
    first, second = sides
    return Played(
        number=job.number,
        pair=job.pair,
        seats=job.seats,
        start=job.start,
        opening=len(job.opening),
        moves=tuple(map(str, game.moves)),
        winner=winner,
        scores=(south, north),
        reason=reason,
        fault=fault[:500],
        seconds=(first.seconds, second.seconds),
        chosen=(first.chosen, second.chosen),
        longest=(first.longest, second.longest),
        overruns=(first.overruns, second.overruns),
        overrun=(first.overrun, second.overrun),
        nodes=(first.nodes, second.nodes),
    )
