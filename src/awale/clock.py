"""A game's clocks: what each side has left, run by whoever conducts the game. Times are seconds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from awale import i18n
from awale.errors import AwaleError

MOST_SECONDS = 180 * 60
MOST_INCREMENT = 180
_NUMBER = r"[0-9]{1,5}(?:\.[0-9]{1,4})?"


def minutes_and_seconds(text: str) -> tuple[float, float] | None:
    """`5+3` as 300 seconds and 3 more with every move, `5` as 300 and none; None if a text is neither.

    >>> minutes_and_seconds("0.5+2")
    (30.0, 2.0)
    """
    match = re.fullmatch(rf"\s*({_NUMBER})\s*(?:\+\s*({_NUMBER})\s*)?", text)
    return None if match is None or not text.isascii() else (60 * float(match[1]), float(match[2] or 0))


def reading(seconds: float) -> str:
    """Time on a clock as people read it: `1:05:00`, `4:31`, and tenths in the last ten seconds. Never too much.

    >>> reading(271.9), reading(3900), reading(9.96), reading(0.04)
    ('4:31', '1:05:00', '9.9', '0.0')
    """
    tenths = int(max(0.0, seconds) * 10 + 1e-6)
    if tenths < 100:
        return f"{tenths // 10}.{tenths % 10}"
    minutes, rest = divmod(tenths // 10, 60)
    return f"{minutes}:{rest:02}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


@dataclass(slots=True)
class Clock:
    """What each side has left. It starts to run with the first move and stands still while nobody conducts the game."""

    start: float
    increment: float
    left: list[float] = field(default_factory=list)
    running: int | None = None
    _since: float = 0.0
    now: Callable[[], float] = monotonic
    each_move: bool = False
    """Every move has the whole time: nothing is saved up."""

    def __post_init__(self) -> None:
        if not self.left:
            self.left = [self.start, self.start]

    @classmethod
    def read(cls, text: str) -> Clock:
        """`5+3`: five minutes each and three seconds more with every move. `5`: five minutes. `30s`: so long a move.

        >>> Clock.read("1.5+2").left, Clock.read("30s").text()
        ([90.0, 90.0], '30s')
        """
        if match := re.fullmatch(rf"\s*({_NUMBER})\s*s\s*", text, re.ASCII | re.IGNORECASE):
            clock = cls(float(match[1]), 0.0, each_move=True)
        else:
            found = minutes_and_seconds(text)
            if found is None:
                raise AwaleError(i18n.message("clock.bad", text=text[:20]))
            clock = cls(*found)
        if not 0 < clock.start <= MOST_SECONDS or clock.increment > MOST_INCREMENT:
            raise AwaleError(i18n.message("clock.limits", minutes=MOST_SECONDS // 60, seconds=MOST_INCREMENT))
        return clock

    def text(self) -> str:
        """As `read` reads it."""
        return f"{self.start:g}s" if self.each_move else f"{self.start / 60:g}+{self.increment:g}"

    def fresh(self) -> Clock:
        """The same for another game."""
        return Clock(self.start, self.increment, now=self.now, each_move=self.each_move)

    # -- running ---------------------------------------------------------------------------------------------------

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
        if self.each_move:
            self.left = [self.start, self.start]
        elif was_running:
            self.left[side] += self.increment

    def set(self, left: tuple[float, float]) -> None:
        """Moves were taken back: the time is what it was. Whoever conducts the game lets it run again."""
        self.left, self.running = list(left), None

    @property
    def flag(self) -> int | None:
        """Whose time is up."""
        running = self.running
        return running if running is not None and self.remaining(running) <= 0 else None

    # -- kept --------------------------------------------------------------------------------------------------------

    def as_json(self) -> dict[str, Any]:
        """For the page and for the store."""
        return {
            "start": self.start,
            "increment": self.increment,
            "each_move": self.each_move,
            "left": [round(self.remaining(side), 3) for side in (0, 1)],
            "running": self.running,
        }

    @classmethod
    def from_json(cls, state: Mapping[str, Any]) -> Clock:
        """As stored; it does not run until the game goes on."""
        left = [float(seconds) for seconds in state["left"]]
        return cls(
            float(state["start"]), float(state["increment"]), left, each_move=bool(state.get("each_move", False))
        )

    def as_tags(self) -> dict[str, str]:
        """For an OGN file, as PGN writes it: `300+3` in seconds, `1/30` for thirty seconds a move, and what is left."""
        control = f"1/{self.start:g}" if self.each_move else f"{self.start:g}+{self.increment:g}"
        left = [f"{self.remaining(side):.1f}" for side in (0, 1)]
        return {"TimeControl": control, "SouthClock": left[0], "NorthClock": left[1]}

    @classmethod
    def from_tags(cls, tags: Mapping[str, str]) -> Clock | None:
        """What `as_tags` has written; None where a file tells of no clock, or of one that is not known here."""
        said = tags.get("TimeControl", "")
        if match := re.fullmatch(rf"1/({_NUMBER})", said, re.ASCII):
            clock = cls(float(match[1]), 0.0, each_move=True)
        elif match := re.fullmatch(rf"({_NUMBER})(?:\+({_NUMBER}))?", said, re.ASCII):
            clock = cls(float(match[1]), float(match[2] or 0))
        else:
            return None
        if not 0 < clock.start <= MOST_SECONDS or clock.increment > MOST_INCREMENT:
            return None
        for side, name in enumerate(("SouthClock", "NorthClock")):
            left = tags.get(name, "")
            if re.fullmatch(_NUMBER, left, re.ASCII):
                clock.left[side] = float(left)
        return clock
