"""Annotated games: values, mistakes and better lines, one game or many, interrupted and continued; test suites."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from awale.arena import annotate as annotating
from awale.cli import main
from awale.match.review import MARKS
from awale.notation import read_ogn

GAME = """[Variant "abapa"]
[South "Awa"]
[North "Kofi"]

1. A {a plan} a 2. B b 3. C c 4. F f *
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("LANG", "C.UTF-8")
    file = tmp_path / "game.ogn"
    file.write_text(GAME)
    return file


def test_a_game_is_annotated(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", str(game), "--depth", "5"]) == 0
    text = capsys.readouterr().out
    (record,) = read_ogn(text)
    assert [str(played.move) for played in record.moves] == list("AaBbCcFf")
    assert "a plan" in record.moves[0].comments
    for played in record.moves:
        assert sum(not annotating._not_a_value(comment) for comment in played.comments) == 1
        marked = any(mark in played.marks for _, mark in MARKS)
        assert bool(played.variations) == marked
        assert all(line.moves[0].move != played.move for line in played.variations)
    assert any(played.variations for played in record.moves)
    assert record.tags["Annotator"] == "awale depth=5"
    assert 0 < float(record.tags["SouthAccuracy"]) <= 100
    again = tmp_path / "again.ogn"
    again.write_text(text)
    assert main(["analyse", str(again), "--depth", "5"]) == 0
    assert capsys.readouterr().out == text, "annotating again changes nothing"
    assert main(["analyse", str(game), "--depth", "2", "--json"]) == 0
    (review,) = json.loads(capsys.readouterr().out)
    assert len(review["moves"]) == 8


def test_a_number_of_positions_is_a_limit_too(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", str(game), "--nodes", "2000", "--hash", "1"]) == 0
    text = capsys.readouterr().out
    out = tmp_path / "out.ogn"
    assert main(["annotate", str(game), "--out", str(out), "--nodes", "2000", "--hash", "1"]) == 0
    for annotated in (text, out.read_text()):
        (record,) = read_ogn(annotated)
        assert record.tags["Annotator"] == "awale nodes=2000"


def test_many_games_interrupted_and_continued(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game.write_text("\n".join(GAME.replace("Awa", f"Player {number}") for number in range(4)))
    out = tmp_path / "out.ogn"
    command = ["annotate", str(game), "--out", str(out), "--depth", "3", "--concurrency", "2"]
    complete = annotating._WorkFile.add

    def interrupt(self: annotating._WorkFile, key: str, ogn: str) -> None:
        complete(self, key, ogn)
        if len(self.done) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(annotating._WorkFile, "add", interrupt)
        assert main(command) == 130
    assert not out.exists()
    work = Path(f"{out}.work")
    assert str(work) in capsys.readouterr().err
    kept = work.read_bytes()
    assert kept.count(b"\n") == 3
    work.write_bytes(kept + b'{"key": "cut sho')
    assert main([*command[:-3], "4", *command[-2:]]) == 2, "another limit is another work file"
    assert main(command) == 0
    assert not work.exists()
    assert [record.tags["South"] for record in read_ogn(out)] == [f"Player {number}" for number in range(4)]
    assert "4 games annotated" in capsys.readouterr().err


SUITE = """# positions of one move
0-0-0-0-0-1-0-0-0-0-0-2-22-23-S bm F; id "the only move"
4-4-4-4-4-4-4-4-4-4-4-4-0-0-S am A; rules abapa
"""


def test_a_suite(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "suite.txt"
    suite.write_text(SUITE)
    assert main(["suite", "run", str(suite), "--player", "greedy"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:4] == ["solved", "the", "only", "move"]
    assert lines[1].split()[0] == "missed"
    assert lines[1].endswith("(am A)")
    assert lines[2] == "greedy: 1 of 2 positions solved (50.0 %)"
    assert main(["suite", "run", str(suite), "--player", "greedy", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["solved"] == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "contains no position"),
        ("4-4-4", "line 1"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "best moves"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S bm", "bm MOVES"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S bm Z", "line 1"),
        ("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S bm A; what ever", "'what ever'"),
    ],
)
def test_bad_suites(text: str, said: str, game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "suite.txt"
    suite.write_text(text)
    assert main(["suite", "run", str(suite)]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(("player", "code"), [("person", 2), ("nobody", 2)])
def test_only_programs_solve_suites(player: str, code: int, game: Path, tmp_path: Path) -> None:
    suite = tmp_path / "suite.txt"
    suite.write_text(SUITE)
    assert main(["suite", "run", str(suite), "--player", player]) == code


def test_tables_are_probed_by_position(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", "build", "--rules", "abapa", "--seeds", "4"]) == 0
    capsys.readouterr()
    position = "0-0-0-0-0-1-0-0-0-0-0-2-22-23-S"
    assert main(["tables", "probe", position]) == 0
    said = capsys.readouterr().out
    assert "South to move" in said
    assert main(["tables", "probe", position, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["moves"].keys() == {"F"}
    assert data["value"]["exact"]
    assert main(["tables", "probe", "startpos"]) == 2
    assert "go up to 4" in capsys.readouterr().err


def test_dask_annotates_too(game: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    out = tmp_path / "out.ogn"
    with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        assert main(["annotate", str(game), "--out", str(out), "--depth", "2", "--scheduler", address]) == 0
    assert len(list(read_ogn(out))) == 1
