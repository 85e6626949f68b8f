"""Time controls and the clock of a match. Every call carries the current time in seconds; no clock is read here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from awale import i18n
from awale.errors import AwaleError
from awale.players.base import PlayerClock

MAX_MINUTES = 180
MAX_INCREMENT = 180
_NUMBER = r"[0-9]{1,5}(?:\.[0-9]{1,4})?"


class TimeControlError(AwaleError):
    """A time control that cannot be read, or that is out of bounds."""


def format_time(seconds: float) -> str:
    """Return a time as clocks show it: `1:05:00`, `4:31`, tenths in the last ten seconds; never rounded up.

    >>> format_time(271.9), format_time(3900), format_time(9.96), format_time(0.04)
    ('4:31', '1:05:00', '9.9', '0.0')
    """
    tenths = int(max(0.0, seconds) * 10 + 1e-6)
    if tenths < 100:
        return f"{tenths // 10}.{tenths % 10}"
    minutes, rest = divmod(tenths // 10, 60)
    return f"{minutes}:{rest:02}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A base time with an increment after each move, or a fixed time per move.

    >>> TimeControl.parse("5+3"), str(TimeControl.parse("30s"))
    (TimeControl(base=300.0, increment=3.0, per_move=False, margin=0.0), '30s')
    """

    base: float
    """Seconds for the whole game, or for each move."""
    increment: float = 0.0
    per_move: bool = False
    margin: float = 0.0
    """Exceeding the time by no more than this does not lose: programs on a busy machine need it."""

    @classmethod
    def parse(cls, text: str, *, margin: float = 0.0) -> Self:
        """Read `5+3` (minutes, and seconds added per move), `5` (minutes) or `30s` (seconds per move)."""
        pattern = rf"\s*(?:({_NUMBER})\s*s|({_NUMBER})\s*(?:\+\s*({_NUMBER}))?)\s*"
        found = re.fullmatch(pattern, text, re.ASCII | re.IGNORECASE)
        if found is None:
            raise TimeControlError(i18n.message("clock.bad", text=text[:20]))
        per_move, minutes, increment = found.groups()
        base = float(per_move) if per_move else 60 * float(minutes)
        control = cls(base, float(increment or 0), per_move is not None, margin)
        control.check()
        return control

    def check(self) -> None:
        """Raise if the times are out of bounds."""
        if not 0 < self.base <= MAX_MINUTES * 60 or self.increment > MAX_INCREMENT:
            raise TimeControlError(i18n.message("clock.limits", minutes=MAX_MINUTES, seconds=MAX_INCREMENT))

    def __str__(self) -> str:
        return f"{self.base:g}s" if self.per_move else f"{self.base / 60:g}+{self.increment:g}"

    @property
    def tag(self) -> str:
        """The PGN-style tag `TimeControl`: `300+3` in seconds, `1/30` for thirty seconds per move."""
        return f"1/{self.base:g}" if self.per_move else f"{self.base:g}+{self.increment:g}"

    @classmethod
    def from_tag(cls, tag: str) -> Self | None:
        """Read what `tag` writes; None if it is something else."""
        if found := re.fullmatch(rf"1/({_NUMBER})", tag, re.ASCII):
            control = cls(float(found[1]), per_move=True)
        elif found := re.fullmatch(rf"({_NUMBER})(?:\+({_NUMBER}))?", tag, re.ASCII):
            control = cls(float(found[1]), float(found[2] or 0))
        else:
            return None
        try:
            control.check()
        except TimeControlError:
            return None
        return control


@dataclass(slots=True)
class Clock:
    """What each side has left. At most one side's time runs."""

    control: TimeControl
    left: list[float] = field(default_factory=list)
    running: int | None = None
    _since: float = 0.0
    north: TimeControl | None = None
    """North's time control, where it is another than South's."""

    def __post_init__(self) -> None:
        self.left = self.left or [self.of(0).base, self.of(1).base]

    def of(self, side: int) -> TimeControl:
        """Return the time control of a side."""
        return self.north if side == 1 and self.north is not None else self.control

    def copy(self) -> Self:
        return type(self)(self.control, self.left.copy(), self.running, self._since, self.north)

    def balance(self, side: int, now: float) -> float:
        """Return what a side has left, below zero once the time is exceeded."""
        return self.left[side] - (now - self._since if self.running == side else 0.0)

    def remaining(self, side: int, now: float) -> float:
        """Return what a side has left, as a clock shows it."""
        return max(0.0, self.balance(side, now))

    def rounded(self, now: float) -> tuple[float, float]:
        """Return what South and North have left, in milliseconds: as it is kept and sent."""
        return round(self.remaining(0, now), 3), round(self.remaining(1, now), 3)

    def run(self, side: int | None, now: float) -> None:
        """Let a side's time run, or nobody's."""
        if side == self.running:
            return
        if self.running is not None:
            self.left[self.running] = self.remaining(self.running, now)
        self.running, self._since = side, now

    def moved(self, side: int, now: float) -> None:
        """Stop the time of a side that has moved, and add its increment."""
        ran = self.running == side
        self.run(None, now)
        for player in (0, 1):
            if self.of(player).per_move:
                self.left[player] = self.of(player).base
        if ran and not self.of(side).per_move:
            self.left[side] += self.of(side).increment

    def flagged(self, now: float) -> int | None:
        """Return the side whose time is up, beyond the margin."""
        side = self.running
        return side if side is not None and self.balance(side, now) <= -self.of(side).margin else None

    def for_player(self, side: int, now: float) -> PlayerClock:
        """Return the clock as the player of a side is told of it."""
        if self.of(side).per_move:
            return PlayerClock(move=self.remaining(side, now))
        left, other = self.remaining(side, now), self.remaining(1 - side, now)
        return PlayerClock(left=left, increment=self.of(side).increment, opponent_left=other)

    # -- files and the store ----------------------------------------------------------------------------------------

    def as_json(self, now: float) -> dict[str, Any]:
        return {
            "start": self.control.base,
            "increment": self.control.increment,
            "each_move": self.control.per_move,
            "left": self.rounded(now),
            "running": self.running,
        }

    @classmethod
    def from_json(cls, state: Mapping[str, Any]) -> Self:
        """Restore a stored clock. It stands until the match goes on."""
        each_move = bool(state.get("each_move", False))
        control = TimeControl(float(state["start"]), float(state["increment"]), each_move)
        return cls(control, [float(seconds) for seconds in state["left"]])

    def as_tags(self, now: float) -> dict[str, str]:
        """Return the tags of an OGN file: the time control and what is left."""
        left = [f"{self.remaining(side, now):.1f}" for side in (0, 1)]
        return {"TimeControl": self.control.tag, "SouthClock": left[0], "NorthClock": left[1]}

    @classmethod
    def from_tags(cls, tags: Mapping[str, str]) -> Self | None:
        """Read what `as_tags` writes; None if a file has no clock, or an unknown one."""
        control = TimeControl.from_tag(tags.get("TimeControl", ""))
        if control is None:
            return None
        clock = cls(control)
        for side, name in enumerate(("SouthClock", "NorthClock")):
            if re.fullmatch(_NUMBER, left := tags.get(name, ""), re.ASCII):
                clock.left[side] = float(left)
        return clock
