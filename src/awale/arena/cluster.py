"""Games on a Dask cluster.

A game is a task with a name of its own. When a worker dies the scheduler gives its games to others; a game that was
played twice because of that has the same number and counts once.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Iterator
from typing import Any

from awale import i18n
from awale.arena import games
from awale.arena.errors import ArenaError
from awale.arena.games import Job, Played

AHEAD = 3
"""Tasks submitted per thread of the cluster: enough to keep all busy, few enough to stop soon."""
RETRIES = 10
CONNECT_SECONDS = 20


def play_there(job: Job) -> dict[str, Any]:
    """Play a game on a worker. The result is plain data, so that workers with an older release are understood."""
    from awale.arena.workers import prepare

    prepare(job.rules, job.names)
    return games.play(job).as_data()


def connect(address: str) -> Any:
    """Return a client of the cluster with this scheduler."""
    import distributed

    for handler in logging.getLogger("distributed").handlers:
        handler.setLevel(logging.CRITICAL)  # what goes wrong comes as an exception, too
    client: Any = distributed.Client
    try:
        return client(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError, TimeoutError) as error:
        problem = str(error).partition("\n")[0][:200] or type(error).__name__
        raise ArenaError(i18n.message("arena.bad.scheduler", address=address, problem=problem)) from None


class Cluster:
    """Play games on a cluster, given its scheduler's address (or a `distributed.Client`)."""

    def __init__(self, address: Any) -> None:
        self._own = isinstance(address, str)
        self._client = connect(address) if self._own else address

    def run(self, jobs: Iterator[Job]) -> Iterator[Played]:
        import distributed

        as_completed: Any = distributed.as_completed

        name = uuid.uuid4().hex[:12]
        waiting: dict[str, Job] = {}
        done: set[int] = set()
        queue = as_completed([])

        def hand_out() -> None:
            capacity = max(2, AHEAD * sum(self._client.nthreads().values()))
            while len(waiting) < capacity and (job := next(jobs, None)) is not None:
                key = f"awale-game-{name}-{job.number}"
                future = self._client.submit(play_there, job, key=key, pure=False, retries=RETRIES)
                waiting[key] = job
                queue.add(future)

        hand_out()
        try:
            while waiting:
                future = next(queue)
                job = waiting.pop(future.key)
                # Not `status`: a result that was lost with its worker is being computed again.
                error = future.exception()
                if error is not None:
                    raise ArenaError(
                        i18n.message("arena.bad.cluster-failed", number=job.number + 1, problem=str(error)[:300])
                    )
                played = Played.from_data(future.result())
                hand_out()
                if played.number not in done:
                    done.add(played.number)
                    yield played
        finally:
            queue.clear()

    def close(self) -> None:
        if self._own:
            self._client.close()
