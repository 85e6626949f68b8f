"""Threads for the work that requests cause: parsing, replaying, drawing.

The event loop serves every game, so nothing that a remote user chose runs on it for more than a few milliseconds.
An owner (an address, a game) has one thread at a time, and next is the owner whose work has lately taken the least
time; whoever waits too long is told to try again. What runs is bounded by the size of requests and by their sowing
budget.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from awale.i18n import message
from awale.rules import SowingBudget, sowing_budget
from awale.web.language import WebError
from awale.web.request_parsing import sowing_limit
from awale.web.usage import Usage

Out = TypeVar("Out")


class _Work(NamedTuple):
    owner: str
    function: Callable[[], Any]
    budget: SowingBudget
    result: asyncio.Future[Any]


class RequestPool:
    """A fixed number of threads, and a queue for each owner."""

    def __init__(self, threads: int = 1, *, limit: int = 500, limit_each: int = 100, patience: float = 5.0) -> None:
        """`threads`: more than one only for work that waits for the database, as all of them share the interpreter lock
        with the event loop. `limit`: work that may wait, of one owner `limit_each`. `patience`: seconds it may wait."""
        self.threads, self.patience = threads, patience
        self._limit, self._limit_each = limit, limit_each
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="awale-request")
        self._queues: dict[str, deque[_Work]] = {}
        self._running: dict[str, float] = {}
        self._usage = Usage()
        self.waiting = 0

    @property
    def busy(self) -> int:
        """The number of threads at work."""
        return len(self._running)

    async def run(self, owner: str, function: Callable[[], Out], *, budget: SowingBudget | None = None) -> Out:
        """Return the result of a function; raise `WebError` if it cannot start soon."""
        queue = self._queues.setdefault(owner, deque())
        if self.waiting >= self._limit or len(queue) >= self._limit_each:
            self._tidy(owner)
            raise WebError(503, message("web.error.busy"))
        loop = asyncio.get_running_loop()
        work = _Work(owner, function, budget or sowing_limit(), loop.create_future())
        queue.append(work)
        self.waiting += 1
        impatient = loop.call_later(self.patience, self._give_up, work)
        self._start()
        try:
            return await work.result  # type: ignore[no-any-return]
        finally:
            impatient.cancel()
            self._drop(work)

    def close(self) -> None:
        """Start nothing more."""
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _start(self) -> None:
        waiting = [owner for owner in self._queues if owner not in self._running]
        for owner in sorted(waiting, key=self._usage.of):
            if len(self._running) >= self.threads:
                return
            work = self._queues[owner].popleft()
            self.waiting -= 1
            self._tidy(owner)
            self._running[owner] = time.monotonic()
            loop = asyncio.get_running_loop()
            future = loop.run_in_executor(self._executor, _within, work.budget, work.function)
            future.add_done_callback(lambda done, work=work: self._finished(work, done))  # type: ignore[misc]

    def _finished(self, work: _Work, done: asyncio.Future[Any]) -> None:
        self._usage.add(work.owner, time.monotonic() - self._running.pop(work.owner))
        error = None if done.cancelled() else done.exception()
        if not work.result.done():
            if done.cancelled():
                work.result.cancel()
            elif error is not None:
                work.result.set_exception(error)
            else:
                work.result.set_result(done.result())
        self._start()

    def _give_up(self, work: _Work) -> None:
        if self._drop(work) and not work.result.done():
            work.result.set_exception(WebError(503, message("web.error.busy")))

    def _drop(self, work: _Work) -> bool:
        """Remove work that has not begun. Return whether it was waiting."""
        queue = self._queues.get(work.owner)
        if queue is None or work not in queue:
            return False
        queue.remove(work)
        self.waiting -= 1
        self._tidy(work.owner)
        return True

    def _tidy(self, owner: str) -> None:
        if not self._queues[owner]:
            del self._queues[owner]


def _within(budget: SowingBudget, function: Callable[[], Out]) -> Out:
    with sowing_budget(budget):
        return function()
