"""`awale sql`: one SELECT on the database."""

from __future__ import annotations

import csv as csv_module
import datetime
import decimal
import sys
from typing import Any

import typer

from awale.cli import common
from awale.i18n import number, text


def database_url(name: str | None) -> str | None:
    """Return a database's URL; a name without `://` is a SQLite file."""
    return name if name is None or "://" in name else f"sqlite:///{name}"


def register(app: typer.Typer) -> None:
    option = common.options("store.option")

    @app.command("sql", help=text("cli.command.sql"))
    def sql(
        query: str = typer.Argument(metavar="SELECT", help=text("store.option.query")),
        limit: int = option(1000, "--limit", metavar="N", min=1),
        csv: bool = option(False, "--csv"),
        database: str | None = option(None, "--database", key="sql-database", metavar="URL"),
        json: bool = common.json_option(),
    ) -> None:
        from awale.cli.store import opened
        from awale.store import queries

        queries.check(query)
        with opened(database_url(database), read_only=True) as store:
            answer = queries.run(store, query, limit=limit)
        rows = [[_plain(value) for value in row] for row in answer.rows]
        if json:
            common.print_json([dict(zip(answer.columns, row, strict=True)) for row in rows])
        elif csv:
            writer = csv_module.writer(sys.stdout, lineterminator="\n")
            writer.writerows([answer.columns, *rows])
        else:
            _table(answer.columns, rows)
        if answer.more:
            typer.echo(text("store.sql.more", limit=number(limit)), err=True)


def _plain(value: Any) -> Any:
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value.isoformat() if isinstance(value, datetime.date) else value


def _table(columns: tuple[str, ...], rows: list[list[Any]]) -> None:
    """Print aligned columns, numbers to the right."""
    shown = [["" if value is None else str(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(columns, *shown, strict=True)]
    right = [all(isinstance(row[i], int | float | None) for row in rows) and bool(rows) for i in range(len(columns))]
    rule = ["-" * width for width in widths]
    for line in ([*columns], rule, *shown):
        cells = (
            cell.rjust(width) if number_ else cell.ljust(width)
            for cell, width, number_ in zip(line, widths, right, strict=True)
        )
        typer.echo("  ".join(cells).rstrip())
