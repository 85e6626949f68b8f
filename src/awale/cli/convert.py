"""`awale convert`: files of games from one format to another, one game in memory at a time."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING

import typer

from awale.cli import common
from awale.cli.progress import ProgressLine
from awale.errors import AwaleError
from awale.i18n import number, text
from awale.paths import replacing

if TYPE_CHECKING:
    from awale.errors import NotationError
    from awale.notation import GameRecord
    from awale.rules import Rules

STANDARD = "-"


class Form(StrEnum):
    """The formats of game files."""

    ogn = "ogn"
    json = "json"


_BY_EXTENSION = {".ogn": Form.ogn, ".pgn": Form.ogn, ".json": Form.json, ".jsonl": Form.json, ".ndjson": Form.json}


def register(app: typer.Typer) -> None:
    option = common.options("notation.convert")

    @app.command("convert", help=text("notation.convert.help"))
    def convert(
        source: str = typer.Argument(metavar="IN", help=text("notation.convert.in")),
        target: str = typer.Argument(STANDARD, metavar="OUT", help=text("notation.convert.out")),
        read_as: Form | None = typer.Option(None, "--from", help=text("notation.convert.from")),
        write_as: Form | None = typer.Option(None, "--to", help=text("notation.convert.to")),
        rules: str = common.rules_option(),
        skip_bad: bool = option(False, "--skip-bad"),
        quiet: bool = option(False, "--quiet", "-q"),
    ) -> None:
        other = {Form.ogn: Form.json, Form.json: Form.ogn}
        coming, going = read_as or form_of(source), write_as or form_of(target)
        coming = coming or (other[going] if going else None)
        going = going or (other[coming] if coming else None)
        if coming is None or going is None:
            raise AwaleError(text("notation.convert.which"))
        skipped = _convert(source, coming, target, going, rules, skip_bad, quiet)
        if skipped:
            raise typer.Exit(1)


def form_of(name: str) -> Form | None:
    """Return the format that a file's name tells."""
    return _BY_EXTENSION.get(Path(name).suffix.lower())


class Skipped:
    """Counts and reports the games that cannot be read."""

    count = 0

    def __call__(self, error: NotationError) -> None:
        self.count += 1
        typer.echo(f"awale: {error}", err=True)


def read_games(
    file: IO[bytes], form: Form, rules: Rules, name: str, on_error: Callable[[NotationError], None] | None
) -> Iterator[GameRecord]:
    """Yield the games of a file."""
    from awale.notation import read_json, read_ogn

    if form is Form.json:
        return read_json(file, name=name, on_error=on_error)
    return read_ogn(file, rules=rules, name=name, on_error=on_error)


def write_games(games: Iterable[GameRecord], form: Form, target: str) -> int:
    """Write games to a file or to standard output; return how many."""
    from awale.notation import write_json, write_ogn

    with output(target) as out:
        return (write_ogn if form is Form.ogn else write_json)(games, out)


def _convert(source: str, coming: Form, target: str, going: Form, rules: str, skip_bad: bool, quiet: bool) -> int:
    """Convert one file; return how many games were left out."""
    from awale.rules import load

    name = text("notation.convert.stdin") if source == STANDARD else source
    skipped = Skipped()
    with contextlib.nullcontext(sys.stdin.buffer) if source == STANDARD else open(source, "rb") as file:
        games = read_games(file, coming, load(rules), name, skipped if skip_bad else None)
        size = os.fstat(file.fileno()).st_size if source != STANDARD else 0
        written = write_games(games if quiet else _with_progress(games, file, size), going, target)
    if not quiet and target != STANDARD:
        counted = {"count": number(written), "skipped": number(skipped.count)}
        key = "notation.convert.done-skipped" if skipped.count else "notation.convert.done"
        typer.echo(text(key, target=target, **counted), err=True)
    return skipped.count


def _with_progress(games: Iterable[GameRecord], file: IO[bytes], size: int) -> Iterator[GameRecord]:
    """Yield the games, showing progress on a terminal."""
    with ProgressLine() as line:
        for count, record in enumerate(games, 1):
            yield record
            if line.due():
                share = f" ({100 * file.tell() // size} %)" if size else ""
                line.show(text("notation.convert.progress", count=number(count)) + share)


@contextlib.contextmanager
def output(target: str) -> Iterator[IO[str]]:
    """Open the target. A file appears only when complete: bad input leaves an older one unchanged."""
    if target == STANDARD:
        # UTF-8 whatever the console's encoding: the same bytes as in a file.
        sys.stdout.flush()
        out = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="\n")
        try:
            yield out
            out.flush()
        finally:
            with contextlib.suppress(OSError):
                out.detach()
        return
    path = Path(target)
    if path.exists() and not path.is_file():  # a pipe or a device
        with path.open("w", encoding="utf-8", newline="\n") as file:
            yield file
        return
    with replacing(path) as growing, growing.open("w", encoding="utf-8", newline="\n") as file:
        yield file
