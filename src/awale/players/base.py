"""The `Player` protocol: choose a move, answer an offer to stop, and the life cycle around it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Protocol, Self, runtime_checkable

from awale import i18n
from awale.errors import PlayerError, PlayerFault
from awale.game import Game
from awale.rules.moves import Move

__all__ = ["BasePlayer", "Choice", "Player", "PlayerClock", "PlayerError", "PlayerFault"]


@dataclass(frozen=True, slots=True)
class PlayerClock:
    """The time a player has for a move, in seconds: a clock with an increment, or a fixed time for this move."""

    left: float | None = None
    increment: float = 0.0
    move: float | None = None
    """A fixed time for this move."""
    opponent_left: float | None = None

    def budget(self, *, reserve: float = 0.05, share: float = 1.0) -> float | None:
        """Return how many seconds to spend on this move; None without a limit.

        `reserve`: seconds never touched, for a slow machine. `share`: how much of the rest may be planned with.
        """
        if self.move is not None:
            return max(0.001, share * self.move - reserve / 5)
        if self.left is None:
            return None
        spare = max(0.0, self.left - reserve)
        return max(0.001, min(spare / 25 + 0.8 * share * self.increment, spare / 2))


@dataclass(frozen=True, slots=True)
class Choice:
    """A player's move and what led to it."""

    move: Move
    value: float | None = None
    """What the player thinks the game is worth to them, in seeds."""
    line: tuple[Move, ...] = ()
    """The principal variation, the chosen move first."""
    nodes: int | None = None
    info: dict[str, int | float | str] = field(default_factory=dict)

    @property
    def note(self) -> i18n.Message | None:
        """What the player says about its move: whether its result is proven, and by what. None if it says nothing."""
        if "source" not in self.info:
            return None
        result = self.info.get("proved", "nothing")
        return i18n.message(f"players.proved.{result}", source=i18n.message(f"players.source.{self.info['source']}"))


@runtime_checkable
class Player(Protocol):
    """Anything that can choose a move. Called from one thread at a time, except `close`."""

    name: str

    def new_game(self) -> None:
        """Prepare for another game: forget what belongs to the last one."""
        ...

    def warm_up(self) -> None:
        """Load and compile whatever the first move needs, before any clock runs."""
        ...

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        """Return a legal move of a game that is not over. Raise `PlayerFault` on failure."""
        ...

    def accepts_end(self, game: Game) -> bool:
        """Answer an offer to stop, each side keeping what it has captured."""
        ...

    def close(self) -> None:
        """Release processes and threads, and end a `choose` that is under way."""
        ...


_done: set[Hashable] = set()


def once_per_process(key: Hashable, work: Callable[[], object]) -> None:
    """Do some work unless it was done before in this process, as compiling is."""
    if key not in _done:
        work()
        _done.add(key)


class BasePlayer:
    """Defaults for everything but `choose`."""

    name = "player"

    def new_game(self) -> None:
        """Do nothing: a player that keeps nothing from move to move has nothing to forget."""

    def warm_up(self) -> None:
        """Do nothing: a player without compiled code or a process is always ready."""

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        """Return a legal move of a game that is not over."""
        raise NotImplementedError

    def accepts_end(self, game: Game) -> bool:
        """Accept only where stopping certainly costs nothing: see `awale.players.stopping`."""
        from awale.players.stopping import accepts_stop, asked_side

        return accepts_stop(game, asked_side(game))

    def close(self) -> None:
        """Do nothing: nothing is held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<player {self.name}>"
