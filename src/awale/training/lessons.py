"""Lessons: exercises on the board, judged by the rules themselves or by exact values.

The sentences are in `texts/lessons.toml`. Most questions are answered by the rules ("where does the last seed fall?");
those about the best move carry the margin at the end of the game for every move, which a test compares with the endgame
tables. Nothing is judged by an estimate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, TypeAlias

from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import Message, Sayable, message
from awale.rules import reference
from awale.rules.moves import make, write

Question: TypeAlias = Literal[
    "last",  # the pit where the last seed of a move falls
    "laps",  # how many laps a relay takes
    "taken",  # how many seeds a move captures
    "most",  # the move that captures the most seeds
    "win",  # the move that wins at once: by more than half of the seeds, or by ending the game ahead
    "safe",  # the move after which the opponent can capture nothing
    "only",  # the only legal move
    "waiting",  # how many moves in a row can be played before a seed must leave the mover's own row
    "size",  # how many seeds a granary needs for its last seed to fall in a pit on the second pass
    "endless",  # whether a sowing never ends
    "endless-pit",  # the pit whose sowing never ends
    "best",  # the move with the best margin at the end of the game
]
Form: TypeAlias = Literal["pit", "own-pit", "move", "number", "yes-no"]
"""How an answer is given: any pit, one of the mover's pits, a legal move, a number, or yes or no."""
_QUESTIONS: dict[Form, tuple[Question, ...]] = {
    "pit": ("last",),
    "own-pit": ("only", "endless-pit"),
    "move": ("most", "win", "safe", "best"),
    "number": ("laps", "taken", "waiting", "size"),
    "yes-no": ("endless",),
}
FORMS: dict[Question, Form] = {question: form for form, asked in _QUESTIONS.items() for question in asked}


class LessonError(AwaleError):
    """There is no such lesson, or no such exercise in it."""


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position and a question about it."""

    key: str
    question: Question
    rules: str
    position: str
    move: str = ""
    """The move, or the pit, that the question is about."""
    target: str = ""
    """For `size`: the pit where the last seed shall fall."""
    margins: Mapping[str, int] = field(default_factory=dict, hash=False)
    """For `best`: the mover's margin at the end of the game after each move, both sides playing perfectly."""

    @property
    def form(self) -> Form:
        return FORMS[self.question]

    @property
    def asked(self) -> Message:
        """The question in words."""
        game = self.game()
        opponent = message(f"core.player{'-coloured' if game.rules.coloured else ''}.{1 - game.turn}")
        return message(f"lessons.ask.{self.question}", move=self.move, target=self.target, opponent=opponent)

    def game(self) -> Game:
        return Game.from_position(self.position, rules=self.rules)

    def answers(self) -> frozenset[str]:
        """Return the right answers, as texts: moves, pits by name, numbers, `yes` or `no`."""
        return _answers(self)


@dataclass(frozen=True, slots=True)
class Lesson:
    """Some exercises on one subject."""

    key: str
    exercises: tuple[Exercise, ...]

    def exercise(self, key: str) -> Exercise:
        for exercise in self.exercises:
            if exercise.key == key:
                return exercise
        raise LessonError(message("lessons.error.no-exercise", key=key))


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether an answer is right, a sentence about it, and the moves that show it."""

    right: bool
    said: Sayable
    shown: tuple[str, ...] = ()


START = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
COLOURS_1 = "0.0.0-0.0.0-0.2.0-0.0.0-1.0.2-2.2.7-2.0.5-2.0.0-1.8.0-2.0.0-0.3.1-0.0.1-0.0.0-5.1.0-2.2.1-5.4.8-9-18-S-50"
COLOURS_2 = "3.0.0-4.6.5-0.0.1-0.1.1-0.0.0-0.1.1-3.3.6-0.0.1-4.0.2-3.1.1-0.0.0-0.0.0-5.2.3-0.0.5-0.0.0-0.0.0-17-17-S-40"
COLOURS_3 = "0.0.0-0.0.1-1.0.0-0.0.0-0.0.0-0.0.0-0.1.3-1.1.1-4.2.1-0.1.0-3.3.1-0.0.1-0.1.1-0.0.1-0.0.1-0.0.0-38-29-S-36"


def _best(key: str, position: str, margins: Mapping[str, int], rules: str = "casabianca") -> Exercise:
    return Exercise(key, "best", rules, position, margins=margins)


_EXERCISES: dict[str, tuple[Exercise, ...]] = {
    "opening": (
        Exercise("opening-reach", "last", "casabianca", START, "c"),
        Exercise("opening-chain", "most", "casabianca", "1-8-7-0-7-5-0-6-6-6-1-1-0-0-S"),
        Exercise("opening-safe", "safe", "casabianca", "1-9-3-2-4-9-8-1-3-0-7-1-0-0-S"),
        Exercise("opening-threat", "safe", "casabianca", "8-7-1-9-0-6-0-6-0-1-7-3-0-0-S"),
    ),
    "granary": (
        Exercise("granary-lap", "last", "casabianca", "1-2-0-3-0-14-5-4-2-1-3-0-6-7-S", "f"),
        Exercise("granary-size", "size", "casabianca", "2-1-0-3-1-0-4-3-5-2-1-4-10-12-S", "f", "D"),
        Exercise("granary-harvest", "taken", "casabianca", "0-2-1-0-4-17-4-0-0-1-0-1-9-9-S", "f"),
    ),
    "emptying": (
        Exercise("emptying-early", "taken", "casabianca", "2-1-0-3-0-15-4-2-3-2-1-0-7-8-S", "f"),
        Exercise("emptying-ripe", "most", "casabianca", "0-3-1-0-13-16-0-1-0-0-1-0-7-6-S"),
        Exercise("emptying-win", "win", "casabianca", "0-1-2-5-1-15-1-0-1-0-0-2-16-4-S"),
    ),
    "holding-back": (
        Exercise("holding-count", "waiting", "casabianca", "1-0-0-0-1-1-0-0-1-0-0-0-23-21-S"),
        _best("holding-drive", "1-0-0-0-1-1-0-0-1-0-0-0-23-21-S", {"a": 4, "e": 0, "f": 0}),
        _best("holding-four", "2-0-0-1-1-1-0-1-0-0-0-1-21-20-S", {"a": 5, "d": -2, "e": 0, "f": -2}),
    ),
    "feeding": (
        Exercise("feeding-must", "only", "casabianca", "0-2-1-0-1-3-0-0-0-0-0-0-21-20-S"),
        Exercise("feeding-slam", "only", "casabianca", "0-0-0-0-2-2-1-1-0-0-0-0-21-21-S"),
        _best("feeding-end", "1-0-0-1-0-2-2-1-1-0-0-0-21-19-S", {"a": 0, "d": 0, "f": 7}),
        _best("feeding-starve", "1-0-1-1-1-0-0-0-0-0-0-1-20-23-S", {"A": 2, "C": -2, "D": -8, "E": -8}, "abapa"),
    ),
    "counting": (
        _best("counting-reach", "2-0-1-1-2-0-0-0-0-0-0-1-19-22-S", {"a": 1, "c": -6, "d": -8, "e": -6}),
        _best("counting-greed", "0-0-2-2-0-1-1-0-0-0-2-0-19-21-S", {"c": -4, "d": 4, "f": 0}),
        _best("counting-all", "1-0-0-0-1-1-0-0-0-1-2-1-20-21-S", {"a": 3, "e": -5, "f": -5}),
    ),
    "relay": (
        Exercise("relay-first", "last", "ghana", "2-5-1-14-1-4-1-4-0-3-5-2-6-0-S", "5"),
        Exercise("relay-laps", "laps", "ghana", "2-1-1-2-3-4-11-1-5-1-11-5-1-0-S", "1"),
        Exercise("relay-capture", "taken", "ghana", "2-1-1-2-3-4-11-1-5-1-11-5-1-0-S", "6"),
        _best("relay-best", "1-2-0-0-1-0-1-0-1-1-0-1-20-20-S", {"1": 4, "2": -4, "5": -2}, "ghana"),
    ),
    "endless": (
        Exercise("endless-small", "endless-pit", "ghana4", "3-1-0-1-0-0-S"),
        Exercise("endless-ends", "endless", "ghana4", "3-2-0-2-0-0-S", "1"),
        Exercise("endless-twenty", "endless", "ghana4", "5-1-0-1-0-0-S", "1"),
        Exercise("endless-large", "endless", "ghana", "1-6-3-11-1-0-6-0-4-1-2-11-0-2-N", "11"),
    ),
    "three-colours": (
        Exercise("colours-blue", "last", "tricolor", COLOURS_1, "15B"),
        Exercise("colours-clear", "taken", "tricolor", COLOURS_1, "11TR"),
        Exercise("colours-most", "most", "tricolor", COLOURS_2),
        Exercise("colours-win", "win", "tricolor", COLOURS_3),
    ),
}
LESSONS: tuple[Lesson, ...] = tuple(Lesson(key, exercises) for key, exercises in _EXERCISES.items())


def lesson(key: str) -> Lesson:
    """Return a lesson by its key."""
    if key not in _EXERCISES:
        raise LessonError(message("lessons.error.no-lesson", key=key))
    return Lesson(key, _EXERCISES[key])


@cache
def _answers(exercise: Exercise) -> frozenset[str]:
    game = exercise.game()
    rules, question = game.rules, exercise.question
    if question == "best":
        best = max(exercise.margins.values())
        return frozenset(move for move, margin in exercise.margins.items() if margin == best)
    if question in ("most", "win", "safe", "only"):
        worth = {str(move): _worth(game, str(move), question) for move in game.legal_moves}
        return frozenset(move for move, value in worth.items() if value == max(worth.values()))
    if question == "waiting":
        own = [game.counts[pit] for pit in rules.own_pits(game.turn)]
        return frozenset({str(_waiting_moves(tuple(own)))})
    if question == "endless-pit":
        pits = [pit for pit in rules.own_pits(game.turn) if game.counts[pit]]
        return frozenset(write(rules, pit) for pit in pits if _period(game, pit))
    pit = next(p for p in rules.own_pits(game.turn) if write(rules, p) == exercise.move) if not rules.coloured else -1
    if question == "endless":
        return frozenset({"yes" if _period(game, pit) else "no"})
    if question == "size":
        second = range(rules.holes, 3 * rules.holes)
        falls = (
            n for n in second if write(rules, reference.landings_from(pit, n, rules.holes, True)[-1]) == exercise.target
        )
        return frozenset({str(next(falls))})
    trace = game.trace(exercise.move)
    if question == "last":
        return frozenset({write(rules, trace.last)})
    return frozenset({str(trace.taken if question == "taken" else trace.lap_count)})


def _period(game: Game, pit: int) -> int | None:
    """Return the period of the sowing of a pit, None where it ends."""
    return reference.sow(game.rules, game.state.board, make(game.rules, pit)).period


def _worth(game: Game, move: str, question: Question) -> int:
    """Return how well a move answers a question about moves: the best ones are right."""
    if question == "most":
        return game.trace(move).taken
    if question == "safe":
        return -_best_reply(game, move)[0]
    if question == "win":
        return int(_wins(game, move))
    return 1  # `only`: whatever is legal


def _wins(game: Game, move: str) -> bool:
    after = game.copy()
    after.push(move)
    ended = after.outcome()
    if ended is not None:
        return ended.winner == game.turn
    return 2 * after.scores[game.turn] > game.rules.total


def _best_reply(game: Game, move: str) -> tuple[int, str]:
    """Return the most seeds that the opponent can capture after a move, and by which."""
    after = game.copy()
    after.push(move)
    return max(((after.trace(reply).taken, str(reply)) for reply in after.legal_moves), default=(0, ""))


@cache
def _waiting_moves(own: tuple[int, ...]) -> int:
    """Return the most moves in a row that keep every seed of a row in it."""
    most = 0
    for pit, seeds in enumerate(own):
        if seeds and pit + seeds < len(own):
            after = list(own)
            after[pit] = 0
            for here in range(pit + 1, pit + seeds + 1):
                after[here] += 1
            most = max(most, 1 + _waiting_moves(tuple(after)))
    return most


def judge(exercise: Exercise, answer: str | None) -> Judgement:
    """Judge an answer; None asks for the solution."""
    right = exercise.answers()
    if answer is None or answer in right:
        said = message(f"lessons.why.{exercise.key}")
        return Judgement(answer is not None, said, _solution(exercise, min(right)))
    return _wrong(exercise, answer)


def _solution(exercise: Exercise, answer: str) -> tuple[str, ...]:
    """Return the moves that show an answer."""
    if exercise.form in ("move", "own-pit") and exercise.question != "endless-pit":
        return (answer,)
    return (exercise.move,) if exercise.question in ("last", "laps", "taken") else ()


def _wrong(exercise: Exercise, answer: str) -> Judgement:
    """Return what is wrong with an answer, shown on the board where moves can show it."""
    game = exercise.game()
    if exercise.question == "only":
        refusal = game.refusal(answer)
        return Judgement(False, refusal if refusal is not None else message("lessons.wrong.pit", answer=answer))
    if exercise.form != "move":
        return Judgement(False, message(f"lessons.wrong.{exercise.form}", answer=answer))
    move = str(game.parse(answer))
    taken = game.trace(move).taken
    if exercise.question == "best":
        said = message(f"lessons.wrong.{_standing(exercise.margins[move])}", move=move, n=abs(exercise.margins[move]))
        return Judgement(False, said, (move,))
    if exercise.question == "safe":
        loss, reply = _best_reply(game, move)
        return Judgement(False, message("lessons.wrong.safe", move=move, reply=reply, n=loss), (move, reply))
    if exercise.question == "win":
        return Judgement(False, message("lessons.wrong.win", move=move, n=game.scores[game.turn] + taken), (move,))
    return Judgement(False, message("lessons.wrong.most", move=move, n=taken), (move,))


def _standing(margin: int) -> str:
    return "ahead" if margin > 0 else "behind" if margin < 0 else "level"
