"""The solver against a plain-Python solution of small boards, and the results that are known."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from functools import cache

import numpy as np
import pytest

from awale import Game
from awale.errors import RulesError
from awale.kernels import bits, convert
from awale.kernels.endgame import NO_TABLES
from awale.kernels.jit import COMPILER_OFF
from awale.rules import get, reference
from awale.rules.description import Rules
from awale.rules.reference import Position
from awale.search import certificate, limits, proof
from awale.search.claims import INFINITE, Claim
from awale.search.solve import Proof, SolveError, Solver, solve

SMALL = ["ghana4", "ghana:pits=1", "ghana:pits=1,seeds=1", "ghana:pits=2,seeds=1", "ghana:pits=2,seeds=2"]
SMALL += ["ghana:pits=2,seeds=3", "ghana:pits=3,seeds=1", "ghana:pits=3,seeds=2", "ghana-basic:pits=2"]
SMALL += ["ghana-basic:pits=3,seeds=1", "ghana-basic:pits=3,seeds=2", "ghana:pits=4,seeds=1"]
SMALL += ["parrains:pits=2", "parrains:pits=3,seeds=1", "parrains:pits=3,seeds=2"]
SMALL += ["ghana:pits=2,no_move=own-side", "ghana:pits=2,starved=ends", "ghana:pits=2,few_seeds=none,seeds=2"]
SMALL += ["ghana:pits=3,seeds=1,win_at=none", "ghana:pits=3,seeds=1,few_rest=nobody"]


@cache
def explored(name: str) -> tuple[dict[Position, list[Position]], dict[Position, tuple[int, int]]]:
    """Every position that can be reached, with what follows it; and the final scores of those that are over."""
    rules = get(name)
    settled = reference.settle(rules, reference.start(rules))
    follows: dict[Position, list[Position]] = {}
    finals: dict[Position, tuple[int, int]] = {}
    todo = [settled.position]
    while todo:
        position = todo.pop()
        if position in follows:
            continue
        follows[position] = []
        for move in reference.legal_moves(rules, position):
            after = reference.play(rules, position, move)
            # Positions do not count moves here; one that is over is told apart from the same one still in play.
            plain = after.position._replace(ply=0 if after.reason is None else -1)
            follows[position].append(plain)
            if after.reason is None:
                todo.append(plain)
            else:
                finals[plain] = after.position.scores
    return follows, finals


@cache
def wins_within(name: str, player: int, margin: int) -> dict[Position, int]:
    """Where a player can force a margin, and in how many moves: backwards from the ends, one move at a time."""
    follows, finals = explored(name)
    before = defaultdict(list)
    for position, after in follows.items():
        for later in after:
            before[later].append(position)
    open_replies = {position: len(after) for position, after in follows.items()}
    won = {p: 0 for p, s in finals.items() if s[player] - s[1 - player] >= margin}
    front, moves = list(won), 0
    while front:
        moves += 1
        new = []
        for later in front:
            for position in before[later]:
                open_replies[position] -= 1
                if position not in won and (position.turn == player or open_replies[position] == 0):
                    won[position] = moves
                    new.append(position)
        front = new
    return won


def start_of(rules: Rules) -> Position:
    return reference.settle(rules, reference.start(rules)).position


@pytest.mark.parametrize("name", SMALL)
def test_small_boards_agree_with_plain_python(name: str) -> None:
    game = Game(name)
    solver = Solver(game)
    start = start_of(game.rules)
    for player in (0, 1):
        for margin in (-2, 0, 1, 2, 5):
            expected = wins_within(name, player, margin)
            assert solver.claim(player, margin) == (start in expected), (player, margin)
    winners = [player for player in (0, 1) if start in wins_within(name, player, 1)]
    solution = solve(game, score=True, shortest=True)
    assert solution.winner == (winners[0] if winners else None)
    assert solution.value == ("draw" if not winners else "win" if winners[0] == game.turn else "loss")
    if winners:
        assert solution.moves == wins_within(name, winners[0], 1)[start]
        assert solution.margin is not None
        assert start in wins_within(name, winners[0], solution.margin)
        assert start not in wins_within(name, winners[0], solution.margin + 1)


ALL_POSITIONS = ["ghana:pits=3,seeds=2", "ghana-basic:pits=3,seeds=1", "ghana:pits=2,seeds=3"]
# A player without a seed may be to move.
ALL_POSITIONS += ["ghana:pits=2,starved=ends", "ghana:pits=2,starved=ends,no_move=to-move"]


@pytest.mark.parametrize("name", ALL_POSITIONS)
def test_every_position_of_a_board_agrees(name: str) -> None:
    """Also from the middle of the game, where scores and starved players matter."""
    rules = get(name)
    follows, _ = explored(name)
    won = [wins_within(name, player, 1) for player in (0, 1)]
    chosen = sorted(follows)[:: max(1, len(follows) // (20 if COMPILER_OFF else 150))]
    for position in chosen:
        solver = Solver(Game(rules, start=position))
        for player in (0, 1):
            assert solver.claim(player) == (position in won[player]), position


def test_the_largest_solved_board_is_the_largest_of_the_kernels() -> None:
    assert limits.SOLVED_PITS == bits.BYTES


def test_values_of_the_moves() -> None:
    solution = solve(Game("ghana4"), each=True)
    assert solution.each == {"1": "win", "2": "draw"}
    assert (solution.value, str(solution.best), solution.moves) == ("win", "1", 3)


def test_the_line_is_a_game() -> None:
    for name in ("ghana4", "ghana:pits=3", "ghana:pits=4,seeds=3"):
        solution = solve(Game(name))
        game = Game(name, moves=solution.line)
        if solution.winner is not None:
            outcome = game.outcome()
            assert outcome is not None
            assert outcome.winner == solution.winner


@pytest.mark.skipif(COMPILER_OFF, reason="long without the compiler")
def test_the_first_player_wins_ghana_by_pit_3() -> None:
    """The open question of the article, answered; and answered alike by two threads."""
    solution = solve(Game("ghana"), threads=2)
    assert (solution.value, solution.winner, str(solution.best)) == ("win", 0, "3")
    game = Game("ghana", moves=solution.line)
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.winner == 0
    assert solution.strategy > 100_000


@pytest.mark.skipif(COMPILER_OFF, reason="long without the compiler")
def test_a_strategy_answers_every_move() -> None:
    """Replay a strategy of the solver with the plain reference, all replies of the other side tried."""
    rules = get("ghana:pits=4,seeds=2")
    game = Game(rules)
    found = Solver(game).proof(0)
    assert found.holds
    seen = set()
    todo = [game.state]
    while todo:
        position = todo.pop()._replace(ply=0)
        if position in seen:
            continue
        seen.add(position)
        kept = found.kept(convert.pack_position(rules, position))
        assert kept is not None
        moves = reference.legal_moves(rules, position)
        if position.turn == 0:
            moves = [convert.move_of(rules, 0, kept[0])]
        for move in moves:
            after = reference.play(rules, position, move)
            if after.reason is None:
                todo.append(after.position)
            else:
                assert after.position.scores[0] > after.position.scores[1]
    assert len(seen) == found.size


def test_a_wrong_table_is_never_believed() -> None:
    """The check replays the game: a search that lied would be found out."""
    game = Game("ghana:pits=3,seeds=2")
    root = convert.pack_position(game.rules, game.state)
    for player in (0, 1):
        honest = Proof(game.rules, Claim(player, 1, 0), root)
        truth = honest.settle()
        lying = Proof(game.rules, Claim(player, 1, 0), root)
        lying.settle()
        lying.holds = not truth
        # The table is made to call every position settled the other way round.
        rows = lying.table.reshape(-1, 3)
        for row in rows[rows[:, 2] != 0]:
            a, b = int(row[0] ^ row[2]), int(row[1] ^ row[2])
            numbers = (INFINITE, 0) if truth else (0, INFINITE)
            proof.store_entry(lying.table, a, b, *numbers, int(proof.move_in(row[2])), 1)
        with pytest.raises(AssertionError):
            lying.check()


def test_moves_that_lead_in_a_circle_are_found_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that forgets may know good moves that only follow each other; that shows nothing, and is mended."""
    game = Game("ghana:pits=3,seeds=2")
    root = convert.pack_position(game.rules, game.state)
    found = Proof(game.rules, Claim(0, 1, 0), root)
    assert found.settle() is True
    # Each of South's moves here wins, and the last position is one that was there before.
    for move in map(str, (1, 5, 2, 5, 3, 6, 2, 5, 1, 4, 1, 5, 1, 5, 2, 4, 2, 5)):
        state = convert.pack_position(game.rules, game.state)
        if game.turn == 0:
            proof.store_entry(found.table, *found._key(state, 0), 0, INFINITE, int(move) - 1, 1 << 20)
        game.push(move)
    assert not game.over
    with monkeypatch.context() as patched, pytest.raises(SolveError, match="--memory"):
        patched.setattr("awale.search.solve.MOST_CYCLES", 0)
        assert found.prove(most=1_000_000) is None
        assert found.settle() is True
        found.check()
    found.check()
    assert found.solved_again > 0
    assert found.kept(root) is not None


def test_a_small_table_is_enough() -> None:
    """Lost entries are found again, by the search and by the check."""
    game = Game("ghana:pits=3,seeds=3" if COMPILER_OFF else "ghana:pits=4,seeds=3")
    assert solve(game, entries=64).value == solve(game).value


@pytest.mark.skipif(COMPILER_OFF, reason="long without the compiler")
def test_an_interrupted_search_goes_on() -> None:
    game = Game("ghana:pits=5")
    root = convert.pack_position(game.rules, game.state)
    whole = Proof(game.rules, Claim(0, 1, 0), root)
    assert whole.settle() is True
    first = Proof(game.rules, Claim(0, 1, 0), root)
    work = first._works[0]
    marks = np.zeros((proof.MARKS, 1), np.uint8)
    part = proof.search(
        first.k, first.claim, NO_TABLES, root, first.table, work, marks, 0, np.zeros(1, np.int64), 20_000
    )
    assert part == proof.UNDECIDED
    second = Proof(game.rules, Claim(0, 1, 0), root)
    second.restore(first.snapshot())
    assert second.settle() is True
    assert second.nodes < whole.nodes
    second.check()


def test_most_positions_and_reports() -> None:
    heard = []
    game = Game("ghana:pits=3")
    root = convert.pack_position(game.rules, game.state)
    found = Proof(game.rules, Claim(0, 1, 0), root, threads=2, report=heard.append, every=0.001)
    assert found.settle() is False
    found.check()
    assert heard
    assert all(progress.claim == Claim(0, 1, 0) for progress in heard)


def test_finished_games() -> None:
    game = Game("ghana4", start="0-0-0-0-10-6-S")
    solution = solve(game, score=True)
    assert (solution.value, solution.winner, solution.margin, solution.best) == ("win", 0, 4, None)


def test_what_is_not_solved() -> None:
    for name in ("abapa", "ghana:pits=7", "ghana:move_limit=100"):
        with pytest.raises(RulesError):
            solve(Game(name))
    root = convert.pack_position(get("ghana4"), start_of(get("ghana4")))
    with pytest.raises(SolveError):
        Proof(get("ghana4"), Claim(0, 1, 63), root)


def test_entries_survive_a_round_trip() -> None:
    table = proof.new_table(1 << 10)
    proof.store_entry(table, 123, 456, 7, 8, 3, 1000)
    said = int(proof.look_up(table, 123, 456))
    assert (proof.proof_in(said), proof.disproof_in(said), proof.move_in(said)) == (7, 8, 3)
    assert int(proof.look_up(table, 123, 457)) == 0
    other = proof.new_table(1 << 10)
    proof.restore_entries(other, proof.entries_of(table, 10))
    assert int(proof.look_up(other, 123, 456)) == said
    assert certificate.chosen_move(certificate.new_strategy(4).slots, 1, 2) == -1


@pytest.mark.skipif(COMPILER_OFF, reason="this is that run")
def test_with_the_compiler_off() -> None:
    chosen = "moves or line or every_position or wrong or small_table or round_trip or finished"
    result = subprocess.run(
        [sys.executable, "-m", "pytest", __file__, "-q", "-n0", "-p", "no:cacheprovider", "-k", chosen],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.skipif(COMPILER_OFF, reason="a command of its own")
def test_the_command(tmp_path: object) -> None:
    from awale.cli import main

    environment = {**os.environ, "AWALE_QUIET": "1"}
    command = [sys.executable, "-m", "awale", "solve", "--rules", "ghana4", "--score", "--each", "--shortest"]
    result = subprocess.run([*command, "--json"], env=environment, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
    facts = json.loads(result.stdout)
    assert (facts["value"], facts["winner"], facts["best"], facts["moves"]) == ("win", 0, "1", 3)
    assert (facts["margin"], facts["each"]) == (14, {"1": "win", "2": "draw"})
    assert main(["solve", "--rules", "tricolor"]) == 2
    assert main(["solve", "--rules", "ghana4", "--threads", "0"]) == 2
    assert main(["solve", "--table", "--position", "4-4-4-4-0-0-N"]) == 2
