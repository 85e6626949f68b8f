"""Opening a database, migrating it, and transactions that fail with a clear message."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError, StatementError
from sqlalchemy.orm import Session
from sqlalchemy.pool import StaticPool

from awale import i18n
from awale.errors import AwaleError
from awale.paths import data_dir
from awale.store import games, leases, players, position_index, ratings, stats, studies
from awale.store.locks import Lock, acquire

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory


class StoreError(AwaleError):
    """Raised when the database refuses or cannot be reached; stored data is unaffected."""


class MissingStoreError(StoreError):
    """Raised when a database to be read does not exist."""


def default_url() -> str:
    """Return `AWALE_DATABASE_URL`, or a SQLite file in the user's data directory."""
    return os.environ.get("AWALE_DATABASE_URL") or f"sqlite:///{data_dir() / 'awale.sqlite'}"


# A SQLite transaction that reads before it writes fails if another writer commits in between, so writers lock first.
_MODES: dict[tuple[str, bool], dict[str, Any]] = {
    ("sqlite", False): {"sqlite_begin": "BEGIN IMMEDIATE"},
    ("sqlite", True): {},
    ("postgresql", False): {},
    ("postgresql", True): {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True},
}


class Store:
    """A database of players, games and ratings.

    `store.games` and `store.players` are the small repositories; both take the session of a transaction:

    >>> store = Store("sqlite://")
    >>> with store.transaction() as session:
    ...     store.players.person(session, "Ada", "Lovelace", level=3).name
    'Ada Lovelace'
    """

    games = games
    leases = leases
    players = players
    ratings = ratings
    stats = stats
    studies = studies

    def __init__(
        self, url: str | None = None, *, migrate: bool = True, read_only: bool = False, timeout: float = 10
    ) -> None:
        """Open a database.

        `url`: as SQLAlchemy writes it; by default `default_url()`. `migrate`: bring the tables up to date. `read_only`:
        refuse a database that does not exist, and every write. `timeout`: seconds to wait for SQLite's other writers.
        """
        self.url = url or default_url()
        self.read_only = read_only
        try:
            self.engine = make_engine(self.url, read_only=read_only, timeout=timeout)
            if read_only:
                self._check_tables()
            elif migrate:
                upgrade(self.engine)
        except (ArgumentError, ModuleNotFoundError) as error:
            raise StoreError(self._refusal("address", str(error))) from None
        except OSError as error:
            raise StoreError(self._refusal("unreachable", str(i18n.system_problem(error)))) from None
        except SQLAlchemyError as error:
            raise StoreError(self._refusal("unreachable", sentence(error))) from None
        dialect = self.engine.dialect.name
        self._engines = {
            mode: self.engine.execution_options(**_MODES.get((dialect, mode), {})) for mode in (False, True)
        }

    def _check_tables(self) -> None:
        revisions = _revisions(self.engine)
        if not revisions:
            raise MissingStoreError(i18n.message("store.refused.missing", url=_without_password(self.url)))
        if revisions != set(_scripts().get_heads()):
            Store(self.url).close()

    def _refusal(self, key: str, problem: str) -> i18n.Message:
        return i18n.message(f"store.refused.{key}", url=_without_password(self.url), problem=problem)

    @contextmanager
    def transaction(self, *, read_only: bool = False) -> Iterator[Session]:
        """Run a transaction, all or nothing; an error of the database becomes a `StoreError`.

        `read_only`: one consistent snapshot, which neither waits for writers nor makes them wait.
        """
        try:
            with (
                Session(self._engines[read_only or self.read_only], expire_on_commit=False) as session,
                session.begin(),
            ):
                yield session
        except SQLAlchemyError as error:
            if isinstance(error, StatementError) and isinstance(error.orig, AwaleError):
                raise error.orig from None
            raise StoreError(i18n.message("store.refused.statement", problem=sentence(error))) from error

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def __repr__(self) -> str:
        return f"Store({_without_password(self.url)!r})"


def _without_password(url: str) -> str:
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return url.partition("://")[0][:40] or "this"


def sentence(error: Exception) -> str:
    """Return the first line of what a database or its driver says."""
    said = str(error.orig) if isinstance(error, DBAPIError) and error.orig is not None else str(error)
    return said.strip().splitlines()[0] if said.strip() else type(error).__name__


def make_engine(address: str, *, read_only: bool = False, timeout: float = 10) -> Engine:
    """Return an engine whose transactions are explicit on both databases."""
    url = make_url(address)
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_pre_ping=True)
    options: dict[str, Any] = {"connect_args": {"timeout": timeout, "check_same_thread": False}}
    if url.database and url.database != ":memory:":
        file = Path(url.database)
        if not read_only:
            file.parent.mkdir(parents=True, exist_ok=True)
        elif file.exists():
            url = _read_only(file)
        else:
            raise MissingStoreError(i18n.message("store.refused.missing", url=_without_password(address)))
    else:
        options["poolclass"] = StaticPool  # one connection, or every thread would get its own empty database
    engine = create_engine(url, **options)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver would begin transactions at the first write only
        if not read_only:
            _use_wal(connection)
        # FULL: what was acknowledged survives a power cut, not only a crash.
        for pragma in ("synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(connection.get_execution_options().get("sqlite_begin", "BEGIN"))

    return engine


def _read_only(file: Path) -> URL:
    """Return the address of a file to be opened for reading."""
    options = {"mode": "ro", "uri": "true"}
    log = file.with_name(file.name + "-wal")
    if not log.exists() and not os.access(file.parent, os.W_OK):
        # Reading a write-ahead log needs a file beside it; here none can be made, and there is no log to read.
        options["immutable"] = "1"
    return URL.create("sqlite", database=f"file:{quote(str(file))}", query=options)


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to a write-ahead log: readers never wait for the writer."""
    for _ in range(10):
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            # The switch does not wait for other connections that are switching, an exclusive transaction does.
            connection.execute("BEGIN EXCLUSIVE")
            connection.rollback()


@contextmanager
def migrating(engine: Engine) -> Iterator[Connection]:
    """Open the one transaction of all migrations, behind a lock."""
    with engine.execution_options(**_MODES.get((engine.dialect.name, False), {})).begin() as connection:
        acquire(connection, Lock.MIGRATE)
        yield connection


def _scripts() -> ScriptDirectory:
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(Path(__file__).parent / "migrations"))


def _revisions(engine: Engine) -> set[str]:
    from alembic.migration import MigrationContext

    with engine.connect() as connection:
        return set(MigrationContext.configure(connection).get_current_heads())


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Bring the tables to a revision by Alembic's migrations, all of them or none."""
    from alembic import command
    from alembic.config import Config

    scripts = _scripts()
    if revision == "head" and _revisions(engine) == set(scripts.get_heads()):
        return  # without the lock: an import may hold it for minutes
    config = Config()
    config.set_main_option("script_location", scripts.dir)
    with migrating(engine) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        if revision == "head":  # a migration may have emptied the index of positions
            with Session(connection) as session:
                position_index.update_index(session)
