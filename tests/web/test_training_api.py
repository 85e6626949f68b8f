"""Training over the API: puzzles, exercises, and files of mistakes."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from awale.training import PRESETS, Puzzle, lessons, puzzle_of_the_day, puzzles
from tests.web.conftest import ORIGIN

PUZZLE = puzzles("casabianca")[0]
LONG = max(puzzles("casabianca"), key=lambda puzzle: len(puzzle.decisions))
MISTAKE = {
    "rules": "abapa",
    "start": "1-0-1-1-1-0-0-0-0-0-0-1-20-23-S",
    "moves": "",
    "move": "E",
    "best": "A",
    "line": ["A", "f"],
    "loss": 10.0,
    "mover": 0,
    "stage": 0,
    "due": 1000,
    "added": 500,
}


def post(client: TestClient, path: str, body: dict[str, Any], status: int = 200) -> Any:
    answer = client.post(path, json=body, headers=ORIGIN)
    assert answer.status_code == status, answer.text
    return answer.json()


def wrong_move(puzzle: Puzzle) -> str:
    return next(str(move) for move in puzzle.game().legal_moves if str(move) != puzzle.line[0])


# -- puzzles ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", PRESETS)
def test_the_puzzle_of_a_day_is_the_same_for_everybody(client: TestClient, rules: str) -> None:
    found = client.get(f"/api/puzzles/{rules}/day/2026-11-16").json()
    assert found["id"] == puzzle_of_the_day(rules, datetime.date(2026, 11, 16)).id
    assert client.get(f"/api/puzzles/{rules}/{found['id']}").json() == found
    assert set(found["goal"]) == {"en", "fr"}


def test_a_wrong_move_is_refuted_and_the_line_goes_on_after_a_right_one(client: TestClient) -> None:
    address = f"/api/puzzles/casabianca/{LONG.id}"
    wrong = wrong_move(LONG)
    refuted = post(client, f"{address}/move", {"found": [], "move": wrong})
    assert refuted["result"] == "wrong"
    assert wrong in refuted["text"]["fr"]
    shown = [step["trace"]["move"] for step in refuted["steps"]]
    assert shown == [wrong, *LONG.decisions[0].refutations[wrong]]
    found: list[str] = []
    played: list[str] = []
    while True:
        answer = post(client, f"{address}/move", {"found": found, "move": LONG.line[len(played)]})
        moves = [step["trace"]["move"] for step in answer["steps"]]
        found.append(moves[0])
        played += moves
        if answer["result"] == "solved":
            break
        assert answer["result"] == "right"
        assert answer["steps"][-1]["view"]["turn"] == LONG.side
    assert tuple(played) == LONG.line
    assert len(answer["explanation"]) > 1
    assert all(set(sentence) == {"en", "fr"} for sentence in answer["explanation"])


def test_without_a_move_the_solution_is_told(client: TestClient) -> None:
    answer = post(client, f"/api/puzzles/casabianca/{PUZZLE.id}/move", {"found": []})
    assert answer["steps"][0]["trace"]["move"] == PUZZLE.line[0]


def test_hints_tell_the_kind_then_the_move(client: TestClient) -> None:
    address = f"/api/puzzles/casabianca/{PUZZLE.id}/hint"
    assert post(client, address, {"step": 1})["arrow"] is None
    told = post(client, address, {"step": 2})
    assert told["arrow"][0] == PUZZLE.game().parse(PUZZLE.line[0]).pit
    assert PUZZLE.line[0] in told["text"]["en"]


def test_attempts_are_rated_once(client: TestClient) -> None:
    address = f"/api/puzzles/casabianca/{PUZZLE.id}/record"
    first = post(client, address, {"clean": True})
    assert first["rated"]
    assert first["change"] > 0
    assert (first["progress"]["streak"], first["progress"]["tried"]) == (1, {PUZZLE.id: True})
    again = post(client, address, {"progress": first["progress"], "clean": False})
    assert not again["rated"]
    assert again["progress"] == first["progress"]
    other = puzzles("casabianca")[1]
    lost = post(client, f"/api/puzzles/casabianca/{other.id}/record", {"progress": first["progress"], "clean": False})
    assert lost["change"] < 0
    assert (lost["progress"]["streak"], lost["progress"]["bestStreak"]) == (0, 1)


def test_the_next_puzzle_suits_theme_rating_and_what_was_tried(client: TestClient) -> None:
    address = "/api/puzzles/casabianca/next"
    theme = PUZZLE.themes[0]
    assert theme in post(client, address, {"theme": theme})["themes"]
    easy = post(client, address, {"least": 0, "most": PUZZLE.rating})
    assert easy["rating"] <= PUZZLE.rating
    first = post(client, address, {})
    assert post(client, address, {"last": first["id"]})["id"] != first["id"]
    progress = post(client, f"/api/puzzles/casabianca/{first['id']}/record", {"clean": True})["progress"]
    assert post(client, address, {"progress": progress})["id"] not in progress["tried"]


def test_what_is_wrong_is_refused_with_a_sentence(client: TestClient) -> None:
    address = f"/api/puzzles/casabianca/{PUZZLE.id}"
    assert "no puzzle" in post(client, "/api/puzzles/casabianca/nothing/move", {}, 404)["detail"]
    assert "so far" in post(client, f"{address}/move", {"found": [wrong_move(PUZZLE)]}, 400)["detail"]
    post(client, f"{address}/move", {"move": "zz"}, 400)
    post(client, f"{address}/move", {"found": ["a"] * 1000}, 422)
    assert "theme" in post(client, "/api/puzzles/casabianca/next", {"theme": "nothing"}, 400)["detail"]
    assert "Choose another" in post(client, "/api/puzzles/casabianca/next", {"most": 1}, 404)["detail"]
    post(client, "/api/puzzles/nothing/next", {}, 400)
    damaged = {"rating": [1500, -1, 0.06], "streak": 0, "bestStreak": 0, "tried": {}, "puzzles": {}}
    assert "cannot be read" in post(client, f"{address}/record", {"progress": damaged, "clean": True}, 400)["detail"]


# -- exercises -------------------------------------------------------------------------------------------------------


def test_exercises_are_judged(client: TestClient) -> None:
    for lesson in lessons.LESSONS:
        for exercise in lesson.exercises:
            (answer,) = exercise.answers()
            judged = post(client, f"/api/lessons/{lesson.key}/{exercise.key}", {"answer": answer})
            assert judged["right"], exercise.key
            assert not post(client, f"/api/lessons/{lesson.key}/{exercise.key}", {})["right"]
    refuted = post(client, "/api/lessons/opening/opening-safe", {"answer": "b"})
    assert [step["trace"]["move"] for step in refuted["steps"]] == ["b", "F"]
    post(client, "/api/lessons/opening/opening-safe", {"answer": "zz"}, 400)
    post(client, "/api/lessons/counting/counting-all", {"answer": "b"}, 400)  # an empty pit
    post(client, "/api/lessons/opening/nothing", {}, 404)
    post(client, "/api/lessons/nothing/nothing", {}, 404)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_every_page_of_the_training_is_there(client: TestClient, lang: str) -> None:
    for path in ("/training", "/puzzles", "/lessons", "/mistakes", *(f"/lessons/{one.key}" for one in lessons.LESSONS)):
        assert client.get(f"{path}?lang={lang}").status_code == 200, path
    for path in ("/lessons/nothing", "/puzzles?rules=casabianca&puzzle=nothing"):
        assert client.get(path).status_code == 404


# -- files with progress ---------------------------------------------------------------------------------------------

HEAD = '{"format":"awale-progress","version":1}\n'


def test_a_file_with_progress_is_merged_with_what_the_browser_keeps(client: TestClient) -> None:
    solved = post(client, f"/api/puzzles/casabianca/{PUZZLE.id}/record", {"clean": True})["progress"]
    missed = post(client, f"/api/puzzles/casabianca/{LONG.id}/record", {"clean": False})["progress"]
    first, second = (lesson.key for lesson in lessons.LESSONS[:2])
    exercise, other = (one.key for one in lessons.LESSONS[0].exercises[:2])
    kept = {"puzzles": {"casabianca": solved}, "lessons": {first: [exercise]}}
    written = {**missed, "best_streak": missed["bestStreak"]}
    text = HEAD + "".join(
        json.dumps(entry) + "\n"
        for entry in (
            {"rules": "casabianca", **written},
            {"rules": "ghana", **written},
            {"lesson": first, "solved": [other, exercise]},
            {"lesson": second, "solved": []},
        )
    )
    now = post(client, "/api/training/merge", {"text": text, "kept": kept})
    assert now["puzzles"]["casabianca"]["tried"] == {PUZZLE.id: True, LONG.id: False}
    assert now["puzzles"]["ghana"] == missed
    assert now["lessons"] == {first: [exercise, other], second: []}
    again = post(client, "/api/training/merge", {"text": text, "kept": now})
    assert again == now


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: not a file with training progress"),
        ("no JSON", "line 1: not a file with training progress"),
        ('{"format":"awale-mistakes","version":1}', "line 1: not a file with training progress"),
        (HEAD + "\n[]", "line 3: neither the puzzles"),
        (HEAD + '{"rules": "casabianca"}', "line 2: neither the puzzles"),
        (HEAD + '{"rules": "nonsense"}', "line 2: "),
        (HEAD + '{"lesson": "nonsense", "solved": []}', "line 2: "),
        (HEAD + json.dumps({"lesson": lessons.LESSONS[0].key, "solved": ["nonsense"]}), "line 2: "),
        (
            HEAD + '{"rules":"abapa","rating":[9999,100,0.06],"streak":0,"best_streak":0,"tried":{},"puzzles":{}}',
            "line 2: neither the puzzles",
        ),
        (HEAD + "[" * 100_000, "line 2: neither the puzzles"),
    ],
)
def test_a_bad_file_with_progress_is_refused_with_its_line(client: TestClient, text: str, said: str) -> None:
    assert said in post(client, "/api/training/merge", {"text": text, "kept": {}}, 400)["detail"]


# -- mistakes --------------------------------------------------------------------------------------------------------


def read(client: TestClient, mistakes: Any, status: int = 200, **more: Any) -> Any:
    file = {"format": "awale-mistakes", "version": 1, "mistakes": mistakes, **more}
    return post(client, "/api/mistakes/read", {"text": json.dumps(file)}, status)


def test_a_file_of_mistakes_is_read(client: TestClient) -> None:
    assert read(client, [MISTAKE])["mistakes"] == [MISTAKE]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"moves": "zz"}, "Mistake 2 of the file: "),
        ({"move": "F"}, "Mistake 2 of the file: "),
        ({"best": "b"}, "Mistake 2 of the file: "),
        ({"line": ["A", "A"]}, "Mistake 2 of the file: "),
        ({"mover": 1}, "not this player's turn"),
        ({"rules": "nonsense"}, "Mistake 2 of the file: "),
        ({"loss": "much"}, "'loss' is missing or wrong"),
        ({"stage": 7}, "'stage' is missing or wrong"),
    ],
)
def test_a_bad_mistake_is_refused_with_its_number(client: TestClient, changed: dict[str, Any], said: str) -> None:
    assert said in read(client, [MISTAKE, {**MISTAKE, **changed}], 400)["detail"]


def test_a_file_of_something_else_is_refused(client: TestClient) -> None:
    for text in ("", "no JSON", "[]", '{"format": "other"}', "[" * 100_000):
        said = post(client, "/api/mistakes/read", {"text": text}, 400)["detail"]
        assert said == "This file does not hold mistakes saved by this page."
    assert "at most 200" in read(client, [MISTAKE] * 201, 400)["detail"]
    assert "does not hold" in read(client, [MISTAKE], 400, version=2)["detail"]
