"""Conversion between `Rules`, `Game`, `Position`, `Move` and the data of the kernels."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any

from awale.game import Game
from awale.kernels import lap, lap_wide, relay, relay_wide, tricolor
from awale.kernels.bits import BYTES
from awale.rules import moves
from awale.rules.description import Rules
from awale.rules.moves import COLOURS, Move
from awale.rules.reference import Position

NARROW_AND_WIDE: dict[str, tuple[ModuleType, ModuleType]] = {
    "lap": (lap, lap_wide),
    "relay": (relay, relay_wide),
    "tricolor": (tricolor, tricolor),
}


def kernel_for(rules: Rules) -> ModuleType:
    """Return the module of the family that plays these rules on a board of this size."""
    narrow, wide = NARROW_AND_WIDE[rules.family]
    return narrow if rules.pits <= BYTES else wide


@lru_cache(maxsize=256)
def pack_rules(rules: Rules) -> Any:
    """Return the packed rules, made once."""
    return kernel_for(rules).pack_rules(rules)


def pack_position(rules: Rules, position: Position) -> Any:
    return kernel_for(rules).pack(rules, position)


def unpack_position(rules: Rules, state: Any) -> Position:
    position: Position = kernel_for(rules).unpack(rules, state)
    return position


def pack_game(game: Game) -> tuple[Any, Any]:
    """Return the packed rules and state of a game.

    >>> k, state = pack_game(Game("abapa", moves="F"))
    >>> type(k).__name__, state.turn, state.ply
    ('LapRules', 1, 1)
    """
    return pack_rules(game.rules), pack_position(game.rules, game.state)


def pack_history(game: Game) -> list[Any]:
    """Return the states since the last capture, the present one last: those that can be repeated."""
    states: list[Any] = []
    for position in reversed(game.history):
        if position.scores != game.scores:
            break
        states.append(pack_position(game.rules, position))
    return states[::-1]


def move_of(rules: Rules, turn: int, number: int) -> Move:
    """Return the move of a bit of `legal`.

    >>> from awale.rules import get
    >>> str(move_of(get("abapa"), 1, 2)), str(move_of(get("tricolor"), 0, 6))
    ('c', '3TR')
    """
    if rules.coloured:
        place, colour = divmod(int(number), len(COLOURS))
        return moves.make(rules, 2 * place + turn, COLOURS[colour])
    return moves.make(rules, turn * rules.pits + int(number))


def number_of(rules: Rules, move: Move) -> int:
    """Return the bit of `legal` of a move."""
    if rules.coloured:
        assert move.colour is not None
        return len(COLOURS) * (move.pit // 2) + COLOURS.index(move.colour)
    return move.pit % rules.pits


def moves_of(rules: Rules, turn: int, mask: int) -> tuple[Move, ...]:
    """Return the moves of a mask of `legal`, in the order of `Game.legal_moves`."""
    mask = int(mask)
    return tuple(move_of(rules, turn, number) for number in range(mask.bit_length()) if mask >> number & 1)
