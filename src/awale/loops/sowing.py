"""One sowing, followed to its end or through its period."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from awale.errors import PositionError
from awale.i18n import text
from awale.kernels import convert
from awale.rules import get, positions
from awale.rules.description import MAX_PITS, MAX_SEEDS
from awale.rules.reference import Position, sow_lap

FEW = 40
"""The most boards to show."""


class Sowing(NamedTuple):
    """The course of a sowing."""

    board: tuple[int, ...]
    pit: int
    """Counted from 0."""
    laps: int
    """To the end; the period, if it is endless."""
    endless: bool
    last: int
    """The pit of the last seed."""
    after: tuple[int, ...]
    """The board after the sowing (before any capture); the same as before if it is endless."""
    boards: tuple[tuple[tuple[int, ...], int], ...]
    """Board and pit after each lap, if they are few."""

    @property
    def period(self) -> int | None:
        return self.laps if self.endless else None

    def as_dict(self) -> dict[str, Any]:
        return {
            "board": list(self.board),
            "pit": self.pit + 1,
            "endless": self.endless,
            "period": self.period,
            "laps": self.laps,
            "last": self.last + 1,
            "after": list(self.after),
            "boards": [{"board": list(board), "pit": pit + 1} for board, pit in self.boards],
        }


def read_board(written: str) -> tuple[int, ...]:
    """Return a board from its counts joined by `-`, or from a whole position, whose stores and side are ignored.

    >>> read_board("1-2-0-2")
    (1, 2, 0, 2)
    >>> read_board("1-2-0-2-3-4-S")
    (1, 2, 0, 2)
    """
    parts = [part for part in written.strip().split("-") if part.strip()] if len(written) <= positions.MAX_TEXT else []
    whole = bool(parts) and not parts[-1].strip().isdigit()
    holes = len(parts) - 3 if whole else len(parts)
    if holes < 2 or holes % 2 or holes > 2 * MAX_PITS:
        raise PositionError(text("loops.refused.board", most=2 * MAX_PITS))
    rules = get(f"ghana:pits={holes // 2},seeds=1")
    board = positions.read(rules, written if whole else f"{written.strip()}-0-0-S").board
    return tuple(int(seeds) for seeds in board if isinstance(seeds, int))


def follow(board: Sequence[int], pit: int, *, wait: Callable[[], None] | None = None, few: int = FEW) -> Sowing:
    """Sow `pit` (counted from 0) on `board` until it ends or repeats.

    `wait` is called every 0.2 s meanwhile, and may raise.

    >>> follow((1, 2, 0, 2), 1).period
    8
    """
    board = tuple(board)
    holes = len(board)
    if holes < 2 or holes % 2 or holes > 2 * MAX_PITS:
        raise PositionError(text("loops.refused.board", most=2 * MAX_PITS))
    if sum(board) > MAX_SEEDS or min(board) < 0:
        raise PositionError(text("loops.refused.seeds", most=MAX_SEEDS))
    if not 0 <= pit < holes:
        raise PositionError(text("loops.refused.pit", pit=pit + 1, most=holes))
    if board[pit] == 0:
        raise PositionError(text("loops.refused.empty", pit=pit + 1))
    rules = get(f"ghana:pits={holes // 2},seeds=1")
    kernel = convert.kernel_for(rules)
    packed = convert.pack_rules(rules)
    state = kernel.pack(rules, Position(board, (0, 0), 0, 0))
    words = state[: state._fields.index("turn")]
    results: list[Any] = []
    worker = threading.Thread(target=lambda: results.append(kernel.sow(packed, *words, pit)), daemon=True)
    worker.start()
    while worker.is_alive():
        worker.join(0.2)
        if wait is not None and worker.is_alive():
            wait()
    *after, last, laps, endless = results[0]
    ended = kernel.unpack(rules, state._replace(**dict(zip(state._fields, after, strict=False))))
    return Sowing(
        board=board,
        pit=pit,
        laps=int(laps),
        endless=bool(endless),
        last=int(last),
        after=tuple(ended.board),
        boards=_boards(board, pit, int(laps)) if laps <= few else (),
    )


def _boards(board: tuple[int, ...], pit: int, laps: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    now = list(board)
    found: list[tuple[tuple[int, ...], int]] = []
    for _ in range(laps):
        pit = sow_lap(now, pit, skip_origin=False)[-1]
        found.append((tuple(now), pit))
    return tuple(found)
