"""Solving a puzzle move by move: what every interface drives. Synchronous, no input or output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from awale import i18n
from awale.bounds import Bounds
from awale.errors import GameStateError
from awale.game import Game
from awale.rules.moves import Move
from awale.training import words
from awale.training.puzzle import Decision, Puzzle


@dataclass(frozen=True, slots=True)
class Right:
    """The move that was asked for. The line goes on after the replies."""

    move: Move
    replies: tuple[Move, ...]
    """What the opponent answers; more than one move if the solver has to pass, none if the opponent has to."""


@dataclass(frozen=True, slots=True)
class Solved:
    """The last move that was asked for."""

    move: Move
    first_try: bool
    """No move was wrong, and no hint was asked for."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A move that does not reach the goal. It is not played; `refutation` shows what would follow it."""

    move: Move
    refutation: tuple[Move, ...]
    """The opponent's answer and what may follow; empty if the wrong move ends the game."""
    value: Bounds
    """The final margin after the wrong move."""
    best: Bounds
    """The final margin after the right one."""
    game: Game
    """The position before the move, with what was played before."""

    @property
    def cost(self) -> int:
        """The seeds of the final margin that the move gives up, at least."""
        return self.best.least - self.value.most

    def sentence(self, lang: str | None = None) -> str:
        """Return what the move costs, and the answer to it."""
        return words.wrong_sentence(self.game, self.move, self.refutation, self.value, self.best, lang)


Result: TypeAlias = Right | Solved | Wrong


@dataclass(frozen=True, slots=True)
class Hint:
    """Help with the next move: first what kind of move it is, then the move itself."""

    step: int
    move: Move | None
    """The move, or None while only its kind is told."""
    puzzle: Puzzle

    def sentence(self, lang: str | None = None) -> str:
        return words.hint_sentence(self.puzzle, self.move, lang)


class Solve:
    """A puzzle being solved.

    >>> from awale.training import puzzles
    >>> solve = Solve(puzzles("casabianca")[0])
    >>> solve.done, solve.hint().move is None, str(solve.hint().move) == solve.puzzle.line[0]
    (False, True, True)
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.game = puzzle.game()
        """The position now; the solver is to move unless `done`."""
        self.side = self.game.turn
        self.mistakes = 0
        self.hints = 0
        self._played = 0
        self._decision = 0
        self._told = 0

    @property
    def done(self) -> bool:
        """Whether the last move that was asked for has been found."""
        return self._decision == len(self.puzzle.decisions)

    @property
    def clean(self) -> bool:
        """Whether no move was wrong and no hint was asked for so far: what a rating counts as a win."""
        return self.mistakes == 0 and self.hints == 0

    @property
    def decision(self) -> Decision:
        """What is known about the moves now."""
        if self.done:
            raise GameStateError(i18n.message("puzzles.bad.solved"))
        return self.puzzle.decisions[self._decision]

    @property
    def solution(self) -> Move:
        """The move that is asked for now."""
        assert self.decision
        return self.game.parse(self.puzzle.line[self._played])

    def play(self, move: Move | str) -> Result:
        """Try a move. A right one is played, and the opponent's replies; a wrong one is refuted and not played. Text
        that is no legal move raises one of the move errors, and does not count."""
        decision = self.decision
        chosen = self.game.parse(move)
        if chosen != self.solution:
            self.mistakes += 1
            right, wrong = decision.values[str(self.solution)], decision.values[str(chosen)]
            after = self.game.copy()
            after.push(chosen)
            refutation = tuple(after.push(step) for step in decision.refutations[str(chosen)])
            return Wrong(chosen, refutation, wrong, right, self.game.copy())
        self.game.push(chosen)
        self._played += 1
        self._decision += 1
        self._told = 0
        if self.done:
            return Solved(chosen, self.clean)
        replies = []
        while self.game.turn != self.side:
            replies.append(self.game.push(self.puzzle.line[self._played]))
            self._played += 1
        return Right(chosen, tuple(replies))

    def give_up(self) -> tuple[Move, ...]:
        """Play the rest of the solution and return it. It counts as a mistake."""
        assert self.decision
        self.mistakes += 1
        rest = tuple(self.game.push(move) for move in self.puzzle.line[self._played :])
        self._played, self._decision = len(self.puzzle.line), len(self.puzzle.decisions)
        return rest

    def hint(self) -> Hint:
        """Return the kind of the move first, the move itself when asked again."""
        solution = self.solution
        self.hints += 1
        self._told += 1
        return Hint(self._told, solution if self._told > 1 else None, self.puzzle)

    def explanation(self, lang: str | None = None) -> tuple[str, ...]:
        """Return why the solution is right, in sentences."""
        return words.explanation(self.puzzle, lang)
