"""Tuning: the weights are found, the same ones however often it was stopped, and say what they are worth."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import pytest

from awale import Game
from awale.classroom.fitting import Sample, columns, fit, measure
from awale.classroom.tune import Settings, Tuned, TuneError, games_of_round, strength, tune, work_file
from awale.cli import main
from awale.players import evaluation_files
from awale.rules import get
from awale.search.linear import names_for

SMALL = Settings("abapa", ("best", "seeds", "ones"), games=8, play_depth=2, label_depth=3)


def test_least_squares_finds_the_weights_that_made_the_values() -> None:
    rules = get("abapa")
    chance = random.Random(2)
    samples = []
    for _ in range(300):
        game = Game(rules)
        for _ in range(chance.randrange(30)):
            if game.over:
                break
            game.push(chance.choice(game.legal_moves))
        if not game.over:
            found = measure(rules, game.state)
            lying = sum(game.counts) / 48
            worth = 0.4 * lying + 0.1 * (1 - lying)
            samples.append(Sample(game.state, worth * found["best"][0] + 0.2 * (found["seeds"][0] - found["seeds"][1])))
    found_fit = fit(rules, samples[:250], samples[250:], ("captured", "best", "seeds"), sided=False)
    weights = found_fit.weighing
    assert weights.mine["best"] == pytest.approx((0.4, 0.1), abs=0.02)
    assert weights.mine["seeds"] == pytest.approx((0.2, 0.2), abs=0.02)
    assert weights.theirs["seeds"] == pytest.approx((-0.2, -0.2), abs=0.02)
    assert weights.mine["captured"] == (1.0, 1.0)
    assert found_fit.explained > 0.99


@pytest.mark.parametrize("rules", ["abapa", "tricolor"])
def test_every_feature_is_measured(rules: str) -> None:
    assert set(measure(get(rules), Game(rules).state)) == set(names_for(get(rules)))


def test_columns() -> None:
    assert len(columns(("best", "seeds"), tapered=True, sided=True)) == 2 + 4
    assert len(columns(("best", "seeds"), tapered=False, sided=False)) == 2


def test_the_rounds_share_the_games() -> None:
    settings = Settings("abapa", games=11, rounds=3)
    assert sum(games_of_round(settings, number) for number in (1, 2, 3)) == 11
    assert games_of_round(settings, 3) >= games_of_round(settings, 1)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Tuned]:
    """A tuning that nobody stopped."""
    work = tmp_path_factory.mktemp("tune") / "whole.work"
    return work, tune(SMALL, work)


def test_it_finds_weights_and_writes_a_file(whole: tuple[Path, Tuned]) -> None:
    _, found = whole
    assert found.weighing.features == ("captured", "seeds", "ones", "best")
    assert found.positions > 20
    assert evaluation_files.parse(found.text("mine")).weighing == found.weighing
    assert evaluation_files.parse(found.text("mine")).rules == "abapa"


def test_stopped_and_started_again_it_finds_the_same(whole: tuple[Path, Tuned], tmp_path: Path) -> None:
    work, found = whole
    lines = work.read_bytes().splitlines(keepends=True)
    assert len(lines) == 9
    part = tmp_path / "part.work"
    # Killed in the middle of a line of the second round.
    part.write_bytes(b"".join(lines[:6]) + lines[6][: len(lines[6]) // 2])
    told = []
    again = tune(SMALL, part, threads=2, tell=told.append)
    assert again.weighing == found.weighing
    assert told[0].done == 4
    assert sorted(part.read_bytes().splitlines()) == sorted(work.read_bytes().splitlines())


def test_a_work_file_of_another_tuning_is_refused(whole: tuple[Path, Tuned], tmp_path: Path) -> None:
    other = tmp_path / "other.work"
    other.write_bytes(whole[0].read_bytes())
    with pytest.raises(TuneError, match="belongs to another tuning run \\('seed' differs\\)"):
        tune(Settings("abapa", SMALL.features, games=8, play_depth=2, label_depth=3, seed=2), other)
    other.write_text("shopping list\n")
    with pytest.raises(TuneError, match="is not a work file"):
        tune(SMALL, other)
    assert other.read_text() == "shopping list\n"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (Settings("abapa", ("red",)), "abapa has no feature 'red'"),
        (Settings("abapa", ("captured",)), "nothing to fit"),
        (Settings("abapa", games=3), "from 4 to"),
        (Settings("abapa", label_depth=40), "from 1 to 20"),
    ],
)
def test_what_cannot_be_tuned_is_refused(settings: Settings, said: str, tmp_path: Path) -> None:
    with pytest.raises(TuneError, match=said):
        tune(settings, tmp_path / "work")
    assert not (tmp_path / "work").exists()


def test_strength_has_error_bars(whole: tuple[Path, Tuned], tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(whole[1].text())
    found = strength(f"eval:{path},2", "random", get("abapa"), games=6, depth=2, seed=1, concurrency=0)
    assert found.games == 6
    assert found.score > 0.8
    assert 0 < found.interval[0] < min(found.score, found.interval[1])
    assert found.interval[1] < 1
    assert found.as_data()["wins"] == found.wins


def test_another_tuning_has_another_work_file(tmp_path: Path) -> None:
    files = {work_file(tmp_path / "tuned.toml", settings) for settings in (SMALL, replace(SMALL, seed=99))}
    assert len(files) == 2


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    command = ["tune", "--features", "best, seeds", "--games", "4", "--rounds", "1", "--play-depth", "2"]
    command += ["--label-depth", "3", "--match-games", "2", "--depth", "2", "--threads", "1", "--out", str(path)]
    assert main([*command, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["features"] == ["captured", "seeds", "best"]
    assert data["strength"]["games"] == 2
    assert data["strength"]["against"] == "eval:material,2"
    text = path.read_text()
    assert evaluation_files.parse(text).rules == "abapa"
    assert "command = " in text
    assert list(tmp_path.iterdir()) == [path]  # no journal or work file is left to block the next tuning
    assert main(["tune", "--out", str(tmp_path / "mine.txt")]) == 2
    assert "--out" in capsys.readouterr().err
