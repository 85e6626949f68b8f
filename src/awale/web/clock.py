"""A game's clocks, run by the server. Times are seconds; the page only shows them."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from awale.errors import AwaleError


@dataclass(slots=True)
class Clock:
    """What each side has left. It starts to run with the first move and stands still while the server is down."""

    start: float
    increment: float
    left: list[float] = field(default_factory=list)
    running: int | None = None
    _since: float = 0.0
    now: Callable[[], float] = monotonic

    def __post_init__(self) -> None:
        if not self.left:
            self.left = [self.start, self.start]

    @classmethod
    def read(cls, text: str) -> Clock:
        """`5+3`: five minutes each and three seconds more with every move.

        >>> Clock.read("1.5+2").left
        [90.0, 90.0]
        """
        match = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,2})?)\+([0-9]{1,3})", text.strip())
        if match is None or not match.group().isascii():
            raise AwaleError(f"a clock is written minutes+seconds, as in 5+3, not '{text[:20]}'")
        minutes, increment = float(match[1]), float(match[2])
        if not 0 < minutes <= 180 or increment > 180:
            raise AwaleError("a clock gives up to 180 minutes, and up to 180 seconds with every move")
        return cls(minutes * 60, increment)

    def text(self) -> str:
        return f"{self.start / 60:g}+{self.increment:g}"

    def remaining(self, side: int) -> float:
        used = self.now() - self._since if self.running == side else 0.0
        return max(0.0, self.left[side] - used)

    def run(self, side: int | None) -> None:
        """Let a side's clock run (or none), keeping what the other has."""
        if self.running is not None:
            self.left[self.running] = self.remaining(self.running)
        self.running = side
        self._since = self.now()

    def moved(self, side: int, next_side: int | None) -> None:
        """A side has moved: it gets its increment, and the next one's clock runs."""
        was_running = self.running == side
        self.run(next_side)
        if was_running:
            self.left[side] += self.increment

    def as_json(self) -> dict[str, Any]:
        """For the page and for the store."""
        return {
            "start": self.start,
            "increment": self.increment,
            "left": [round(self.remaining(side), 3) for side in (0, 1)],
            "running": self.running,
        }

    @classmethod
    def from_json(cls, state: dict[str, Any]) -> Clock:
        """As stored; it does not run until the game goes on."""
        return cls(float(state["start"]), float(state["increment"]), [float(x) for x in state["left"]])
