"""How a person enters a move: by keys (`C`, `1` `2`, `3` `T` `B`), by arrows and Enter, or by the mouse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, cast

from awale.game import Game
from awale.rules import moves
from awale.rules.moves import Colour, Move

Entered: TypeAlias = Move | str | bool
"""A move to play, why there is none, or whether the key was used at all."""


@dataclass(slots=True)
class ColourChoice:
    """Which colours of a hole to play: chosen by arrows, by letters (`T` then `R`), or by the mouse."""

    pit: int
    moves: tuple[Move, ...]
    at: int = 0
    transparent: bool = False

    @property
    def move(self) -> Move:
        return self.moves[self.at]

    def letter(self, character: str) -> Colour | None:
        """Return a colour once it is complete; None after a `T`, which needs another letter."""
        if character == "t":
            self.transparent = True
            return None
        colour = f"t{character}" if self.transparent else character
        self.transparent = False
        return cast(Colour, colour)


class MoveEntry:
    """The cursor, what has been typed so far, and the choice of a colour. Expects a person to be to move."""

    def __init__(self) -> None:
        self.cursor: int | None = None
        self.pointed: int | None = None
        """The pit under the mouse."""
        self.typed = ""
        self.choice: ColourChoice | None = None

    def restart(self, game: Game) -> None:
        """Forget what was entered, and put the cursor on the side to move."""
        self.typed, self.choice, self.pointed = "", None, None
        if not game.over and (self.cursor is None or game.rules.owner(self.cursor) != game.turn):
            self.cursor = game.legal_moves[0].pit

    def previewed(self, game: Game) -> Move | None:
        """Return the move whose landing is shown: of the pit pointed at, or of the one under the cursor."""
        if self.choice is not None:
            return self.choice.move
        pit = self.cursor if self.pointed is None else self.pointed
        return next(iter(moves_of(game, pit)), None)

    def press(self, game: Game, key: str, character: str, *, flip: bool) -> Entered:
        """Use a key."""
        if self.choice is not None:
            entered = self._choose_colour(game, self.choice, key, character)
            if entered is not False:
                return entered
            self.choice = None
        if self.typed:
            entered = self._continue(game, key, character)
            if entered is not False:
                return entered
        if key in ("left", "right", "up", "down"):
            self._move_cursor(game, key, flip)
            return True
        if key in ("enter", "space"):
            return self.cursor is not None and self.choose(game, self.cursor)
        return self._type(game, character) if self.takes(game, character) else False

    def takes(self, game: Game, character: str) -> bool:
        """Return whether a character belongs to a move here; the others are commands."""
        if len(character) != 1 or not character.isascii() or not character.isalnum():
            return False
        if game.rules.notation.startswith("letters"):
            return character.isalpha() and ord(character.lower()) - ord("a") < game.rules.pits
        return character.isdigit()

    def choose(self, game: Game, pit: int) -> Entered:
        """Play a pit; where several colours can be played, ask which."""
        rules, found = game.rules, moves_of(game, pit)
        if rules.owner(pit) == game.turn:
            self.cursor = pit
        if not found:
            return game.why_illegal(moves.write(rules, pit) if rules.coloured else moves.make(rules, pit)) or False
        if len(found) == 1:
            return found[0]
        self.choice = ColourChoice(pit, found)
        return True

    def _choose_colour(self, game: Game, choice: ColourChoice, key: str, character: str) -> Entered:
        if key in ("left", "up", "right", "down"):
            choice.at = (choice.at + (1 if key in ("right", "down") else -1)) % len(choice.moves)
        elif key in ("enter", "space"):
            return choice.move
        elif key == "escape":
            self.choice = None
        elif character in ("r", "b", "t"):
            colour = choice.letter(character)
            if colour is not None:
                move = moves.make(game.rules, choice.pit, colour)
                return game.why_illegal(move) or move
        else:
            return False
        return True

    def _type(self, game: Game, character: str) -> Entered:
        """Add a character: the pit is played once no longer name begins like it."""
        self.typed += character.lower()
        fitting = [(pit, name) for pit, name in _names(game).items() if name.startswith(self.typed)]
        if not fitting or (len(fitting) == 1 and fitting[0][1] == self.typed):
            return self._finish(game)
        return True

    def _continue(self, game: Game, key: str, character: str) -> Entered:
        """Use a key after the beginning of a number."""
        if key == "backspace":
            self.typed = self.typed[:-1]
        elif key == "escape":
            self.typed = ""
        elif key == "enter" or (game.rules.coloured and character and character in "rbt"):
            entered = self._finish(game)
            if self.choice is not None and key != "enter":
                return self._choose_colour(game, self.choice, key, character)
            return entered
        else:
            return False
        return True

    def _finish(self, game: Game) -> Entered:
        """Play what was typed: `1`, and not the beginning of `12`."""
        typed, self.typed = self.typed, ""
        pit = next((pit for pit, name in _names(game).items() if name == typed), None)
        return game.why_illegal(typed) or False if pit is None else self.choose(game, pit)

    def _move_cursor(self, game: Game, key: str, flip: bool) -> None:
        if self.cursor is None:
            return
        upper, lower = game.rules.rows(flip)
        own = [row if game.rules.coloured or self.cursor in row else [] for row in (upper, lower)]
        line = 0 if self.cursor in upper else 1
        at = own[line].index(self.cursor)
        if key in ("up", "down"):
            line = 1 - line
            nearest = sorted(range(len(own[line])), key=lambda place: abs(place - at))
        else:
            count, step = len(own[line]), 1 if key == "right" else -1
            nearest = [(at + step * far) % count for far in range(1, count + 1)]
        pits = (own[line][place] for place in nearest)
        self.cursor = next((pit for pit in pits if game.rules.owner(pit) == game.turn), self.cursor)


def moves_of(game: Game, pit: int | None) -> tuple[Move, ...]:
    """Return the legal moves of a pit."""
    return tuple(move for move in game.legal_moves if move.pit == pit)


def _names(game: Game) -> dict[int, str]:
    rules = game.rules
    return {pit: moves.write(rules, pit).lower() for pit in range(rules.holes) if rules.owner(pit) == game.turn}
