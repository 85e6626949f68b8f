"""Opening a database, migrating it, and transactions that fail with a clear message."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.pool import StaticPool

from awale import i18n
from awale.errors import AwaleError
from awale.paths import data_dir
from awale.store import games, players, ratings, stats


class StoreError(AwaleError):
    """Raised when the database refuses or cannot be reached; stored data is unaffected."""


def default_url() -> str:
    """Return `AWALE_DATABASE_URL`, or a SQLite file in the user's data directory."""
    return os.environ.get("AWALE_DATABASE_URL") or f"sqlite:///{data_dir() / 'awale.sqlite'}"


class Store:
    """A database of players, games and ratings.

    `store.games` and `store.players` are the small repositories; both take the session of a transaction:

    >>> store = Store("sqlite://")
    >>> with store.transaction() as session:
    ...     store.players.person(session, "Ada", "Lovelace", level=3).name
    'Ada Lovelace'
    """

    games = games
    players = players
    ratings = ratings
    stats = stats

    def __init__(self, url: str | None = None, *, migrate: bool = True) -> None:
        """`url`: an SQLAlchemy URL, by default `default_url()`. `migrate`: upgrade the tables."""
        self.url = url or default_url()
        try:
            self.engine = _engine(self.url)
            if migrate:
                upgrade(self.engine)
        except (ArgumentError, ModuleNotFoundError) as error:
            raise StoreError(self._refusal("address", str(error))) from None
        except OSError as error:
            raise StoreError(self._refusal("unreachable", error.strerror or str(error))) from None
        except SQLAlchemyError as error:
            raise StoreError(self._refusal("unreachable", _sentence(error))) from None

    def _refusal(self, key: str, problem: str) -> i18n.Message:
        return i18n.message(f"store.refused.{key}", url=_without_password(self.url), problem=problem)

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Run a transaction. Database errors become a `StoreError`."""
        try:
            with Session(self.engine, expire_on_commit=False) as session, session.begin():
                yield session
        except SQLAlchemyError as error:
            raise StoreError(i18n.message("store.refused.statement", problem=_sentence(error))) from error

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


def _sentence(error: SQLAlchemyError) -> str:
    said = str(error.orig) if isinstance(error, DBAPIError) and error.orig is not None else str(error)
    return said.strip().splitlines()[0] if said.strip() else type(error).__name__


def _engine(address: str) -> Engine:
    url = make_url(address)
    if url.get_backend_name() == "postgresql" and url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_pre_ping=True)
    options: dict[str, Any] = {"connect_args": {"timeout": 10, "check_same_thread": False}}
    if url.database and url.database != ":memory:":
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    else:
        options["poolclass"] = StaticPool  # one connection, or every thread would get its own empty database
    engine = create_engine(url, **options)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        cursor = connection.cursor()
        # WAL: readers never wait for the writer. FULL: committed data survives a power failure.
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    return engine


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Upgrade the tables to a revision by Alembic's migrations."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
