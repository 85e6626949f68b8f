"""What the application asks of its surroundings: who can sit at the board, and where games are kept.

The command line fills this in; the application itself knows no folder and makes no player.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from awale.game import Game
from awale.notation import GameRecord
from awale.players import Player
from awale.rules import Rules


class Seat(Protocol):
    """One side of the board: a person, or something that chooses moves."""

    name: str
    player: Player | None

    @property
    def person(self) -> bool: ...

    @property
    def instant(self) -> bool: ...

    def accepts_end(self, game: Game) -> bool: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """Functions that the application is given."""

    names: Callable[[], tuple[str, ...]]
    """Everybody who can sit down, persons first; what may follow a colon is left out."""
    seat: Callable[[str, Rules, int | None], Seat]
    adviser: Callable[[Rules], Player]
    """Who gives hints. Making him may take a second."""
    offers_to_stop: Callable[[Game], bool]
    new_place: Callable[[], Path]
    """Where a game that starts now is kept while it is unfinished."""
    keep: Callable[[Path, Game, str, str, Mapping[str, str]], None]
    """An unfinished game, its players, and what else is to be written with it."""
    write: Callable[[Path, Game, str, str, Mapping[str, str]], None]
    store: Callable[[str, Game, str, str, str | None], str]
    """A finished game with its name in the store, its players and its clock, to where games are looked up. Says what
    went wrong and where the game is then; an empty text if nothing did."""
    read: Callable[[Path], GameRecord]
