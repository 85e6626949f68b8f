"""The values of single-lap positions by proof: claims "x ends at least m ahead" until two neighbours leave one value.

Endless play is worth the margin at that moment, which is what `awari` says (a repetition ends the game and the rest
counts for nobody) and what happens where the rules say nothing. Goals are left out, as in the tables: see
docs/tables.md. One transposition table serves all claims, since an entry says how many seeds of the board a player
still needs, not who claimed what.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from awale.errors import RulesError
from awale.game import Game
from awale.i18n import text
from awale.kernels import convert, endgame
from awale.kernels.bits import BYTES
from awale.kernels.endgame import NO_TABLES, NOT_FOUND, TableSet
from awale.rules.description import Rules
from awale.rules.moves import Move
from awale.search import proof
from awale.search.claims import CERTAIN, ENDED, REPEATED, TABLED, Claim
from awale.search.solve import DEFAULT_ENTRIES, Proof, Report


def check_rules(rules: Rules) -> None:
    """Raise RulesError for rules under which endless play is not worth the margin at that moment, or other games."""
    if rules.family != "lap" or rules.pits > BYTES:
        raise RulesError(text("solve.refused.lap", rules=rules.name, most=BYTES))
    if rules.move_limit is not None:
        raise RulesError(text("solve.refused.counted", rules=rules.name))
    if rules.repetition not in ("none", "nobody"):
        raise RulesError(text("solve.refused.cycles", rules=rules.name))


@dataclass
class ProvedValues:
    """The value of a position to the player to move, and of each move: the margin at the end. All of it is proved."""

    value: int
    moves: dict[str, int]
    nodes: int = 0
    """Positions searched."""
    repetitions: int = 0
    """Moves back to a position of the line being searched."""
    walked: int = 0
    """Positions of the strategies, which were walked again after the search."""
    closed: dict[str, int] = field(default_factory=dict)
    """How often a line of a strategy was closed, by what: the end of the game, too few seeds left to change the result,
    a table entry, a cycle."""
    claims: int = 0
    seconds: float = 0.0


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
    proofs: list[Proof] = field(default_factory=list)
    """What was claimed last, and checked."""

    def __post_init__(self) -> None:
        check_rules(self.rules)
        self.plain = self.rules.variant(win_at=None, repetition="none")
        self._table = proof.new_table(self.entries)
        self._running: set[Proof] = set()

    def state(self, game: Game) -> Any:
        return convert.pack_position(self.rules, game.state)._replace(ply=0)

    def settle(self, state: Any, player: int, margin: int, most: int | None = None) -> Proof:
        """Search a claim; the result is in `holds`."""
        found = Proof(
            self.plain,
            Claim(player, margin, 0),
            state,
            self.threads,
            report=self.report,
            table=self._table,
            tables=self.tables,
        )
        self._running.add(found)
        try:
            found.settle(most=most)
        finally:
            self._running.discard(found)
        self.nodes += found.nodes
        self.repetitions += found.repetitions
        return found

    def stop(self) -> None:
        """Make the searches that other threads run return, undecided."""
        for found in list(self._running):
            found.stop()

    def value(self, state: Any, player: int, guess: int) -> int:
        """Return the largest margin that a player can force, both neighbours of it checked move by move."""
        seeds = int(sum((state.mine + state.theirs) >> 8 * pit & 255 for pit in range(self.rules.pits)))
        known = endgame.probe(self.tables, state.mine, state.theirs, seeds)
        margin = state.south - state.north if player == 0 else state.north - state.south
        if known != NOT_FOUND:
            return int(margin + (known if state.turn == player else -known))
        low, high = margin - seeds, margin + seeds
        asked: dict[int, Proof] = {}
        wanted = min(max(guess, low + 1), high)
        step = 1
        while low < high:
            asked[wanted] = self.settle(state, player, wanted)
            if asked[wanted].holds:
                low, wanted = wanted, min(high, wanted + step)
            else:
                high, wanted = wanted - 1, max(low + 1, wanted - step)
            step *= 2
            if low < high:
                wanted = min(max(wanted, low + 1), high)
        for margin in (low, low + 1):
            if margin in asked:
                asked[margin].check()
                self.proofs.append(asked[margin])
        return low


def prove_values(
    game: Game,
    tables: TableSet = NO_TABLES,
    *,
    threads: int = 1,
    entries: int = DEFAULT_ENTRIES,
    report: Report | None = None,
    moves: bool = True,
) -> ProvedValues:
    """Return the proved value of a position and, with `moves`, of each of its moves. `tables` settle the positions they
    cover."""
    begun = time.perf_counter()
    prover = Prover(game.rules, tables, threads, entries, report)
    mover = game.turn
    found = ProvedValues(game.scores[mover] - game.scores[1 - mover], {})
    guess = found.value
    if not moves and not game.over:
        found.value = prover.value(prover.state(game), mover, guess)
    for move in game.legal_moves if moves and not game.over else ():
        guess = _after(prover, game, move, mover, guess)
        found.moves[str(move)] = guess
    if found.moves:
        found.value = max(found.moves.values())
    found.nodes, found.repetitions, found.claims = prover.nodes, prover.repetitions, len(prover.proofs)
    found.walked = sum(done.size for done in prover.proofs)
    for name, kind in (("ended", ENDED), ("certain", CERTAIN), ("table", TABLED), ("cycle", REPEATED)):
        found.closed[name] = sum(int(done.strategy.kept[kind]) for done in prover.proofs if done.strategy is not None)
    found.seconds = time.perf_counter() - begun
    return found


def _after(prover: Prover, game: Game, move: Move, mover: int, guess: int) -> int:
    """Return what a move is worth to the player who plays it."""
    after = Game(prover.plain, start=game.state._replace(ply=0))
    after.push(move)
    if after.over:
        return after.scores[mover] - after.scores[1 - mover]
    return prover.value(prover.state(after), mover, guess)
