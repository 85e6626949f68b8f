"""Files with what somebody has done in training, written by a browser or a terminal and read by either.

A line for each rule system (a solver's puzzles) and each lesson (the exercises solved), after a first line that names
the format. Reading one loses nothing: what is known on both sides is merged.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from awale import i18n
from awale.errors import AwaleError, NotationError
from awale.rules import get
from awale.training import lessons
from awale.training.progress import Progress

HEAD = {"format": "awale-progress", "version": 1}
MOST_TEXT = 2_000_000
"""Characters of a file."""


class Kept(NamedTuple):
    """What somebody has done."""

    puzzles: dict[str, Progress]
    """By rules."""
    lessons: dict[str, list[str]]
    """The exercises solved, by lesson."""

    def merged(self, other: Kept) -> Kept:
        """Return what is in either."""
        puzzles, solved = dict(self.puzzles), dict(self.lessons)
        for rules, progress in other.puzzles.items():
            puzzles[rules] = puzzles[rules].merged(progress) if rules in puzzles else progress
        for lesson, exercises in other.lessons.items():
            solved[lesson] = list(dict.fromkeys([*solved.get(lesson, []), *exercises]))
        return Kept(puzzles, solved)


def write(kept: Kept) -> str:
    """Return the text of a file."""
    entries: list[Mapping[str, Any]] = [HEAD]
    entries += [{"rules": rules, **progress.as_json()} for rules, progress in kept.puzzles.items()]
    entries += [{"lesson": lesson, "solved": solved} for lesson, solved in kept.lessons.items()]
    return "".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in entries)


def read(text: str, source: str = "") -> Kept:
    """Return what a file holds; raise `NotationError`, with the line and the reason, for one that cannot be used."""
    found = Kept({}, {})
    begun = False
    if len(text) > MOST_TEXT:
        raise NotationError(i18n.message("puzzles.bad.exchange-size", most=MOST_TEXT), source=source)
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            if not begun and entry != HEAD:
                raise AwaleError(i18n.message("puzzles.bad.exchange-head"))
            if begun:
                found = found.merged(_entry(entry))
            begun = True
        except AwaleError as error:
            raise NotationError(error.said or str(error), line=number, source=source) from None
        except (ValueError, RecursionError):
            key = "exchange-entry" if begun else "exchange-head"
            raise NotationError(i18n.message(f"puzzles.bad.{key}"), line=number, source=source) from None
    if not begun:
        raise NotationError(i18n.message("puzzles.bad.exchange-head"), line=1, source=source)
    return found


def _entry(entry: Any) -> Kept:
    """Return what a line holds; raise ValueError, of which `AwaleError` is one, if it is none."""
    if not isinstance(entry, dict):
        raise ValueError
    if "lesson" not in entry:
        try:
            return Kept({get(str(entry.get("rules"))[:80]).name: Progress.from_json(entry)}, {})
        except (KeyError, TypeError, AttributeError, OverflowError):
            raise ValueError from None
    lesson, solved = lessons.lesson(str(entry["lesson"])[:40]), entry.get("solved")
    if not isinstance(solved, list):
        raise ValueError
    return Kept({}, {lesson.key: [lesson.exercise(str(key)[:40]).key for key in solved]})
