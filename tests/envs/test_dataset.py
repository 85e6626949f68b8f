"""Datasets: every row is checked against endgame values in plain Python, and a run may be interrupted."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from pyarrow import dataset as arrow

from awale import Game, tables
from awale.cli import main
from awale.envs import dataset
from awale.errors import AwaleError
from awale.rules import get, reference
from awale.rules.reference import Position
from tests.tables import oracle

SMALL = "awari:pits=3"


def rows(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = arrow.dataset(folder / "data", format="parquet").to_table().to_pylist()
    return found


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize(
    ("name", "seeds"),
    [("awari:pits=3", 6), ("abapa:pits=3", 6), ("wikipedia:pits=3", 5), ("casabianca:pits=3", 5), ("ghana:pits=3", 6)],
)
def test_every_row_is_what_plain_python_finds(name: str, seeds: int, tmp_path: Path) -> None:
    rules = get(name)
    made = dataset.make(rules, tmp_path / "out", seeds=seeds, tables=tmp_path)
    found = {tuple(row["pits"]): row for row in rows(tmp_path / "out")}
    assert len(found) == made.rows
    plain = oracle.boundless(rules)
    known: dict[oracle.Counts, int | None] = {
        board: low if low == high else None for board, (low, high) in oracle.solve(rules, seeds).items()
    }
    if tables.open(rules, tmp_path).cycles == "even":
        known = dict(oracle.solve_even(rules, seeds))
    for board, value in known.items():
        state = Position(board, (0, 0), 0)
        settled = reference.settle(plain, state)
        playable = settled.reason is None and not settled.passed and value is not None
        assert (board in found) == playable, board
        if not playable:
            continue
        moves: list[int | None] = [None] * rules.pits
        for move, step in reference.legal_steps(plain, state).items():
            child = 0 if step.sown.period is not None else known[oracle.turned(step.board)]  # type: ignore[arg-type]
            moves[move.pit] = None if child is None else step.taken - child
        assert found[board] == {"pits": list(board), "seeds": sum(board), "value": value, "moves": moves}, board


def test_a_value_under_a_move_limit_says_how_many_moves_it_takes(tmp_path: Path) -> None:
    rules = get("upsti:pits=3,seeds=2,move_limit=40")
    dataset.make(rules, tmp_path / "out", seeds=5, tables=tmp_path)
    opened = tables.open(rules, tmp_path)
    found = rows(tmp_path / "out")
    assert len(found) > 200
    for row in found:
        game = Game(rules, start=Position(tuple(row["pits"]), (0, 0), 0, 40 - row["moves_left"]))
        value = opened.probe(game)
        assert value is not None
        assert (value.seeds, value.exact) == (row["value"], True)
        for move, after in opened.probe_moves(game).items():
            assert after is not None
            assert row["moves"][move.pit] in (after.seeds, None)
            assert after.exact or row["moves"][move.pit] is None
        assert max(each for each in row["moves"] if each is not None) == row["value"]


def test_a_draw_is_a_part_of_all_and_depends_on_the_seed(tmp_path: Path) -> None:
    every = dataset.make(SMALL, tmp_path / "all", seeds=6, tables=tmp_path)
    some = dataset.make(SMALL, tmp_path / "some", seeds=6, positions=50, tables=tmp_path)
    dataset.make(SMALL, tmp_path / "others", seeds=6, positions=50, seed=2, tables=tmp_path)
    assert [layer.rows for layer in some.layers[:2]] == [layer.rows for layer in every.layers[:2]]
    assert all(40 < layer.rows <= 50 for layer in some.layers[3:])
    of_all = [str(row) for row in rows(tmp_path / "all")]
    drawn = [str(row) for row in rows(tmp_path / "some")]
    assert len(set(drawn)) == len(drawn) == some.rows
    assert set(drawn) < set(of_all)
    assert drawn != [str(row) for row in rows(tmp_path / "others")]


def test_an_interrupted_run_goes_on_and_ends_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "PART", 100)
    monkeypatch.setattr(dataset, "CHUNK", 64)

    def interrupt(done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    whole, broken = tmp_path / "whole", tmp_path / "broken"
    dataset.make(SMALL, whole, seeds=7, positions=300, tables=tmp_path)
    with pytest.raises(KeyboardInterrupt):
        dataset.make(SMALL, broken, seeds=7, positions=300, tables=tmp_path, progress=interrupt)
    begun = contents(broken / "data")
    assert 0 < len(begun) < len(contents(whole / "data"))
    assert not (broken / "README.md").exists()
    written = {path: path.stat().st_mtime_ns for path in (broken / "data").iterdir()}
    dataset.make(SMALL, broken, seeds=7, positions=300, tables=tmp_path)
    assert contents(broken) == contents(whole)
    assert {path: path.stat().st_mtime_ns for path in written} == written


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "out"
    dataset.make(SMALL, out, seeds=3, tables=tmp_path)
    before = contents(out)
    with pytest.raises(AwaleError, match="a dataset of other settings was begun there"):
        dataset.make(SMALL, out, seeds=4, tables=tmp_path)
    assert contents(out) == before
    damaged = out / "data" / "seeds-03-0000.parquet"
    damaged.write_bytes(b"PAR1")
    with pytest.raises(AwaleError, match=r"seeds-03-0000.parquet: cannot be read .* remove this file"):
        dataset.make(SMALL, out, seeds=3, tables=tmp_path)
    damaged.unlink()
    dataset.make(SMALL, out, seeds=3, tables=tmp_path)
    assert contents(out) == before
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis.tex").write_text("!")
    with pytest.raises(AwaleError, match="the folder is not empty"):
        dataset.make(SMALL, other, seeds=3, tables=tmp_path)


def test_the_command_writes_files_and_a_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("AWALE_LANG", "en")
    out = tmp_path / "out"
    command = ["dataset", "make", "--rules", SMALL, "--seeds", "4", "--positions", "20", "--out", str(out)]
    assert main([*command, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rows"] == len(rows(out)) == sum(layer["rows"] for layer in told["layers"])
    card = (out / "README.md").read_text()
    assert card.startswith("---\nlicense: mit\nlanguage: en\n")
    assert f"awale dataset make --rules {SMALL} --seeds 4 --seed 1 --positions 20\n" in card
    assert "moves_left" not in card
    for layer in told["layers"]:
        assert f"| {' | '.join(map(str, layer.values()))} |" in card
    assert main([*command, "--lang", "fr"]) == 0
    assert f"{told['rows']} lignes dans" in capsys.readouterr().err
    card = (out / "README.md").read_text()
    assert "La même commande écrit" not in card
    assert "la même commande écrit les mêmes lignes" in card


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--rules", "tricolor"], "three-colour games have far too many positions"),
        (["--seeds", "49"], "seeds: must be a whole number from 1 to 48, not 49"),
        (["--positions", "20000000"], "positions: must be a whole number from 1 to 10000000"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    arguments: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("AWALE_LANG", "en")
    assert main(["dataset", "make", "--out", str(tmp_path / "out"), *arguments]) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "data").exists()


def test_a_missing_library_is_named_with_its_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(AwaleError, match=r"the package pyarrow is required: pip install 'awale\[dataset\]'"):
        dataset.make(SMALL, tmp_path / "out", seeds=3, tables=tmp_path)
