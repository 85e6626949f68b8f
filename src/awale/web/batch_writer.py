"""Write live games to the store in batches.

Two hundred games at once would mean hundreds of small commits a second, each with its own wait for the disk. The writer
thread commits everything that came in during the last commit together; a move is acknowledged only after its commit.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from awale.errors import AwaleError
from awale.i18n import message
from awale.store import Store, StoreError, games
from awale.store.games import Change

log = logging.getLogger("awale.web")
Work = Callable[[Session], Any]
Done = Callable[[Any, AwaleError | None], None]


class Task(NamedTuple):
    """Work for the store, and what is called in the event loop with its result or its error."""

    what: Work | Change
    done: Done
    loop: asyncio.AbstractEventLoop


class BatchWriter:
    """Run work in transactions of the store, in a thread of its own."""

    def __init__(self, store: Store, *, batch: int = 500) -> None:
        self.store = store
        self._batch = batch
        self._waiting: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self.stored = self.failed = 0
        self._thread = threading.Thread(target=self._run, name="awale-writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        return self._waiting.qsize()

    async def do(self, work: Work) -> Any:
        """Return the result of `work(session)` once it is committed; raise `StoreError` if it is not."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()
        self._waiting.put(Task(work, partial(settle, future), loop))
        return await future

    def start(self, work: Work) -> None:
        """Run `work(session)` soon; nobody waits for it."""
        self._waiting.put(Task(work, lambda _, error: None, asyncio.get_running_loop()))

    def keep(self, change: Change, done: Done) -> None:
        """Store the state of a live game, then call `done`; the changes of a batch share one statement."""
        self._waiting.put(Task(change, done, asyncio.get_running_loop()))

    def close(self) -> None:
        """Finish what waits, then stop."""
        self._waiting.put(None)
        self._thread.join(timeout=30)

    def _run(self) -> None:
        closing = False
        while not closing:
            batch: list[Task] = []
            item = self._waiting.get()
            while True:
                if item is None:
                    closing = True
                    break
                batch.append(item)
                if len(batch) >= self._batch:
                    break
                try:
                    item = self._waiting.get_nowait()
                except queue.Empty:
                    break
            if batch:
                self._write(batch)

    def _write(self, batch: list[Task]) -> None:
        try:
            results = self._transaction(batch)
        except Exception as error:
            if len(batch) == 1:
                self.failed += 1
                _resolve(batch, [None], _store_error(error))
                return
            # Give every task a transaction of its own, so that only the faulty one fails.
            for one in batch:
                self._write([one])
            return
        self.stored += len(batch)
        _resolve(batch, results, None)

    def _transaction(self, batch: list[Task]) -> list[Any]:
        with self.store.transaction() as session:
            results = [None if isinstance(task.what, Change) else task.what(session) for task in batch]
            changes = [task.what for task in batch if isinstance(task.what, Change)]
            if changes:
                session.flush()
                games.keep(session, changes)
        return results


def _store_error(error: Exception) -> AwaleError:
    if isinstance(error, AwaleError):
        return error
    log.error("writing to the store failed", exc_info=error)
    return StoreError(message("web.error.not-stored", problem=type(error).__name__))


def _resolve(batch: list[Task], results: list[Any], error: AwaleError | None) -> None:
    """Report the results of a batch, by one call into the event loop."""

    def deliver() -> None:
        for task, result in zip(batch, results, strict=True):
            try:
                task.done(result, error)
            except Exception:
                log.exception("a stored change could not be adopted")

    if not batch[0].loop.is_closed():
        batch[0].loop.call_soon_threadsafe(deliver)


def settle(future: asyncio.Future[Any], result: Any, error: AwaleError | None) -> None:
    """Set the result of a future that may have been cancelled."""
    if future.done():
        return
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(result)
