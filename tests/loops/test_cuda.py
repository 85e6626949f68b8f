"""The census on a GPU, on Numba's simulator of one: the same counts as the processor's."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from awale.cli import main
from awale.loops.census import take_census

SIMULATED = """
import json, sys
from awale.loops.census import take_census
sizes = [tuple(map(int, item.split("x"))) for item in sys.argv[1:]]
print(json.dumps([take_census(pits, seeds, device="cuda").as_dict() for pits, seeds in sizes]))
"""


def simulate(*sizes: tuple[int, int]) -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "AWALE_QUIET": "1"}
    command = [sys.executable, "-c", SIMULATED, *(f"{pits}x{seeds}" for pits, seeds in sizes)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    for (pits, seeds), found in zip(sizes, json.loads(done.stdout), strict=True):
        assert found | {"seconds": 0} == take_census(pits, seeds).as_dict() | {"seconds": 0}


def test_the_simulated_card_counts_the_same() -> None:
    simulate((2, 4), (2, 8), (4, 5), (4, 9), (6, 6))


@pytest.mark.slow
def test_more_of_the_simulated_card() -> None:
    simulate((4, 20), (6, 10), (8, 7), (12, 5))


def test_without_a_card(capsys: pytest.CaptureFixture[str]) -> None:
    script = "import sys\nfrom awale.cli import main\nsys.exit(main(sys.argv[1:]))"
    arguments = ["loops", "census", "--pits", "4", "--seeds", "5", "--device", "cuda"]
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "AWALE_LANG": "en", "AWALE_QUIET": "1"}
    environment.pop("NUMBA_ENABLE_CUDASIM", None)
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, env=environment)
    assert done.returncode == 2
    assert done.stderr.startswith("awale: no GPU is available")
    assert main(["loops", "census", "--seeds", "3", "--device", "abacus"]) == 2
