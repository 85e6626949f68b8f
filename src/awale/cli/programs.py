"""`awale opponents`: every program that can play, one per line."""

from __future__ import annotations

import typer

from awale.cli import common
from awale.i18n import LANGUAGES, text


def register(app: typer.Typer) -> None:
    rules_by_name = common.rules_option(None)
    as_json = common.json_option()

    @app.command("opponents", help=text("cli.command.opponents"))
    def opponents(rules: str | None = rules_by_name, json: bool = as_json) -> None:
        from awale.players.spec import listed
        from awale.rules import presets

        found = listed(None if rules is None else presets.load(rules))
        if json:
            common.print_json(
                [
                    {
                        "name": str(spec),
                        "kind": spec.kind,
                        "title": {lang: spec.title(lang) for lang in LANGUAGES},
                        "description": {lang: spec.description(lang) for lang in LANGUAGES},
                        "remote": spec.remote_allowed,
                    }
                    for spec in found
                ]
            )
            return
        rows = [(str(spec), spec.title(), spec.description()) for spec in found]
        widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
        for name, title, about in rows:
            typer.echo(f"{name:{widths[0]}}  {title:{widths[1]}}  {about}")
