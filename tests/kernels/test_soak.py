"""Ten million random plies over all presets, every kernel against the reference: minutes, so left to `make soak`."""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import pytest

from awale.cores import cores
from awale.rules import get, names
from tests.kernels import oracle

PLIES = int(os.environ.get("AWALE_SOAK_PLIES", "10_000_000"))
CHUNK = 20_000


def chunk(name: str, seed: int, plies: int) -> tuple[str, int]:
    return name, oracle.compare_games(get(name), plies, seed=seed)


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_ten_million_plies_without_a_disagreement() -> None:
    share = -(-PLIES // len(names()))
    tasks = [(name, 1000 + first, min(CHUNK, share - first)) for first in range(0, share, CHUNK) for name in names()]
    compared: Counter[str] = Counter()
    with ProcessPoolExecutor(cores(), mp_context=multiprocessing.get_context("spawn")) as pool:
        for name, plies in pool.map(chunk, *zip(*tasks, strict=True)):
            compared[name] += plies
    print(dict(compared))
    assert set(compared) == set(names())
    assert compared.total() >= PLIES
