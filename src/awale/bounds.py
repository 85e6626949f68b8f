"""Bounds of the final margin, as they are shown and stored."""

from __future__ import annotations

from typing import NamedTuple


def signed(margin: int) -> str:
    """Return a margin with its sign."""
    return f"{margin:+d}" if margin else "0"


class Bounds(NamedTuple):
    """The least and the most that a player is sure to end ahead; equal where the value is known."""

    least: int
    most: int

    @property
    def exact(self) -> bool:
        return self.least == self.most

    def __str__(self) -> str:
        """The value with its sign, or the two bounds: `+3`, `-5..+5`."""
        return signed(self.least) if self.exact else f"{signed(self.least)}..{signed(self.most)}"

    def within(self, total: int) -> str:
        """The same, but one bound alone where the other one says nothing: `≤ -1` of 48 seeds for `-48..-1`."""
        if self == (-total, total) or self.exact:
            return str(self)
        if self.least == -total:
            return f"≤\N{NO-BREAK SPACE}{signed(self.most)}"
        if self.most == total:
            return f"≥\N{NO-BREAK SPACE}{signed(self.least)}"
        return str(self)

    def closer(self, other: Bounds) -> Bounds:
        """Return the bounds that follow from both."""
        return Bounds(max(self.least, other.least), min(self.most, other.most))

    def as_json(self) -> int | list[int]:
        """Return the value, or the two bounds."""
        return self.least if self.exact else [self.least, self.most]


def bounds_of(value: int | list[int]) -> Bounds:
    """Return the bounds that `Bounds.as_json` wrote."""
    return Bounds(value, value) if isinstance(value, int) else Bounds(*value)
