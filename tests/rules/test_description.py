"""Options: every wrong or contradictory one is refused with a sentence that names it, in both languages."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from awale import Game, Rules, RulesError
from awale.rules import all_rules, description, get, names
from awale.rules.description import OPTIONS

NOT_NUMBERS: list[Any] = ["four", 4.0, True, [4], {}, ""]
NOT_CHOICES: list[Any] = ["sideways", "", 1, True, ["lap"], None]

WRONG: dict[str, list[Any]] = {
    "name": ["", "   ", "x" * 1001, "two\nlines", 'quo"te', "brack[et", "brack]et", "mine.toml", "MINE.TOML ", 5, None],
    "source": [5, None, ["a"]],
    "title": ["one text", {"en": 5}, {1: "one"}, ["a"], None],
    "description": ["one text", {"en": None}, 3],
    "pits": [*NOT_NUMBERS, 0, -1, 13, 10**9, None],
    "seeds": [*NOT_NUMBERS, 0, -4, 21, 10**9, None],
    "sowing": NOT_CHOICES,
    "origin": NOT_CHOICES,
    "capture": NOT_CHOICES,
    "capture_counts": [(), (0,), (61,), (2, 2), ("two",), (2.0, 3.0), (True, 2), 2, "2+3", None, (-1,)],
    "grand_slam": NOT_CHOICES,
    "feeding": NOT_CHOICES,
    "starved": NOT_CHOICES,
    "endless": NOT_CHOICES,
    "endings": [(), ("win",), ("win", "win", "few"), ("win", "few", "moves", "win"), "win+few+moves", None, (1, 2, 3)],
    "win_at": [*NOT_NUMBERS, 0, -5, 24, 49, "half"],
    "win_rest": [*NOT_CHOICES, "to-move"],
    "few_seeds": [*NOT_NUMBERS, -1, 48, 100],
    "few_rest": [*NOT_CHOICES, "to-move"],
    "move_limit": [*NOT_NUMBERS, 0, -1, 100_001],
    "move_limit_rest": [*NOT_CHOICES, "to-move"],
    "repetition": NOT_CHOICES,
    "no_move": NOT_CHOICES,
    "notation": NOT_CHOICES,
    "direction": NOT_CHOICES,
    "relay_from": NOT_CHOICES,
}


def test_every_option_has_its_wrong_values_here() -> None:
    assert set(WRONG) == set(OPTIONS)


@pytest.mark.parametrize(("option", "value"), [(option, value) for option in WRONG for value in WRONG[option]])
def test_a_wrong_value_is_refused_by_name(option: str, value: Any) -> None:
    with pytest.raises(RulesError, match=f"^{option}: ") as refused:
        get("abapa").variant(**{option: value})
    assert refused.value.sentence("fr").startswith(f"{option} : ")
    assert "{" not in str(refused.value).replace(repr(value), "")


@pytest.mark.parametrize(
    ("base", "options", "blamed"),
    [
        ("abapa", {"capture": "ring-chain"}, "capture"),
        ("abapa", {"notation": "colours"}, "notation"),
        ("abapa", {"sowing": "relay"}, "capture"),
        ("abapa", {"sowing": "relay", "capture": "opposite"}, "origin"),
        ("abapa", {"sowing": "relay", "capture": "opposite", "origin": "sown"}, "grand_slam"),
        ("abapa", {"sowing": "relay", "capture": "opposite", "origin": "sown", "grand_slam": "allowed"}, "feeding"),
        ("abapa", {"endless": "ends"}, "endless"),
        ("abapa", {"starved": "passes"}, "starved"),
        ("abapa", {"capture": "opposite", "capture_counts": (4,)}, "capture_counts"),
        ("abapa", {"sowing": "colours"}, "capture"),
        ("ghana", {"origin": "skipped"}, "origin"),
        ("ghana", {"capture": "chain"}, "capture"),
        ("ghana", {"repetition": "nobody"}, "repetition"),
        ("ghana", {"grand_slam": "illegal"}, "grand_slam"),
        ("ghana", {"feeding": "required"}, "feeding"),
        ("ghana", {"capture_counts": (3,)}, "capture_counts"),
        ("ghana", {"notation": "colours"}, "notation"),
        ("abapa", {"relay_from": "own-side"}, "relay_from"),
        ("tricolor", {"relay_from": "own-side"}, "relay_from"),
        ("parrains", {"endless": "ends"}, "endless"),
        ("ghana-basic", {"relay_from": "own-side"}, "endless"),
        ("tricolor", {"capture": "chain"}, "capture"),
        ("tricolor", {"notation": "numbers"}, "notation"),
        ("tricolor", {"origin": "sown"}, "origin"),
        ("tricolor", {"grand_slam": "takes-nothing"}, "grand_slam"),
        ("tricolor", {"feeding": "required"}, "feeding"),
        ("tricolor", {"repetition": "nobody"}, "repetition"),
        ("tricolor", {"endless": "ends"}, "endless"),
        ("tricolor", {"pits": 9}, "pits"),
        ("tricolor", {"seeds": 6}, "seeds"),
        ("abapa", {"pits": 12, "seeds": 11}, "seeds"),
        ("abapa", {"pits": 3, "win_at": 25}, "win_at"),
        ("abapa", {"pits": 3, "win_at": 12}, "win_at"),
        ("wikipedia", {"seeds": 5, "win_at": 26}, "win_at"),
        ("wikipedia", {"pits": 1, "seeds": 1, "few_seeds": 5}, "few_seeds"),
    ],
)
def test_options_that_contradict_each_other_are_refused_by_name(
    base: str, options: dict[str, Any], blamed: str
) -> None:
    with pytest.raises(RulesError, match=f"^{blamed}: ") as refused:
        get(base).variant(**options)
    assert refused.value.sentence("fr").startswith(f"{blamed} : ")
    assert refused.value.sentence("en") == str(refused.value)


def test_an_unknown_option_is_refused_with_a_hint() -> None:
    with pytest.raises(RulesError, match="unknown option 'pit': did you mean pits"):
        get("abapa").variant(pit=3)
    with pytest.raises(RulesError, match=r"unknown option 'colour_of_the_board': choose from .*grand_slam"):
        get("abapa").variant(colour_of_the_board="red")
    with pytest.raises(RulesError, match="unknown option 'version'"):
        get("abapa").variant(version=2)


def test_rules_can_be_made_from_nothing() -> None:
    rules = Rules(name="plain")
    assert rules.holes == 12
    assert rules.total == 48
    assert rules.win_score is None
    assert Rules(name="plain") == rules
    with pytest.raises(RulesError, match=r"^version: "):
        Rules(name="plain", version=0)
    with pytest.raises(RulesError, match=r"^version: "):
        Rules(name="plain", version="1")  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        rules.pits = 3  # type: ignore[misc]


def test_every_choice_of_every_option_is_used_by_some_rules() -> None:
    """An option that nothing can play would be a lie: each choice is accepted somewhere."""
    bases = list(all_rules())
    for option, choices in description._CHOICES.items():
        for choice in choices:
            accepted = False
            for base in bases:
                try:
                    base.variant(**{option: choice})
                except RulesError:
                    continue
                accepted = True
            assert accepted, f"{option} = {choice}"


def test_lists_are_taken_for_tuples() -> None:
    assert get("abapa").variant(capture_counts=[2, 3]) is get("abapa")
    assert get("abapa").variant(capture_counts=[4]).capture_counts == (4,)
    assert get("abapa").variant(endings=["few", "moves", "win"]).endings == ("few", "moves", "win")


@pytest.mark.parametrize("name", [name for name in names() if not get(name).coloured])
def test_one_colour_presets_play_on_every_board(name: str) -> None:
    for pits in range(1, 13):
        for seeds in {1, 2, 3, 4, 7, 120 // pits}:
            if 2 * pits * seeds <= 240:
                rules = get(name).variant(pits=pits, seeds=seeds)
                assert rules.holes == 2 * pits
                assert get(rules.name) == rules
                game = Game(rules)
                for _ in range(4):
                    # A relay with many seeds may take hours to come back to its start, in plain Python.
                    if game.over or (rules.sowing == "relay" and rules.total > 40):
                        break
                    game.push(game.legal_moves[0])
                assert sum(game.counts) + sum(game.scores) == 2 * pits * seeds


def test_a_number_of_seeds_moves_with_the_board_only_when_it_must() -> None:
    wikipedia = get("wikipedia")
    assert wikipedia.win_at == 26
    assert wikipedia.variant(seeds=3).win_at == 26, "26 of 36 can still be captured"
    assert wikipedia.variant(pits=3).win_at == 14, "two more than half, as 26 is of 48"
    assert wikipedia.variant(pits=12, seeds=10).win_at == 122
    assert wikipedia.variant(pits=1, seeds=1).win_at == 2
    assert wikipedia.variant(pits=1, seeds=2).few_seeds == 3
    assert wikipedia.variant(pits=3, win_at=13).win_at == 13
    assert wikipedia.variant(pits=3).variant(pits=6) is wikipedia


def test_names_of_variants_are_canonical() -> None:
    one = get("ghana").variant(seeds=2).variant(pits=3)
    other = get("ghana").variant(pits=3, seeds=2)
    assert one == other
    assert one.name == other.name == "ghana:pits=3,seeds=2"
    assert one.variant(pits=6, seeds=4) is get("ghana")
    assert get("abapa").variant(capture_counts=(4,), win_at=None).name == "abapa:capture_counts=4,win_at=none"


def test_a_variant_brings_texts_of_its_own() -> None:
    rules = get("ghana:pits=3")
    assert rules.title == {"en": "Ghana (relay), 3 pits per side", "fr": "Ghana (semis répétés), 3 cases par camp"}
    said = {"en": "Like ghana, except for this: 3 pits per side.", "fr": "Comme ghana, à ceci près : 3 cases par camp."}
    assert rules.description == said
    assert get("ghana:seeds=1,endless=ends").title["en"] == "Ghana (relay), 1 seed per pit, endless=ends"
    named = get("ghana").variant(pits=3, name="small")
    assert named.title == {"en": "small", "fr": "small"}
    assert named.variant(seeds=2).name == "small:seeds=2"


def test_a_variant_cannot_take_the_name_of_other_rules() -> None:
    for name in ("abapa", "oware", "Ghana", "ghana_basic"):
        with pytest.raises(RulesError, match=r"^name: .* is already the name of other rules"):
            get("casabianca").variant(pits=3, name=name)
    for name in ("ghana:pits=3", "a, b", "x=y"):
        with pytest.raises(RulesError, match=r"^name: .* must not contain"):
            get("casabianca").variant(pits=3, name=name)


@pytest.mark.parametrize("rules", list(all_rules()), ids=names())
def test_facts_that_follow_from_the_options(rules: Rules) -> None:
    for pit in range(rules.holes):
        assert pit in rules.own_pits(rules.owner(pit))
        assert pit not in rules.own_pits(1 - rules.owner(pit))
        assert rules.opposite(rules.opposite(pit)) == pit
        if not rules.coloured:
            assert rules.owner(rules.opposite(pit)) != rules.owner(pit)
    assert rules.family in get_args(description.Family)
    assert set(rules.options()) == set(OPTIONS) - {"name", "source", "title", "description"}
    assert rules.win_score is None or rules.total < 2 * rules.win_score <= 2 * rules.total


def test_the_table_of_rules() -> None:
    """The numbers of the table, as the options say them."""
    assert {name: get(name).win_score for name in names()} == {
        "ghana": 25,
        "ghana-basic": 25,
        "ghana4": 9,
        "parrains": 25,
        "casabianca": None,
        "upsti": 25,
        "wikipedia": 26,
        "abapa": 25,
        "awari": 25,
        "tricolor": 49,
        "tricolor-2025": 49,
    }
    assert {name: get(name).few_seeds for name in names() if get(name).few_seeds is not None} == {
        "ghana": 1,
        "ghana-basic": 1,
        "ghana4": 1,
        "parrains": 1,
        "upsti": 3,
        "wikipedia": 5,
        "tricolor": 9,
        "tricolor-2025": 9,
    }
    assert {name: get(name).move_limit for name in names() if get(name).move_limit} == {
        "upsti": 100,
        "tricolor": 400,
        "tricolor-2025": 400,
    }
    assert {name for name in names() if get(name).repetition != "none"} == {"abapa", "awari"}
