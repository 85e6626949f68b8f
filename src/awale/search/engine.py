"""The engine: iterative deepening in one or more threads, an update for every depth, time limits that hold."""

from __future__ import annotations

import threading
import time as clock
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple, Protocol

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
from awale.search.states import exact_key, mix
from awale.search.tableprobe import NO_TABLES, TableSet
from awale.search.verification import Claims

NEVER = 1 << 40
PROOF_SEEDS = 20
"""With more seeds on the board, proofs are searched only where the engine's search sees the end of the game."""
FIRST_PROOF_NODES, PROOF_SHARE = 5000, 0.5
"""Positions that proofs may cost: so many, and this share of those that the engine's search has looked at ..."""
PROOF_NODES, PROOF_DEPTH = 100_000, 8
"""... or so many, once, after the search to this depth or to the last one."""


class Knowledge(Protocol):
    """Endgame tables as the engine sees them: `awale.tables.Tables` is one."""

    @property
    def table_set(self) -> TableSet: ...

    def probe(self, game: Game) -> Any:
        """What the player to move still wins, with `.least` and `.most`; None where nothing is known."""
        ...

    def probe_moves(self, game: Game, *, alone: bool = False) -> Mapping[Move, Any]:
        """For each legal move what is still won by it, with `.seeds` and `.exact`; None where nothing is known.
        `alone`: as if the game began after the move."""
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


class _Found(NamedTuple):
    """What the search found about a root move."""

    value: int
    bound: int
    line: list[int]


@dataclass(slots=True)
class _Progress:
    """What the first thread last finished, for the others to read."""

    depth: int = 0
    moves: list[int] = field(default_factory=list)
    """The root moves, the best one first."""
    finished: int = 0
    """So many of them were searched in the last iteration; the others have what an earlier one found, if anything."""
    found: dict[int, _Found] = field(default_factory=dict)
    done: bool = False


@dataclass(frozen=True, slots=True)
class _Task:
    """One question to the engine, prepared."""

    game: Game
    root: Any
    setup: core.Setup
    moves: list[int]
    """The root moves to search."""
    known: dict[int, int]
    """The final margin of each move by an endgame table."""
    past: NDArray[np.int64]
    multi: int
    claims: Claims | None
    controls: list[NDArray[np.int64]]

    @property
    def nodes(self) -> int:
        return sum(int(control[core.NODES]) for control in self.controls)


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
        self._proofs: NDArray[np.int64] | None = None
        self._weights = weights_for(self.rules) if weights is None else weights
        self._age = 0
        self._searches = 0
        self.selective = True
        """Use late-move reductions and reverse futility pruning, except in searches that must have one answer."""

    def clear(self) -> None:
        """Empty the transposition table."""
        self._tt[:] = 0
        self._proofs = None

    def load(self, *, prove: bool = True) -> None:
        """Load the search, and compile it if this machine never has: the first search does this before its clock
        starts. `prove`: with the search for proofs, which a search far from the end of a game may never need."""
        kind = (type(self._k), self._weights.dtype, self._weights.ndim, prove)
        if kind not in _loaded:
            task = self._task(Game(self.rules), 1, fixed=True, prove=prove, threads=1)
            self._deepen(0, task, core.new_scratch(task.past), 1, _Progress(), threading.Condition())
            if task.claims is not None:
                task.claims.extend(1, 0.0)
            self._line(task, [], 1)
            _loaded.add(kind)

    # -- one call -----------------------------------------------------------------------------------------------

    def analyse(self, game: Game, limit: Limit | None = None, **options: Any) -> Analysis:
        """Search and return the last of the `updates`, which has the same options."""
        *_, last = self.updates(game, limit, **options)
        return last

    def analyse_inline(self, game: Game, depth: int, *, every_move: bool = False) -> Analysis:
        """Return the same as `analyse` with `Limit(depth=depth)`, searched in the calling thread. Nothing can stop it,
        and it proves nothing.

        For small depths: where a search takes a millisecond, starting a thread and waiting for it takes longer.
        """
        self._check(game)
        began = clock.perf_counter()
        task = self._task(game, len(game.legal_moves) if every_move else 1, fixed=True, prove=False, threads=1)
        progress = _Progress(moves=list(task.moves))
        self._deepen(0, task, core.new_scratch(task.past), depth, progress, threading.Condition())
        return self._report(task, progress, began, final=True)

    def updates(
        self,
        game: Game,
        limit: Limit | None = None,
        *,
        every_move: bool = False,
        multi: int = 1,
        moves: Iterable[Move] | None = None,
        stop: Stop | None = None,
        fixed: bool | None = None,
        prove: bool = True,
    ) -> Iterator[Analysis]:
        """Search, and yield an analysis for every depth finished.

        Args:
            game: a game that is not over, of the engine's rules.
            limit: when to end; the search also ends by `stop`, or when everything is proven.
            every_move: give each legal move its own value and line, not only the best one.
            multi: give so many of the best moves their own values and lines.
            moves: search only these root moves; what is proven is then proven of them.
            stop: a handle to end the search from another thread.
            fixed: make the value a function of position and depth alone, whatever was searched before. The default
                where a depth is the only limit.
            prove: look for proofs of what the search finds. A player who only needs a move saves the time.
        """
        self._check(game)
        limit = limit or Limit()
        if limit.unbounded and stop is None:
            raise AwaleError(message("search.bad.no-limit"))
        if fixed is None:
            fixed = limit.time is None and limit.nodes is None and stop is None
        chosen = None if moves is None else list(moves)
        if chosen is not None and (not chosen or not set(chosen) <= set(game.legal_moves)):
            raise AwaleError(message("search.bad.moves"))
        multi = len(game.legal_moves) if every_move else max(1, multi)
        return self._updates(game, limit, multi, chosen, stop or Stop(), fixed, prove)

    def _check(self, game: Game) -> None:
        if game.over:
            raise GameStateError(message("search.bad.over"))
        if game.rules != self.rules:
            raise AwaleError(message("search.bad.other-rules", engine=self.rules.name, game=game.rules.name))

    def _task(
        self, game: Game, multi: int, *, fixed: bool, prove: bool, threads: int, moves: list[Move] | None = None
    ) -> _Task:
        self._age = (self._age + 1) & 0xFFFF
        self._searches += 1
        _, root = pack_game(game)
        setup = self._setup(game, fixed)
        past = _past_keys(game) if setup.repetition != core.NO_REPETITION else np.zeros((0, 2), np.int64)
        known = self._known_moves(game) if setup.repetition != core.REPETITION_RULE or not len(past) else {}
        numbers = [number_of(self.rules, move) for move in moves or game.legal_moves]
        # Of the moves of which a table knows the value, those that keep it are searched, for the shortest way.
        best = max((known[n] for n in numbers), default=0) if known else 0
        searched = [n for n in numbers if known[n] == best] if known else numbers
        claims = self._claims(game, root, setup, past, numbers, multi) if prove else None
        controls = [np.zeros(core.CONTROL, np.int64) for _ in range(threads)]
        for control in controls:
            control[core.NODE_LIMIT] = NEVER
        return _Task(game, root, setup, searched, known, past, multi, claims, controls)

    def _claims(
        self, game: Game, root: Any, setup: core.Setup, past: NDArray[np.int64], moves: list[int], multi: int
    ) -> Claims:
        """Return what is proven so far: what a table knows of the moves."""
        seeds = sum(game.counts)
        total = seeds + sum(game.scores)
        ahead = game.scores[game.turn] - game.scores[1 - game.turn]
        goal = self.rules.win_score_for(total)
        # A goal of more than half of all seeds stops a game early, but changes no result: see docs/tables.md.
        usable = self.tables is not None and (goal is None or 2 * goal > total)
        sharp = goal is None or max(game.scores) + seeds < goal

        def proven(value: Any) -> tuple[int, int]:
            least, most = ahead - seeds, ahead + seeds
            if value is None:
                return least, most
            low, high = ahead + value.least, ahead + value.most
            if sharp:
                return low, high
            return max(least, min(1, low)) if low >= 0 else least, min(most, max(-1, high)) if high <= 0 else most

        said = self.tables.probe_moves(game) if self.tables is not None and usable else {}
        bounds = {number_of(self.rules, move): proven(value) for move, value in said.items()}
        low, high = ({move: bounds.get(move, proven(None))[side] for move in moves} for side in (0, 1))
        if self._proofs is None:
            self._proofs = new_transposition_table(max(0.25, len(self._tt) * 32 / (1 << 22)))
        return Claims(
            k=self._k,
            root=root,
            setup=setup,
            tables=self._table_set() if usable else NO_TABLES,
            tt=self._proofs,
            hints=self._tt,
            past=past,
            moves=moves,
            total=total,
            goal=NEVER if goal is None else goal,
            low=low,
            high=high,
            every=multi > 1,
        )

    def _updates(
        self,
        game: Game,
        limit: Limit,
        multi: int,
        moves: list[Move] | None,
        stop: Stop,
        fixed: bool,
        prove: bool,
    ) -> Iterator[Analysis]:
        self.load(prove=prove and sum(game.counts) <= PROOF_SEEDS)
        threads = limit.threads or self.threads
        depth = limit.depth or MAX_DEPTH
        if limit.hash_mb is not None and entries_of(limit.hash_mb) != len(self._tt):
            self._tt, self._proofs = new_transposition_table(limit.hash_mb), None
        began = clock.perf_counter()
        deadline = None if limit.time is None else began + limit.time
        task = self._task(game, multi, fixed=fixed, prove=prove, threads=threads, moves=moves)
        for control in task.controls:
            control[core.NODE_LIMIT] = NEVER if limit.nodes is None else max(1, limit.nodes // threads)
        watched = task.controls if task.claims is None else [*task.controls, task.claims.control]
        stop._watch(watched)
        progress = _Progress(moves=list(task.moves))
        changed = threading.Condition()
        busy = core.new_busy(threads)

        def run(number: int) -> None:
            scratch = core.new_scratch(task.past, busy)
            try:
                self._deepen(number, task, scratch, depth, progress, changed)
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
                    if not ending:
                        told = progress.depth
                        update = self._report(task, progress, began, final=False)
                if ending:
                    break
                yield update
        finally:
            for control in watched:
                control[core.STOP] = 1
            for search in searches:
                search.result()
        yield self._report(task, progress, began, final=True)

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
            # Fitted weights were not measured with it: only networks.
            margin=core.FUTILE_MARGIN if self.selective and not fixed and self._weights.dtype == np.int16 else 0,
            salt=int(mix(self._searches)) if fixed else 0,
        )

    def _known_moves(self, game: Game) -> dict[int, int]:
        """Return the final margin that each move leads to if no earlier position comes back; nothing unless a table
        knows all of them."""
        if self.tables is None or sum(game.counts) >= self.tables.table_set.layers:
            return {}
        ahead = game.scores[game.turn] - game.scores[1 - game.turn]
        found = self.tables.probe_moves(game, alone=True)
        if not found or any(value is None or not value.exact for value in found.values()):
            return {}
        return {number_of(self.rules, move): ahead + value.seeds for move, value in found.items()}

    def _deepen(
        self,
        number: int,
        task: _Task,
        scratch: core.Scratch,
        depth: int,
        progress: _Progress,
        changed: threading.Condition,
    ) -> None:
        """Run one thread's iterative deepening.

        Args:
            number: of the thread; the first one reports, the others follow it to the next depth.
            task: the question.
            scratch: the thread's memory.
            depth: the last one to search.
            progress: written by the first thread.
            changed: notified when `progress` changes.
        """
        controls, moves = task.controls, list(task.moves)
        control = controls[number]
        context = core.Context(self._k, task.setup, self._weights, self._table_set(), self._tt, scratch, control)
        lines = np.zeros((len(moves), core.MAX_PLY + 2), np.int64)
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
            lines[:, 0] = 0
            order = np.array(moves, np.int64)
            multi = min(task.multi, len(moves))
            finished = core.search_root(context, task.root, reach, order, values, bounds, lines, multi, self._age)
            if control[core.OVERTAKEN] and not control[core.STOP]:
                continue
            if finished == 0:
                break
            # Stable: of equal values the one tried first stays first. Bounds rank below the value they failed to beat.
            ranked = sorted(range(finished), key=lambda i: (-int(values[i]), bounds[i] != core.EXACT))
            best = int(values[ranked[0]])
            found = {
                moves[i]: _Found(int(values[i]), int(bounds[i]), [int(bit) for bit in lines[i, 1 : 1 + lines[i, 0]]])
                for i in ranked
            }
            moves = [moves[i] for i in ranked] + moves[finished:]
            ended = finished < len(moves) or bool(control[core.STOP])
            if number == 0:
                if finished == len(moves) or reach > 1:
                    self._prove(task, found, best, PROOF_NODES if reach >= min(depth, PROOF_DEPTH) else 0)
                    with changed:
                        progress.depth = reach if finished == len(moves) else progress.depth
                        progress.moves, progress.finished = list(moves), finished
                        progress.found.update(found)
                        changed.notify_all()
                for other in controls[1:]:
                    other[core.OVERTAKEN] = 1
            if ended or bool(control[core.STOP]):
                break
            settled = abs(best) >= core.WON and core.WIN - abs(best) <= reach
            if task.claims is not None:
                # Deep enough, too, for a line to the end.
                settled = task.claims.settled and reach >= (task.claims.plies or PROOF_DEPTH)
            if settled and task.multi == 1:
                break

    def _prove(self, task: _Task, found: dict[int, _Found], best: int, nodes: int) -> None:
        """Look for proofs, after an iteration of the first thread."""
        claims = task.claims
        if claims is None:
            return
        if task.setup.repetition == core.NO_REPETITION:
            # No path matters: the search itself is a proof.
            for move, (value, bound, _) in found.items():
                if abs(value) >= core.KNOWN and (value < 0 or bound == core.EXACT):
                    claims.trust(move, 1 if value > 0 else -1)
        seen = abs(best) >= core.KNOWN
        if seen or sum(task.game.counts) <= PROOF_SEEDS:
            before = claims.nodes
            share = FIRST_PROOF_NODES + int(PROOF_SHARE * int(task.controls[0][core.NODES]))
            left = int(task.controls[0][core.NODE_LIMIT] - task.controls[0][core.NODES]) // 2
            claims.extend(min(max(nodes, share) - before, left), self._estimate(task, *next(iter(found.items()))))
            if task.controls[0][core.NODE_LIMIT] != NEVER:
                task.controls[0][core.NODE_LIMIT] -= claims.nodes - before

    # -- saying it ----------------------------------------------------------------------------------------------

    def _report(self, task: _Task, progress: _Progress, began: float, *, final: bool) -> Analysis:
        game, claims = task.game, task.claims
        order = [move for move in progress.moves if move in progress.found]
        others = sorted((n for n in task.known if n not in order), key=lambda n: (-task.known[n], n))
        order = [*order, *others] or list(task.moves)
        if claims is not None:
            order = _by_claims(order, claims)
        ceiling = float(sum(game.counts) + sum(game.scores))
        moves: list[MoveValue] = []
        for number in order:
            found = progress.found.get(number)
            bound = found is not None and found.bound != core.EXACT
            line: tuple[Move, ...] = ()
            if not moves or (found is not None and not bound):
                line = self._line(task, (found.line if found is not None else []) or [number], progress.depth)
            seeds = self._estimate(task, number, found)
            least, most = (None, None) if claims is None else (claims.low[number], claims.high[number])
            seeds = _within(min(seeds, ceiling), least, most)
            ceiling = min(ceiling, seeds) if not moves else ceiling
            value = Value(seeds, game.turn, least, most)
            moves.append(MoveValue(move_of(self.rules, game.turn, number), value, bound, line))
        value = moves[0].value
        if claims is not None:
            seeds = _within(value.seeds, claims.least, claims.most)
            plies = claims.plies if claims.quickest in (None, order[0]) else None
            value = Value(seeds, game.turn, claims.least, claims.most, plies)
            moves[0] = replace(moves[0], value=_best_value(moves[0].value, value))
        names = {"cuts": core.CUTS, "table_hits": core.TABLE_HITS, "known": core.KNOWN_HITS}
        counters = {name: int(sum(control[at] for control in task.controls)) for name, at in names.items()}
        if progress.found:
            counters["score"] = progress.found[progress.moves[0]].value
        return Analysis(
            rules=self.rules,
            position=game.position,
            turn=game.turn,
            depth=progress.depth,
            value=value,
            line=moves[0].line,
            moves=tuple(moves),
            nodes=task.nodes + (0 if claims is None else claims.nodes),
            seconds=clock.perf_counter() - began,
            final=final,
            counters=counters,
        )

    def hashfull(self) -> int:
        """Return how full the transposition table is with the present search, in thousandths."""
        sample = self._tt[:1000, 2]
        return round(1000 * float(np.mean((sample != 0) & (sample >> 33 == self._age)))) if len(sample) else 0

    def _line(self, task: _Task, bits: list[int], depth: int) -> tuple[Move, ...]:
        """Return a variation as moves. It ends where the game does; where a stored value cut it short, it goes on with
        the moves of the transposition table."""
        trial = task.game.copy()
        line: list[Move] = []
        while not trial.over and len(line) < max(depth, len(bits)):
            if len(line) < len(bits):
                number = bits[len(line)]
            else:
                state = pack_game(trial)[1]
                one, two = exact_key(state)
                data = int(core.probe_entry(self._tt, one, core.salted(task.setup, two, state.ply)))
                if data == 0:
                    break
                number = (data >> 27) & 31
            move = move_of(self.rules, trial.turn, number)
            if move not in trial.legal_moves:
                break
            line.append(trial.push(move))
        return tuple(line)

    def _estimate(self, task: _Task, number: int, found: _Found | None) -> float:
        """Return the final margin that a move leads to, as far as the search or a table can tell."""
        game = task.game
        if found is None:
            return float(task.known.get(number, 0))
        value, sign = found.value, 1 if found.value > 0 else -1
        if abs(value) < core.WON and number in task.known:
            return float(task.known[number])
        if abs(value) >= core.WON:
            trial = game.copy()
            for bit in found.line:
                if trial.over:
                    break
                trial.push(move_of(self.rules, trial.turn, bit))
            margin = trial.scores[game.turn] - trial.scores[1 - game.turn]
            return float(margin) if margin * sign > 0 else float(sign)
        if abs(value) > core.KNOWN:
            return float(value - sign * core.KNOWN)
        return value / SEED


_loaded: set[Any] = set()
"""What has been compiled or loaded by this process."""


def _by_claims(order: list[int], claims: Claims) -> list[int]:
    """Return the moves with one that keeps what is proven first, else in the same order."""
    best = max(claims.low.values())
    result = claims.result
    worthy = [number for number in order if claims.high[number] >= best]
    if claims.least == claims.most and best == claims.least:
        worthy = [number for number in order if claims.low[number] == best]
    elif result is not None and best >= result:
        worthy = [number for number in order if claims.low[number] >= result]
    elif best > 0:
        worthy = [number for number in order if claims.low[number] > 0]
    first = claims.quickest if claims.quickest in worthy else (worthy or order)[0]
    return [first, *(number for number in order if number != first)]


def _within(seeds: float, least: int | None, most: int | None) -> float:
    """Return an estimate, moved into the bounds that are proven."""
    if least is not None:
        seeds = max(seeds, float(least))
    return seeds if most is None else min(seeds, float(most))


def _best_value(move: Value, root: Value) -> Value:
    """Return the value of the best move with what the root's value adds: no move is worth more than the position, and
    the move that keeps what is proven is worth as much."""
    kept = root.least is None or (move.least is not None and move.least >= root.least)
    return root if kept else replace(move, seeds=root.seeds, most=root.most)


def _past_keys(game: Game) -> NDArray[np.int64]:
    """The keys of the positions before this one since the last capture, oldest first."""
    keys = [exact_key(state) for state in pack_history(game)[:-1]]
    return np.array(keys, np.int64).reshape(-1, 2)
