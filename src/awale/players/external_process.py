"""An outside program, spoken to line by line: never waited for beyond a limit, never read without one, always ended.

A program may be silent, die, flood us or write rubbish; each of these is a `PlayerFault` that says so. It runs in a
process group of its own, so that whatever it started ends with it.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import shlex
import shutil
import signal
import subprocess
import threading
import time
import weakref
from collections import deque

from awale import i18n
from awale.errors import PlayerError, PlayerFault

MAX_LINE = 16_384
MAX_WAITING = 20_000
"""Lines that may wait to be read."""
MAX_TALK = 4_000
"""Of what it says on standard error, so many last characters are kept."""
END_SECONDS = 1.0


def split_command(command: str) -> list[str]:
    """A command line as a shell would split it; the program must exist."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise PlayerError(i18n.message("protocols.program.command", command=command[:80], problem=error)) from None
    if not words:
        raise PlayerError(i18n.message("protocols.program.no-command"))
    if shutil.which(words[0]) is None:
        raise PlayerError(i18n.message("protocols.program.not-found", program=words[0][:80]))
    return words


class Program:
    """A started program."""

    def __init__(self, command: str, *, max_line: int = MAX_LINE, max_waiting: int = MAX_WAITING) -> None:
        self.command = command
        self._max_line, self._max_waiting = max_line, max_waiting
        self._lines: deque[str] = deque()
        self._changed = threading.Condition()
        self._ended = False
        self._problem: PlayerFault | None = None
        self._talk = b""
        self._closed = False
        with _Starting():
            self._start(command)
        if _Starting.asked_to_end:
            self.close()
            raise SystemExit(0)

    def _start(self, command: str) -> None:
        try:
            self._process: subprocess.Popen[bytes] = subprocess.Popen(
                split_command(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=os.name == "posix",
            )
        except OSError as error:
            problem = error.strerror or str(error)
            raise PlayerFault(i18n.message("protocols.program.start", command=command[:80], problem=problem)) from None
        _started.add(self)
        if os.name == "posix":
            assert self._process.stdin is not None
            os.set_blocking(self._process.stdin.fileno(), False)
        self._threads = [
            threading.Thread(target=work, name=f"awale-{work.__name__}", daemon=True)
            for work in (self._read, self._listen)
        ]
        for thread in self._threads:
            thread.start()

    # -- reading, in threads of their own ---------------------------------------------------------------------------

    def _read(self) -> None:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        rest = b""
        problem: PlayerFault | None = None
        while problem is None:
            try:
                chunk = os.read(descriptor, 65_536)
            except OSError:
                break
            if not chunk:
                break
            *lines, rest = (rest + chunk).split(b"\n")
            if len(rest) > self._max_line or any(len(line) > self._max_line for line in lines):
                problem = PlayerFault(i18n.message("protocols.program.long-line", limit=i18n.number(self._max_line)))
            with self._changed:
                if problem is None and len(self._lines) + len(lines) > self._max_waiting:
                    problem = PlayerFault(i18n.message("protocols.program.floods"))
                if problem is None:
                    self._lines.extend(line.rstrip(b"\r").decode("utf-8", "replace") for line in lines)
                self._changed.notify_all()
        with self._changed:
            if rest and problem is None and len(rest) <= self._max_line:
                self._lines.append(rest.decode("utf-8", "replace"))
            self._problem, self._ended = problem, True
            self._changed.notify_all()

    def _listen(self) -> None:
        assert self._process.stderr is not None
        while True:
            try:
                chunk = os.read(self._process.stderr.fileno(), 65_536)
            except OSError:
                return
            if not chunk:
                return
            self._talk = (self._talk + chunk)[-MAX_TALK:]

    # -- what others use --------------------------------------------------------------------------------------------

    @property
    def talk(self) -> str:
        """The end of what it said on standard error."""
        return self._talk.decode("utf-8", "replace")

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return not self._closed and self._process.poll() is None

    def send(self, line: str, seconds: float = 5.0) -> None:
        """Write a line; a program that does not read is given up."""
        assert self._process.stdin is not None
        data = line.encode() + b"\n"
        deadline = time.monotonic() + seconds
        try:
            if os.name != "posix":
                self._process.stdin.write(data)
                return
            descriptor = self._process.stdin.fileno()
            while data:
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([], [descriptor], [], left)[1]:
                    raise PlayerFault(i18n.message("protocols.program.deaf"), "time")
                with contextlib.suppress(BlockingIOError):
                    data = data[os.write(descriptor, data) :]
        except PlayerFault:
            raise
        except (OSError, ValueError):  # the pipe is broken, or closed
            raise self._gone() from None

    def receive(self, seconds: float) -> str:
        """The next line, within so many seconds."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while not self._lines:
                if self._problem is not None:
                    raise self._problem
                if self._ended:
                    break
                left = deadline - time.monotonic()
                if left <= 0:
                    message = i18n.message("protocols.program.silent", seconds=f"{seconds:g}")
                    raise PlayerFault(message, "time")
                self._changed.wait(left)
            else:
                return self._lines.popleft()
        raise self._gone()

    def waiting(self) -> list[str]:
        """The lines that are there already, taken out."""
        with self._changed:
            found = list(self._lines)
            self._lines.clear()
        return found

    def _gone(self) -> PlayerFault:
        """Its output is at an end: say how it ended, and its last words."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)
        code = self._process.poll()
        # Its last words may still be on their way.
        self._threads[1].join(0.2)
        words = " ".join(self.talk.split()[-30:])[-200:]
        key = "closed" if code is None else "died"
        return PlayerFault(i18n.message(f"protocols.program.{key}", code=code, words=f": {words}" if words else ""))

    def end_input(self) -> None:
        """Tell it that nothing more will come."""
        with contextlib.suppress(OSError, ValueError):
            if self._process.stdin is not None:
                self._process.stdin.close()

    def wait(self, seconds: float) -> int | None:
        """Its exit code, if it ends within so many seconds."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def close(self, seconds: float = 0.0) -> None:
        """End it and all it started; first give it so many seconds to end by itself."""
        if self._closed:
            return
        self._closed = True
        _started.discard(self)
        self.end_input()
        if seconds:
            self.wait(seconds)
        # Even when it has ended, its children may not have: the group is told in any case.
        self._signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        self._process.wait()
        for thread in self._threads:
            thread.join(END_SECONDS)
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None and not any(thread.is_alive() for thread in self._threads):
                pipe.close()

    def _signal(self, number: int) -> None:
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)
        else:
            self._process.kill()


_started: weakref.WeakSet[Program] = weakref.WeakSet()


@atexit.register
def end_all() -> None:
    """End whatever this process has started and not ended."""
    for program in list(_started):
        program.close()


class _Starting:
    """While a program is being started, nobody holds it yet: whoever would end this process must wait that long."""

    now = False
    asked_to_end = False

    def __enter__(self) -> None:
        _Starting.now = True

    def __exit__(self, *_: object) -> None:
        _Starting.now = False


def end_process(*_: object) -> None:
    """For a signal: end this process by `SystemExit`, but never between starting a program and knowing of it."""
    if _Starting.now:
        _Starting.asked_to_end = True
    else:
        raise SystemExit(0)
