"""A pool of processes for work that is cut into independent calls."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any


class LocalProcesses:
    """Several processes of this machine.

    As a context: what submits a call to them, and how many calls to submit before asking for a result. They end at once
    when the context is left by an exception.
    """

    def __init__(self, count: int) -> None:
        self._count = count

    def __enter__(self) -> tuple[Callable[..., Any], int]:
        # Spawned, never forked: a forked copy of threads and compiled code may hang.
        context = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(self._count, context, initializer=_ignore_interrupt)
        return self._pool.submit, 2 * self._count

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            for process in list((self._pool._processes or {}).values()):
                process.terminate()
        self._pool.shutdown(wait=kind is None, cancel_futures=True)


def _ignore_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
