"""Positions as text: `4-4-4-4-4-4-4-4-4-4-4-4-0-0-S`, the form of oware engines, extended to every rule system.

The counts of all pits, South's store, North's store, the side to move; a three-colour hole is `r.b.t`; where the rules
count moves and some were played, their number follows.
"""

from __future__ import annotations

import re
from typing import cast

from awale.errors import PositionError
from awale.rules.description import MAX_SEEDS, Rules
from awale.rules.reference import Board, Position, counts

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
    """Read a position; spaces and the letter's case do not matter. PlayStrategy's form is read too."""
    if not isinstance(text, str):
        raise PositionError(f"a position is a text, not {text!r}")
    if len(text) > MAX_TEXT:
        raise PositionError(f"too long for a position: {len(text)} characters")
    text = text.strip()
    if not text:
        raise PositionError("an empty text is not a position")
    if text.lower() == "startpos":
        from awale.rules.reference import start

        return start(rules)
    if "/" in text and not rules.coloured:
        return _checked(rules, _read_playstrategy(rules, text))
    parts = [part.strip() for part in re.split(r"[-\s]+", text) if part.strip()]
    expected = rules.holes + 3
    if len(parts) not in (expected, expected + 1):
        raise PositionError(
            f"{len(parts)} parts where {rules.name} needs {expected}: {rules.holes} pits, two stores and the side to "
            f"move (S or N), joined by '-'"
        )
    board: list[object] = []
    for index, part in enumerate(parts[: rules.holes]):
        board.append(_read_hole(rules, part, index))
    stores = [
        _number(part, f"the store of {side}")
        for part, side in zip(parts[-3 - (len(parts) > expected) :], ("South", "North"), strict=False)
    ]
    side = parts[rules.holes + 2].lower()
    if side not in _SIDES:
        raise PositionError(
            f"part {rules.holes + 3} must be the side to move, S or N, not '{parts[rules.holes + 2][:20]}'"
        )
    ply = 0
    if len(parts) > expected:
        if not re.fullmatch(r"[0-9]{1,6}", parts[-1]):
            raise PositionError(f"the last part must be the number of moves played, not '{parts[-1][:20]}'")
        ply = int(parts[-1])
    return _checked(rules, Position(cast(Board, tuple(board)), (stores[0], stores[1]), _SIDES[side], ply))


def _read_hole(rules: Rules, part: str, index: int) -> object:
    if rules.coloured:
        match = _HOLE.fullmatch(part)
        if match is None or not part.isascii():
            raise PositionError(f"hole {index + 1}: '{part[:20]}' must be red.blue.transparent, as in 2.2.2")
        return tuple(int(n) for n in match.groups())
    return _number(part, f"pit {index + 1}")


def _number(part: str, what: str) -> int:
    if not part.isascii() or not _COUNT.fullmatch(part):
        raise PositionError(f"{what}: '{part[:20]}' must be a number of seeds")
    return int(part)


def _read_playstrategy(rules: Rules, text: str) -> Position:
    """`4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1`: North's row first, from South's left; a number alone is a run of
    empty pits."""
    fields = text.split()
    if len(fields) < 4 or fields[0].count("/") != 1:
        raise PositionError("a position with '/' must read: north row/south row, South's store, North's store, side")
    rows: list[list[int]] = []
    for row in fields[0].split("/"):
        pits: list[int] = []
        for cell in row.split(","):
            match = re.fullmatch(r"([0-9]{1,3})([sS]?)", cell)
            if match is None:
                raise PositionError(f"'{cell[:20]}' must be seeds as in 4S, or a number of empty pits")
            pits += [int(match[1])] if match[2] else [0] * min(int(match[1]), rules.pits + 1)
        if len(pits) != rules.pits:
            raise PositionError(f"a row of {len(pits)} pits where {rules.name} has {rules.pits}")
        rows.append(pits)
    if fields[3].lower() not in _SIDES:
        raise PositionError(f"'{fields[3][:20]}' must be the side to move, S or N")
    stores = (_number(fields[1], "the store of South"), _number(fields[2], "the store of North"))
    return Position(tuple(rows[1] + rows[0][::-1]), stores, _SIDES[fields[3].lower()])


def _checked(rules: Rules, position: Position) -> Position:
    total = sum(counts(position.board)) + sum(position.scores)
    if total > MAX_SEEDS:
        raise PositionError(f"{total} seeds in all; at most {MAX_SEEDS} are possible")
    return position
