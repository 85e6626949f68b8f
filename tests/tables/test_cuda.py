"""The GPU's way of building, on Numba's simulator of a GPU: the same bytes as the processor's. Tiny layers only: the
simulator runs a thread of Python for each of the card's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from awale import tables
from awale.rules import get
from awale.tables import TablesError
from awale.tables.index import half_count, layer_size

SIMULATED = """
import sys
from awale import tables
for name, seeds in (item.rpartition("/")[::2] for item in sys.argv[2:]):
    tables.build(name, int(seeds), dir=sys.argv[1], device="cuda", threads=1)
    # A second run goes on from the files of the first.
    tables.build(name, int(seeds) + 1, dir=sys.argv[1], device="cuda", threads=1)
"""


def simulate(folder: Path, *items: str) -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    subprocess.run([sys.executable, "-c", SIMULATED, str(folder), *items], check=True, env=environment)
    for item in items:
        name, _, seeds = item.rpartition("/")
        most = int(seeds) + 1
        tables.build(name, most, dir=folder / "cpu", threads=1)
        for layer in range(most + 1):
            one = tables.open(name, folder).layer_bytes(layer)
            other = tables.open(name, folder / "cpu").layer_bytes(layer)
            assert one == other, (name, layer)


def test_the_simulated_card_makes_the_same_bytes(tmp_path: Path) -> None:
    simulate(tmp_path, "awari:pits=2/2", "abapa:pits=2/3", "wikipedia:pits=2,few_seeds=1/2", "awari/1")


@pytest.mark.slow
def test_more_of_the_simulated_card(tmp_path: Path) -> None:
    village = "casabianca:capture=opposite,feeding=free,starved=passes,no_move=own-side,pits=2/5"
    simulate(tmp_path, "awari:pits=3/5", "abapa:pits=3/5", "awari/3", "abapa/3", village)


def test_tasks_cover_a_layer_once() -> None:
    from awale.tables.cuda_solve import make_tasks

    for pits, seeds in ((2, 5), (3, 7), (6, 9)):
        tasks = make_tasks(pits, seeds, 32, 64)
        assert ((tasks[:, 2]) * (tasks[:, 4] - tasks[:, 3])).sum() == layer_size(pits, seeds)
        places: set[tuple[int, int, int]] = set()
        for mine, first, count, begin, end, line in tasks.tolist():
            assert end <= half_count(pits, seeds - mine)
            assert first + count <= half_count(pits, mine)
            places.add((mine, first, begin))
            assert line < layer_size(pits, seeds)
        assert len(places) == len(tasks)


TOO_SMALL = """
import sys
from awale import tables
from awale.tables import cuda_solve
cuda_solve.free_on_card = lambda cuda: 300 << 20
try:
    tables.build("awari", 20, dir=sys.argv[1], device="cuda")
except tables.InsufficientResourcesError as error:
    print(error)
"""


def test_a_card_too_small(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    command = [sys.executable, "-c", TOO_SMALL, str(tmp_path)]
    done = subprocess.run(command, check=True, env=environment, capture_output=True, text=True)
    assert "not enough GPU memory" in done.stdout
    assert "up to 15 seeds would fit" in done.stdout


def test_what_fits_on_a_card() -> None:
    from awale.tables.resources import card_memory_needed

    gib = 1 << 30
    assert card_memory_needed(get("awari"), 37) < 139 * gib
    assert card_memory_needed(get("abapa"), 35) < 139 * gib
    assert card_memory_needed(get("awari"), 39) > 139 * gib


def test_without_a_card(tmp_path: Path) -> None:
    """One sentence, whatever is missing; and nothing is left behind."""
    script = "import sys\nfrom awale.cli import main\nsys.exit(main(sys.argv[1:]))"
    arguments = ["tables", "build", "--rules", "awari", "--seeds", "3", "--device", "cuda", "--dir", str(tmp_path)]
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "AWALE_LANG": "en", "AWALE_QUIET": "1"}
    environment.pop("NUMBA_ENABLE_CUDASIM", None)
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, env=environment)
    assert done.returncode == 2
    assert done.stderr.strip().splitlines()[-1].startswith("awale: no GPU is available")
    assert not list(tmp_path.rglob("layer-*"))


def test_relays_stay_on_the_processor(tmp_path: Path) -> None:
    for name in ("ghana", "upsti"):
        with pytest.raises(TablesError, match="use the CPU"):
            tables.build(name, 3, dir=tmp_path, device="cuda")
