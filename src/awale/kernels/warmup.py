"""Everything that compiles, in small steps, so that `awale warmup` can show its progress.

A package with compiled code has a module `warmup` with a function `warmup_jobs()` like the one below: names, and calls
that make Numba compile (or load from its cache) what the package needs. Jobs whose names end alike (`perft: abapa`,
`engine: abapa`) have much in common and are done by one process.
"""

from __future__ import annotations

import importlib
import importlib.util
import multiprocessing
import signal
from collections.abc import Callable
from functools import partial

from awale.game import Game
from awale.kernels import WIN, convert, generic
from awale.kernels.jit import COMPILED_PACKAGES, announcer

Job = tuple[str, Callable[[], object]]

BOARDS = ("abapa", "abapa:pits=7,seeds=1", "ghana", "ghana:pits=7,seeds=1", "tricolor")
"""One game for each type of packed rules: code is compiled once per type, whatever the options."""


def warmup_jobs() -> list[Job]:
    """Return the jobs of the kernels."""
    jobs: list[Job] = []
    for name in BOARDS:
        game = Game(name)
        jobs.append((f"rules: {name}", partial(_functions, game)))
        jobs.append((f"perft: {name}", partial(_perft, game)))
        jobs.append((f"playouts: {name}", partial(_playouts, game)))
    return jobs


def _functions(game: Game) -> None:
    kernel = convert.kernel_for(game.rules)
    k, state = convert.pack_game(game)
    kernel.legal(k, state)
    kernel.play(k, state, convert.number_of(game.rules, game.legal_moves[0]))
    kernel.stopped(k, state, 1)
    generic.ending(k, state, 1)
    kernel.final(k, state, WIN, 1)


def _perft(game: Game) -> None:
    from awale.kernels.perft import counts

    k, state = convert.pack_game(game)
    counts(k, state, 3, repetition=False)
    counts(k, state, 3, repetition=False, generally=True)


def _playouts(game: Game) -> None:
    from awale.kernels.playouts import playout_moves, playouts

    playouts(game, 1, threads=1)
    playout_moves(game.rules, convert.pack_game(game)[1], 0)


def all_jobs() -> list[Job]:
    """Return the jobs of every installed package."""
    jobs: list[Job] = []
    for package in COMPILED_PACKAGES:
        module = f"awale.{package}.warmup"
        if importlib.util.find_spec(f"awale.{package}") and importlib.util.find_spec(module):
            jobs += importlib.import_module(module).warmup_jobs()
    return jobs


def run(processes: int, report: Callable[[int, int, str], None], source: Callable[[], list[Job]] | None = None) -> int:
    """Do the jobs of a source (all of them), in several processes; return how many functions were compiled. `report` is
    told how many jobs are done, of how many, and a name: the next or, with several processes, one that is done."""
    source = source or all_jobs
    jobs = source()
    if processes == 1:
        before = len(announcer.compiled)
        for done, (name, job) in enumerate(jobs):
            report(done, len(jobs), name)
            job()
        return len(announcer.compiled) - before
    groups: dict[str, list[str]] = {}
    for name, _ in jobs:
        groups.setdefault(name.partition(": ")[2], []).append(name)
    done = compiled = 0
    # Spawned, never forked: a forked copy of threads and compiled code may hang.
    with multiprocessing.get_context("spawn").Pool(min(processes, len(groups)), _quietly) as pool:
        for names, count in pool.imap_unordered(partial(_work, source), groups.values()):
            done += len(names)
            compiled += count
            report(done, len(jobs), names[-1])
    return compiled


def _quietly() -> None:
    announcer.announced = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C


def _work(source: Callable[[], list[Job]], names: list[str]) -> tuple[list[str], int]:
    before = len(announcer.compiled)
    jobs = dict(source())
    for name in names:
        jobs[name]()
    return names, len(announcer.compiled) - before
