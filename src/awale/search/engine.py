"""The engine as Python holds it: iterative deepening in one or more threads, live results, a clock that is kept."""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from awale.errors import AwaleError, GameStateError
from awale.game import Game
from awale.kernels.convert import move_of, number_of, pack_game, pack_history, pack_rules
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.search import core
from awale.search.evaluation import SEED, weights_for
from awale.search.states import exact_key
from awale.search.tableprobe import NO_TABLES, TableSet

DEFAULT_HASH_MB = 32
NEVER = 1 << 40


@dataclass(frozen=True, slots=True)
class Value:
    """What a position or move is worth to the player to move, in seeds: the final margin where it is known, else an
    advantage as good as so many seeds."""

    seeds: float
    exact: bool
    """Proven by the search or an endgame table, not estimated."""
    result: int | None
    """1 won, 0 drawn, -1 lost, where that is proven."""
    plies: int | None
    """Moves to the end of the game, where the search saw it."""

    def __str__(self) -> str:
        return f"{self.seeds:+.2f}" + ("!" if self.exact else "")


@dataclass(frozen=True, slots=True)
class MoveValue:
    """A legal move and its worth to the player to move; `bound` where it is only known to be no better than this."""

    move: Move
    value: Value
    bound: bool = False


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the engine thinks of a position, the best move first."""

    rules: Rules
    position: str
    turn: int
    depth: int
    value: Value
    line: tuple[Move, ...]
    moves: tuple[MoveValue, ...]
    nodes: int
    seconds: float
    final: bool
    """No further update will come."""
    counters: dict[str, int] = field(default_factory=dict)

    @property
    def best(self) -> Move:
        return self.line[0]

    @property
    def rate(self) -> float:
        """Positions a second."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0


class Knowledge(Protocol):
    """Endgame tables as the engine sees them: `awale.tables.Tables` is one."""

    @property
    def table_set(self) -> TableSet: ...

    def probe_moves(self, game: Game) -> Mapping[Move, Any]:
        """For each legal move what is still won by it, with `.seeds` and `.exact`; None where nothing is known."""
        ...


class Stop:
    """A handle to end a search from another thread."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._controls: list[NDArray[np.int64]] = []

    def __call__(self) -> None:
        self._event.set()
        for control in self._controls:
            control[core.STOP] = 1

    @property
    def asked(self) -> bool:
        return self._event.is_set()

    def _watch(self, controls: list[NDArray[np.int64]]) -> None:
        self._controls = controls
        if self._event.is_set():
            self()


class _Search(threading.Thread):
    """A thread that hands its error to whoever waits for it. A daemon: who leaves the program need not wait."""

    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__(name="awale-search", daemon=True)
        self._work = work
        self._error: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self._work()
        except BaseException as error:
            self._error = error

    def result(self) -> None:
        self.join()
        if self._error is not None:
            raise self._error


def _new_table(megabytes: float) -> NDArray[np.int64]:
    """A table of a power of two of entries, four words each, on a cache line's boundary."""
    entries = 1 << max(4, int(megabytes * (1 << 20) / 32).bit_length() - 1)
    raw = np.zeros(entries * 4 + 8, np.int64)
    skip = (-raw.ctypes.data // 8) % 8
    return raw[skip : skip + entries * 4].reshape(entries, 4)


@dataclass(slots=True)
class _Progress:
    """What the first thread last finished, for the others to read."""

    depth: int = 0
    moves: list[int] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    bounds: list[int] = field(default_factory=list)
    line: list[int] = field(default_factory=list)
    done: bool = False


class Engine:
    """A player's brain for one rule system. Keeps its table of positions from move to move.

    >>> from awale import Game
    >>> engine = Engine("abapa")
    >>> engine.analyse(Game("abapa"), depth=3).depth
    3
    """

    def __init__(
        self,
        rules: str | Rules,
        *,
        threads: int = 1,
        hash_mb: float = DEFAULT_HASH_MB,
        tables: Knowledge | None = None,
        weights: NDArray[np.int32] | NDArray[np.int64] | None = None,
    ) -> None:
        """`weights`: fitted ones as `evaluation.spread` gives them, or the array of a `linear.Weighing`."""
        from awale.rules import get

        self.rules = get(rules)
        if not 1 <= threads <= 256:
            raise AwaleError(f"threads: must be from 1 to 256, not {threads}")
        self.threads = threads
        self.tables = tables
        self._k = pack_rules(self.rules)
        self._seen = _new_table(hash_mb)
        self._weights = weights_for(self.rules) if weights is None else weights
        self._age = 0
        self.selective = True
        """Look less deeply at unpromising moves, except in searches that must have one answer."""

    def clear(self) -> None:
        """Forget all positions seen."""
        self._seen[:] = 0

    # -- one call -----------------------------------------------------------------------------------------------

    def analyse(self, game: Game, **limits: Any) -> Analysis:
        """Search and return the last update; limits as for `updates`."""
        *_, last = self.updates(game, **limits)
        return last

    def at_once(self, game: Game, depth: int, *, every_move: bool = False) -> Analysis:
        """The same as `analyse` to a small depth, in this very thread: where a move takes a millisecond, starting
        another thread and waiting for it takes longer. Nothing can stop it."""
        if game.over:
            raise GameStateError("the game is over: there is nothing to search")
        began = clock.perf_counter()
        self._age = (self._age + 1) & 0xFFFF
        _, root = pack_game(game)
        known = self._known_moves(game)
        moves = self._root_moves(game, known)
        control = np.zeros(core.CONTROL, np.int64)
        control[core.NODE_LIMIT] = NEVER
        progress = _Progress(moves=list(moves), line=[moves[0]])
        setup = self._setup(game, fixed=True)
        past = _past_keys(game) if setup.repetition != core.NO_REPETITION else np.zeros((0, 2), np.int64)
        scratch = core.new_scratch(past)
        self._think(0, setup, root, moves, scratch, [control], depth, every_move, progress, threading.Condition())
        return self._report(game, known, progress, [control], began, final=True)

    def updates(
        self,
        game: Game,
        *,
        time: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        every_move: bool = False,
        stop: Stop | None = None,
        fixed: bool | None = None,
    ) -> Iterator[Analysis]:
        """Search, with an update for every depth finished. Ends by time, depth, nodes, `stop`, or when all is known.

        `every_move` gives each legal move its own exact value. `fixed` (the default when only a depth is given) makes
        the value a function of position and depth alone, whatever the threads did.
        """
        if game.over:
            raise GameStateError("the game is over: there is nothing to search")
        if game.rules != self.rules:
            raise AwaleError(f"this engine plays {self.rules.name}, not {game.rules.name}")
        if time is None and depth is None and nodes is None and stop is None:
            raise AwaleError("a search needs a limit: time, depth, nodes or a stop")
        if depth is not None and not 1 <= depth <= core.MAX_DEPTH:
            raise AwaleError(f"depth: must be from 1 to {core.MAX_DEPTH}, not {depth}")
        if time is not None and not 0 <= time <= 1e7:
            raise AwaleError(f"time: must be from 0 to 10 million seconds, not {time}")
        if fixed is None:
            fixed = time is None and nodes is None and stop is None
        return self._updates(game, time, depth or core.MAX_DEPTH, nodes, every_move, stop or Stop(), fixed)

    def _updates(
        self,
        game: Game,
        seconds: float | None,
        depth: int,
        nodes: int | None,
        every: bool,
        stop: Stop,
        fixed: bool,
    ) -> Iterator[Analysis]:
        began = clock.perf_counter()
        deadline = None if seconds is None else began + seconds
        self._age = (self._age + 1) & 0xFFFF
        _, root = pack_game(game)
        setup = self._setup(game, fixed)
        known = self._known_moves(game)
        moves = self._root_moves(game, known)
        past = _past_keys(game)
        controls = [np.zeros(core.CONTROL, np.int64) for _ in range(self.threads)]
        for control in controls:
            control[core.NODE_LIMIT] = NEVER if nodes is None else max(1, nodes // self.threads)
        stop._watch(controls)
        progress = _Progress(moves=list(moves), line=[moves[0]])
        changed = threading.Condition()
        busy = core.new_busy(self.threads)

        def run(number: int) -> None:
            scratch = core.new_scratch(past, busy)
            try:
                self._think(number, setup, root, list(moves), scratch, controls, depth, every, progress, changed)
            finally:
                if number == 0:
                    with changed:
                        progress.done = True
                        changed.notify_all()

        searches = [_Search(partial(run, number)) for number in range(self.threads)]
        told = 0
        try:
            while True:
                with changed:
                    while progress.depth <= told and not progress.done and not stop.asked:
                        left = None if deadline is None else deadline - clock.perf_counter()
                        if left is not None and left <= 0:
                            break
                        changed.wait(0.05 if left is None else min(left, 0.05))
                    out_of_time = deadline is not None and clock.perf_counter() >= deadline
                    ending = progress.done or stop.asked or out_of_time
                if ending:
                    break
                told = progress.depth
                yield self._report(game, known, progress, controls, began, final=False)
        finally:
            for control in controls:
                control[core.STOP] = 1
            for search in searches:
                search.result()
        yield self._report(game, known, progress, controls, began, final=True)

    def _table_set(self) -> TableSet:
        return NO_TABLES if self.tables is None else self.tables.table_set

    def _setup(self, game: Game, fixed: bool) -> core.Setup:
        rules = self.rules
        if rules.repetition != "none":
            repetition = core.REPETITION_RULE
        elif rules.move_limit is None:
            repetition = core.REPETITION_STANDSTILL
        else:
            repetition = core.NO_REPETITION
        passes = rules.starved == "passes"
        simple = rules.sowing == "lap" and rules.origin == "skipped" and rules.pits > 1 and not passes
        return core.Setup(
            repetition=repetition,
            shortest_cycle=4 if simple else 1,
            cycle_step=1 if passes else 2 if simple else 1,
            move_limit=NEVER if rules.move_limit is None else rules.move_limit,
            probe_below=sum(game.counts),
            equal_depth=int(fixed),
            selective=int(self.selective and not fixed),
        )

    def _known_moves(self, game: Game) -> dict[int, int]:
        """The final margin that each move leads to, if a table knows all of them."""
        if self.tables is None or sum(game.counts) >= self.tables.table_set.layers:
            return {}
        ahead = game.scores[game.turn] - game.scores[1 - game.turn]
        found = self.tables.probe_moves(game)
        if not found or any(value is None or not value.exact for value in found.values()):
            return {}
        return {number_of(self.rules, move): ahead + value.seeds for move, value in found.items()}

    def _root_moves(self, game: Game, known: dict[int, int]) -> list[int]:
        """The moves to search: all legal ones, or where a table knows the position, those that keep its value. (The
        search then looks for the shortest way among them, asking the table only beyond the next capture.)"""
        numbers = [number_of(self.rules, move) for move in game.legal_moves]
        return [n for n in numbers if known[n] == max(known.values())] if known else numbers

    def _think(
        self,
        number: int,
        setup: core.Setup,
        root: Any,
        moves: list[int],
        scratch: core.Scratch,
        controls: list[NDArray[np.int64]],
        depth: int,
        every: bool,
        progress: _Progress,
        changed: threading.Condition,
    ) -> None:
        """One thread's iterative deepening; the first one reports, and the others go with it to the next depth."""
        control = controls[number]
        line = np.zeros(core.MAX_PLY + 2, np.int64)
        reach = 0
        while True:
            reach += 1
            if control[core.OVERTAKEN]:
                control[core.OVERTAKEN] = 0
                with changed:
                    reach, moves = progress.depth + 1, list(progress.moves)
            if reach > depth:
                break
            if number % 2 == 1 and len(moves) > 1:
                moves = [moves[0], *reversed(moves[1:])]
            values = np.full(len(moves), -core.INFINITE, np.int64)
            bounds = np.zeros(len(moves), np.int64)
            order = np.array(moves, np.int64)
            finished = core.search_root(
                self._k,
                setup,
                self._weights,
                self._table_set(),
                self._seen,
                scratch,
                control,
                root,
                reach,
                order,
                values,
                bounds,
                line,
                every,
                self._age,
            )
            if control[core.OVERTAKEN] and not control[core.STOP]:
                continue
            if finished == 0:
                break
            # Stable: of equal values the one tried first stays first. Bounds rank below the value they failed to beat.
            ranked = sorted(range(finished), key=lambda i: (-int(values[i]), bounds[i] != core.EXACT))
            best = int(values[ranked[0]])
            moves = [moves[i] for i in ranked] + moves[finished:]
            if number == 0:
                with changed:
                    if finished == len(moves) or reach > 1:
                        progress.depth = reach if finished == len(moves) else progress.depth
                        progress.moves = list(moves)
                        progress.values = [int(values[i]) for i in ranked]
                        progress.bounds = [int(bounds[i]) for i in ranked]
                        progress.line = [int(bit) for bit in line[1 : 1 + line[0]]]
                    changed.notify_all()
                for other in controls[1:]:
                    other[core.OVERTAKEN] = 1
            if finished < len(moves) or control[core.STOP]:
                break
            seen_to_the_end = abs(best) >= core.WON and core.WIN - abs(best) <= reach
            if seen_to_the_end and not every:
                break

    # -- saying it ----------------------------------------------------------------------------------------------

    def _report(
        self,
        game: Game,
        known: dict[int, int],
        progress: _Progress,
        controls: list[NDArray[np.int64]],
        began: float,
        *,
        final: bool,
    ) -> Analysis:
        line = self._moves_of(game, progress.line)
        values = progress.values or [0]
        found = []
        for number, bit in enumerate(progress.moves[: len(values)]):
            value = self._value(game, values[number], line if number == 0 else ())
            if known and value.plies is None:
                value = _certain(known[bit])
            exact = not progress.bounds or progress.bounds[number] == core.EXACT
            found.append(MoveValue(move_of(self.rules, game.turn, bit), value, not exact))
        shown = {number_of(self.rules, m.move) for m in found}
        rest = sorted((number for number in known if number not in shown), key=lambda number: (-known[number], number))
        found += [MoveValue(move_of(self.rules, game.turn, n), _certain(known[n])) for n in rest]
        names = {"cuts": core.CUTS, "table_hits": core.TABLE_HITS, "known": core.KNOWN_HITS}
        return Analysis(
            rules=self.rules,
            position=game.position,
            turn=game.turn,
            depth=progress.depth,
            value=found[0].value,
            line=line,
            moves=tuple(found),
            nodes=int(sum(control[core.NODES] for control in controls)),
            seconds=clock.perf_counter() - began,
            final=final,
            counters={name: int(sum(control[at] for control in controls)) for name, at in names.items()},
        )

    def _moves_of(self, game: Game, bits: list[int]) -> tuple[Move, ...]:
        """A line of move numbers as moves; it ends where the game does."""
        trial = game.copy()
        line: list[Move] = []
        for bit in bits:
            move = move_of(self.rules, trial.turn, bit)
            if trial.over or move not in trial.legal_moves:
                break
            line.append(trial.push(move))
        return tuple(line)

    def _value(self, game: Game, value: int, line: tuple[Move, ...]) -> Value:
        margin = game.scores[game.turn] - game.scores[1 - game.turn]
        if abs(value) >= core.WON:
            plies = core.WIN - abs(value)
            sign = 1 if value > 0 else -1
            trial = game.copy()
            for move in line:
                trial.push(move)
            if trial.over:
                margin = trial.scores[game.turn] - trial.scores[1 - game.turn]
            seeds = float(margin) if margin * sign > 0 else float(sign)
            return Value(seeds, True, sign, plies)
        if abs(value) > core.KNOWN:
            margin = value - core.KNOWN if value > 0 else value + core.KNOWN
            return Value(float(margin), True, 1 if value > 0 else -1, None)
        return Value(value / SEED, False, None, None)


def _certain(margin: int) -> Value:
    """A final margin that a table vouches for."""
    return Value(float(margin), True, (margin > 0) - (margin < 0), None)


def _past_keys(game: Game) -> NDArray[np.int64]:
    """The keys of the positions before this one since the last capture, oldest first."""
    keys = [exact_key(state) for state in pack_history(game)[:-1]]
    return np.array(keys, np.int64).reshape(-1, 2)
