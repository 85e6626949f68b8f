"""A batch on a GPU plays what a batch on the processor plays: on Numba's simulator of one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

COMPARED = """
import sys
import numpy as np
from awale import AwaleError
from awale.envs import batch
from awale.envs.batch import BatchEnv
from awale.envs.cuda_batch import CudaBatchEnv

batch.FIRST_CAPACITY = 2
host = lambda array: array.copy_to_host()
moves = int(sys.argv[1])

for name in sys.argv[2:]:
    ended = 0
    for options in ({"reward": "margin", "random_moves": 2, "scaled": True, "max_moves": 25}, {"auto_reset": False}):
        cpu, gpu = BatchEnv(6, name, seed=5, **options), CudaBatchEnv(6, name, seed=5, **options)
        for ours, theirs in zip(gpu.reset(), cpu.reset()):
            assert host(ours).tolist() == theirs.tolist(), name
        for number in range(moves):
            actions = cpu.sample()
            assert host(gpu.sample()).tolist() == actions.tolist()
            only = np.arange(6) % 3 != number % 3 if number % 4 == 0 else None
            if number % 8 == 0:
                kept = gpu.get_state()
                for ours, theirs in zip(gpu.afterstates(), cpu.afterstates()):
                    assert host(ours).tolist() == theirs.tolist(), name
                assert gpu.game(3) == cpu.game(3)
                gpu.step(host(gpu.sample()))
                gpu.set_state(kept)
            step, expected = gpu.step(actions, only=only), cpu.step(actions, only=only)
            for field in ("observations", "masks", "rewards", "terminated", "truncated"):
                assert host(getattr(step, field)).tolist() == getattr(expected, field).tolist(), (name, field)
            which = expected.ended.games
            ended += len(which)
            assert host(step.codes)[which].tolist() == expected.ended.codes.tolist()
            assert host(step.scores)[which].tolist() == expected.ended.scores.tolist()
            last = host(step.last)[which]
            last = cpu.encoding.scaled(last) if cpu.scaled else last
            assert last.tolist() == expected.ended.observations.tolist()
            assert gpu.turns.tolist() == cpu.turns.tolist()
            assert gpu.scores.tolist() == cpu.scores.tolist()
    if name == "abapa":
        starts = [cpu.game(0).position] * 3 + ["4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"] * 3
        cpu, gpu = BatchEnv(6, name), CudaBatchEnv(6, name)
        assert host(gpu.reset(starts=starts)[0]).tolist() == cpu.reset(starts=starts)[0].tolist()
        for wrong in (np.array([0, 1, 2, 3, 9, 7]), np.zeros(5, int), np.zeros(6)):
            said = []
            for env in (cpu, gpu):
                try:
                    env.step(wrong)
                except AwaleError as error:
                    said.append(str(error))
            assert len(said) == 2 and said[0] == said[1], said
        assert host(gpu.observe()).tolist() == cpu.observe().tolist()
    print(name, ended)
"""


def compare(moves: int, *names: str) -> None:
    # Compiled code cannot read the simulator's arrays, so everything runs as plain Python.
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", COMPARED, str(moves), *names]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == list(names)
    assert all(int(line.split()[1]) > 0 for line in done.stdout.splitlines()), done.stdout


def test_the_simulated_card_plays_the_same_games() -> None:
    compare(30, "abapa", "abapa:pits=2,seeds=2", "ghana:pits=2,seeds=2", "tricolor-2025:pits=2,seeds=1")


@pytest.mark.slow
def test_more_games_on_the_simulated_card() -> None:
    compare(
        120,
        "awari:pits=2,seeds=3",
        "upsti",
        "ghana-basic:pits=2,seeds=3",
        "abapa:pits=7,seeds=1",
        "ghana:pits=7,seeds=1",
    )


def test_without_a_card() -> None:
    script = """
from awale import AwaleError
from awale.envs.cuda_batch import CudaBatchEnv
try:
    CudaBatchEnv(4)
except AwaleError as error:
    print(error)
"""
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    environment.pop("NUMBA_ENABLE_CUDASIM", None)
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert done.stdout.startswith("no GPU is available: "), done.stderr
