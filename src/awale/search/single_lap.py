"""The values of single-lap positions by proof: claims "x ends at least m ahead" until two neighbours leave one value.

Endless play is worth the margin at that moment, which is what `awari` says (a repetition ends the game and the rest
counts for nobody) and what happens where the rules say nothing. Where a repetition gives each side its own seeds
(`abapa`), its worth depends on the moves before, and there are two values: the pessimistic one, if endless play goes
against the player to move, and the optimistic one, if it goes for them. They are bounds however it is scored.

Goals are left out, as in the tables: see docs/tables.md. One transposition table serves a claim after all moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from math import inf
from typing import Any, Literal, NamedTuple

import numpy as np

from awale.bounds import Bounds
from awale.errors import RulesError
from awale.game import Game
from awale.i18n import text
from awale.kernels import convert, endgame
from awale.kernels.bits import BYTES
from awale.kernels.endgame import NO_TABLES, TableSet
from awale.rules.description import Rules
from awale.search import proof
from awale.search.claims import AGAINST, CERTAIN, ENDED, MARGIN, REPEATED, TABLED, Claim
from awale.search.solve import DEFAULT_ENTRIES, Proof, Report, worth_searching

FIRST_SEARCH = 1 << 22
"""Positions that are searched after a move before the turn of the next one; twice as many each time after that."""
FIRST_LIMIT = 1 << 26
"""Once the value is known, the most in one go before a claim is put off until the other moves have had their turn; four
times as many each time after that."""

Endless = Literal["margin", "against", "for"]
"""How endless play is scored: by the margin at that moment, against the player to move at first, or for them."""


def refusal(rules: Rules) -> str | None:
    """Return why claims cannot be proved under these rules; None if they can."""
    if rules.family != "lap" or rules.pits > BYTES:
        return text("solve.refused.lap", rules=rules.name, most=BYTES)
    if rules.move_limit is not None:
        return text("solve.refused.counted", rules=rules.name)
    return None


def has_exact_values(rules: Rules) -> bool:
    """Return whether endless play is worth the margin at that moment. Otherwise a claim that fails may still hold in a
    game: what proofs give are bounds."""
    return rules.repetition != "own-side"


def check_rules(rules: Rules) -> None:
    """Raise RulesError for rules under which claims cannot be proved."""
    said = refusal(rules)
    if said is not None:
        raise RulesError(said)


def check_exact(rules: Rules) -> None:
    """Raise RulesError also where proofs give only bounds."""
    check_rules(rules)
    if not has_exact_values(rules):
        raise RulesError(text("solve.refused.cycles", rules=rules.name))


@dataclass
class Prover:
    """Prove claims about positions of one game, with one transposition table."""

    rules: Rules
    tables: TableSet = NO_TABLES
    threads: int = 1
    entries: int = DEFAULT_ENTRIES
    report: Report | None = None
    nodes: int = 0
    repetitions: int = 0
    """Moves back to a position of the line being searched."""

    def __post_init__(self) -> None:
        check_rules(self.rules)
        self.plain = self.rules.variant(win_at=None, repetition="none")
        self._endless = MARGIN if has_exact_values(self.rules) else AGAINST
        self._table = proof.new_table(self.entries)
        self._running: set[Proof] = set()
        self._stopped = False

    def state(self, game: Game) -> Any:
        return convert.pack_position(self.rules, game.state)._replace(ply=0)

    def settle(
        self,
        state: Any,
        player: int,
        margin: int,
        most: int | None = None,
        past: Sequence[Any] = (),
        until: float = inf,
        check: bool = False,
    ) -> Proof:
        """Search a claim; the result is in `holds`. `check`: then walk the strategy. `past`: see `Proof`; `until`: see
        `Proof.settle`."""
        found = Proof(
            self.plain,
            Claim(player, margin, 0, self._endless),
            state,
            self.threads,
            report=self.report,
            table=self._table,
            tables=self.tables,
            past=past,
        )
        self._running.add(found)
        if self._stopped:
            found.cancel()
        try:
            (found.prove if check else found.settle)(most=most, until=until)
        finally:
            self._running.discard(found)
            self.nodes += found.nodes
            self.repetitions += found.repetitions
        return found

    def stop(self) -> None:
        """End the searches and checks of other threads, and those that they begin later."""
        self._stopped = True
        for found in list(self._running):
            found.cancel()

    def forget(self) -> None:
        """Empty the transposition table. Claims about neighbouring margins share no entry: with as many seeds on the
        board, the seeds that are still needed are odd in one and even in the other."""
        self._table = np.zeros(0, np.int64)  # before the next one: it may be most of the memory
        self._table = proof.new_table(self.entries)

    def look_up(self, state: Any, player: int) -> Bounds | None:
        """Return the margin of a player at the end of a position that the tables cover."""
        seeds = int(sum((state.mine + state.theirs) >> 8 * pit & 255 for pit in range(self.rules.pits)))
        if seeds >= self.tables.layers:
            return None
        least, most = map(int, endgame.bounds(self.tables, state.mine, state.theirs, seeds))
        margin = int(state.south - state.north if player == 0 else state.north - state.south)
        return Bounds(margin + least, margin + most) if state.turn == player else Bounds(margin - most, margin - least)


class Settled(NamedTuple):
    """A claim that was searched and then checked, move by move."""

    move: str
    """The first move."""
    margin: int
    """After it, whoever played it ends at least this far ahead, or ..."""
    holds: bool
    """... not."""
    nodes: int
    """Positions searched."""
    seconds: float
    walked: int
    """Positions of the strategy, which was walked again after the search."""
    closed: tuple[int, int, int, int]
    """How often a line of it was closed: by the end of the game, by too few seeds being left to change the result, by a
    table entry, by a cycle."""
    endless: Endless = "margin"

    @property
    def depends_on_tables(self) -> bool:
        """Whether it says only that something was not proved: above tables that round their bounds less, it may be."""
        return self.endless != "margin" and self.holds == (self.endless == "for")


@dataclass
class Reading:
    """What is proved of the value of each move, to the player to move, if endless play is scored in one way."""

    endless: Endless
    at_first: Bounds
    """What the seeds on the board allow."""
    moves: dict[str, Bounds]
    claims: Counter[str] = field(default_factory=Counter)
    """How many were settled after each move."""

    @property
    def value(self) -> Bounds:
        """Of the position."""
        each = self.moves.values()
        if not each:
            return self.at_first
        return Bounds(max(one.least for one in each), max(one.most for one in each))

    @property
    def inexact(self) -> list[str]:
        """The moves whose value is not known."""
        return [move for move, value in self.moves.items() if not value.exact]

    def take(self, claim: Settled) -> None:
        """Add a settled claim."""
        least, most = self.moves[claim.move]
        self.claims[claim.move] += 1
        if claim.holds:
            self.moves[claim.move] = Bounds(max(least, claim.margin), most)
        else:
            self.moves[claim.move] = Bounds(least, min(most, claim.margin - 1))

    def next_margin(self, among: Iterable[str]) -> int:
        """Return the margin to ask about next: that of the move that may be worth the most. First whether it draws
        level, then in growing steps until there are bounds on both sides, then halfway between them."""
        move = max(among, key=lambda move: self.moves[move].most)
        least, most = self.moves[move]
        step = 1 << self.claims[move] >> 1
        if (least, most) == self.at_first:
            return (least + most) // 2
        if most == self.at_first.most:
            return min(least + step, most)
        if least == self.at_first.least:
            return max(most - step + 1, least + 1)
        return (least + most + 1) // 2


@dataclass
class ProvedValues:
    """What is proved of the value of each move, to the player to move: the margin at the end, or bounds that hold
    however endless play is scored."""

    readings: tuple[Reading, ...]
    """One, or two where the score of endless play depends on the moves before: against the player to move, and for
    them."""
    settled: list[Settled] = field(default_factory=list)
    asked: str = ""
    """The move that is being settled."""

    @classmethod
    def of(cls, game: Game, settled: Iterable[Settled] = ()) -> ProvedValues:
        """Return what follows from settled claims: nothing but the seeds on the board without any."""
        ahead = game.scores[game.turn] - game.scores[1 - game.turn]
        seeds = 0 if game.over else sum(game.counts)
        at_first = Bounds(ahead - seeds, ahead + seeds)
        ways: tuple[Endless, ...] = ("margin",) if has_exact_values(game.rules) else ("against", "for")
        moves = {} if game.over else {str(move): at_first for move in game.legal_moves}
        found = cls(tuple(Reading(way, at_first, dict(moves)) for way in ways))
        for claim in settled:
            found.take(claim)
        return found

    @property
    def value(self) -> Bounds:
        """Of the position."""
        return Bounds(self.readings[0].value.least, self.readings[-1].value.most)

    @property
    def moves(self) -> Mapping[str, Bounds]:
        worst, best = self.readings[0].moves, self.readings[-1].moves
        return {move: Bounds(worst[move].least, best[move].most) for move in worst}

    @property
    def complete(self) -> bool:
        """Whether nothing is left to prove."""
        return not any(reading.inexact for reading in self.readings)

    def know(self, move: str, value: Bounds) -> None:
        """Take the value of a move from a table or from the end of the game."""
        for reading in self.readings:
            one = value.most if reading.endless == "for" else value.least
            reading.moves[move] = Bounds(one, one)

    def take(self, claim: Settled) -> None:
        """Add a settled claim."""
        self.settled.append(claim)
        for reading in self.readings:
            if reading.endless == claim.endless:
                reading.take(claim)


def prove_values(
    game: Game,
    prover: Prover | None = None,
    *,
    moves: bool = True,
    found: ProvedValues | None = None,
    record: Callable[[Settled], None] | None = None,
) -> ProvedValues:
    """Prove the value of a position and, with `moves`, of each of its moves.

    `found` is what is known already, and is added to: after an interruption it holds what was proved until then.
    `record` is called with every claim that was settled.
    """
    prover = prover or Prover(game.rules)
    found = found or ProvedValues.of(game)
    if game.over:
        return found
    states: dict[str, Any] = {}
    for move in found.moves:
        after = Game(prover.plain, start=game.state._replace(ply=0))
        after.push(after.parse(move))
        states[move] = prover.state(after)
        ahead = after.scores[game.turn] - after.scores[1 - game.turn]
        known = Bounds(ahead, ahead) if after.over else prover.look_up(states[move], game.turn)
        if known is not None:
            found.know(move, known)

    def take(claim: Settled) -> None:
        found.take(claim)
        if record is not None:
            record(claim)

    def ask(reading: Reading, margin: int, asked: Iterable[str], *, enough: bool, limit: int | None = None) -> set[str]:
        settling = {m: states[m] for m in asked if reading.moves[m].least < margin <= reading.moves[m].most}
        prover.forget()
        return _ask(prover, game.turn, reading.endless, margin, settling, found, take, enough=enough, limit=limit)

    for reading in found.readings:
        while not reading.value.exact:
            least = reading.value.least
            better = [move for move, value in reading.moves.items() if value.most > least]
            ask(reading, max(reading.next_margin(better), least + 1), better, enough=True)
    limit = FIRST_LIMIT
    while moves and not found.complete:
        for reading in found.readings:
            put_off: set[str] = set()
            while asked := [move for move in reading.inexact if move not in put_off]:
                alone = sum(len(other.inexact) for other in found.readings) == 1
                put_off |= ask(reading, reading.next_margin(asked), asked, enough=False, limit=None if alone else limit)
        limit *= 4
    return found


def _ask(
    prover: Prover,
    player: int,
    endless: Endless,
    margin: int,
    states: dict[str, Any],
    found: ProvedValues,
    take: Callable[[Settled], None],
    *,
    enough: bool,
    limit: int | None,
) -> set[str]:
    """Settle the same claim after several moves, the short searches first; until one holds if that is enough. Return
    the moves after which `limit` positions in one go did not suffice. A strategy is walked while the next search is
    running."""
    spent = dict.fromkeys(states, (0, 0.0))
    walks: dict[Proof, Future[None]] = {}
    # If endless play goes for the player: the other cannot stop it by a claim of their own.
    other = endless == "for"
    claim = (1 - player, 1 - margin) if other else (player, margin)

    def walk(done: Proof, move: str, nodes: int, seconds: float) -> None:
        done.report = None
        closed = done.check().kept
        ended, certain, tabled, cycles = (int(closed[kind]) for kind in (ENDED, CERTAIN, TABLED, REPEATED))
        facts = nodes, round(seconds, 3), done.size, (ended, certain, tabled, cycles)
        take(Settled(move, margin, done.holds != other, *facts, endless))

    def search(walker: ThreadPoolExecutor) -> None:
        most = FIRST_SEARCH
        while spent and (limit is None or most <= limit):
            for move in list(spent):
                found.asked = move
                others = len(spent) > 1 or limit is not None
                enough_for_now = others and most < worth_searching(prover.rules, states[move])
                done = prover.settle(states[move], *claim, most if enough_for_now else None)
                spent[move] = spent[move][0] + done.nodes, spent[move][1] + done.seconds
                if done.holds is not None:
                    walks[done] = walker.submit(walk, done, move, *spent.pop(move))
                    if enough and done.holds != other:
                        return
            most *= 2

    with ThreadPoolExecutor(1) as walker:
        try:
            search(walker)
            for one in walks.values():
                one.result()
        except BaseException:
            for done in walks:
                done.cancel()
            wait(walks.values())
            raise
    return set(spent)
