"""Awalé: every rule system exact, a game to hold, an engine, tables, a board.

>>> import awale
>>> game = awale.Game("casabianca")
>>> [str(move) for move in game.legal_moves]
['a', 'b', 'c', 'd', 'e', 'f']
"""

from typing import Any

from awale.errors import (
    AmbiguousMoveError,
    AwaleError,
    GameStateError,
    IllegalMoveError,
    InvalidMoveError,
    MoveError,
    NotationError,
    PositionError,
    RulesError,
)
from awale.game import Game, Outcome, Trace
from awale.rules import Rules
from awale.rules.moves import Move
from awale.rules.reference import Lap, Position

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """`awale.analyse` and `awale.Engine` bring the compiled engine with them, and only when asked for."""
    if name == "analyse":
        from awale.players.analysis import analyse

        return analyse
    if name == "Engine":
        from awale.players.analysis import KnowingEngine

        return KnowingEngine
    raise AttributeError(f"module 'awale' has no attribute '{name}'")


__all__ = [
    "AmbiguousMoveError",
    "AwaleError",
    "Engine",
    "Game",
    "GameStateError",
    "IllegalMoveError",
    "InvalidMoveError",
    "Lap",
    "Move",
    "MoveError",
    "NotationError",
    "Outcome",
    "Position",
    "PositionError",
    "Rules",
    "RulesError",
    "Trace",
    "__version__",
    "analyse",
]
