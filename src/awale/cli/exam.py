"""`awale exam`: template and checker for the examination's functions, and its sample database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from awale.cli import common
from awale.errors import AwaleError
from awale.i18n import system_problem, text


def register(app: typer.Typer) -> None:
    option = common.options("exam.option")
    group = common.group(app, "exam")
    only_these = option(None, "--only", metavar="NAME")

    @group.command("template", help=text("exam.help.template"))
    def template(
        file: Path | None = typer.Argument(None, metavar="FILE", help=text("exam.option.out"), show_default=False),
        solved: bool = option(False, "--solved"),
    ) -> None:
        from awale.classroom import exam

        written = exam.solved_template() if solved else exam.template()
        if file is None:
            typer.echo(written, nl=False)
            return
        try:
            with file.open("x", encoding="utf-8") as out:
                out.write(written)
        except FileExistsError:
            raise AwaleError(text("exam.refused.exists", file=file)) from None
        except OSError as error:
            raise AwaleError(text("exam.refused.unwritable", file=file, problem=system_problem(error))) from None
        typer.echo(text("exam.report.written", file=file), err=True)

    @group.command("check", help=text("exam.help.check"))
    def check(
        file: Path = typer.Argument(metavar="FILE", help=text("exam.option.file")),
        only: list[str] | None = only_these,
        cases: int = option(240, "--cases", metavar="N", min=1, max=5000),
        seed: int = option(1, "--seed", metavar="N"),
        seconds: float = option(5.0, "--seconds", metavar="N", min=0.1, max=600),
        memory: int = option(1000, "--memory", metavar="MB", min=100),
        json: bool = common.json_option(),
    ) -> None:
        from awale.classroom import exam
        from awale.classroom.exam import report

        for name in only or ():
            if name not in exam.FUNCTIONS:
                raise AwaleError(text("exam.refused.function", name=name[:40], known=", ".join(exam.FUNCTIONS)))
        right = tried = 0
        found: list[dict[str, Any]] = []
        verdicts = exam.check_file(
            file, count=cases, seed=seed, seconds=seconds, megabytes=memory, functions=tuple(only or ())
        )
        for verdict in verdicts:
            tried += 1
            right += verdict.status == "right"
            found.append(report.as_dict(verdict))
            if not json:
                typer.echo("\n".join(report.lines(verdict)))
        if json:
            common.print_json(found)
        else:
            typer.echo(text("exam.report.total", right=right, all=tried))
        if right < tried:
            raise typer.Exit(1)

    @group.command("database", help=text("exam.help.database"))
    def database(
        name: str = typer.Argument(metavar="FILE", help=text("exam.option.database")),
        seed: int = option(1, "--seed", metavar="N"),
    ) -> None:
        from awale.classroom.exam.sample import fill
        from awale.cli.sql import database_url
        from awale.cli.store import opened

        with opened(database_url(name)) as store:
            players, games = fill(store, seed)
        typer.echo(text("store.sql.sample", players=players, games=games, url=name), err=True)
