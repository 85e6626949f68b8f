"""The clocks of a game, wherever it is played."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awale import i18n
from awale.clock import Clock, reading
from awale.errors import AwaleError


class Time:
    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


def test_a_clock_runs_only_for_the_side_to_move() -> None:
    time = Time()
    clock = Clock(60, 5, now=time)
    clock.moved(0, 1)  # the first move is free, and starts the other's clock
    assert clock.left == [60, 60]
    time.at += 10
    assert (clock.remaining(0), clock.remaining(1)) == (60, 50)
    clock.moved(1, 0)
    assert clock.left[1] == 55
    time.at += 100
    assert clock.remaining(0) == 0
    clock.run(None)
    time.at += 1000
    assert clock.left == [0, 55]


def test_a_stored_clock_stands_still_until_the_game_goes_on() -> None:
    time = Time()
    clock = Clock(60, 0, now=time)
    clock.run(1)
    time.at += 20
    again = Clock.from_json(clock.as_json())
    assert (again.left, again.running) == ([60, 40], None)


NO_CLOCKS = ["", "5+", "s", "0s", "99999s", "5 m", "+3", "0+3", "999+0", "5+999", "-1+2", "5+3+1", "x" * 1000, "٥+٣"]


@pytest.mark.parametrize("text", NO_CLOCKS)
def test_what_is_no_clock(text: str) -> None:
    with pytest.raises(AwaleError):
        Clock.read(text)


@given(st.integers(1, 180), st.integers(0, 180))
def test_a_clock_reads_what_it_writes(minutes: int, increment: int) -> None:
    clock = Clock.read(f"{minutes}+{increment}")
    assert clock.text() == f"{minutes}+{increment}"


def test_a_time_for_each_move_is_not_saved_up() -> None:
    time = Time()
    clock = Clock.read("30s")
    clock.now = time
    clock.moved(0, 1)
    time.at += 20
    assert clock.remaining(1) == 10
    assert clock.flag is None
    clock.moved(1, 0)
    assert clock.left == [30, 30]
    time.at += 30
    assert clock.flag == 0


def test_taking_back_gives_the_time_back() -> None:
    time = Time()
    clock = Clock(60, 0, now=time)
    clock.run(0)
    time.at += 100
    assert clock.flag == 0
    clock.set((50.0, 40.0))
    assert clock.flag is None
    clock.run(1)
    time.at += 1
    assert (clock.remaining(0), clock.remaining(1)) == (50, 39)


@pytest.mark.parametrize("text", ["5+3", "0.5+0", "30s", "1.5s", "180+180"])
def test_a_clock_in_a_file(text: str) -> None:
    time = Time()
    clock = Clock.read(text)
    clock.now = time
    clock.run(1)
    time.at += 1.25
    again = Clock.from_tags(clock.as_tags())
    assert again is not None
    assert again.text() == text
    assert again.running is None
    assert again.left == pytest.approx([clock.remaining(0), clock.remaining(1)], abs=0.06)
    assert Clock.from_json(clock.as_json()).text() == text


@pytest.mark.parametrize("said", ["", "?", "-", "40/9000", "*60", "0+1", "99999+0", "5m"])
def test_files_may_speak_of_clocks_that_are_not_known_here(said: str) -> None:
    assert Clock.from_tags({"TimeControl": said, "SouthClock": "nonsense"}) is None


def test_minutes_alone_and_refusals_in_both_languages() -> None:
    assert Clock.read("5").text() == "5+0"
    for language in i18n.LANGUAGES:
        with pytest.raises(AwaleError) as caught:
            Clock.read("soon")
        assert "5+3" in str(caught.value), language


@given(st.floats(0, 40_000))
def test_a_reading_never_promises_more_than_there_is(seconds: float) -> None:
    parts = [float(part) for part in reading(seconds).split(":")]
    told = sum(part * 60**place for place, part in enumerate(reversed(parts)))
    assert seconds - 1 < told <= seconds + 0.01
