"""Commands that read never create or change a database."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from awale import i18n
from awale.cli import main
from awale.store import Store, StoredGame, StoreError
from awale.store.backup import restore

READING = [
    ["games", "list"],
    ["games", "export"],
    ["players", "list"],
    ["players", "show", "Ada"],
    ["players", "ratings"],
    ["stats"],
]


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.delenv("AWALE_DATABASE_URL", raising=False)
    yield tmp_path
    i18n.set_language("en")


def fill(url: str) -> None:
    store = Store(url)
    with store.transaction() as session:
        store.games.add(session, StoredGame(rules="abapa", south="Ada", north="engine:1", moves="F f"))
    store.close()


@pytest.mark.parametrize("arguments", [*READING, ["backup", "kept.backup"]])
def test_a_missing_database_is_an_error(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    monkeypatch.chdir(home)
    for language, sentence in (("en", "there is no database"), ("fr", "il n'y a pas de base de données")):
        assert main([*arguments, "--lang", language]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert sentence in said.err
        assert len(said.err.strip().splitlines()) == 1
    assert list(home.iterdir()) == []


def test_neither_the_doctor_nor_the_lists_of_the_terminal_create_a_database(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from awale.tui.stored_games import leaderboard, stored_games

    assert main(["doctor", "--quick"]) == 0
    assert "there is no database" in capsys.readouterr().out
    assert (stored_games(), leaderboard()) == ([], [])
    assert not list(home.rglob("*.sqlite*"))
    fill(f"sqlite:///{home}/data/awale.sqlite")
    assert len(stored_games()) == 1


def test_a_database_without_tables_is_an_error(store_url: str) -> None:
    if store_url.startswith("sqlite"):
        Path(store_url.removeprefix("sqlite:///")).touch()
    with pytest.raises(StoreError, match="no database"):
        Store(store_url, read_only=True)


def test_a_store_opened_for_reading_refuses_to_write(store_url: str) -> None:
    fill(store_url)
    store = Store(store_url, read_only=True)
    with pytest.raises(StoreError, match=r"read-?only"), store.transaction() as session:
        store.players.person(session, "Kofi")
    with store.transaction() as session:
        assert [player.name for player in store.players.find(session, "")] == ["Ada", "engine:1"]
    store.close()


AS_A_STRANGER = """
import os, sys
from awale.cli import main

for number, file in enumerate(sys.argv[1:3]):
    for words in sys.argv[3:]:
        if main([*words.split(), "--database", f"sqlite:///{file}"]):
            sys.exit(1)
    if number == 0 and os.geteuid() == 0:
        os.setuid(65534)  # permissions do not bind root; the first round has imported what root alone may read
"""


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that other users may read, unlike `tmp_path`."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)


@pytest.mark.parametrize("mode", [0o555, 0o777])
def test_a_read_only_file(public_folder: Path, mode: int) -> None:
    files = [public_folder / name / "awale.sqlite" for name in ("writable", "closed #1")]
    for file in files:
        fill(f"sqlite:///{file}")
    before = files[1].read_bytes()
    files[1].chmod(0o444)
    files[1].parent.chmod(mode)
    kept = public_folder / "all.backup"
    commands = [*(" ".join(words) for words in READING), f"backup {kept}"]
    command = [sys.executable, "-c", AS_A_STRANGER, *map(str, files), *commands]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    finally:
        files[1].parent.chmod(0o755)
    assert done.returncode == 0, done.stderr
    assert files[1].read_bytes() == before
    other = Store("sqlite://")
    assert restore(other, kept)["games"] == 1


def test_an_older_database_is_migrated_first(store_url: str) -> None:
    from awale.store.database import make_engine, upgrade

    engine = make_engine(store_url)
    upgrade(engine, "0001")
    engine.dispose()
    store = Store(store_url, read_only=True)
    with store.transaction() as session:
        assert store.stats.by_rules(session) == []
    store.close()


def test_postgres_is_an_alias_of_postgresql() -> None:
    from awale.store.database import make_engine

    assert make_engine("postgres://somewhere/awale").url == create_engine("postgresql+psycopg://somewhere/awale").url
