"""Write Oware Game Notation that `ogn` reads back as the same record."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import IO

from awale import i18n
from awale.errors import NotationError
from awale.game import Game
from awale.notation.records import MARK, MAX_DEPTH, RESULT, GameRecord, PlayedMove, clean, tags_of
from awale.notation.sources import write_texts
from awale.rules.description import Rules

WIDTH = 80


def write_ogn(records: Iterable[GameRecord | Game], file: str | os.PathLike[str] | IO[str]) -> int:
    """Write games to a file (a path, or an open text file), one after the other. Return how many."""
    return write_texts(("\n" * (number > 0) + to_ogn(record) for number, record in enumerate(records)), file)


def to_ogn(game: Game | GameRecord, **tags: str) -> str:
    """Return a game as an OGN text, with the given tags.

    >>> print(to_ogn(Game("abapa", moves="FfEe"), South="Awa", North="Kofi"))
    [Variant "abapa"]
    [South "Awa"]
    [North "Kofi"]
    [Result "*"]
    <BLANKLINE>
    1. F f 2. E e *
    <BLANKLINE>
    """
    record = GameRecord.from_game(game) if isinstance(game, Game) else game
    if not RESULT.fullmatch(record.result):
        raise NotationError(i18n.message("notation.bad-result", text=record.result[:20]))
    shown = {name: value.replace("\\", "\\\\").replace('"', '\\"') for name, value in tags_of(record, tags).items()}
    head = "".join(f'[{name} "{value}"]\n' for name, value in shown.items())
    return f"{head}\n{_wrapped(_tokens(record))}"


def _tokens(record: GameRecord) -> Iterator[str]:
    for comment in record.comments:
        yield from _comment(comment)
    yield from _line(record.rules, record.moves, 1, 0)
    yield record.result


def _line(rules: Rules, moves: list[PlayedMove], number: int, depth: int) -> Iterator[str]:
    """Yield the tokens of the game's moves or of a variation.

    A number precedes the first player's move, and the second's after a comment or a variation. A player without seeds
    passes: `--` stands for the missing move, so that the numbering stays the usual one.
    """
    if depth > MAX_DEPTH:
        raise NotationError(i18n.message("notation.too-deep", limit=MAX_DEPTH))
    last = None
    interrupted = True
    for played in moves:
        mover = rules.owner(played.move.pit)
        numbered = ""
        if mover == 0:
            if last == 0:
                yield f"{number}... --" if interrupted else "--"
            number += last is not None
            numbered = f"{number}. "
        elif last == 1:
            number += 1
            yield f"{number}. --"
        elif interrupted:
            numbered = f"{number}... "
        last = mover
        yield from _marked(f"{numbered}{played}", played.marks)
        for comment in played.comments:
            yield from _comment(comment)
        for variation in played.variations:
            yield "("
            for comment in variation.comments:
                yield from _comment(comment)
            yield from _line(rules, variation.moves, number, depth + 1)
            yield ")"
        interrupted = bool(played.comments or played.variations)


def _marked(move: str, marks: list[str]) -> Iterator[str]:
    """Yield a move with its marks; the first `!` or `?` is attached to it."""
    for mark in marks:
        if not MARK.fullmatch(mark):
            raise NotationError(i18n.message("notation.bad-mark", mark=mark[:20]))
    if marks and not marks[0].startswith("$"):
        yield move + marks[0]
        yield from marks[1:]
    else:
        yield move
        yield from marks


def _comment(text: str) -> Iterator[str]:
    """Yield a comment in braces; one with a closing brace is written after semicolons, line by line."""
    text = clean(text)
    if "}" in text:
        yield "".join(f"; {line}\n" if line else ";\n" for line in text.split("\n"))
    elif text:
        yield f"{{ {text} }}"


def _wrapped(tokens: Iterator[str]) -> str:
    """Return tokens in lines of at most `WIDTH` characters; comments keep their own line breaks."""
    parts: list[str] = []
    column = 0
    opened = ""  # a parenthesis is attached to what it encloses
    after_semicolons = False
    for token in tokens:
        if token == "(":
            opened += token
            continue
        if token.startswith(";"):
            # Such a comment takes whole lines; an empty line separates two of them.
            parts.append(f" {opened}" if opened else "")
            parts.append("\n" if column or opened else "")
            parts.append("\n" if after_semicolons else "")
            parts.append(token)
            column, after_semicolons = 0, True
        else:
            token = opened + token
            if column and token == ")":
                space = ""
            elif column and column + 1 + _first_width(token) > WIDTH:
                space = "\n"
            else:
                space = " " if column else ""
            parts += (space, token)
            before = 0 if space == "\n" else column + len(space)
            column = len(token) - token.rfind("\n") - 1 if "\n" in token else before + len(token)
            after_semicolons = False
        opened = ""
    return "".join(parts) + "\n"


def _first_width(token: str) -> int:
    first, newline, _ = token.partition("\n")
    # A comment of many lines, or longer than a line, need not begin a new one.
    return len(first) if not newline and len(token) < WIDTH else 0
