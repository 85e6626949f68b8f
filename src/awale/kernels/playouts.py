"""Random games by the million: every legal move equally likely, the same games for any number of threads."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from awale.cores import cores
from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import message
from awale.kernels import ENDINGS, NO_MOVE, REPETITION, convert, generic
from awale.kernels.bits import CHOICES, FAIR, nth_bit, popcount
from awale.kernels.jit import jit
from awale.kernels.repetition import came_back, remember, trace
from awale.kernels.rng import advance, below, stream
from awale.rules.description import Rules

Item = TypeVar("Item")
Result = TypeVar("Result")
PLY_LIMIT = 2000
"""Length at which a game is cut: `casabianca`, `wikipedia` and `ghana` have cycles."""
CHUNK = 4096
"""Games per task: some milliseconds of work."""

CUT = -1
PLIES, SOUTH_WINS, NORTH_WINS, DRAWS, UNFINISHED, SOUTH_SEEDS, NORTH_SEEDS, LONGEST, FIRST_REASON = range(9)


@jit(forceinline=True)
def choose(mask: int, random: Any) -> int:
    """Return one of the set bits. On small boards a single look-up depends on the mask, which shortens the dependency
    chain."""
    if mask < 64:
        return int(CHOICES[(mask << 6) | below(random, FAIR)])
    return nth_bit(mask, below(random, popcount(mask)))


class Run(NamedTuple):
    """A random game in progress."""

    state: Any
    last: int
    """Who moved last."""
    random: Any
    seen: int
    """See `repetition`: the traces of the positions since the last capture, and their number."""
    remembered: int
    plies: int
    code: int
    """0 while the game goes on, then its ending's code, or CUT."""
    move: int


@jit(forceinline=True)
def begin(start: Any, seed: int, number: int) -> Run:
    return Run(start, 1 - start.turn, stream(seed, number), 0, 0, 0, 0, 0)


@jit(forceinline=True)
def end(run: Run, code: int) -> Run:
    return Run(run.state, run.last, run.random, run.seen, run.remembered, run.plies, code, run.move)


@jit(forceinline=True)
def one_ply(k: Any, run: Run, repetition: int, limit: int, rows: NDArray[np.int64]) -> Run:
    """Play a move, or detect the end of the game. `rows` stores the positions since the last capture."""
    state, plies = run.state, run.plies
    seen, remembered = run.seen, run.remembered
    code = generic.stopped(k, state, run.last) if plies else 0
    if code != 0:
        return end(run, code)
    if repetition:
        bit = trace(state)
        if seen & bit and came_back(state, rows, 0, remembered):
            return end(run, REPETITION)
        seen |= bit
        remember(state, rows, remembered)
        remembered += 1
    mask = generic.legal(k, state)
    if mask == 0:
        return end(run, NO_MOVE)
    if plies >= limit:
        return end(run, CUT)
    random = advance(run.random)
    move = choose(mask, random)
    after = generic.play(k, state, move)
    if after.south + after.north != state.south + state.north:
        seen = 0
        remembered = 0
    return Run(after, state.turn, random, seen, remembered, plies + 1, 0, move)


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
) -> int:
    """Play one game; return the number of moves, which are written to `moves`."""
    run = begin(start, seed, number)
    while True:
        run = one_ply(k, run, repetition, limit, rows)
        if run.code != 0:
            return run.plies
        moves[run.plies - 1] = run.move


@jit
def tally(k: Any, run: Run, totals: NDArray[np.int64]) -> None:
    """Add a finished game to the totals."""
    totals[PLIES] += run.plies
    totals[LONGEST] = max(totals[LONGEST], run.plies)
    if run.code == CUT:
        totals[UNFINISHED] += 1
        return
    south, north = generic.final(k, run.state, run.code, run.last)
    totals[SOUTH_SEEDS] += south
    totals[NORTH_SEEDS] += north
    totals[FIRST_REASON + run.code] += 1
    if south > north:
        totals[SOUTH_WINS] += 1
    elif north > south:
        totals[NORTH_WINS] += 1
    else:
        totals[DRAWS] += 1


@jit
def random_games(
    k: Any, start: Any, repetition: int, seed: int, first: int, games: int, limit: int, totals: NDArray[np.int64]
) -> None:
    """Play `count` games from the number `first` on and add them to `totals`.

    Two at a time: instruction-level parallelism hides the latency of each game's dependency chain.
    """
    rows = np.empty((limit + 1, len(start)), np.int64)
    other_rows = np.empty((limit + 1, len(start)), np.int64)
    if games <= 0:
        return
    following = first + 1
    run = begin(start, seed, first)
    other = end(run, CUT)
    if games > 1:
        other = begin(start, seed, following)
        following += 1
        while True:
            run = one_ply(k, run, repetition, limit, rows)
            if run.code != 0:
                tally(k, run, totals)
                if following == first + games:
                    break
                run = begin(start, seed, following)
                following += 1
            other = one_ply(k, other, repetition, limit, other_rows)
            if other.code != 0:
                tally(k, other, totals)
                if following == first + games:
                    break
                other = begin(start, seed, following)
                following += 1
    if run.code == 0:
        while run.code == 0:
            run = one_ply(k, run, repetition, limit, rows)
        tally(k, run, totals)
    elif other.code == 0:
        while other.code == 0:
            other = one_ply(k, other, repetition, limit, other_rows)
        tally(k, other, totals)


# -- in Python -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Playouts:
    """The results of random games."""

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
    """Games cut at the limit; not counted below."""
    south_seeds: int
    north_seeds: int
    reasons: dict[str, int]

    @property
    def mean_plies(self) -> float:
        return self.plies / self.games

    @property
    def rate(self) -> float:
        """Return plies per second, all threads together."""
        return self.plies / self.seconds if self.seconds > 0 else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the counts, then the time and threads, for JSON."""
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


def in_threads(work: Callable[[Item], Result], items: Iterable[Item], threads: int) -> Iterator[Result]:
    """Yield the results in order. Only a few items are in the queue at a time, so that Ctrl-C ends the work soon."""
    if threads == 1:
        yield from map(work, items)
        return
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) > 4 * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def playouts(
    game: Game,
    games: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    limit: int = PLY_LIMIT,
    report: Callable[[int], object] | None = None,
) -> Playouts:
    """Play random games from the position of a game, by default on all cores. The same seed gives the same games.
    `report` is called now and then with the number of games played.

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
        raise AwaleError(message("kernels.perft.over"))
    k, state = convert.pack_game(game)
    repetition = int(game.rules.repetition != "none")
    columns = FIRST_REASON + len(ENDINGS)
    random_games(k, state, repetition, seed, 0, 0, limit, np.zeros(columns, np.int64))  # compiles

    def chunk(first: int) -> NDArray[np.int64]:
        totals = np.zeros(columns, np.int64)
        random_games(k, state, repetition, seed, first, min(size, games - first), limit, totals)
        return totals

    # Small enough for the threads to finish together, large enough to amortise the overhead.
    size = max(1, min(CHUNK, games // (8 * threads)))
    begun = time.perf_counter()
    sums, longest, done = np.zeros(columns, np.int64), 0, 0
    for totals in in_threads(chunk, range(0, games, size), threads):
        sums += totals
        longest = max(longest, int(totals[LONGEST]))
        done = min(games, done + size)
        if report is not None:
            report(done)
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
    """Return the moves of one of those games, as the numbers of `legal`'s bits."""
    rows = np.zeros((limit + 1, len(state)), np.int64)
    moves = np.zeros(limit, np.int64)
    repetition = int(rules.repetition != "none")
    plies = random_game(convert.pack_rules(rules), state, repetition, seed, number, limit, rows, moves)
    return [int(move) for move in moves[:plies]]


def playout_game(game: Game, number: int, *, seed: int = 0, limit: int = PLY_LIMIT) -> Game:
    """Return one of those games: the same moves pushed on a copy of the game they start from.

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
        raise AwaleError(message("kernels.bad.number", name=name, least=least, most=most, value=value))
