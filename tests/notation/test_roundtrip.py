"""What is written is read back as it was: positions, OGN, JSON, for every rule system."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from awale import Game, Rules
from awale.notation import (
    GameRecord,
    from_data,
    from_json,
    from_ogn,
    read_json,
    read_ogn,
    to_data,
    to_json,
    to_ogn,
    write_json,
    write_ogn,
)
from tests.notation.strategies import ALL_RULES, by_name, games, records

every_rules = pytest.mark.parametrize("rules", ALL_RULES, ids=by_name)
# There are many rules: a share of the profile's examples for each.
share = settings(max_examples=max(10, settings().max_examples // 5))


@every_rules
@share
@given(data=st.data())
def test_position(rules: Rules, data: st.DataObject) -> None:
    game = data.draw(games(rules))
    again = Game.from_position(game.position, rules=rules)
    assert again.position == game.position
    if not game.over:
        assert again.state == game.state._replace(ply=again.ply)
        assert again.legal_moves == game.legal_moves


@every_rules
@share
@given(data=st.data())
def test_game_through_ogn_and_json(rules: Rules, data: st.DataObject) -> None:
    game = data.draw(games(rules))
    text = to_ogn(game, South="Awa", Event="a fête")
    assert from_ogn(text) == game
    assert from_ogn(text).outcome() == game.outcome()
    assert from_json(to_json(game, South="Awa")) == game
    assert from_data(to_data(game)).game() == game
    (record,) = read_ogn(text)
    assert record.tags == {"South": "Awa", "Event": "a fête"}
    assert record.outcome == game.outcome()
    assert text == to_ogn(record)


@every_rules
@share
@given(data=st.data())
def test_record_through_ogn_and_json(rules: Rules, data: st.DataObject) -> None:
    record = data.draw(records(rules))
    text = to_ogn(record)
    (again,) = read_ogn(text)
    assert again == record
    assert to_ogn(again) == text
    (through_json,) = read_json(to_json(record))
    assert through_json == record


@given(data=st.data())
def test_many_records_in_one_file(data: st.DataObject) -> None:
    many = data.draw(st.lists(st.sampled_from(ALL_RULES).flatmap(lambda rules: records(rules, 8)), max_size=5))
    ogn, json = io.StringIO(), io.StringIO()
    assert write_ogn(many, ogn) == write_json(many, json) == len(many)
    assert list(read_ogn(ogn.getvalue())) == many
    assert list(read_json(json.getvalue())) == many
    assert len(json.getvalue().split("\n")) == len(many) + 1


@given(record=records(ALL_RULES[0]))
def test_layout_does_not_matter(record: GameRecord) -> None:
    text = to_ogn(record)
    assert list(read_ogn(text.replace("\n", "\r\n"))) == [record]
    assert list(read_ogn(text.replace("\n", "\r"))) == [record]
    assert list(read_ogn("\ufeff\n" + text)) == [record]
    assert list(read_ogn(text.encode())) == [record]
    assert list(read_ogn(text.encode("utf-16"))) == [record]
    assert list(read_ogn(io.BytesIO(text.encode("utf-8-sig")))) == [record]
    assert list(read_ogn(text.split("\n"))) == [record]
