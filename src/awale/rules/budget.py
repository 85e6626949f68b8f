"""How many laps relays may take before they are refused.

A relay on a large board can run for hours before it stops or repeats. Nobody who reads a position knows that
beforehand, so the reference counts laps, wherever the position comes from: a program, a file, a command or a request.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from awale import i18n
from awale.errors import RulesError, SowingError

VARIABLE = "AWALE_MAX_LAPS"
FEW_LAPS = 1000
"""The smallest budget: about ordinary sowings it need not be asked."""
LAPS = 500_000
"""For the moves of one position: half a second of plain Python."""
PRESET_HOLES, PRESET_SEEDS, PRESET_LAPS = 12, 48, 20_000_000
"""On the presets' boards the longest period is 37,063,020 laps, found after a twelfth of them: all are followed."""


class SowingBudget:
    """Laps for the moves of one position (by default as many as its board needs), and for all positions together.

    `message`: the catalogue's text about a sowing beyond it, with the number of laps as `limit`.
    """

    __slots__ = ("_left", "_message", "_position", "_total")

    def __init__(
        self, position: int | None = None, total: int | None = None, *, message: str = "core.sowing.too-long"
    ) -> None:
        self._position = None if position is None else max(position, FEW_LAPS)
        self._total, self._left, self._message = total, total, message

    def position_laps(self, board: Sequence[int]) -> int:
        """Return the laps allowed for the moves of one position."""
        if self._position is not None:
            return self._position
        return PRESET_LAPS if len(board) <= PRESET_HOLES and sum(board) <= PRESET_SEEDS else LAPS

    def sowing_laps(self, board: Sequence[int]) -> int:
        """Return the laps allowed for a sowing that begins now."""
        laps = self.position_laps(board)
        return laps if self._left is None else min(laps, self._left)

    def charge(self, laps: int) -> None:
        """Take laps from the total."""
        if self._left is not None:
            self._left = max(0, self._left - laps)

    def refusal(self, board: Sequence[int]) -> SowingError:
        """Return the error about sowings beyond the budget."""
        limit = self.position_laps(board)
        if self._left is not None and self._left < limit and self._total is not None:
            limit = max(limit, self._total)
        return SowingError(i18n.message(self._message, limit=i18n.number(limit), variable=VARIABLE))


_budget: ContextVar[SowingBudget | None] = ContextVar("awale_sowing_budget", default=None)


def current() -> SowingBudget:
    """Return the budget in force: that of `sowing_budget`, else `AWALE_MAX_LAPS`, else the usual one."""
    found = _budget.get()
    if found is not None:
        return found
    written = os.environ.get(VARIABLE, "").strip()
    if not written:
        return _USUAL
    if not (written.isascii() and written.isdigit() and len(written) <= 15 and int(written) > 0):
        raise RulesError(i18n.message("core.sowing.variable", variable=VARIABLE, value=written[:40]))
    return SowingBudget(int(written))


_USUAL = SowingBudget()


@contextmanager
def sowing_budget(budget: SowingBudget | int) -> Iterator[SowingBudget]:
    """Allow relays so many laps within a `with` block: for the moves of one position, or as a `SowingBudget` says.

    >>> from awale import Game
    >>> with sowing_budget(1000):
    ...     Game("ghana", start="1-6-3-11-1-0-6-0-4-1-2-11-0-2-N")
    Traceback (most recent call last):
        ...
    awale.errors.SowingError: ...
    """
    chosen = SowingBudget(budget) if isinstance(budget, int) else budget
    token = _budget.set(chosen)
    try:
        yield chosen
    finally:
        _budget.reset(token)
