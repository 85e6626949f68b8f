"""The arena at the command line, and its reports."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest

from awale.cli import main


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("AWALE_DATA_DIR", str(tmp_path / "data"))


class _Seen(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]


def test_match_with_everything(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = {name: tmp_path / name for name in ("games.ogn", "games.csv", "report.html", "pictures")}
    arguments = ["match", "greedy", "random", "--games", "5", "--concurrency", "1", "--json", "--save"]
    arguments += ["--sprt", "elo0=0 elo1=500", "--ogn", str(files["games.ogn"]), "--csv", str(files["games.csv"])]
    code = main([*arguments, "--html", str(files["report.html"]), "--svg", str(files["pictures"])])
    said = capsys.readouterr()
    assert code == 0, said.err
    answer = json.loads(said.out)
    assert answer["played"] == answer["planned"] == 6
    assert sum(answer["pentanomial"]) == 3
    assert answer["wins"] + answer["draws"] + answer["losses"] == 6
    assert {"llr", "lower", "upper", "verdict"} <= answer["sprt"].keys()
    assert {"seconds", "overruns", "longest"} <= answer["results"][0]["time"].keys()
    assert sum(row["seeds"] for row in answer["results"]) <= 6 * 48
    with files["games.csv"].open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["number"]) for row in rows] == list(range(6))
    page = _Seen()
    page.feed(files["report.html"].read_text())
    assert page.links == []
    assert "script" not in page.tags
    assert page.tags.count("svg") == 3
    for picture in files["pictures"].glob("*.svg"):
        assert ET.parse(picture).getroot().tag.endswith("svg")
    assert len(list(files["pictures"].glob("*.svg"))) == 3
    from sqlalchemy import func, select

    from awale.store import Game, Store

    store = Store()
    with store.transaction() as session:
        assert session.scalar(select(func.count()).select_from(Game)) == 6
    store.close()


@pytest.mark.parametrize(
    "output",
    [
        ["--ogn", "{}/no/games.ogn"],
        ["--csv", "{}/no/games.csv"],
        ["--html", "{}"],
        ["--svg", "{}/file"],
        ["--database", "sqlite:///{}/file/x.sqlite"],
        ["--save", "--database", "mysql://"],
    ],
)
def test_outputs_are_checked_before_the_first_game(
    output: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr("awale.arena.run._play", lambda *_, **__: pytest.fail("a game was played"))
    assert main(["match", "greedy", "random", *(word.format(tmp_path) for word in output)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_interim_results_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("awale.cli.arena.LOG_INTERVAL", 0.0)
    match = ["match", "greedy", "random", "--games", "4", "--concurrency", "1"]
    database = f"sqlite:///{tmp_path / 'games.sqlite'}"
    assert main([*match, "--save", "--database", database]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert [line.partition(" from ")[0] for line in lines] == [f"abapa: {n} of 4 games" for n in (1, 2, 3, 4)]
    assert "credible interval" in lines[0]
    assert main(["tournament", "greedy", "random", "--games", "2", "--concurrency", "1"]) == 0
    assert (
        capsys.readouterr().err.splitlines()[-1] == "abapa: 2 of 2 games from balanced openings, greedy 2/2, random 0/2"
    )
    assert main([*match, "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    assert list((tmp_path / "data" / "matches").iterdir()) == []  # no journal of a complete match is left
    assert main(["games", "list", "--database", database, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 4


def test_a_match_is_played_without_a_place_for_its_journal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "data").touch()
    assert main(["match", "greedy", "random", "--games", "2", "--concurrency", "1"]) == 0
    said = capsys.readouterr()
    assert "2 of 2 games" in said.out
    assert "cannot be resumed" in said.err


def test_tournament_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["tournament", "random", "greedy", "--games", "2", "--concurrency", "1", "--lang", "fr"])
    said = capsys.readouterr()
    assert code == 0, said.err
    assert "joueur" in said.out
    assert "2 parties sur 2" in said.out


def test_openings_can_be_played_from(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["openings", "--plies", "2", "--nodes", "500", "--within", "2"]) == 0
    said = capsys.readouterr()
    book = tmp_path / "book.txt"
    book.write_text(said.out)
    assert main(["match", "greedy", "random", "--games", "2", "--openings", str(book), "--concurrency", "1"]) == 0
    capsys.readouterr()
    assert main(["openings", "--plies", "1", "--nodes", "100", "--json"]) == 0
    assert all({"position", "moves", "value"} == row.keys() for row in json.loads(capsys.readouterr().out))


@pytest.mark.parametrize(
    "arguments",
    [
        ["match", "greedy"],
        ["match", "greedy", "nobody"],
        ["match", "greedy", "random", "--rules", "chess"],
        ["match", "greedy", "random", "--sprt", "elo0=x"],
        ["match", "greedy", "random", "--clock", "soon"],
        ["match", "greedy", "random", "--time", "1", "--clock", "5+3"],
        ["match", "greedy", "random", "--openings", "/nowhere/book.txt"],
        ["match", "greedy", "random", "--journal", "a", "--resume", "b"],
        ["match", "greedy", "random", "--games", "0"],
        ["tournament", "random"],
    ],
)
def test_bad_input_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("awale: ")
    assert len(said.err.strip().splitlines()) == 1
