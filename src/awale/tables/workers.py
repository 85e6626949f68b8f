"""Threads that share the work on a layer. The work is compiled and releases the GIL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Workers:
    """Call a function on each of some items, on several threads; a failure, or the user's interruption, stops them all
    and is raised here."""

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        if self.threads == 1 or len(items) <= 1:
            return [function(item) for item in items]
        with ThreadPoolExecutor(min(self.threads, len(items))) as pool:
            return list(pool.map(function, items))
