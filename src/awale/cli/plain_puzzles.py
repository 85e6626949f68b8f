"""Puzzles line by line: asks for moves, shows refutations, hints and explanations, counts."""

from __future__ import annotations

from awale.cli import common
from awale.cli.plain_game import Leave, words
from awale.cli.terminal import Terminal
from awale.draw.text import board_text
from awale.errors import MoveError
from awale.game import Game
from awale.i18n import text
from awale.rules import moves as move_texts
from awale.training import Right, Session, Solve, Solved, Wrong, goal_sentence


class PlainPuzzles:
    """Puzzles one after the other, at a terminal."""

    def __init__(self, session: Session, terminal: Terminal) -> None:
        self.session, self.terminal = session, terminal

    def run(self) -> None:
        """Ask puzzles until somebody leaves or there are no more."""
        alone = len(self.session.puzzles) == 1
        try:
            while (solve := self.session.next()) is not None:
                try:
                    self._ask(solve)
                finally:
                    self._count(solve)
            if not alone:
                self._say("no-more")
        except (Leave, EOFError):
            self.terminal.say(self.session.goodbye())

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
                solve.give_up()
                self._say("solution", line=" ".join(puzzle.line))
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

    def _count(self, solve: Solve) -> None:
        """Keep the result, and tell the solver's rating."""
        counted = self.session.count(solve)
        if counted is not None:
            self.terminal.say(counted.sentence())
            self.terminal.say()
        elif solve.done:
            self._say("counted")

    def _show(self, game: Game, side: int) -> None:
        drawn = board_text(game, unicode=self.terminal.unicode, flip=side == 1, colour=self.terminal.colour)
        self.terminal.say(f"{drawn}\n")

    def _say(self, key: str, **values: object) -> None:
        self.terminal.say(text(f"puzzles.say.{key}", **values))
