"""Progress of long commands on standard error."""

from __future__ import annotations

import contextlib
import os
import sys
import time

import typer


class ProgressLine:
    """A line that is rewritten in a terminal, and printed every `interval` seconds elsewhere (never by default)."""

    def __init__(self, interval: float = float("inf")) -> None:
        self._live = sys.stderr.isatty()
        self._interval = 0.2 if self._live else interval
        self._last = 0.0 if self._live else time.monotonic()
        self._width = 0

    def due(self) -> bool:
        return time.monotonic() - self._last >= self._interval

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
