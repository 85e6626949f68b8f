"""Proof-number search with tables in memory: positions searched per second, on one thread and on all cores.

The claim is that South at least draws 2x6 `awari` with three seeds a pit, which is far from settled when the limit of
positions is reached; so every run measures the same kind of search. `AWALE_BENCH_LEAVES` sets the seeds of the tables.
"""

from __future__ import annotations

import os
import time

from awale import Game, tables
from awale.search.single_lap import Prover
from benchmarks.measure import Row

LEAVES = int(os.environ.get("AWALE_BENCH_LEAVES", "18"))
DEVICE = os.environ.get("AWALE_BENCH_DEVICE", "cpu")
POSITIONS = 3_000_000
"""Of each thread."""


def run() -> list[Row]:
    game = Game("awari:seeds=3")
    opened = tables.compute(game.rules, LEAVES, device=DEVICE)
    cores = len(os.sched_getaffinity(0))
    Prover(game.rules, opened.table_set).settle(Prover(game.rules).state(game), 0, 0, most=1000)  # compile
    rows: list[Row] = []
    alone = 0.0
    for threads in sorted({1, 2, cores // 2, cores} - {0}):
        prover = Prover(game.rules, opened.table_set, threads, entries=1 << 24)
        state, most = prover.state(game), POSITIONS * threads
        prover.settle(state, 0, 0, most=most)  # the memory of the transposition table is there from now on
        before, begun = prover.nodes, time.perf_counter()
        prover.settle(state, 0, 0, most=most)
        rate = (prover.nodes - before) / (time.perf_counter() - begun)
        alone = alone or rate
        rows.append(
            Row(
                what=f"proof search, awari 2x6 with 3 a pit, tables to {LEAVES} seeds, {threads} thread(s)",
                unit="positions",
                ours=rate,
                peer=None if threads == 1 else alone,
                peer_name="" if threads == 1 else "one thread",
                at_least=2e6 if threads == 1 else None,
            )
        )
    return rows
