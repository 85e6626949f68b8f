"""Balanced openings: those of the package, the search for them, files that grow, and matches that start from them."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from awale import Game
from awale.arena import MatchPlan
from awale.arena.openings import (
    BALANCED,
    NODES,
    SHIPPED,
    WITHIN,
    Opening,
    balanced,
    candidates,
    from_file,
    in_turn,
    shipped,
    shipped_file,
)
from awale.cli import main
from awale.rules import get
from awale.search.engine import SearchEngine
from awale.search.limits import Limit

QUICK = ["--plies", "2", "--nodes", "500", "--within", "2"]


@pytest.mark.parametrize("rules", sorted(file.stem for file in SHIPPED.iterdir()))
def test_the_openings_of_the_package_are_legal_and_distinct(rules: str) -> None:
    system = get(rules)
    games = [opening.game(system) for opening in shipped(system)]
    assert len(games) == (1 if rules == "ghana4" else 300)
    assert len({(game.board, game.scores, game.turn) for game in games}) == len(games)
    assert not any(game.over for game in games)


@pytest.mark.slow
@pytest.mark.parametrize("rules", sorted(file.stem for file in SHIPPED.iterdir()))
def test_the_openings_of_the_package_are_even(rules: str) -> None:
    system = get(rules)
    engine = SearchEngine(system)
    suite = shipped(system)
    for opening in random.Random(1).sample(suite, min(40, len(suite))):
        engine.clear()
        value = engine.analyse(opening.game(system), Limit(nodes=NODES), prove=False).value
        assert abs(value.seeds) <= WITHIN, opening


def test_candidates_against_plain_enumeration() -> None:
    system = get("abapa")
    seen = set()
    for moves in itertools.product(range(6), repeat=3):
        game = Game(system)
        for pit in moves:
            legal = [move for move in game.legal_moves if move.pit % 6 == pit]
            if not legal:
                break
            game.push(legal[0])
        else:
            seen.add(game.position)
    found = [game.position for game in candidates(system, 3, seed=1)]
    assert len(found) == len(set(found))
    assert set(found) == seen
    assert found == [game.position for game in candidates(system, 3, seed=1)]
    assert found != [game.position for game in candidates(system, 3, seed=2)]


def test_balanced_openings_are_what_the_engine_says() -> None:
    system = get("abapa")
    suite = list(balanced(system, 2, within=0.5, nodes=300))
    engine = SearchEngine(system)
    near = set()
    for game in candidates(system, 2, seed=1):
        engine.clear()
        if abs(engine.analyse(game, Limit(nodes=300), prove=False).value.seeds) <= 0.5:
            near.add(game.position)
    assert {opening.game(system).position for opening in suite} == near
    assert list(balanced(system, 2, within=0.5, nodes=300, count=2)) == suite[:2]


def test_an_interrupted_file_of_openings_ends_as_without_a_break(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, cut = tmp_path / "whole.txt", tmp_path / "cut.txt"
    assert main(["openings", *QUICK, "--count", "6", "--out", str(whole)]) == 0
    text = whole.read_text()
    assert text.count("\n") == 7
    for written in (len(text), len(text) - 30, 10):
        cut.write_text(text[:written])
        assert main(["openings", *QUICK, "--count", "6", "--out", str(cut)]) == 0
        assert cut.read_text() == text
    assert capsys.readouterr().err.splitlines()[0].startswith("6 of the ")
    assert len(from_file(cut, get("abapa"))) == 6
    assert main(["openings", *QUICK, "--count", "5", "--out", str(cut)]) == 2
    assert "first line" in capsys.readouterr().err


def test_matches_start_from_balanced_openings_and_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    plan = MatchPlan("random", "random", rules="ghana", games=8)
    suite = {opening.moves for opening in shipped(get("ghana"))}
    assert plan.openings == BALANCED
    assert {job.opening for job in plan.jobs()} <= suite
    assert len({job.opening for job in plan.jobs()}) == 4
    other = MatchPlan("random", "random", rules="ghana", games=8, seed=2)
    assert [job.opening for job in other.jobs()] != [job.opening for job in plan.jobs()]
    assert main(["match", "greedy", "random", "--games", "2", "--concurrency", "1", "--quiet"]) == 0
    assert capsys.readouterr().out.startswith("abapa: 2 of 2 games from balanced openings\n")


def test_other_rules_have_random_openings(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\nbase = "abapa"\nseeds = 3\n')
    plan = MatchPlan("random", "random", rules=str(file), games=2)
    assert plan.openings == "plies=4"
    assert plan.openings_text("en") == "from 4 random moves"


def test_a_long_match_does_not_repeat_its_openings() -> None:
    system = get("abapa")
    suite = shipped(system)
    found = list(itertools.islice(in_turn(suite, system, 1), 3 * len(suite)))
    assert set(found[: len(suite)]) == {Opening(None, opening.moves) for opening in suite}
    assert len({opening.game(system).position for opening in found}) > 2.8 * len(suite)
    assert max(len(opening.moves) for opening in found) == 8


def test_the_journal_of_other_openings_is_another_match() -> None:
    import hashlib

    signature = MatchPlan("random", "random", games=2).signature()
    assert signature["openings"] == hashlib.sha256(shipped_file(get("abapa")).read_bytes()).hexdigest()
