"""What a solver has done: their rating, their streak, the puzzles tried. Kept by name in one file of the user's data.

Solver and puzzle play a rated game: the solver wins it by finding every move at the first try, without a hint. Only the
first attempt at a puzzle counts, and each rule system has its own rating, as in the store.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from awale import i18n
from awale.errors import AwaleError
from awale.glicko import Strength, update
from awale.paths import data_dir, replacing
from awale.training.puzzle import Puzzle

PUZZLE_DEVIATION = 120.0
"""How certain the rating of a new puzzle is: it was computed, not measured."""


@dataclass(slots=True)
class Progress:
    """A solver under one rule system."""

    strength: Strength = field(default_factory=Strength)
    streak: int = 0
    """Puzzles solved at the first try since the last that was not."""
    best_streak: int = 0
    tried: dict[str, bool] = field(default_factory=dict)
    """Every puzzle tried, by id: whether it was solved at the first try."""
    puzzles: dict[str, Strength] = field(default_factory=dict)
    """What the puzzles tried are rated now."""

    def puzzle_strength(self, puzzle: Puzzle) -> Strength:
        """Return a puzzle's rating as this solver's attempts have left it."""
        return self.puzzles.get(puzzle.id, Strength(float(puzzle.rating), PUZZLE_DEVIATION))

    def record(self, puzzle: Puzzle, clean: bool) -> bool:
        """Count an attempt; return whether it changed the ratings, which only the first at a puzzle does."""
        if puzzle.id in self.tried:
            return False
        solver, opponent = self.strength, self.puzzle_strength(puzzle)
        self.strength = update(solver, [(opponent, float(clean))])
        self.puzzles[puzzle.id] = update(opponent, [(solver, float(not clean))])
        self.tried[puzzle.id] = clean
        self.streak = self.streak + 1 if clean else 0
        self.best_streak = max(self.best_streak, self.streak)
        return True

    def next_puzzle(self, puzzles: Iterable[Puzzle]) -> Puzzle | None:
        """Return the puzzle that suits the solver best: not tried yet and nearest to their rating; else one that was
        not solved at the first try, else any; None if there is none."""
        rating = self.strength.rating
        order = {None: 0, False: 1, True: 2}
        return min(
            puzzles, key=lambda p: (order[self.tried.get(p.id)], abs(p.rating - rating), p.rating, p.id), default=None
        )

    def merged(self, other: Progress) -> Progress:
        """Return what either knows of the solver. The ratings and the streak are those of the one that has tried more
        puzzles, and a puzzle that both tried counts as it does there."""
        more, less = (self, other) if len(self.tried) >= len(other.tried) else (other, self)
        return Progress(
            more.strength,
            more.streak,
            max(more.best_streak, less.best_streak),
            {**less.tried, **more.tried},
            {**less.puzzles, **more.puzzles},
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "rating": list(self.strength),
            "streak": self.streak,
            "best_streak": self.best_streak,
            "tried": dict(self.tried),
            "puzzles": {id: list(strength) for id, strength in self.puzzles.items()},
        }

    @classmethod
    def from_json(cls, entry: Any) -> Progress:
        """Read what `as_json` wrote; raise ValueError, KeyError or TypeError for anything else."""
        streak, best_streak = int(entry["streak"]), int(entry["best_streak"])
        if not 0 <= streak <= best_streak <= 10**6:
            raise ValueError
        return cls(
            strength=_strength(entry["rating"]),
            streak=streak,
            best_streak=best_streak,
            tried={str(id): bool(clean) for id, clean in entry["tried"].items()},
            puzzles={str(id): _strength(numbers) for id, numbers in entry["puzzles"].items()},
        )


def _strength(numbers: Any) -> Strength:
    rating, deviation, volatility = map(float, numbers)
    if not (abs(rating) <= 5000 and 1 <= deviation <= 1000 and 1e-4 <= volatility <= 1):
        raise ValueError
    return Strength(rating, deviation, volatility)


class ProgressFile:
    """The progress of everybody who solves on this machine, by name and rules."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = data_dir() / "puzzles.json" if path is None else path

    def load(self, name: str, rules: str) -> Progress:
        """Return the progress of a solver, a new one for somebody unknown. A file that cannot be read is refused, so
        that nothing in it is overwritten."""
        return self.load_all(name).get(rules, Progress())

    def load_all(self, name: str) -> dict[str, Progress]:
        """Return the progress of a solver by rules."""
        try:
            return {rules: Progress.from_json(entry) for rules, entry in self._read().get(name, {}).items()}
        except (ValueError, KeyError, TypeError, AttributeError):
            raise self._damaged() from None

    def save(self, name: str, rules: str, progress: Progress) -> None:
        """Write the progress of a solver, leaving that of others as it is."""
        self.save_all(name, {rules: progress})

    def save_all(self, name: str, progress: Mapping[str, Progress]) -> None:
        """Write the progress of a solver under some rules, leaving everything else as it is."""
        everybody = self._read()
        everybody.setdefault(name, {}).update({rules: one.as_json() for rules, one in progress.items()})
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(self.path) as growing:
            growing.write_text(json.dumps(everybody, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (ValueError, RecursionError):
            raise self._damaged() from None
        if not isinstance(found, dict) or not all(isinstance(entry, dict) for entry in found.values()):
            raise self._damaged()
        return found

    def _damaged(self) -> AwaleError:
        return AwaleError(i18n.message("puzzles.bad.progress", path=self.path))
