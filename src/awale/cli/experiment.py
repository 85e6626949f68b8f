"""`awale experiment`: depth, ordering, adaptive depth, the first move; with plots and a page to hand in."""

from __future__ import annotations

import re
import shlex
import sys

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine, if_interrupted
from awale.i18n import text

_option = common.options("experiment.option")


def register(app: typer.Typer) -> None:
    @app.command("experiment", help=text("cli.command.experiment"))
    def experiment(
        what: str = typer.Argument(metavar="WHAT", help=text("experiment.option.what"), show_default=False),
        rules: str = common.rules_option(),
        evaluation: str | None = _option(None, "--eval", metavar="E"),
        games: int | None = _option(None, "--games", metavar="N", min=1),
        depth: str = _option("", "--depth", metavar="N,N,..."),
        plies: int = _option(4, "--plies", metavar="N", min=0),
        seed: int = _option(1, "--seed", metavar="N"),
        concurrency: int | None = _option(None, "--concurrency", metavar="N", min=0, max=1024),
        out: str | None = _option(None, "--out", metavar="FOLDER"),
        fresh: bool = _option(False, "--fresh"),
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
        wanted = tuple(sorted({int(number) for number in depths.split(",")})) if depths else ()
        question = Question(kind, rules, evaluation, games, wanted, seed, plies)
        key = "depth" if kind in ("depth", "ordering") else "games"
        stopped = "stopped-bare" if out is None else "stopped"
        with if_interrupted(f"experiment.progress.{stopped}", folder=out), ProgressLine(15.0) as progress:

            def tell(what: str, done: int, total: int) -> None:
                progress.tell(f"experiment.progress.{key}", what=what, done=done, total=total)

            result = run(question, folder=out, fresh=fresh, concurrency=concurrency, tell=tell)
        # The result first: a file that cannot be written must not lose the games.
        if json:
            common.print_json(result.as_data())
        else:
            typer.echo(experiment_page.plain(result))
        if out is not None:
            command = shlex.join(["awale", *sys.argv[1:]])
            made = experiment_page.save(result, out, command)
            typer.echo(text("experiment.progress.written", files=", ".join(map(str, made))), err=True)
