"""Awalé: rule systems, games, an engine, endgame tables, boards.

>>> import awale
>>> game = awale.Game("casabianca")
>>> [str(move) for move in game.legal_moves]
['a', 'b', 'c', 'd', 'e', 'f']

Names are imported from their packages when they are first used, so that `import awale` costs next to nothing;
`awale.analyse` and `awale.Engine` load the compiled engine.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
    from awale.players.engine import Engine as Engine
    from awale.players.engine import analyse as analyse
    from awale.rules.description import Rules
    from awale.rules.moves import Move
    from awale.rules.positions import Status
    from awale.rules.reference import Lap, Position
    from awale.search.limits import Limit

__version__ = "0.1.0"

_PACKAGES = {
    "awale.errors": (
        "AmbiguousMoveError",
        "AwaleError",
        "GameStateError",
        "IllegalMoveError",
        "InvalidMoveError",
        "MoveError",
        "NotationError",
        "PositionError",
        "RulesError",
    ),
    "awale.game": ("Game", "Outcome", "Trace"),
    "awale.players.engine": ("Engine", "analyse"),
    "awale.rules.description": ("Rules",),
    "awale.rules.moves": ("Move",),
    "awale.rules.positions": ("Status",),
    "awale.rules.reference": ("Lap", "Position"),
    "awale.search.limits": ("Limit",),
}
_HOME = {name: package for package, names in _PACKAGES.items() for name in names}
# Packages available after `import awale`; the others load something heavy and are imported by name.
_LIGHT = ("draw", "errors", "game", "i18n", "notation", "rules")


def _fetch(name: str) -> object:
    """A public name, or a light package, the first time somebody asks for it."""
    if name in _HOME:
        value: object = getattr(import_module(_HOME[name]), name)
    elif name in _LIGHT:
        value = import_module(f"awale.{name}")
    else:
        raise AttributeError(f"module 'awale' has no attribute '{name}'")
    globals()[name] = value
    return value


if not TYPE_CHECKING:  # type checkers read the imports above, and see a misspelt name
    __getattr__ = _fetch


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_LIGHT, "Engine", "analyse"})


# Without the names that load the compiler: `from awale import *` stays light.
__all__ = [
    "AmbiguousMoveError",
    "AwaleError",
    "Game",
    "GameStateError",
    "IllegalMoveError",
    "InvalidMoveError",
    "Lap",
    "Limit",
    "Move",
    "MoveError",
    "NotationError",
    "Outcome",
    "Position",
    "PositionError",
    "Rules",
    "RulesError",
    "Status",
    "Trace",
    "__version__",
]
