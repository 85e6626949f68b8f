"""`awale opponents`: every program that can play, one per line."""

from __future__ import annotations

import typer

from awale.cli import common
from awale.i18n import LANGUAGES, text


def register(app: typer.Typer) -> None:

    @app.command("opponents", help=text("cli.command.opponents"))
    def opponents(rules: str | None = common.rules_option(None), json: bool = common.json_option()) -> None:
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
        common.print_columns([(str(spec), spec.title(), spec.description()) for spec in found])
