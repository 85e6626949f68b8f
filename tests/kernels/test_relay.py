"""The relay kernels against the plain-Python reference."""

from __future__ import annotations

import functools
import os
import random
import subprocess
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from awale import Game
from awale.kernels import ENDINGS, relay, relay_wide
from awale.kernels.jit import COMPILER_OFF
from awale.rules import get, reference
from awale.rules.description import Rules
from awale.rules.reference import Position

CI_PLIES = 200 if COMPILER_OFF else 100_000


def kernels_for(rules: Rules) -> list[ModuleType]:
    return [relay, relay_wide] if rules.pits <= relay.MAX_PITS else [relay_wide]


def check_position(kernel: ModuleType, rules: Rules, packed: Any, position: Position) -> Any:
    """A position that the reference let go on: same moves, same successors, same endings. Returns the steps."""
    state = kernel.pack(rules, position)
    assert kernel.unpack(rules, state) == position
    assert kernel.ending(packed, state, 1 - position.turn) == 0
    steps = reference.legal_steps(rules, position)
    expected = sum(1 << (move.pit - position.turn * rules.pits) for move in steps)
    assert int(kernel.legal(packed, state)) == expected
    rows = np.zeros((rules.pits, kernel.FIELDS), dtype=np.int64)
    assert int(kernel.expand(packed, state, rows)) == expected
    for move in steps:
        number = move.pit - position.turn * rules.pits
        after = kernel.play(packed, state, number)
        assert kernel.child(rows, number) == after
        settled = reference.play(rules, position, move)
        code = int(kernel.ending(packed, after, position.turn))
        assert ENDINGS[code] == (settled.reason or "")
        if settled.reason is None:
            assert kernel.unpack(rules, after) == settled.position
        else:
            assert tuple(kernel.final(packed, after, code, position.turn)) == settled.position.scores
    return steps


def random_plies(kernel: ModuleType, rules: Rules, plies: int, seed: int) -> None:
    """Random games, each move checked against the reference."""
    packed = kernel.pack_rules(rules)
    chance = random.Random(seed)
    position, started = reference.start(rules), False
    state = kernel.pack(rules, position)
    for _ in range(plies):
        if not started:
            position, started = reference.start(rules), True
            state = kernel.pack(rules, position)
        steps = reference.legal_steps(rules, position)
        first = position.turn * rules.pits
        assert int(kernel.legal(packed, state)) == sum(1 << (move.pit - first) for move in steps)
        move = chance.choice(list(steps))
        mover = position.turn
        if steps[move].sown.period is None:  # as reference.play, without sowing this move a second time
            settled = reference.settle(rules, reference.after(rules, position, steps[move]))
        else:
            settled = reference.play(rules, position, move)
        state = kernel.play(packed, state, move.pit - first)
        code = int(kernel.ending(packed, state, mover))
        assert ENDINGS[code] == (settled.reason or "")
        position = settled.position
        if settled.reason is None:
            assert kernel.unpack(rules, state) == position
        else:
            assert tuple(kernel.final(packed, state, code, mover)) == position.scores
            started = False


@pytest.mark.parametrize("name", ["ghana", "ghana-basic", "ghana4"])
def test_random_games_agree(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # The reference asks for the moves to see whether the game goes on, and we ask again: sow them once.
    monkeypatch.setattr(reference, "legal_steps", functools.lru_cache(4)(reference.legal_steps))
    random_plies(relay, get(name), CI_PLIES, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ghana", "ghana-basic", "ghana4"])
def test_many_random_games_agree(name: str) -> None:
    random_plies(relay, get(name), 10_000_000, seed=2)


@pytest.mark.parametrize("pits", range(1, 13))
@pytest.mark.parametrize("name", ["ghana", "ghana-basic"])
def test_every_width_agrees(name: str, pits: int) -> None:
    for seeds in (1, 2, 3):
        rules = get(f"{name}:pits={pits},seeds={seeds}")
        for kernel in kernels_for(rules):
            random_plies(kernel, rules, 30 if COMPILER_OFF else 400, seed=pits)


@st.composite
def relay_positions(draw: st.DrawFn) -> tuple[Rules, Position]:
    """Any relay rules, any position of few enough seeds that the reference finds every period quickly."""
    options: dict[str, Any] = {
        "pits": draw(st.integers(1, 12)),
        "seeds": 1,
        "starved": draw(st.sampled_from(["passes", "ends"])),
        "win_at": draw(st.sampled_from(["majority", None])),
        "win_rest": draw(st.sampled_from(["nobody", "own-side", "last-mover"])),
        "few_rest": draw(st.sampled_from(["nobody", "own-side", "last-mover"])),
        "no_move": draw(st.sampled_from(["nobody", "own-side", "last-mover", "to-move"])),
        "move_limit": draw(st.sampled_from([None, 10])),
        "move_limit_rest": draw(st.sampled_from(["nobody", "own-side", "last-mover"])),
        "endings": tuple(draw(st.permutations(["win", "moves", "few"]))),
    }
    few = draw(st.sampled_from([None, 0, 1]))
    rules = get(draw(st.sampled_from(["ghana", "ghana-basic"]))).variant(**options, few_seeds=few)
    # Periods grow fast with the seeds (8 pits and 60 seeds: millions of laps), and the reference walks them all.
    board = [0] * rules.holes
    for pit in draw(st.lists(st.integers(0, rules.holes - 1), max_size=30)):
        board[pit] += 1
    board[draw(st.integers(0, rules.holes - 1))] += draw(st.integers(0, 10))
    scores = (draw(st.integers(0, 20)), draw(st.integers(0, 20)))
    return rules, Position(tuple(board), scores, draw(st.integers(0, 1)), draw(st.integers(0, 12)))


@given(relay_positions())
def test_any_position_agrees(case: tuple[Rules, Position]) -> None:
    rules, position = case
    settled = reference.settle(rules, position)
    for kernel in kernels_for(rules):
        packed = kernel.pack_rules(rules)
        if settled.reason is None:
            check_position(kernel, rules, packed, settled.position)
            continue
        # A finished position. The kernel is handed positions after the pass, as a Game holds them.
        state = kernel.pack(rules, settled.position._replace(board=position.board, scores=position.scores))
        last = 1 - (settled.position.turn if settled.reason == "no-move" else position.turn)
        code = int(kernel.ending(packed, state, last))
        assert ENDINGS[code] == settled.reason
        assert tuple(kernel.final(packed, state, code, last)) == settled.position.scores


@pytest.mark.parametrize("pits", range(1, 13))
def test_the_table_of_laps_is_right(pits: int) -> None:
    """Every pit with every number of seeds: what one lap adds, and where it ends."""
    rules = get(f"ghana:pits={pits},seeds=1")
    for kernel in kernels_for(rules):
        packed = kernel.pack_rules(rules)
        for pit in range(rules.holes):
            for seeds in range(1, 241, 7 if COMPILER_OFF else 1):
                board = [0] * rules.holes
                board[pit] = seeds
                before = kernel.pack(rules, Position(tuple(board), (0, 0), 0, 0))[:-5]
                landings = reference.sow_lap(board, pit, skip_origin=False)
                after = kernel.pack(rules, Position(tuple(board), (0, 0), 0, 0))[:-5]
                change = packed.delta[pit * relay.SPAN + seeds]
                assert [a + int(d) for a, d in zip(before, change, strict=True)] == list(after)
                assert packed.follow[pit + seeds] == landings[-1]


@pytest.mark.parametrize("kernel", [relay, relay_wide])
def test_the_two_boards_of_the_article(kernel: ModuleType) -> None:
    four = get("ghana4")
    packed = kernel.pack_rules(four)
    # Top row 2 0 (North's right first), bottom 1 2; the bottom right pit returns after 8 laps.
    small = kernel.pack(four, Position((1, 2, 0, 2), (0, 0), 0, 0))
    *words, pit, laps, endless = kernel.sow(packed, *small[:-5], 1)
    assert (pit, laps, bool(endless)) == (1, 8, True)
    assert tuple(words) == small[:-5]

    six = get("ghana")
    board = (1, 6, 3, 11, 1, 0, 6, 0, 4, 1, 2, 11)
    large = kernel.pack(six, Position(board, (0, 0), 1, 0))
    *words, pit, laps, endless = kernel.sow(kernel.pack_rules(six), *large[:-5], 10)
    assert (pit, laps, bool(endless)) == (10, 50_636, True)
    assert tuple(words) == large[:-5]


@pytest.mark.parametrize("kernel", [relay, relay_wide])
def test_an_endless_sowing_is_refused_or_ends_the_game(kernel: ModuleType) -> None:
    position = Position((1, 2, 0, 2), (1, 2), 0, 3)
    for name, legal in (("ghana4", 0b01), ("ghana-basic:pits=2", 0b11)):
        rules = get(name)
        packed = kernel.pack_rules(rules)
        state = kernel.pack(rules, position)
        assert int(kernel.legal(packed, state)) == legal
    over = kernel.play(packed, state, 1)
    assert over.endless == 1
    assert int(kernel.legal(packed, over)) == 0
    code = int(kernel.ending(packed, over, 0))
    assert ENDINGS[code] == "endless"
    assert tuple(kernel.final(packed, over, code, 0)) == (1, 2)
    assert kernel.unpack(rules, over) == position._replace(ply=4)


def test_the_first_move_of_the_article() -> None:
    rules = get("ghana")
    state = relay.play(relay.pack_rules(rules), relay.pack(rules, reference.start(rules)), 2)
    game = Game("ghana", moves="3")
    assert relay.unpack(rules, state) == game.state
    assert state.south == 6


def test_rules_of_another_family_are_refused() -> None:
    for kernel in (relay, relay_wide):
        with pytest.raises(ValueError, match="not a relay game"):
            kernel.pack_rules(get("abapa"))
    with pytest.raises(ValueError, match="at most 6"):
        relay.pack_rules(get("ghana:pits=7"))


def test_states_compare_and_hash() -> None:
    rules = get("ghana")
    a, b = (relay.pack(rules, reference.start(rules)) for _ in range(2))
    assert a == b
    assert len({a, b}) == 1
    packed = relay.pack_rules(rules)
    assert relay.play(packed, a, 2) == relay.play(packed, b, 2)


@pytest.mark.skipif(COMPILER_OFF, reason="this is that run")
def test_with_the_compiler_off() -> None:
    chosen = "random_games or every_width or table or endless or first_move"
    result = subprocess.run(
        [sys.executable, "-m", "pytest", __file__, "-q", "-n0", "-p", "no:cacheprovider", "-k", chosen, "-W", "error"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert result.returncode == 0, result.stdout + result.stderr
