"""How much time the work of each owner has taken lately: whoever has used the least is next."""

from __future__ import annotations

import time
from collections.abc import Callable

HALF_LIFE = 30.0
"""Seconds after which time used by an owner counts half."""


class Usage:
    """The time that owners' jobs have taken lately."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._used: dict[str, tuple[float, float]] = {}

    def of(self, owner: str) -> float:
        used, at = self._used.get(owner, (0.0, 0.0))
        return float(used * 0.5 ** ((self._now() - at) / HALF_LIFE))

    def add(self, owner: str, seconds: float) -> None:
        self._used[owner] = (self.of(owner) + seconds, self._now())
        if len(self._used) > 10_000:
            self._used = {other: used for other, used in self._used.items() if self.of(other) > 0.01}
