"""Writing games down as they are played: one writer, and all that waits goes into one transaction.

Two hundred games at once would mean hundreds of small commits a second, each with its own wait for the disk. Here the
writer thread takes everything that came in while it was busy and commits it together; a move is acknowledged only after
the commit that holds it.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable
from typing import Any

from sqlalchemy.orm import Session

from awale.errors import AwaleError
from awale.store import Store, StoreError

log = logging.getLogger("awale.web")
Work = Callable[[Session], Any]


class Keeper:
    """Runs work inside transactions of the store, in a thread of its own."""

    def __init__(self, store: Store, *, batch: int = 500) -> None:
        self.store = store
        self._batch = batch
        self._waiting: queue.SimpleQueue[tuple[Work, asyncio.Future[Any], asyncio.AbstractEventLoop] | None]
        self._waiting = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="awale-keeper", daemon=True)
        self._thread.start()

    async def do(self, work: Work) -> Any:
        """The result of `work(session)` once it is safely stored; `StoreError` if it is not."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[Any] = loop.create_future()
        self._waiting.put((work, done, loop))
        return await done

    def close(self) -> None:
        """Finish what waits, then stop."""
        self._waiting.put(None)
        self._thread.join(timeout=30)

    def _run(self) -> None:
        closing = False
        while not closing:
            batch = []
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
            if batch and not self._together(batch):
                # One bad apple: give every piece of work a transaction of its own, so that only the bad one fails.
                for one in batch:
                    self._alone(one)

    def _together(self, batch: list[tuple[Work, asyncio.Future[Any], asyncio.AbstractEventLoop]]) -> bool:
        try:
            with self.store.transaction() as session:
                results = [work(session) for work, _, _ in batch]
        except Exception:
            if len(batch) > 1:
                return False
            self._alone(batch[0])
            return True
        for (_, done, loop), result in zip(batch, results, strict=True):
            _tell(loop, done, result, None)
        return True

    def _alone(self, one: tuple[Work, asyncio.Future[Any], asyncio.AbstractEventLoop]) -> None:
        work, done, loop = one
        try:
            with self.store.transaction() as session:
                result = work(session)
        except AwaleError as error:
            _tell(loop, done, None, error)
        except Exception as error:
            log.exception("writing to the store failed")
            _tell(loop, done, None, StoreError(f"the game could not be stored: {type(error).__name__}"))
        else:
            _tell(loop, done, result, None)


def _tell(loop: asyncio.AbstractEventLoop, done: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    def deliver() -> None:
        if done.done():  # nobody waits any more
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)

    if not loop.is_closed():
        loop.call_soon_threadsafe(deliver)
