"""`awale worksheet`: exercises to print."""

from __future__ import annotations

from pathlib import Path

import typer

from awale.cli import common
from awale.errors import AwaleError
from awale.i18n import text


def register(app: typer.Typer) -> None:
    option = common.options("worksheet.option")

    @app.command("worksheet", help=text("cli.command.worksheet"))
    def worksheet(
        file: Path | None = typer.Argument(None, metavar="FILE", help=text("worksheet.option.out"), show_default=False),
        rules: str = common.rules_option(),
        questions: int = option(8, "--questions", metavar="N", min=1, max=40),
        seed: int = option(1, "--seed", metavar="N"),
    ) -> None:
        from awale.classroom.worksheet import page
        from awale.rules import presets

        written = page(presets.load(rules), questions, seed)
        if file is None:
            typer.echo(written, nl=False)
            return
        try:
            file.write_text(written, encoding="utf-8")
        except OSError as error:
            raise AwaleError(text("exam.refused.unwritable", file=file, problem=error.strerror or error)) from None
        typer.echo(text("exam.report.written", file=file), err=True)
