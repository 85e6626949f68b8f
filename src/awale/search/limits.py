"""What bounds a search. Nothing here loads the compiler."""

from __future__ import annotations

from dataclasses import dataclass

from awale.errors import AwaleError, RulesError
from awale.i18n import message
from awale.rules.description import Rules

MAX_DEPTH = 64
DEFAULT_HASH_MB = 32
SOLVED_PITS = 6
"""Pits of a side on the largest board whose relay game can be proven: one word holds a side."""
_RANGES = {
    "time": (0, 10_000_000),
    "depth": (1, MAX_DEPTH),
    "nodes": (1, 1 << 62),
    "threads": (1, 256),
    "hash_mb": (0, 1 << 20),
}


def check_range(name: str, value: float | None) -> None:
    """Raise `AwaleError` unless a value is None or in the range of the field `name` of `Limit`."""
    least, most = _RANGES[name]
    if value is not None and not least <= value <= most:
        raise AwaleError(message("search.bad.range", name=name, least=least, most=most, value=value))


def check_rules(rules: Rules) -> None:
    """Raise `RulesError` for rules under which no relay game is proven."""
    if rules.family != "relay":
        raise RulesError(message("solve.refused.family", rules=rules.name))
    if rules.pits > SOLVED_PITS:
        raise RulesError(message("solve.refused.pits", rules=rules.name, most=SOLVED_PITS, pits=rules.pits))
    if rules.move_limit is not None:
        raise RulesError(message("solve.refused.limit", rules=rules.name))


@dataclass(frozen=True, slots=True)
class Limit:
    """What bounds one search; it ends at the first limit reached. Of each None, there is no such limit.

    `threads` and `hash_mb` say with what to search. An engine has its own, given when it is constructed; those here
    replace them, and another size of the transposition table empties it.

    >>> Limit(depth=0)
    Traceback (most recent call last):
    awale.errors.AwaleError: depth: must be from 1 to 64, not 0
    """

    time: float | None = None
    """Seconds."""
    depth: int | None = None
    """Nominal depth of the iterative deepening, in plies."""
    nodes: int | None = None
    """Positions searched, shared by the threads."""
    threads: int | None = None
    hash_mb: float | None = None
    """Megabytes of transposition table."""

    def __post_init__(self) -> None:
        for name in _RANGES:
            check_range(name, getattr(self, name))

    @property
    def unbounded(self) -> bool:
        """Whether nothing here ends a search."""
        return self.time is None and self.depth is None and self.nodes is None
