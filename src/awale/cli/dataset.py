"""`awale dataset`: positions with exact values as Parquet files."""

from __future__ import annotations

from pathlib import Path

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine
from awale.i18n import number, text

LOG_INTERVAL = 10.0
"""Seconds between two lines of progress, where standard error is not a terminal."""


def register(app: typer.Typer) -> None:
    group = typer.Typer(help=text("dataset.help.group"), no_args_is_help=True)
    folder = text("cli.metavar.folder")
    to_folder = typer.Option(..., "--out", metavar=folder, help=text("dataset.option.out"))
    of_tables = typer.Option(None, "--dir", metavar=folder, help=text("dataset.option.tables"))

    @group.command("make", help=text("dataset.help.make"))
    def make(
        rules: str = common.rules_option(),
        seeds: int = typer.Option(12, "--seeds", "-s", metavar="N", min=1, help=text("dataset.option.seeds")),
        positions: int = typer.Option(None, "--positions", metavar="N", min=1, help=text("dataset.option.positions")),
        seed: int = typer.Option(1, "--seed", metavar="N", min=0, help=text("dataset.option.seed")),
        out: Path = to_folder,
        tables: Path = of_tables,
        json: bool = common.json_option(),
    ) -> None:
        _make(rules, out, seeds, positions, seed, tables, json)

    app.add_typer(group, name="dataset")


def _make(rules: str, out: Path, seeds: int, positions: int | None, seed: int, tables: Path | None, json: bool) -> None:
    from awale.cli.tables import build_shown
    from awale.envs import dataset
    from awale.rules import presets

    system = presets.load(rules)
    line = ProgressLine(LOG_INTERVAL)

    def show(done: int, total: int) -> None:
        if line.due():
            line.show(text("dataset.progress", done=number(done), total=number(total)))

    dataset.check(system, out, seeds=seeds, positions=positions, seed=seed)
    build_shown(system, seeds, tables)
    try:
        made = dataset.make(system, out, seeds=seeds, positions=positions, seed=seed, tables=tables, progress=show)
    except KeyboardInterrupt:
        line.end()
        typer.echo(text("analyse.annotate.interrupted", file=out), err=True)
        raise
    line.end()
    if json:
        layers = [layer._asdict() for layer in made.layers]
        common.print_json({"rules": system.name, "folder": str(out), "rows": made.rows, "layers": layers})
    else:
        typer.echo(text("dataset.made", rows=number(made.rows), path=out), err=True)
