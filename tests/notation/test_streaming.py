"""A file of any length takes the memory of one game."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterator

import pytest

from awale import Game
from awale.notation import GameRecord, read_json, read_ogn, to_json, to_ogn
from tests.notation.strategies import play_on

GAMES = 20_000
MOST_BYTES = 2_000_000


class Sink:
    """A file that forgets what is written to it."""

    def __init__(self) -> None:
        self.size = 0

    def write(self, text: str) -> int:
        self.size += len(text)
        return len(text)


def some_games() -> list[GameRecord]:
    rng = random.Random(0)
    found = []
    for rules in ("abapa", "casabianca", "upsti", "tricolor"):
        game = Game(rules)
        play_on(game, rng, 4)
        found.append(GameRecord.from_game(game, {"South": "Awa", "Event": "a long evening"}))
    return found


def ogn_lines() -> Iterator[str]:
    texts = [to_ogn(record).splitlines(keepends=True) for record in some_games()]
    for number in range(GAMES):
        yield f'[Round "{number}"]\n'
        yield from texts[number % len(texts)]
        yield "\n"


def tagless_lines() -> Iterator[str]:
    for number in range(GAMES):
        yield f"1. F f 2. E {{ {number} }} e 26-20 "


def json_lines() -> Iterator[str]:
    texts = [to_json(record) for record in some_games()]
    for number in range(GAMES):
        yield texts[number % len(texts)]


@pytest.mark.parametrize("form", ["ogn", "no tags", "json"])
def test_memory_does_not_grow(form: str) -> None:
    reading = {
        "ogn": lambda: read_ogn(ogn_lines()),
        "no tags": lambda: read_ogn(tagless_lines()),
        "json": lambda: read_json(json_lines()),
    }[form]()
    for _ in range(200):  # tables and caches are filled
        next(reading)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        count = 200 + sum(1 for _ in reading)
        after, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert count == GAMES
    assert peak - before < MOST_BYTES
    assert after - before < MOST_BYTES / 4


def test_writing_takes_records_as_they_come() -> None:
    from awale.notation import write_json, write_ogn

    for write in (write_ogn, write_json):
        sink = Sink()
        alive = {"now": 0, "most": 0}

        def coming(alive: dict[str, int] = alive) -> Iterator[GameRecord]:
            for record in some_games() * 50:
                alive["now"] += 1
                alive["most"] = max(alive["most"], alive["now"] - alive.get("written", 0))
                yield record
                alive["written"] = alive["now"]

        assert write(coming(), sink) == 200  # type: ignore[arg-type]
        assert alive["most"] == 1
        assert sink.size > 10_000


def test_a_game_is_given_before_the_next_is_read() -> None:
    read = 0

    def coming() -> Iterator[str]:
        nonlocal read
        for text in ('[South "a"]\n', "1. F f *\n", "\n", '[South "b"]\n', "1. F f *\n", "\n"):
            read += 1
            yield text

    games = read_ogn(coming())
    next(games)
    assert read == 3
