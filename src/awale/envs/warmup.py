"""What `awale warmup` compiles for the batch environment and datasets, for each kind of packed rules."""

from __future__ import annotations

from functools import partial

import numpy as np

from awale.envs import batch_steps as steps
from awale.envs.batch import BatchEnv
from awale.game import Game
from awale.kernels.convert import pack_game
from awale.kernels.endgame import NO_TABLES
from awale.kernels.warmup import BOARDS, Job
from awale.rules import get
from awale.tables import refusal


def warmup_jobs() -> list[Job]:
    with_tables = [name for name in BOARDS if refusal(get(name)) is None]
    return [
        *((f"batch environment: {name}", partial(_steps, name)) for name in BOARDS),
        *((f"datasets: {name}", partial(_dataset, name)) for name in with_tables),
    ]


def _steps(name: str) -> None:
    env = BatchEnv(2, name, random_moves=1)
    env.reset()
    env.afterstates()
    env.step(env.sample())


def _dataset(name: str) -> None:
    k, like = pack_game(Game(name))
    rows, left, values = np.zeros((1, len(like)), np.int64), np.zeros(1, np.int64), np.zeros((1, 6), np.int16)
    steps.table_values(k, like, NO_TABLES, rows, left, values)
