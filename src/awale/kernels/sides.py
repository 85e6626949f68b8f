"""The two sides of a one-colour board as integers, a byte per pit, seen from the player to move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from awale.kernels.bits import BYTES, ONES
from awale.rules.description import Rules
from awale.rules.reference import Position

SIDES = ("mine", "theirs")


def word_of(seeds: Sequence[int]) -> int:
    """Return some pits as one integer, the first one lowest. Numbers may be negative: a word to be added."""
    return sum(n * (1 << 8 * i) for i, n in enumerate(seeds))


def split(word: int) -> tuple[int, int]:
    """Return a side of up to twelve pits as two words of six: the low pits and the high ones."""
    return word & (255 * ONES), word >> (8 * BYTES)


def sides_of(rules: Rules, position: Position) -> tuple[int, int]:
    """Return the mover's pits and the opponent's, each from its owner's left."""
    board = cast(tuple[int, ...], position.board)
    south, north = word_of(board[: rules.pits]), word_of(board[rules.pits :])
    return (south, north) if position.turn == 0 else (north, south)


def unpack(rules: Rules, state: Any) -> Position:
    """Return the position of a state of any one-colour family; the wide ones have two words a side."""
    sides = (int(getattr(state, name)) | int(getattr(state, f"{name}_high", 0)) << 8 * BYTES for name in SIDES)
    left, right = (tuple(word >> 8 * i & 255 for i in range(rules.pits)) for word in sides)
    board = left + right if state.turn == 0 else right + left
    return Position(board, (int(state.south), int(state.north)), int(state.turn), int(state.ply))
