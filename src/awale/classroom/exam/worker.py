"""The process in which a pupil's file runs: lines of JSON come in, lines of JSON go out.

    python -m awale.classroom.exam.worker FILE MEGABYTES

Only calls are made here; what their answers should be stays in the process that asks. While a function is checked, the
other functions of the examination are replaced by right ones, so that one mistake is reported once, where it is.
What the file prints is dropped, and it finds nothing to read.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import signal
import sys
from types import FunctionType
from typing import IO, Any

from awale.classroom.exam import solution
from awale.players.user_file import BadFile, limit_memory, line_in, run_file, short

LONGEST_VALUE = 2_000
"""Characters of an answer that are sent back."""


class PupilFile:
    """A file, loaded; `problem` says why it could not be."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.scope: dict[str, Any] = {}
        self.problem: dict[str, Any] | None = None
        try:
            self.scope = run_file(path, "devoir")
        except BadFile as bad:
            self.problem = {"bad": bad.key, **bad.values}
        self.own = dict(self.scope)

    def describe(self) -> dict[str, Any]:
        """Return the functions of the file with their parameters."""
        found: dict[str, list[str] | None] = {}
        for name, value in self.own.items():
            if callable(value) and not name.startswith("_"):
                try:
                    found[name] = list(inspect.signature(value).parameters)
                except (TypeError, ValueError):
                    found[name] = None
        return {"functions": found}

    def call(self, question: dict[str, Any]) -> dict[str, Any]:
        """Call a function and return its answer, and its arguments as it left them."""
        name, arguments = question["call"], question["arguments"]
        self.scope.update(self.own)
        for other in vars(solution).values():
            if isinstance(other, FunctionType) and other.__name__ != name:
                self.scope[other.__name__] = other
        asked: list[list[int]] = []
        if question.get("scripted"):
            self.scope["NegaAwale"] = _scripted(asked)
        try:
            answer = self.own[name](*arguments)
        except NotImplementedError:
            return {"bad": "unwritten"}
        except MemoryError:
            return {"bad": "memory", "line": 1}
        except BaseException as error:
            return {"bad": "raised", "line": line_in(self.path, error), "problem": short(error)}
        shown = _plain(answer)
        if question.get("spoil"):
            # A copy that shares a list with its original is seen by changing the copy.
            with contextlib.suppress(LookupError, TypeError):
                for key in ("plateau", "score"):
                    answer[key][0] += 1
        return {"answer": shown, "arguments": _plain(arguments), "asked": asked[:1]}


def _scripted(asked: list[list[int]]) -> Any:
    """Return a `NegaAwale` that answers at once: the first pit that can be played."""

    def NegaAwale(jeu: dict[str, Any], profondeur_max: int, profondeur: int) -> int:
        asked.append([profondeur_max, profondeur])
        return solution.cases_possibles(jeu)[0]

    return NegaAwale


def _plain(value: Any, depth: int = 0) -> Any:
    """Return a value as JSON can carry it: what JSON has no form for becomes its type and text."""
    if value is None or (isinstance(value, bool | int | float | str) and type(value) in (bool, int, float, str)):
        return value if not isinstance(value, str) else value[:LONGEST_VALUE]
    if depth < 4 and type(value) is list and len(value) <= 100:
        return [_plain(one, depth + 1) for one in value]
    if depth < 4 and type(value) is tuple and len(value) <= 100:
        return {"tuple": [_plain(one, depth + 1) for one in value]}
    if depth < 4 and type(value) is dict and len(value) <= 100 and all(type(key) is str for key in value):
        return {"dict": {key: _plain(one, depth + 1) for key, one in value.items()}}
    try:
        shown = repr(value)[:200]
    except BaseException:
        shown = "?"
    return {"type": type(value).__name__, "shown": shown}


def _within(seconds: float) -> None:
    """Let this process use so many more seconds of CPU time. Its end cannot be caught: the signal is left to act."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def serve(path: str, questions: IO[str], out: IO[str], seconds: float) -> None:
    """Answer until there are no more questions."""

    def say(answer: dict[str, Any]) -> None:
        out.write(json.dumps(answer) + "\n")
        out.flush()

    _within(seconds)
    pupil = PupilFile(path)
    _within(0)
    say(pupil.problem or pupil.describe())
    for line in questions:
        question = json.loads(line)
        _within(seconds)
        answer = pupil.call(question)
        _within(0)
        say(answer)


def main() -> None:
    # The pupil's code gets neither the questions nor the answers: both move to descriptors of their own.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    with open(os.devnull, "r+b") as nowhere:
        for descriptor in (0, 1, 2):
            os.dup2(nowhere.fileno(), descriptor)
    path, megabytes, seconds = os.path.abspath(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    limit_memory(1_000_000 * megabytes)
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        serve(path, questions, out, seconds)


if __name__ == "__main__":
    main()
