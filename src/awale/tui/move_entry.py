"""A move typed key by key: `C`, `1` `2`, `3` `T` `B`. Only the pits of the player to move are waited for."""

from __future__ import annotations

from dataclasses import dataclass

from awale.game import Game
from awale.rules import moves
from awale.rules.moves import Move


@dataclass(slots=True)
class Entry:
    """What has been typed so far."""

    typed: str = ""

    def takes(self, game: Game, character: str) -> bool:
        """Whether a key belongs to a move here; the others are commands."""
        if len(character) != 1 or not character.isascii() or not character.isalnum():
            return False
        if game.rules.notation.startswith("letters"):
            return character.isalpha() and ord(character.lower()) - ord("a") < game.rules.pits
        return character.isdigit()

    def add(self, game: Game, character: str) -> int | str | None:
        """One more key. A pit once it is certain, a text that names none of the player's, or None: not yet certain."""
        self.typed += character.lower()
        names = self._names(game)
        fitting = [pit for pit, name in names.items() if name.startswith(self.typed)]
        if not fitting:
            return self._done()
        if len(fitting) == 1 and names[fitting[0]] == self.typed:
            self.typed = ""
            return fitting[0]
        return None

    def finish(self, game: Game) -> int | str:
        """That was all: `1`, and not the beginning of `12`."""
        typed = self._done()
        return next((pit for pit, name in self._names(game).items() if name == typed), typed)

    def _done(self) -> str:
        typed, self.typed = self.typed, ""
        return typed

    @staticmethod
    def _names(game: Game) -> dict[int, str]:
        rules = game.rules
        own = [pit for pit in range(rules.holes) if rules.owner(pit) == game.turn]
        return {pit: moves.write(rules, pit).lower() for pit in own}


@dataclass(slots=True)
class Choice:
    """Which colours of a hole to play: chosen by arrows, by letters (`T` then `R`), or by the mouse."""

    pit: int
    moves: tuple[Move, ...]
    at: int = 0
    transparent: bool = False

    @property
    def move(self) -> Move:
        return self.moves[self.at]

    def step(self, by: int) -> None:
        self.at = (self.at + by) % len(self.moves)

    def letter(self, character: str) -> str | None:
        """A colour once it is complete; None after a `T`, which wants another letter."""
        if character == "t":
            self.transparent = True
            return None
        colour = f"t{character}" if self.transparent else character
        self.transparent = False
        return colour
