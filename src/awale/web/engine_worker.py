"""One engine process: jobs come in as lines of JSON, progress and results go out the same way.

Run by `awale.web.engine_pool`. A line `{"stop": id}` stops the job in hand.
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


def main() -> None:
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", buffering=1)
    # Whatever a library prints must not get between the lines of JSON.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with contextlib.suppress(OSError):
        os.nice(5)  # thinking must not slow the answers down
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
        # The server is gone: nobody waits for anything here.
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()

    from awale.web import engine_jobs

    def warm_up() -> None:
        with contextlib.suppress(Exception):  # whatever is wrong will be said by the first real job
            engine_jobs.warm_up()
        _say(out, {"ready": True})

    # Beside the jobs: players that need no compiled engine answer at once, the others wait for what is being compiled.
    if os.environ.get("AWALE_WEB_WARM"):
        threading.Thread(target=warm_up, daemon=True).start()
    else:
        _say(out, {"ready": True})
    while True:
        job = jobs.get()
        if job is None:
            return
        number = int(job["id"])
        current[0] = number
        stop.clear()
        if number in stopped:
            stop.set()
        try:
            result = engine_jobs.run(job, lambda news, n=number: _say(out, {"id": n, "progress": news}), stop)  # type: ignore[misc]
            _say(out, {"id": number, "result": result})
        except AwaleError as error:
            _say(out, {"id": number, "error": str(error)[:500]})
        except Exception as error:
            _say(out, {"id": number, "error": f"{type(error).__name__}: {error}"[:500]})
        stopped.discard(number)


_lock = threading.Lock()


def _say(out: TextIO, message: dict[str, Any]) -> None:
    with _lock:
        out.write(json.dumps(message) + "\n")
        out.flush()


if __name__ == "__main__":
    main()
