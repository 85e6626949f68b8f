"""Experiments: the numbers are right, the page stands alone, and nothing is done twice."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from awale import Game, i18n
from awale.classroom import experiment_page, plots
from awale.classroom.experiments import (
    KINDS,
    ExperimentError,
    FirstMove,
    Kind,
    Question,
    Result,
    run,
    sample,
    sign_test,
    verdict,
    wilson,
)
from awale.cli import main
from awale.rules import get
from awale.search.ablation import METHODS, AblationSearch
from awale.search.linear import BUILT_IN


def small(kind: Kind, evaluation: str = "material") -> Question:
    depths = {"depth": (4,), "ordering": (4,), "adaptive": (1,), "first-move": (1, 2)}[kind]
    return Question(kind, "abapa", evaluation, 4, depths)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    return {kind: run(small(kind), concurrency=0) for kind in KINDS}


# -- the ablation's search ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "depth"), [("abapa", 5), ("tricolor", 3)])
def test_every_method_finds_the_same_value(rules: str, depth: int) -> None:
    from awale.search.classic import choose_minimax

    ablation = AblationSearch(get(rules), BUILT_IN["material"].array(get(rules)))
    for game in sample(get(rules), 6, 3):
        found = {method: ablation.run(game, method, depth) for method in METHODS}
        values = {work.value for work in found.values() if work is not None}
        assert len(values) == 1
        plain, pruned = found["minimax"], found["alphabeta"]
        assert plain is not None
        assert pruned is not None
        assert plain.nodes >= pruned.nodes
        classic = choose_minimax(game, depth)
        if abs(classic.value) < 500_000:  # wins are counted otherwise there
            assert classic.value == plain.value
            assert classic.move == plain.move


def test_a_search_ends_at_its_limit() -> None:
    ablation = AblationSearch(get("abapa"), BUILT_IN["material"].array(get("abapa")))
    assert ablation.run(Game("abapa"), "minimax", 6, limit=100) is None
    with pytest.raises(ValueError, match="depth"):
        ablation.run(Game("abapa"), "minimax", 0)


# -- statistics -------------------------------------------------------------------------------------------------------


def test_intervals_and_tests() -> None:
    low, high = wilson(0.5, 100)
    assert low == pytest.approx(0.404, abs=0.001)
    assert high == pytest.approx(0.596, abs=0.001)
    assert wilson(1.0, 10)[1] == pytest.approx(1.0)
    assert wilson(1.0, 10)[0] > 0.7
    assert wilson(0.3, 0) == (0.0, 1.0)
    assert sign_test(5, 5) == 1.0
    assert sign_test(0, 0) == 1.0
    assert sign_test(10, 0) == pytest.approx(2 / 1024)
    assert [verdict(*bounds) for bounds in ((0.51, 0.7), (0.2, 0.4), (0.4, 0.6))] == ["more", "less", "open"]


# -- the experiments --------------------------------------------------------------------------------------------------


def test_depth_counts_positions_and_time(results: dict[str, Result]) -> None:
    rows = results["depth"].rows
    assert [row["depth"] for row in rows if row["method"] == "minimax"] == [1, 2, 3, 4]
    by = {(row["method"], row["depth"]): row for row in rows}
    # One level below a position lie its moves, and every search looks at the position itself.
    games = sample(get("abapa"), 4, 1)
    assert by["minimax", 1]["nodes"] == pytest.approx(sum(1 + len(game.legal_moves) for game in games) / 4, abs=0.06)
    assert by["alphabeta", 4]["of_minimax"] < 1
    assert by["minimax", 4]["of_minimax"] == 1


def test_ordering_compares_all_methods(results: dict[str, Result]) -> None:
    assert {row["method"] for row in results["ordering"].rows} == set(METHODS)
    assert results["ordering"].facts["common_depth"] == 4


def test_adaptive_plays_paired_games(results: dict[str, Result]) -> None:
    row = results["adaptive"].rows[0]
    assert row["games"] == 4
    assert row["wins"] + row["draws"] + row["losses"] == 4
    assert row["low"] <= row["score"] <= row["high"]
    assert row["adaptive"]["nodes_a_move"] > row["fixed"]["nodes_a_move"]


def test_first_move_counts_the_first_player(results: dict[str, Result]) -> None:
    for row in results["first-move"].rows:
        assert row["games"] == 4
        assert row["score"] == (row["wins"] + row["draws"] / 2) / 4
        assert row["low"] <= row["score"] <= row["high"]
        assert len(row["from_start"]["scores"]) == 2
    assert [len(curve) for curve in results["first-move"].curves.values()] == [4, 4]


def test_openings_are_never_repeated() -> None:
    plan = FirstMove("random", get("ghana4"), 500, 2, 1)
    starts = [(job.game().board, job.game().turn) for job in plan.jobs()]
    assert len(starts) == len(set(starts)) == plan.total
    assert plan.openings_found < 500
    assert all(job.game().turn == 0 for job in plan.jobs())


def test_a_python_evaluation_can_be_studied(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("def evaluate(game):\n    return game.scores[game.turn] - game.scores[1 - game.turn]\n")
    result = run(Question("depth", "ghana4", str(path), 2, (2,)))
    assert [row["method"] for row in result.rows] == ["python", "python"]
    assert experiment_page.plain(result)
    assert experiment_page.pictures(result)
    with pytest.raises(ExperimentError, match="ordering"):
        run(Question("ordering", "ghana4", str(path)))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (Question("depth", "abapa", depths=(99,)), "from 1 to 24"),
        (Question("depth", "abapa", games=200_000), "from 1 to 100000"),
        (Question("first-move", "abapa", plies=3), "even number"),
        (Question("first-move", "ghana:pits=1,seeds=1", plies=0), "no opening|over"),
    ],
)
def test_what_cannot_be_asked_is_refused(question: Question, said: str) -> None:
    with pytest.raises(ExperimentError, match=said):
        run(question, concurrency=0)


def test_a_game_that_breaks_off_is_not_counted(tmp_path: Path) -> None:
    path = tmp_path / "tired.py"
    path.write_text("def evaluate(game):\n    if game.ply > 6:\n        1 / 0\n    return 0\n")
    with pytest.raises(ExperimentError, match=r"game 1 was not finished: .*ZeroDivisionError"):
        run(Question("first-move", "abapa", str(path), 1, (1,)), concurrency=0)


# -- on paper ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_page_stands_alone(results: dict[str, Result], kind: str, lang: str) -> None:
    text = experiment_page.html(results[kind], "awale experiment <now>", lang)
    assert text.startswith(f'<!doctype html><html lang="{lang}">')
    assert "<script" not in text
    assert not re.search(r"""(?:src|href)=|url\(|@import""", text)
    assert "awale experiment &lt;now&gt;" in text
    assert text.count("<svg") == len(experiment_page.pictures(results[kind], lang)) >= 2
    assert text.count("<tr>") == len(experiment_page.table(results[kind], lang)[1]) + 1


@pytest.mark.parametrize("kind", KINDS)
def test_plots_are_well_formed(results: dict[str, Result], kind: str) -> None:
    for picture in experiment_page.pictures(results[kind]).values():
        assert ElementTree.fromstring(picture).tag.endswith("svg")


def test_a_plot_of_nothing_is_still_a_plot() -> None:
    for picture in (plots.growth("t", "x", "y", []), plots.scores("t", []), plots.shares("t", [], [])):
        assert ElementTree.fromstring(picture).tag.endswith("svg")


# -- the command ------------------------------------------------------------------------------------------------------


def test_the_command_writes_a_folder_and_goes_on_with_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    command = ["experiment", "first-move", "--rules", "abapa", "--eval", "material", "--games", "3", "--depth", "1"]
    command += ["--concurrency", "0", "--out", str(out), "--json"]
    assert main(command) == 0
    first = json.loads(capsys.readouterr().out)
    names = {path.name for path in out.iterdir()}
    assert {"page.html", "results.json", "score.svg", "results.svg", "running.svg", "games-1.jsonl"} <= names
    assert json.loads((out / "results.json").read_text())["results"] == first["results"]
    # Stopped before the last game was written: only that one is played again.
    journal = out / "games-1.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]))
    assert main(command) == 0
    again = json.loads(capsys.readouterr().out)
    for row in (*first["results"], *again["results"]):
        del row["seconds_a_move"]
    assert again["results"] == first["results"]
    assert journal.read_bytes().splitlines(keepends=True)[:-1] == lines[:-1]
    # Another question does not go on with it.
    assert main([*command, "--seed", "2"]) == 2
    assert "contains another experiment" in capsys.readouterr().err
    assert main([*command, "--seed", "2", "--fresh"]) == 0


def test_measurements_are_not_made_twice(tmp_path: Path) -> None:
    first = run(small("depth"), folder=tmp_path)
    again = run(small("depth"), folder=tmp_path)
    assert again.rows == first.rows


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["colour"], "unknown experiment 'colour': choose from depth, ordering, adaptive, first-move"),
        (["depth", "--depth", "deep"], "'deep' is not a list of depths"),
        (["depth", "--eval", "nothing"], "an evaluation is a Python file"),
        (["depth", "--eval", "corrected"], "three-colour"),
        (["first-move", "--rules", "nowhere"], "nowhere"),
    ],
)
def test_the_command_says_what_is_wrong(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lang", "en", "experiment", *arguments]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.out == ""
    assert told.err.count("\n") == 1
