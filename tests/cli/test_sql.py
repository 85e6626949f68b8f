"""`awale exam database` and `awale sql`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def sample(awale_: Callable[..., Any], tmp_path: Path) -> str:
    file = str(tmp_path / "exam.sqlite")
    assert awale_("exam", "database", file).code == 0
    return file


def test_the_answer_as_a_table_as_json_and_as_csv(awale_: Callable[..., Any], sample: str) -> None:
    query = "SELECT nom, niveau FROM Joueur ORDER BY niveau DESC LIMIT 2"
    said = awale_("sql", query, "--database", sample)
    assert said.out == "nom     niveau\n------  ------\nMensah    2104\nSow       2041\n"
    assert json.loads(awale_("sql", query, "--database", sample, "--json").out)[0] == {"nom": "Mensah", "niveau": 2104}
    assert awale_("sql", query, "--database", sample, "--csv").out == "nom,niveau\nMensah,2104\nSow,2041\n"


def test_refusals_are_one_line_and_exit_code_2(awale_: Callable[..., Any], sample: str, tmp_path: Path) -> None:
    for words in (
        ("sql", "DROP TABLE games", "--database", sample),
        ("sql", "SELECT x FROM Joueur", "--database", sample),
        ("sql", "SELECT 1", "--database", str(tmp_path / "none.sqlite")),
        ("exam", "database", sample),
    ):
        said = awale_(*words)
        assert (said.code, said.out, len(said.err.splitlines())) == (2, "", 1), words
    assert not (tmp_path / "none.sqlite").exists()


def test_more_rows_than_shown_are_announced(awale_: Callable[..., Any], sample: str) -> None:
    said = awale_("sql", "SELECT * FROM Partie", "--database", sample, "--limit", "3")
    assert "only the first 3 rows" in said.err
    assert len(said.out.splitlines()) == 5
