"""Random games by the million: every legal move equally likely, the same games for any number of threads."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.errors import AwaleError
from awale.game import Game
from awale.kernels import ENDINGS, NO_MOVE, REPETITION, convert, generic
from awale.kernels.bits import CHOICES, FAIR, nth_bit, popcount
from awale.kernels.jit import jit
from awale.kernels.repetition import came_back, remember, trace
from awale.kernels.rng import advance, below, stream
from awale.rules.description import Rules

PLY_LIMIT = 2000
"""Where a game that nothing ends is cut: `casabianca`, `wikipedia` and `ghana` have cycles."""
CHUNK = 512
"""Games that a thread takes at a time."""

PLIES, SOUTH_WINS, NORTH_WINS, DRAWS, UNFINISHED, SOUTH_SEEDS, NORTH_SEEDS, LONGEST, FIRST_REASON = range(9)


@jit(forceinline=True)
def choose(mask: int, random: Any) -> int:
    """One of the set bits. The next move hangs on it, so on small boards all that needs the mask is one look-up; the
    number is drawn meanwhile."""
    if mask < 64:
        return int(CHOICES[(mask << 6) | below(random, FAIR)])
    return nth_bit(mask, below(random, popcount(mask)))


@jit
def random_game(
    k: Any,
    start: Any,
    repetition: int,
    seed: int,
    number: int,
    limit: int,
    rows: NDArray[np.int64],
    moves: NDArray[np.int64],
) -> tuple[Any, int, int, int]:
    """One game: the last state, the ending's code (0: cut at the limit), who moved last, and the number of moves,
    which are left in `moves`. `rows` is room for the positions since the last capture."""
    state = start
    last = 1 - start.turn
    random = stream(seed, number)
    code = 0
    seen = 0
    remembered = 0
    plies = 0
    while True:
        code = generic.stopped(k, state, last) if plies else 0
        if code != 0:
            break
        if repetition:
            bit = trace(state)
            if seen & bit and came_back(state, rows, 0, remembered):
                code = REPETITION
                break
            seen |= bit
            remember(state, rows, remembered)
            remembered += 1
        mask = generic.legal(k, state)
        if mask == 0:
            code = NO_MOVE
            break
        if plies >= limit:
            break
        random = advance(random)
        move = choose(mask, random)
        moves[plies] = move
        plies += 1
        last = state.turn
        captured = state.south + state.north
        state = generic.play(k, state, move)
        if state.south + state.north != captured:
            remembered = 0
            seen = 0
    return state, code, last, plies


@jit
def random_games(
    k: Any, start: Any, repetition: int, seed: int, first: int, games: int, limit: int, totals: NDArray[np.int64]
) -> None:
    """So many games, from the number `first` on, added up in `totals`."""
    rows = np.empty((limit + 1, len(start)), np.int64)
    moves = np.empty(limit, np.int64)
    for number in range(first, first + games):
        state, code, last, plies = random_game(k, start, repetition, seed, number, limit, rows, moves)
        totals[PLIES] += plies
        totals[LONGEST] = max(totals[LONGEST], plies)
        if code == 0:
            totals[UNFINISHED] += 1
            continue
        south, north = generic.final(k, state, code, last)
        totals[SOUTH_SEEDS] += south
        totals[NORTH_SEEDS] += north
        totals[FIRST_REASON + code] += 1
        if south > north:
            totals[SOUTH_WINS] += 1
        elif north > south:
            totals[NORTH_WINS] += 1
        else:
            totals[DRAWS] += 1


# -- in Python -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Playouts:
    """What came of a number of random games."""

    rules: str
    start: str
    games: int
    seed: int
    limit: int
    threads: int
    seconds: float
    plies: int
    longest: int
    south_wins: int
    north_wins: int
    draws: int
    unfinished: int
    """Games cut at the limit; they count nowhere below."""
    south_seeds: int
    north_seeds: int
    reasons: dict[str, int]

    @property
    def mean_plies(self) -> float:
        return self.plies / self.games

    @property
    def rate(self) -> float:
        """Plies a second, all threads together."""
        return self.plies / self.seconds if self.seconds > 0 else 0.0

    def as_dict(self) -> dict[str, Any]:
        """For JSON: the counts, then what the machine needed for them."""
        finished = max(1, self.games - self.unfinished)
        return {
            "rules": self.rules,
            "start": self.start,
            "games": self.games,
            "seed": self.seed,
            "ply_limit": self.limit,
            "plies": self.plies,
            "mean_plies": round(self.mean_plies, 4),
            "longest": self.longest,
            "south_wins": self.south_wins,
            "north_wins": self.north_wins,
            "draws": self.draws,
            "unfinished": self.unfinished,
            "reasons": self.reasons,
            "mean_south_seeds": round(self.south_seeds / finished, 4),
            "mean_north_seeds": round(self.north_seeds / finished, 4),
            "threads": self.threads,
            "seconds": round(self.seconds, 6),
            "plies_per_second": round(self.rate),
        }


def cores() -> int:
    """The processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def playouts(game: Game, games: int, *, seed: int = 0, threads: int | None = None, limit: int = PLY_LIMIT) -> Playouts:
    """Play random games from where a game stands; by default on all cores. The same seed gives the same games.

    >>> result = playouts(Game("abapa"), 100, seed=1)
    >>> result.south_wins + result.north_wins + result.draws
    100
    """
    threads = cores() if threads is None else threads
    _check("games", games, 1, 10**12)
    _check("threads", threads, 1, 1024)
    _check("seed", seed, 0, 2**63 - 1)
    _check("limit", limit, 1, 1_000_000)
    if game.over:
        raise AwaleError("the game is over: no game can be played from here")
    k, state = convert.pack_game(game)
    repetition = int(game.rules.repetition != "none")
    room = FIRST_REASON + len(ENDINGS)
    random_games(k, state, repetition, seed, 0, 0, limit, np.zeros(room, np.int64))  # compiled before the clock starts

    def chunk(first: int) -> NDArray[np.int64]:
        totals = np.zeros(room, np.int64)
        random_games(k, state, repetition, seed, first, min(size, games - first), limit, totals)
        return totals

    # Small enough for the threads to finish together, large enough not to matter.
    size = max(1, min(CHUNK, games // (4 * threads)))
    size = max(size, games // 100_000)
    begun = time.perf_counter()
    sums = np.zeros(room, np.int64)
    longest = 0
    with ThreadPoolExecutor(threads) as pool:
        for totals in pool.map(chunk, range(0, games, size)):
            longest = max(longest, int(totals[LONGEST]))
            sums += totals
    seconds = time.perf_counter() - begun
    total = [int(n) for n in sums]
    return Playouts(
        rules=game.rules.name,
        start=game.position,
        games=games,
        seed=seed,
        limit=limit,
        threads=threads,
        seconds=seconds,
        plies=total[PLIES],
        longest=longest,
        south_wins=total[SOUTH_WINS],
        north_wins=total[NORTH_WINS],
        draws=total[DRAWS],
        unfinished=total[UNFINISHED],
        south_seeds=total[SOUTH_SEEDS],
        north_seeds=total[NORTH_SEEDS],
        reasons={ENDINGS[code]: n for code, n in enumerate(total[FIRST_REASON:]) if n},
    )


def playout_moves(rules: Rules, state: Any, number: int, *, seed: int = 0, limit: int = PLY_LIMIT) -> list[int]:
    """The moves of one of those games, as the numbers of `legal`'s bits."""
    rows = np.zeros((limit + 1, len(state)), np.int64)
    moves = np.zeros(limit, np.int64)
    repetition = int(rules.repetition != "none")
    *_, plies = random_game(convert.pack_rules(rules), state, repetition, seed, number, limit, rows, moves)
    return [int(move) for move in moves[:plies]]


def playout_game(game: Game, number: int, *, seed: int = 0, limit: int = PLY_LIMIT) -> Game:
    """One of those games, to look at: the same moves pushed on a copy of the game they start from.

    >>> playout_game(Game("abapa"), 7, seed=1).over
    True
    """
    _, state = convert.pack_game(game)
    played = Game(game.rules, start=game.state)
    for move in playout_moves(game.rules, state, number, seed=seed, limit=limit):
        played.push(convert.move_of(game.rules, played.turn, move))
    return played


def _check(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise AwaleError(f"{name}: must be from {least} to {most}, not {value}")
