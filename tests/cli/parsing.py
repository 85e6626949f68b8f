"""Read a command line as `awale` would, and run nothing."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

import typer

from awale import i18n
from awale.cli import localisation
from awale.cli.app import build, commands_of, modules

SHELL = {"|", "<", ">", ">>", "2>", "&&", "||", ";", "&"}


def own_words(line: str) -> list[str]:
    """The words after `awale`, up to where the shell takes over; settings before it are left out."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|<>;&")
    lexer.whitespace_split = True
    lexer.commenters = "#"
    words = list(lexer)
    start = words.index("awale") + 1
    end = next((at for at, word in enumerate(words[start:], start) if word in SHELL), len(words))
    return words[start:end]


def parse(words: list[str]) -> Any:
    """The context of the command that these words call; raises what typer raises about wrong ones."""
    language = i18n.language()
    _, words = localisation.take_language(words)
    i18n.set_language(language)
    command: Any = typer.main.get_command(build())
    context = command.make_context("awale", words)
    while hasattr(command, "resolve_command"):
        rest = [*getattr(context, "_protected_args", []), *context.args]
        name, command, rest = command.resolve_command(context, rest)
        context = command.make_context(name, rest, parent=context)
    return context


def all_commands() -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command that does something, with its path."""

    def walk(path: tuple[str, ...], command: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
        children = getattr(command, "commands", None)
        if children is None:
            yield path, command
        else:
            for name, child in children.items():
                yield from walk((*path, name), child)

    for module in modules():
        for name, command in commands_of(module).items():
            yield from walk((name,), command)
