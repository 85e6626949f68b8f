"""Read lines of text from a text, bytes, a path, an open file or an iterable of lines.

One line is in memory at a time. UTF-8 is expected; a line that is not is read as Windows-1252 or Latin-1 (what old
programs wrote), and a UTF-16 file is known by its mark.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Iterable, Iterator
from typing import IO, Any, TypeAlias

from awale import i18n
from awale.errors import NotationError

Source: TypeAlias = str | bytes | os.PathLike[str] | IO[str] | IO[bytes] | Iterable[str]
"""A `str` is the text itself; a file is named by a `Path`, or opened already."""

_FILE_NAME = re.compile(r"[^\n\r\[{;]+\.(?:ogn|jsonl?|pgn|txt)\s*", re.IGNORECASE)
"""What no game's text looks like, and the name of its file does."""

MAX_LINE = 1_000_000
"""Longer lines are refused: binary data without line ends must not fill the memory."""


def lines(source: Source, name: str = "") -> Iterator[str]:
    """Yield the lines of a source, each with its end of line (always `\\n`) if it has one."""
    try:
        for number, line in enumerate(_raw_lines(source), 1):
            if len(line) > MAX_LINE:
                message = i18n.message("notation.long-line", limit=i18n.number(MAX_LINE))
                raise NotationError(message, line=number, column=MAX_LINE, source=name)
            if number == 1 and line.startswith("\ufeff"):
                line = line[1:]
            yield line if line.isascii() else mend(line)
    except UnicodeError as error:
        raise NotationError(i18n.message("notation.not-text", reason=error), source=name) from None


def mend(line: str) -> str:
    """Return a line without lone surrogates: bytes that are not UTF-8 become Windows-1252 or Latin-1, the rest `?`."""
    try:
        line.encode()
        return line
    except UnicodeEncodeError:
        pass
    try:
        raw = line.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return line.encode("utf-8", "replace").decode()
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def write_texts(texts: Iterable[str], file: str | os.PathLike[str] | IO[str]) -> int:
    """Write texts to a file (a path, or an open text file) one at a time. Return how many."""
    if isinstance(file, str | os.PathLike):
        with open(file, "w", encoding="utf-8", newline="\n") as opened:
            return write_texts(texts, opened)
    count = 0
    for text in texts:
        file.write(text)
        count += 1
    return count


def _raw_lines(source: Source) -> Iterator[str]:
    if isinstance(source, str):
        if _FILE_NAME.fullmatch(source):
            raise NotationError(i18n.message("notation.file-name", name=source.strip()[-60:]))
        yield from _read(io.StringIO(source, newline=None))
    elif isinstance(source, bytes | bytearray | memoryview):
        yield from _read_bytes(io.BufferedReader(io.BytesIO(source)))
    elif isinstance(source, os.PathLike):
        with open(source, "rb") as file:
            yield from _read_bytes(file)
    elif hasattr(source, "readline"):
        opened: Any = source
        yield from _read_bytes(opened) if isinstance(opened.read(0), bytes) else _read(opened)
    else:
        for item in source:
            if not isinstance(item, str):
                raise TypeError(f"lines of text are expected, not {type(item).__name__}")
            yield from _read(io.StringIO(item if item.endswith("\n") else item + "\n", newline=None))


def _read(file: Any) -> Iterator[str]:
    while line := file.readline(MAX_LINE + 1):
        yield line


def _read_bytes(file: Any) -> Iterator[str]:
    head = file.peek(2)[:2] if hasattr(file, "peek") else b""
    if head in (b"\xff\xfe", b"\xfe\xff"):
        text = io.TextIOWrapper(file, encoding="utf-16", errors="replace", newline=None)
    else:
        text = io.TextIOWrapper(file, encoding="utf-8", errors="surrogateescape", newline=None)
    try:
        yield from _read(text)
    finally:
        with contextlib.suppress(ValueError):  # closed already
            text.detach()  # the caller closes the file
