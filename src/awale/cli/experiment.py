"""`awale experiment`: depth, ordering, adaptive depth, the first move; with plots and a page to hand in."""

from __future__ import annotations

import re
import shlex
import sys
from typing import Any

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine
from awale.i18n import text


def _option(default: Any, name: str, key: str, **more: Any) -> Any:
    return typer.Option(default, name, help=text(f"experiment.option.{key}"), **more)


def register(app: typer.Typer) -> None:
    @app.command("experiment", help=text("cli.command.experiment"))
    def experiment(
        what: str = typer.Argument(
            metavar=text("cli.metavar.what"), help=text("experiment.option.what"), show_default=False
        ),
        rules: str = common.rules_option(),
        evaluation: str | None = _option(None, "--eval", "eval", metavar="E"),
        games: int | None = _option(None, "--games", "games", metavar="N", min=1),
        depth: str = _option("", "--depth", "depth", metavar="N,N,..."),
        plies: int = _option(4, "--plies", "plies", metavar="N", min=0),
        seed: int = _option(1, "--seed", "seed", metavar="N"),
        concurrency: int | None = _option(None, "--concurrency", "concurrency", metavar="N", min=0, max=1024),
        out: str | None = _option(None, "--out", "out", metavar=text("cli.metavar.folder")),
        fresh: bool = _option(False, "--fresh", "fresh"),
        json: bool = common.json_option(),
    ) -> None:
        from awale.classroom import experiment_page
        from awale.classroom.experiments import KINDS, ExperimentError, Question, run

        kind = what.strip().lower()
        if kind not in KINDS:
            raise ExperimentError(text("experiment.bad.what", what=what[:40], known=", ".join(KINDS)))
        depths = depth.strip()
        if depths and not re.fullmatch(r"[0-9]{1,3}(?:\s*,\s*[0-9]{1,3})*", depths):
            raise ExperimentError(text("experiment.bad.depths", depths=depth[:40]))
        question = Question(
            kind,
            rules,
            evaluation,
            games,
            tuple(sorted({int(number) for number in depths.split(",")})) if depths else (),
            seed,
            plies,
        )
        progress = ProgressLine(15.0)
        key = "depth" if kind in ("depth", "ordering") else "games"

        def tell(what: str, done: int, total: int) -> None:
            if progress.due():
                progress.show(text(f"experiment.progress.{key}", what=what, done=done, total=total))

        try:
            result = run(question, folder=out, fresh=fresh, concurrency=concurrency, tell=tell)
        except KeyboardInterrupt:
            progress.end()
            stopped = "stopped-bare" if out is None else "stopped"
            typer.echo(text(f"experiment.progress.{stopped}", folder=out), err=True)
            raise
        progress.end()
        # The result first: a file that cannot be written must not lose the games.
        if json:
            common.print_json(result.as_data())
        else:
            typer.echo(experiment_page.plain(result))
        if out is not None:
            command = shlex.join(["awale", *sys.argv[1:]])
            made = experiment_page.save(result, out, command)
            typer.echo(text("experiment.progress.written", files=", ".join(map(str, made))), err=True)
