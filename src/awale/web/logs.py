"""The server's log: one line an entry, with a time in UTC and named values, and no more of a kind than can be read."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Callable

MOST = 20
"""Lines of one kind in an interval."""
INTERVAL = 10.0


class LineFormatter(logging.Formatter):
    """Write `time=... level=... logger=... message=...`, and the values of `extra={"values": {...}}`."""

    converter = time.gmtime  # type: ignore[assignment]

    def format(self, record: logging.LogRecord) -> str:
        moment = self.formatTime(record, "%Y-%m-%dT%H:%M:%S") + f".{int(record.msecs):03}Z"
        values = {"message": record.getMessage(), **getattr(record, "values", {})}
        if record.exc_info:
            values["error"] = self.formatException(record.exc_info)
        written = " ".join(f"{name}={_written(value)}" for name, value in values.items())
        return f"time={moment} level={record.levelname.lower()} logger={record.name} {written}"


def _written(value: object) -> str:
    text = str(value)
    return text if text and all(c.isalnum() or c in "._-/:*" for c in text) else json.dumps(text, ensure_ascii=False)


class Throttle(logging.Filter):
    """Drop lines of a kind (the place in the code that writes them) that come too often; say how many."""

    def __init__(
        self, most: int = MOST, interval: float = INTERVAL, *, now: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._most, self._interval, self._now = most, interval, now
        self._seen: dict[tuple[str, int, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno <= logging.INFO:
            return True  # asked for, and limited by the rate of requests
        kind = (record.pathname, record.lineno, record.name)
        since, count = self._seen.get(kind, (self._now(), 0))
        if self._now() - since >= self._interval:
            dropped = count - self._most
            if dropped > 0:
                record.msg, record.args = f"{record.getMessage()} ({dropped} more like this were not logged)", None
            since, count = self._now(), 0
        self._seen[kind] = (since, count + 1)
        return count < self._most


def set_up(level: int) -> None:
    """Log to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(LineFormatter())
    handler.addFilter(Throttle())
    logging.basicConfig(level=level, handlers=[handler])
