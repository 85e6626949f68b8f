"""Puzzles line by line: asks for moves, shows refutations, hints and explanations, counts."""

from __future__ import annotations

from awale.cli import common
from awale.cli.plain_game import Leave, words
from awale.cli.terminal import Terminal
from awale.draw.text import board_text
from awale.errors import AwaleError, MoveError
from awale.game import Game
from awale.i18n import text
from awale.rules import moves as move_texts
from awale.training import Puzzle, Right, Solve, Solved, Wrong, goal_sentence
from awale.training.progress import Progress, ProgressFile


class PlainPuzzles:
    """Puzzles of one rule system, one after the other, at a terminal."""

    def __init__(self, puzzles: list[Puzzle], terminal: Terminal, solver: str, *, once: bool = False) -> None:
        self.puzzles, self.terminal, self.solver, self.once = puzzles, terminal, solver, once
        self._file = ProgressFile()

    def run(self) -> None:
        """Ask puzzles until somebody leaves, or the only one is solved."""
        progress = self._load(self.puzzles[0])
        asked: set[str] = set()
        try:
            while True:
                waiting = [puzzle for puzzle in self.puzzles if puzzle.id not in asked]
                puzzle = progress.next_puzzle(waiting)
                if puzzle is None:
                    self._say("no-more")
                    return
                asked.add(puzzle.id)
                progress = self._load(puzzle)
                solve = Solve(puzzle)
                try:
                    self._ask(solve)
                finally:
                    # Who leaves after a mistake or a hint has tried; who leaves before has not.
                    if solve.done or not solve.clean:
                        self._count(solve, progress)
                if self.once:
                    return
        except (Leave, EOFError):
            self._say("bye", rating=round(progress.strength.rating), streak=progress.streak)

    def _load(self, puzzle: Puzzle) -> Progress:
        return self._file.load(self.solver, puzzle.rules.name)

    def _ask(self, solve: Solve) -> None:
        """Ask for the moves of a puzzle until it is solved or given up."""
        puzzle = solve.puzzle
        self._show(solve.game, solve.side)
        self._say("heading", id=puzzle.id, rating=puzzle.rating, goal=goal_sentence(puzzle))
        while not solve.done:
            pits = move_texts.pit_names(puzzle.rules, solve.side)
            line = self.terminal.ask(text("puzzles.say.prompt", pits=pits)).strip()
            if not line:
                continue
            command = words().get(line.lower())
            if command == "quit":
                raise Leave
            if command == "hint":
                self.terminal.say(solve.hint().sentence())
            elif command == "help":
                self.terminal.say(common.wrap(text("puzzles.say.help")))
            elif command == "board":
                self._show(solve.game, solve.side)
            elif command == "resign":
                solve.mistakes += 1
                self._say("solution", line=" ".join(puzzle.line))
                self._explain(solve)
                return
            else:
                self._try(solve, line)
        self._explain(solve)

    def _try(self, solve: Solve, line: str) -> None:
        try:
            result = solve.play(line)
        except MoveError as refusal:
            self.terminal.say(text("play.say.refused", reason=refusal))
            return
        match result:
            case Wrong():
                after = result.game.copy()
                for move in (result.move, *result.refutation[:1]):
                    after.push(move)
                self._show(after, solve.side)
                self.terminal.say(common.wrap(result.sentence()))
                self._say("again")
            case Right():
                self._show(solve.game, solve.side)
                self._say("right", replies=" ".join(map(str, result.replies)) or "-")
            case Solved():
                self._show(solve.game, solve.side)
                self._say("solved-first" if result.first_try else "solved")

    def _explain(self, solve: Solve) -> None:
        for sentence in solve.explanation():
            self.terminal.say(common.wrap(sentence, indent="  "))

    def _count(self, solve: Solve, progress: Progress) -> None:
        """Keep the result, and tell the solver's rating."""
        before = progress.strength.rating
        if not progress.record(solve.puzzle, solve.clean):
            self._say("counted")
            return
        try:
            self._file.save(self.solver, solve.puzzle.rules.name, progress)
        except OSError as error:
            raise AwaleError(text("puzzles.bad.unsaved", path=self._file.path, problem=error.strerror)) from None
        change = round(progress.strength.rating) - round(before)
        self._say("rating", rating=round(progress.strength.rating), change=f"{change:+d}", streak=progress.streak)
        self.terminal.say()

    def _show(self, game: Game, side: int) -> None:
        drawn = board_text(game, unicode=self.terminal.unicode, flip=side == 1, colour=self.terminal.colour)
        self.terminal.say(f"{drawn}\n")

    def _say(self, key: str, **values: object) -> None:
        self.terminal.say(text(f"puzzles.say.{key}", **values))
