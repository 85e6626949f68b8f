"""What the commands of all modules share: the options, and how results are printed.

A module is a file of this folder with `register(app)`. It imports only typer and the texts at the top, and defines its
commands inside `register`, so that `help=` is read in the language chosen on the command line:

    def register(app: typer.Typer) -> None:
        rules_by_name = rules_option()

        @app.command("show", help=text("cli.command.show"))
        def show(rules: str = rules_by_name) -> None: ...
"""

from __future__ import annotations

import json
import os
import sys
from typing import IO, Any

import typer

from awale.i18n import text


def complete_rules(incomplete: str) -> list[tuple[str, str]]:
    """Names of rules for the shell, with their titles."""
    from awale import i18n
    from awale.rules import presets

    language = i18n.language()
    found = [(rules.name, rules.title.get(language, "")) for rules in presets.all_rules()]
    return [item for item in found if item[0].startswith(incomplete.lower())]


def rules_option(default: str | None = "abapa") -> Any:
    """`--rules`: a name, a variant such as `ghana:pits=3`, or a file of village rules."""
    return typer.Option(
        default,
        "--rules",
        "-r",
        metavar=text("cli.metavar.rules"),
        help=text("cli.option.rules"),
        autocompletion=complete_rules,
    )


def rules_filter(sentence: str) -> Any:
    """`--rules` where none are needed: everything is looked at unless one is named."""
    return typer.Option(
        None, "--rules", "-r", metavar=text("cli.metavar.rules"), help=sentence, autocompletion=complete_rules
    )


def position_argument(sentence: str) -> Any:
    """A position, as the first word after the command."""
    return typer.Argument("startpos", metavar="POSITION", help=sentence, show_default=False)


def position_option() -> Any:
    """The same position by name: whoever guesses either spelling is right."""
    return typer.Option(
        None, "--position", "-p", metavar="POSITION", help=text("cli.option.same-position"), show_default=False
    )


def one_position(argument: str, option: str | None) -> str | None:
    """The position that was asked for in one of the two ways; None for the usual start."""
    from awale.errors import AwaleError

    if option is not None and argument != "startpos":
        raise AwaleError(text("cli.usage.two-positions"))
    chosen = argument if option is None else option
    return None if chosen == "startpos" else chosen


def json_option() -> Any:
    """`--json`: for programs."""
    return typer.Option(False, "--json", help=text("cli.option.json"))


def print_json(data: object) -> None:
    """One JSON value on standard output."""
    typer.echo(json.dumps(data, ensure_ascii=False, indent=2))


def can_draw_lines(stream: IO[str] | None = None) -> bool:
    """Whether a stream's encoding has the characters that boards are ruled with."""
    stream = sys.stdout if stream is None else stream
    try:
        "│┼·‹›".encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def wants_colour(stream: IO[str] | None = None) -> bool:
    """Whether colours are welcome: a terminal, and nobody said no (https://no-color.org)."""
    stream = sys.stdout if stream is None else stream
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def wrap(paragraph: str, width: int = 80, indent: str = "") -> str:
    """A paragraph folded for a terminal; no line starts with the colon or question mark that French sets apart."""
    import re
    import textwrap

    glued = re.sub(r" (?=[:;?!»])|(?<=«) ", "\N{NO-BREAK SPACE}", paragraph)
    folded = textwrap.fill(glued, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False)
    return folded.replace("\N{NO-BREAK SPACE}", " ")
