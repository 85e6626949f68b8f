"""What the commands of all modules share: options and output.

A module is a file of this folder with `register(app)`. It imports only typer and the texts at the top, and defines its
commands inside `register`, so that `help=` is in the language of the command line:

    def register(app: typer.Typer) -> None:
        rules_by_name = rules_option()

        @app.command("show", help=text("cli.command.show"))
        def show(rules: str = rules_by_name) -> None: ...
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import IO, TYPE_CHECKING, Any, get_type_hints

import typer

from awale.errors import AwaleError
from awale.i18n import system_problem, text

if TYPE_CHECKING:
    from awale.game import Game


def complete_rules(incomplete: str) -> list[tuple[str, str]]:
    """Return the names of rules for shell completion, with their titles."""
    from awale import i18n
    from awale.rules import presets

    language = i18n.language()
    found = [(rules.name, rules.title.get(language, "")) for rules in presets.all_rules()]
    return [item for item in found if item[0].startswith(incomplete.lower())]


def group(app: typer.Typer, name: str, help_key: str = "") -> typer.Typer:
    """Add a command with subcommands."""
    added = typer.Typer(help=text(help_key or f"cli.command.{name}"), no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(added, name=name)
    return added


def options(section: str) -> Callable[..., Any]:
    """Return a function that makes options with the help of a section; its key is the option's name unless given."""

    def option(default: Any, *names: str, key: str = "", **more: Any) -> Any:
        found = key or names[0].partition("/")[0].removeprefix("--")
        return typer.Option(default, *names, help=text(f"{section}.{found}"), **more)

    return option


def later(make: Callable[..., Any], *given: Any, **more: Any) -> Any:
    """Return the field of a dataclass for `shared_options`: an option that is made with the command."""
    return dataclasses.field(metadata={"option": partial(make, *given, **more)})


def shared_options(shared: type[Any], **after: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of a dataclass, in the place of its parameter of that type.

    `after` names own options of the command that the help shows after one of the shared ones.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        own = inspect.signature(command).parameters
        fields = dataclasses.fields(shared)
        hints = get_type_hints(command)
        place = next(name for name in own if hints[name] is shared)
        hints |= get_type_hints(shared)
        defaults = {name: one.default for name, one in own.items()}
        names = [name for name in own if name not in after]
        for field in reversed(fields):
            defaults[field.name] = field.metadata["option"]()
            following = [name for name, named in after.items() if named == field.name]
            at = names.index(place) + 1
            names[at:at] = [field.name, *following]
        names.remove(place)

        def run(**given: Any) -> None:
            command(**{place: shared(**{field.name: given.pop(field.name) for field in fields})}, **given)

        parameters = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation=hints[name])
            for name in names
        ]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {name: hints[name] for name in names}
        return run

    return decorate


def rules_option(default: str | None = "abapa", help_key: str = "cli.option.rules") -> Any:
    """Return `--rules`: a name, a variant such as `ghana:pits=3`, or a file of village rules."""
    return typer.Option(default, "--rules", "-r", metavar="RULES", help=text(help_key), autocompletion=complete_rules)


def position_argument(help_key: str = "cli.option.position") -> Any:
    """Return the position as a positional argument."""
    return typer.Argument("startpos", metavar="POSITION", help=text(help_key), show_default=False)


def position_option() -> Any:
    """Return the position as an option, equivalent to the argument."""
    return options("cli.option")(None, "--position", "-p", key="same-position", metavar="POSITION", show_default=False)


def one_position(argument: str, option: str | None) -> str | None:
    """Return the position given in one of the two ways; None for the usual start."""
    if option is not None and argument != "startpos":
        raise AwaleError(text("cli.usage.two-positions"))
    chosen = argument if option is None else option
    return None if chosen == "startpos" else chosen


def game(rules: str, argument: str, option: str | None, moves: str = "") -> Game:
    """Return the game that a command line describes."""
    from awale.game import Game
    from awale.rules import load

    return Game(load(rules), start=one_position(argument, option), moves=moves)


def database_option() -> Any:
    """Return `--database`."""
    return options("store.option")(None, "--database", metavar="URL")


def json_option() -> Any:
    """Return `--json`."""
    return typer.Option(False, "--json", help=text("cli.option.json"))


def print_json(data: object) -> None:
    """Print one JSON value on standard output."""
    typer.echo(json.dumps(data, ensure_ascii=False, indent=2))


def print_columns(rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def markdown_table(headings: Sequence[str], rows: Iterable[Sequence[object]], rule: str = "---") -> str:
    """Return a table in Markdown; `rule` aligns the columns."""
    lines = (f"| {' | '.join(map(str, row))} |" for row in (headings, *rows))
    return "\n".join((next(lines), f"|{rule}" * len(headings) + "|", *lines))


def write_file(path: str | os.PathLike[str], content: str) -> None:
    """Write a text file; `-` is standard output."""
    if str(path) == "-":
        typer.echo(content, nl=False)
        return
    try:
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(content)
    except OSError as error:
        raise AwaleError(text("cli.usage.unwritable", path=path, error=system_problem(error))) from None


def check_writable(file: str | os.PathLike[str]) -> None:
    """Raise `OSError` unless a file can be written; leave things as they were."""
    existed = os.path.lexists(file)
    with open(file, "ab"):
        pass
    if not existed:
        os.unlink(file)


def can_draw_lines(stream: IO[str] | None = None, characters: str = "│┼·‹›") -> bool:
    """Return whether a stream's encoding has box-drawing characters."""
    stream = sys.stdout if stream is None else stream
    try:
        characters.encode(getattr(stream, "encoding", None) or "ascii")
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
