"""Awalé: every rule system exact, a game to hold, an engine, tables, a board.

>>> import awale
>>> game = awale.Game("casabianca")
>>> [str(move) for move in game.legal_moves]
['a', 'b', 'c', 'd', 'e', 'f']
"""

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

__all__ = [
    "AmbiguousMoveError",
    "AwaleError",
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
]
