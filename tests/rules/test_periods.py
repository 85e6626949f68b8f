"""An endless sowing is recognised when its board comes back rotated; the period is still the exact one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from awale import Game
from awale.rules.reference import Lap, Sown, landings_from, laps, sow_lap, sow_relay


def plain(board: list[int], pit: int) -> tuple[int, int, int | None]:
    """Until it stops, or until the very same board and pit come back."""
    first, laps = (list(board), pit), 0
    while True:
        pit = sow_lap(board, pit, skip_origin=False)[-1]
        laps += 1
        if board[pit] == 1:
            return pit, laps, None
        if (board, pit) == first:
            return pit, laps, laps


@given(st.lists(st.integers(0, 4), min_size=2, max_size=12).filter(lambda b: len(b) % 2 == 0 and sum(b)), st.data())
def test_the_period_is_the_true_one(board: list[int], data: st.DataObject) -> None:
    pit = data.draw(st.sampled_from([i for i, seeds in enumerate(board) if seeds]))
    slow, fast = list(board), list(board)
    expected = plain(slow, pit)
    assert sow_relay(fast, pit)[:3] == expected
    assert slow == fast
    sown = Sown(tuple(fast), Lap(pit, landings_from(pit, board[pit], len(board), False)), *expected)
    walked = list(laps(tuple(board), sown))
    assert len(walked) == expected[1]
    assert [lap.pit for lap in walked] == [pit, *(lap.landings[-1] for lap in walked[:-1])]
    assert walked[-1].landings[-1] == expected[0]


def test_all_laps_of_a_short_period_are_recorded() -> None:
    trace = Game("ghana4", start="1-2-0-2-0-0-S").trace("2")
    assert trace.period == trace.lap_count == len(trace.laps) == 8
