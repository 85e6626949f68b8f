"""`awale games` and `awale players` at the command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from awale.cli import main
from awale.notation import read_ogn

GAMES = """[Variant "abapa"]
[South "Kofi Mensah"]
[North "engine:5"]
[Date "2024.03.10"]
[Result "1-0"]

1. F f 2. E e 1-0

[Variant "abapa"]
[South "Ama"]
[North "Kofi Mensah"]
[Date "2025.07.01"]
[Result "1/2-1/2"]

1. A a 1/2-1/2

[Variant "ghana"]
[South "Ama"]
[North "Esi"]
[Date "2025.07.02"]
[Result "*"]

1. 1 *
"""


@pytest.fixture
def games(store_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Call `awale games` on a database with three games."""
    file = tmp_path / "games.ogn"
    file.write_text(GAMES)

    def call(*words: str, code: int = 0) -> str:
        answer = main(["games", *words, "--database", store_url])
        said = capsys.readouterr()
        assert answer == code, said.err
        return said.out if code == 0 else said.err

    call("import", str(file))
    return call


@pytest.mark.parametrize(
    ("filters", "souths"),
    [
        ([], ["Ama", "Ama", "Kofi Mensah"]),
        (["--player", "kofi"], ["Ama", "Kofi Mensah"]),
        (["--rules", "ghana"], ["Ama"]),
        (["--since", "2025-07-01"], ["Ama", "Ama"]),
        (["--since", "2025-07-01", "--until", "2025-07-01"], ["Ama"]),
        (["--until", "2024-03-09"], []),
        (["--result", "1-0"], ["Kofi Mensah"]),
        (["--result", "0-1"], []),
        (["--result", "draw"], ["Ama"]),
        (["--result", "*"], ["Ama"]),
    ],
)
def test_filters(games: Callable[..., str], filters: list[str], souths: list[str]) -> None:
    assert [game["south"] for game in json.loads(games("list", *filters, "--json"))] == souths
    assert games("export", "-", *filters).count("[South ") == len(souths)


def test_show_export_and_delete_by_key(games: Callable[..., str], tmp_path: Path) -> None:
    (key,) = [game["key"] for game in json.loads(games("list", "--result", "1-0", "--json"))]
    shown = games("show", key)
    assert "Kofi Mensah" in shown
    assert "1. F f 2. E e 1-0" in shown
    assert json.loads(games("show", key, "--json"))["moves"] == ["F", "f", "E", "e"]
    file = tmp_path / "one.ogn"
    games("export", str(file), "--key", key)
    assert [record.tags["North"] for record in read_ogn(file)] == ["engine:5"]
    assert "--yes" in games("delete", key, code=2)
    games("delete", key, "--yes")
    assert len(json.loads(games("list", "--json"))) == 2
    for command in ("show", "delete"):
        assert f"'{key}'" in games(command, key, code=2)


def test_deleting_a_rated_game_takes_it_out_of_the_ratings(
    games: Callable[..., str], store_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "rated.ogn"
    file.write_text(GAMES.partition('[Variant "ghana"]')[0].replace("2024", "2023").replace("2025", "2022"))
    games("import", str(file), "--rated")

    def rated() -> dict[str, int]:
        assert main(["players", "ratings", "--database", store_url, "--json"]) == 0
        return {row["name"]: row["games"] for row in json.loads(capsys.readouterr().out)}

    assert rated() == {"Kofi Mensah": 2, "engine:5": 1, "Ama": 1}
    (key,) = [game["key"] for game in json.loads(games("list", "--until", "2022-12-31", "--json"))]
    games("delete", key, "--yes")
    assert rated() == {"Kofi Mensah": 1, "engine:5": 1}


@pytest.mark.parametrize("wrong", [["--since", "yesterday"], ["--result", "2-0"], ["--player", "Nobody"]])
def test_wrong_filters_are_one_line(games: Callable[..., str], wrong: list[str]) -> None:
    assert len(games("list", *wrong, code=2).splitlines()) == 1


def test_headings_in_a_terminal_and_tabs_elsewhere(games: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = games("list").splitlines()
    assert [line.split("\t")[2] for line in lines] == ["Ama", "Ama", "Kofi Mensah"]
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda self: True)
    heading, *rows = games("list").splitlines()
    assert heading.split()[:4] == ["key", "rules", "South", "North"]
    assert len(rows) == 3
    assert all(row.index("abapa" if "abapa" in row else "ghana") == heading.index("rules") for row in rows)
    french = games("list", "--lang", "fr")
    assert french.split()[:4] == ["clé", "règles", "Sud", "Nord"]
    assert not {"stated", "resignation", "agreement"} & set(french.split())


def test_explore(games: Callable[..., str], store_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    def call(*words: str, code: int = 0) -> str:
        answer = main(["explore", *words, "--database", store_url])
        said = capsys.readouterr()
        assert answer == code, said.err
        return said.out if code == 0 else said.err

    rows = [line.split("\t")[:5] for line in call().splitlines()]
    assert sorted(row for row in rows if row[1] != "0") == [["A", "1", "0", "1", "0"], ["F", "1", "1", "0", "0"]]
    data = json.loads(call("--moves", "F f", "--json"))
    assert (data["games"], data["south"], data["depth"] > 10) == (1, 1, True)
    first = data["moves"][0]
    assert isinstance(first.pop("value"), float)
    assert first == {"move": "E", "games": 1, "south": 1, "draws": 0, "north": 0}
    elsewhere = "4-4-4-4-4-4-4-4-4-4-4-4-1-0-S"
    assert call(elsewhere) == ""
    assert sorted(line[:3] for line in call(elsewhere, "--any-stores").splitlines()) == ["A\t1", "F\t1"]
    assert call("1-2-3", code=2).count("\n") == 1
    unfinished = json.loads(call("--rules", "ghana", "--json"))
    assert unfinished["games"] == 0


def test_explore_with_values(games: Callable[..., str], store_url: str, capsys: pytest.CaptureFixture[str]) -> None:
    position = "0-0-0-0-1-1-0-0-0-0-1-2-21-22-S"
    assert main(["explore", position, "--time", "0.1", "--json", "--database", store_url]) == 0
    moves = json.loads(capsys.readouterr().out)["moves"]
    assert {line["move"]: line["games"] for line in moves} == {"E": 0, "F": 0}
    assert all(isinstance(line["value"], float) for line in moves)
