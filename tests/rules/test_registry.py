"""Rules by name, alias and variant; rules of one's own under a name."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from awale import Game, Rules, RulesError
from awale.rules import ALIASES, all_rules, get, load, names, presets, register


@pytest.fixture
def registry() -> Iterator[None]:
    """Lets a test register what it likes."""
    rules, aliases = dict(presets._REGISTRY), dict(ALIASES)
    yield
    presets._REGISTRY.clear()
    presets._REGISTRY.update(rules)
    ALIASES.clear()
    ALIASES.update(aliases)


def test_the_presets() -> None:
    assert set(names()) == {
        "ghana",
        "ghana-basic",
        "ghana4",
        "parrains",
        "casabianca",
        "upsti",
        "wikipedia",
        "abapa",
        "awari",
        "tricolor",
        "tricolor-2025",
    }
    assert [rules.name for rules in all_rules()] == list(names())


@pytest.mark.parametrize("rules", list(all_rules()), ids=names())
def test_every_preset_says_where_it_comes_from_and_what_it_is_in_both_languages(rules: Rules) -> None:
    assert rules.version >= 1
    assert len(rules.source) > 10
    for texts in (rules.title, rules.description):
        assert set(texts) == {"en", "fr"}
        assert all(text.strip() == text and text for text in texts.values())
    assert rules.description["en"] != rules.description["fr"]
    assert rules.description["en"].endswith(".")
    assert rules.description["fr"].endswith(".")
    assert "\n" not in rules.description["en"] + rules.description["fr"], "one paragraph"


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_aliases(alias: str, name: str) -> None:
    assert get(alias) is get(name)
    assert alias not in names()
    assert get(alias.upper()) is get(name)


def test_names_are_forgiving_about_case_space_and_underscore() -> None:
    assert get(" Ghana_Basic ") is get("ghana-basic")
    assert get("TRICOLOR_2025").name == "tricolor-2025"
    assert get("ghana : pits = 3 , seeds = 2") == get("ghana:pits=3,seeds=2")


def test_rules_are_their_own_name() -> None:
    rules = get("awari")
    assert get(rules) is rules
    assert load(rules) is rules
    assert Game(rules).rules is rules


def test_variants_by_name() -> None:
    rules = get("ghana:pits=3,seeds=2")
    assert (rules.pits, rules.seeds, rules.sowing) == (3, 2, "relay")
    assert get("oware:win_at=none").win_at is None
    assert get("abapa:capture_counts=2+3+4").capture_counts == (2, 3, 4)
    assert get("abapa:endings=few+win+moves").endings == ("few", "win", "moves")
    assert get("abapa:") is get("abapa")
    assert get("abapa:pits=6") is get("abapa")
    assert get("abapa:win_at=30").win_score == 30


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "unknown rules ''"),
        ("awalé", "unknown rules 'awalé'"),
        ("abap", "did you mean abapa"),
        ("owari", "did you mean oware"),
        ("x" * 500, "unknown rules 'xxx"),
        (":pits=3", "unknown rules ''"),
        ("ghana:pits", "'pits' is not an option"),
        ("ghana:pits=", "'pits=' is not an option"),
        ("ghana:=3", "'=3' is not an option"),
        ("ghana:,", "'' is not an option"),
        ("ghana:pits=3,pits=4", "pits: given twice"),
        ("ghana:pits=three", "pits: must be a whole number"),
        ("ghana:pits=-3", "pits: must be a whole number"),
        ("ghana:pits=99999999999999999999", "pits: must be a whole number"),
        ("ghana:pits=٣", "pits: must be a whole number"),
        ("ghana:seeds=none", "seeds: must be a whole number"),
        ("ghana:title=mine", "title: must be a text, or"),
        ("ghana:colour=red", "unknown option 'colour'"),
        ("mine.toml", "is a file"),
        ("../../etc/secrets.TOML", "is a file"),
    ],
)
def test_names_that_lead_nowhere(text: str, said: str) -> None:
    with pytest.raises(RulesError, match=r".") as refused:
        get(text)
    assert said in str(refused.value)
    assert len(str(refused.value)) < 400
    assert refused.value.sentence("fr") != str(refused.value)


@pytest.mark.parametrize("value", [None, 5, ["abapa"], b"abapa", object])
def test_rules_are_named_by_text(value: object) -> None:
    with pytest.raises(RulesError, match="by name or as a Rules object"):
        get(value)  # type: ignore[arg-type]


def test_get_never_opens_a_file_and_load_does(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "abapa"\npits = 3\n', encoding="utf-8")
    with pytest.raises(RulesError, match="is a file"):
        get(str(path))
    with pytest.raises(RulesError, match="is a file"):
        Game(str(path))
    assert load(f" {path} ").pits == 3
    assert load("oware") is get("abapa")


@pytest.mark.usefixtures("registry")
def test_rules_of_ones_own_under_a_name() -> None:
    mine = register(Rules(name="My_Rules", pits=3), "mr", "Les_Miennes")
    assert get("my-rules") is mine
    assert get("MY_RULES") is mine
    assert get("mr:seeds=2").name == "My_Rules:seeds=2"
    assert get("mr:seeds=2").variant(seeds=4) is mine
    assert get("les-miennes") is mine
    assert "my-rules" in names()
    assert eval(repr(Game("mr"))).rules is mine
    for name in ("abapa", "MR", "oware", "les_miennes"):
        with pytest.raises(RulesError, match="is already the name of other rules"):
            register(Rules(name="another"), name)
    for name in ("a:b", "a,b", "a=b"):
        with pytest.raises(RulesError, match="must not contain"):
            register(Rules(name="another"), name)
    with pytest.raises(RulesError):
        get("another")


def test_a_registered_variant_that_lacks_golden_files_fails_the_suite(tmp_path: Path) -> None:
    """The test of golden files is run over one preset more: it must point at what is missing."""
    root = Path(__file__).resolve().parents[2]
    plugin = tmp_path / "one_more_preset.py"
    plugin.write_text("from awale import Rules\nfrom awale.rules import register\nregister(Rules(name='one-more'))\n")
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", "-p", "one_more_preset"]
    ran = subprocess.run(
        [*command, "tests/rules/test_golden.py", "-k", "one-more or left_over"],
        cwd=root,
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "perft/one-more.json is missing" in ran.stdout
    assert "playthroughs/one-more.txt is missing" in ran.stdout
