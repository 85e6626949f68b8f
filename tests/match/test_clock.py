"""The clock of a match, whose time is always given."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awale import i18n
from awale.match import Clock, TimeControl, TimeControlError, format_time


def test_only_one_side_uses_time() -> None:
    clock = Clock(TimeControl(60, 5))
    clock.moved(0, now=100)  # it did not run, so there is no increment
    clock.run(1, now=100)
    assert clock.left == [60, 60]
    assert (clock.remaining(0, 110), clock.remaining(1, 110)) == (60, 50)
    clock.moved(1, now=110)
    assert clock.left[1] == 55
    clock.run(0, now=110)
    assert clock.remaining(0, 210) == 0
    clock.run(None, now=210)
    assert clock.left == [0, 55]


def test_a_stored_clock_stands() -> None:
    clock = Clock(TimeControl(60))
    clock.run(1, now=0)
    again = Clock.from_json(clock.as_json(now=20))
    assert (again.left, again.running) == ([60, 40], None)


@pytest.mark.parametrize(
    "text",
    ["", "5+", "s", "0s", "99999s", "5 m", "+3", "0+3", "999+0", "5+999", "-1+2", "5+3+1", "x" * 1000, "٥+٣", "1e3"],
)
def test_what_is_no_time_control(text: str) -> None:
    with pytest.raises(TimeControlError):
        TimeControl.parse(text)


@given(st.integers(1, 180), st.integers(0, 180))
def test_a_time_control_reads_what_it_writes(minutes: int, increment: int) -> None:
    assert str(TimeControl.parse(f"{minutes}+{increment}")) == f"{minutes}+{increment}"


def test_a_time_per_move_is_not_saved_up() -> None:
    clock = Clock(TimeControl.parse("30s"))
    clock.run(1, now=0)
    assert clock.remaining(1, 20) == 10
    assert clock.flagged(20) is None
    clock.moved(1, now=20)
    assert clock.left == [30, 30]
    clock.run(0, now=20)
    assert clock.flagged(50) == 0


@pytest.mark.parametrize("text", ["5+3", "0.5+0", "30s", "1.5s", "180+180"])
def test_a_clock_in_a_file(text: str) -> None:
    clock = Clock(TimeControl.parse(text))
    clock.run(1, now=0)
    again = Clock.from_tags(clock.as_tags(now=1.25))
    assert again is not None
    assert str(again.control) == text
    assert again.running is None
    assert again.left == pytest.approx([clock.remaining(0, 1.25), clock.remaining(1, 1.25)], abs=0.06)
    assert str(Clock.from_json(clock.as_json(0)).control) == text


@pytest.mark.parametrize("tag", ["", "?", "-", "40/9000", "*60", "0+1", "99999+0", "5m"])
def test_unknown_time_controls_of_files_are_left_alone(tag: str) -> None:
    assert Clock.from_tags({"TimeControl": tag, "SouthClock": "nonsense"}) is None


def test_minutes_alone_and_refusals_in_both_languages() -> None:
    assert str(TimeControl.parse("5")) == "5+0"
    with pytest.raises(TimeControlError) as caught:
        TimeControl.parse("soon")
    for language in i18n.LANGUAGES:
        assert "5+3" in caught.value.sentence(language)


@given(st.floats(0, 40_000))
def test_a_shown_time_is_never_more_than_there_is(seconds: float) -> None:
    parts = [float(part) for part in format_time(seconds).split(":")]
    shown = sum(part * 60**place for place, part in enumerate(reversed(parts)))
    assert seconds - 1 < shown <= seconds + 0.01
