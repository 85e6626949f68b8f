"""Positions as text: `4-4-4-4-4-4-4-4-4-4-4-4-0-0-S`, the form of oware engines, extended to every rule system.

The counts of all pits, South's store, North's store, the side to move; a three-colour hole is `r.b.t`; where the rules
count moves and some were played, their number follows.
"""

from __future__ import annotations

import re
from enum import Flag, auto
from typing import cast

from awale import i18n
from awale.errors import PositionError
from awale.rules.description import MAX_SEEDS, Rules
from awale.rules.reference import Board, Hole, Position, counts, on_side, start

_COUNT = re.compile(r"[0-9]{1,3}")
_HOLE = re.compile(r"([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,3})")
_SIDES = {"s": 0, "n": 1, "j1": 0, "j2": 1}
MAX_TEXT = 1000


def write(rules: Rules, position: Position) -> str:
    """A position as text.

    >>> from awale.rules import get, reference
    >>> write(get("abapa"), reference.start(get("abapa")))
    '4-4-4-4-4-4-4-4-4-4-4-4-0-0-S'
    """
    holes = [str(hole) if isinstance(hole, int) else ".".join(map(str, hole)) for hole in position.board]
    parts = [*holes, *map(str, position.scores), "SN"[position.turn]]
    if rules.move_limit is not None and position.ply:
        parts.append(str(position.ply))
    return "-".join(parts)


def read(rules: Rules, text: str) -> Position:
    """Read a position; spaces and the letter's case do not matter. PlayStrategy's form is read too.

    Where nothing depends on the number of moves played it is read but not kept: it would not be written again either.
    """
    if not isinstance(text, str):
        raise _wrong("not-text", value=repr(text)[:40])
    if len(text) > MAX_TEXT:
        raise _wrong("too-long", length=len(text))
    text = text.strip()
    if not text:
        raise _wrong("empty")
    if text.lower() == "startpos":
        return start(rules)
    if "/" in text and not rules.coloured:
        return _checked(rules, _read_playstrategy(rules, text))
    # A run of hyphens is not one separator: a negative count would lose its sign.
    parts = re.split(r"\s*-\s*|\s+", text)
    expected = rules.holes + 3
    if len(parts) not in (expected, expected + 1):
        raise _wrong("parts", found=len(parts), rules=rules.name, expected=expected, holes=rules.holes)
    board = [_read_hole(rules, part, index) for index, part in enumerate(parts[: rules.holes])]
    south, north, side = parts[rules.holes : expected]
    stores = _store(south, 0), _store(north, 1)
    if side.lower() not in _SIDES:
        raise _wrong("side-part", number=expected, text=side[:20])
    ply = 0
    if len(parts) > expected:
        if not re.fullmatch(r"[0-9]{1,6}", parts[-1]):
            raise _wrong("ply", text=parts[-1][:20])
        ply = int(parts[-1])
    return _checked(rules, Position(cast(Board, tuple(board)), stores, _SIDES[side.lower()], ply))


def _wrong(key: str, **values: object) -> PositionError:
    return PositionError(i18n.message(f"notation.position.{key}", **values))


def _read_hole(rules: Rules, part: str, index: int) -> object:
    if rules.coloured:
        match = _HOLE.fullmatch(part)
        if match is None:
            raise _wrong("hole", number=index + 1, text=part[:20])
        return tuple(int(n) for n in match.groups())
    if not _COUNT.fullmatch(part):
        raise _wrong("pit", number=index + 1, text=part[:20])
    return int(part)


def _store(part: str, player: int) -> int:
    if not _COUNT.fullmatch(part):
        raise _wrong("store", player=i18n.message(f"core.player.{player}"), text=part[:20])
    return int(part)


def _read_playstrategy(rules: Rules, text: str) -> Position:
    """`4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1`: North's row first, from South's left; a number alone is a run of
    empty pits. The last number counts the rounds, not the moves, and is left out of account."""
    fields = text.split()
    if not 4 <= len(fields) <= 5 or fields[0].count("/") != 1:
        raise _wrong("rows")
    rows: list[list[int]] = []
    for row in fields[0].split("/"):
        pits: list[int] = []
        for cell in row.split(","):
            match = re.fullmatch(r"([0-9]{1,3})([sS]?)", cell)
            if match is None:
                raise _wrong("cell", text=cell[:20])
            pits += [int(match[1])] if match[2] else [0] * min(int(match[1]), rules.pits + 1)
        if len(pits) != rules.pits:
            raise _wrong("row", found=len(pits), rules=rules.name, expected=rules.pits)
        rows.append(pits)
    if fields[3].lower() not in _SIDES:
        raise _wrong("side", text=fields[3][:20])
    stores = _store(fields[1], 0), _store(fields[2], 1)
    return Position(tuple(rows[1] + rows[0][::-1]), stores, _SIDES[fields[3].lower()])


def _checked(rules: Rules, position: Position) -> Position:
    total = sum(counts(position.board)) + sum(position.scores)
    if total > MAX_SEEDS:
        raise _wrong("seeds", total=total, most=MAX_SEEDS)
    return key(rules, position)


def key(rules: Rules, position: Position) -> Position:
    """Return the position without the number of moves played, unless the rules limit it: a transposition key."""
    return position if rules.move_limit is not None else position._replace(ply=0)


class Status(Flag):
    """What is wrong with a position; `VALID`, which is false, if nothing is."""

    VALID = 0
    TOO_FEW_SEEDS = auto()
    """Pits and stores together hold fewer seeds than a game under these rules."""
    TOO_MANY_SEEDS = auto()
    """Pits and stores together hold more seeds than a game under these rules."""
    TOO_MANY_OF_A_COLOUR = auto()
    """The holes hold more seeds of a colour than there are."""
    EMPTY_BOARD = auto()
    """There is no seed to play with."""
    STARVED = auto()
    """The player to move has no seed, which no legal move under these rules brings about."""


def status(rules: Rules, position: Position) -> Status:
    """Return what makes a position impossible in a game from the usual start; playable positions may still be.

    >>> from awale.rules import get
    >>> status(get("abapa"), read(get("abapa"), "0-0-0-0-0-0-1-0-0-0-0-0-20-20-S"))
    <Status.TOO_FEW_SEEDS|STARVED: 17>
    """
    found = Status.VALID
    total = sum(counts(position.board)) + sum(position.scores)
    if total != rules.total:
        found |= Status.TOO_FEW_SEEDS if total < rules.total else Status.TOO_MANY_SEEDS
    if rules.coloured:
        most = rules.holes * rules.seeds
        if any(sum(colour) > most for colour in zip(*cast(tuple[Hole, ...], position.board), strict=True)):
            found |= Status.TOO_MANY_OF_A_COLOUR
    on_sides = [on_side(rules, position.board, player) for player in (position.turn, 1 - position.turn)]
    always_fed = rules.feeding == "required" and rules.grand_slam in ("illegal", "takes-nothing")
    if not any(on_sides):
        found |= Status.EMPTY_BOARD
    elif not on_sides[0] and always_fed:
        found |= Status.STARVED
    return found


def mirror_pit(rules: Rules, pit: int) -> int:
    """Return the pit that corresponds to `pit` for the other player."""
    return (pit + (1 if rules.coloured else rules.pits)) % rules.holes


def mirror(rules: Rules, position: Position) -> Position:
    """Swap the players: every pit moves to the other's side, and scores and turn change with it."""
    shift = mirror_pit(rules, 0)
    board = position.board[-shift:] + position.board[:-shift]
    return Position(cast(Board, board), position.scores[::-1], 1 - position.turn, position.ply)
