"""The engine: positions a second, time to a depth on one thread and on two, from the opening of abapa."""

from __future__ import annotations

import time

from awale import Game
from awale.search.engine import SearchEngine
from awale.search.limits import Limit
from benchmarks.measure import Row

DEPTH = 20
HASH_MB = 256
TURNS = 3


def to_depth(threads: int, *, selective: bool = True) -> tuple[float, float, int]:
    """Seconds, processor seconds and positions for nominal depth 20: no endgame tables, no positions known before."""
    engine = SearchEngine("abapa", threads=threads, hash_mb=HASH_MB)
    engine.selective = selective
    engine.analyse(Game("abapa"), Limit(depth=4))
    engine.clear()
    wall, processor = time.perf_counter(), time.process_time()
    found = engine.analyse(Game("abapa"), Limit(depth=DEPTH), fixed=False)
    return time.perf_counter() - wall, time.process_time() - processor, found.nodes


def run() -> list[Row]:
    # One thread is timed by its processor time, as everywhere here; two threads can only be timed on the wall.
    ones, twos = [], []
    for _ in range(TURNS):
        ones.append(to_depth(1))
        twos.append(to_depth(2))
    _, processor, nodes = min(ones, key=lambda turn: turn[1])
    _, whole, _ = to_depth(1, selective=False)
    return [
        Row("engine, abapa opening, 1 thread", "positions", nodes / processor, at_least=10e6),
        Row(f"seconds to depth {DEPTH}, 1 thread, no tables", "", processor, at_most=6.0),
        Row("  and without late-move reductions", "", whole, at_most=6.0),
        Row("2 threads against 1, time to that depth", "", min(ones)[0] / min(twos)[0], at_least=1.5),
    ]
