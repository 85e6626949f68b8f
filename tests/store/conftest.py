"""Every test of the store runs on SQLite and on a PostgreSQL that the tests start themselves."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from awale.store import Store
from tests.conftest import find_postgres


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """A server of our own in a temporary folder, reachable by its socket only. Gives the address up to the database."""
    programs = find_postgres()
    if programs is None:
        pytest.skip("no PostgreSQL server on this machine (apt-get install postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="awale-pg-", dir="/tmp"))
    # PostgreSQL refuses to run as root.
    as_root = os.geteuid() == 0
    prefix = ["runuser", "-u", "postgres", "--"] if as_root else []
    try:
        if as_root:
            shutil.chown(folder, "postgres")
        folder.chmod(0o700)
        run = {"check": True, "capture_output": True, "cwd": str(folder)}
        data = folder / "data"
        subprocess.run(
            [
                *prefix,
                str(programs / "initdb"),
                "-D",
                str(data),
                "-A",
                "trust",
                "-U",
                "awale",
                "--no-sync",
                "-E",
                "UTF8",
            ],
            **run,
        )
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
        subprocess.run(
            [
                *prefix,
                str(programs / "pg_ctl"),
                "-D",
                str(data),
                "-w",
                "-l",
                str(folder / "log"),
                "-o",
                options,
                "start",
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=str(folder),
        )
        try:
            yield f"postgresql+psycopg://awale@/{{}}?host={folder}"
        finally:
            subprocess.run([*prefix, str(programs / "pg_ctl"), "-D", str(data), "-m", "immediate", "stop"], **run)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'awale.sqlite'}"
    template = request.getfixturevalue("postgres_server")
    name = f"test_{secrets.token_hex(6)}"
    admin = create_engine(template.format("postgres"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    admin.dispose()
    return str(template.format(name))


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    opened = Store(store_url)
    yield opened
    opened.close()
