"""What the engine calls proven is true of the game with its history, and no two proofs contradict each other."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

import pytest

from awale import Game, tables
from awale.cores import cores
from awale.rules import get, names
from awale.rules.description import Rules
from awale.search.engine import SearchEngine
from awale.search.limits import Limit
from tests.search import contradictions
from tests.search.contradictions import Asker, agrees, ask_all, endgames, report
from tests.search.naive_solver import FAR, NaiveSolver, TooLargeError

REPEATING = ("abapa", "awari")


def check_with_naive(rules: Rules, games: int, seeds: int, nodes: int) -> int:
    """Compare everything that is claimed with the naive solver; return how many games it could solve."""
    engine = SearchEngine(rules, hash_mb=1)
    chance = random.Random(f"{rules}")
    solved = 0
    for game in islice(endgames(rules, seeds, str(rules)), games):
        found = engine.analyse(game, Limit(depth=chance.choice((3, 8, 12))), every_move=chance.random() < 0.3)
        agrees(found)
        try:
            margins = NaiveSolver(rules, nodes).margins(game)
            distances = NaiveSolver(rules, nodes).distances(game)
        except TooLargeError:
            continue
        solved += 1
        shown = (game.position, [str(move) for move in game.moves], found.value, margins)
        assert found.value.least <= max(margins.values()) <= found.value.most, shown  # type: ignore[operator]
        for move in found.moves:
            assert move.value.least <= margins[move.move] <= move.value.most, shown  # type: ignore[operator]
        if found.value.result is not None and found.moves[0].value.result is not None:
            kept = margins[found.best]
            assert (kept > 0) - (kept < 0) == found.value.result, shown
        if found.value.plies is not None:
            assert FAR - abs(max(distances.values())) == found.value.plies, shown
    return solved


@pytest.mark.parametrize("name", REPEATING)
@pytest.mark.parametrize(("pits", "seeds"), [(2, 7), (3, 5), (6, 3)])
def test_claims_are_those_of_a_naive_solver(name: str, pits: int, seeds: int) -> None:
    rules = get(f"{name}:pits={pits},seeds=3")
    assert check_with_naive(rules, games=40, seeds=seeds, nodes=4000) > 15


@pytest.mark.slow
@pytest.mark.parametrize("name", REPEATING)
@pytest.mark.parametrize(("pits", "seeds"), [(2, 12), (3, 8), (4, 7), (6, 5)])
def test_claims_are_those_of_a_naive_solver_in_many_games(name: str, pits: int, seeds: int) -> None:
    rules = get(f"{name}:pits={pits},seeds=3")
    assert check_with_naive(rules, games=1500, seeds=seeds, nodes=100_000) > 300


@pytest.mark.parametrize("name", names())
def test_no_two_claims_contradict_each_other(name: str) -> None:
    found = Asker(name, seeds=10, timed=False).block(0, 30)
    assert not found.contradictions
    assert found.results > 0


@pytest.mark.slow
def test_no_two_claims_contradict_each_other_in_many_games(tmp_path: Path) -> None:
    blocks = ask_all(names(), 2000, cores(), tmp_path / "asked.jsonl", None)
    print("\n".join(report(blocks)))
    assert not [text for block in blocks for text in block.contradictions]


def test_a_run_that_was_interrupted_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contradictions, "BLOCK", 2)
    journal = tmp_path / "asked.jsonl"
    whole = ask_all(["casabianca"], 4, 1, journal, None)
    lines = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    journal.write_text(lines[0] + lines[1][:20], encoding="utf-8")
    resumed = ask_all(["casabianca"], 4, 1, journal, None)
    assert [(block.number, block.games) for block in resumed] == [(block.number, block.games) for block in whole]
    assert len(journal.read_text(encoding="utf-8").splitlines()) == 2


# -- positions that were once called exact and were not -----------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "margin"), [("0-1-2-0-0-0-0-1-0-2-0-0-22-20-S", 1), ("3-2-1-1-0-0-1-0-0-0-0-1-19-20-N", -1)]
)
def test_one_answer_however_often_it_is_asked(position: str, margin: int) -> None:
    game = Game("abapa", start=position)
    engine = SearchEngine("abapa", hash_mb=4)
    least, most = -48, 48
    for nodes in (1000, 200_000, 1000, 600_000):
        for asked in (engine, SearchEngine("abapa", hash_mb=1)):
            value = asked.analyse(game, Limit(nodes=nodes)).value
            assert value.least is not None
            assert value.most is not None
            least, most = max(least, value.least), min(most, value.most)
            assert least <= most
            assert value.result in (None, margin)


def test_a_forced_draw_stays_one_after_another_position() -> None:
    engine = SearchEngine("abapa")
    engine.analyse(Game("abapa", start="0-0-0-0-0-1-0-0-0-0-0-1-24-22-S"), Limit(depth=12), fixed=False)
    drawn = Game("abapa", start="0-0-0-0-0-0-1-0-0-0-0-1-24-22-N")
    value = engine.analyse(drawn, Limit(depth=12), fixed=False).value
    assert (value.result, value.margin, value.seeds) == (0, 0, 0)


def test_earlier_positions_cut_a_line_that_a_table_knows() -> None:
    rules = get("abapa")
    tables.build(rules, 4)
    game = Game(rules, start="0-0-0-0-0-0-0-1-0-0-0-2-22-23-N", moves="f B b C c A d D e E f")
    for table in (tables.open(rules), None):
        value = SearchEngine(rules, hash_mb=1, tables=table).analyse(game, Limit(depth=14)).value
        assert (value.result, value.margin) == (0, 0)


def test_only_the_sign_of_a_table_is_the_result_of_a_game_with_a_goal() -> None:
    rules = get("awari")
    tables.build(rules, 10)
    game = Game(rules, start="0-0-0-0-1-0-2-2-3-2-0-0-14-24-S")
    values = [
        SearchEngine(rules, hash_mb=1, tables=table).analyse(game, Limit(depth=14)).value
        for table in (tables.open(rules), None)
    ]
    assert [value.result for value in values] == [-1, -1]
    assert [value.plies for value in values] == [6, 6]
    assert max(value.least or -48 for value in values) <= min(value.most or 48 for value in values)


def test_headline_arrow_and_pits_agree() -> None:
    game = Game("abapa", start="3-0-2-0-0-1-1-0-0-4-0-2-17-18-N")
    engine = SearchEngine("abapa", hash_mb=4)
    for nodes in (500, 5000, 50_000, 200_000):
        agrees(engine.analyse(game, Limit(nodes=nodes), every_move=True))


def test_a_reused_engine_answers_as_a_new_one() -> None:
    engine = SearchEngine("abapa", hash_mb=1)
    for game in islice(endgames(get("abapa"), 16, "reused"), 25):
        new = SearchEngine("abapa", hash_mb=1).analyse(game, Limit(depth=7), prove=False)
        again = engine.analyse(game, Limit(depth=7), prove=False)
        assert (again.best, again.value.seeds, again.line) == (new.best, new.value.seeds, new.line)


def test_a_search_of_some_moves_answers_about_those() -> None:
    game = Game("abapa", moves="F f")
    some = game.legal_moves[1:3]
    found = SearchEngine("abapa", hash_mb=1).analyse(game, Limit(depth=5), moves=some, multi=2)
    assert {move.move for move in found.moves} == set(some)
    assert all(move.line[0] == move.move and len(move.line) == 5 for move in found.moves)


def test_proofs_are_loaded_where_they_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling them takes a third of the time to the first answer on a new machine."""
    from awale.search import engine, verification

    calls: list[object] = []
    monkeypatch.setattr(engine, "_loaded", set())
    monkeypatch.setattr(verification, "force", lambda *arguments: calls.append(arguments) or verification.NOT)
    searcher = engine.SearchEngine("abapa", hash_mb=1)
    searcher.analyse(Game("abapa"), Limit(depth=3))
    assert not calls
    searcher.analyse(Game("abapa", start="0-0-0-0-1-2-3-0-0-0-0-0-20-22-S"), Limit(depth=1))
    assert calls
