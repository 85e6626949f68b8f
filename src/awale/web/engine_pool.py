"""Engine work in a bounded pool of processes.

Jobs wait in one queue an owner (a game, a page) and the owners take turns, so that somebody with a hundred jobs does
not make the others wait. A job nobody waits for any more is told to stop; a process that does not listen is ended and
replaced. Processes, because a search holds Python's lock and the server must answer meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from awale.errors import AwaleError

log = logging.getLogger("awale.web")
GRACE = 2.0
"""Seconds between being told to stop and being ended."""
SLACK = 180.0
"""Seconds a job may take beyond what it asked for: the first one of a family of rules may compile."""


class BusyError(AwaleError):
    """Too much is waiting already."""


class ThinkingFailed(AwaleError):
    """The engine process died or gave no answer."""


@dataclass(eq=False)
class Ticket:
    """A job that somebody waits for."""

    id: int
    owner: str
    job: dict[str, Any]
    seconds: float
    on_progress: Callable[[dict[str, Any]], None] | None
    result: asyncio.Future[dict[str, Any]]
    worker: Worker | None = None
    cancelled: bool = False


@dataclass(eq=False)
class Worker:
    process: asyncio.subprocess.Process
    ticket: Ticket | None = None
    ready: bool = False
    reader: asyncio.Task[None] | None = None
    reaper: asyncio.TimerHandle | None = field(default=None)


class Pool:
    """A fixed number of worker processes and the queues before them."""

    def __init__(self, workers: int, *, limit: int = 2000, limit_each: int = 20, warm: bool = True) -> None:
        self.size = workers
        self._limit, self._limit_each, self._warm = limit, limit_each, warm
        self._queues: OrderedDict[str, deque[Ticket]] = OrderedDict()
        self._waiting = 0
        self._workers: list[Worker] = []
        self._ids = itertools.count(1)
        self._closed = False
        self._hiring = False
        self._births: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """The first process; the others follow once it is ready, to find compiled what it had to compile."""
        await self._hire()

    async def close(self) -> None:
        self._closed = True
        for queue in self._queues.values():
            for ticket in queue:
                ticket.result.cancel()
        self._queues.clear()
        workers, self._workers = self._workers, []
        for worker in workers:
            if worker.reaper is not None:
                worker.reaper.cancel()
            _end(worker.process)
        for worker in workers:
            if worker.reader is not None:
                await asyncio.wait([worker.reader], timeout=5)
            await worker.process.wait()

    @property
    def ready(self) -> bool:
        """Some process has loaded (and if need be compiled) the engine."""
        return any(worker.ready for worker in self._workers)

    @property
    def waiting(self) -> int:
        return self._waiting

    @property
    def busy(self) -> int:
        return sum(worker.ticket is not None for worker in self._workers)

    def submit(
        self,
        owner: str,
        job: dict[str, Any],
        *,
        seconds: float = 5.0,
        on_progress: Callable[[dict[str, Any]], None] | None = None,
    ) -> Ticket:
        """Queue a job. Its `result` is a future; cancel it by `cancel(ticket)`."""
        queue = self._queues.setdefault(owner, deque())
        if self._waiting >= self._limit or len(queue) >= self._limit_each:
            if not queue:
                del self._queues[owner]
            raise BusyError("the engine has too much to do at the moment; try again in a while")
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        ticket = Ticket(next(self._ids), owner, job, seconds, on_progress, future)
        queue.append(ticket)
        self._waiting += 1
        self._dispatch()
        return ticket

    def cancel(self, ticket: Ticket) -> None:
        """Nobody waits for it any more."""
        if ticket.cancelled or ticket.result.done():
            return
        ticket.cancelled = True
        ticket.result.cancel()
        worker = ticket.worker
        if worker is None:
            queue = self._queues.get(ticket.owner)
            if queue is not None and ticket in queue:
                queue.remove(ticket)
                self._waiting -= 1
                if not queue:
                    del self._queues[ticket.owner]
            return
        self._write(worker, {"stop": ticket.id})
        self._reap_after(worker, GRACE)

    # -- inside ------------------------------------------------------------------------------------------------------

    def _next(self) -> Ticket | None:
        if not self._queues:
            return None
        owner, queue = self._queues.popitem(last=False)
        ticket = queue.popleft()
        if queue:
            self._queues[owner] = queue  # to the back of the line
        self._waiting -= 1
        return ticket

    def _dispatch(self) -> None:
        # A process that is warm already comes first: the others may still be compiling.
        for worker in sorted(self._workers, key=lambda w: not w.ready):
            if worker.ticket is not None:
                continue
            ticket = self._next()
            if ticket is None:
                return
            worker.ticket, ticket.worker = ticket, worker
            self._write(worker, {"id": ticket.id, **ticket.job})
            self._reap_after(worker, ticket.seconds + SLACK)

    def _reap_after(self, worker: Worker, seconds: float) -> None:
        if worker.reaper is not None:
            worker.reaper.cancel()
        loop = asyncio.get_running_loop()
        worker.reaper = loop.call_later(seconds, lambda: _end(worker.process))

    def _write(self, worker: Worker, message: dict[str, Any]) -> None:
        stream = worker.process.stdin
        if stream is not None and not stream.is_closing():
            stream.write(json.dumps(message).encode() + b"\n")

    async def _hire(self) -> None:
        environment = {**os.environ, "AWALE_WEB_WARM": "1" if self._warm else ""}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "awale.web.engine_worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=2**22,
            env=environment,
            # Ctrl-C is for the server, which ends its workers itself.
            start_new_session=True,
        )
        if self._closed:
            _end(process)
            await process.wait()
            return
        worker = Worker(process)
        self._workers.append(worker)
        worker.reader = asyncio.create_task(self._listen(worker))

    async def _listen(self, worker: Worker) -> None:
        assert worker.process.stdout is not None
        try:
            while line := await worker.process.stdout.readline():
                self._heard(worker, json.loads(line))
        except (ValueError, ConnectionError):
            log.warning("an engine process said something strange and is replaced")
            _end(worker.process)
        await worker.process.wait()
        self._buried(worker)

    def _heard(self, worker: Worker, message: dict[str, Any]) -> None:
        if message.get("ready"):
            worker.ready = True
            self._soon(self._hire_the_rest())
            return
        ticket = worker.ticket
        if ticket is None or message.get("id") != ticket.id:
            return
        if "progress" in message:
            if ticket.on_progress is not None and not ticket.cancelled:
                ticket.on_progress(message["progress"])
            return
        self._free(worker)
        if not ticket.result.done():
            if "error" in message:
                ticket.result.set_exception(ThinkingFailed(str(message["error"])))
            else:
                ticket.result.set_result(message["result"])
        self._dispatch()

    def _free(self, worker: Worker) -> None:
        worker.ticket = None
        if worker.reaper is not None:
            worker.reaper.cancel()
            worker.reaper = None

    def _buried(self, worker: Worker) -> None:
        ticket = worker.ticket
        self._free(worker)
        if worker in self._workers:
            self._workers.remove(worker)
        if ticket is not None and not ticket.result.done():
            ticket.result.set_exception(ThinkingFailed("the engine process ended before it had an answer"))
        self._soon(self._rehire())

    def _soon(self, birth: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(birth)
        self._births.add(task)
        task.add_done_callback(self._births.discard)

    async def _hire_the_rest(self) -> None:
        if self._hiring:
            return
        self._hiring = True
        try:
            while len(self._workers) < self.size and not self._closed:
                await self._hire()
        finally:
            self._hiring = False
        self._dispatch()

    async def _rehire(self) -> None:
        await asyncio.sleep(0.2)  # a program that dies at birth must not be born in a tight loop
        if not self._closed:
            await self._hire_the_rest()


def _end(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
