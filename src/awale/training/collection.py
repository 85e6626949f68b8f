"""The puzzles that are shipped: by rules, theme and rating, and one for every day."""

from __future__ import annotations

import datetime
import hashlib
from functools import cache
from importlib.resources import files

from awale import i18n
from awale.errors import AwaleError
from awale.rules import Rules, get
from awale.training.puzzle import THEMES, Puzzle, read_puzzles

PRESETS = ("casabianca", "wikipedia", "abapa", "awari", "ghana", "upsti", "tricolor")
"""The rules that puzzles are shipped for."""


def puzzles(
    rules: str | Rules, theme: str | None = None, rating: tuple[float, float] | None = None
) -> tuple[Puzzle, ...]:
    """Return the shipped puzzles of some rules, the easiest first; none where none are shipped.

    `theme`: one of `THEMES`. `rating`: the least and the greatest.
    """
    rules = get(rules)
    if theme is not None and theme not in THEMES:
        raise AwaleError(i18n.message("puzzles.bad.theme", theme=theme[:40], known=", ".join(THEMES)))
    found = shipped(rules.name)
    if found and found[0].rules != rules:
        return ()
    least, most = rating or (float("-inf"), float("inf"))
    return tuple(p for p in found if (theme is None or theme in p.themes) and least <= p.rating <= most)


def puzzle_of_the_day(rules: str | Rules, date: datetime.date) -> Puzzle:
    """Return the puzzle of a date: the same for everybody, and none twice before all have had their day."""
    found = sorted(puzzles(rules), key=lambda puzzle: hashlib.sha256(puzzle.id.encode()).digest())
    if not found:
        raise AwaleError(i18n.message("puzzles.bad.none", rules=get(rules).name, known=", ".join(PRESETS)))
    return found[date.toordinal() % len(found)]


@cache
def shipped(preset: str) -> tuple[Puzzle, ...]:
    """Return the puzzles of a shipped file, the easiest first."""
    if preset not in PRESETS:
        return ()
    file = files("awale.training").joinpath("puzzles", f"{preset}.jsonl")
    lines = file.read_text(encoding="utf-8").splitlines()
    return tuple(sorted(read_puzzles(lines, source=file.name, check=False), key=lambda p: (p.rating, p.id)))
