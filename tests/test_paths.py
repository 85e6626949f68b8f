"""Where the user's files are: one answer for every part of the program."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from awale import paths
from awale.local import saved_games
from awale.store.database import default_url
from awale.tables.folders import tables_root

DIRS = [
    (paths.data_dir, "AWALE_DATA_DIR", "XDG_DATA_HOME", ".local/share"),
    (paths.cache_dir, "AWALE_CACHE_DIR", "XDG_CACHE_HOME", ".cache"),
]


@pytest.mark.parametrize(("folder", "variable", "xdg", "default"), DIRS)
@pytest.mark.skipif(sys.platform != "linux", reason="these are the places of Linux")
def test_folders(
    folder: Callable[[], Path],
    variable: str,
    xdg: str,
    default: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv(variable, raising=False)
    monkeypatch.delenv(xdg, raising=False)
    assert folder() == tmp_path / default / "awale"
    monkeypatch.setenv(xdg, str(tmp_path / "xdg"))
    assert folder() == tmp_path / "xdg" / "awale"
    monkeypatch.setenv(variable, "")
    assert folder() == tmp_path / "xdg" / "awale", "an empty variable counts as unset"
    monkeypatch.setenv(variable, str(tmp_path / "mine"))
    assert folder() == tmp_path / "mine"
    monkeypatch.setenv(variable, "~/mine")
    assert folder() == tmp_path / "mine"
    assert list(tmp_path.iterdir()) == [], "asking creates nothing"


@pytest.mark.parametrize("named", ["given", ""])
def test_all_data_is_in_one_folder(named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("AWALE_DATA_DIR", named and str(tmp_path / named))
    monkeypatch.delenv("AWALE_DATABASE_URL", raising=False)
    data = paths.data_dir()
    assert data.is_absolute()
    assert saved_games.unfinished_folder() == data / "unfinished"
    assert tables_root() == data / "tables"
    assert default_url() == f"sqlite:///{data / 'awale.sqlite'}"


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "games.ogn"
    file.write_text("old")
    file.chmod(0o640)
    with pytest.raises(ZeroDivisionError), paths.replacing(file) as growing:
        growing.write_text("new")
        raise ZeroDivisionError
    assert file.read_text() == "old"
    with paths.replacing(file) as growing:
        growing.write_text("new")
    assert file.read_text() == "new"
    assert file.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("name", ["nowhere/games.ogn", "file/games.ogn"])
def test_an_error_names_the_file_that_was_asked_for(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError) as raised, paths.replacing(tmp_path / name) as growing:
        growing.write_text("new")
    assert raised.value.filename == str(tmp_path / name)
