"""A study in a real Chromium, from its first chapter to a reader who has answered its question."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser import Open, browser, pit, ready, visit
from tests.web.test_browser_pages import check_axe

__all__ = ["browser", "visit"]
pytestmark = pytest.mark.browser
PHONE_FR: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "locale": "fr-FR", "has_touch": True}
DESKTOP_EN: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
WORDS = {
    "en-GB": {"saved": "Saved", "right": "F is right", "wrong": "A is not", "answered": "1 of 1", "answers": "Answers"},
    "fr-FR": {
        "saved": "Enregistré",
        "right": "F\u202f: c'est juste",
        "wrong": "A n'est pas",
        "answered": "1 réponse donnée sur 1",
        "answers": "Réponses",
    },
}


def begin(page: Page, title: str) -> str:
    """Begin a study; return its path."""
    page.fill("#new-title", title)
    page.click("#new-study button[type=submit]")
    page.wait_for_url("**/study/*")
    ready(page)
    return "/study/" + page.url.rsplit("/", 1)[1]


def play(page: Page, number: int, moves: list[str]) -> None:
    pit(page, number).click()
    expect(page.locator("#tree .ply")).to_have_text(moves)


@pytest.mark.parametrize("options", [DESKTOP_EN, PHONE_FR], ids=["desktop-en", "phone-fr"])
def test_a_study_from_its_first_move_to_the_last_answer(visit: Open, options: dict[str, Any]) -> None:
    words = WORDS[options.get("locale", "en-GB")]
    page = visit("/studies", **options)
    check_axe(page)
    path = begin(page, "Premiers semis")
    expect(page.locator("#saved")).to_have_text(words["saved"])
    page.fill("#comment", "Which pit?")
    page.check("#quiz")
    play(page, 5, ["F"])
    page.fill("#comment", "well met")
    page.click("#first")
    pit(page, 0).click()
    expect(page.locator("#tree .variation .ply")).to_have_text(["A"])
    page.fill("#comment", "too slow")
    page.fill("#chapter-title", "One question")
    expect(page.locator("#chapters button")).to_have_text(["One question"])
    expect(page.locator("#saved")).to_have_text(words["saved"])
    page.click("#chapter-group summary")
    page.click("#add-chapter")
    expect(page.locator("#chapters button")).to_have_count(2)
    expect(page.locator("#tree .ply")).to_have_count(0)
    page.click("#import-chapters")
    page.fill("#import-text", "1. A a\n2. Q *")
    page.click("#import-go")
    expect(page.locator("#import-error")).to_contain_text("2")
    page.fill("#import-text", '[Chapter "From a file"]\n\n1. A a *')
    page.click("#import-go")
    expect(page.locator("#chapters button").nth(2)).to_have_text("From a file")
    page.click("#share-group summary")
    check_axe(page)
    page.click("#read-link")
    expect(page.locator("#shared")).to_contain_text(path)
    with page.expect_download() as saved:
        page.click("#study-ogn")
    written = saved.value.path().read_text()
    assert "Which pit? [%quiz]" in written
    assert "too slow" in written

    other = visit(path, **options)
    expect(other.locator("#study-comment")).to_have_text("Which pit?")
    expect(other.locator("#tree .ply")).to_have_count(0)
    expect(other.locator("#quiz-box")).to_be_visible()
    expect(other.locator("#board .note")).to_have_count(0)
    expect(other.locator("#comment")).to_be_hidden()
    check_axe(other)
    pit(other, 0).click()
    expect(other.locator("#quiz-said")).to_contain_text(words["wrong"])
    expect(other.locator("#quiz-said")).to_contain_text("too slow")
    pit(other, 5).click()
    expect(other.locator("#quiz-right")).to_contain_text(words["right"])
    expect(other.locator("#study-comment")).to_have_text("well met")
    expect(other.locator("#quiz-progress")).to_contain_text(words["answered"])
    other.reload()
    ready(other)
    expect(other.locator("#tree .ply").first).to_have_text("F")
    other.click("#last")
    other.click("#next-chapter")
    expect(other.locator("#chapters [aria-current]")).not_to_have_text("One question")
    other.click("#share-group summary")
    other.click("#study-print")
    ready(other)
    expect(other.locator(".answers h2")).to_have_text(words["answers"])
    expect(other.locator("figure img").first).to_be_visible()
    check_axe(other)


def test_two_editors_lose_nothing(visit: Open) -> None:
    page = visit("/studies")
    path = begin(page, "Together")
    page.click("#share-group summary")
    page.click("#edit-link")
    expect(page.locator("#shared")).to_contain_text("/edit/")
    link = page.locator("#shared").inner_text().split("/study/")[1]
    other = visit(path)
    other.goto(other.url.split("/study/")[0] + "/study/" + link)
    other.wait_for_url(f"**{path}")
    ready(other)
    play(other, 0, ["A"])
    expect(other.locator("#saved")).to_have_text("Saved")
    play(page, 1, ["B"])
    expect(page.locator("#conflict")).to_be_visible()
    check_axe(page)
    page.click("#keep-mine")
    expect(page.locator("#conflict")).to_be_hidden()
    expect(page.locator("#chapters button")).to_have_count(2)
    expect(page.locator("#tree .ply")).to_have_text(["B"])
    page.locator("#chapters button").first.click()
    expect(page.locator("#tree .ply")).to_have_text(["A"])
    play(other, 6, ["A", "a"])
    expect(other.locator("#saved")).to_have_text("Saved")
    page.click("#last")
    play(page, 7, ["A", "b"])
    expect(page.locator("#conflict")).to_be_visible()
    page.click("#load-theirs")
    expect(page.locator("#tree .ply")).to_have_text(["A", "a"])
    expect(page.locator("#conflict")).to_be_hidden()


def test_a_chapter_chosen_while_another_loads_or_is_saved_is_shown(visit: Open) -> None:
    page = visit("/studies")
    begin(page, "Quick")
    play(page, 0, ["A"])
    page.click("#chapter-group summary")
    page.click("#add-chapter")
    expect(page.locator("#chapters button")).to_have_count(2)
    # Nothing is awaited between the clicks: the second chapter is still loading when the first is chosen.
    page.evaluate("document.querySelectorAll('#chapters button').forEach((button) => button.click())")
    expect(page.locator("#chapters [aria-current]")).to_have_text("Chapter 2")
    expect(page.locator("#tree .ply")).to_have_count(0)
    page.evaluate("[...document.querySelectorAll('#chapters button')].reverse().forEach((button) => button.click())")
    expect(page.locator("#chapters [aria-current]")).to_have_text("Chapter 1")
    expect(page.locator("#tree .ply")).to_have_text(["A"])


def test_a_drawing_is_kept_with_the_chapter(visit: Open) -> None:
    page = visit("/studies")
    begin(page, "Arrows")
    pit(page, 2).click(button="right")
    expect(page.locator("#board .ring.drawn")).to_have_count(1)
    expect(page.locator("#saved")).to_have_text("Saved")
    page.reload()
    ready(page)
    expect(page.locator("#board .ring.drawn")).to_have_count(1)
