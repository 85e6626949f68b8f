"""`awale reproduce report-2025`, with games of depth 1 where only the printing matters."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from awale import i18n
from awale.search import tricolor_2025_games
from awale.search.tricolor_2025_games import REPORTED, Cell, Played, Table

Call = Callable[..., Any]
_played: dict[tuple[int, str, str, str], Played] = {}


@pytest.fixture
def shallow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play every game one move deep, and let the data say that this is what the report's program gives too."""
    play = tricolor_2025_games.play_cell

    def quickly(table: Table, cell: Cell, rules: str = REPORTED, **options: Any) -> Played:
        key = (table.number, cell.j1, cell.j2, rules)
        if key not in _played:
            _played[key] = play(dataclasses.replace(table, depths=(1, 1)), cell, rules)
        played = _played[key]
        known = dataclasses.replace(cell, program=played.scores, moves=None, published=played.scores)
        if key[:3] == (2, "defence", "corrected"):
            known = dataclasses.replace(known, published=played.before_last_capture)
        return dataclasses.replace(played, cell=known)

    monkeypatch.setattr(tricolor_2025_games, "play_cell", quickly)


@pytest.mark.usefixtures("shallow")
@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_all_tables_are_printed_beside_the_published_ones(awale_: Call, lang: str) -> None:
    said = awale_("reproduce", "report-2025", "--lang", lang)
    assert said.code == 0
    titles = [line for line in said.out.splitlines() if line.startswith("Table ") and "J1" in line and "J2" in line]
    assert [line[6] for line in titles] == ["1", "2", "3", "1", "2", "3"]
    assert i18n.text("reproduce.table.published", lang) in said.out
    assert said.out.count("J1 \\ J2") == 6
    assert "27" in said.out
    assert " ".join(i18n.text("reproduce.agree.before", lang).split()) in " ".join(said.out.split())
    assert i18n.text("reproduce.hypothesis.title", lang) in said.out
    assert len(said.err.splitlines()) >= 6 * 10
    assert "{" not in said.out + said.err


@pytest.mark.usefixtures("shallow")
def test_a_misprint_is_marked_and_explained(awale_: Call) -> None:
    said = awale_("reproduce", "report-2025", "--table", "2", "--rules", REPORTED)
    assert said.code == 0
    marked = [line for line in said.out.splitlines() if line.endswith("*") or "*  " in line]
    assert len(marked) == 1
    assert marked[0].startswith("defence")
    assert "before the last capture" in " ".join(said.out.split())


@pytest.mark.usefixtures("shallow")
def test_json_for_programs(awale_: Call) -> None:
    said = awale_("reproduce", "report-2025", "--table", "1", "--table", "3", "--json", "--threads", "1")
    data = json.loads(said.out)
    assert [(t["table"], t["rules"]) for t in data["tables"]] == [
        (number, rules) for rules in ("tricolor-2025", "tricolor") for number in (1, 3)
    ]
    game = data["tables"][0]["games"][3]
    assert (game["j1"], game["j2"]) == ("defence", "raw")
    assert len(game["record"].split()) == game["moves"]
    summary = data["summary"]["tricolor-2025"]
    assert (summary["games"], summary["as_program"]) == (18, 18)
    assert sum(summary["wins"][who] for who in ("j1", "j2", "draws")) == 18


@pytest.mark.slow
def test_the_page_shows_what_the_command_prints(awale_: Call) -> None:
    page = Path(__file__).parents[2].joinpath("docs", "report-2025.md").read_text(encoding="utf-8")
    for part in awale_("reproduce", "report-2025").out.strip().split("\n\n"):
        assert part in page


def test_another_score_than_the_programs_is_a_failure(awale_: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    play = tricolor_2025_games.play_cell

    def shallow(table: Table, cell: Cell, rules: str = REPORTED, **options: Any) -> Played:
        return play(dataclasses.replace(table, depths=(1, 1)), cell, rules)

    monkeypatch.setattr(tricolor_2025_games, "play_cell", shallow)
    said = awale_("reproduce", "report-2025", "--table", "1", "--rules", REPORTED)
    assert said.code == 1
    assert "Not reproduced" in said.out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [(("--table", "4"), "tables 1, 2 and 3"), (("--rules", "abapa"), "abapa"), (("--table", "x"), "--table")],
)
def test_mistakes_are_one_line(awale_: Call, arguments: tuple[str, ...], word: str) -> None:
    said = awale_("reproduce", "report-2025", *arguments)
    assert (said.code, said.out) == (2, "")
    assert word in said.err
    assert len(said.err.strip().splitlines()) == 1


def test_help_names_the_report(awale_: Call) -> None:
    assert "report-2025" in awale_("reproduce", "--help").out
    assert "--table" in awale_("reproduce", "report-2025", "--help").out


def test_the_reports_claims_hold_for_its_tables() -> None:
    import types

    def games(number: int, scores: str) -> list[Any]:
        table = tricolor_2025_games.tables()[number - 1]
        found = []
        for cell in table.cells:
            pair = getattr(cell, scores)
            outcome = types.SimpleNamespace(winner=int(pair[1] > pair[0]))
            found.append(types.SimpleNamespace(cell=cell, scores=pair, outcome=outcome))
        return found

    for scores in ("published", "program"):
        change = tricolor_2025_games.corrected_for_raw(games(1, scores))
        assert change is not None
        assert [round(100 * share, 1) for share in change] == [-33.1, 260.7]
        first, third = (tricolor_2025_games.j2_wins(games(number, scores)) for number in (1, 3))
        assert (len(first), len(third)) == (2, 4)
        assert first < third


@pytest.mark.usefixtures("shallow")
def test_claims_are_printed_from_the_run(awale_: Call) -> None:
    said = awale_("reproduce", "report-2025", "--table", "1", "--table", "3", "--rules", REPORTED)
    assert "J2 wins" in said.out


def test_the_last_capture_of_a_game() -> None:
    from awale import Game

    assert tricolor_2025_games.last_capture(Game("tricolor")) == 0
    game = Game("tricolor", moves="1R 2R")
    captures = [number for number in (1, 2) if Game("tricolor", moves=game.moves[:number]).scores != (0, 0)]
    assert tricolor_2025_games.last_capture(game) == (captures[-1] if captures else 0)
