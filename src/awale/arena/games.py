"""One game between two players by name: the unit of work of processes and clusters.

Every game ends with a result: a player who crashes, plays an illegal move or exceeds the time loses.
"""

from __future__ import annotations

import hashlib
from contextlib import closing
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from awale import i18n
from awale.arena.adjudication import ADJUDICATED, Adjudication, Adjudicator, Verdict
from awale.arena.errors import ArenaError
from awale.errors import AwaleError
from awale.game import Game
from awale.match import Clock, Match, Seat, TimeControl, choose, failure
from awale.notation import GameRecord
from awale.notation.records import BARE_RESULTS
from awale.players import Player, PlayerSpec
from awale.rules.description import Rules

MAX_PLIES = 1000
"""A longer game is stopped, each side keeping what it has captured."""


def time_control(*, seconds: float | None = None, clock: str | None = None, margin: float = 0.5) -> TimeControl | None:
    """Return the time control of a match: `seconds` per move, or a `clock` such as `5+3`; None without either.

    `margin`: exceeding the time by no more than this is counted and forgiven, because the machine may be busy.
    """
    if seconds is not None and clock is not None:
        raise ArenaError(i18n.message("arena.bad.time-and-clock"))
    if not 0 <= margin <= 3600:
        raise ArenaError(i18n.message("arena.bad.margin", margin=f"{margin:g}"))
    if clock is not None:
        return TimeControl.parse(clock, margin=margin)
    if seconds is None:
        return None
    if not 0.001 <= seconds <= 86_400:
        raise ArenaError(i18n.message("arena.bad.time", time=f"{seconds:g}"))
    return TimeControl(seconds, per_move=True, margin=margin)


@dataclass(frozen=True, slots=True)
class Job:
    """A game to play. It determines the game completely, so it may be played anywhere, any number of times."""

    number: int
    pair: int
    """The two games of a pair have the same opening, sides swapped."""
    seats: tuple[int, int]
    """The indices of the players who are South and North."""
    names: tuple[str, str]
    rules: Rules
    start: str | None
    opening: tuple[str, ...]
    seed: int
    control: TimeControl | None = None
    north_control: TimeControl | None = None
    """North's, where it is another than South's."""
    adjudication: Adjudication | None = None
    max_plies: int = MAX_PLIES
    objects: tuple[Player | None, Player | None] = (None, None)
    """The players that were given as objects, not by name."""

    def chance(self, side: int) -> int:
        """Return the random seed of a player in this game."""
        text = f"{self.seed}/{self.pair}/{self.number}/{side}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")

    def game(self) -> Game:
        """Return the position to play from."""
        return Game(self.rules, start=self.start, moves=self.opening)

    def match(self, seats: tuple[Seat, Seat]) -> Match:
        """Return the match to play."""
        clock = None if self.control is None else Clock(self.control, north=self.north_control)
        return Match(self.game(), seats, clock=clock, max_plies=self.max_plies, clock_from_start=True)


@dataclass(slots=True)
class Played:
    """The result of a game."""

    number: int
    pair: int
    seats: tuple[int, int]
    start: str | None
    opening: int
    """How many of the moves were given."""
    moves: tuple[str, ...]
    winner: int | None
    """0 South, 1 North, None a draw."""
    scores: tuple[int, int]
    reason: str
    """As in `Outcome`, or `time`, `illegal`, `crash` when a player lost by that, `length` for a game cut short, or
    `draw` or `tables` for one that was adjudicated."""
    fault: str = ""
    """What the loser did wrong, as a sentence."""
    seconds: tuple[float, float] = (0.0, 0.0)
    chosen: tuple[int, int] = (0, 0)
    """The number of moves each player chose."""
    longest: tuple[float, float] = (0.0, 0.0)
    overruns: tuple[int, int] = (0, 0)
    """Moves that exceeded the time limit."""
    overrun: tuple[float, float] = (0.0, 0.0)
    """The largest excess."""
    nodes: tuple[int, int] = (0, 0)

    def score(self, side: int) -> float:
        """Return 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(self.winner == side)

    def as_data(self) -> dict[str, Any]:
        """Return the result for JSON."""
        data = {name: getattr(self, name) for name in self.__slots__}
        data["moves"] = " ".join(self.moves)
        for name in ("seconds", "longest", "overrun"):
            data[name] = [round(value, 6) for value in data[name]]
        return data

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Played:
        """Read the result from JSON; raise an error for invalid data."""
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
        """Return the game as a record. `names`: South's and North's."""
        game = Game(rules, start=self.start, moves=self.moves)
        fault = {"Fault": self.fault} if self.fault else {}
        tags = {"South": names[0], "North": names[1], **fault, **tags}
        if self.reason in ADJUDICATED:
            record = GameRecord.from_game(game, {**tags, "Termination": "adjudication"})
            record.result = BARE_RESULTS[self.winner]
            return record
        if not game.over:
            ended = self.reason
            if self.winner is not None and ended not in ("agreement", "length"):
                ended += f"-{1 - self.winner}"
            game = Game(rules, start=self.start, moves=self.moves, ended=ended)
        return GameRecord.from_game(game, tags)


_persistent: dict[tuple[int, str, Rules], Player] = {}
"""External programs stay running between games, unless they are to be restarted: starting one may take longer than a
game."""
_warm: set[tuple[str, Rules]] = set()


def close_persistent() -> None:
    """Close the players kept between games."""
    while _persistent:
        _persistent.popitem()[1].close()


def warm_up(name: str, rules: Rules) -> None:
    """Load and compile what a player needs before any clock runs, once per process."""
    spec = PlayerSpec.parse(name)
    if not spec.persistent and (name, rules) not in _warm:
        _warm.add((name, rules))
        with closing(spec.make(rules, 0)) as player:
            player.warm_up()


def _seat(name: str, rules: Rules, seed: int, side: int, given: Player | None) -> Seat:
    """Return the seat of a player by name, ready for a new game."""
    if given is not None:
        given.new_game()
        return Seat(name, person=False, player=given)
    warm_up(name, rules)
    spec = PlayerSpec.parse(name)
    player = _persistent.get((side, name, rules)) or spec.make(rules, seed)
    if spec.persistent and not spec.restart:
        _persistent[side, name, rules] = player
    player.new_game()
    return Seat(name, person=False, player=player)


def play(job: Job) -> Played:
    """Play a game to its end."""
    seats: list[Seat] = []
    nodes = [0, 0]
    match = job.match((Seat(person=False), Seat(person=False)))
    try:
        for side, name in enumerate(job.names):
            try:
                seats.append(_seat(name, job.rules, job.chance(side), side, job.objects[side]))
            except AwaleError as error:
                match.fail(side, *failure(error), now=0.0)
                break
        else:
            match.seats = (seats[0], seats[1])
        adjudicator = None if job.adjudication is None else Adjudicator(job.adjudication)
        while not match.over:
            side = match.turn
            _, choice = choose(match, perf_counter)
            nodes[side] += choice.nodes or 0 if choice is not None else 0
            if adjudicator is not None and not match.over and choice is not None:
                verdict = adjudicator.after(match.game, side, choice.value)
                if verdict is not None and verdict.reason == "resignation":
                    assert verdict.winner is not None
                    match.resign(1 - verdict.winner, perf_counter())
                elif verdict is not None:
                    return _result(job, match, verdict, (nodes[0], nodes[1]))
    finally:
        for seat in seats:
            if seat.player is not None and seat.player not in (*_persistent.values(), *job.objects):
                seat.player.close()
    outcome = match.game.outcome()
    assert outcome is not None
    return _result(job, match, Verdict(outcome.winner, outcome.scores, outcome.reason), (nodes[0], nodes[1]))


def _result(job: Job, match: Match, outcome: Verdict, nodes: tuple[int, int]) -> Played:
    first, second = match.usage
    return Played(
        number=job.number,
        pair=job.pair,
        seats=job.seats,
        start=job.start,
        opening=len(job.opening),
        moves=tuple(map(str, match.game.moves)),
        winner=outcome.winner,
        scores=outcome.scores,
        reason=outcome.reason,
        fault=match.fault,
        seconds=(first.seconds, second.seconds),
        chosen=(first.moves, second.moves),
        longest=(first.longest, second.longest),
        overruns=(first.overruns, second.overruns),
        overrun=(first.worst_overrun, second.worst_overrun),
        nodes=nodes,
    )
