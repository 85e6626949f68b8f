"""Checking puzzles by other means than those that made them.

| made by | checked by |
|---|---|
| a table of one-lap rules (retrograde analysis) | a table by another solver, which lists the moves of every position |
| a table under a move limit | a table without the limit: an exact entry holds whatever the limit does |
| a table of relay rules | proof-number search without tables, every strategy walked again move by move |
| proof-number search, one lap | the same claims above the other table, every strategy walked again |
| proof-number search, relay | a plain search of all lines, which shares only the kernels (`plain`) |
| the engine's search for proofs | the same plain search |
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from awale import i18n
from awale.errors import RulesError
from awale.game import Game
from awale.rules import Rules
from awale.tables import Tables, compute
from awale.tables.board_values import board_values
from awale.tables.support import cycles
from awale.tables.table import Layer
from awale.training.exact import ClaimProver, earlier_positions
from awale.training.plain import PlainProver
from awale.training.puzzle import Decision, Puzzle, PuzzleError

TABLE_SEEDS = 12
ENTRIES = 1 << 18
NODES = 4_000_000
"""Positions that proof-number search may look at for one claim."""


class Claimed(NamedTuple):
    """A claim about a move: it leads to at least this final margin, or does not."""

    move: str
    margin: int
    holds: bool


def verify(puzzle: Puzzle) -> bool:
    """Check a puzzle; return whether everything was settled. Raise `PuzzleError` with the reason if something is
    wrong."""
    return settled_decisions(puzzle) == len(puzzle.decisions)


def settled_decisions(puzzle: Puzzle) -> int:
    """Return how many of a puzzle's decisions, from the first on, could be confirmed; raise if one is wrong."""
    puzzle.check()
    game = puzzle.game()
    side = game.turn
    settled = 0
    for number, move in enumerate(puzzle.line):
        if game.turn == side:
            decision = puzzle.decisions[settled]
            claims = _goal_claims(puzzle, decision, move, first=number == 0)
            if len(decision.values) > 1 and not _check(puzzle, game, claims, decision):
                break
            settled += 1
        game.push(move)
    return settled


def _goal_claims(puzzle: Puzzle, decision: Decision, solution: str, *, first: bool) -> list[Claimed]:
    """Return what makes the solution the only one."""
    target = puzzle.target
    claims = [Claimed(solution, target, True)]
    if puzzle.goal == "draw" and first:
        claims.append(Claimed(solution, 1, False))
    least = target - puzzle.gain + 1 if puzzle.goal == "gain" and first else target
    return claims + [Claimed(move, least, False) for move in decision.values if move != solution]


def _check(puzzle: Puzzle, game: Game, claims: list[Claimed], decision: Decision) -> bool:
    """Settle claims about the moves of a position; raise for one that is wrong."""
    tables = None if game.rules.family != "lap" else other_tables(game.rules, min(TABLE_SEEDS, sum(game.counts)))
    exact = all(value.exact for value in decision.values.values())
    # A proof may have used the move limit or a repetition; an exact entry of a table has not, unless a move reaches the
    # limit.
    last = game.rules.move_limit is not None and game.ply + 1 >= game.rules.move_limit
    comparable = (puzzle.source == "table" and not last) or cycles(game.rules) == "even"
    if tables is not None and exact and comparable and not earlier_positions(game) and sum(game.counts) <= TABLE_SEEDS:
        values = board_values(tables, Game(tables.rules, start=game.state._replace(ply=0))).moves
        for move, value in decision.values.items():
            if value != values[move]:
                said, found = f"{value.least:+d}", f"{values[move].least:+d}"
                raise PuzzleError(
                    i18n.message("puzzles.bad.margin", move=move, position=game.position, said=said, found=found)
                )
        return True
    prover = None if game.rules.family == "relay" and puzzle.source == "proof" else _prover(game, tables)
    if prover is None:
        plain = plain_prover(game.rules)
        answers = [plain.at_least(game, claim.move, claim.margin, likely=claim.holds) for claim in claims]
    else:
        answers = [prover.at_least(game, claim.move, claim.margin) for claim in claims]
    settled = [_compare(game, claim, found) for claim, found in zip(claims, answers, strict=True)]
    return all(settled)


@lru_cache(maxsize=4)
def other_tables(rules: Rules, seeds: int) -> Tables:
    """Return tables of one-lap rules without goal, move limit and repetition rule, solved by other code than those that
    puzzles are made with. Their values hold wherever an exact entry does not depend on cycles or the limit."""
    plain = rules.variant(win_at=None, move_limit=None, repetition="none")
    if rules.move_limit is not None:  # made with the solver below
        return compute(plain, seeds)
    from awale.cores import cores
    from awale.tables.generic_solve import PlainSolver
    from awale.tables.workers import Workers

    solver = PlainSolver(plain, seeds, Workers(cores()))
    layers = []
    for layer in range(seeds + 1):
        solver.fill(layer, lambda progress: None)
        parts: dict[str, Any] = solver.fetch(layer)
        layers.append(Layer(parts["codes"], None))
    return Tables(plain, None, layers)


def _prover(game: Game, tables: Tables | None) -> ClaimProver | None:
    if earlier_positions(game):
        return None
    try:
        return ClaimProver(game.rules, tables, nodes=NODES, entries=ENTRIES)
    except RulesError:
        return None


plain_prover = lru_cache(maxsize=2)(PlainProver)


def _compare(game: Game, claim: Claimed, found: bool | None) -> bool:
    if found is not None and found != claim.holds:
        key = "less" if claim.holds else "more"
        raise PuzzleError(
            i18n.message(f"puzzles.bad.{key}", move=claim.move, position=game.position, margin=f"{claim.margin:+d}")
        )
    return found is not None
