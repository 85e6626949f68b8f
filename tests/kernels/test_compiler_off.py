"""The kernels as plain Python (`NUMBA_DISABLE_JIT=1`): the same answers, games and counts, only slowly."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

from awale import Game
from awale.kernels import bits, convert, generic, lap, lap_wide
from awale.kernels.jit import COMPILER_OFF
from awale.kernels.perft import perft
from awale.kernels.playouts import playout_moves, playouts
from awale.rules import get, names
from tests.kernels import oracle

ROOT = Path(__file__).parent.parent.parent
BOARDS = [*names(), "abapa:pits=7,seeds=1", "ghana:pits=7,seeds=1"]


def answers() -> dict[str, Any]:
    """Something of everything, small enough for plain Python, checked against the reference on the way."""
    found: dict[str, Any] = {}
    for name in BOARDS:
        game = Game(name)
        _, state = convert.pack_game(game)
        oracle.compare_games(game.rules, 60, limit=60)
        found[name] = {
            "moves": playout_moves(game.rules, state, 3, seed=11, limit=60),
            "perft": perft(game, 2)[:2],
            "playouts": playouts(game, 3, seed=4, threads=2, limit=40).plies,
        }
    rng = random.Random("off")
    for _ in range(40):
        rules = oracle.random_lap_rules(rng)
        for kernel in [lap, lap_wide] if rules.pits <= 6 else [lap_wide]:
            for _ in range(4):
                oracle.compare_position(rules, oracle.random_position(rules, rng), kernel)
    found["bits"] = [bits.nth_bit(0b1011_0000_0001, n) for n in range(4)] + [bits.byte_sum(0x0102_0304)]
    k, state = convert.pack_game(Game("abapa"))
    found["generic"] = [generic.legal(k, state), generic.ending(k, state, 1), *generic.final(k, state, 1, 1)]
    return json.loads(json.dumps(found))


def test_everything_is_the_same_with_the_compiler_off() -> None:
    program = (
        "import json; from awale.kernels.jit import COMPILER_OFF; from tests.kernels.test_compiler_off import answers;"
        "print(json.dumps({'off': COMPILER_OFF, 'answers': answers()}))"
    )
    # Warnings are errors: a NumPy integer that slipped in and overflowed would only warn.
    command = [sys.executable, "-W", "error", "-c", program]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    result = json.loads(done.stdout)
    assert result["off"] is True
    assert COMPILER_OFF is False
    assert result["answers"] == answers()


def test_a_board_of_each_kind_is_among_them() -> None:
    assert {type(convert.pack_rules(get(name))) for name in BOARDS} == set(generic.FAMILIES)
