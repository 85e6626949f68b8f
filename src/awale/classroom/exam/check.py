"""Try the functions of a pupil's file, each on hundreds of calls, in a process with limits."""

from __future__ import annotations

import json
import math
import os
import shlex
import signal
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from awale.classroom.exam import cases as exam_cases
from awale.classroom.exam.cases import ANY, Case
from awale.classroom.exam.template import FUNCTIONS
from awale.errors import AwaleError, PlayerFault
from awale.i18n import message, system_problem
from awale.protocols.external_process import Program

Status = Literal["right", "wrong", "missing", "unwritten"]
SECONDS, MEGABYTES = 5.0, 1_000
MAX_FILE = 1_000_000
ROUNDS_OF_WAITING = 12
"""A process that uses no CPU time (it sleeps) is ended after so many times the seconds it may compute."""


class ExamError(AwaleError):
    """A file that cannot be checked at all."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """The first call that went wrong."""

    case: Case
    problem: str
    """A key of the catalogue: `exam.problem.<problem>`."""
    values: Mapping[str, Any]
    got: Any = None
    """What was returned."""
    after: list[Any] | None = None
    """The arguments afterwards; None if the call did not return."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one function."""

    function: str
    status: Status
    right: int = 0
    wrong: int = 0
    kinds: Mapping[str, tuple[int, int]] | None = None
    """By situation: calls that were right, and all that were tried."""
    mistake: Mistake | None = None


class Checker:
    """The process of a file: started again after a function that ended it."""

    def __init__(self, path: Path, *, seconds: float = SECONDS, megabytes: int = MEGABYTES) -> None:
        try:
            if path.stat().st_size > MAX_FILE:
                raise ExamError(message("exam.refused.large", file=path))
            path.read_bytes()
        except OSError as error:
            raise ExamError(message("exam.refused.file", file=path, problem=system_problem(error))) from None
        self.path, self.seconds, self.megabytes = path, seconds, megabytes
        self._program: Program | None = None
        self.functions = self._start()

    def __enter__(self) -> Checker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._program is not None:
            self._program.close()
            self._program = None

    def _start(self) -> dict[str, list[str] | None]:
        """Return the file's functions with their parameters."""
        words = [sys.executable, "-P", "-m", "awale.classroom.exam.worker", os.path.abspath(self.path)]
        self._program = Program(shlex.join([*words, str(self.megabytes), str(self.seconds)]), max_line=1_000_000)
        try:
            answer = self._receive()
        except PlayerFault as error:
            self._raise(self._ended(error))
        if "bad" in answer:
            self._raise(answer)
        found: dict[str, list[str] | None] = answer["functions"]
        return found

    def _raise(self, answer: Mapping[str, Any]) -> None:
        self.close()
        raise ExamError(message(f"exam.refused.{answer['bad']}", file=self.path, **_values(answer)))

    def _receive(self) -> dict[str, Any]:
        assert self._program is not None
        answer: dict[str, Any] = json.loads(self._program.receive(self.seconds * ROUNDS_OF_WAITING + 20))
        return answer

    def _ended(self, fault: PlayerFault) -> dict[str, Any]:
        """Return why the process ended."""
        assert self._program is not None
        code = self._program.wait(1.0) if fault.kind != "time" else None
        slow = fault.kind == "time" or (hasattr(signal, "SIGPROF") and code == -signal.SIGPROF)
        self.close()
        return {"bad": "slow" if slow else "ended", "seconds": self.seconds}

    def ask(self, case: Case) -> dict[str, Any]:
        """Make a call and return what the process says about it."""
        if self._program is None:
            self._start()
        assert self._program is not None
        question = {"call": case.function, "arguments": case.arguments, "spoil": case.spoil, "scripted": case.scripted}
        try:
            self._program.send(json.dumps(question))
            return self._receive()
        except PlayerFault as error:
            return self._ended(error)

    def verdict(self, function: str, count: int = 240, seed: int = 1) -> Verdict:
        """Try one function."""
        if function not in self.functions:
            return Verdict(function, "missing")
        tried = exam_cases.cases(function, count, seed)
        wanted, own = FUNCTIONS[function], self.functions[function]
        if own is not None and len(own) != len(wanted):
            values = {"own": ", ".join(own), "wanted": ", ".join(wanted)}
            return Verdict(function, "wrong", 0, len(tried), None, Mistake(tried[0], "signature", values))
        kinds: dict[str, tuple[int, int]] = {}
        first: Mistake | None = None
        for case in tried:
            answer = self.ask(case)
            if answer.get("bad") == "unwritten":
                return Verdict(function, "unwritten")
            mistake = judge(case, answer)
            first = first or mistake
            right, all_ = kinds.get(case.kind, (0, 0))
            kinds[case.kind] = (right + (mistake is None), all_ + 1)
            if answer.get("bad") in ("slow", "ended", "memory"):
                break  # each further call could take as long
        right = sum(those for those, _ in kinds.values())
        return Verdict(function, "wrong" if first else "right", right, len(tried) - right, kinds, first)


def check_file(
    path: str | os.PathLike[str],
    *,
    count: int = 240,
    seed: int = 1,
    seconds: float = SECONDS,
    megabytes: int = MEGABYTES,
    functions: tuple[str, ...] | None = None,
) -> Iterator[Verdict]:
    """Yield the verdict of each function, in the order of the questions."""
    with Checker(Path(path).expanduser(), seconds=seconds, megabytes=megabytes) as checker:
        for function in functions or tuple(FUNCTIONS):
            yield checker.verdict(function, count, seed)


# -- comparing ------------------------------------------------------------------------------------------------------


def _values(answer: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "bad"}


def judge(case: Case, answer: Mapping[str, Any]) -> Mistake | None:
    """Return what is wrong with an answer, or None."""
    if "bad" in answer:
        return Mistake(case, str(answer["bad"]), _values(answer))
    got, after = _read(answer["answer"]), [_read(one) for one in answer["arguments"]]
    said, left = _wrong_answer(case, got), _wrong_arguments(case, after)
    if said:
        problem, values = ("both", said[1]) if said[0] == "value" and left == "left" else said
    elif left:
        problem, values = left, {}
    elif case.scripted and answer["asked"] != [[5, 0]]:
        asked = ["NegaAwale(jeu, {}, {})".format(*depths) for depths in answer["asked"]]
        problem, values = "scripted", {"asked": "".join(asked) or "-"}
    else:
        return None
    return Mistake(case, problem, values, got, after)


def _wrong_answer(case: Case, got: Any) -> tuple[str, dict[str, Any]] | None:
    wanted = case.expected[0]
    shown = {"got": show(got), "wanted": " / ".join(show(one) for one in case.expected)}
    if any(_same(case.function, got, right) for right in case.expected):
        return None
    if got is None and wanted is not None:
        return "nothing", shown
    if not isinstance(got, type(wanted)) or isinstance(got, bool) != isinstance(wanted, bool):
        return "type", {**shown, "kind": type(got).__name__, "wanted_kind": type(wanted).__name__}
    return "value", shown


def _wrong_arguments(case: Case, after: list[Any]) -> str | None:
    for before, wanted, got in zip(case.arguments, case.after, after, strict=True):
        if wanted is ANY or got == wanted:
            continue
        if case.spoil:
            return "shared"
        if before == wanted:
            return "changed"
        return "unchanged" if got == before else "left"
    return None


def _same(function: str, got: Any, wanted: Any) -> bool:
    if function == "cases_possibles":
        return isinstance(got, list | tuple) and all(type(one) is int for one in got) and sorted(got) == wanted
    if function == "gain":
        return isinstance(got, list | tuple) and list(got) == list(wanted)
    if isinstance(got, bool) != isinstance(wanted, bool):
        return False
    if isinstance(got, float) and not math.isfinite(got):
        return False
    return bool(got == wanted)


class Foreign:
    """A value that JSON has no form for."""

    def __init__(self, kind: str, shown: str) -> None:
        self.__class__ = type(kind, (Foreign,), {})
        self.shown = shown

    def __repr__(self) -> str:
        return self.shown


def _read(value: Any) -> Any:
    """Return a value as the process sent it."""
    if isinstance(value, list):
        return [_read(one) for one in value]
    if isinstance(value, dict):
        if "tuple" in value:
            return tuple(_read(one) for one in value["tuple"])
        if "dict" in value:
            return {key: _read(one) for key, one in value["dict"].items()}
        return Foreign(value["type"], value["shown"])
    return value


def show(value: Any, most: int = 120) -> str:
    """Return a value as Python writes it, cut where it is long."""
    written = repr(value)
    return written if len(written) <= most else written[: most - 1] + "…"
