"""One SELECT of somebody's own, which can change nothing: the text is checked, and the database refuses to write."""

from __future__ import annotations

import re
import sqlite3
from typing import Any, NamedTuple

from awale import i18n
from awale.store.database import Store, StoreError, sentence

MOST_ROWS = 1000
_NOT_CODE = re.compile(r"--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\$(\w*)\$.*?\$\1\$", re.DOTALL)
_READING = frozenset(
    {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, getattr(sqlite3, "SQLITE_RECURSIVE", 33)}
)


class Answer(NamedTuple):
    """The columns and rows of a query; `more` if it has further rows."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    more: bool


def check(statement: str) -> str:
    """Return the statement without its last semicolon; refuse all but one SELECT."""
    code = _NOT_CODE.sub(" ", statement).strip()
    body = code.rstrip(";").rstrip()
    word = re.match(r"\(*\s*(\w*)", body)
    first = word[1].upper() if word else ""
    if not body:
        raise StoreError(i18n.message("store.sql.empty"))
    if first not in ("SELECT", "WITH"):
        raise StoreError(i18n.message("store.sql.only-select", word=first or body[:20]))
    if ";" in body:
        raise StoreError(i18n.message("store.sql.one"))
    return statement


def run(store: Store, statement: str, *, limit: int = MOST_ROWS) -> Answer:
    """Run one SELECT in a read-only transaction and return its rows."""
    statement = check(statement)
    with store.transaction(read_only=True) as session:
        driver: Any = store.engine.dialect.loaded_dbapi
        raw: Any = session.connection().connection.dbapi_connection
        guarded = isinstance(raw, sqlite3.Connection)
        refused: list[int] = []

        def authorise(action: int, *_: object) -> int:
            if action in _READING:
                return sqlite3.SQLITE_OK
            refused.append(action)
            return sqlite3.SQLITE_DENY

        if guarded:
            raw.set_authorizer(authorise)
        try:
            # Prepared, PostgreSQL takes one statement and no more; SQLite's driver never takes two.
            cursor = raw.execute(statement) if guarded else raw.execute(statement, prepare=True)
            rows = [tuple(row) for row in cursor.fetchmany(limit + 1)]
            columns = tuple(column[0] for column in cursor.description or ())
            cursor.close()
        except (driver.Error, sqlite3.Warning) as error:
            if refused or getattr(error, "sqlstate", None) == "25006":
                raise StoreError(i18n.message("store.sql.read-only")) from None
            raise StoreError(i18n.message("store.sql.failed", problem=sentence(error))) from None
        finally:
            if guarded:
                raw.set_authorizer(None)
    return Answer(columns, rows[:limit], len(rows) > limit)
