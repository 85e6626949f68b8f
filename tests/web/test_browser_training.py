"""Training in a real Chromium: puzzles, lessons and one's own mistakes, used to the end."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from awale.i18n import text
from awale.rules.moves import write
from awale.training import Puzzle, goal_sentence, lessons, puzzle_of_the_day, puzzles
from awale.training.lessons import Exercise, Lesson
from tests.web.browser import Open, browser, pit, ready, start_game, visit
from tests.web.test_browser_pages import SIZES, check_axe

__all__ = ["browser", "visit"]
pytestmark = pytest.mark.browser
LOCALES = {"en": "en-GB", "fr": "fr-FR"}
EVERYWHERE = [(size, lang) for size in SIZES for lang in LOCALES]
NOON = 1_800_000_000_000
DAY = 24 * 60 * 60 * 1000
STARVED = "1-0-1-1-1-0-0-0-0-0-0-1-20-23-S"
"""South, at the rules of abapa: A wins by 2, the other moves lose."""
KEPT = {
    "rules": "abapa",
    "start": STARVED,
    "moves": "",
    "move": "E",
    "best": "A",
    "line": ["A", "f"],
    "loss": 10,
    "mover": 0,
    "stage": 0,
    "due": NOON,
    "added": NOON - DAY,
}


def options(size: str, lang: str) -> dict[str, Any]:
    return {"viewport": SIZES[size], "locale": LOCALES[lang], "has_touch": size == "phone"}


def said(page: Page, key: str, lang: str, **values: object) -> None:
    """Expect a sentence of the page's texts in its status."""
    expect(page.locator("#status")).to_contain_text(text(f"web.{key}", lang, **values))


# -- puzzles ---------------------------------------------------------------------------------------------------------


def on_board(page: Page) -> Puzzle:
    asked = parse_qs(urlsplit(page.url).query)
    return next(one for one in puzzles(asked["rules"][0]) if one.id == asked["puzzle"][0])


def solve(page: Page, puzzle: Puzzle, lang: str, *, keys: bool = False) -> None:
    """Play the solution with clicks, or with keys."""
    game, found = puzzle.game(), 0
    for move in puzzle.line:
        if game.turn == puzzle.side:
            page.wait_for_selector(f'html[data-found="{found}"]')
            place = game.parse(move).pit
            if keys:
                page.keyboard.press(str([*game.rules.own_pits(game.turn)].index(place) + 1))
            else:
                pit(page, place).click()
            found += 1
        game.push(move)
    said(page, "puzzles.solved", lang)


@pytest.mark.parametrize(("size", "lang"), EVERYWHERE)
def test_puzzles_are_solved_to_the_end(visit: Open, size: str, lang: str) -> None:
    hard = max(puzzles("casabianca"), key=lambda one: len(one.decisions))
    page = visit(f"/puzzles?rules=casabianca&puzzle={hard.id}", **options(size, lang))
    expect(page.locator("#goal")).to_have_text(goal_sentence(hard, lang))
    game = hard.game()
    wrong = next(move for move in game.legal_moves if str(move) != hard.line[0])
    refutation = hard.decisions[0].refutations[str(wrong)]
    pit(page, wrong.pit).click()
    # The refutation is played on the board, and said.
    expect(page.locator("#again")).to_be_focused()
    expect(page.locator("#status")).to_contain_text(str(wrong))
    expect(page.locator("#status")).to_contain_text(" ".join(refutation))
    for move in (wrong, *refutation):
        game.push(move)
    expect(page.locator("#board .store.owner-0 .count")).to_have_text(str(game.scores[0]))
    expect(page.locator("#board .store.owner-1 .count")).to_have_text(str(game.scores[1]))
    expect(page.locator("#rating")).not_to_have_text("1500?")
    page.click("#again")
    page.click("#hint")
    expect(page.locator("#hint")).to_have_text(text("web.puzzles.hint-more", lang))
    page.click("#hint")
    expect(page.locator("#board .arrow.best")).to_have_count(1)
    solve(page, hard, lang)
    expect(page.locator("#why")).to_be_visible()
    expect(page.locator("#explanation p").last).to_have_text(text(f"puzzles.explain.{hard.source}", lang))
    expect(page.locator("#streak")).to_have_text("0")  # a wrong move ended it
    check_axe(page)
    page.click("#next")
    expect(page.locator("#why")).to_be_hidden()
    page.wait_for_function(f"() => !location.search.includes('{hard.id}')")
    solve(page, on_board(page), lang)
    expect(page.locator("#streak")).to_have_text("1")
    page.reload()
    ready(page)
    expect(page.locator("#streak")).to_have_text("1")
    expect(page.locator("#solved-count")).to_have_text("1")
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    page.goto(page.url.partition("/puzzles")[0] + "/training")
    ready(page)
    expect(page.locator("#puzzles-state")).to_contain_text("1")


def test_a_puzzle_is_solved_with_the_keyboard_alone(visit: Open) -> None:
    page = visit("/puzzles?rules=ghana")
    puzzle = on_board(page)
    solve(page, puzzle, "en", keys=True)
    expect(page.locator("#announcer")).to_contain_text("Solved.")
    page.keyboard.press("n")
    page.wait_for_function(f"() => !location.search.includes('{puzzle.id}')")


def test_puzzles_by_day_theme_rules_and_difficulty(visit: Open) -> None:
    page = visit("/puzzles", before=lambda page: page.clock.set_fixed_time(NOON / 1000))
    expect(page.locator("#puzzle-name")).to_contain_text("Puzzle of the day")
    first = on_board(page)
    assert first.id == puzzle_of_the_day("casabianca", datetime.date(2027, 1, 15)).id
    page.click("#next")
    page.wait_for_function(f"() => !location.search.includes('{first.id}')")
    page.click("#day")
    expect(page.locator("#puzzle-name")).to_contain_text("Puzzle of the day")
    assert on_board(page).id == first.id
    theme = puzzles("casabianca")[0].themes[0]
    page.select_option("#puzzle-theme", theme)
    expect(page.locator("#puzzle-name")).not_to_contain_text("Puzzle of the day")
    assert theme in on_board(page).themes
    page.select_option("#puzzle-theme", "")
    page.select_option("#level", "easy")
    page.wait_for_function("() => Number(document.getElementById('puzzle-name').textContent.match(/[0-9]+$/)) < 1000")
    page.select_option("#rules", "wikipedia")
    expect(page.locator("#rules-name")).to_have_attribute("href", "/rules/wikipedia")
    assert on_board(page).rules.name == "wikipedia"
    page.click("#solution")
    said(page, "puzzles.shown", "en")
    expect(page.locator("#why")).to_be_visible()
    page.goto(page.url.partition("?")[0] + "?rules=wikipedia&puzzle=nothing")
    ready(page)
    expect(page.locator("#status")).to_have_text("There is no puzzle 'nothing' under these rules.")


# -- lessons ---------------------------------------------------------------------------------------------------------


def give(page: Page, number: int, exercise: Exercise, answer: str) -> None:
    """Answer an exercise as a reader does."""
    game = exercise.game()
    if exercise.form == "number":
        page.fill(f"#number-{number} input", answer)
        page.click(f"#number-{number} button")
    elif exercise.form == "yes-no":
        page.click(f"#{answer}-{number}")
    else:
        labels = page.evaluate(f"document.getElementById('board-{number}').rules.labels")
        place = game.parse(answer).pit if exercise.form == "move" else labels.index(answer)
        page.click(f'#board-{number} [data-pit="{place}"]')
        if exercise.form == "move" and game.rules.coloured:
            page.click(f'#board-{number} .menu-item[aria-label^="{answer}:"]')


def wrong_answer(exercise: Exercise) -> str:
    (right,) = exercise.answers()
    if exercise.form == "number":
        return str(int(right) + 1)
    if exercise.form == "yes-no":
        return "no" if right == "yes" else "yes"
    game = exercise.game()
    legal = [str(move) for move in game.legal_moves]
    if exercise.form == "move":
        return next(move for move in legal if move != right)
    names = (write(game.rules, place) for place in game.rules.own_pits(game.turn) if game.counts[place])
    return next(name for name in names if name != right)


@pytest.mark.parametrize(
    ("size", "lang", "key"),
    [
        ("phone", "fr", "granary"),
        ("phone", "en", "three-colours"),
        ("desktop", "en", "endless"),
        ("desktop", "fr", "feeding"),
    ],
)
def test_a_lesson_is_solved_to_the_end(visit: Open, size: str, lang: str, key: str) -> None:
    lesson: Lesson = lessons.lesson(key)
    page = visit(f"/lessons/{key}", **options(size, lang))
    expect(page.locator("h1")).to_have_text(text(f"lessons.about.{key}.title", lang))
    for number, exercise in enumerate(lesson.exercises):
        status = page.locator(f"#status-{number}")
        wrong = wrong_answer(exercise)
        give(page, number, exercise, wrong)
        expect(status).to_have_class("status wrong")
        expect(status).to_have_text(lessons.judge(exercise, wrong).said.sentence(lang))
        page.click(f"#back-{number}")
        expect(status).to_have_text("")
        (answer,) = exercise.answers()
        give(page, number, exercise, answer)
        expect(status).to_have_class("status right")
        expect(status).to_contain_text(text(f"lessons.why.{exercise.key}", lang))
        expect(page.locator(f"#solved-{number}")).to_be_visible()
    of = len(lesson.exercises)
    expect(page.locator("#total")).to_have_text(text("web.lessons.complete", lang, of=of))
    check_axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    page.click(".faint a[href='/lessons']")
    ready(page)
    expect(page.locator(f"#done-{key}")).to_have_text(text("web.lessons.complete", lang, of=of))
    every = sum(len(one.exercises) for one in lessons.LESSONS)
    expect(page.locator("#total")).to_have_text(text("web.lessons.total", lang, done=of, of=every))


def test_an_exercise_does_not_tell_its_answer(visit: Open) -> None:
    page = visit("/lessons/opening")
    page.hover('#board-1 [data-pit="4"]')
    expect(page.locator("#board-1 .bubble")).to_be_hidden()
    expect(page.locator("#board-1 .previews > *")).to_have_count(0)
    label = page.locator('#board-1 [data-pit="4"]').get_attribute("aria-label")
    assert label is not None
    assert "captures" not in label
    page.click("#solution-1")
    expect(page.locator("#status-1")).to_contain_text("e holds 7 seeds")
    expect(page.locator("#solved-1")).to_be_hidden()


def test_an_endless_sowing_is_followed(visit: Open) -> None:
    page = visit("/lessons/endless")
    page.click("#follow-2")
    expect(page.locator("#follower-2 .status")).to_contain_text("20")


# -- one's own mistakes ----------------------------------------------------------------------------------------------


def test_the_mistakes_of_a_game_come_back_after_a_day_and_a_week(visit: Open) -> None:
    page = visit(f"/?position={STARVED}", before=lambda page: page.clock.set_fixed_time(NOON / 1000))
    start_game(page, "together")
    pit(page, 4).click()
    expect(page.locator("#moves .ply")).to_have_count(1)
    pit(page, 11).click()
    expect(page.locator("#ending")).to_be_visible()
    page.click("#ending-review")
    ready(page)
    expect(page.locator("#moments")).to_have_text("1 moment to mend")
    page.click("#moments")
    said(page, "mistakes.moment", "en", n=1, of=1)
    pit(page, 3).click()
    said(page, "practice.wrong", "en", move="D")
    pit(page, 0).click()
    said(page, "practice.found", "en", move="A")
    said(page, "mistakes.moments-done", "en")
    origin = page.url.partition("/analysis")[0]
    page.goto(origin + "/mistakes")
    ready(page)
    said(page, "mistakes.later", "en", date="January 16, 2027")
    expect(page.locator("#waiting-count")).to_have_text("1")
    for day, again in ((1, "January 23, 2027"), (8, "")):
        page.clock.set_fixed_time((NOON + day * DAY) / 1000)
        page.reload()
        ready(page)
        expect(page.locator("#due-count")).to_have_text("1")
        said(page, "mistakes.ask", "en", date="January 15, 2027", move="E")
        pit(page, 0).click()
        said(page, "practice.found", "en", move="A")
        expect(page.locator("#status")).to_contain_text(again or "learned")
        page.click("#next")
        expect(page.locator("#due-count")).to_have_text("0")
    expect(page.locator("#learned-count")).to_have_text("1")
    said(page, "mistakes.all-learned", "en")


def keep(page: Page, *mistakes: dict[str, Any]) -> None:
    page.clock.set_fixed_time(NOON / 1000)
    written = json.dumps(json.dumps(mistakes))
    page.add_init_script(f"localStorage['awale-mistakes'] ??= {written}")


def kept(page: Page) -> list[dict[str, Any]]:
    return list(page.evaluate("JSON.parse(localStorage.getItem('awale-mistakes'))"))


@pytest.mark.parametrize(("size", "lang"), EVERYWHERE)
def test_a_mistake_that_is_made_again_comes_back_the_next_day(visit: Open, size: str, lang: str) -> None:
    page = visit("/mistakes", before=lambda page: keep(page, {**KEPT, "stage": 1}), **options(size, lang))
    expect(page.locator("#due-count")).to_have_text("1")
    pit(page, 4).click()
    said(page, "practice.same", lang, move="E")
    assert [(one["stage"], one["due"]) for one in kept(page)] == [(0, NOON + DAY)]
    check_axe(page)
    page.click("#solution")
    said(page, "mistakes.best", lang, move="A", line="A f")
    expect(page.locator("#next")).to_be_focused()
    assert [(one["stage"], one["due"]) for one in kept(page)] == [(0, NOON + DAY)]
    page.click("#next")
    expect(page.locator("#table")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]


def test_mistakes_are_saved_to_a_file_and_read_from_one(visit: Open, tmp_path: Path) -> None:
    page = visit("/mistakes", before=lambda page: keep(page, KEPT, {**KEPT, "move": "D"}))
    page.click("summary")
    with page.expect_download() as saved:
        page.click("#export")
    file = tmp_path / "mistakes.json"
    saved.value.save_as(file)
    written = json.loads(file.read_text())
    assert [one["move"] for one in written["mistakes"]] == ["E", "D"]

    other = visit("/mistakes", before=lambda page: keep(page, {**KEPT, "stage": 1, "due": NOON + 3 * DAY}))
    other.click("summary")
    before = kept(other)
    bad = tmp_path / "bad.json"
    bad.write_text(json.dumps({**written, "mistakes": [KEPT, {**KEPT, "move": "B"}]}))
    for content, reason in ((bad, "Mistake 2 of the file"), (Path(__file__), "does not hold mistakes")):
        other.set_input_files("#import", content)
        expect(other.locator("#import-error")).to_contain_text(reason)
        assert kept(other) == before
    other.set_input_files("#import", file)
    expect(other.locator("#import-done")).to_have_text("1 mistake added.")
    expect(other.locator("#import-error")).to_have_text("")
    # The one that was here keeps its own schedule.
    assert {one["move"]: one["due"] for one in kept(other)} == {"E": NOON + 3 * DAY, "D": NOON}
    expect(other.locator("#due-count")).to_have_text("1")


# -- files with progress ---------------------------------------------------------------------------------------------


def keep_progress(page: Page, tried: dict[str, bool], solved: dict[str, list[str]]) -> None:
    strength = [1512.0, 340.0, 0.06]
    progress = {"rating": strength, "streak": 1, "bestStreak": 2, "tried": tried, "puzzles": {}}
    for key, value in (("puzzles", {"casabianca": progress}), ("lessons", solved)):
        page.add_init_script(f"localStorage['awale-{key}'] ??= {json.dumps(json.dumps(value))}")


def progress_of(page: Page) -> tuple[dict[str, bool], dict[str, list[str]]]:
    found = page.evaluate("['puzzles', 'lessons'].map((key) => JSON.parse(localStorage.getItem(`awale-${key}`)))")
    return found[0]["casabianca"]["tried"], found[1]


@pytest.mark.parametrize(("size", "lang"), EVERYWHERE)
def test_progress_is_saved_to_a_file_and_read_from_one(visit: Open, tmp_path: Path, size: str, lang: str) -> None:
    first, second = (puzzle.id for puzzle in puzzles("casabianca")[:2])
    lesson = lessons.LESSONS[0]
    exercises = [exercise.key for exercise in lesson.exercises]
    solved = {lesson.key: exercises[:2]}
    page = visit("/training", before=lambda page: keep_progress(page, {first: True}, solved), **options(size, lang))
    page.click("summary")
    check_axe(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size]["width"]
    page.focus("#export")
    with page.expect_download() as saved:
        page.keyboard.press("Enter")
    file = tmp_path / saved.value.suggested_filename
    saved.value.save_as(file)

    own = {lesson.key: exercises[1:3]}
    other = visit("/training", before=lambda page: keep_progress(page, {second: False}, own), **options(size, lang))
    other.click("summary")
    before = progress_of(other)
    bad = tmp_path / "bad.jsonl"
    bad.write_text(file.read_text() + '{"lesson":"nonsense","solved":[]}\n')
    number = len(file.read_text().splitlines()) + 1
    for content, line in ((bad, number), (Path(__file__), 1)):
        other.set_input_files("#import", content)
        expect(other.locator("#import-error")).to_contain_text(text("notation.place.line", lang, line=line, problem=""))
        assert progress_of(other) == before
    other.set_input_files("#import", file)
    done = text("web.training.imported", lang, puzzles=1, exercises=1)
    expect(other.locator("#import-done")).to_have_text(done)
    expect(other.locator("#import-error")).to_have_text("")
    tried, now = progress_of(other)
    assert tried == {first: True, second: False}
    assert sorted(now[lesson.key]) == sorted(exercises[:3])
