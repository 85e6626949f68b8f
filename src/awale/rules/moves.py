"""Moves, and how each notation writes and reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from awale.rules.description import Rules

Colour = Literal["r", "b", "tr", "tb"]
COLOURS: tuple[Colour, ...] = ("r", "b", "tr", "tb")


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """One move: an absolute pit counted from 0, and in the three-colour game what is played there.

    A move comes from a game (`legal_moves`, `parse`) or from `make`, so that equal moves print the same.
    """

    pit: int
    colour: Colour | None
    text: str
    """The move in the notation of its rules."""

    def __str__(self) -> str:
        return self.text


def make(rules: Rules, pit: int, colour: Colour | None = None) -> Move:
    """Return the move of a pit, and of a colour in the three-colour game, legal or not.

    >>> from awale.rules import get
    >>> make(get("abapa"), 5), str(make(get("tricolor"), 13, "tb"))
    (Move(pit=5, colour=None, text='F'), '14TB')
    """
    return Move(pit, colour, write(rules, pit, colour))


@lru_cache(maxsize=256)
def table(rules: Rules) -> dict[tuple[int, Colour | None], Move]:
    """Return every move of these rules by pit and colour: made once, shared by all games."""
    colours: tuple[Colour | None, ...] = COLOURS if rules.coloured else (None,)
    return {(pit, colour): make(rules, pit, colour) for pit in range(rules.holes) for colour in colours}


def write(rules: Rules, pit: int, colour: Colour | None = None) -> str:
    """Return a move in the notation of the rules."""
    match rules.notation:
        case "colours":
            return f"{pit + 1}{(colour or '').upper()}"
        case "numbers":
            return str(pit + 1)
        case "left":
            return str(pit % rules.pits)
    upper_side = 0 if rules.notation == "letters" else 1
    letter = chr(ord("a") + pit % rules.pits)
    return letter.upper() if rules.owner(pit) == upper_side else letter


def pit_for(rules: Rules, pit: int, player: int) -> str:
    """Return how a player names any pit. Counted from the left, the examination's pits go on to 6-11 on the other side.

    >>> from awale.rules import get
    >>> pit_for(get("upsti"), 9, 0), pit_for(get("upsti"), 3, 1), pit_for(get("abapa"), 9, 0)
    ('9', '9', 'd')
    """
    if rules.notation == "left":
        return str((pit - player * rules.pits) % rules.holes)
    return write(rules, pit)


@lru_cache(maxsize=256)
def pit_names(rules: Rules, player: int) -> str:
    """Return how a player's pits are written in sentences: `A-F`, `7-12`, `2, 4 ... 16`."""
    own = [pit for pit in range(rules.holes) if rules.owner(pit) == player]
    first, last = write(rules, own[0]), write(rules, own[-1])
    if len(own) == 1:
        return first
    if rules.coloured:
        return f"{first}, {write(rules, own[1])} ... {last}" if len(own) > 2 else f"{first}, {last}"
    return f"{first}-{last}"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text names: a pit, perhaps off the board, and a colour if it has one."""

    pit: int
    colour: Colour | None


_TEXT = re.compile(r"(?:(?P<number>[0-9]{1,3})\s*(?P<colour>tr|tb|r|b)?|(?P<letter>[a-z]))(?:\+[0-9]{1,3})?[!?]*", re.I)


def read(rules: Rules, text: str, turn: int) -> Reading | None:
    """Read a move as a person or a file writes it: case does not matter, `C+2` and `C!` are read as `C`.

    None if the text is not a move in this notation. The pit may be off the board: the caller checks that.
    """
    match = _TEXT.fullmatch(text.strip())
    if match is None or not match.group().isascii():
        return None
    number, colour, letter = match["number"], match["colour"], match["letter"]
    if rules.notation in ("letters", "letters-north-upper"):
        if letter is None:
            return None
        return Reading(_own(rules, ord(letter.lower()) - ord("a"), turn), None)
    if number is None:
        return None
    if rules.notation == "left":
        return None if colour else Reading(_own(rules, int(number), turn), None)
    if rules.notation == "numbers" and colour:
        return None
    found = next((known for known in COLOURS if colour and known == colour.lower()), None)
    return Reading(int(number) - 1, found)


def _own(rules: Rules, place: int, turn: int) -> int:
    """Return the mover's pit at a place counted from their left; one off the board if there is none."""
    return turn * rules.pits + place if place < rules.pits else rules.holes
