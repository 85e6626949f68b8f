"""Proof-number search with tables in memory: positions searched per second, on one thread and on all cores.

The claim is that South at least draws 2x6 `awari` with three seeds a pit, which is far from settled after all turns; so
every run measures the same kind of search. `AWALE_BENCH_LEAVES` sets the seeds of the tables.

How much more several threads can do at all depends on the machine: its cores share memory, cache and power, and two of
them may be one. So the last row compares all threads on one search with as many searches that share only the tables.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from awale import Game, tables
from awale.search.single_lap import Prover
from benchmarks.measure import Row, rates

LEAVES = int(os.environ.get("AWALE_BENCH_LEAVES", "18"))
DEVICE = os.environ.get("AWALE_BENCH_DEVICE", "cpu")
POSITIONS = 3_000_000
"""Of each thread, in one turn."""


def run() -> list[Row]:
    game = Game("awari:seeds=3")
    opened = tables.compute(game.rules, LEAVES, device=DEVICE)
    state = Prover(game.rules).state(game)
    cores = len(os.sched_getaffinity(0))

    def search(provers: int, threads: int) -> Callable[[], int]:
        """Return work that continues some searches at the same time, each with its own transposition table."""
        several = [Prover(game.rules, opened.table_set, threads, entries=1 << 24) for _ in range(provers)]

        def resume(prover: Prover) -> int:
            before = prover.nodes
            prover.settle(state, 0, 0, most=POSITIONS * threads)
            return prover.nodes - before

        def work() -> int:
            with ThreadPoolExecutor(provers) as pool:
                return sum(pool.map(resume, several))

        return work

    counts = sorted({1, 2, cores // 2, cores} - {0})
    works = [search(1, threads) for threads in counts] + [search(cores, 1)]
    *found, apart = rates(works, several_threads=True)
    rows = [
        Row(
            what=f"proof search, awari 2x6 with 3 a pit, tables to {LEAVES} seeds, {threads} thread(s)",
            unit="positions",
            ours=rate,
            peer=None if threads == 1 else found[0],
            peer_name="" if threads == 1 else "one thread",
            at_least=2e6 if threads == 1 else None,
            times_peer=12 if threads == 16 else None,
        )
        for threads, rate in zip(counts, found, strict=True)
    ]
    rows.append(
        Row(
            what=f"  the same against {cores} searches of one thread each, which share only the tables",
            unit="positions",
            ours=found[-1],
            peer=apart,
            peer_name=f"{cores} searches",
        )
    )
    return rows
