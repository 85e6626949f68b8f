"""A bounded pool of engine processes.

Moves of games come before analyses, and one process is reserved for them. Jobs wait in one queue per owner (an
address); next is the owner whose jobs have lately taken the least time, so that nobody with a hundred jobs delays the
others. A cancelled job is told to stop; a process that does not is killed and replaced. Processes, because a search
holds the interpreter lock and the server must answer meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import sys
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from awale.errors import AwaleError
from awale.i18n import message
from awale.match import Fault
from awale.web.language import Translations
from awale.web.usage import Usage

log = logging.getLogger("awale.web")
Queues: TypeAlias = "OrderedDict[str, deque[Ticket]]"
GRACE = 2.0
"""Seconds between a request to stop and the kill."""
SLACK = 20.0
"""Seconds that a job may take beyond its limit."""
COMPILING = 180.0
"""The same for the first job of a rule system in a process: it may compile."""


class BusyError(AwaleError):
    """Too many jobs are waiting."""


class WorkerLost(AwaleError):
    """The engine process ended before it had an answer."""


class JobFailed(AwaleError):
    """A job that raised an error in its engine process."""

    def __init__(self, texts: dict[str, str], fault: Fault) -> None:
        super().__init__(Translations(texts))
        self.fault = fault


@dataclass(eq=False)
class Ticket:
    """A submitted job."""

    id: int
    owner: str
    job: dict[str, Any]
    seconds: float
    on_progress: Callable[[dict[str, Any]], None] | None
    result: asyncio.Future[dict[str, Any]]
    background: bool = False
    on_compiling: Callable[[], None] | None = None
    worker: Worker | None = None
    cancelled: bool = False


@dataclass(eq=False)
class Worker:
    process: asyncio.subprocess.Process
    ticket: Ticket | None = None
    ready: bool = False
    reader: asyncio.Task[None] | None = None
    deadline: asyncio.TimerHandle | None = None
    started: float = 0.0
    known: set[str] = field(default_factory=set)
    """The rule systems of its finished jobs."""


class Pool:
    """A fixed number of worker processes and their queues."""

    def __init__(self, workers: int, *, limit: int = 2000, limit_each: int = 20, warm: bool = True) -> None:
        self.size = workers
        self._limit, self._limit_each, self._warm = limit, limit_each, warm
        self._queues: tuple[Queues, Queues] = (OrderedDict(), OrderedDict())
        """Of moves, and of background jobs."""
        self._usage = Usage()
        self.waiting = 0
        self._workers: list[Worker] = []
        self._ids = itertools.count(1)
        self._closed = False
        self._filling = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start the first process; the others follow once it is ready and find its compiled code."""
        await self._start_worker()

    async def close(self) -> None:
        self._closed = True
        for queues in self._queues:
            for queue in queues.values():
                for ticket in queue:
                    ticket.result.cancel()
            queues.clear()
        workers, self._workers = self._workers, []
        for worker in workers:
            if worker.deadline is not None:
                worker.deadline.cancel()
            _kill(worker.process)
        for worker in workers:
            if worker.reader is not None:
                await asyncio.wait([worker.reader], timeout=5)
            await worker.process.wait()

    @property
    def ready(self) -> bool:
        """Whether a process has loaded (and compiled) the engine."""
        return any(worker.ready for worker in self._workers)

    @property
    def processes(self) -> int:
        return len(self._workers)

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
        on_compiling: Callable[[], None] | None = None,
        background: bool = False,
    ) -> Ticket:
        """Queue a job. Its `result` is a future; cancel it by `cancel(ticket)`. `background`: after all moves.

        `on_compiling` is called if the engine must first be compiled.
        """
        queues = self._queues[background]
        if self.waiting >= self._limit or (background and len(queues.get(owner, ())) >= self._limit_each):
            raise BusyError(message("web.error.busy"))
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        ticket = Ticket(next(self._ids), owner, job, seconds, on_progress, future, background, on_compiling)
        queues.setdefault(owner, deque()).append(ticket)
        self.waiting += 1
        self._dispatch()
        return ticket

    def cancel(self, ticket: Ticket) -> None:
        """Drop a job, and stop it if it is running."""
        if ticket.cancelled or ticket.result.done():
            return
        ticket.cancelled = True
        ticket.result.cancel()
        worker = ticket.worker
        if worker is None:
            queues = self._queues[ticket.background]
            queue = queues.get(ticket.owner)
            if queue is not None and ticket in queue:
                queue.remove(ticket)
                self.waiting -= 1
                if not queue:
                    del queues[ticket.owner]
            return
        self._write(worker, {"stop": ticket.id})
        self._kill_after(worker, GRACE)

    # -- internals ---------------------------------------------------------------------------------------------------

    def _next(self) -> Ticket | None:
        moves, background = self._queues
        analysing = sum(worker.ticket is not None and worker.ticket.background for worker in self._workers)
        queues = moves or (background if analysing < max(1, self.size - 1) else None)
        if not queues:
            return None
        owner = min(queues, key=self._usage.of)
        queue = queues.pop(owner)
        ticket = queue.popleft()
        if queue:
            queues[owner] = queue  # to the back
        self.waiting -= 1
        return ticket

    def _dispatch(self) -> None:
        # Warm processes first: the others may still be compiling.
        for worker in sorted(self._workers, key=lambda w: not w.ready):
            if worker.ticket is not None:
                continue
            ticket = self._next()
            if ticket is None:
                return
            worker.ticket, ticket.worker = ticket, worker
            worker.started = time.monotonic()
            self._write(worker, {"id": ticket.id, **ticket.job})
            known = worker.ready and _rules(ticket) in worker.known
            self._kill_after(worker, ticket.seconds + (SLACK if known else COMPILING))

    def _kill_after(self, worker: Worker, seconds: float) -> None:
        if worker.deadline is not None:
            worker.deadline.cancel()
        loop = asyncio.get_running_loop()
        worker.deadline = loop.call_later(seconds, lambda: _kill(worker.process))

    def _write(self, worker: Worker, request: dict[str, Any]) -> None:
        stream = worker.process.stdin
        if stream is not None and not stream.is_closing():
            stream.write(json.dumps(request).encode() + b"\n")

    async def _start_worker(self) -> None:
        environment = {**os.environ, "AWALE_WEB_WARM": "1" if self._warm else ""}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "awale.web.engine_worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=2**22,
            env=environment,
            # Ctrl-C is for the server, which stops its workers itself.
            start_new_session=True,
        )
        if self._closed:
            _kill(process)
            await process.wait()
            return
        worker = Worker(process)
        self._workers.append(worker)
        worker.reader = asyncio.create_task(self._listen(worker))

    async def _listen(self, worker: Worker) -> None:
        assert worker.process.stdout is not None
        try:
            while line := await worker.process.stdout.readline():
                self._received(worker, json.loads(line))
        except (ValueError, ConnectionError):
            log.warning("an engine process sent an unreadable line and is replaced")
            _kill(worker.process)
        await worker.process.wait()
        self._exited(worker)

    def _received(self, worker: Worker, answer: dict[str, Any]) -> None:
        if answer.get("ready"):
            worker.ready = True
            self._spawn(self._fill())
            return
        ticket = worker.ticket
        if ticket is None or answer.get("id") != ticket.id:
            return
        if "compiling" in answer:
            if ticket.on_compiling is not None and not ticket.cancelled:
                ticket.on_compiling()
            return
        if "progress" in answer:
            if ticket.on_progress is not None and not ticket.cancelled:
                ticket.on_progress(answer["progress"])
            return
        worker.known.add(_rules(ticket))
        self._free(worker)
        if not ticket.result.done():
            if "error" in answer:
                ticket.result.set_exception(JobFailed(answer["error"], answer["fault"]))
            else:
                ticket.result.set_result(answer["result"])
        self._dispatch()

    def _free(self, worker: Worker) -> None:
        if worker.ticket is not None:
            self._usage.add(worker.ticket.owner, time.monotonic() - worker.started)
        worker.ticket = None
        if worker.deadline is not None:
            worker.deadline.cancel()
            worker.deadline = None

    def _exited(self, worker: Worker) -> None:
        ticket = worker.ticket
        self._free(worker)
        if worker in self._workers:
            self._workers.remove(worker)
        if ticket is not None and not ticket.result.done():
            ticket.result.set_exception(WorkerLost(message("web.error.worker-lost")))
        self._spawn(self._replace_worker())

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _fill(self) -> None:
        """Start workers up to the size of the pool."""
        if self._filling:
            return
        self._filling = True
        try:
            while len(self._workers) < self.size and not self._closed:
                await self._start_worker()
        finally:
            self._filling = False
        self._dispatch()

    async def _replace_worker(self) -> None:
        await asyncio.sleep(0.2)  # a worker that fails at once must not be restarted in a tight loop
        if not self._closed:
            await self._fill()


def _rules(ticket: Ticket) -> str:
    return str(ticket.job.get("rules"))


def _kill(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
