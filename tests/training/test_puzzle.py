"""Puzzles: what a file says, what is refused and why, and solving move by move."""

from __future__ import annotations

import datetime
import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from awale.errors import AwaleError, GameStateError, MoveError
from awale.training import (
    PRESETS,
    THEMES,
    PuzzleError,
    Right,
    Solve,
    Solved,
    Wrong,
    explanation,
    goal_sentence,
    puzzle_of_the_day,
    puzzles,
    read_puzzles,
    shipped,
    write_puzzles,
)

LONG = next(puzzle for puzzle in puzzles("casabianca") if len(puzzle.decisions) > 1)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_shipped_file_reads_back_and_plays(preset: str) -> None:
    found = shipped(preset)
    assert found
    assert tuple(read_puzzles(write_puzzles(found).splitlines())) == found
    assert len({puzzle.position for puzzle in found}) == len(found)


def test_puzzles_are_filtered_by_theme_and_rating() -> None:
    found = puzzles("casabianca")
    assert [p.rating for p in found] == sorted(p.rating for p in found)
    theme = found[0].themes[0]
    assert set(puzzles("casabianca", theme)) == {p for p in found if theme in p.themes}
    assert all(1000 <= p.rating <= 1200 for p in puzzles("casabianca", rating=(1000, 1200)))
    assert puzzles("casabianca:pits=3") == ()
    with pytest.raises(AwaleError, match="unknown theme 'nonsense'"):
        puzzles("casabianca", "nonsense")


def test_every_puzzle_has_its_day_before_one_comes_back() -> None:
    count = len(puzzles("abapa"))
    first = datetime.date(2024, 2, 28)
    days = [puzzle_of_the_day("abapa", first + datetime.timedelta(days=n)) for n in range(count + 1)]
    assert {p.id for p in days} == {p.id for p in puzzles("abapa")}
    assert days[-1] == days[0]
    with pytest.raises(AwaleError, match="no puzzles are shipped for ghana-basic"):
        puzzle_of_the_day("ghana-basic", first)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_puzzle_is_solved_by_its_line(preset: str) -> None:
    for puzzle in puzzles(preset)[:3] + puzzles(preset)[-3:]:
        solve = Solve(puzzle)
        results = []
        while not solve.done:
            assert solve.game.turn == puzzle.side
            results.append(solve.play(solve.solution))
        assert all(isinstance(result, Right) for result in results[:-1])
        assert results[-1] == Solved(results[-1].move, True)
        assert tuple(map(str, solve.game.moves)) == puzzle.line


def test_a_wrong_move_is_refuted_and_not_played() -> None:
    solve = Solve(LONG)
    before = solve.game.copy()
    move = next(move for move in solve.game.legal_moves if move != solve.solution)
    result = solve.play(move)
    assert isinstance(result, Wrong)
    assert solve.game == before
    assert result.cost > 0
    assert str(move) in result.sentence("en")
    assert str(move) in result.sentence("fr")
    assert tuple(map(str, result.refutation)) == LONG.decisions[0].refutations[str(move)]
    assert solve.mistakes == 1
    while not solve.done:
        last = solve.play(solve.solution)
    assert last == Solved(last.move, False)
    with pytest.raises(GameStateError):
        solve.play(move)


def test_an_illegal_move_raises_and_does_not_count() -> None:
    solve = Solve(LONG)
    with pytest.raises(MoveError):
        solve.play("nonsense")
    assert solve.clean


def test_hints_tell_the_kind_first_and_then_the_move() -> None:
    solve = Solve(LONG)
    first, second = solve.hint(), solve.hint()
    assert (first.move, second.move) == (None, solve.solution)
    assert first.sentence("en") != first.sentence("fr")
    assert str(solve.solution) in second.sentence("en")
    solve.play(solve.solution)
    assert solve.hint().move is None
    assert not solve.clean


def test_every_puzzle_is_explained_in_both_languages() -> None:
    for preset in PRESETS:
        for puzzle in puzzles(preset)[:5]:
            for lang in ("en", "fr"):
                said = explanation(puzzle, lang)
                assert all(str(move) in " ".join(said) for move in puzzle.line)
                assert goal_sentence(puzzle, lang)
    assert set(THEMES) >= {theme for preset in PRESETS for puzzle in puzzles(preset) for theme in puzzle.themes}


def _entry() -> dict[str, Any]:
    return json.loads(json.dumps(LONG.as_json()))


def _set(**changes: Any) -> Callable[[dict[str, Any]], None]:
    return lambda entry: entry.update(changes)


def _swap_solution(entry: dict[str, Any]) -> None:
    wrong = next(move for move in entry["values"][0] if move != entry["line"][0])
    entry["line"] = [wrong]


def _second_solution(entry: dict[str, Any]) -> None:
    wrong = next(move for move in entry["values"][0] if move != entry["line"][0])
    entry["values"][0][wrong] = 48


def _illegal_reply(entry: dict[str, Any]) -> None:
    entry["line"][1] = entry["line"][0]


def _illegal_refutation(entry: dict[str, Any]) -> None:
    wrong = next(iter(entry["refutations"][0]))
    entry["refutations"][0][wrong] = ["nonsense"]


def _missing_value(entry: dict[str, Any]) -> None:
    del entry["values"][0][next(iter(entry["refutations"][0]))]


def _missing_refutation(entry: dict[str, Any]) -> None:
    del entry["refutations"][0][next(iter(entry["refutations"][0]))]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_swap_solution, "wrong solution: "),
        (_second_solution, "wrong solution: .* as well as"),
        (_illegal_reply, "illegal move "),
        (_illegal_refutation, "illegal move nonsense"),
        (_missing_value, "do not fit the legal moves"),
        (_missing_refutation, "every wrong move needs a refutation"),
        (_set(rules="nonsense"), "nonsense"),
        (_set(version=99), "made for version 99"),
        (_set(position="1-2-3"), "."),
        (_set(goal="lose"), "'goal' is 'lose'"),
        (_set(line=[]), "'line' is missing"),
        (_set(line=3), "'line' is missing"),
        (_set(themes=["magic"]), "unknown theme 'magic'"),
        (_set(rating=9999), "rating must be from 400 to 3000"),
        (_set(rating=True), "'rating' is missing"),
        (_set(proof="engine"), "'proof' is 'engine'"),
        (_set(values=[]), "'values' is missing"),
        (_set(refutations=[{}]), "refutations for 1"),
        (lambda entry: entry["values"][0].update({entry["line"][0]: [3, 1]}), "must be a number or two bounds"),
        (lambda entry: entry["line"].append(entry["line"][-1]), "."),
    ],
)
def test_a_bad_puzzle_is_refused_with_its_line_and_the_reason(
    change: Callable[[dict[str, Any]], None], reason: str
) -> None:
    entry = _entry()
    change(entry)
    good = write_puzzles(puzzles("casabianca")[:1])
    lines = ["# a comment", "", *good.splitlines(), json.dumps(entry)]
    found = read_puzzles(lines, source="mine.jsonl")
    assert next(found) == puzzles("casabianca")[0]
    with pytest.raises(PuzzleError, match=reason) as caught:
        next(found)
    assert caught.value.line == 4
    assert str(caught.value).startswith("mine.jsonl: line 4: ")
    assert caught.value.sentence("fr") != str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("line", ["nonsense", "[1]", "{}", "[" * 100_000, '{"rules": "abapa"}'])
def test_a_line_that_is_no_puzzle_is_refused(line: str) -> None:
    with pytest.raises(PuzzleError, match="line 1"):
        list(read_puzzles([line]))


def test_the_same_puzzle_twice_is_refused() -> None:
    with pytest.raises(PuzzleError, match="already in line 1"):
        list(read_puzzles(2 * write_puzzles([LONG]).splitlines()))
