"""Locks that a transaction holds to its end. SQLite has one writer at a time and needs none of them."""

from __future__ import annotations

import enum

from sqlalchemy import Connection, func, select
from sqlalchemy.orm import Session

_NAMESPACE = 0x6177616C  # "awal": the number pair of an advisory lock is shared by all programs of a database


class Lock(enum.IntEnum):
    """What only one transaction at a time may do. A transaction that needs several takes them in this order."""

    MIGRATE = 1
    IMPORT = 2
    RATINGS = 3
    INDEX = 4


def acquire(connection: Connection | Session, lock: Lock) -> None:
    """Wait for a lock; the transaction's end releases it."""
    bind = connection.get_bind() if isinstance(connection, Session) else connection
    if bind.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_NAMESPACE, int(lock))))
