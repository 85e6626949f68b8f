"""`awale studies`: what the browser keeps, in files and back; what is refused leaves everything as it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

TEXT = """[Variant "abapa"]
[Chapter "The opening"]

{ Which pit? [%draw 6-9,3] [%quiz] } 1. F! { well met } (1. A f 2. B) 1... f 2. E *

[Variant "ghana"]
[South "Ama"]
[North "Kofi"]

1. 1 *

[Variant "abapa"]

1. A *
"""


@pytest.fixture
def database(tmp_path: Path) -> list[str]:
    return ["--database", f"sqlite:///{tmp_path / 'studies.sqlite'}"]


@pytest.fixture
def key(awale_: Callable, tmp_path: Path, database: list[str]) -> str:
    """The key of a study in the database."""
    file = tmp_path / "lessons.ogn"
    file.write_text(TEXT)
    said = awale_("studies", "import", str(file), *database)
    assert said.code == 0
    assert "3 chapters added to the study 'lessons'" in said.err
    return said.out.strip()


def test_listed_and_shown(awale_: Callable, key: str, database: list[str]) -> None:
    (listed,) = json.loads(awale_("studies", "list", "--json", *database).out)
    assert (listed["key"], listed["title"], listed["chapters"]) == (key, "lessons", 3)
    shown = json.loads(awale_("studies", "show", key, "--json", *database).out)
    assert [(one["title"], one["rules"], one["plies"]) for one in shown["chapters"]] == [
        ("The opening", "abapa", 3),
        ("Ama – Kofi", "ghana", 1),
        ("Chapter 3", "abapa", 1),
    ]
    assert "[%quiz]" in shown["chapters"][0]["ogn"]
    assert "The opening" in awale_("studies", "show", key, *database).out


def test_exported_and_imported_as_the_same(awale_: Callable, key: str, database: list[str], tmp_path: Path) -> None:
    file = tmp_path / "out.ogn"
    assert awale_("studies", "export", key, str(file), *database).code == 0
    text = file.read_text()
    assert text == awale_("studies", "export", key, *database).out
    again = awale_("studies", "import", str(file), *database)
    assert "the study 'lessons'" in again.err, "its title is in the file"
    assert awale_("studies", "export", again.out.strip(), *database).out == text
    added = awale_("studies", "import", str(file), "--into", key, *database)
    assert added.out.strip() == key
    shown = json.loads(awale_("studies", "show", key, "--json", *database).out)
    assert len(shown["chapters"]) == 6


def test_deleted_only_when_it_is_meant(awale_: Callable, key: str, database: list[str]) -> None:
    said = awale_("studies", "delete", key, *database)
    assert said.code == 2
    assert "needs --yes" in said.err
    said = awale_("studies", "delete", key, "nonsense", "--yes", *database)
    assert (said.code, "no study 'nonsense'" in said.err) == (2, True)
    assert json.loads(awale_("studies", "list", "--json", *database).out)
    assert awale_("studies", "delete", key, "--yes", *database).code == 0
    assert json.loads(awale_("studies", "list", "--json", *database).out) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1. F f\n2. E\n3. Q *\n", "bad.ogn: line 3"),
        ('1. F f 2. E *\n\n[Variant "abapa"]\n\n1. A (1. Q) *\n', "bad.ogn: line 5"),
        ("", "no game"),
    ],
)
def test_an_illegal_move_is_refused_with_its_line(
    awale_: Callable, key: str, database: list[str], tmp_path: Path, text: str, reason: str
) -> None:
    before = awale_("studies", "show", key, "--json", *database).out
    file = tmp_path / "bad.ogn"
    file.write_text(text)
    for more in ([], ["--into", key]):
        said = awale_("studies", "import", str(file), *more, *database)
        assert said.code == 2
        assert reason in said.err
        assert said.err.count("\n") == 1
        assert said.out == ""
    assert awale_("studies", "show", key, "--json", *database).out == before
    assert len(json.loads(awale_("studies", "list", "--json", *database).out)) == 1


def test_bad_arguments(awale_: Callable, key: str, database: list[str], tmp_path: Path) -> None:
    file = tmp_path / "lessons.ogn"
    for arguments, reason in (
        (["import", str(file), "--title", "x", "--into", key], "choose one"),
        (["import", str(file), "--into", "nonsense"], "no study 'nonsense'"),
        (["import", str(tmp_path / "missing.ogn")], "missing.ogn"),
        (["show", "nonsense"], "no study 'nonsense'"),
        (["export", "nonsense"], "no study 'nonsense'"),
    ):
        said = awale_("studies", *arguments, *database)
        assert (said.code, reason in said.err) == (2, True), said.err
