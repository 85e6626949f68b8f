"""`awale dataset`: positions with exact values as Parquet files."""

from __future__ import annotations

from pathlib import Path

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine, if_interrupted
from awale.i18n import number, text

LOG_INTERVAL = 10.0
"""Seconds between two lines of progress, where standard error is not a terminal."""


def register(app: typer.Typer) -> None:
    option = common.options("dataset.option")
    to_folder = option(..., "--out", metavar="FOLDER")
    of_tables = option(None, "--dir", key="tables", metavar="FOLDER")

    @common.group(app, "dataset", "dataset.help.group").command("make", help=text("dataset.help.make"))
    def make(
        rules: str = common.rules_option(),
        seeds: int = option(12, "--seeds", "-s", metavar="N", min=1),
        positions: int = option(None, "--positions", metavar="N", min=1),
        seed: int = option(1, "--seed", metavar="N", min=0),
        out: Path = to_folder,
        tables: Path = of_tables,
        json: bool = common.json_option(),
    ) -> None:
        from awale.cli.tables import build_shown
        from awale.envs import dataset
        from awale.rules import presets

        system = presets.load(rules)
        dataset.check(system, out, seeds=seeds, positions=positions, seed=seed)
        build_shown(system, seeds, tables)
        with if_interrupted("analyse.annotate.interrupted", file=out), ProgressLine(LOG_INTERVAL) as line:

            def show(done: int, total: int) -> None:
                line.tell("dataset.progress", done=number(done), total=number(total))

            made = dataset.make(system, out, seeds=seeds, positions=positions, seed=seed, tables=tables, progress=show)
        if json:
            layers = [layer._asdict() for layer in made.layers]
            common.print_json({"rules": system.name, "folder": str(out), "rows": made.rows, "layers": layers})
        else:
            typer.echo(text("dataset.made", rows=number(made.rows), path=out), err=True)
