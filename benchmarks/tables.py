"""Endgame tables: awari up to 22 seeds on two threads, the memory that takes, and what a probe costs.

The run builds once, into a folder of its own, in a process of its own, so that its memory can be told.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time

import numpy as np
from numpy.typing import NDArray

from awale import tables
from awale.kernels import endgame as probe
from awale.kernels.jit import jit
from awale.tables.index import layer_size, total_size
from benchmarks.measure import Row, rates

SEEDS = 22
THREADS = 2
BUILD = """
import json, resource, sys, tempfile
from awale import tables
with tempfile.TemporaryDirectory() as folder:
    tables.build("awari", 4, dir=folder, threads=1)  # compiling does not count
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
made = tables.build("awari", int(sys.argv[2]), dir=sys.argv[1], threads=int(sys.argv[3]))
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([(after - before) * 1024, [[n, *facts] for n, facts in made.layers.items()]]))
"""


@jit
def _ask(t: probe.TableSet, words: NDArray[np.int64], rounds: int) -> int:
    total = 0
    for _ in range(rounds):
        for i in range(words.shape[0]):
            total += probe.probe(t, words[i, 0], words[i, 1], 12)
    return total


def _positions(count: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    chosen = random.Random(1)
    found = []
    for _ in range(count):
        board = [0] * 12
        for _ in range(12):
            board[chosen.randrange(12)] += 1
        found.append((tuple(board[:6]), tuple(board[6:])))
    return found


def run() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", BUILD, folder, str(SEEDS), str(THREADS)]
        memory, layers = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        seconds = {seeds: sum(layer[1] for layer in layers if layer[0] <= seeds) for seeds in (20, SEEDS)}
        visited = sum(layer[3] for layer in layers)
        promised = 3 * layer_size(6, SEEDS) + total_size(6, SEEDS - 1)
        begun = time.perf_counter()
        with tempfile.TemporaryDirectory() as small:
            tables.build("awari", 12, dir=small, threads=1)
        twelve = time.perf_counter() - begun
        opened = tables.open("awari", folder)
        asked = _positions(2000)
        halves = [[sum(n << (8 * i) for i, n in enumerate(half)) for half in position] for position in asked]
        words = np.array(halves, np.int64)

        def compiled() -> int:
            _ask(opened.table_set, words, 500)
            return 500 * len(asked)

        def plain() -> int:
            for mine, theirs in asked:
                opened.probe_halves(mine, theirs)
            return len(asked)

        compiled_rate, plain_rate = rates([compiled, plain])
    return [
        Row(what="awari tables up to 20 seeds, 2 threads, seconds", unit="", ours=seconds[20], at_most=40),
        Row(what=f"awari tables up to {SEEDS} seeds, 2 threads, seconds", unit="", ours=seconds[SEEDS], at_most=100),
        Row(what="the same, positions swept", unit="positions", ours=visited / seconds[SEEDS]),
        Row(what="the same, memory over what is promised", unit="", ours=memory / promised, at_most=1),
        Row(what="awari tables up to 12 seeds, 1 thread, files written, seconds", unit="", ours=twelve, at_most=2),
        Row(what="probing a table from compiled code", unit="probes", ours=compiled_rate, at_least=20e6),
        Row(what="probing a table from Python", unit="probes", ours=plain_rate, at_least=100e3),
    ]
