"""What a command's help says below its options: examples and exit codes, from the catalogue.

A command is found by its path (`rules show` is `rules-show`); its examples are in `texts/manual.toml`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from awale import i18n

DONE, NO, WRONG, INTERRUPTED = 0, 1, 2, 130


class Example(NamedTuple):
    """A command line and its purpose."""

    command: str
    words: str


def _read(lines: str) -> tuple[Example, ...]:
    found = []
    for line in lines.strip().splitlines():
        command, _, words = line.partition("  # ")
        found.append(Example(command.strip(), words.strip()))
    return tuple(found)


def key(path: Sequence[str]) -> str:
    """Return a command's key in the catalogue."""
    return "-".join(path)


def examples(path: Sequence[str], children: Iterable[str] = ()) -> tuple[Example, ...]:
    """Return the examples of a command; of a group, the first of each of its commands."""
    if not path:
        return _read(i18n.text("cli.examples"))
    firsts = [example for name in children for example in examples((*path, name))[:1]]
    if firsts:
        return tuple(firsts)
    known = i18n.section("manual").get(f"examples.{key(path)}")
    return _read(known[i18n.language()]) if known else ()


def exit_codes(path: Sequence[str], children: Iterable[str] = ()) -> list[tuple[int, str]]:
    """Return the exit codes of a command and their meanings. 1 is there only where a command uses it."""
    codes = [(DONE, i18n.text("cli.exit.done")), (WRONG, i18n.text("cli.exit.wrong"))]
    codes.append((INTERRUPTED, i18n.text("cli.exit.interrupted")))
    if not path:
        codes.append((NO, i18n.text("cli.exit.no")))
    else:
        own = [i18n.section("manual").get(f"exit-1.{key((*path, name))}") for name in children]
        said = [i18n.section("manual").get(f"exit-1.{key(path)}"), *own]
        sentences = dict.fromkeys(entry[i18n.language()] for entry in said if entry)
        if sentences:
            codes.append((NO, "; ".join(sentences)))
    return sorted(codes)


def page(path: Sequence[str], children: Iterable[str] = (), width: int = 80) -> str:
    """Return the lower part of a help page."""
    import textwrap

    children = tuple(children)
    lines: list[str] = []
    shown = examples(path, children)
    if shown:
        lines += ["", i18n.text("cli.heading.examples")]
        for example in shown:
            lines += [f"  {example.command}", f"      {example.words}"]
    lines += ["", i18n.text("cli.heading.exit-codes")]
    for code, sentence in exit_codes(path, children):
        folded = textwrap.wrap(sentence, max(20, width - 7)) or [""]
        lines += [f"  {code:<5}{folded[0]}", *(f"       {rest}" for rest in folded[1:])]
    return "\n".join(lines)
