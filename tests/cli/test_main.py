"""The command line as a whole: help, languages, one line for every mistake, completion, and no weight for nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import awale
from awale import i18n
from awale.cli import app, localisation
from awale.cli.app import MODULES, build, commands_of, modules

CLI = Path(app.__file__).parent


def test_help_names_every_command(awale_: Callable) -> None:
    said = awale_("--help")
    assert said.code == 0
    assert said.err == ""
    for module in modules():
        for command in module.commands:
            assert f"\n  {command} " in said.out
            assert i18n.text(f"cli.command.{command}") in " ".join(said.out.split())
    assert awale_("-h").out == said.out
    assert awale_().out == said.out


def test_help_in_french(awale_: Callable) -> None:
    for said in (awale_("--lang", "fr", "--help"), awale_("--help", "--lang=fr")):
        assert "Usage : awale" in said.out
        assert "Commandes :" in said.out
        assert "jouer une partie dans le terminal" in said.out
        assert "afficher cette aide et quitter" in said.out
        assert "Show this message" not in said.out
    said = awale_("show", "--lang", "fr", "--help")
    assert "[par défaut : abapa]" in " ".join(said.out.split())
    assert "Arguments :" in said.out


def test_language_from_the_environment(awale_: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "fr_FR.UTF-8")
    assert "Commandes :" in awale_("--help").out
    assert "Commands:" in awale_("--help", "--lang", "en").out
    monkeypatch.setenv("AWALE_LANG", "en")
    assert "Commands:" in awale_("--help").out


def test_rooms_are_listed_with_exactly_their_commands() -> None:
    listed = {module.module for module in MODULES}
    with_register = {path.stem for path in CLI.glob("*.py") if "\ndef register(" in path.read_text(encoding="utf-8")}
    assert with_register <= listed, "add the module to MODULES in cli/app.py"
    for module in modules():
        assert set(commands_of(module)) == set(module.commands), module.module


@pytest.mark.parametrize("language", i18n.LANGUAGES)
def test_every_help_page_can_be_shown(awale_: Callable, language: str) -> None:
    def pages(command: object, path: tuple[str, ...]) -> None:
        said = awale_(*path, "--help", "--lang", language)
        assert said.code == 0, path
        assert " ".join(path) in said.out
        for name, child in getattr(command, "commands", {}).items():
            pages(child, (*path, name))

    for module in modules():
        for name, command in commands_of(module).items():
            pages(command, (name,))


def test_help_loads_nothing_heavy() -> None:
    heavy = ("numba", "numpy", "rich", "pydantic", "fastapi", "textual", "sqlalchemy", "awale.kernels")
    code = (
        "import sys\nfrom awale.cli import main\nassert main(['--help']) == 0\n"
        f"found = [name for name in {heavy!r} if name in sys.modules]\nassert not found, found"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Usage: awale" in done.stdout


@pytest.mark.parametrize("command", ["play", "show", "rules"])
def test_the_light_commands_stay_light(command: str) -> None:
    arguments = {"play": ["play"], "show": ["show"], "rules": ["rules", "show", "ghana"]}[command]
    code = (
        f"import sys\nfrom awale.cli import main\nassert main({arguments!r}) == 0\n"
        "found = [name for name in ('numba', 'numpy', 'rich', 'fastapi', 'textual') if name in sys.modules]\n"
        "assert not found, found"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, input="quit\n")
    assert done.returncode == 0, done.stderr


MISTAKES = [
    (["convret"], "there is no command 'convret': did you mean convert?"),
    (["zzzzzz"], "there is no command 'zzzzzz'"),
    (["show", "--nonsense"], "there is no option --nonsense"),
    (["show", "--siz", "3"], "there is no option --siz (did you mean --ascii, --size"),
    (["show", "--size"], "--size needs a value"),
    (["show", "--size", "many"], "--size: must be a whole number"),
    (["show", "--size", "0"], "--size: must be at least 1"),
    (["show", "startpos", "b", "c"], "too many arguments: b c"),
    (["show", "4-4"], "2 parts, but abapa needs 15"),
    (["show", "--rules", "chess"], "unknown rules 'chess'"),
    (["show", "--moves", "A a A"], "pit A is empty"),
    (["show", "--moves", "X"], "X"),
    (["show", "--svg", "/no/such/folder/x.svg"], "/no/such/folder/x.svg: No such file or directory"),
    (["rules", "shwo", "ghana"], "there is no command 'shwo': did you mean show?"),
    (["rules", "show"], "RULES is missing"),
    (["rules", "show", "ghana:pits=99"], "pits"),
    (["rules", "show", "nowhere.toml"], "nowhere.toml"),
    (["--lang", "de", "--help"], "language 'de' is not available: choose from en, fr"),
    (["--help", "--lang"], "--lang needs a value"),
    (["play", "--south", "nobody"], "nobody"),
    (["play", "--pause", "-1"], "--pause: must be at least 0"),
    (["play", "--pause", "99"], "--pause: must be at most 60"),
    (["play", "--continue"], "there is no unfinished game"),
    (["play", "--continue", "--load", "x"], "exclude each other"),
    (["play", "--load", "nowhere.ogn"], "nowhere.ogn"),
]


@pytest.mark.parametrize(("arguments", "sentence"), MISTAKES)
def test_a_mistake_is_one_line_and_code_2(awale_: Callable, arguments: list[str], sentence: str) -> None:
    for language in ("en", "fr"):
        said = awale_(*arguments, *(() if "--lang" in arguments else ("--lang", language)))
        assert said.code == 2
        assert said.out == ""
        assert said.err.startswith("awale: ")
        assert said.err.count("\n") == 1
        if language == "en":
            assert sentence in said.err


def test_mistakes_in_french(awale_: Callable) -> None:
    assert "il n'y a pas d'option --flop" in awale_("show", "--flop", "--lang", "fr").err
    assert "doit être un nombre entier" in awale_("show", "--size", "x", "--lang", "fr").err
    assert "vouliez-vous dire convert" in awale_("convret", "--lang", "fr").err


def test_a_group_alone_shows_its_help(awale_: Callable) -> None:
    said = awale_("rules")
    assert (said.code, said.err) == (0, "")
    assert "list all rule systems" in said.out


def test_version(awale_: Callable) -> None:
    assert awale_("--version").out == f"{awale.__version__}\n"


def test_a_fault_of_ours_is_not_hidden(awale_: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> str:
        raise RuntimeError("a bug")

    monkeypatch.setattr("awale.draw.board_text", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        awale_("show")


def test_a_missing_extra_is_named(awale_: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> str:
        raise ModuleNotFoundError("No module named 'textual.app'", name="textual.app")

    monkeypatch.setattr("awale.draw.board_text", missing)
    said = awale_("show")
    assert said.code == 2
    assert "pip install 'awale[tui]'" in said.err


def test_interruption_and_a_closed_pipe(awale_: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("awale.draw.board_text", interrupted)
    said = awale_("show")
    assert (said.code, said.err) == (130, "")


@pytest.mark.skipif(os.name == "nt", reason="a shell's pipe")
def test_whoever_stops_reading_is_left_in_peace() -> None:
    command = f"{sys.executable} -m awale rules list --json | head -c 10"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert len(done.stdout) == 10
    assert done.stderr == ""


def test_python_m_awale(process: Callable) -> None:
    said = process("show", "--ascii")
    assert said.code == 0
    assert said.out.endswith("South to move\n")


def test_an_ascii_terminal_gets_ascii(process: Callable) -> None:
    said = process("show", PYTHONIOENCODING="ascii")
    assert (said.code, said.err) == (0, "")
    assert said.out.isascii()
    assert "+----+" in said.out
    french = process("show", "--lang", "fr", PYTHONIOENCODING="ascii")
    assert (french.code, french.err) == (0, "")
    assert "Usage\N{NARROW NO-BREAK SPACE}: é".encode("ascii", "awale") == b"Usage : ?"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("awale sh", "show"),
        ("awale rules sh", "show"),
        ("awale show --rules ghana4", "ghana4"),
        ("awale play --nor", "--north"),
    ],
)
def test_shell_completion(process: Callable, words: str, expected: str) -> None:
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    said = process(_AWALE_COMPLETE="complete_bash", **asked)
    assert said.out.split() == [expected]


def test_the_application_can_be_called_by_typer_itself() -> None:
    runner = CliRunner()
    result = runner.invoke(build(), ["--lang", "fr", "show", "--ascii"])
    assert result.exit_code == 0
    assert "À Sud de jouer" in result.output
    assert isinstance(build(), typer.Typer)


def test_the_language_may_stand_anywhere_but_after_two_dashes() -> None:
    assert localisation.take_language(["show", "--lang", "fr", "x"]) == ("fr", ["show", "x"])
    assert localisation.take_language(["--lang=FR_fr.UTF-8"]) == ("fr", [])
    assert localisation.take_language(["--", "--lang", "fr"]) == ("en", ["--", "--lang", "fr"])


@pytest.mark.parametrize("command", [["show"], ["--help"], ["rules", "list"], ["opponents", "--json"]])
def test_closed_output_is_no_error(command: list[str]) -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$0" -m awale "$@" >&-', sys.executable, *command], stderr=subprocess.PIPE, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "command",
    [
        ["backup", "{}/nowhere/b.gz"],
        ["convert", "{}/game.ogn", "{}/nowhere/game.json"],
        ["games", "export", "{}/nowhere/games.ogn"],
    ],
)
def test_errors_name_the_file_that_was_asked_for(command: list[str], awale_: Callable, tmp_path: Path) -> None:
    game = tmp_path / "game.ogn"
    game.write_text('[Variant "abapa"]\n\n1. F f *\n')
    assert awale_("games", "import", str(game)).code == 0
    said = awale_(*(word.format(tmp_path) for word in command))
    assert said.code == 2
    assert "nowhere/" in said.err
    assert ".part" not in said.err


@pytest.mark.parametrize(
    "command",
    [
        ["players", "add", "Ada", "--level", "-5"],
        ["match", "greedy", "random", "--openings", "plies=-2"],
        ["match", "greedy", "random", "--openings", "plies=400"],
        ["match", "greedy", "random", "--openings", "plies=two"],
        ["match", "greedy", "mcts:0"],
        ["analyse", "-1-4-4-4-4-4-4-4-4-4-4-4-0-0-S"],
    ],
)
def test_small_mistakes_are_refused(command: list[str], awale_: Callable) -> None:
    said = awale_(*command)
    assert (said.code, said.out) == (2, "")
    assert len(said.err.splitlines()) == 1
    assert "No such file" not in said.err


def test_an_interrupted_analysis_prints_what_it_has(awale_: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    from awale.players import engine

    complete = engine.updates

    def stopped(*arguments: object, **options: object) -> object:
        yield next(iter(complete(*arguments, **options)))
        raise KeyboardInterrupt

    monkeypatch.setattr(engine, "updates", stopped)
    said = awale_("analyse", "--depth", "4", "--no-tables")
    assert said.code == 130
    assert "South to move" in said.out
