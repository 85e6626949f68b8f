"""The kernels beside the plain-Python reference, on the same random games: what every kernel test is made of."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from awale.errors import RulesError
from awale.kernels import ENDINGS, convert, generic
from awale.kernels.jit import jit
from awale.kernels.playouts import playout_moves
from awale.rules import get, reference
from awale.rules.description import Rules
from awale.rules.reference import Position

WHOLE_GAME = 400


@jit(cache=False)
def record(k: Any, start: Any, moves: NDArray[np.int64], rows: NDArray[np.int64], facts: NDArray[np.int64]) -> None:
    """Play moves and write down, before the first and after each: the state, the legal moves, the ending and the
    final scores that it would give; a repetition's final scores too."""
    state = start
    last = 1 - start.turn
    for i in range(len(moves) + 1):
        for field in range(len(state)):
            rows[i, field] = state[field]
        code = generic.ending(k, state, last)
        facts[i, 0] = generic.legal(k, state)
        facts[i, 1] = code
        facts[i, 2], facts[i, 3] = generic.final(k, state, code, last)
        facts[i, 4], facts[i, 5] = generic.final(k, state, 4, last)
        if i < len(moves):
            last = state.turn
            state = generic.play(k, state, moves[i])


@contextmanager
def reference_looks_once() -> Iterator[None]:
    """The reference asks for the legal moves of a position when it settles it, and we ask again: remember the last."""
    real = reference.legal_steps
    known: list[Any] = [None, None, None]

    def remembered(rules: Rules, position: Position) -> Any:
        if known[0] is not rules or known[1] != position:
            known[:] = rules, position, real(rules, position)
        return known[2]

    with mock.patch.object(reference, "legal_steps", remembered):
        yield


def mask_of(rules: Rules, legal: Any) -> int:
    return sum(1 << convert.number_of(rules, move) for move in legal)


def compare_game(rules: Rules, start: Position, number: int, seed: int = 0, limit: int = WHOLE_GAME) -> int:
    """One random game, move by move; returns the number of positions compared."""
    settled = reference.settle(rules, start)
    if settled.reason is not None:
        return 0
    k = convert.pack_rules(rules)
    state = convert.pack_position(rules, settled.position)
    moves = np.array(playout_moves(rules, state, number, seed=seed, limit=limit), np.int64)
    rows = np.zeros((len(moves) + 1, len(state)), np.int64)
    facts = np.zeros((len(moves) + 1, 6), np.int64)
    record(k, state, moves, rows, facts)
    kind = type(state)
    position = settled.position
    earlier: list[Position] = []
    for i in range(len(moves) + 1):
        mask, code, *finals = (int(fact) for fact in facts[i])
        where = (rules, start, moves[:i].tolist())
        assert settled.reason is None, where
        assert convert.unpack_position(rules, kind(*map(int, rows[i]))) == position, where
        steps = reference.legal_steps(rules, position)
        assert mask == mask_of(rules, steps), where
        assert code == 0, where
        if i == len(moves):
            assert i == limit, where  # the kernel stopped although the reference would play on
            return i
        move = convert.move_of(rules, position.turn, int(moves[i]))
        earlier.insert(0, position)
        done = steps[move]
        if done.sown.period is not None:
            settled = reference.play(rules, position, move)
        else:
            settled = reference.settle(rules, reference.after(rules, position, done), earlier)
        if settled.position.scores != position.scores:
            earlier.clear()
        position = settled.position
        if settled.reason is not None:
            _, code, *finals = (int(fact) for fact in facts[i + 1])
            where = (rules, start, moves[: i + 1].tolist())
            assert i + 1 == len(moves), where  # the reference stopped although the kernel played on
            if settled.reason == "repetition":
                assert code == 0, where
                assert tuple(finals[2:]) == position.scores, where
            else:
                assert ENDINGS[code] == settled.reason, where
                assert tuple(finals[:2]) == position.scores, where
            return i + 1
    raise AssertionError("unreachable")


def compare_games(rules: Rules, plies: int, *, seed: int = 0, limit: int = WHOLE_GAME) -> int:
    """Random games from the start of these rules until so many positions were compared."""
    compared = 0
    number = 0
    start = reference.start(rules)
    with reference_looks_once():
        while compared < plies:
            compared += compare_game(rules, start, number, seed, limit) or plies
            number += 1
    return compared


def random_position(rules: Rules, rng: random.Random) -> Position:
    """Any position at all: sparse, crowded, with one huge pit, with a starved side."""
    most = 240
    style = rng.random()
    board = [0] * rules.holes
    for _ in range(rng.randint(0, most) if style < 0.25 else rng.randint(0, min(most, 3 * rules.holes))):
        board[rng.randrange(rules.holes)] += 1
    if style > 0.85:
        board[rng.randrange(rules.holes)] += rng.randint(0, most - sum(board))
    if rng.random() < 0.3:
        starved = rng.randrange(2) * rules.pits
        board[starved : starved + rules.pits] = [0] * rules.pits
    if rng.random() < 0.2:
        # Just before the end of a side: where feeding and grand slams are decided.
        side = rng.randrange(2) * rules.pits
        board[side : side + rules.pits] = [rng.choice((0, 0, 1, 2)) for _ in range(rules.pits)]
        while sum(board) > most:
            board[board.index(max(board))] //= 2
    south = rng.randint(0, most - sum(board))
    return Position(
        tuple(board), (south, rng.randint(0, most - sum(board) - south)), rng.randrange(2), rng.randint(0, 110)
    )


def random_lap_rules(rng: random.Random, pits: tuple[int, int] = (1, 12)) -> Rules:
    """Village rules of the one-lap kind, any combination of options that makes sense."""
    rests = ("nobody", "own-side", "last-mover")
    while True:
        side = rng.randint(*pits)
        seeds = rng.randint(1, 240 // (2 * side)) if rng.random() < 0.3 else rng.randint(1, 4)
        options: dict[str, Any] = {
            "name": "village",
            "pits": side,
            "seeds": seeds,
            "origin": rng.choice(("skipped", "skipped", "sown")),
            "capture": rng.choice(("chain", "chain", "opposite")),
            "capture_counts": rng.choice(((2, 3), (2, 3), (1,), (2, 3, 4), (4,), (1, 2, 3, 5, 60))),
            "grand_slam": rng.choice(("allowed", "takes-nothing", "illegal", "illegal-unless-forced")),
            "feeding": rng.choice(("free", "required", "if-possible")),
            "starved": rng.choice(("ends", "passes")),
            "endings": tuple(rng.sample(("win", "moves", "few"), 3)),
            "win_at": rng.choice((None, "majority", 2 * side * seeds)),
            "win_rest": rng.choice(rests),
            "few_seeds": rng.choice((None, 0, 1, 3)),
            "few_rest": rng.choice(rests),
            "move_limit": rng.choice((None, 7, 100)),
            "move_limit_rest": rng.choice(rests),
            "repetition": rng.choice(("none", "nobody", "own-side")),
            "no_move": rng.choice((*rests, "to-move")),
        }
        try:
            return get("abapa").variant(**options)
        except RulesError:
            continue


def compare_position(rules: Rules, position: Position, kernel: Any) -> int:
    """Every legal move of a position, one move deep, by one kernel module; returns how many there were."""
    k, state = kernel.pack_rules(rules), kernel.pack(rules, position)
    assert kernel.unpack(rules, state) == position
    steps = reference.legal_steps(rules, position)
    assert kernel.legal(k, state) == mask_of(rules, steps), (rules, position)
    for move, done in steps.items():
        where = (rules, position, move)
        after = reference.after(rules, position, done)
        settled = reference.settle(rules, after)
        got = kernel.play(k, state, convert.number_of(rules, move))
        played = kernel.unpack(rules, got)
        assert (played.board, played.scores, played.ply) == (after.board, after.scores, after.ply), where
        code = generic.ending(k, got, position.turn)
        assert ENDINGS[code] == (settled.reason or ""), where
        if code:
            assert kernel.final(k, got, code, position.turn) == settled.position.scores, where
        else:
            assert played.turn == settled.position.turn, where
    return len(steps)
