"""A class tournament: thirty files, some of them broken, and a page of results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from awale.classroom.pupils import players_in
from awale.cli import main
from awale.errors import PlayerError
from awale.rules import get

FAULTY = {
    "cheats": "def choose(game):\n    return 'Z'\n",
    "crashes": "def choose(game):\n    return 1 / 0\n",
    "exits": "import os\n\ndef choose(game):\n    os._exit(0)\n",
    "returns_nothing": "def choose(game):\n    pass\n",
}
HANGS = "def choose(game):\n    while True:\n        pass\n"
UNLOADABLE = {"no_python": "def choose(game:\n", "fails": "1 / 0\n", "nothing": "x = 1\n"}
FIRST = "def choose(game):\n    return game.legal_moves[{}]\n"


def write(folder: Path, files: dict[str, str], ending: str = "py") -> None:
    folder.mkdir(exist_ok=True)
    for name, code in files.items():
        (folder / f"{name}.{ending}").write_text(code, encoding="utf-8")


def test_files_are_players_or_evaluations_and_the_others_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "pupils"
    write(folder, {"awa": FIRST.format(0), "mina": "def evaluate(game):\n    return game.scores[game.turn]\n"})
    write(folder, {"kofi": "[weights]\ncaptured = 1\n"}, "toml")
    write(folder, {"readme": "hello"}, "txt")
    write(folder, UNLOADABLE)
    found = players_in(folder, get("abapa"))
    assert [name.replace(str(folder), "") for name in found.players] == [
        "player:/awa.py",
        "eval:/kofi.toml",
        "eval:/mina.py",
    ]
    assert len(found.refused) == 3
    for name in UNLOADABLE:
        assert any(f"{name}.py" in sentence for sentence in found.refused)


def test_an_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match="no player"):
        players_in(tmp_path, get("abapa"))


def test_faulty_players_lose_their_games_and_affect_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWALE_LANG", "en")
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "pupils", {"good": FIRST.format(0), "better": FIRST.format(-1)} | FAULTY | UNLOADABLE)
    options = ["--games", "2", "--openings", "plies=0", "--concurrency", "1", "--html", "results.html", "--json"]
    assert main(["tournament", "pupils", *options]) == 0
    out, err = capsys.readouterr()
    assert err.count("left out: ") == len(UNLOADABLE)
    lines = {line["name"].removeprefix("player:pupils/"): line for line in json.loads(out)["standings"]}
    assert set(lines) == {f"{name}.py" for name in ("good", "better", *FAULTY)}
    for name in ("good", "better"):
        # Every game against a faulty player is won; the two games against each other go one way or the other.
        assert lines[f"{name}.py"]["wins"] >= 2 * len(FAULTY)
    page = Path("results.html").read_text(encoding="utf-8")
    assert "good.py" in page
    assert "crashes.py" in page


@pytest.mark.slow
def test_thirty_files_with_one_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    pupils = {f"pupil{number:02}": FIRST.format(-(number % 2)) for number in range(25)}
    write(tmp_path / "pupils", pupils | FAULTY | {"hangs": HANGS})
    assert main(["tournament", "pupils", "--time", "1", "--games", "2", "--html", "results.html", "--quiet"]) == 0
    assert "hangs.py" in Path("results.html").read_text(encoding="utf-8")
