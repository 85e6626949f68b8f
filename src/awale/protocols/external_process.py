"""An external program on the other end of two pipes: every wait and every read is bounded, and it is always ended.

A program may be silent, die, flood the pipe or write nonsense; each of these is a `PlayerFault` that says so. It runs
in a process group of its own, so that whatever it started ends with it.
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
from collections.abc import Callable

from awale import i18n
from awale.errors import MoveError, PlayerError, PlayerFault
from awale.game import Game
from awale.rules.moves import Move

MAX_LINE = 16_384
MAX_WAITING = 20_000
"""The most lines that may wait to be read."""
MAX_STDERR = 4_000
"""So many last bytes of standard error are kept."""
END_SECONDS = 1.0


def split_command(command: str) -> list[str]:
    """Split a command line as a shell does; the program must exist."""
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
    """A running program."""

    def __init__(self, command: str, *, max_line: int = MAX_LINE, max_waiting: int = MAX_WAITING) -> None:
        self.command = command
        self._max_line, self._max_waiting = max_line, max_waiting
        self._lines: deque[str] = deque()
        self._changed = threading.Condition()
        self._ended = False
        self._problem: PlayerFault | None = None
        self._stderr = b""
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
            problem = i18n.system_problem(error)
            raise PlayerFault(i18n.message("protocols.program.start", command=command[:80], problem=problem)) from None
        _started.add(self)
        if os.name == "posix":
            assert self._process.stdin is not None
            os.set_blocking(self._process.stdin.fileno(), False)
        self._threads = [
            threading.Thread(target=work, name=f"awale-{work.__name__}", daemon=True)
            for work in (self._read, self._read_stderr)
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

    def _read_stderr(self) -> None:
        assert self._process.stderr is not None
        with contextlib.suppress(OSError):
            while chunk := os.read(self._process.stderr.fileno(), 65_536):
                self._stderr = (self._stderr + chunk)[-MAX_STDERR:]

    # -- what others use --------------------------------------------------------------------------------------------

    @property
    def stderr_tail(self) -> str:
        """The end of what it wrote on standard error."""
        return self._stderr.decode("utf-8", "replace")

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return not self._closed and self._process.poll() is None

    def send(self, line: str, seconds: float = 5.0) -> None:
        """Write a line within so many seconds."""
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
        """Return the next line, within so many seconds."""
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

    def receive_until(self, word: str, seconds: float, read: Callable[[str], object] | None = None) -> str:
        """Return the first line that begins with a word, within so many seconds; `read` gets the lines before it."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self.receive(max(0.0, deadline - time.monotonic()))
            except PlayerFault as error:
                if error.kind == "time":
                    message = i18n.message("protocols.uci.waited", word=word, seconds=f"{seconds:g}")
                    raise PlayerFault(message, "time") from None
                raise
            if line.split(None, 1)[:1] == [word]:
                return line
            if read is not None:
                read(line)

    def drain(self) -> list[str]:
        """Remove and return the lines that have arrived."""
        with self._changed:
            found = list(self._lines)
            self._lines.clear()
        return found

    def _gone(self) -> PlayerFault:
        """Return the fault of a program whose output has ended, with the last words of its standard error."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_SECONDS)
        code = self._process.poll()
        self._threads[1].join(0.2)
        words = " ".join(self.stderr_tail.split()[-30:])[-200:]
        key = "closed" if code is None else "died"
        return PlayerFault(i18n.message(f"protocols.program.{key}", code=code, words=f": {words}" if words else ""))

    def end_input(self) -> None:
        """Close its standard input."""
        with contextlib.suppress(OSError, ValueError):
            if self._process.stdin is not None:
                self._process.stdin.close()

    def wait(self, seconds: float) -> int | None:
        """Return its exit code; None if it does not end within so many seconds."""
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
        # Its children may outlive it: the group is signalled in any case.
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join(END_SECONDS)
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None and not any(thread.is_alive() for thread in self._threads):
                pipe.close()


def read_move(game: Game, text: str) -> Move:
    """Return the move that a program wrote; raise its fault if that is no legal move."""
    try:
        return game.parse(text)
    except MoveError as error:
        problem = error.said or str(error)
        message = i18n.message("protocols.outside.illegal", text=text[:40], problem=problem)
        raise PlayerFault(message, "illegal") from None


def receive_contest_line(program: Program, seconds: float, read: Callable[[str], object] | None = None) -> str:
    """Return a contest program's next line within so many seconds, `END` and empty ones left out; `read` gets all."""
    deadline = time.monotonic() + seconds
    while True:
        line = program.receive(max(0.0, deadline - time.monotonic())).strip()
        if read is not None:
            read(line)
        if line and line != "END":
            return line


_started: weakref.WeakSet[Program] = weakref.WeakSet()


@atexit.register
def end_all() -> None:
    """End every program that this process has started and not ended."""
    for program in list(_started):
        program.close()


class _Starting:
    """Marks the moments in which a program has been started but is not known yet: a signal must wait for their end."""

    now = False
    asked_to_end = False

    def __enter__(self) -> None:
        _Starting.now = True

    def __exit__(self, *_: object) -> None:
        _Starting.now = False


def end_process(*_: object) -> None:
    """Handle a signal: raise `SystemExit`, but never between starting a program and knowing of it."""
    if _Starting.now:
        _Starting.asked_to_end = True
    else:
        raise SystemExit(0)
