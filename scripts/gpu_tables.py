"""Solve endgame tables on a GPU, compare them with the CPU's, and time them. Needs numba-cuda and a GPU.

    PYTHONPATH=src python3 scripts/gpu_tables.py --check 12 --run awari:30 --run abapa:30 --json figures.json
    PYTHONPATH=src python3 scripts/gpu_tables.py --build wikipedia:30 --dir /tmp/tables

`--run` solves all layers and writes nothing; `--build` also writes the files, like `awale tables build --device cuda`.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from awale.cores import cores
from awale.rules import get
from awale.tables.cuda_solve import CudaSolver
from awale.tables.index import layer_size
from awale.tables.layers import Progress
from awale.tables.verify import published
from awale.tables.workers import Workers

CHECKED = ("awari", "abapa", "wikipedia", "casabianca")


def solve(name: str, seeds: int) -> dict[str, Any]:
    """All layers on the card: seconds in all and of each layer, its sweeps, and the positions looked at."""
    begun = time.perf_counter()
    solver = CudaSolver(get(name), seeds, Workers(1))
    layers = []
    for layer in range(seeds + 1):
        reports: list[Progress] = [Progress(0, 0, 0)]
        before = time.perf_counter()
        solver.fill(layer, reports.append)
        seconds = time.perf_counter() - before
        visited = max(report.visited for report in reports)
        layers.append({"seeds": layer, "seconds": seconds, "sweeps": len(reports) - 1, "looked_at": visited})
        if layer >= 20:
            size = layer_size(6, layer)
            rate = visited / seconds / 1e9
            print(
                f"  {layer:2d} seeds {size:14,d} positions {seconds:8.3f} s {len(reports) - 1:4d} sweeps "
                f"{visited / size:6.1f} looks each {rate:7.1f} G/s",
                flush=True,
            )
    total = time.perf_counter() - begun
    print(
        f"{name} up to {seeds} seeds: {total:.2f} s, solving alone {sum(x['seconds'] for x in layers):.2f} s",
        flush=True,
    )
    return {"rules": name, "seeds": seeds, "seconds": total, "layers": layers}


def check(seeds: int) -> None:
    """The card's bytes are the processor's, and those of awari have the published counts."""
    from awale.tables.lap_solve import LapSolver

    for name in CHECKED:
        card = CudaSolver(get(name), seeds, Workers(1))
        here = LapSolver(get(name), seeds, Workers(cores()))
        for layer in range(seeds + 1):
            card.fill(layer, lambda progress: None)
            here.fill(layer, lambda progress: None)
            found = card.fetch(layer)["codes"].view(np.int8)
            if not np.array_equal(found, here.layer(layer)):
                sys.exit(f"{name}: layer {layer} differs")
            wanted = published(layer) if name == "awari" else None
            if wanted is not None:
                values, counts = np.unique(found, return_counts=True)
                if dict(zip(values.tolist(), counts.tolist(), strict=True)) != wanted:
                    sys.exit(f"awari: the counts of layer {layer} are not the published ones")
        print(f"{name}: all layers up to {seeds} seeds equal to the processor's", flush=True)


def build(name: str, seeds: int, folder: str) -> dict[str, Any]:
    from awale import tables

    begun = time.perf_counter()
    made = tables.build(name, seeds, dir=folder, device="cuda")
    seconds = time.perf_counter() - begun
    size = sum(path.stat().st_size for path in made.plan.folder.glob("layer-*"))
    print(f"{name} up to {seeds} seeds, written: {seconds:.2f} s, {size / 1e9:.1f} GB", flush=True)
    return {"rules": name, "seeds": seeds, "seconds": seconds, "bytes": size}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", type=int, metavar="SEEDS")
    parser.add_argument("--run", action="append", default=[], metavar="RULES:SEEDS")
    parser.add_argument("--build", action="append", default=[], metavar="RULES:SEEDS")
    parser.add_argument("--dir", default="tables", metavar="FOLDER")
    parser.add_argument("--json", type=Path, metavar="FILE")
    wanted = parser.parse_args()
    figures: dict[str, Any] = {"runs": [], "builds": []}

    def keep() -> None:
        if wanted.json is not None:
            wanted.json.write_text(json.dumps(figures, indent=1))

    if wanted.check is not None:
        check(wanted.check)
    for item in wanted.run:
        name, _, seeds = item.rpartition(":")
        figures["runs"].append(solve(name, int(seeds)))
        keep()
    for item in wanted.build:
        name, _, seeds = item.rpartition(":")
        figures["builds"].append(build(name, int(seeds), wanted.dir))
        keep()


if __name__ == "__main__":
    main()
