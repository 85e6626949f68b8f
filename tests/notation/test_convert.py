"""`awale convert`, from the command line."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from awale import Game
from awale.cli import main
from awale.notation import read_json, to_json, to_ogn, write_json, write_ogn

GAMES = [
    Game("abapa", moves="FfEe"),
    Game("ghana", moves="3 9"),
    Game("tricolor", moves="3R 12TB"),
    Game("casabianca", moves="f F", ended="agreement"),
]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWALE_LANG", "en")


@pytest.fixture
def ogn(tmp_path: Path) -> Path:
    path = tmp_path / "games.ogn"
    write_ogn(GAMES, path)
    return path


def test_there_and_back(ogn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    middle, back = tmp_path / "games.jsonl", tmp_path / "back.ogn"
    assert main(["convert", str(ogn), str(middle)]) == 0
    assert main(["convert", str(middle), str(back)]) == 0
    assert back.read_bytes() == ogn.read_bytes()
    assert [record.game() for record in read_json(middle)] == GAMES
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines() == [f"{middle}: games written: 4", f"{back}: games written: 4"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["back.ogn", "games.jsonl", "games.ogn"]


def test_standard_input_and_output(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    text = to_ogn(GAMES[0], South="Amélie")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="ascii"))
    assert main(["convert", "-", "-", "--from", "ogn"]) == 0
    assert capsysbinary.readouterr() == (to_json(GAMES[0], South="Amélie").encode() + b"\n", b"")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(to_json(GAMES[0]).encode())))
    assert main(["convert", "-", "--to", "ogn"]) == 0
    assert capsysbinary.readouterr() == (to_ogn(GAMES[0]).encode(), b"")


def test_either_form_is_tidied(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "untidy.ogn"
    path.write_text("FfEe")
    assert main(["convert", str(path), str(path), "--quiet"]) == 0
    assert path.read_text() == to_ogn(GAMES[0])
    assert main(["convert", str(path), "--from", "ogn", "--to", "ogn"]) == 0
    assert capsysbinary.readouterr() == (path.read_bytes(), b"")


def test_rules_of_games_that_name_none(tmp_path: Path) -> None:
    path, out = tmp_path / "moves.ogn", tmp_path / "out.json"
    path.write_text("1. 3 9 *")
    village = tmp_path / "mine.toml"
    village.write_text('base = "ghana"\nseeds = 3\n')
    assert main(["convert", str(path), str(out), "--rules", "ghana"]) == 0
    assert next(read_json(out)).rules.name == "ghana"
    path.write_text("1. 3 *")
    assert main(["convert", str(path), str(out), "--rules", str(village)]) == 0
    assert next(read_json(out)).rules.name == "mine"


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "awale: {path}: line 4, column 4: pit F is empty\n"),
        ("fr", "awale: {path} : ligne 4, colonne 4 : la case F est vide\n"),
    ],
)
def test_bad_games(lang: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "bad.ogn", tmp_path / "out.json"
    path.write_text('[South "x"]\n\n1. F f\n2. F\n')
    out.write_text("an older file")
    assert main(["--lang", lang, "convert", str(path), str(out)]) == 2
    assert capsys.readouterr() == ("", said.format(path=path))
    assert out.read_text() == "an older file"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["bad.ogn", "out.json"]


def test_bad_games_may_be_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "bad.ogn", tmp_path / "out.json"
    path.write_text('[South "x"]\n\n1. Q\n\n[South "y"]\n\n1. F\n')
    assert main(["convert", "--skip-bad", str(path), str(out)]) == 1
    assert [record.tags for record in read_json(out)] == [{"South": "y"}]
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith(f"awale: {path}: line 3, column 4: ")
    assert told[1:] == [f"{out}: games written: 1, skipped: 1"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.ogn", "x.json"], "nowhere.ogn: No such file"),
        ([".", "x.json", "--from", "ogn"], ".: Is a directory"),
        (["games.ogn", "nowhere/x.json"], "nowhere/x.json: No such file"),
        (["a", "b"], "whether it is OGN or JSON"),
        (["games.ogn", "x.json", "--rules", "chess"], "unknown rules 'chess'"),
        (["games.ogn", "x.json", "--from", "json"], "games.ogn: line 1, column 2: not JSON"),
        (["games.ogn", "x.json", "--to", "csv"], "--to"),
        ([], "IN"),
    ],
)
def test_what_cannot_be_done(
    arguments: list[str], said: str, ogn: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ogn.parent)
    assert main(["convert", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
    assert not (ogn.parent / "x.json").exists()


def test_progress_is_told_to_a_person(
    ogn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["convert", str(ogn), str(tmp_path / "x.json")]) == 0
    told = capsys.readouterr().err
    assert "\r1 game (" in told
    assert "%)" in told
    assert told.endswith(f"\r{tmp_path / 'x.json'}: games written: 4\n")
    assert main(["convert", "-q", str(ogn), str(tmp_path / "x.json")]) == 0
    assert capsys.readouterr().err == ""


def test_modes_of_files_are_kept(ogn: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.json"
    out.write_text("")
    out.chmod(0o600)
    assert main(["convert", "-q", str(ogn), str(out)]) == 0
    assert out.stat().st_mode & 0o777 == 0o600


def test_a_reader_that_goes_away(tmp_path: Path) -> None:
    """As in `awale convert games.ogn | head -1`: no traceback, whatever is still in the pipe."""
    path = tmp_path / "many.json"
    write_json(GAMES * 500, path)
    process = subprocess.Popen(
        [sys.executable, "-m", "awale", "convert", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "AWALE_LANG": "en"},
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == b'[Variant "abapa"]\n'
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 1
    process.stderr.close()


def test_a_named_pipe_is_written_to(ogn: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
    assert main(["convert", "-q", str(ogn), str(pipe)]) == 0
    out, _ = reader.communicate(timeout=60)
    assert [record.game() for record in read_json(out)] == GAMES
