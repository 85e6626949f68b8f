"""Waiting for events that other processes and threads bring about."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

GUARD = 240.0
"""Seconds after which a wait counts as hung. A busy machine must not reach it: no test measures speed by it."""
T = TypeVar("T")


def until(happened: Callable[[], T]) -> T:
    """Poll until a condition is truthy and return its value."""
    deadline = time.monotonic() + GUARD
    while not (found := happened()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
    return found
