"""Games played by worker processes on this machine.

A worker that dies (killed, out of memory, a crash in compiled code) is replaced and its game played again; a game that
kills three workers is abandoned with an error. A worker whose parent is gone exits after its game.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import signal
from collections import deque
from collections.abc import Iterator
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Protocol

from awale import i18n
from awale.arena import games
from awale.arena.errors import ArenaError
from awale.arena.games import Job, Played
from awale.protocols import external_process
from awale.rules.description import Rules

MOST_DEATHS = 3


class Runner(Protocol):
    """Plays games, yielding them in the order in which they finish."""

    def run(self, jobs: Iterator[Job]) -> Iterator[Played]: ...

    def close(self) -> None: ...


def prepare(rules: Rules, names: tuple[str, ...], *, tables: bool = False) -> None:
    """Build tables and compile before the first game. The same search with and without an endgame table chooses
    differently, so a table built meanwhile would make the result depend on timing; and compiling here once fills the
    cache for all workers."""
    for name in names:
        games.warm_up(name, rules)
    if tables or any(name.startswith("engine") for name in names):
        from awale.players.engine import TABLE_SEEDS
        from awale.tables import ensure_small

        ensure_small(rules, TABLE_SEEDS, wait=True)


class InProcess:
    """Play one game after another in this process, for tests and debugging."""

    def run(self, jobs: Iterator[Job]) -> Iterator[Played]:
        for job in jobs:
            yield games.play(job)

    def close(self) -> None:
        games.close_persistent()


def _work(pipe: Connection) -> None:
    """Run a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    # When terminated by the parent, it must still end the external programs it started.
    signal.signal(signal.SIGTERM, external_process.end_process)
    try:
        while True:
            job = pipe.recv()
            if job is None:
                return
            pipe.send(games.play(job))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # no second signal may interrupt the cleanup
        games.close_persistent()
        external_process.end_all()


class _Worker:
    """A process and its current game."""

    def __init__(self) -> None:
        # Spawned, never forked: a forked copy of threads and compiled code may hang.
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process: SpawnProcess = context.Process(target=_work, args=(theirs,), name="awale-game", daemon=False)
        self.process.start()
        theirs.close()
        self.job: Job | None = None

    def give(self, job: Job) -> bool:
        self.job = job
        try:
            self.pipe.send(job)
        except OSError:
            return False
        return True

    def end(self) -> None:
        with contextlib.suppress(OSError):
            self.pipe.send(None)
        self.pipe.close()
        if self.job is not None:
            self.process.terminate()
        self.process.join(5)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        self.process.close()


class Processes:
    """Play games in several worker processes."""

    def __init__(self, count: int) -> None:
        if not 1 <= count <= 1024:
            raise ArenaError(i18n.message("arena.bad.concurrency"))
        self._count = count
        self._workers: list[_Worker] = []
        self._deaths: dict[int, int] = {}

    def run(self, jobs: Iterator[Job]) -> Iterator[Played]:
        again: deque[Job] = deque()
        more = True
        while True:
            while more or again:
                idle = next((worker for worker in self._workers if worker.job is None), None)
                if idle is None and len(self._workers) >= self._count:
                    break
                job = again.popleft() if again else next(jobs, None)
                if job is None:
                    more = False
                    break
                if idle is None:
                    idle = _Worker()
                    self._workers.append(idle)
                if not idle.give(job):
                    self._bury(idle, again)
            busy = {worker.pipe: worker for worker in self._workers if worker.job is not None}
            if not busy:
                if again or more:
                    continue
                return
            for ready in multiprocessing.connection.wait(list(busy)):
                worker = busy[ready]  # type: ignore[index]
                try:
                    played = worker.pipe.recv()
                except (EOFError, OSError):
                    self._bury(worker, again)
                    continue
                worker.job = None
                yield played

    def _bury(self, worker: _Worker, again: deque[Job]) -> None:
        job = worker.job
        self._workers.remove(worker)
        worker.job = None
        worker.end()
        if job is None:
            return
        self._deaths[job.number] = self._deaths.get(job.number, 0) + 1
        if self._deaths[job.number] >= MOST_DEATHS:
            message = i18n.message(
                "arena.worker-died", number=job.number + 1, south=job.names[0], north=job.names[1], times=MOST_DEATHS
            )
            raise ArenaError(message)
        again.appendleft(job)

    def close(self) -> None:
        """End all workers, also during a game."""
        for worker in self._workers:
            if worker.job is not None:
                worker.process.terminate()
        while self._workers:
            self._workers.pop().end()
