"""`warmup_jobs`: after them, nothing the kernels do compiles any more."""

from __future__ import annotations

import json
from pathlib import Path

from awale.kernels import convert, generic, warmup
from awale.rules import get
from tests.kernels.copies import copy_package, run

IN_TWO_PROCESSES = """
from awale.kernels import warmup
told = []
assert warmup.run(2, lambda *progress: told.append(progress), warmup.warmup_jobs) > 0
assert told[-1][0] == told[-1][1]
"""
AFTERWARDS = """
import json
from awale import Game
from awale.kernels import convert, generic, jit
from awale.kernels.perft import perft
from awale.kernels.playouts import playout_game, playouts
from awale.rules import names
others = ["abapa:pits=12,seeds=2", "ghana:pits=9,seeds=2", "abapa:capture_counts=4,starved=passes,feeding=free"]
for name in [*names(), *others]:
    game = Game(name)
    perft(game, 2)
    playouts(game, 20, limit=100)
    playout_game(game, 1, limit=100)
    k, state = convert.pack_game(game)
    while (mask := generic.legal(k, state)) and state.ply < 5 and not generic.ending(k, state, 0):
        state = generic.play(k, state, mask.bit_length() - 1)
    generic.stopped(k, state, 0), generic.final(k, state, 1, 0)
print(json.dumps(jit.announcer.compiled))
"""


def test_there_is_a_board_for_every_kernel() -> None:
    assert {type(convert.pack_rules(get(name))) for name in warmup.BOARDS} == set(generic.FAMILIES)


def test_nothing_is_left_to_compile(tmp_path: Path) -> None:
    package, cache = copy_package(tmp_path), tmp_path / "cache"
    run(IN_TWO_PROCESSES, package, cache)
    assert json.loads(run(AFTERWARDS, package, cache).stdout) == []


def test_all_rooms_are_asked() -> None:
    names = [name for name, _ in warmup.all_jobs()]
    assert [name for name, _ in warmup.warmup_jobs()] == names[: 3 * len(warmup.BOARDS)]
    assert len(names) == len(set(names))
