"""`awale exam`: template and checker for the examination's functions, and its sample database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from awale.cli import common
from awale.errors import AwaleError
from awale.i18n import system_problem, text


def register(app: typer.Typer) -> None:
    group = typer.Typer(help=text("cli.command.exam"), no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(group, name="exam")

    metavar = text("cli.metavar.file")
    out_file = typer.Argument(None, metavar=metavar, help=text("exam.option.out"), show_default=False)
    pupil_file = typer.Argument(metavar=metavar, help=text("exam.option.file"))
    only_these = typer.Option(None, "--only", metavar="NAME", help=text("exam.option.only"))

    @group.command("template", help=text("exam.help.template"))
    def template(
        file: Path | None = out_file,
        solved: bool = typer.Option(False, "--solved", help=text("exam.option.solved")),
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
        file: Path = pupil_file,
        only: list[str] | None = only_these,
        cases: int = typer.Option(240, "--cases", metavar="N", min=1, max=5000, help=text("exam.option.cases")),
        seed: int = typer.Option(1, "--seed", metavar="N", help=text("exam.option.seed")),
        seconds: float = typer.Option(
            5.0, "--seconds", metavar="N", min=0.1, max=600, help=text("exam.option.seconds")
        ),
        memory: int = typer.Option(1000, "--memory", metavar="MB", min=100, help=text("exam.option.memory")),
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
        name: str = typer.Argument(metavar=text("cli.metavar.file"), help=text("exam.option.database")),
        seed: int = typer.Option(1, "--seed", metavar="N", help=text("exam.option.seed")),
    ) -> None:
        from awale.classroom.exam.sample import fill
        from awale.cli.sql import database_url
        from awale.store import Store

        url = database_url(name)
        store = Store(url)
        try:
            players, games = fill(store, seed)
        finally:
            store.close()
        typer.echo(text("store.sql.sample", players=players, games=games, url=name), err=True)
