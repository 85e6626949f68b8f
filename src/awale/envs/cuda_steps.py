"""The functions of `batch_steps` on an NVIDIA GPU, a thread for each game, through numba-cuda (extra `awale[cuda]`)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any
from unittest import mock

import numpy as np

from awale.envs import batch_steps as steps
from awale.kernels.gpu import SIMULATED, numba_cuda
from awale.kernels.rng import stream

cuda = numba_cuda()
THREADS = 4 if SIMULATED else 128
"""Per block. (The simulator starts a Python thread for each.)"""
ILLEGAL, MOST_SEEN = range(2)
"""The counters of `check`: the first game whose action is illegal, and the most positions that a game has stored."""

_is_illegal, _play, _begin = steps.is_illegal, steps.play_game, steps.begin_game
_observe, _mask, _sample, _look_ahead = steps.observe_game, steps.mask_game, steps.sample_game, steps.look_ahead_game


@cuda.jit
def seed_games(games: Any, number: int) -> None:
    game = cuda.grid(1)
    if game < games.random.shape[0]:
        games.random[game] = stream(number, game)


@cuda.jit
def begin_games(k: Any, start: Any, games: Any, which: Any, among: Any, repetition: int, random_moves: int) -> None:
    game = cuda.grid(1)
    if game < which.shape[0] and which[game] and among[game]:
        _begin(k, start, games, game, repetition, random_moves)


@cuda.jit
def skip(actions: Any, only: Any, chosen: Any) -> None:
    """Choose the actions where `only` is set, and nothing elsewhere."""
    game = cuda.grid(1)
    if game < actions.shape[0]:
        chosen[game] = actions[game] if only[game] else steps.SKIP


@cuda.jit
def copy_history(seen: Any, larger: Any) -> None:
    game = cuda.grid(1)
    if game < seen.shape[0]:
        for row in range(seen.shape[1]):
            for word in range(seen.shape[2]):
                larger[game, row, word] = seen[game, row, word]


@cuda.jit
def check(games: Any, actions: Any, count: int, counters: Any) -> None:
    """Find the first illegal action, and how many positions the games store."""
    game = cuda.grid(1)
    if game < actions.shape[0]:
        if _is_illegal(games, game, actions[game], count):
            cuda.atomic.min(counters, ILLEGAL, game)
        cuda.atomic.max(counters, MOST_SEEN, games.seen_count[game])


@cuda.jit
def play(
    k: Any,
    start: Any,
    games: Any,
    actions: Any,
    repetition: int,
    max_moves: int,
    reward: int,
    rewards: Any,
    codes: Any,
    scores: Any,
    terminated: Any,
    truncated: Any,
    over: Any,
    words: Any,
    shifts: Any,
    turn_at: int,
    limit: int,
    last: Any,
) -> None:
    """Play a move in each game as `batch_steps.play_games`; write the `last` observations of those that are over."""
    game = cuda.grid(1)
    if game < actions.shape[0]:
        _play(k, start, games, game, actions[game], repetition, max_moves, reward, rewards, codes, scores)
        terminated[game] = codes[game] > 0
        truncated[game] = codes[game] == steps.CUT
        over[game] = codes[game] != 0
        if codes[game] != 0:
            _observe(games, game, words, shifts, turn_at, limit, last, game)


@cuda.jit
def look_ahead(k: Any, start: Any, games: Any, repetition: int, after: Any, codes: Any, scores: Any) -> None:
    game = cuda.grid(1)
    if game < games.legal.shape[0]:
        _look_ahead(k, start, games, game, repetition, after, codes, scores)


@cuda.jit
def observe(games: Any, words: Any, shifts: Any, turn_at: int, limit: int, observations: Any) -> None:
    game = cuda.grid(1)
    if game < observations.shape[0]:
        _observe(games, game, words, shifts, turn_at, limit, observations, game)


@cuda.jit
def scale(observations: Any, highest: Any, scaled: Any) -> None:
    game = cuda.grid(1)
    if game < observations.shape[0]:
        for place in range(observations.shape[1]):
            scaled[game, place] = np.float32(observations[game, place]) / np.float32(highest[place])


@cuda.jit
def mask_games(games: Any, masks: Any) -> None:
    game = cuda.grid(1)
    if game < masks.shape[0]:
        _mask(games, game, masks)


@cuda.jit
def sample_games(games: Any, actions: Any) -> None:
    game = cuda.grid(1)
    if game < actions.shape[0]:
        _sample(games, game, actions)


def launch(kernel: Any, games: int, *arguments: Any) -> None:
    """Run a kernel with a thread for each game."""
    with _tables_in_global_memory():
        kernel[(games + THREADS - 1) // THREADS, THREADS](*arguments)


@contextlib.contextmanager
def _tables_in_global_memory() -> Iterator[None]:
    """Compile with the tables of the rules, 324 kB, in global memory: numba puts every array of a module into constant
    memory, which holds 64 kB."""
    if SIMULATED:
        yield
        return
    from numba.cuda.cudadrv import nvvm

    with mock.patch.object(nvvm, "ADDRSPACE_CONSTANT", nvvm.ADDRSPACE_GLOBAL):
        yield
