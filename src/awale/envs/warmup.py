"""What `awale warmup` compiles for the batch environment, for each kind of packed rules."""

from __future__ import annotations

from functools import partial

from awale.envs.batch import BatchEnv
from awale.kernels.warmup import BOARDS, Job


def warmup_jobs() -> list[Job]:
    return [(f"batch environment: {name}", partial(_steps, name)) for name in BOARDS]


def _steps(name: str) -> None:
    env = BatchEnv(2, name, random_moves=1)
    env.reset()
    env.afterstates()
    env.step(env.sample())
