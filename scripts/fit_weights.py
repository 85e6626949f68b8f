"""Fit the engine's evaluation to self-play labelled by deeper search, and write src/awale/search/weights.json.

    python scripts/fit_weights.py abapa ghana tricolor --positions 60000 --rounds 2

Each round plays with the weights of the round before it. The fit is least squares on one indicator for each weight,
with a penalty on jumps between neighbouring contents so that rare ones follow their neighbours.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.kernels.convert import pack_position, pack_rules, unpack_position
from awale.rules import get, reference
from awale.rules.description import Rules
from awale.search import core
from awale.search.engine import Engine, _new_table
from awale.search.evaluation import MOST, PHASES, PLACES, SIZE, TRICOLOR_CONTENTS, TRICOLOR_SIZE, phase, slot, spread
from awale.search.selfplay import collect
from awale.search.states import FIELDS
from awale.search.tableprobe import NO_TABLES

TARGET = Path(__file__).resolve().parent.parent / "src" / "awale" / "search" / "weights.json"
FEW_SEEDS_LIMIT = 2500
"""Labels beyond 25 seeds say nothing about the board."""


def gather(rules: Rules, weights: NDArray[np.int32], count: int, play: int, label: int, seed: int) -> Any:
    """Labelled positions, from two threads."""
    k = pack_rules(rules)
    start = pack_position(rules, reference.start(rules))
    from awale.game import Game

    setup = Engine(rules, hash_mb=1)._setup(Game(rules), fixed=False)

    def run(number: int) -> Any:
        rows = np.zeros((count // 2, FIELDS), np.int64)
        labels = np.zeros(count // 2, np.int64)
        control = np.zeros(core.CONTROL, np.int64)
        control[core.NODE_LIMIT] = 1 << 60
        scratch = core.new_scratch(np.zeros((0, 2), np.int64))
        used = spread(rules, weights)
        collect(
            k,
            setup,
            used,
            NO_TABLES,
            _new_table(16),
            scratch,
            control,
            start,
            seed * 100 + number,
            play,
            label,
            rows,
            labels,
        )
        return rows, labels

    with ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(run, range(2)))
    return type(start), np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def indicators(rules: Rules, kind: Any, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each position, the numbers of the weights that it adds up."""
    out = []
    for row in rows:
        position = unpack_position(rules, kind(*(int(x) for x in row[: len(kind._fields)])))
        turn = position.turn
        active: list[int] = []
        if rules.coloured:
            for hole, colours in enumerate(position.board):
                base = (hole % 2 != turn) * 4 * TRICOLOR_CONTENTS
                for colour, seeds in enumerate((*colours, sum(colours))):  # type: ignore[misc]
                    active.append(base + colour * TRICOLOR_CONTENTS + min(seeds, TRICOLOR_CONTENTS - 1))
        else:
            stage = phase(sum(position.board))  # type: ignore[arg-type]
            for pit, seeds in enumerate(position.board):
                side = int(rules.owner(pit) != turn)
                place = rules.pits - 1 - pit % rules.pits
                active.append(slot(stage, side, place, seeds))  # type: ignore[arg-type]
        out.append(active)
    return np.array(out)


def fit(
    active: NDArray[np.int64], labels: NDArray[np.int64], size: int, contents: int, smooth: float
) -> NDArray[np.float64]:
    """Least squares with smoothness along the contents of a pit."""
    normal = np.zeros((size, size))
    right = np.zeros(size)
    for column in range(active.shape[1]):
        right += np.bincount(active[:, column], weights=labels, minlength=size)
        for other in range(active.shape[1]):
            pairs = active[:, column] * size + active[:, other]
            normal += np.bincount(pairs, minlength=size * size).reshape(size, size)
    for block in range(0, size, contents):
        for i in range(block + 1, block + contents):
            for a, b, sign in ((i, i, 1), (i - 1, i - 1, 1), (i, i - 1, -1), (i - 1, i, -1)):
                normal[a, b] += sign * smooth
    normal += np.eye(size)
    solution: NDArray[np.float64] = np.linalg.solve(normal, right)
    return solution


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("rules", nargs="+")
    parser.add_argument("--positions", type=int, default=60_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--play", type=int, default=5)
    parser.add_argument("--label", type=int, default=9)
    parser.add_argument("--smooth", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    stored = json.loads(TARGET.read_text())
    for name in options.rules:
        rules = get(name)
        size, contents = (TRICOLOR_SIZE, TRICOLOR_CONTENTS) if rules.coloured else (SIZE, MOST + 1)
        weights = np.zeros(size, np.int32)
        for number in range(options.rounds):
            began = time.perf_counter()
            kind, rows, labels = gather(
                rules, weights, options.positions, options.play, options.label, options.seed + number
            )
            labels = np.clip(labels, -FEW_SEEDS_LIMIT, FEW_SEEDS_LIMIT)
            active = indicators(rules, kind, rows)
            held = len(labels) // 10
            found = fit(active[held:], labels[held:], size, contents, options.smooth)
            guesses = found[active[:held]].sum(axis=1)
            left = float(np.std(labels[:held] - guesses))
            spread = float(np.std(labels[:held]))
            print(
                f"{name}: round {number + 1}: {len(labels)} positions, held out: {spread:.0f} -> {left:.0f} "
                f"hundredths, {time.perf_counter() - began:.0f} s",
                file=sys.stderr,
                flush=True,
            )
            weights = np.round(found).astype(np.int32)
            stored["weights"][name] = [int(w) for w in weights]
            stored.setdefault("fitted", {})[name] = {
                "command": f"python scripts/fit_weights.py {name} --positions {options.positions} --rounds "
                f"{options.rounds} --play {options.play} --label {options.label} --seed {options.seed}",
                "spread": round(spread),
                "left": round(left),
            }
            TARGET.write_text(json.dumps(stored, separators=(",", ":")) + "\n")
    assert PHASES * 2 * PLACES * (MOST + 1) == SIZE


if __name__ == "__main__":
    main()
