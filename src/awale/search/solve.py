"""Solving relay games: who wins, by how much, and how, each answer with a strategy checked move by move."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import comb, inf
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import number, text
from awale.kernels import convert
from awale.kernels.bits import byte_sum
from awale.kernels.endgame import NO_TABLES, TableSet
from awale.kernels.relay import RelayState
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.search import certificate, proof
from awale.search.certificate import Strategy
from awale.search.claims import INFINITE, LEFT, LEVELS, Claim
from awale.search.limits import check_rules

DEFAULT_ENTRIES = 1 << 22
MOST_CYCLES = 1000
"""More cycles than this in one strategy: its positions push each other out of the transposition table."""
LEAST_LIMIT = 20_000_000
VISITS = 100
"""A search that visits every position of the board that often goes round in cycles: what depends on a repetition holds
on one line only, so it is searched again on others."""
CHUNK = 1 << 18
"""Positions that a thread searches before it checks whether to stop."""

Value = Literal["win", "draw", "loss"]


class SolveError(AwaleError):
    """Raised for a game that this solver cannot settle."""


class Cancelled(Exception):
    """Raised by a check that is not needed any more."""


class Progress(NamedTuple):
    """The progress of a search: the two numbers estimate the work left, and one of them reaches zero at the end."""

    claim: Claim
    step: Literal["search", "check"]
    nodes: int
    seconds: float
    to_prove: int
    to_refute: int


Report = Callable[[Progress], None]


def worth_searching(rules: Rules, state: Any) -> int:
    """Return the most positions that are searched for a claim about a position."""
    seeds = byte_sum(state.mine + state.theirs)
    return max(LEAST_LIMIT, VISITS * comb(seeds + 2 * rules.pits, seeds))


@dataclass(eq=False)
class Proof:
    """A claim about a position, its transposition table, and finally the strategy that shows it."""

    rules: Rules
    claim: Claim
    root: Any
    threads: int = 1
    entries: int = DEFAULT_ENTRIES
    report: Report | None = None
    every: float = 0.5
    table: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    nodes: int = 0
    seconds: float = 0.0
    repetitions: int = 0
    refilled: int = 0
    """Positions whose entry was overwritten before the walk."""
    solved_again: int = 0
    """Positions whose stored moves cycled and were solved again."""
    holds: bool | None = None
    strategy: Strategy | None = None
    tables: TableSet = NO_TABLES
    """At the leaves; keep the `Tables` they belong to alive."""
    past: Sequence[Any] = ()
    """Positions with as many captured seeds as the root has, in which the claim fails: a return there ends the game."""

    def __post_init__(self) -> None:
        if self.rules.family == "relay":
            check_rules(self.rules)
        if not 0 <= self.claim.moves <= proof.MOST_MOVES_LEFT:
            raise SolveError(text("solve.refused.moves", moves=self.claim.moves, most=proof.MOST_MOVES_LEFT))
        self.k: Any = convert.pack_rules(self.rules)
        if not self.table.size:
            self.table = proof.new_table(self.entries)
        self._works = [proof.new_workspace() for _ in range(self.threads)]
        self._stop = proof.alone(1)
        self._cancelled = proof.alone(1)

    def settle(self, *, most: int | None = None, until: float = inf) -> bool | None:
        """Search until the claim is proved (True) or refuted (False); return None if `most` positions do not suffice,
        or the time until `until` by `time.monotonic`. Raise SolveError, unless `most` is given, where the search goes
        round in cycles or a line is too long.

        With `past` only a proof means anything. An interrupted search loses nothing: calling again continues from the
        table.
        """
        result = self._search(self.root, self.threads, most, until)
        if result is not None:
            self.holds = result
        return self.holds

    def prove(self, most: int | None = None, *, until: float = inf) -> bool | None:
        """Search, and walk the strategy, however long that takes, if that settles the claim. With `most` it stays open
        where its strategy cannot be walked."""
        try:
            if self.settle(most=most, until=until) is not None:
                self.check()
        except SolveError:
            if most is None:
                raise
            self.holds = None
        return self.holds

    def cancel(self) -> None:
        """Make searches return, undecided, and checks raise Cancelled: those of other threads, and later ones."""
        self._cancelled[0] = self._stop[0] = 1

    def check(self) -> Strategy:
        """Walk the strategy that shows the result, and return it."""
        assert self.holds is not None
        begun = time.perf_counter()
        bits, interrupted = 12, False
        strategy = earlier = certificate.new_strategy(bits)
        missing = np.zeros(LEFT + 1, np.int64)
        while True:
            code = certificate.walk(
                self.k,
                self.claim,
                self.tables,
                self.root,
                self.holds,
                self.table,
                self._works[0],
                strategy,
                earlier.slots,
                missing,
                self._cancelled,
            )
            if code == certificate.COMPLETE:
                if not interrupted:
                    break
                # A strategy that may cycle is closed only if it was walked in one pass.
                earlier, strategy, interrupted = strategy, certificate.new_strategy(bits), False
            elif code == certificate.FULL:
                bits += 2
                earlier, strategy, interrupted = strategy, certificate.new_strategy(bits), False
            elif code == certificate.MISSING:
                interrupted = True
                self.refilled += 1
                self._report("check", begun)
                self._fill(missing)
            elif code == certificate.CYCLE and self.solved_again < MOST_CYCLES:
                interrupted = True
                self.solved_again += 1
                self._report("check", begun)
                self._solve_again(missing)
                earlier = certificate.new_strategy(0)
            elif code == certificate.CANCELLED:
                raise Cancelled
            elif code == certificate.CYCLE:
                raise SolveError(text("solve.refused.cycling-strategy", times=MOST_CYCLES))
            elif code == certificate.TOO_LONG:
                raise SolveError(text("solve.refused.deep", most=LEVELS))
            else:
                raise AssertionError(f"the strategy does not stand the check: code {code}")
        self.seconds += time.perf_counter() - begun
        self.strategy = strategy
        if any(self.kept(old) for old in self.past):
            raise AssertionError("the strategy returns to an earlier position")
        return strategy

    def snapshot(self, most: int = 1 << 20) -> NDArray[np.int64]:
        """Return what is worth saving of an unfinished search."""
        return proof.entries_of(self.table, most)

    def restore(self, rows: NDArray[np.int64]) -> None:
        """Resume from a snapshot. It is not trusted: the final check covers it."""
        proof.restore_entries(self.table, np.ascontiguousarray(rows, np.int64))

    def forget_table(self) -> None:
        """Free the table of a checked claim: only the strategy is needed from then on."""
        self.table = self.table[:0].copy()
        self._works = []

    def _fill(self, missing: NDArray[np.int64]) -> None:
        """Settle a position whose entry was overwritten."""
        mine, theirs, turn, south, north, _, left = (int(n) for n in missing)
        state = self.root._replace(mine=mine, theirs=theirs, turn=turn, south=south, north=north)
        found = self._search(state, 1, None, claim=self.claim._replace(moves=left))
        if self._cancelled[0]:
            raise Cancelled
        if found is not self.holds:
            raise AssertionError("the search contradicts itself")

    def _solve_again(self, missing: NDArray[np.int64]) -> None:
        """Solve a position in a new table, so that nothing depends on known entries, and copy the proof."""
        known, self.table = self.table, proof.new_table(self.entries)
        try:
            self._fill(missing)
            rows = proof.entries_of(self.table)
            settled = rows[(rows[:, 2] >> 40 == 0) | ((rows[:, 2] >> 17) & 0x7FFFFF == 0)]
        finally:
            self.table = known
        proof.restore_entries(self.table, settled)

    def _search(
        self, root: Any, threads: int, most: int | None, until: float = inf, claim: Claim | None = None
    ) -> bool | None:
        """Run the threads until one of them has settled the claim."""
        claim = claim or self.claim
        limit = worth_searching(self.rules, root) if most is None else most
        for old in self.past:
            proof.store_entry(self.table, *self._key(old, 0), INFINITE, 0, 0, 1 << 62)
        begun = time.perf_counter()
        before = self.nodes
        marks = np.zeros((proof.MARKS, threads), np.uint8)
        self._stop[0] = self._cancelled[0]
        results = [proof.UNDECIDED] * threads
        failures: list[BaseException] = []
        counts = [int(work.tally[0]) for work in self._works]

        def run(thread: int) -> None:
            try:
                while not (self._stop[0] or self._cancelled[0]) and time.monotonic() < until:
                    work = self._works[thread]
                    chunk = max(1, min(CHUNK, limit - self._looked_at(counts)))
                    result = proof.search(
                        self.k, claim, self.tables, root, self.table, work, marks, thread, self._stop, chunk
                    )
                    results[thread] = int(result)
                    if result != proof.UNDECIDED or self._looked_at(counts) >= limit:
                        break
            except BaseException as error:
                failures.append(error)
            finally:
                self._stop[0] = 1

        try:
            if threads == 1 and self.report is None:
                run(0)
            else:
                team = [threading.Thread(target=run, args=(number,), daemon=True) for number in range(threads)]
                for member in team:
                    member.start()
                at_work = True
                while at_work:  # at least once: the threads may finish before the first report
                    team[0].join(self.every) if team[0].is_alive() else team[-1].join(self.every)
                    self.nodes = before + self._looked_at(counts)
                    self._report("search", begun)
                    at_work = any(member.is_alive() for member in team)
        finally:
            self._stop[0] = 1
            if threads > 1 or self.report is not None:
                for member in team:
                    member.join()
            self.nodes = before + self._looked_at(counts)
            self.seconds += time.perf_counter() - begun
            self.repetitions = sum(int(work.tally[2]) for work in self._works)
        if failures:
            raise failures[0]
        if proof.TOO_DEEP in results and most is None:
            raise SolveError(text("solve.refused.deep", most=LEVELS))
        if proof.PROVED in results:
            return True
        if proof.REFUTED in results:
            return False
        if most is None and self._looked_at(counts) >= limit:
            raise SolveError(text("solve.refused.cycling", nodes=number(limit)))
        return None

    def _looked_at(self, before: list[int]) -> int:
        return sum(int(work.tally[0]) - old for work, old in zip(self._works, before, strict=True))

    def _report(self, step: Literal["search", "check"], begun: float) -> None:
        if self.report is None:
            return
        to_prove, to_refute = self.numbers()
        seconds = self.seconds + time.perf_counter() - begun
        self.report(Progress(self.claim, step, self.nodes, seconds, to_prove, to_refute))

    def numbers(self) -> tuple[int, int]:
        """Return the proof and disproof numbers of the root, as far as the table knows them."""
        said = int(proof.look_up(self.table, *self._key(self.root, self.claim.moves)))
        return (int(proof.proof_in(said)), int(proof.disproof_in(said))) if said else (1, 1)

    def _key(self, state: Any, left: int) -> tuple[int, int]:
        here = np.array([state.mine, state.theirs, state.turn, state.south, state.north, 0, left], np.int64)
        return int(proof.first_key(self.claim, here)), state.theirs

    def kept(self, state: Any, left: int = 0) -> tuple[int, int] | None:
        """Return the strategy's move here (ALL where the other side moves) and the length of the longest line."""
        assert self.strategy is not None
        slot = certificate.find(self.strategy.slots, *self._key(state, left))
        said = int(self.strategy.slots[slot, certificate.DATA])
        return (said & 7, said >> 3 & 0xFFFFFF) if said else None

    @property
    def length(self) -> int:
        kept = self.kept(self.root, self.claim.moves)
        assert kept is not None
        return kept[1]

    @property
    def size(self) -> int:
        assert self.strategy is not None
        return int(self.strategy.kept[0])


@dataclass(frozen=True)
class Solution:
    """The value of a position to the player to move, and how it is shown."""

    rules: Rules
    position: str
    value: Value
    winner: int | None
    best: Move | None
    """A move that keeps the value; the longest resistance in a lost position."""
    moves: int | None
    """A win takes at most this many moves, both sides counted."""
    exact: bool
    """Whether no strategy wins in fewer moves against the best defence."""
    line: tuple[Move, ...]
    """One game as the strategies play it."""
    margin: int | None
    """The largest margin that the winner can force, when requested."""
    nodes: int
    """Positions searched."""
    strategy: int
    """Positions of the checked strategies."""
    seconds: float
    threads: int
    each: dict[str, Value] = field(default_factory=dict)
    """The value of every move, when requested."""

    def as_dict(self) -> dict[str, Any]:
        facts: dict[str, Any] = {
            "rules": self.rules.name,
            "position": self.position,
            "value": self.value,
            "winner": self.winner,
            "best": None if self.best is None else str(self.best),
            "moves": self.moves,
            "moves_exact": self.exact,
            "line": [str(move) for move in self.line],
            "nodes": self.nodes,
            "strategy": self.strategy,
            "seconds": round(self.seconds, 3),
            "threads": self.threads,
        }
        if self.margin is not None:
            facts["margin"] = self.margin
        if self.each:
            facts["each"] = dict(self.each)
        return facts


@dataclass
class Solver:
    """Answer questions about one position, keeping the proofs."""

    game: Game
    threads: int = 1
    entries: int = DEFAULT_ENTRIES
    report: Report | None = None
    prepare: Callable[[Proof], None] | None = None
    """Called with every new proof before its search; may restore a snapshot."""
    finished: Callable[[Proof], None] | None = None
    """Called with every checked proof."""
    proofs: dict[Claim, Proof] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_rules(self.game.rules)
        self.rules = self.game.rules
        self.root: RelayState = convert.pack_position(self.rules, self.game.state)

    def claim(self, player: int, margin: int = 1, moves: int = 0) -> bool:
        """Return the searched and checked answer: can a player force this margin (within so many moves)?"""
        return bool(self.proof(player, margin, moves).holds)

    def proof(self, player: int, margin: int = 1, moves: int = 0) -> Proof:
        claim = Claim(player, margin, moves)
        if claim not in self.proofs:
            self.proofs[claim] = Proof(self.rules, claim, self.root, self.threads, self.entries, self.report)
            if self.prepare is not None:
                self.prepare(self.proofs[claim])
        found = self.proofs[claim]
        if found.strategy is None:
            if found.holds is None:
                found.settle()
            found.check()
            found.forget_table()
            if self.finished is not None:
                self.finished(found)
        return found

    def value(self) -> Value:
        mover = self.game.turn
        if self.claim(mover):
            return "win"
        return "loss" if self.claim(1 - mover) else "draw"

    def margin(self, player: int) -> int:
        """Return the largest margin that a winning player can force."""
        low, high = 1, sum(self.game.counts) + max(self.game.scores)
        step = 1
        while low < high:  # from small margins up: large ones are quickly refuted
            middle = min(low + step, high)
            if self.claim(player, middle):
                low, step = middle, 2 * step
            else:
                high, step = middle - 1, max(1, (middle - 1 - low + 1) // 2)
        return low

    def fewest_moves(self, player: int) -> int:
        """Return the fewest moves within which a winning player can force it."""
        bound = self.proof(player).length
        if bound > proof.MOST_MOVES_LEFT:
            bound = proof.MOST_MOVES_LEFT + 1
        # Downwards: proving a slightly longer win costs less than refuting a shorter one.
        while bound > 1 and self.claim(player, 1, bound - 1):
            bound = self.proof(player, 1, bound - 1).length
        if bound > proof.MOST_MOVES_LEFT:
            raise SolveError(text("solve.refused.long-win", most=proof.MOST_MOVES_LEFT))
        return bound

    def line(self) -> tuple[Move, ...]:
        """Return one game: whoever has a strategy follows it, a loser resists as long as possible."""
        mover = self.game.turn
        winner = mover if self.claim(mover) else 1 - mover if self.claim(1 - mover) else None
        game = self.game.copy()
        seen = set()
        while not game.over and (game.state.board, game.turn) not in seen:
            seen.add((game.state.board, game.turn))
            game.push(self._reply(game, winner))
        return game.moves[len(self.game.moves) :]

    def _reply(self, game: Game, winner: int | None) -> Move:
        # In a draw each side follows the strategy that refutes the other's claim.
        found = self.proof(1 - game.turn if winner is None else winner)
        kept = found.kept(convert.pack_position(self.rules, game.state))
        if kept is not None and kept[0] != certificate.ALL:
            return convert.move_of(self.rules, game.turn, kept[0])

        def resistance(move: Move) -> int:
            after = game.copy()
            after.push(move)
            later = None if after.over else found.kept(convert.pack_position(self.rules, after.state))
            return -1 if later is None else later[1]

        return max(game.legal_moves, key=resistance)


def solve(
    game: Game,
    *,
    threads: int = 1,
    entries: int = DEFAULT_ENTRIES,
    score: bool = False,
    shortest: bool = False,
    each: bool = False,
    report: Report | None = None,
    solver: Solver | None = None,
) -> Solution:
    """Solve a position of a relay game. `score`: also by how much; `shortest`: in how few moves; `each`: every move."""
    solver = solver or Solver(game, threads, entries, report)
    begun = time.perf_counter()
    outcome = game.outcome()
    if outcome is not None:
        value: Value = "draw" if outcome.winner is None else "win" if outcome.winner == game.turn else "loss"
        margin = abs(outcome.scores[0] - outcome.scores[1]) if score else None
        return Solution(game.rules, game.position, value, outcome.winner, None, 0, True, (), margin, 0, 0, 0.0, threads)
    value = solver.value()
    winner = None if value == "draw" else game.turn if value == "win" else 1 - game.turn
    moves = None if winner is None else solver.proof(winner).length
    margin = None
    if score:
        margin = 0 if winner is None else solver.margin(winner)
    if shortest and winner is not None:
        moves = solver.fewest_moves(winner)
    line = solver.line()
    each_move: dict[str, Value] = {}
    if each:
        each_move = {str(move): _after(solver, move) for move in game.legal_moves}
    proofs = solver.proofs.values()
    return Solution(
        rules=game.rules,
        position=game.position,
        value=value,
        winner=winner,
        best=line[0],
        moves=moves,
        exact=shortest and winner is not None,
        line=line,
        margin=margin,
        nodes=sum(found.nodes for found in proofs),
        strategy=sum(found.size for found in proofs),
        seconds=time.perf_counter() - begun,
        threads=threads,
        each=each_move,
    )


def _after(solver: Solver, move: Move) -> Value:
    """Return what a move is worth to the player who plays it."""
    mover = solver.game.turn
    game = solver.game.copy()
    game.push(move)
    outcome = game.outcome()
    if outcome is not None:
        return "draw" if outcome.winner is None else "win" if outcome.winner == mover else "loss"
    below = Solver(Game(game.rules, start=game.state), solver.threads, solver.entries, solver.report)
    value = below.value()
    if game.turn == mover:
        return value
    turned: dict[Value, Value] = {"win": "loss", "loss": "win", "draw": "draw"}
    return turned[value]
