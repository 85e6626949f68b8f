"""The values of single-lap positions by proof: claims "x ends at least m ahead" until two neighbours leave one value.

Endless play is worth the margin at that moment, which is what `awari` says (a repetition ends the game and the rest
counts for nobody) and what happens where the rules say nothing. Goals are left out, as in the tables: see
docs/tables.md. One transposition table serves a claim after all moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple

import numpy as np

from awale.bounds import Bounds
from awale.errors import RulesError
from awale.game import Game
from awale.i18n import text
from awale.kernels import convert, endgame
from awale.kernels.bits import BYTES
from awale.kernels.endgame import NO_TABLES, NOT_FOUND, TableSet
from awale.rules.description import Rules
from awale.search import proof
from awale.search.claims import CERTAIN, ENDED, REPEATED, TABLED, Claim
from awale.search.solve import DEFAULT_ENTRIES, Proof, Report, worth_searching

FIRST_SEARCH = 1 << 22
"""Positions that are searched after a move before the turn of the next one; twice as many each time after that."""
FIRST_LIMIT = 1 << 26
"""Once the value is known, the most in one go before a claim is put off until the other moves have had their turn; four
times as many each time after that."""


def refusal(rules: Rules) -> str | None:
    """Return why claims cannot be proved under these rules, as where endless play is not worth the margin at that
    moment; None if they can."""
    if rules.family != "lap" or rules.pits > BYTES:
        return text("solve.refused.lap", rules=rules.name, most=BYTES)
    if rules.move_limit is not None:
        return text("solve.refused.counted", rules=rules.name)
    if rules.repetition not in ("none", "nobody"):
        return text("solve.refused.cycles", rules=rules.name)
    return None


def check_rules(rules: Rules) -> None:
    """Raise RulesError for rules under which claims cannot be proved."""
    said = refusal(rules)
    if said is not None:
        raise RulesError(said)


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
            Claim(player, margin, 0),
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

    def look_up(self, state: Any, player: int) -> int | None:
        """Return the margin of a player at the end of a position that the tables cover."""
        seeds = int(sum((state.mine + state.theirs) >> 8 * pit & 255 for pit in range(self.rules.pits)))
        known = endgame.probe(self.tables, state.mine, state.theirs, seeds)
        if known == NOT_FOUND:
            return None
        margin = state.south - state.north if player == 0 else state.north - state.south
        return int(margin + (known if state.turn == player else -known))


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


@dataclass
class ProvedValues:
    """What is proved of the value of each move, to the player to move: the margin at the end."""

    value: Bounds
    """Of the position."""
    moves: dict[str, Bounds]
    settled: list[Settled] = field(default_factory=list)
    asked: str = ""
    """The move that is being settled."""

    @classmethod
    def of(cls, game: Game, settled: Iterable[Settled] = ()) -> ProvedValues:
        """Return what follows from settled claims: nothing but the seeds on the board without any."""
        ahead = game.scores[game.turn] - game.scores[1 - game.turn]
        seeds = 0 if game.over else sum(game.counts)
        at_first = Bounds(ahead - seeds, ahead + seeds)
        found = cls(at_first, {} if game.over else {str(move): at_first for move in game.legal_moves})
        for claim in settled:
            found.take(claim)
        return found

    def take(self, claim: Settled) -> None:
        """Add a settled claim."""
        self.settled.append(claim)
        least, most = self.moves[claim.move]
        if claim.holds:
            self.narrow(claim.move, max(least, claim.margin), most)
        else:
            self.narrow(claim.move, least, min(most, claim.margin - 1))

    def narrow(self, move: str, least: int, most: int) -> None:
        self.moves[move] = Bounds(least, most)
        each = self.moves.values()
        self.value = Bounds(max(one.least for one in each), max(one.most for one in each))

    def next_margin(self, move: str, at_first: Bounds) -> int:
        """Return the margin to ask about next: first whether the move draws level, then in growing steps until there
        are bounds on both sides, then halfway between them."""
        least, most = self.moves[move]
        step = 1 << sum(claim.move == move for claim in self.settled) >> 1
        if (least, most) == at_first:
            return (least + most) // 2
        if most == at_first.most:
            return min(least + step, most)
        if least == at_first.least:
            return max(most - step + 1, least + 1)
        return (least + most + 1) // 2


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
    at_first = ProvedValues.of(game).value
    states: dict[str, Any] = {}
    for move in found.moves:
        after = Game(prover.plain, start=game.state._replace(ply=0))
        after.push(after.parse(move))
        states[move] = prover.state(after)
        ahead = after.scores[game.turn] - after.scores[1 - game.turn]
        known = ahead if after.over else prover.look_up(states[move], game.turn)
        if known is not None:
            found.narrow(move, known, known)

    def take(claim: Settled) -> None:
        found.take(claim)
        if record is not None:
            record(claim)

    def ask(margin: int, asked: Iterable[str], *, enough: bool = False, limit: int | None = None) -> set[str]:
        prover.forget()
        settling = {move: states[move] for move in asked if found.moves[move].least < margin <= found.moves[move].most}
        return _ask(prover, game.turn, margin, settling, found, take, enough=enough, limit=limit)

    def next_margin(asked: Iterable[str]) -> int:
        return found.next_margin(max(asked, key=lambda move: found.moves[move].most), at_first)

    while not found.value.exact:
        least = found.value.least
        better = [move for move, value in found.moves.items() if value.most > least]
        ask(max(next_margin(better), least + 1), better, enough=True)
    limit = FIRST_LIMIT
    while moves and not all(value.exact for value in found.moves.values()):
        put_off: set[str] = set()
        while asked := [move for move, value in found.moves.items() if not value.exact and move not in put_off]:
            alone = len(asked) == 1 and not put_off
            put_off |= ask(next_margin(asked), asked, limit=None if alone else limit)
        limit *= 4
    return found


def _ask(
    prover: Prover,
    player: int,
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

    def walk(done: Proof, move: str, nodes: int, seconds: float) -> None:
        done.report = None
        closed = done.check().kept
        ended, certain, tabled, cycles = (int(closed[kind]) for kind in (ENDED, CERTAIN, TABLED, REPEATED))
        facts = nodes, round(seconds, 3), done.size, (ended, certain, tabled, cycles)
        take(Settled(move, margin, bool(done.holds), *facts))

    def search(walker: ThreadPoolExecutor) -> None:
        most = FIRST_SEARCH
        while spent and (limit is None or most <= limit):
            for move in list(spent):
                found.asked = move
                rest = len(spent) > 1 or limit is not None
                enough_for_now = rest and most < worth_searching(prover.rules, states[move])
                done = prover.settle(states[move], player, margin, most if enough_for_now else None)
                spent[move] = spent[move][0] + done.nodes, spent[move][1] + done.seconds
                if done.holds is not None:
                    walks[done] = walker.submit(walk, done, move, *spent.pop(move))
                    if done.holds and enough:
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
