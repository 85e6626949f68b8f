"""Every help page has examples that can be typed and says what exit codes mean; options have one name everywhere."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

from awale import i18n
from awale.cli import app, help_examples
from tests.cli.parsing import all_commands, own_words, parse

PATHS = [path for path, _ in all_commands()]
WIDTH = 78


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_every_command_has_examples_in_both_languages_and_they_can_be_typed(path: tuple[str, ...]) -> None:
    typed: dict[str, list[str]] = {}
    for language in i18n.LANGUAGES:
        i18n.set_language(language)
        examples = help_examples.examples(path)
        assert len(examples) >= 2, f"add examples.{help_examples.key(path)} to texts/manual.toml"
        for example in examples:
            assert example.words
            assert len(example.command) <= WIDTH, example.command
            words = own_words(example.command)
            assert tuple(words[: len(path)]) == path, example.command
            assert parse(words).command.name == path[-1]
        typed[language] = [example.command for example in examples]
    assert typed["fr"] == typed["en"]


def test_a_wrong_example_would_be_seen() -> None:
    with pytest.raises(Exception, match="No such option"):
        parse(own_words("awale show --colour red"))
    with pytest.raises(Exception, match="valid integer"):
        parse(own_words("LANG=C awale perft --depth many | head"))
    assert own_words('LANG=C awale show "a b" > x # why') == ["show", "a b"]


def test_no_example_is_left_of_a_command_that_is_gone() -> None:
    known = {help_examples.key(path) for path in PATHS}
    for entry in i18n.section("manual"):
        kind, _, command = entry.partition(".")
        assert kind in ("examples", "exit-1")
        assert command in known, entry


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_every_help_page_shows_them(awale_: Callable, language: str) -> None:
    groups = {path[:-1] for path in PATHS}
    for path in [(), *groups, *PATHS]:
        said = awale_(*path, "--help", "--lang", language).out
        i18n.set_language(language)
        for heading in ("examples", "exit-codes"):
            assert f"\n{i18n.text(f'cli.heading.{heading}')}\n" in said, path
        for code in ("0", "2", "130"):
            assert re.search(rf"^  {code} +\S", said, re.MULTILINE), path
        assert len(re.findall(r"^  (?:\w+=\S+ )?awale .*\n {6}\S", said, re.MULTILINE)) >= (
            1 if path in groups and path else 2
        ), path
        # French leaves nothing of typer's own words.
        assert language == "en" or not re.search(r"\[default|\brequired\]|^Usage: ", said, re.MULTILINE), path


def test_the_page_of_the_command_line_has_the_exit_codes() -> None:
    page = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    for code, _ in help_examples.exit_codes(()):
        assert re.search(rf"^\| {code} \|", page, re.MULTILINE)


def test_commands_that_may_answer_no_say_so() -> None:
    """Whoever ends with 1 (or the value of a constant that is 1) has a sentence about it."""
    folder = Path(app.__file__).parent
    for path, command in all_commands():
        source = folder / f"{command.callback.__module__.rpartition('.')[2]}.py"
        if re.search(r"Exit\((1|TROUBLE|FAILED|NOT_REPRODUCED)\)", source.read_text(encoding="utf-8")):
            room = [other for other, c in all_commands() if c.callback.__module__ == command.callback.__module__]
            assert any(f"exit-1.{help_examples.key(other)}" in i18n.section("manual") for other in room), path


# Short spellings and metavariables mean one thing everywhere.
SHORT = {
    "-d": "--depth",
    "-h": "--help",
    "-i": "--pit",
    "-m": "--moves",
    "-n": ("--games", "--count"),
    "-p": "--position",
    "-q": "--quiet",
    "-r": "--rules",
    "-s": "--seeds",
    "-t": "--threads",
    "-v": "--verbose",
}
METAVAR = {
    "--rules": "RULES",
    "--seed": "N",
    "--threads": "N",
    "--depth": "N",
    "--position": "POSITION",
    "--moves": "MOVES",
    "--database": "URL",
    "--dir": "FOLDER",
}
WITH_SHORT = {"--rules": "-r", "--position": "-p", "--moves": "-m", "--threads": "-t", "--quiet": "-q"}


def test_options_are_spelt_alike_everywhere() -> None:
    wrong = defaultdict(list)
    for path, command in all_commands():
        for option in command.params:
            for short in (name for name in option.opts if re.fullmatch("-[a-z]", name)):
                if not set(option.opts) & {*([SHORT[short]] if isinstance(SHORT.get(short), str) else SHORT[short])}:
                    wrong[path].append(option.opts)
            for long in set(option.opts) & set(METAVAR):
                if option.metavar.partition(",")[0] != METAVAR[long]:
                    wrong[path].append((long, option.metavar))
            for long in set(option.opts) & set(WITH_SHORT):
                if WITH_SHORT[long] not in option.opts:
                    wrong[path].append((long, "has no", WITH_SHORT[long]))
    assert not wrong


def test_a_position_may_be_given_either_way_but_once(awale_: Callable) -> None:
    position = "0-0-6-0-3-5-2-1-1-0-0-0-10-20-S"
    assert awale_("show", position).out == awale_("show", "-p", position).out
    assert awale_("show").out == awale_("show", "startpos").out == awale_("show", "--position", "startpos").out
    said = awale_("show", position, "--position", position)
    assert (said.code, said.err) == (2, "awale: the position is given twice\n")


def test_descriptions_are_sentences_on_a_page_and_phrases_in_a_list(awale_: Callable) -> None:
    assert "\n  Show a position as text or as an image.\n" in awale_("show", "--help").out
    assert "\n  build   build every missing layer up to N seeds\n" in awale_("tables", "--help").out
