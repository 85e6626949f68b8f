"""One puzzle after the other for one solver, whose progress is kept in a file. Both terminal interfaces drive it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from awale import i18n
from awale.errors import AwaleError
from awale.training.progress import Progress, ProgressFile
from awale.training.puzzle import Puzzle
from awale.training.solve import Solve


class Counted(NamedTuple):
    """What an attempt did to the solver's rating."""

    rating: int
    change: int
    streak: int

    def sentence(self, lang: str | None = None) -> str:
        values = {"rating": self.rating, "change": f"{self.change:+d}", "streak": self.streak}
        return i18n.text("puzzles.say.rating", lang, **values)


class Session:
    """Puzzles that suit the solver best first, none of them twice."""

    def __init__(self, puzzles: Sequence[Puzzle], solver: str = "", file: ProgressFile | None = None) -> None:
        """`puzzles`: at least one. Raise AwaleError where the solver's progress cannot be read."""
        self.puzzles, self.solver = puzzles, solver
        self._file = file or ProgressFile()
        self._asked: set[str] = set()
        self.progress = self._load(puzzles[0])
        """Under the rules of the last puzzle."""

    def _load(self, puzzle: Puzzle) -> Progress:
        return self._file.load(self.solver, puzzle.rules.name)

    @property
    def waiting(self) -> list[Puzzle]:
        """The puzzles that were not asked yet."""
        return [puzzle for puzzle in self.puzzles if puzzle.id not in self._asked]

    def next(self) -> Solve | None:
        """Return the next puzzle to solve; None after the last."""
        puzzle = self.progress.next_puzzle(self.waiting)
        if puzzle is None:
            return None
        self._asked.add(puzzle.id)
        self.progress = self._load(puzzle)
        return Solve(puzzle)

    def count(self, solve: Solve) -> Counted | None:
        """Keep the result of an attempt; return None if the puzzle was counted before, or not tried at all: who leaves
        it after a mistake or a hint has tried. Raise AwaleError if it cannot be saved."""
        before = self.progress.strength.rating
        if (solve.clean and not solve.done) or not self.progress.record(solve.puzzle, solve.clean):
            return None
        try:
            self._file.save(self.solver, solve.puzzle.rules.name, self.progress)
        except OSError as error:
            raise AwaleError(
                i18n.message("puzzles.bad.unsaved", path=self._file.path, problem=i18n.system_problem(error))
            ) from None
        rating = round(self.progress.strength.rating)
        return Counted(rating, rating - round(before), self.progress.streak)

    def goodbye(self, lang: str | None = None) -> str:
        """Return the solver's rating and streak in a sentence."""
        rating, streak = round(self.progress.strength.rating), self.progress.streak
        return i18n.text("puzzles.say.bye", lang, rating=rating, streak=streak)
