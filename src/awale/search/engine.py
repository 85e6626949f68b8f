"""The engine: iterative deepening in one or more threads, an update for every depth, time limits that hold."""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from awale.errors import AwaleError, GameStateError
from awale.game import Game
from awale.i18n import message
from awale.kernels.convert import move_of, number_of, pack_game, pack_history, pack_rules
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.search import core
from awale.search.analysis import Analysis, MoveValue, Value
from awale.search.evaluation import SEED, weights_for
from awale.search.limits import DEFAULT_HASH_MB, MAX_DEPTH, Limit, check_range
from awale.search.states import exact_key
from awale.search.tableprobe import NO_TABLES, TableSet

NEVER = 1 << 40


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


def entries_of(megabytes: float) -> int:
    """Return the number of transposition-table entries, a power of two, that fit."""
    return 1 << max(4, int(megabytes * (1 << 20) / 32).bit_length() - 1)


def new_transposition_table(megabytes: float) -> NDArray[np.int64]:
    """Return an empty transposition table: four words an entry, aligned to cache lines."""
    entries = entries_of(megabytes)
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


class SearchEngine:
    """Iterative-deepening principal variation search for one rule system.

    `threads` and `hash_mb` size the memory: the transposition table is allocated here and kept from move to move.
    `awale.Engine` adds the endgame tables.

    >>> from awale import Game
    >>> SearchEngine("abapa").analyse(Game("abapa"), Limit(depth=3)).depth
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
        check_range("threads", threads)
        check_range("hash_mb", hash_mb)
        self.threads = threads
        self.tables = tables
        self._k = pack_rules(self.rules)
        self._tt = new_transposition_table(hash_mb)
        self._weights = weights_for(self.rules) if weights is None else weights
        self._age = 0
        self.selective = True
        """Use late-move reductions, except in searches that must have one answer."""

    def clear(self) -> None:
        """Empty the transposition table."""
        self._tt[:] = 0

    # -- one call -----------------------------------------------------------------------------------------------

    def analyse(
        self,
        game: Game,
        limit: Limit | None = None,
        *,
        every_move: bool = False,
        stop: Stop | None = None,
        fixed: bool | None = None,
    ) -> Analysis:
        """Search and return the last of the `updates`."""
        *_, last = self.updates(game, limit, every_move=every_move, stop=stop, fixed=fixed)
        return last

    def analyse_inline(self, game: Game, depth: int, *, every_move: bool = False) -> Analysis:
        """Return the same as `analyse` with `Limit(depth=depth)`, searched in the calling thread. Nothing can stop it.

        For small depths: where a search takes a millisecond, starting a thread and waiting for it takes longer.
        """
        self._check(game)
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
        self._deepen(0, setup, root, moves, scratch, [control], depth, every_move, progress, threading.Condition())
        return self._report(game, known, progress, [control], began, final=True)

    def updates(
        self,
        game: Game,
        limit: Limit | None = None,
        *,
        every_move: bool = False,
        stop: Stop | None = None,
        fixed: bool | None = None,
    ) -> Iterator[Analysis]:
        """Search, and yield an analysis for every depth finished.

        Args:
            game: a game that is not over, of the engine's rules.
            limit: when to end; the search also ends by `stop`, or when everything is proven.
            every_move: give each legal move its own exact value, not only the best one.
            stop: a handle to end the search from another thread.
            fixed: make the value a function of position and depth alone, whatever the transposition table holds and
                however many threads search. The default where a depth is the only limit.
        """
        self._check(game)
        limit = limit or Limit()
        if limit.unbounded and stop is None:
            raise AwaleError(message("search.bad.no-limit"))
        if fixed is None:
            fixed = limit.time is None and limit.nodes is None and stop is None
        return self._updates(game, limit, every_move, stop or Stop(), fixed)

    def _check(self, game: Game) -> None:
        if game.over:
            raise GameStateError(message("search.bad.over"))
        if game.rules != self.rules:
            raise AwaleError(message("search.bad.other-rules", engine=self.rules.name, game=game.rules.name))

    def _updates(self, game: Game, limit: Limit, every: bool, stop: Stop, fixed: bool) -> Iterator[Analysis]:
        began = clock.perf_counter()
        deadline = None if limit.time is None else began + limit.time
        threads = limit.threads or self.threads
        depth = limit.depth or MAX_DEPTH
        if limit.hash_mb is not None and entries_of(limit.hash_mb) != len(self._tt):
            self._tt = new_transposition_table(limit.hash_mb)
        self._age = (self._age + 1) & 0xFFFF
        _, root = pack_game(game)
        setup = self._setup(game, fixed)
        known = self._known_moves(game)
        moves = self._root_moves(game, known)
        past = _past_keys(game)
        controls = [np.zeros(core.CONTROL, np.int64) for _ in range(threads)]
        for control in controls:
            control[core.NODE_LIMIT] = NEVER if limit.nodes is None else max(1, limit.nodes // threads)
        stop._watch(controls)
        progress = _Progress(moves=list(moves), line=[moves[0]])
        changed = threading.Condition()
        busy = core.new_busy(threads)

        def run(number: int) -> None:
            scratch = core.new_scratch(past, busy)
            try:
                self._deepen(number, setup, root, list(moves), scratch, controls, depth, every, progress, changed)
            finally:
                if number == 0:
                    with changed:
                        progress.done = True
                        changed.notify_all()

        searches = [_Search(partial(run, number)) for number in range(threads)]
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

    def _deepen(
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
        """Run one thread's iterative deepening.

        Args:
            number: of the thread; the first one reports, the others follow it to the next depth.
            setup: how to treat cycles, limits and depth.
            root: the packed position.
            moves: the root moves.
            scratch: the thread's memory.
            controls: counters and flags of all threads.
            depth: the last one to search.
            every: give each root move its own exact value.
            progress: written by the first thread.
            changed: notified when `progress` changes.
        """
        control = controls[number]
        context = core.Context(self._k, setup, self._weights, self._table_set(), self._tt, scratch, control)
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
            finished = core.search_root(context, root, reach, order, values, bounds, line, every, self._age)
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
                value = _certain(known[bit], game.turn)
            exact = not progress.bounds or progress.bounds[number] == core.EXACT
            found.append(MoveValue(move_of(self.rules, game.turn, bit), value, not exact))
        shown = {number_of(self.rules, m.move) for m in found}
        rest = sorted((number for number in known if number not in shown), key=lambda number: (-known[number], number))
        found += [MoveValue(move_of(self.rules, game.turn, n), _certain(known[n], game.turn)) for n in rest]
        value = found[0].value
        if len(values) < len(progress.moves) and value.result != 1 and not known:
            # The iteration was interrupted: a move that it did not reach may be better.
            value = replace(value, exact=False, result=None, plies=None)
        names = {"cuts": core.CUTS, "table_hits": core.TABLE_HITS, "known": core.KNOWN_HITS}
        return Analysis(
            rules=self.rules,
            position=game.position,
            turn=game.turn,
            depth=progress.depth,
            value=value,
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
            return Value(seeds, True, sign, plies, game.turn)
        if abs(value) > core.KNOWN:
            margin = value - core.KNOWN if value > 0 else value + core.KNOWN
            return Value(float(margin), True, 1 if value > 0 else -1, None, game.turn)
        return Value(value / SEED, False, None, None, game.turn)


def _certain(margin: int, player: int) -> Value:
    """Return the value of a final margin that an endgame table proves."""
    return Value(float(margin), True, (margin > 0) - (margin < 0), None, player)


def _past_keys(game: Game) -> NDArray[np.int64]:
    """The keys of the positions before this one since the last capture, oldest first."""
    keys = [exact_key(state) for state in pack_history(game)[:-1]]
    return np.array(keys, np.int64).reshape(-1, 2)
