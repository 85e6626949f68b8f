"""Running a file written by a user in a process of its own: loading it, limiting its memory, saying what went wrong."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from types import CodeType, ModuleType
from typing import Any

MEMORY = 4 << 30
"""The most bytes of memory that a worker process may use."""


class BadFile(Exception):
    """What is wrong, as a key of the catalogue with its values."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key, self.values = key, values


def limit_memory(size: int = MEMORY) -> None:
    """Let this process fail, not the machine, if it wants more than `size` bytes."""
    with contextlib.suppress(ImportError, ValueError, OSError):  # no such limit on this system
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def short(problem: BaseException) -> str:
    """Return an exception in at most 300 characters."""
    words = " ".join(str(problem).split())
    return f"{type(problem).__name__}: {words}"[:300] if words else type(problem).__name__


def line_in(path: str, problem: BaseException) -> int:
    """Return the last line of the file that was being run."""
    lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__) if frame.filename == path]
    return (lines[-1] if lines else None) or 1


def run_file(path: str, name: str) -> dict[str, Any]:
    """Return what a file defines when it is run as the module `name`."""
    with open(path, "rb") as file:
        source = file.read()
    try:
        code: CodeType = compile(source, path, "exec")
    except SyntaxError as error:
        raise BadFile("syntax", line=error.lineno or 1, problem=error.msg) from None
    except ValueError as error:  # null bytes
        raise BadFile("syntax", line=1, problem=str(error)) from None
    sys.path.insert(0, os.path.dirname(path))
    module = sys.modules[name] = ModuleType(name)  # as data classes expect
    scope: dict[str, Any] = module.__dict__
    scope["__file__"] = path
    try:
        exec(code, scope)
    except BaseException as error:
        raise BadFile("load", line=line_in(path, error), problem=short(error)) from None
    return scope
