"""What the commands of all modules share: options and output.

A module is a file of this folder with `register(app)`. It imports only typer and the texts at the top, and defines its
commands inside `register`, so that `help=` is in the language of the command line:

    def register(app: typer.Typer) -> None:
        rules_by_name = rules_option()

        @app.command("show", help=text("cli.command.show"))
        def show(rules: str = rules_by_name) -> None: ...
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import IO, Any

import typer

from awale.i18n import text


def complete_rules(incomplete: str) -> list[tuple[str, str]]:
    """Return the names of rules for shell completion, with their titles."""
    from awale import i18n
    from awale.rules import presets

    language = i18n.language()
    found = [(rules.name, rules.title.get(language, "")) for rules in presets.all_rules()]
    return [item for item in found if item[0].startswith(incomplete.lower())]


def rules_option(default: str | None = "abapa") -> Any:
    """Return `--rules`: a name, a variant such as `ghana:pits=3`, or a file of village rules."""
    return typer.Option(
        default,
        "--rules",
        "-r",
        metavar=text("cli.metavar.rules"),
        help=text("cli.option.rules"),
        autocompletion=complete_rules,
    )


def rules_filter(sentence: str) -> Any:
    """Return `--rules` as an optional filter."""
    return typer.Option(
        None, "--rules", "-r", metavar=text("cli.metavar.rules"), help=sentence, autocompletion=complete_rules
    )


def position_argument(sentence: str) -> Any:
    """Return the position as a positional argument."""
    return typer.Argument("startpos", metavar="POSITION", help=sentence, show_default=False)


def position_option() -> Any:
    """Return the position as an option, equivalent to the argument."""
    return typer.Option(
        None, "--position", "-p", metavar="POSITION", help=text("cli.option.same-position"), show_default=False
    )


def one_position(argument: str, option: str | None) -> str | None:
    """Return the position given in one of the two ways; None for the usual start."""
    from awale.errors import AwaleError

    if option is not None and argument != "startpos":
        raise AwaleError(text("cli.usage.two-positions"))
    chosen = argument if option is None else option
    return None if chosen == "startpos" else chosen


def json_option() -> Any:
    """Return `--json`."""
    return typer.Option(False, "--json", help=text("cli.option.json"))


def print_json(data: object) -> None:
    """Print one JSON value on standard output."""
    typer.echo(json.dumps(data, ensure_ascii=False, indent=2))


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows below their headings, in columns."""
    table = [list(headings), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def check_writable(file: str | os.PathLike[str]) -> None:
    """Raise `OSError` unless a file can be written; leave things as they were."""
    existed = os.path.lexists(file)
    with open(file, "ab"):
        pass
    if not existed:
        os.unlink(file)


def can_draw_lines(stream: IO[str] | None = None) -> bool:
    """Return whether a stream's encoding has box-drawing characters."""
    stream = sys.stdout if stream is None else stream
    try:
        "│┼·‹›".encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def wants_colour(stream: IO[str] | None = None) -> bool:
    """Return whether to use colours: a terminal, and not disabled (https://no-color.org)."""
    stream = sys.stdout if stream is None else stream
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def wrap(paragraph: str, width: int = 80, indent: str = "") -> str:
    """Wrap a paragraph for a terminal; no line starts with the colon or question mark that French sets apart."""
    import re
    import textwrap

    glued = re.sub(r" (?=[:;?!»])|(?<=«) ", "\N{NO-BREAK SPACE}", paragraph)
    folded = textwrap.fill(glued, width, initial_indent=indent, subsequent_indent=indent, break_long_words=False)
    return folded.replace("\N{NO-BREAK SPACE}", " ")
