"""Progress of long commands on standard error."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator

import typer

from awale.i18n import text


class ProgressLine:
    """A line that is rewritten in a terminal, and printed every `interval` seconds elsewhere (never by default)."""

    def __init__(self, interval: float = float("inf")) -> None:
        self._live = sys.stderr.isatty()
        self._interval = 0.2 if self._live else interval
        self._last = 0.0 if self._live else time.monotonic()
        self._width = 0

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *failure: object) -> None:
        self.end()

    def due(self) -> bool:
        return time.monotonic() - self._last >= self._interval

    def tell(self, key: str, **values: object) -> None:
        """Show a sentence of the catalogue, if it is time for one."""
        if self.due():
            self.show(text(key, **values))

    def show(self, line: str) -> None:
        self._last = time.monotonic()
        if not self._live:
            typer.echo(line, err=True)
            return
        with contextlib.suppress(OSError):
            line = line[: os.get_terminal_size(sys.stderr.fileno()).columns - 1]
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def end(self) -> None:
        """Erase the line."""
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0


@contextlib.contextmanager
def if_interrupted(key: str, **values: object) -> Iterator[None]:
    """Say a sentence of the catalogue if Ctrl-C ends the block."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(text(key, **values), err=True)
        raise
