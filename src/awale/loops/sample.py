"""How often a sowing is endless: on random boards, and in games."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.cores import cores
from awale.game import Game
from awale.kernels import convert
from awale.kernels.playouts import in_threads
from awale.loops import walk
from awale.loops.census import board_of, check_size
from awale.rules import get
from awale.rules.description import Rules
from awale.rules.moves import Move

CHUNK = 1 << 16
"""Starts per task."""
GAME_CHUNK = 1 << 8
GAME_LIMIT = 1000
"""Length at which a game that cycles is cut."""

Boards = Literal["uniform", "thrown"]
Chooser = Callable[[Game], Move]


class Interval(NamedTuple):
    low: float
    high: float


def interval(hits: int, count: int, sigmas: float = 1.959964) -> Interval:
    """Return the 95 % confidence interval of a frequency (E. B. Wilson, 1927).

    >>> low, high = interval(10, 1000)
    >>> f"{low:.5f} {high:.5f}"
    '0.00544 0.01831'
    """
    if count == 0:
        return Interval(0.0, 1.0)
    share, spread = hits / count, sigmas * sigmas / count
    middle = share + spread / 2
    width = sigmas * math.sqrt(share * (1 - share) / count + spread / (4 * count))
    low = (middle - width) / (1 + spread) if hits else 0.0
    high = (middle + width) / (1 + spread) if hits < count else 1.0
    return Interval(low, high)


@dataclass(frozen=True)
class Sample:
    """A sample. In games a start is every pit that the player to move could play."""

    pits: int
    seeds: int
    source: str
    starts: int
    endless: int
    laps: int
    period: int
    """The longest period met, and where."""
    board: tuple[int, ...]
    pit: int
    games: int
    positions: int
    """Positions of games, and how many of them had an endless move."""
    positions_with: int
    seed: int
    seconds: float

    @property
    def share(self) -> float:
        return self.endless / self.starts if self.starts else 0.0

    @property
    def interval(self) -> Interval:
        """Return the 95 % interval of the share. (The moves of a game are not independent: in games it is somewhat too
        narrow.)"""
        return interval(self.endless, self.starts)

    def as_dict(self) -> dict[str, Any]:
        facts: dict[str, Any] = {
            "pits": self.pits,
            "seeds": self.seeds,
            "source": self.source,
            "starts": self.starts,
            "endless": self.endless,
            "share": self.share,
            "one_in": self.starts / self.endless if self.endless else None,
            "interval": list(self.interval),
            "laps": self.laps,
            "longest_period": self.period,
            "longest_period_board": list(self.board),
            "longest_period_pit": self.pit + 1 if self.period else None,
            "seed": self.seed,
            "seconds": round(self.seconds, 3),
        }
        if self.games:
            facts |= {"games": self.games, "positions": self.positions, "positions_with": self.positions_with}
        return facts


Report = Callable[[int, int], None]
"""Called with the number of starts sown, and how many of them were endless."""


def sample_boards(
    pits: int,
    seeds: int,
    count: int,
    *,
    how: Boards = "uniform",
    seed: int = 0,
    threads: int | None = None,
    report: Report | None = None,
) -> Sample:
    """Sample random starts; the same ones for any number of threads.

    >>> sample_boards(12, 8, 1000, threads=1).endless
    0
    """
    check_size(pits, seeds)
    k = convert.pack_rules(get(f"ghana:pits={pits // 2},seeds=1"))
    kind = {"uniform": walk.UNIFORM, "thrown": walk.THROWN}[how]

    def chunk(first: int) -> NDArray[np.int64]:
        found = np.zeros(walk.SAMPLE_FIELDS, np.int64)
        walk.sample(k, seeds, kind, seed, first, min(CHUNK, count - first), found)
        return found

    return _gather(pits, seeds, how, chunk, iter(range(0, count, CHUNK)), count, seed, threads, report)


def sample_random_games(
    rules: Rules, count: int, *, seed: int = 0, threads: int | None = None, report: Report | None = None
) -> Sample:
    """Play random games from the start until `count` sowings were tried (the last games are finished)."""
    check_size(rules.holes, rules.total)
    k, start = convert.pack_game(Game(rules))

    def chunk(first: int) -> NDArray[np.int64]:
        found = np.zeros(walk.SAMPLE_FIELDS, np.int64)
        walk.random_games(k, start, seed, first, GAME_CHUNK, GAME_LIMIT, found)
        return found

    numbers = iter(range(0, 1 << 62, GAME_CHUNK))
    return _gather(rules.holes, rules.total, "random", chunk, numbers, count, seed, threads, report)


def sample_games(
    rules: Rules, count: int, choose: Chooser, name: str, *, seed: int = 0, report: Report | None = None
) -> Sample:
    """Play games in which `choose` picks the moves of both sides, after a few random ones so that games differ."""
    import random

    check_size(rules.holes, rules.total)
    k = convert.pack_rules(rules)
    chance = random.Random(seed)
    found = np.zeros(walk.SAMPLE_FIELDS, np.int64)
    begun = time.perf_counter()
    while found[walk.SOWN] < count:
        game = Game(rules)
        found[walk.GAMES] += 1
        while not game.over and game.ply < GAME_LIMIT:
            walk.count_endless(k, convert.pack_position(rules, game.state), found)
            game.push(chance.choice(game.legal_moves) if game.ply < RANDOM_PLIES else choose(game))
            if report is not None:
                report(int(found[walk.SOWN]), int(found[walk.ENDLESS]))
    return _sample(rules.holes, rules.total, name, found, seed, time.perf_counter() - begun)


RANDOM_PLIES = 6


def _gather(
    pits: int,
    seeds: int,
    source: str,
    chunk: Callable[[int], NDArray[np.int64]],
    numbers: Iterator[int],
    count: int,
    seed: int,
    threads: int | None,
    report: Report | None,
) -> Sample:
    """Add up chunks in order until there are enough starts."""
    begun = time.perf_counter()
    total = np.zeros(walk.SAMPLE_FIELDS, np.int64)
    summed = [walk.SOWN, walk.ENDLESS, walk.LAPS_SOWN, walk.GAMES, walk.POSITIONS, walk.WITH_ENDLESS]
    for found in in_threads(chunk, numbers, threads or cores()):
        total[summed] += found[summed]
        if found[walk.TOP_PERIOD] > total[walk.TOP_PERIOD]:
            total[walk.TOP_PERIOD : walk.TOP_PIT + 1] = found[walk.TOP_PERIOD : walk.TOP_PIT + 1]
        if report is not None:
            report(int(total[walk.SOWN]), int(total[walk.ENDLESS]))
        if total[walk.SOWN] >= count:
            break
    return _sample(pits, seeds, source, total, seed, time.perf_counter() - begun)


def _sample(pits: int, seeds: int, source: str, found: NDArray[np.int64], seed: int, seconds: float) -> Sample:
    period = int(found[walk.TOP_PERIOD])
    return Sample(
        pits=pits,
        seeds=seeds,
        source=source,
        starts=int(found[walk.SOWN]),
        endless=int(found[walk.ENDLESS]),
        laps=int(found[walk.LAPS_SOWN]),
        period=period,
        board=board_of(pits, found[walk.TOP_MINE], found[walk.TOP_THEIRS]) if period else (),
        pit=int(found[walk.TOP_PIT]),
        games=int(found[walk.GAMES]),
        positions=int(found[walk.POSITIONS]),
        positions_with=int(found[walk.WITH_ENDLESS]),
        seed=seed,
        seconds=seconds,
    )
