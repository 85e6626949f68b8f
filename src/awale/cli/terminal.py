"""Line-based input and output, in a terminal or through pipes."""

from __future__ import annotations

import contextlib
import importlib
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator

from awale.cli import common

SKIP_KEYS = frozenset(" \r\n")


class TimeIsUp(Exception):
    """Nothing was typed in time."""


@contextlib.contextmanager
def _within(seconds: float | None) -> Iterator[None]:
    """Raise `TimeIsUp` after so many seconds. On systems without alarms (Windows) the caller checks afterwards."""
    alarms = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if seconds is None or not alarms:
        yield
        return

    def ring(*_: object) -> None:
        raise TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(0.001, seconds + 0.01))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Terminal:
    """Standard input and output, and their capabilities."""

    def __init__(self, *, plain: bool = False, pause: float = 0.8) -> None:
        self.interactive = sys.stdin.isatty() and sys.stdout.isatty()
        self.unicode = not plain and common.can_draw_lines()
        self.colour = not plain and common.wants_colour()
        self.redraws = self.interactive and not plain and os.environ.get("TERM", "dumb") != "dumb"
        self.pause = pause if self.interactive and not plain else 0.0
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")
        if self.interactive:
            with contextlib.suppress(ImportError):
                importlib.import_module("readline")  # line editing and history in `input`, where available

    def say(self, text: str = "") -> None:
        print(text, flush=True)

    def ask(self, prompt: str, seconds: float | None = None) -> str:
        """Return a line. Raise EOFError at the end of the input, `TimeIsUp` if none comes within `seconds`."""
        with _within(seconds):
            return self._ask(prompt)

    def _ask(self, prompt: str) -> str:
        if self.interactive:
            return input(prompt)
        print(prompt, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            print(flush=True)
            raise EOFError
        if not sys.stdin.isatty():
            print(line.rstrip("\r\n"), flush=True)  # the output then shows what was played
        return line

    def show_in_turn(self, frames: Iterable[list[str]]) -> None:
        """Show frames one after the other, in the same place where the terminal can do that.

        Space or Enter skips to the end, any other key to the next frame.
        """
        height = 0
        for frame in frames:
            self._clear(height)
            self.say("\n".join(frame))
            height = len(frame)
            if self.pause and self.key(self.pause) in SKIP_KEYS:
                break
        self._clear(height)

    def _clear(self, height: int) -> None:
        """Erase the last frame, or separate it from the next by an empty line."""
        if not height:
            return
        print(f"\x1b[{height}A\x1b[J" if self.redraws else "", end="" if self.redraws else "\n", flush=True)

    def key(self, seconds: float) -> str:
        """Return the key pressed within some seconds, or an empty text."""
        try:
            import termios
            import tty
        except ImportError:  # Windows: wait without reading keys
            time.sleep(seconds)
            return ""
        descriptor = sys.stdin.fileno()
        before = termios.tcgetattr(descriptor)
        try:
            tty.setcbreak(descriptor, termios.TCSANOW)
            ready, _, _ = select.select([descriptor], [], [], seconds)
            return os.read(descriptor, 1).decode("ascii", "replace") if ready else ""
        finally:
            termios.tcsetattr(descriptor, termios.TCSANOW, before)
