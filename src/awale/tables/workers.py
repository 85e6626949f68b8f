"""Threads that share the work on a layer. The work is compiled and releases the GIL."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class Workers:
    """Call a function on each of some items, on several threads; the first failure, or the user's interruption, stops
    them all and is raised here."""

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def map(self, function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        if self.threads == 1 or len(items) == 1:
            return [function(item) for item in items]
        results: dict[int, Result] = {}
        failures: list[BaseException] = []
        lock = threading.Lock()
        coming = iter(range(len(items)))

        def work() -> None:
            while not failures:
                with lock:
                    number = next(coming, None)
                if number is None:
                    return
                try:
                    results[number] = function(items[number])
                except BaseException as failure:  # raised by the caller below
                    failures.append(failure)

        helpers = [threading.Thread(target=work, daemon=True) for _ in range(min(self.threads, len(items)) - 1)]
        for helper in helpers:
            helper.start()
        try:
            work()
            for helper in helpers:
                helper.join()
        except BaseException as failure:
            failures.append(failure)
            for helper in helpers:
                helper.join()
        if failures:
            raise failures[0]
        return [results[number] for number in range(len(items))]
