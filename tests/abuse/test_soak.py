"""The slow half: backups and writers under load, on both databases (`make soak`)."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sqlalchemy import func, select

from awale.store import Game, Store
from awale.store.backup import backup, restore
from tests.store.conftest import postgres_server as postgres_server
from tests.store.conftest import store as store
from tests.store.conftest import store_url as store_url
from tests.store.test_concurrency import add, check

pytestmark = pytest.mark.slow


def test_fifty_backups_under_load(store: Store, tmp_path: Path) -> None:
    stop, written = threading.Event(), 0

    def run() -> None:
        nonlocal written
        while not stop.is_set():
            add(store, written)
            written += 1

    writer = threading.Thread(target=run)
    writer.start()
    try:
        last = 0
        for number in range(50):
            least = written
            counts = backup(store, tmp_path / "live.backup")
            other = Store(f"sqlite:///{tmp_path / f'{number}.sqlite'}")
            restore(other, tmp_path / "live.backup")
            found = check(other)
            assert counts["games"] == found >= max(least, last)
            last = found
            other.close()
    finally:
        stop.set()
        writer.join()
    assert check(store) == written


def test_four_matches_save_into_a_new_store(store_url: str) -> None:
    games = 6
    command = [sys.executable, "-m", "awale", "match", "greedy", "random", "--games", str(games), "--save"]
    processes = [
        subprocess.Popen(
            [*command, "--database", store_url, "--seed", str(number)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for number in range(4)
    ]
    for process in processes:
        _, said = process.communicate()
        assert process.returncode == 0, said.decode()
        assert b"Traceback" not in said
    opened = Store(store_url)
    with opened.transaction() as session:
        assert session.scalar(select(func.count()).select_from(Game)) == 4 * games
    opened.close()
