"""Training: puzzles whose solutions are proven, and solving them.

>>> from awale.training import Solve, puzzles
>>> puzzle = puzzles("casabianca")[0]
>>> solve = Solve(puzzle)
>>> type(solve.play(puzzle.line[0])).__name__ in ("Right", "Solved")
True
"""

from awale.training.collection import PRESETS, puzzle_of_the_day, puzzles, shipped
from awale.training.puzzle import THEMES, Decision, Goal, Puzzle, PuzzleError, read_puzzles, write_puzzles
from awale.training.session import Counted, Session
from awale.training.solve import Hint, Result, Right, Solve, Solved, Wrong
from awale.training.words import explanation, goal_sentence, theme_name

__all__ = [
    "PRESETS",
    "THEMES",
    "Counted",
    "Decision",
    "Goal",
    "Hint",
    "Puzzle",
    "PuzzleError",
    "Result",
    "Right",
    "Session",
    "Solve",
    "Solved",
    "Wrong",
    "explanation",
    "goal_sentence",
    "puzzle_of_the_day",
    "puzzles",
    "read_puzzles",
    "shipped",
    "theme_name",
    "write_puzzles",
]
