"""Backups, migrations and imports while other processes use the same database."""

from __future__ import annotations

import gzip
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from awale import Game as Play
from awale.notation import GameRecord, write_ogn
from awale.store import Game, Player, Rating, Store, StoredGame
from awale.store import backup as backups
from awale.store.backup import backup, restore


def rated_game(number: int) -> StoredGame:
    return StoredGame(
        rules="abapa",
        south=f"South {number}",
        north=f"North {number}",
        moves="F f",
        winner=0,
        end="resign",
        rated=True,
        tags={"Round": str(number)},
    )


def add(store: Store, number: int) -> None:
    with store.transaction() as session:
        store.games.add(session, rated_game(number))


def check(store: Store) -> int:
    """Assert that games 0 to n - 1 are stored with their players and ratings; return n."""
    with store.transaction() as session:
        rounds = [int(game.tags["Round"]) for game in store.games.every(session)]
        ratings = session.scalar(select(func.count()).select_from(Rating))
        assert rounds == list(range(len(rounds)))
        assert ratings == 2 * len(rounds)
    return len(rounds)


# -- backups ----------------------------------------------------------------------------------------------------------


def test_a_backup_is_one_snapshot(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        add(store, number)
    write, numbers = backups._line, iter(range(3, 30))

    def commit_then_write(file: gzip.GzipFile, data: Any) -> None:
        if (number := next(numbers, None)) is not None:
            add(store, number)
        write(file, data)

    monkeypatch.setattr(backups, "_line", commit_then_write)
    counts = backup(store, tmp_path / "live.backup")
    assert (counts["games"], counts["players"], counts["ratings"]) == (4, 8, 8)  # the first line precedes the reading
    other = Store(f"sqlite:///{tmp_path / 'other.sqlite'}")
    restore(other, tmp_path / "live.backup")
    assert check(other) == 4
    other.close()
    assert check(store) > 4


def test_backups_beside_a_writer(store: Store, tmp_path: Path) -> None:
    stop, more, written = threading.Event(), threading.Condition(), 0

    def run() -> None:
        nonlocal written
        while not stop.is_set():
            add(store, written)
            with more:
                written += 1
                more.notify()

    writer = threading.Thread(target=run)
    writer.start()
    try:
        for number in range(8):
            with more:
                least = written + 1
                more.wait_for(lambda least=least: written >= least)
            backup(store, tmp_path / f"{number}.backup")
            other = Store(f"sqlite:///{tmp_path / f'{number}.sqlite'}")
            restore(other, tmp_path / f"{number}.backup")
            assert check(other) >= least
            other.close()
    finally:
        stop.set()
        writer.join()
    assert check(store) == written


def test_a_reading_transaction_keeps_its_snapshot_and_blocks_nobody(store: Store) -> None:
    add(store, 0)
    with store.transaction(read_only=True) as session:
        assert len(list(store.games.every(session))) == 1
        add(store, 1)
        assert session.scalar(select(func.count()).select_from(Game)) == 1
    assert check(store) == 2


def test_a_transaction_that_reads_first_can_still_write(store: Store) -> None:
    """A writer takes its lock before it reads, so that no other writer makes its snapshot stale."""
    add(store, 0)
    started, done = threading.Event(), threading.Event()

    def run() -> None:
        started.set()
        add(store, 2)
        done.set()

    other = threading.Thread(target=run)
    with store.transaction() as session:
        session.scalar(select(func.count()).select_from(Game))
        other.start()
        started.wait()
        store.games.add(session, rated_game(1))
    other.join()
    assert done.is_set()
    with store.transaction(read_only=True) as session:
        assert session.scalar(select(func.count()).select_from(Game)) == 3


# -- migrations -------------------------------------------------------------------------------------------------------

KILLED_AT_EVERY_STATEMENT = """
import os, signal, sys
from sqlalchemy import Engine, create_engine, event, text
from awale.store import Store, StoredGame

def child(url, last):
    seen = 0
    @event.listens_for(Engine, "after_cursor_execute")
    def count(connection, cursor, statement, *_):
        nonlocal seen
        seen += 1
        if seen == last:
            os.kill(os.getpid(), signal.SIGKILL)
    Store(url)
    os._exit(0)

template, kills = sys.argv[1], 0
while True:
    url = template.format(kills)
    if url.startswith("postgresql"):
        engine = create_engine(url)
        with engine.begin() as connection:
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
        engine.dispose()
    pid = os.fork()
    if pid == 0:
        child(url, kills + 1)
    killed = os.WIFSIGNALED(os.waitpid(pid, 0)[1])
    store = Store(url)
    with store.transaction() as session:
        store.games.add(session, StoredGame(rules="abapa", south="A", north="B", moves="F f", end="resign"))
    store.close()
    if not killed:
        break
    kills += 1
print(kills)
"""


def test_a_start_after_a_migration_killed_at_any_statement(store_url: str) -> None:
    template = store_url.replace("awale.sqlite", "{}.sqlite")
    command = [sys.executable, "-c", KILLED_AT_EVERY_STATEMENT, template]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20


TOGETHER = """
release, hold = os.pipe()
children = []
for number in range(4):
    if (pid := os.fork()) == 0:
        os.close(hold)
        os.read(release, 1)  # ends when the parent has started all and closes its end
        work(number, *sys.argv[1:])
        os._exit(0)
    children.append(pid)
os.close(hold)
sys.exit(any([os.waitpid(pid, 0)[1] for pid in children]))
"""


def together(script: str, *arguments: str) -> None:
    """Call the script's function `work` in four processes at once; all must succeed."""
    command = [sys.executable, "-c", "import os, sys\n" + script + TOGETHER, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr


START = """
from awale.store import Store

def work(number, url):
    store = Store(url)
    with store.transaction() as session:
        store.players.person(session, f"Player {number}")
    store.close()
"""


def test_processes_that_start_together_on_an_empty_database(store_url: str) -> None:
    together(START, store_url)
    store = Store(store_url)
    with store.transaction(read_only=True) as session:
        assert len(store.players.find(session, "Player")) == 4
    store.close()


def test_an_up_to_date_database_is_opened_while_another_process_writes(store: Store, store_url: str) -> None:
    with store.transaction() as session:
        store.games.add(session, rated_game(0))
        other = Store(store_url)
        with other.transaction(read_only=True) as reading:
            assert reading.scalar(select(func.count()).select_from(Game)) == 0
        other.close()


# -- writers ----------------------------------------------------------------------------------------------------------

IMPORT = """
from awale.cli import main

def work(number, url, folder):
    # Players, one rule system and half of the games are common to all files.
    if main(["games", "import", f"{folder}/{number}.ogn", "--rated", "--database", url]):
        os._exit(1)
"""

SAVE = """
from awale.store import Store, StoredGame

def work(number, url):
    store = Store(url)
    for round in range(5):
        with store.transaction() as session:
            for name in (number, "all"):
                store.games.add(session, StoredGame(
                    rules="abapa", south="engine:1", north=f"engine:{2 + number % 2}", moves="F f", winner=0,
                    end="resign", rated=True, tags={"Round": f"{name}.{round}"}))
    store.close()
"""


def ratings(store: Store) -> list[tuple[int, int, float]]:
    with store.transaction(read_only=True) as session:
        query = select(Rating.player_id, Rating.game_id, Rating.rating).order_by(Rating.game_id, Rating.player_id)
        return [tuple(row) for row in session.execute(query)]


def check_ratings(store: Store) -> None:
    before = ratings(store)
    with store.transaction() as session:
        store.ratings.recompute(session)
    assert ratings(store) == before


def test_four_imports_of_rated_games_into_a_new_store(store_url: str, tmp_path: Path) -> None:
    tags = {"North": "engine:1", "Date": "2024.05.01"}
    for number in range(4):
        order = -1 if number % 2 else 1  # opposite orders, in which row locks would wait for one another
        records = [
            GameRecord.from_game(Play("abapa", moves="F f"), tags | {"South": f"P {n % 7}", "Round": str(n)})
            for n in [*range(40), *range(100 * number + 100, 100 * number + 140)][::order]
        ]
        for record in records:
            record.result = "1-0"
        write_ogn(records, tmp_path / f"{number}.ogn")
    together(IMPORT, store_url, str(tmp_path))
    store = Store(store_url)
    with store.transaction(read_only=True) as session:
        assert session.scalar(select(func.count()).select_from(Game)) == 5 * 40
        assert session.scalar(select(func.count()).select_from(Player)) == 8
    check_ratings(store)
    store.close()


def test_four_writers_of_games_with_the_same_players(store_url: str) -> None:
    together(SAVE, store_url)
    store = Store(store_url)
    with store.transaction(read_only=True) as session:
        assert session.scalar(select(func.count()).select_from(Player)) == 3
        assert session.scalar(select(func.count()).select_from(Game)) == 4 * 5 + 2 * 5
    check_ratings(store)
    store.close()
