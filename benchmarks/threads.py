"""What a second thread brings in random games, where there is a second core."""

from __future__ import annotations

from awale import Game
from awale.cores import cores
from awale.kernels.playouts import playouts
from benchmarks.measure import Row, rates


def run() -> list[Row]:
    start = Game("abapa")

    def games(threads: int) -> int:
        return playouts(start, 10_000, seed=1, threads=threads).plies

    one, two = rates([lambda: games(1), lambda: games(2)], seconds=6, several_threads=True)
    return [
        Row(
            what="random games, abapa, 2 threads",
            unit="plies",
            ours=two,
            peer=one,
            peer_name="the same with 1 thread",
            times_peer=1.8 if cores() > 1 else None,
        )
    ]
