"""`awale convert`: files of games from one format to another, one game in memory at a time."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import typer

from awale import i18n
from awale.cli.common import rules_option
from awale.errors import AwaleError
from awale.paths import replacing

if TYPE_CHECKING:
    from awale.errors import NotationError
    from awale.notation import GameRecord

STANDARD = "-"
PROGRESS_INTERVAL = 0.5
"""Seconds between two lines of progress."""


class Form(StrEnum):
    """The formats of game files."""

    ogn = "ogn"
    json = "json"


_BY_EXTENSION = {".ogn": Form.ogn, ".pgn": Form.ogn, ".json": Form.json, ".jsonl": Form.json, ".ndjson": Form.json}


def register(app: typer.Typer) -> None:
    said = i18n.text
    rules_of_the_nameless = rules_option()
    form_of_source: Any = typer.Option(None, "--from", help=said("notation.convert.from"))
    form_of_target: Any = typer.Option(None, "--to", help=said("notation.convert.to"))

    @app.command("convert", help=said("notation.convert.help"))
    def convert(
        source: str = typer.Argument(metavar="IN", help=said("notation.convert.in")),
        target: str = typer.Argument(STANDARD, metavar="OUT", help=said("notation.convert.out")),
        read_as: Form | None = form_of_source,
        write_as: Form | None = form_of_target,
        rules: str = rules_of_the_nameless,
        skip_bad: bool = typer.Option(False, "--skip-bad", help=said("notation.convert.skip-bad")),
        quiet: bool = typer.Option(False, "--quiet", "-q", help=said("notation.convert.quiet")),
    ) -> None:
        other = {Form.ogn: Form.json, Form.json: Form.ogn}
        coming, going = read_as or _form(source), write_as or _form(target)
        coming = coming or (other[going] if going else None)
        going = going or (other[coming] if coming else None)
        if coming is None or going is None:
            raise AwaleError(said("notation.convert.which"))
        work = _Conversion(source, coming, going, rules, skip_bad, quiet)
        work.run(target)
        if work.skipped:
            raise typer.Exit(1)


def _form(name: str) -> Form | None:
    return _BY_EXTENSION.get(Path(name).suffix.lower())


class _Conversion:
    """Convert one file, counting games."""

    def __init__(self, source: str, coming: Form, going: Form, rules: str, skip_bad: bool, quiet: bool) -> None:
        self.source, self.coming, self.going = source, coming, going
        self.name = i18n.text("notation.convert.stdin") if source == STANDARD else source
        self.rules, self.skip_bad = rules, skip_bad
        self.talks = not quiet
        self.skipped = 0
        self.written = 0

    def run(self, target: str) -> None:
        from awale.notation import write_json, write_ogn

        write = write_ogn if self.going is Form.ogn else write_json
        with self._input() as coming, _output(target) as going:
            self.written = write(self._with_progress(coming), going)
        self._summary(target)

    @contextlib.contextmanager
    def _input(self) -> Iterator[IO[bytes]]:
        if self.source == STANDARD:
            yield sys.stdin.buffer
        else:
            with open(self.source, "rb") as file:
                yield file

    def _records(self, file: IO[bytes]) -> Iterator[GameRecord]:
        from awale.notation import read_json, read_ogn
        from awale.rules import load

        on_error = self._skip if self.skip_bad else None
        if self.coming is Form.json:
            return read_json(file, name=self.name, on_error=on_error)
        return read_ogn(file, rules=load(self.rules), name=self.name, on_error=on_error)

    def _skip(self, error: NotationError) -> None:
        self.skipped += 1
        typer.echo(f"awale: {error}", err=True)

    def _with_progress(self, file: IO[bytes]) -> Iterator[GameRecord]:
        """Yield the games, showing progress on a terminal."""
        if not (self.talks and sys.stderr.isatty()):
            yield from self._records(file)
            return
        size = os.fstat(file.fileno()).st_size if self.source != STANDARD else 0
        shown_at = time.monotonic()
        shown = False
        for count, record in enumerate(self._records(file), 1):
            yield record
            if time.monotonic() - shown_at > PROGRESS_INTERVAL:
                shown_at = time.monotonic()
                share = f" ({100 * file.tell() // size} %)" if size else ""
                line = i18n.text("notation.convert.progress", count=i18n.number(count)) + share
                typer.echo(f"\r{line}\x1b[K", err=True, nl=False)
                shown = True
        if shown:
            typer.echo("\r\x1b[K", err=True, nl=False)

    def _summary(self, target: str) -> None:
        if self.talks and target != STANDARD:
            counted = {"count": i18n.number(self.written), "skipped": i18n.number(self.skipped)}
            key = "notation.convert.done-skipped" if self.skipped else "notation.convert.done"
            typer.echo(i18n.text(key, target=target, **counted), err=True)


@contextlib.contextmanager
def _output(target: str) -> Iterator[IO[str]]:
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
