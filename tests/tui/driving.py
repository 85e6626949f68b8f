"""What the tests do to an application again and again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

from awale.game import Game
from awale.rules import moves
from awale.rules.moves import Move
from awale.tui.app import AwaleApp
from awale.tui.game_screen import GameScreen
from tests.waiting import GUARD


def screen(app: AwaleApp) -> GameScreen:
    found = app.screen_stack[1]
    assert isinstance(found, GameScreen)
    return found


def said(app: AwaleApp) -> str:
    """The three lines under the board."""
    return str(screen(app).query_one("#say").render())


async def until(pilot: Any, happened: Callable[[], object]) -> None:
    """Wait for something that a thread brings about."""
    deadline = time.monotonic() + GUARD
    while time.monotonic() < deadline:
        await pilot.pause()
        if happened():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it did not happen")


def keys_of(game: Game, move: Move) -> list[str]:
    """The keys that play a move."""
    rules = game.rules
    name = moves.write(rules, move.pit).lower()
    own = [moves.write(rules, pit).lower() for pit in range(rules.holes) if rules.owner(pit) == game.turn]
    if rules.coloured:
        fitting = [legal for legal in game.legal_moves if legal.pit == move.pit]
        end = ["enter"] if sum(other.startswith(name) for other in own) > 1 else []
        return [*name, *end, *(move.colour or "")] if len(fitting) > 1 else [*name, *end]
    return [*name, "enter"] if sum(other.startswith(name) for other in own) > 1 else list(name)
