"""The animation of a move: a board for every seed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import NamedTuple, cast

from awale.game import Trace
from awale.rules import Rules
from awale.rules.reference import BLUE, CLEAR, RED, Board, Hole

ENDLESS_LAPS_SHOWN = 12
SEED_SECONDS = 0.16
"""The longest time for a single seed."""
_COLOURS = {"r": RED, "b": BLUE, "t": CLEAR}


class Frame(NamedTuple):
    """One frame of the animation."""

    board: Board
    pit: int
    """The pit that changes."""
    lap: int
    """Counted from 1; 0 while seeds are captured after the sowing."""
    hand: int
    """Seeds still to be sown."""
    seconds: float
    taken: int = 0


def frames(rules: Rules, board: Board, trace: Trace, pause: float) -> Iterator[Frame]:
    """Yield the frames of a move on this board; each lap lasts about `pause` seconds at most."""
    laps = trace.laps[:ENDLESS_LAPS_SHOWN] if trace.period else trace.laps
    cells: list[list[int]] = [[hole] if isinstance(hole, int) else list(hole) for hole in board]

    def now() -> Board:
        if rules.coloured:
            return cast(tuple[Hole, ...], tuple(tuple(cell) for cell in cells))
        return tuple(cell[0] for cell in cells)

    for number, lap in enumerate(laps, 1):
        seconds = min(SEED_SECONDS, pause / (len(lap.landings) + 1))
        falling = [_COLOURS[colour] for colour in lap.colours.lower()] if rules.coloured else [0] * len(lap.landings)
        for colour in falling:
            cells[lap.pit][colour] -= 1
        yield Frame(now(), lap.pit, number, len(lap.landings), seconds)
        for dropped, (pit, colour) in enumerate(zip(lap.landings, falling, strict=True), 1):
            cells[pit][colour] += 1
            yield Frame(now(), pit, number, len(lap.landings) - dropped, seconds)
    if trace.spared or trace.period:
        return
    taken = 0
    for pit, seeds in trace.captures:
        taken += seeds
        cells[pit] = [0] * len(cells[pit])
        yield Frame(now(), pit, 0, 0, min(2 * SEED_SECONDS, pause / 2), taken)


async def show_frames(
    rules: Rules, board: Board, trace: Trace, pause: float, skip: asyncio.Event, show: Callable[[Frame], None]
) -> None:
    """Show the frames of a move one after the other, until the last or until `skip` is set."""
    for frame in frames(rules, board, trace, pause):
        if skip.is_set():
            return
        show(frame)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(skip.wait(), frame.seconds)
