"""Worksheets: reproducible questions with true answers, a page that prints on A4 in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from awale import Game, i18n
from awale.classroom import worksheet
from awale.classroom.worksheet import KINDS, WorksheetError, page, questions
from awale.cli import main
from tests.conftest import find_chromium

RULES = ["abapa", "awari", "casabianca", "ghana", "ghana4", "upsti", "wikipedia", "abapa:pits=4,seeds=3"]


@pytest.mark.parametrize("rules", RULES)
def test_questions_have_something_to_find_and_repeat_with_their_seed(rules: str) -> None:
    found = questions(rules, 8, seed=3)
    assert [question.kind for question in found] == [*KINDS, *KINDS]
    assert len({question.game.position for question in found}) == 8
    again = questions(rules, 8, seed=3)
    assert [(q.game.position, q.move) for q in again] == [(q.game.position, q.move) for q in found]
    assert [q.game.position for q in questions(rules, 8, seed=4)] != [q.game.position for q in found]
    for question in found:
        assert question.game.turn == 0
        assert not question.game.over
        if question.move is not None:
            assert question.move in question.game.legal_moves


def test_captures_and_forbidden_pits_are_asked_for() -> None:
    for question in questions("upsti", 16, seed=1):
        game = Game("upsti", start=question.game.start)
        if question.kind == "capture":
            assert question.move is not None
            assert game.play(question.move).taken > 3
        if question.kind == "legal":
            assert len(game.legal_moves) < sum(bool(game.board[pit]) for pit in range(6))


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
def test_the_page_has_questions_then_answers_and_needs_no_other_file(lang: str) -> None:
    text = page("upsti", 8, 1, lang)
    assert f'<html lang="{lang}">' in text
    asked, answered = text.split('<section class="answers">')
    assert asked.count("<li>") == answered.count("<li>") == 8
    assert "size: A4" in asked
    assert not re.search(r"(?:src|href)=|url\(|https?://(?!www\.w3\.org/2000/svg)", text)
    assert "{" not in re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
    # The nodes to be filled in are empty on the sheet and have their values in the answers.
    assert asked.count('text-anchor="middle"></text>') > 0
    assert 'text-anchor="middle"></text>' not in answered
    assert "11" in re.findall(r"<th>(\d*)</th>", asked)


def test_the_answer_to_a_sowing_is_the_board_that_the_rules_give() -> None:
    question = next(q for q in questions("abapa", 8, seed=2) if q.kind == "sow")
    game = Game("abapa", start=question.game.start)
    assert question.move is not None
    trace = game.play(question.move)
    cells = re.findall(r"<td>(\d*)</td>", worksheet._answered(question, "en"))
    board = [int(cell or 0) for cell in cells]
    assert tuple(board[6:] + board[5::-1]) == trace.board


def test_refusals() -> None:
    with pytest.raises(WorksheetError, match="one-colour"):
        page("tricolor")
    with pytest.raises(WorksheetError, match="from 1 to 40"):
        questions("abapa", 41)


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWALE_LANG", "en")
    file = tmp_path / "sheet.html"
    assert main(["worksheet", str(file), "--questions", "4", "--lang", "fr"]) == 0
    assert file.read_text(encoding="utf-8") == page("abapa", 4, 1, "fr")
    capsys.readouterr()
    assert main(["worksheet", "--rules", "tricolor"]) == 2
    assert main(["worksheet", str(tmp_path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2


@pytest.mark.browser
@pytest.mark.parametrize("rules", ["abapa", "ghana"])
def test_nothing_is_wider_than_the_paper(rules: str, tmp_path: Path) -> None:
    from playwright.sync_api import sync_playwright

    file = tmp_path / "sheet.html"
    file.write_text(page(rules, 12, 5, "fr"), encoding="utf-8")
    chromium = find_chromium()
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=str(chromium), args=["--no-sandbox"])
        shown = browser.new_page(viewport={"width": 673, "height": 1000})  # 178 mm at 96 dots per inch
        shown.emulate_media(media="print")
        shown.goto(file.as_uri())
        assert shown.evaluate("document.documentElement.scrollWidth") <= 673
        browser.close()
