"""Backup of a database in one file, and restoring it: the same format for SQLite and PostgreSQL, so it also migrates
from one to the other. Compressed lines of JSON, read in one transaction; the last line counts them, so that truncation
is detected."""

from __future__ import annotations

import datetime
import gzip
import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Table, delete, func, insert, select, text, update

from awale import i18n
from awale.paths import replacing
from awale.store.database import Store, StoreError
from awale.store.models import Base, Game, PositionBlock, Server, VoidPosition
from awale.store.position_index import update_index

FORM = "awale-backup-1"
BATCH = 1000


def _tables() -> list[Table]:
    # The index of positions is made again from the games; which servers run is no data.
    left_out = (PositionBlock.__tablename__, VoidPosition.__tablename__, Server.__tablename__)
    return [table for table in Base.metadata.sorted_tables if table.name not in left_out]


def backup(store: Store, path: str | os.PathLike[str]) -> dict[str, int]:
    """Write everything to a file, atomically; return the number of rows of each table."""
    counts: dict[str, int] = {}
    try:
        with replacing(path) as growing, open(growing, "wb") as raw:
            with (
                gzip.GzipFile("", fileobj=raw, mode="wb", compresslevel=6, mtime=0) as file,
                store.transaction(read_only=True) as session,
            ):
                _line(file, {"form": FORM, "tables": [table.name for table in _tables()]})
                for table in _tables():
                    counts[table.name] = 0
                    query = select(table).order_by(*table.primary_key.columns)
                    for row in session.execute(query.execution_options(yield_per=BATCH)):
                        _line(file, {"table": table.name, "row": list(row)})
                        counts[table.name] += 1
                _line(file, {"end": counts})
            raw.flush()
            os.fsync(raw.fileno())
    except StoreError as error:
        raise StoreError(i18n.message("store.backup.failed", problem=str(error))) from None
    return counts


def _line(file: gzip.GzipFile, data: Any) -> None:
    line = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=datetime.datetime.isoformat)
    file.write(line.encode() + b"\n")


def _entries(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a backup; raise StoreError unless it is complete."""
    broken = StoreError(i18n.message("store.backup.broken", file=path))
    ended = False
    try:
        with gzip.open(path, "rb") as file:
            for number, line in enumerate(file):
                entry = json.loads(line)
                if number == 0 and entry.get("form") != FORM:
                    raise broken
                ended = "end" in entry
                yield entry
    except (EOFError, zlib.error, ValueError, gzip.BadGzipFile) as error:
        raise error if isinstance(error, StoreError) else broken from None
    if not ended:
        raise broken


def restore(store: Store, path: str | os.PathLike[str], *, replace: bool = False) -> dict[str, int]:
    """Fill a database from a backup in one transaction. One that has games or players is refused unless `replace`."""
    source = Path(path)
    for _ in _entries(source):  # read completely before anything is changed
        pass
    tables = {table.name: table for table in _tables()}
    counts = dict.fromkeys(tables, 0)
    with store.transaction() as session:
        connection = session.connection()
        filled = any(connection.scalar(select(func.count()).select_from(table)) for table in tables.values())
        if filled and not replace:
            raise StoreError(i18n.message("store.backup.not-empty"))
        for table in reversed(_tables()):
            connection.execute(delete(table))
        waiting: dict[str, list[dict[str, Any]]] = {}

        def write(name: str) -> None:
            rows = waiting.pop(name, [])
            if rows:
                connection.execute(insert(tables[name]), rows)
                counts[name] += len(rows)

        for entry in _entries(source):
            name = entry.get("table")
            if name is None:
                continue
            if name not in waiting:
                for other in list(waiting):  # tables come in the order of their references
                    write(other)
            waiting.setdefault(name, []).append(_row(tables[name], entry["row"]))
            if len(waiting[name]) >= BATCH:
                write(name)
        for name in list(waiting):
            write(name)
        connection.execute(delete(PositionBlock))
        connection.execute(delete(VoidPosition))
        connection.execute(update(Game).values(indexed=False))
        update_index(session)
        if store.engine.dialect.name == "postgresql":
            for table in tables.values():
                if "id" in table.columns:
                    # Primary keys were inserted explicitly: move the sequences past them.
                    number = f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), COALESCE(MAX(id), 1)) "
                    connection.execute(text(number + f"FROM {table.name}"))
    return counts


def _row(table: Table, values: list[Any]) -> dict[str, Any]:
    row = {}
    for column, value in zip(table.columns, values, strict=False):  # columns of later versions have defaults
        if value is not None and column.type.__class__.__name__ == "Moment":
            value = datetime.datetime.fromisoformat(value)
        row[column.name] = value
    return row
