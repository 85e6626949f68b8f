"""Every exception the library raises on purpose: `ValueError`s whose messages are in the catalogue."""

from __future__ import annotations

from typing import Literal

from awale.i18n import Sayable, text


class AwaleError(ValueError):
    """The base class of all errors about bad input."""

    said: Sayable | None = None

    def __init__(self, message: str | Sayable = "") -> None:
        if not isinstance(message, str):
            self.said = message
            message = message.sentence()
        super().__init__(message)

    def sentence(self, lang: str | None = None) -> str:
        """Return the message in a language, if it is in the catalogue."""
        return str(self) if self.said is None else self.said.sentence(lang)


class RulesError(AwaleError):
    """A rule system that is unknown, invalid or contradictory."""


class MoveError(AwaleError):
    """A move that cannot be played; its three subclasses say why."""


class InvalidMoveError(MoveError):
    """The text is not a move at all in this notation."""


class IllegalMoveError(MoveError):
    """A well-written move that the rules refuse in this position."""


class AmbiguousMoveError(MoveError):
    """The text fits several legal moves (a three-colour hole without its colour)."""


class GameStateError(AwaleError):
    """An action that is impossible now: undoing without a move, accepting without an offer."""


class PositionError(AwaleError):
    """A position string that cannot be read."""


class SowingError(AwaleError):
    """A relay that takes more laps than `awale.rules.sowing_budget` allows."""


class PlayerError(AwaleError):
    """A player that does not exist, or cannot play these rules."""


class PlayerFault(AwaleError):
    """A player that fails during a game: out of time, an illegal move, or a crash."""

    def __init__(self, message: str | Sayable, kind: Literal["time", "illegal", "crash"] = "crash") -> None:
        super().__init__(message)
        self.kind: Literal["time", "illegal", "crash"] = kind

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.said or str(self), self.kind))


class NotationError(AwaleError):
    """A game file that cannot be read, with the line and column."""

    def __init__(
        self, message: str | Sayable, *, line: int | None = None, column: int | None = None, source: str = ""
    ) -> None:
        self.problem = message
        """What is wrong, without the place."""
        self.line = line
        self.column = column
        self.source = source
        super().__init__(self.sentence())

    @property
    def detail(self) -> str:
        """What is wrong, without the place, in the language of the process."""
        return self.problem if isinstance(self.problem, str) else self.problem.sentence()

    def sentence(self, lang: str | None = None) -> str:
        said = self.problem if isinstance(self.problem, str) else self.problem.sentence(lang)
        if self.line is not None:
            key = "notation.place.line" if self.column is None else "notation.place.column"
            said = text(key, lang, line=self.line, column=self.column, problem=said)
        return text("notation.place.source", lang, source=self.source, problem=said) if self.source else said

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_notation_error, (self.problem, self.line, self.column, self.source))


def _rebuild_notation_error(message: str | Sayable, line: int | None, column: int | None, source: str) -> NotationError:
    return NotationError(message, line=line, column=column, source=source)
