"""Every preset has its golden files, and the library still plays what they say."""

from __future__ import annotations

import json

import pytest

from awale import Game
from awale.rules import get, names, reference
from scripts import golden


def missing(path: object) -> str:
    return f"{path} is missing: run .venv/bin/python {golden.COMMAND}, read what it wrote, and commit it"


@pytest.mark.parametrize("name", names())
def test_perft(name: str) -> None:
    path = golden.perft_path(name)
    assert path.exists(), missing(path)
    assert path.read_text(encoding="utf-8") == golden.perft_text(get(name))


@pytest.mark.parametrize("name", names())
def test_playthrough(name: str) -> None:
    path = golden.playthrough_path(name)
    assert path.exists(), missing(path)
    assert path.read_text(encoding="utf-8").splitlines() == golden.playthrough_text(get(name)).splitlines()


def test_no_golden_file_is_left_over() -> None:
    kept = {p.stem for folder in ("perft", "playthroughs") for p in (golden.DATA / folder).iterdir()}
    assert kept == set(names())


@pytest.mark.parametrize("name", names())
def test_the_playthrough_is_a_game_that_can_be_played_again(name: str) -> None:
    last = golden.playthrough_path(name).read_text(encoding="utf-8").splitlines()[-1]
    game = eval(last, {"Game": Game})
    assert game.over
    assert repr(game) == last


def test_the_perft_figures_of_international_oware() -> None:
    rules = get("abapa")
    found = [reference.perft(rules, reference.start(rules), depth) for depth in range(8)]
    assert found == [1, 6, 36, 190, 1014, 5219, 27332, 139157]


@pytest.mark.slow
def test_the_deeper_perft_figures_of_international_oware() -> None:
    rules = get("abapa")
    found = [reference.perft(rules, reference.start(rules), depth) for depth in (8, 9)]
    assert found == [711414, 3592872]


def test_perft_of_a_finished_position_is_nothing() -> None:
    over = Game.from_position("0-0-0-0-0-0-0-0-0-0-0-0-30-18-S")
    assert over.over
    assert [reference.perft(over.rules, over.state, depth) for depth in range(3)] == [1, 0, 0]


def test_perft_files_are_read_by_others_too() -> None:
    """The kernels' tests read them: a list of positions, each with its counts from depth 1 on."""
    for name in names():
        data = json.loads(golden.perft_path(name).read_text(encoding="utf-8"))
        assert data["rules"] == name
        assert data["version"] == get(name).version
        for entry in data["positions"]:
            assert Game.from_position(entry["position"], name).position == entry["position"]
            assert entry["perft"]
