"""What the checker found, in words and boards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from awale.classroom.exam.cases import Case
from awale.classroom.exam.check import Mistake, Verdict, show
from awale.i18n import text

CHANGES = ("tourner_plateau", "deplacer_graines", "ramasser_graines", "tour_jeu", "gain")
"""What these leave behind is a board to be drawn."""


def lines(verdict: Verdict, lang: str | None = None) -> Iterator[str]:
    """Yield the lines about one function."""
    calls = verdict.right + verdict.wrong
    yield text(f"exam.report.{verdict.status}", lang, function=verdict.function, right=verdict.right, calls=calls)
    mistake = verdict.mistake
    if mistake is None:
        return
    if mistake.problem == "signature":
        yield "  " + _problem(mistake, lang)
        return
    yield "  " + text("exam.report.first", lang, kind=_kind(mistake.case, mistake.case.kind, lang))
    yield f"    {_problem(mistake, lang)}"
    yield from (f"    {line}" for line in _position(mistake, lang))
    for key, those in (("right", _those(verdict, True)), ("wrong", _those(verdict, False))):
        if those:
            named = [f"{_kind(mistake.case, kind, lang)} ({counts})" for kind, counts in those]
            said = text("exam.report.and", lang).join(named)
            yield "  " + text(f"exam.report.kinds-{key}", lang, kinds=said)


def as_dict(verdict: Verdict, lang: str | None = None) -> dict[str, Any]:
    """Return a verdict for programs."""
    found: dict[str, Any] = {"function": verdict.function, "status": verdict.status}
    found |= {"right": verdict.right, "wrong": verdict.wrong}
    if verdict.mistake is not None:
        mistake = verdict.mistake
        found["mistake"] = {
            "problem": mistake.problem,
            "kind": mistake.case.kind,
            "sentence": _problem(mistake, lang),
            "arguments": mistake.case.arguments,
            "expected": mistake.case.expected,
        }
    return found


def _problem(mistake: Mistake, lang: str | None) -> str:
    return text(f"exam.problem.{mistake.problem}", lang, **mistake.values)


def _kind(case: Case, kind: str, lang: str | None) -> str:
    return text(f"exam.kind.{case.function}.{kind}", lang)


def _those(verdict: Verdict, right: bool) -> list[tuple[str, str]]:
    kinds = verdict.kinds or {}
    return [(kind, f"{good}/{tried}") for kind, (good, tried) in kinds.items() if (good == tried) == right]


# -- boards ---------------------------------------------------------------------------------------------------------


def _position(mistake: Mistake, lang: str | None) -> Iterator[str]:
    case = mistake.case
    arguments = [_short(argument) for argument in case.arguments]
    yield text("exam.report.call", lang, call=f"{case.function}({', '.join(arguments)})")
    first = case.arguments[0]
    board = _board_of(first)
    if board is None:
        return
    drawn = [(text("exam.report.before", lang), board)]
    compared = mistake.problem in ("left", "both", "unchanged", "value") and case.function in CHANGES
    if mistake.after is not None and (compared or mistake.problem == "changed"):
        results = (mistake.got, case.expected[0]) if case.function == "gain" else (mistake.after[0], case.after[0])
        own, right = (_board_of(one) for one in results)
        drawn += [(text("exam.report.yours", lang), own)] if own is not None else []
        drawn += [(text("exam.report.correct", lang), right)] if right is not None else []
    yield from beside([(title, draw(seeds)) for title, seeds in drawn])
    if isinstance(first, dict):
        scores = first["score"]
        yield text("exam.report.scores", lang, first=scores[0], second=scores[1], n=first["n"])


def _short(argument: Any) -> str:
    if isinstance(argument, dict):
        return "jeu"
    return "plateau" if _board_of(argument) is not None else show(argument)


def _board_of(value: Any) -> list[int] | None:
    """Return the board that a value is or has; None if there is none."""
    if isinstance(value, list | tuple) and len(value) == 2:
        value = value[1]
    if isinstance(value, dict):
        value = value.get("plateau")
    if isinstance(value, list | tuple) and len(value) == 12 and all(isinstance(one, int) for one in value):
        return list(value)
    return None


def draw(board: Sequence[int]) -> list[str]:
    """Return a board with the examination's numbers: the opponent's row above, from 11 to 6.

    >>> print("\\n".join(draw([4] * 12)))
     11 10  9  8  7  6
    +--+--+--+--+--+--+
    | 4| 4| 4| 4| 4| 4|
    +--+--+--+--+--+--+
    | 4| 4| 4| 4| 4| 4|
    +--+--+--+--+--+--+
      0  1  2  3  4  5
    """
    rule = "+" + "--+" * 6
    upper, lower = range(11, 5, -1), range(6)

    def cells(pits: range) -> str:
        return "|" + "|".join(f"{board[pit]:2}" for pit in pits) + "|"

    def numbers(pits: range) -> str:
        return " " + " ".join(f"{pit:2}" for pit in pits)

    return [numbers(upper), rule, cells(upper), rule, cells(lower), rule, numbers(lower)]


def beside(pictures: Sequence[tuple[str, list[str]]]) -> Iterator[str]:
    """Yield the lines of pictures that stand side by side, each below its title."""
    columns = [[title, *drawn] for title, drawn in pictures]
    widths = [max(len(line) for line in column) for column in columns]
    for row in range(max(len(column) for column in columns)):
        cells = (column[row] if row < len(column) else "" for column in columns)
        yield "   ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
