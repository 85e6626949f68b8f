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
from awale.kernels import ENDINGS, generic, relay, relay_wide
from awale.kernels.bits import BYTES
from awale.kernels.jit import COMPILER_OFF, jit
from awale.rules import get, reference
from awale.rules.description import Rules
from awale.rules.reference import Position
from awale.search.states import FIELDS, expand, load

CI_PLIES = 200 if COMPILER_OFF else 100_000


@jit(cache=False)
def _expand(k: Any, state: Any, rows: Any) -> int:
    return expand(k, state, rows)


def kernels_for(rules: Rules) -> list[ModuleType]:
    return [relay, relay_wide] if rules.pits <= BYTES else [relay_wide]


def check_position(kernel: ModuleType, rules: Rules, packed: Any, position: Position) -> Any:
    """A position that the reference let go on: same moves, same successors, same endings. Returns the steps."""
    state = kernel.pack(rules, position)
    assert kernel.unpack(rules, state) == position
    assert generic.ending(packed, state, 1 - position.turn) == 0
    steps = reference.legal_steps(rules, position)
    expected = sum(1 << (move.pit - position.turn * rules.pits) for move in steps)
    assert int(kernel.legal(packed, state)) == expected
    rows = np.zeros((rules.pits, FIELDS), dtype=np.int64)
    assert int(_expand(packed, state, rows)) == expected
    for move in steps:
        number = move.pit - position.turn * rules.pits
        after = kernel.play(packed, state, number)
        assert load(state, rows, number) == after
        settled = reference.play(rules, position, move)
        code = int(generic.ending(packed, after, position.turn))
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
        code = int(generic.ending(packed, state, mover))
        assert ENDINGS[code] == (settled.reason or "")
        position = settled.position
        if settled.reason is None:
            assert kernel.unpack(rules, state) == position
        else:
            assert tuple(kernel.final(packed, state, code, mover)) == position.scores
            started = False


@pytest.mark.parametrize("name", ["ghana", "ghana-basic", "ghana4", "parrains"])
def test_random_games_agree(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # The reference sows each move to see whether it ends, and again to play it: once will do.
    monkeypatch.setattr(reference, "sow", functools.lru_cache(32)(reference.sow))
    random_plies(relay, get(name), CI_PLIES, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ghana", "ghana-basic", "ghana4", "parrains"])
def test_many_random_games_agree(name: str) -> None:
    random_plies(relay, get(name), 10_000_000, seed=2)


@pytest.mark.parametrize("pits", range(1, 13))
@pytest.mark.parametrize("name", ["ghana", "ghana-basic", "parrains"])
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
    rules = get(draw(st.sampled_from(["ghana", "ghana-basic", "parrains"]))).variant(**options, few_seeds=few)
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
        code = int(generic.ending(packed, state, last))
        assert ENDINGS[code] == settled.reason
        assert tuple(kernel.final(packed, state, code, last)) == settled.position.scores


@pytest.mark.parametrize("name", ["ghana", "parrains"])
@pytest.mark.parametrize("pits", range(1, 13))
def test_laps_of_every_length_are_right(pits: int, name: str) -> None:
    """Every pit with every number of seeds, alone on the board: the whole sowing, unless the reference takes long."""
    rules = get(f"{name}:pits={pits},seeds=1")
    side = range(pits) if name == "parrains" else None
    for kernel in kernels_for(rules):
        packed = kernel.pack_rules(rules)
        for pit in range(rules.pits):
            for seeds in range(1, 241 if pits == 1 or pits > 8 else 4 * rules.holes, 7 if COMPILER_OFF else 1):
                board = [0] * rules.holes
                board[pit] = seeds
                words = kernel.pack(rules, Position(tuple(board), (0, 0), 0, 0))[: 2 if kernel is relay else 4]
                last, laps, period, _ = reference.sow_relay(board, pit, side=side)
                after = kernel.pack(rules, Position(tuple(board), (0, 0), 0, 0))[: len(words)]
                assert tuple(kernel.sow(packed, *words, pit)) == (*after, last, laps, period is not None)


@pytest.mark.parametrize("kernel", [relay, relay_wide])
@pytest.mark.parametrize(
    ("name", "board", "turn", "move", "period"),
    [
        # Top row 2 0 (North's right first), bottom 1 2: the bottom right pit.
        ("ghana4", (1, 2, 0, 2), 0, 1, 8),
        ("ghana", (1, 6, 3, 11, 1, 0, 6, 0, 4, 1, 2, 11), 1, 4, 50_636),
    ],
)
def test_the_two_boards_of_the_article(
    kernel: ModuleType, name: str, board: tuple[int, ...], turn: int, move: int, period: int
) -> None:
    if COMPILER_OFF and period > 1000:
        pytest.skip("long without the compiler")
    rules = get(name)
    words = kernel.pack(rules, Position(board, (0, 0), turn, 0))[: 2 if kernel is relay else 4]
    assert tuple(kernel.sow(kernel.pack_rules(rules), *words, move)) == (*words, move, period, True)


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
    code = int(generic.ending(packed, over, 0))
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
        with pytest.raises(ValueError, match="does not play these rules"):
            kernel.pack_rules(get("abapa"))
    with pytest.raises(ValueError, match="does not play these rules"):
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
    chosen = "random_games or every_width or laps or article or endless or first_move"
    result = subprocess.run(
        [sys.executable, "-m", "pytest", __file__, "-q", "-n0", "-p", "no:cacheprovider", "-k", chosen, "-W", "error"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert result.returncode == 0, result.stdout + result.stderr
