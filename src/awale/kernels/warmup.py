"""Everything that compiles, in small steps, so that `awale warmup` can show its progress.

A package with compiled code has a module `warmup` with a function `warmup_jobs()` like the one below: names, and calls
that make Numba compile (or load from its cache) what the package needs.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from functools import partial

from awale.game import Game
from awale.kernels import WIN, convert
from awale.kernels.jit import COMPILED_PACKAGES

Job = tuple[str, Callable[[], object]]

BOARDS = ("abapa", "abapa:pits=7,seeds=1", "ghana", "ghana:pits=7,seeds=1", "tricolor")
"""One game for each type of packed rules: code is compiled once per type, whatever the options."""


def warmup_jobs() -> list[Job]:
    """Return the jobs of the kernels."""
    jobs: list[Job] = []
    for name in BOARDS:
        game = Game(name)
        kernel = convert.kernel_for(game.rules).__name__.rpartition(".")[2]
        jobs.append((f"{kernel}: rules", partial(_functions, game)))
        jobs.append((f"{kernel}: perft", partial(_perft, game)))
        jobs.append((f"{kernel}: playouts", partial(_playouts, game)))
    return jobs


def _functions(game: Game) -> None:
    kernel = convert.kernel_for(game.rules)
    k, state = convert.pack_game(game)
    kernel.legal(k, state)
    kernel.play(k, state, convert.number_of(game.rules, game.legal_moves[0]))
    kernel.stopped(k, state, 1)
    kernel.ending(k, state, 1)
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
