"""No text makes a reader raise anything but its own errors."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from awale import NotationError
from awale.notation import GameRecord, from_data, read_json, read_ogn, to_data, to_ogn
from tests.notation.strategies import ALL_RULES, PRESETS, records

TOKENS = st.sampled_from(
    [
        "F", "f", "E", "e", "a", "A+2", "3", "10", "7+6", "0", "5", "3R", "12TB", "1TR", "1.", "1...", "2.", "12", "--",
        "pass", "{", "}", "(", ")", ";", "%", "\n", "\n\n", "[", "]", '"', "*", "26-20", "1-0", "1/2-1/2", "½", "!",
        "?!", "$1", "$99999", "+", "-", "…", ".", "\ufeff", "\r", "\x00", "é", '[South "x"]', '[Variant "ghana"]',
        '[Variant "tricolor"]', '[Variant "upsti"]', '[Variant "nothing"]', '[FEN "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N"]',
        '[FEN "startpos"]', '[FEN "0-0-0-0-0-0-0-0-0-0-0-0-0-0-S"]', '[Result "1-0"]', '[Termination "agreement"]',
        '[Offer "South"]', '[Rules "abapa:pits=2"]', '[RulesVersion "2"]', "[South x]", '[South "x]',
    ]
)  # fmt: skip


def check_told(told: list[NotationError]) -> None:
    for error in told:
        assert error.line is not None
        assert error.line >= 1
        assert error.column is not None
        assert error.column >= 1
        assert str(error)
        assert error.sentence("fr")


def try_ogn(source: Any, rules: str = "abapa") -> None:
    told: list[NotationError] = []
    found: list[GameRecord] = []
    try:
        found += read_ogn(source, rules=rules)
    except NotationError as error:
        told.append(error)
    # What is read can be written and read again.
    for record in found:
        assert list(read_ogn(to_ogn(record))) == [record]
        assert from_data(to_data(record)) == record
    list(read_ogn(source, rules=rules, on_error=told.append))
    check_told(told)


@given(text=st.text(), rules=st.sampled_from(PRESETS))
def test_any_text(text: str, rules: str) -> None:
    try_ogn(text, rules)


@given(data=st.binary())
@example(b"\xff\xfe\x00")
@example(b"\xfe\xff\xd8\x00")
@example(b"\xff")
@example(b"\x81\x8d")
def test_any_bytes(data: bytes) -> None:
    try_ogn(data)


@given(tokens=st.lists(TOKENS, max_size=30), joint=st.sampled_from([" ", "", "\n"]), rules=st.sampled_from(PRESETS))
@example(["F", ";", "\n", ";", "*", "\n", '[South "x"]'], " ", "abapa")
def test_any_tokens(tokens: list[str], joint: str, rules: str) -> None:
    try_ogn(joint.join(tokens), rules)


@pytest.mark.parametrize("rules", [rules for rules in ALL_RULES if rules.name in PRESETS], ids=lambda rules: rules.name)
@given(data=st.data())
def test_changed_files(rules: Any, data: st.DataObject) -> None:
    """A good file with a few characters changed, lost or put in."""
    text = to_ogn(data.draw(records(rules, 12)))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        width = data.draw(st.integers(0, 3))
        text = text[:place] + data.draw(TOKENS | st.text(max_size=2)) + text[place + width :]
    try_ogn(text)


def try_json(source: Any) -> None:
    told: list[NotationError] = []
    found: list[GameRecord] = []
    try:
        found += read_json(source)
    except NotationError as error:
        told.append(error)
    for record in found:
        assert from_data(json.loads(json.dumps(to_data(record)))) == record
    try:
        list(read_json(source, on_error=told.append))
    except NotationError as error:
        told.append(error)
    check_told(told)


@given(text=st.text() | st.text(st.sampled_from('{}[]",:\n\\u0 1truefalsenullmoves')))
def test_any_text_as_json(text: str) -> None:
    try_json(text)


@given(data=st.binary())
def test_any_bytes_as_json(data: bytes) -> None:
    try_json(data)


KEYS = st.sampled_from(
    ["format", "version", "rules", "start", "tags", "comments", "moves", "result", "outcome", "ended", "offer",
     "move", "takes", "marks", "variations", "name", "options", "pits", "South", "x"]
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    | st.sampled_from(["F", "f+1", "awale-game", "abapa", "ghana", "1-0", "*", "agreement", "3", "startpos", 0, 1]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)  # fmt: skip


@given(value=VALUES)
def test_any_json(value: Any) -> None:
    try_json(json.dumps(value))


@given(game=st.dictionaries(KEYS, VALUES, max_size=6))
def test_any_object(game: dict[str, Any]) -> None:
    try_json(json.dumps(game))


@given(data=st.data(), record=records(ALL_RULES[6], 8))
def test_changed_data(data: st.DataObject, record: Any) -> None:
    """A good game with one value anywhere put in another's place."""
    game = to_data(record)
    places: list[tuple[Any, Any]] = []

    def walk(holder: Any) -> None:
        for key in holder if isinstance(holder, dict) else range(len(holder)):
            places.append((holder, key))
            if isinstance(holder[key], dict | list):
                walk(holder[key])

    walk(game)
    holder, key = data.draw(st.sampled_from(places))
    holder[key] = data.draw(VALUES)
    try_json(json.dumps(game))
