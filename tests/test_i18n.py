"""The catalogue of texts: all languages say the same things, and every sentence that the code asks for is there."""

from __future__ import annotations

import re
import string
from functools import cache
from pathlib import Path

import pytest

import awale
from awale import i18n
from awale.rules.presets import all_rules

SOURCE = Path(awale.__file__).parent
ENTRIES = [(section, key) for section in i18n.sections() for key in i18n.section(section)]


def placeholders(sentence: str) -> list[str]:
    return sorted({name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None})


def test_there_are_texts() -> None:
    assert {"cli", "core", "draw", "play"} <= set(i18n.sections())
    assert len(ENTRIES) > 200


@pytest.mark.parametrize("section", i18n.sections())
def test_every_sentence_in_every_language_with_the_same_placeholders(section: str) -> None:
    for key, by_language in i18n.section(section).items():
        where = f"{section}.{key}"
        assert set(by_language) == set(i18n.LANGUAGES), where
        first, *others = (by_language[language] for language in i18n.LANGUAGES)
        assert first.strip(), where
        for other in others:
            assert other.strip(), where
            assert placeholders(other) == placeholders(first), where
        for sentence in by_language.values():
            assert all(name.isidentifier() for name in placeholders(sentence)), where


def test_the_form_that_fits_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {"en": "{n} {n:lap|laps}, {name:>3}", "fr": "{n} {n:tour|tours}, {name:>3}"}
    monkeypatch.setattr(i18n, "section", lambda _: {"x": entry})
    english = [i18n.text("some.x", "en", n=n, name="a") for n in (0, 1, 2, "1,000")]
    assert english == ["0 laps,   a", "1 lap,   a", "2 laps,   a", "1,000 laps,   a"]
    french = [i18n.text("some.x", "fr", n=n, name="a") for n in (0, 1, 2)]
    assert french == ["0 tour,   a", "1 tour,   a", "2 tours,   a"]
    assert i18n.message("some.x", n=1, name="b").sentence("fr") == "1 tour,   b"


@pytest.mark.parametrize("section", i18n.sections())
def test_every_choice_of_forms_has_two(section: str) -> None:
    for key, by_language in i18n.section(section).items():
        for sentence in by_language.values():
            for _, _, spec, _ in string.Formatter().parse(sentence):
                assert (spec or "").count("|") <= 1, f"{section}.{key}"


NO_NOUNS = "ailleurs après dans depuis des fois les pas plus puis sans sous"
"""French words that may follow a number and end in -s, but are no plurals."""


def agreement_errors(sentence: str, count: int, lang: str) -> list[str]:
    """Return what does not agree in a sentence filled in with a count: "1 tours", "5 coup", "1 couche supprimées"."""
    sentence = re.sub(r"\w+\.ogn|times as many", "", sentence)
    found = re.findall(rf"(?<![\w.,:=-]){count} ([^\W\d_]+)(?: ([^\W\d_]+))?", sentence)
    nouns = countable_nouns(lang)
    if not i18n.is_singular(str(count), lang):
        return [noun for noun, _ in found if noun in nouns]
    wrong = [noun for noun, _ in found if noun in nouns.values()]
    if lang == "fr":
        wrong += [noun for noun, _ in found if re.fullmatch(r"\w{2,}[sx]", noun) and noun not in NO_NOUNS.split()]
        wrong += [word for noun, word in found if noun in nouns and re.fullmatch(r"\w+[éi]e?s|ont|sont", word)]
    return wrong


@cache
def countable_nouns(lang: str) -> dict[str, str]:
    """Return every noun that the catalogue counts somewhere: singular -> plural."""
    forms = re.compile(r"\{\w+:([^\W\d_]{3,})[^{}|]*\|([^\W\d_]+)[^{}|]*\}")
    pairs = (pair for section, key in ENTRIES for pair in forms.findall(i18n.section(section)[key][lang]))
    return {one: many for one, many in pairs if one + ("x" if one.endswith("eu") else "s") == many}


@pytest.mark.parametrize("lang", i18n.LANGUAGES)
@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_every_message_agrees_with_its_counts(lang: str, count: int) -> None:
    assert {"en": "seed", "fr": "graine"}[lang] in countable_nouns(lang)
    wrong = []
    for section, key in ENTRIES:
        values: dict[str, object] = dict.fromkeys(placeholders(i18n.section(section)[key][lang]), count)
        if values:
            values |= {"colour": "red", "move": "C", "player": "South"}
            sentence = i18n.text(f"{section}.{key}", lang, **values)
            wrong += [(f"{section}.{key}", sentence) for _ in agreement_errors(sentence, count, lang)]
    assert wrong == []


@pytest.mark.parametrize("sentence", ["1 tours", "gagné en 1 coups", "1 couche supprimées de", "1 graine sont"])
def test_what_does_not_agree_is_found(sentence: str) -> None:
    assert agreement_errors(sentence, 1, "fr")
    assert agreement_errors("5 coup", 5, "fr")
    assert agreement_errors("1 laps", 1, "en")


def test_decimals_have_the_mark_of_the_language() -> None:
    assert i18n.decimal(-0.5, "+.2f", "fr") == "-0,50"
    assert i18n.percent(0.125, 1, "fr") == "12,5\N{NARROW NO-BREAK SPACE}%"
    assert i18n.percent(0.125, 1, "en") == "12.5 %"
    assert i18n.text("loops.census.seconds", "fr", seconds=1.5) == "1,5 s"
    assert i18n.text("loops.census.seconds", "en", seconds=86400.0) == "86400 s"
    assert i18n.text("tui.review.better", "fr", best="A", lost="1,9") == "A valait 1,9 graine de mieux."
    assert i18n.text("tui.review.better", "en", best="A", lost="1.0") == "A was better by 1.0 seeds."


def french_prose() -> list[tuple[str, str]]:
    """Return every French sentence of the catalogue and of the presets, without command lines and code."""
    found = [(f"{section}.{key}", i18n.section(section)[key]["fr"]) for section, key in ENTRIES]
    found = [
        (where, re.sub(r"^awale .*?  # |^AWALE_.*?  # ", "", sentence, flags=re.MULTILINE))
        for where, sentence in found
        if not where.startswith("play.word.")  # words to type, separated by spaces
    ]
    code = re.compile(r'[:=] ?"[^"]*"|\[\w+ "\w+"\]|"COMMANDE",|\w+:(?=\u202f»)')
    found = [(where, code.sub("", sentence)) for where, sentence in found]
    presets = [(rules.name, texts["fr"]) for rules in all_rules() for texts in (rules.title, rules.description)]
    return found + presets


def test_french_typography() -> None:
    wrong = re.compile(r'(?<=[^\u202f])[:;!?%»](?=\s|$)|«(?!\u202f)|[\u00a0"’]|\d \d{3}\b')
    command = re.compile(r"(enregistrer|\{word\})!")  # a word to type: "save!" replaces a file
    assert [(where, text) for where, text in french_prose() if wrong.search(command.sub("", text))] == []


def keys_asked_for() -> set[tuple[str, str]]:
    """Keys written out in the code: `text("core.over", ...)`, with the file that asks."""
    called = re.compile(r"\b(?:text|message|said)\(\s*\"([a-z]+\.[\w.\-]+)\"")
    return {
        (key, path.relative_to(SOURCE).as_posix())
        for path in SOURCE.rglob("*.py")
        if path.name != "i18n.py"  # whose own words are an example
        for key in called.findall(path.read_text(encoding="utf-8"))
    }


def test_every_sentence_asked_for_exists() -> None:
    asked = keys_asked_for()
    assert len(asked) > 50
    missing = [(key, file) for key, file in asked if tuple(key.split(".", 1)) not in set(ENTRIES)]
    assert missing == []


def test_numbers() -> None:
    assert i18n.number(50636, "en") == "50,636"
    assert i18n.number(50636, "fr") == "50\N{NARROW NO-BREAK SPACE}636"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LC_ALL": "en_GB", "AWALE_LANG": "fr"}, "fr"),
        ({"LANG": "de_DE"}, "en"),
    ],
)
def test_language_of_the_locale(environment: dict[str, str], language: str) -> None:
    assert i18n.from_locale(environment) == language
