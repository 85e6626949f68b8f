"""The same games on a real Dask cluster of several processes, one of which is killed in the middle."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from awale.arena import MatchPlan, Played, play_match
from awale.arena.errors import ArenaError

distributed = pytest.importorskip("distributed")


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    # The workers' own folder and language, and no open ports but the scheduler's.
    monkeypatch.setenv("DASK_TEMPORARY_DIRECTORY", str(tmp_path))
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=str(tmp_path)
    ) as made:
        yield made


def results(games: list[Played]) -> list[tuple[object, ...]]:
    return [(game.number, game.seats, game.moves, game.winner, game.scores) for game in games]


def test_no_game_is_lost_and_none_counted_twice(cluster: Any, tmp_path: Path) -> None:
    plan = MatchPlan("greedy", "random", games=120, seed=11)
    with distributed.Client(cluster.scheduler_address) as client:
        pids = client.run(os.getpid)
    assert len(set(pids.values())) == 3
    told: list[int] = []

    def watch(_: object, game: Played) -> None:
        told.append(game.number)
        if len(told) == 15:
            os.kill(next(iter(pids.values())), signal.SIGKILL)

    journal = tmp_path / "match.jsonl"
    found = play_match(plan, scheduler=cluster.scheduler_address, watch=watch, journal=journal)
    assert len(told) == len(set(told)) == 120
    assert len(journal.read_text().splitlines()) == 121
    assert results(found.games) == results(play_match(plan, concurrency=0).games)


def test_no_scheduler_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("awale.arena.cluster.CONNECT_SECONDS", 1)
    for address in ("tcp://127.0.0.1:9", "nonsense://x"):
        with pytest.raises(ArenaError, match="no Dask scheduler"):
            play_match(MatchPlan("greedy", "random", games=2), scheduler=address)
