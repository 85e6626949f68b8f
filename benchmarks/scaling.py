"""Games a second of one match with 1, 2 and 4 workers, by processes and on a Dask cluster of this machine.

Counted from the first finished game to the last, so that starting the workers does not count; more workers than cores
show only that nothing is lost by it.
"""

from __future__ import annotations

import os
import time

from awale.arena import MatchPlan, Played, play_match
from awale.arena.workers import Processes
from benchmarks.measure import Row

GAMES = int(os.environ.get("AWALE_SCALING_GAMES", "60"))
PLAYERS = ("mcts:1000", "minimax:3")
WORKERS = (1, 2, 4)


class _Watch:
    """When games were finished."""

    def __init__(self) -> None:
        self.moments: list[float] = []

    def __call__(self, _: object, game: Played) -> None:
        self.moments.append(time.perf_counter())

    @property
    def rate(self) -> float:
        # The first games of all workers come in about together: what follows them is steady work.
        return (len(self.moments) - 1) / (self.moments[-1] - self.moments[0])


def run() -> list[Row]:
    from distributed import LocalCluster

    rows = []
    alone: dict[str, float] = {}
    for workers in WORKERS:
        plan = MatchPlan(*PLAYERS, games=GAMES)
        watch = _Watch()
        play_match(plan, runner=Processes(workers), watch=watch)
        alone.setdefault("processes", watch.rate)
        rows.append(Row(f"arena: {workers} processes", "games", watch.rate, alone["processes"], "1 process"))
        with LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster:
            watch = _Watch()
            play_match(plan, scheduler=cluster.scheduler_address, watch=watch)
        alone.setdefault("cluster", watch.rate)
        rows.append(Row(f"arena: {workers} Dask workers", "games", watch.rate, alone["cluster"], "1 Dask worker"))
    return rows


if __name__ == "__main__":
    for row in run():
        print(row)
