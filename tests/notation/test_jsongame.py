"""The JSON form by examples."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from awale import Game, NotationError, Rules
from awale.notation import GameRecord, from_data, from_json, read_json, read_ogn, to_data, to_json, write_json
from awale.rules import get

OVER = "0-0-0-0-0-1-1-0-0-0-0-2-24-20-S"


def test_the_form() -> None:
    """As docs/notation.md shows it."""
    (record,) = read_ogn(f'[South "Awa"]\n[FEN "{OVER}"]\n\n{{ Nearly over. }} 1. F+2! {{ it is }} (1. F) 26-20')
    data = to_data(record)
    assert data == {
        "format": "awale-game",
        "version": 1,
        "rules": "abapa",
        "start": OVER,
        "tags": {"South": "Awa"},
        "comments": ["Nearly over."],
        "moves": [{"move": "F", "takes": 2, "marks": ["!"], "comments": ["it is"], "variations": [{"moves": ["F+2"]}]}],
        "result": "26-20",
        "outcome": {"winner": 0, "scores": [26, 20], "reason": "win"},
    }
    assert from_data(json.loads(json.dumps(data))) == record
    assert "\n" not in to_json(record)


def test_village_rules_keep_everything() -> None:
    rules = Rules.from_toml_text(
        'base = "abapa"\nname = "Awa"\nseeds = 3\ntitle = "Chez Awa"\ncapture_counts = [2, 3, 4]\n'
    )
    data = to_data(Game(rules, moves="Ff"))
    assert data["rules"]["options"]["capture_counts"] == [2, 3, 4]
    again = from_json(json.dumps(data)).rules
    assert again == rules
    assert again.title == rules.title
    assert from_json(json.dumps({"rules": "ghana:pits=3", "moves": ["3"]})).rules == get("ghana:pits=3")


def test_an_unfinished_game_keeps_its_offer() -> None:
    game = Game("ghana", moves="3", offer=0)
    assert to_data(game)["offer"] == 0
    assert from_json(to_json(game)) == game
    game.accept_end()
    assert to_data(game)["ended"] == "agreement"
    assert from_json(to_json(game)) == game


def test_the_shortest_file_that_is_a_game() -> None:
    assert from_json('{"moves": ["F", "f"]}') == Game("abapa", moves="Ff")
    assert from_json("{}") == Game("abapa")


def test_files_that_are_not_one_game_a_line(tmp_path: Path) -> None:
    games = [Game("abapa", moves="Ff"), Game("ghana", moves="3")]
    texts = [json.dumps(to_data(game), indent=2) for game in games]
    path = tmp_path / "games.json"
    for text in (
        f"[{','.join(texts)}]",
        "\n".join(texts),
        "\n\n".join(map(to_json, games)),
        f"[{to_json(games[0])},\n{to_json(games[1])}\n]",
    ):
        path.write_text(text, encoding="utf-8")
        assert [record.game() for record in read_json(path)] == games
        assert [record.game() for record in read_json(text.encode("utf-16"))] == games
    assert write_json(games, path) == 2
    assert [record.game() for record in read_json(path)] == games
    assert list(read_json("")) == list(read_json(" \n\n")) == []
    with pytest.raises(NotationError, match="no game"):
        from_json("\n")


def with_move(entry: Any) -> dict[str, Any]:
    return {"moves": ["F", entry]}


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ([], "must be an object"),
        ("F", "must be an object"),
        ({"format": "pgn"}, 'format: must be "awale-game"'),
        ({"version": 2}, "version: version 2 of the format is not supported"),
        ({"version": True}, "version: must be a whole number"),
        ({"version": "1"}, "version: must be a whole number"),
        ({"move": []}, "move: unknown entry"),
        ({"rules": "chess"}, "rules: unknown rules 'chess'"),
        ({"rules": 3}, "rules: must be the name"),
        ({"rules": "x.toml"}, "rules: 'x.toml' is a file"),
        ({"rules": {"name": "x"}}, "rules: options: must be an object"),
        ({"rules": {"options": {}}}, "rules: name: is missing"),
        ({"rules": {"name": "x", "options": {"pitz": 1}}}, "rules: unknown option 'pitz'"),
        ({"rules": {"name": "x", "size": 1, "options": {}}}, "rules: unknown entry 'size'"),
        ({"rules": {"name": "x", "options": {"pits": 99}}}, "rules: pits: must be from 1 to 12"),
        ({"rules": {"name": "x", "options": {"pits": []}}}, "rules: pits: must be a whole number"),
        ({"rules": {"name": ["x"], "options": {}}}, "rules: name: must be a text"),
        ({"rules": {"name": "x", "options": {"sowing": {}}}}, "rules: sowing: must be one of"),
        ({"start": 5}, "start: must be a text"),
        ({"start": "5"}, "start: 1 part,"),
        ({"tags": []}, "tags: must be an object"),
        ({"tags": {"South": 1}}, "the value of the tag South must be a text"),
        ({"tags": {"FEN": ""}}, "FEN is derived from the game"),
        ({"comments": "x"}, "comments: must be a list"),
        ({"comments": [1]}, r"comments\[0\]: must be a text"),
        ({"moves": "F f"}, "moves: must be a list"),
        (with_move(3), r"moves\[1\].move: must be a text"),
        (with_move({}), r"moves\[1\]: must be a move"),
        (with_move("f f"), r"moves\[1\]: must be a move"),
        (with_move("F" * 1000), r"moves\[1\]: must be a move"),
        (with_move("g"), r"moves\[1\]: there is no pit g"),
        (with_move("f+2"), r"moves\[1\]: f captures nothing"),
        (with_move({"move": "f", "takes": 2}), r"moves\[1\]: f captures nothing"),
        (with_move({"move": "f", "takes": -1}), r"moves\[1\]: f captures nothing"),
        (with_move({"move": "f", "takes": True}), r"moves\[1\].takes: must be a whole number"),
        (with_move({"move": "f", "marks": ["good"]}), r"moves\[1\]: 'good' is not an annotation"),
        (with_move({"move": "f", "comments": [None]}), r"moves\[1\].comments\[0\]: must be a text"),
        (with_move({"move": "f", "comment": "x"}), r"moves\[1\].comment: unknown entry"),
        (with_move({"move": "f", "variations": ["f"]}), r"moves\[1\].variations\[0\]: must be an object"),
        (
            with_move({"move": "f", "variations": [{"moves": ["e", "F"]}]}),
            r"moves\[1\].variations\[0\].moves\[1\]: pit F is empty",
        ),
        ({"result": 1}, "result: must be a text"),
        ({"result": "South"}, "result: 'South' is not a result"),
        ({"start": OVER, "moves": ["F"], "result": "20-26"}, "result: these moves give the result 26-20"),
        ({"outcome": {"winner": 0}}, "outcome: these moves give null"),
        ({"start": OVER, "moves": ["F"], "outcome": {"winner": 1}}, "outcome: these moves give {"),
        ({"ended": "checkmate"}, "ended: must be one of agreement"),
        ({"ended": ["agreement"]}, "ended: must be one of agreement"),
        ({"offer": 2}, "offer: must be one of 0, 1"),
        ({"offer": False}, "offer: must be one of 0, 1"),
        ({"offer": []}, "offer: must be one of 0, 1"),
        ({"ended": "agreement", "offer": 0}, "ended: a game ends by"),
        ({"start": OVER, "moves": ["F"], "ended": "agreement"}, "ended: a game ends by"),
    ],
)
def test_what_is_refused(data: Any, problem: str) -> None:
    if not isinstance(data, list):
        with pytest.raises(NotationError, match=problem):
            from_data(data)
    text = "\n" + to_json(GameRecord()) + "\n  " + (json.dumps([data]) if isinstance(data, list) else json.dumps(data))
    with pytest.raises(NotationError, match=problem) as caught:
        list(read_json(text))
    assert (caught.value.line, caught.value.column) == (3, 3)


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        ("{", 1, 2, "not JSON"),
        ('{"moves": [}', 1, 12, "not JSON"),
        ('{\n "moves":\n [}', 3, 3, "not JSON"),
        ('{}\n{"moves": [}', 2, 12, "not JSON"),
        ("{}\n\n[1", 3, 3, "not JSON"),
        ("\x00", 1, 1, "not JSON"),
        ("[" * 100_000, 1, 1, "nested variations"),
        ("{}\n" + "[" * 100_000, 2, 1, "nested variations"),
        ("9" * 10_000, 1, 1, "not JSON"),
        ("{}{}", 1, 3, "no error: two games"),
        ("NaN", 1, 1, "must be an object"),
        ('[\n{},\n{"moves": 1}]', 1, 1, "moves: must be a list"),
    ],
)
def test_texts_that_are_no_json(text: str, line: int, column: int, problem: str) -> None:
    if problem.startswith("no error"):
        assert len(list(read_json(text))) == 2
        return
    with pytest.raises(NotationError, match=problem) as caught:
        list(read_json(text, name="x.json"))
    assert (caught.value.line, caught.value.column, caught.value.source) == (line, column, "x.json")


def test_deep_variations() -> None:
    data: dict[str, Any] = {"moves": ["F"]}
    for _ in range(64):
        data = {"moves": [{"move": "F", "variations": [data]}]}
    assert from_data(data) == from_data(to_data(from_data(data)))
    with pytest.raises(NotationError, match="more than 64 nested variations"):
        from_data({"moves": [{"move": "F", "variations": [data]}]})


def test_going_on_after_bad_games() -> None:
    good = to_json(Game("abapa", moves="F"))
    told: list[NotationError] = []
    text = "\n".join([good, '{"moves": ["Q"]}', good, "[" + good + ', {"rules": 1}]'])
    assert len(list(read_json(text, on_error=told.append))) == 3
    assert [error.line for error in told] == [2, 4]
    # A line that is no JSON is skipped as well: the next line begins a new game anyway.
    told.clear()
    assert len(list(read_json(f"{good}\n{{bad\n{good}", on_error=told.append))) == 2
    assert [(error.line, error.column) for error in told] == [(2, 2)]


def test_comments_are_made_writable() -> None:
    record = from_data({"comments": [" a\r\nb\ud800 ", "  "], "tags": {"South": "x\ny"}})
    assert record.comments == ["a\nb?"]
    assert record.tags == {"South": "x y"}
    buffer = io.StringIO()
    write_json([record], buffer)
    buffer.getvalue().encode()
