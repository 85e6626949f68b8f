"""A player that is made when first asked: loading the engine takes a second, and the board need not wait for it."""

from __future__ import annotations

from collections.abc import Callable

from awale.game import Game
from awale.players import BasePlayer, Choice, Player, PlayerClock


class LazyPlayer(BasePlayer):
    """Stands for a player that is still to be made. Asked from one thread at a time, as every player is."""

    def __init__(self, name: str, make: Callable[[], Player], warm: Callable[[Game], object] | None = None) -> None:
        """`warm`: does once what such a player does first, so that whatever has to be compiled is."""
        self.name = name
        self._make = make
        self._warm = warm
        self._made: Player | None = None
        self._closed = False

    def _player(self) -> Player:
        if self._made is None:
            self._made = self._make()
            if self._closed:  # nobody waits for it any more
                self._made.close()
        return self._made

    def prepare(self, game: Game) -> None:
        """Get ready for a game, in whatever thread this is called."""
        self._player()
        if self._warm is not None and not game.over:
            self._warm(game)

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        return self._player().choose(game, clock)

    def accepts_end(self, game: Game) -> bool:
        return self._player().accepts_end(game)

    def close(self) -> None:
        self._closed = True
        if self._made is not None:
            self._made.close()
