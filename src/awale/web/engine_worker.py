"""One engine process: reads jobs as lines of JSON, writes progress and results the same way.

Started by `awale.web.engine_pool`. A line `{"stop": id}` stops that job. A job that compiles before its first
news says so: `{"id": id, "compiling": true}`.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import sys
import threading
from typing import Any, TextIO

from awale.errors import AwaleError
from awale.i18n import LANGUAGES
from awale.kernels.progress import compiled
from awale.players.user_file import limit_memory

COMPILING_POLL = 0.2
"""Seconds between two looks at whether something is being compiled."""


def main() -> None:
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", buffering=1)
    # What a library prints must not mix with the lines of JSON.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with contextlib.suppress(OSError):
        os.nice(5)  # a search must not slow the server down
    limit_memory()
    jobs: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
    stopped: set[int] = set()
    current: list[int] = [0]
    stop = threading.Event()

    def listen() -> None:
        for line in sys.stdin:
            message = json.loads(line)
            if "stop" in message:
                stopped.add(message["stop"])
                if message["stop"] == current[0]:
                    stop.set()
            else:
                jobs.put(message)
        # The server is gone.
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()

    from awale.web import engine_jobs

    def warm_up() -> None:
        with contextlib.suppress(Exception):  # the first job will report it
            engine_jobs.warm_up()
        _write(out, {"ready": True})

    # In a thread: players that need no compiled engine answer at once.
    if os.environ.get("AWALE_WEB_WARM"):
        threading.Thread(target=warm_up, daemon=True).start()
    else:
        _write(out, {"ready": True})
    while True:
        job = jobs.get()
        if job is None:
            return
        number = int(job["id"])
        current[0] = number
        stop.clear()
        if number in stopped:
            stop.set()
        begun = threading.Event()

        def tell(news: dict[str, Any], number: int = number, begun: threading.Event = begun) -> None:
            begun.set()
            _write(out, {"id": number, "progress": news})

        threading.Thread(target=_tell_compiling, args=(out, number, begun), daemon=True).start()
        try:
            result = engine_jobs.run(job, tell, stop)
            _write(out, {"id": number, "result": result})
        except MemoryError:
            os._exit(1)  # the pool starts another process, and the job is tried again
        except Exception as error:
            _write(out, {"id": number, **_failure(error)})
        finally:
            begun.set()
        stopped.discard(number)


def _tell_compiling(out: TextIO, number: int, begun: threading.Event) -> None:
    """Tell, once, that something is being compiled for a job whose first news are still to come."""
    before = compiled()
    while not begun.wait(COMPILING_POLL):
        if compiled() > before:
            _write(out, {"id": number, "compiling": True})
            return


def _failure(error: Exception) -> dict[str, Any]:
    """Return an error in every language, and the kind of failure it is for a player."""
    from awale.match import failure

    fault, detail = failure(error)
    said = error.sentence if isinstance(error, AwaleError) else lambda lang: detail
    return {"error": {lang: said(lang)[:500] for lang in LANGUAGES}, "fault": fault}


_lock = threading.Lock()


def _write(out: TextIO, message: dict[str, Any]) -> None:
    with _lock:
        out.write(json.dumps(message) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
