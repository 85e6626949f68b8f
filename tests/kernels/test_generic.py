"""One set of names for every family, chosen while compiling, and found in the cache by the next process."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from awale import Game
from awale.kernels import ENDINGS, convert, generic
from awale.kernels.jit import jit
from awale.rules import all_rules, get
from tests.kernels import oracle
from tests.kernels.copies import copy_package, run

NAMES = [rules.name for rules in all_rules()] + ["abapa:pits=8", "ghana:pits=8"]


@jit(cache=False)
def two_moves(k: Any, state: Any, first: int, second: int) -> tuple[Any, int, int, tuple[int, int]]:
    after = generic.play(k, generic.play(k, state, first), second)
    return after, generic.legal(k, after), generic.stopped(k, after, state.turn), generic.final(k, after, 1, 0)


@pytest.mark.parametrize("name", NAMES)
def test_compiled_and_python_calls_agree(name: str) -> None:
    game = Game(name)
    k, state = convert.pack_game(game)
    first, second = (convert.number_of(game.rules, game.legal_moves[0]) for _ in range(2))
    middle = generic.play(k, state, first)
    second = (generic.legal(k, middle) & -generic.legal(k, middle)).bit_length() - 1
    after = generic.play(k, middle, second)
    expected = (after, generic.legal(k, after), generic.stopped(k, after, state.turn), generic.final(k, after, 1, 0))
    assert two_moves(k, state, first, second) == expected
    game.push(game.legal_moves[0])
    game.push(convert.move_of(game.rules, game.turn, second))
    assert convert.unpack_position(game.rules, after) == game.state
    assert convert.moves_of(game.rules, game.turn, generic.legal(k, after)) == game.legal_moves
    assert ENDINGS[generic.ending(k, after, 1)] == ""


@pytest.mark.parametrize("name", NAMES)
def test_games_pack_and_unpack(name: str) -> None:
    rng = random.Random(name)
    game = Game(name)
    while not game.over and game.ply < 60:
        k, state = convert.pack_game(game)
        assert type(k) in generic.FAMILIES
        assert convert.unpack_position(game.rules, state) == game.state
        assert (state.turn, state.south, state.north, state.ply) == (game.turn, *game.scores, game.ply)
        for move in game.legal_moves:
            assert convert.move_of(game.rules, game.turn, convert.number_of(game.rules, move)) == move
        game.push(rng.choice(game.legal_moves))


def test_rules_are_packed_once() -> None:
    assert convert.pack_rules(get("abapa")) is convert.pack_rules(get("oware"))


def test_the_history_begins_at_the_last_capture() -> None:
    rng = random.Random(3)
    game = Game("abapa")
    while not game.over:
        game.push(rng.choice(game.legal_moves))
        states = convert.pack_history(game)
        assert convert.unpack_position(game.rules, states[-1]) == game.state
        before = game.history[: -len(states)]
        assert not before or before[-1].scores != game.scores


def test_only_packed_rules_are_accepted() -> None:
    with pytest.raises(KeyError):
        generic.legal(3, 4)

    @jit(cache=False)
    def wrong(k: int, state: int) -> int:
        return generic.legal(k, state)

    with pytest.raises(Exception, match="legal"):
        wrong(3, 4)


USER = """
import json, sys
from awale import Game
from awale.kernels import convert, generic, jit
from caller import first_bit
seen = [first_bit(*convert.pack_game(Game(name))) for name in ("abapa", "abapa:pits=7", "tricolor")]
print(json.dumps({"seen": seen, "compiled": jit.announcer.compiled}))
"""
CALLER = """
from awale.kernels import generic
from awale.kernels.bits import lowest
from awale.kernels.jit import jit

@jit
def first_bit(k, state):
    return lowest(generic.legal(k, generic.play(k, state, lowest(generic.legal(k, state)))))
"""


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    package = copy_package(tmp_path)
    (package.parent / "caller.py").write_text(CALLER)

    def results() -> tuple[dict[str, Any], str]:
        done = run(USER, package, tmp_path / "cache")
        return json.loads(done.stdout), done.stderr

    first, told = results()
    assert first["compiled"].count("first_bit") == 3
    assert told.count("\n") == 1
    assert "compiling" in told
    assert results() == ({"seen": first["seen"], "compiled": []}, "")


@pytest.mark.parametrize(
    "name", ["tricolor", "tricolor-2025", "ghana", "ghana-basic", "ghana4", "ghana:pits=7,seeds=2"]
)
def test_the_other_families_agree_with_the_reference_through_the_same_names(name: str) -> None:
    assert oracle.compare_games(get(name), 2000, limit=200) >= 2000
