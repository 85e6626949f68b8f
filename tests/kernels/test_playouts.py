"""Random games: reproducible, the same for any number of threads, and true games under the rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from awale import Game
from awale.errors import AwaleError
from awale.kernels.playouts import Playouts, playout_game, playouts
from awale.rules import all_rules

NAMES = [rules.name for rules in all_rules()] + ["abapa:pits=9,seeds=2", "ghana:pits=7,seeds=2"]


def counts(result: Playouts) -> Playouts:
    return replace(result, threads=0, seconds=0.0)


@pytest.mark.parametrize("name", NAMES)
def test_any_number_of_threads_plays_the_same_games(name: str) -> None:
    game = Game(name)
    one = playouts(game, 300, seed=5, threads=1, limit=300)
    assert counts(playouts(game, 300, seed=5, threads=2, limit=300)) == counts(one)
    assert counts(playouts(game, 300, seed=5, threads=7, limit=300)) == counts(one)
    assert playouts(game, 300, seed=6, threads=2, limit=300).plies != one.plies


@pytest.mark.parametrize("name", NAMES)
def test_the_sums_are_those_of_the_games(name: str) -> None:
    start = Game(name)
    games = [playout_game(start, number, seed=9, limit=150) for number in range(40)]
    result = playouts(start, 40, seed=9, threads=2, limit=150)
    outcomes = [outcome for game in games if (outcome := game.outcome()) is not None]
    winners = Counter(outcome.winner for outcome in outcomes)
    assert result.plies == sum(game.ply for game in games)
    assert result.longest == max(game.ply for game in games)
    assert (result.south_wins, result.north_wins, result.draws) == (winners[0], winners[1], winners[None])
    assert result.unfinished == 40 - len(outcomes)
    assert result.reasons == Counter(outcome.reason for outcome in outcomes)
    assert result.south_seeds == sum(outcome.scores[0] for outcome in outcomes)
    assert result.north_seeds == sum(outcome.scores[1] for outcome in outcomes)


@pytest.mark.parametrize("name", ["abapa", "awari"])
def test_a_position_that_comes_back_ends_a_game(name: str) -> None:
    start = Game(name, start="0-0-0-0-1-0-0-0-0-0-1-0-20-20-S")
    result = playouts(start, 500, seed=1)
    assert result.reasons["repetition"] > 50
    assert result.unfinished == 0


def test_a_game_that_nothing_ends_is_cut_and_said_to_be_unfinished() -> None:
    start = Game("casabianca", start="0-0-0-0-1-0-0-0-0-0-1-0-20-20-S")
    result = playouts(start, 50, seed=1, limit=80)
    assert result.unfinished > 0
    assert result.longest == 80
    assert result.south_wins + result.north_wins + result.draws + result.unfinished == 50


def test_moves_are_equally_likely() -> None:
    first = Counter(str(playout_game(Game("abapa"), number, seed=2).moves[0]) for number in range(1200))
    assert set(first) == set("ABCDEF")
    assert all(140 < count < 260 for count in first.values())  # 200 expected, one in a million beyond


def test_json_has_the_whole_story() -> None:
    data = playouts(Game("upsti"), 64, seed=3, threads=2).as_dict()
    assert data["games"] == data["south_wins"] + data["north_wins"] + data["draws"] + data["unfinished"] == 64
    assert sum(data["reasons"].values()) == 64
    assert data["mean_plies"] == pytest.approx(data["plies"] / 64, abs=1e-4)
    assert {"rules", "start", "seed", "ply_limit", "threads", "seconds", "plies_per_second"} <= set(data)


@pytest.mark.parametrize("wrong", [{"games": 0}, {"threads": 0}, {"seed": -1}, {"seed": 2**63}, {"limit": 0}], ids=str)
def test_senseless_numbers_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(AwaleError, match=next(iter(wrong))):
        playouts(Game("abapa"), **({"games": 10} | wrong))


def test_no_game_starts_where_it_is_over() -> None:
    with pytest.raises(AwaleError, match="over"):
        playouts(Game("abapa", start="4-4-4-4-0-0-0-0-0-0-0-0-32-0-S"), 10)
