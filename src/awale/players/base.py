"""What a player is: something that chooses a move, and answers when the other offers to stop."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from awale.errors import AwaleError
from awale.game import Game
from awale.rules.moves import Move


class PlayerError(AwaleError):
    """A player that does not exist, or cannot play these rules."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time a player has, in seconds: left on his clock, added after each move; or a fixed time for this move."""

    left: float | None = None
    increment: float = 0.0
    move: float | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """A player's move and what led to it."""

    move: Move
    value: float | None = None
    """What the player thinks the game is worth to him, in seeds."""
    line: tuple[Move, ...] = ()
    """How he thinks it goes on, his move first."""
    nodes: int | None = None
    info: dict[str, int | float | str] = field(default_factory=dict)


@runtime_checkable
class Player(Protocol):
    """Anything that can choose a move."""

    name: str

    def choose(self, game: Game, clock: Clock | None = None) -> Choice:
        """A legal move of a game that is not over."""
        ...

    def accepts_end(self, game: Game) -> bool:
        """The answer to an offer to stop, each keeping what he has captured."""
        ...

    def close(self) -> None:
        """Let go of whatever is held: processes, threads."""
        ...


QUIET_PLIES = 30
"""So many moves without a capture look like a standstill to a player that cannot judge positions."""


class BasePlayer:
    """The common ground: agrees to stop when there seems to be nothing more to gain."""

    name = "player"

    def choose(self, game: Game, clock: Clock | None = None) -> Choice:
        """A legal move of a game that is not over: what every player must say for himself."""
        raise NotImplementedError

    def accepts_end(self, game: Game) -> bool:
        """Yes when hardly a seed is left, or when nobody has taken any for a long while."""
        past = game.history[-1 - QUIET_PLIES :]
        standstill = len(past) > QUIET_PLIES and past[0].scores == game.scores
        return standstill or sum(game.counts) <= 3

    def close(self) -> None:
        """Nothing is held here."""
        pass

    def __repr__(self) -> str:
        return f"<player {self.name}>"
