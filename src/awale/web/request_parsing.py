"""Read rules, positions and games from requests, within limits."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from awale.errors import AwaleError
from awale.game import Game
from awale.i18n import message
from awale.rules import Rules, SowingBudget, presets

MAX_PLIES = 2000
MAX_RULES_TEXT = 20_000
POSITION_LAPS = 400_000
"""Laps of relays that the moves of one position may take; the period of the source's board is 50,636."""
REQUEST_LAPS = 1_000_000
"""Laps that a request may take in all: about a second."""
GAME_LAPS = 10_000_000
"""Laps that a game played here may take in all."""


def sowing_limit(total: int = REQUEST_LAPS) -> SowingBudget:
    """Return the laps that somebody else's relays may take in this process."""
    return SowingBudget(POSITION_LAPS, total, message="web.error.sowing")


RulesName = Annotated[str, Field(max_length=2000, examples=["abapa"])]
RulesText = Annotated[str, Field(max_length=MAX_RULES_TEXT, examples=['base = "abapa"\npits = 5\n'])]
PositionText = Annotated[str, Field(max_length=1000, examples=["4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"])]
MovesText = Annotated[str, Field(max_length=10 * MAX_PLIES, examples=["F f E"])]
MoveText = Annotated[str, Field(max_length=20, examples=["F"])]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class RulesRequest(Strict):
    """Rules by name, or as the text of a village-rules file."""

    rules: RulesName = "abapa"
    village: RulesText | None = None

    def read_rules(self) -> Rules:
        return read_rules(self.rules, self.village)


class GameRequest(RulesRequest):
    """A game: rules, start position, moves so far."""

    start: PositionText | None = None
    moves: MovesText = ""

    def build_game(self) -> Game:
        return build(self.read_rules(), self.start, self.moves.split())


def read_rules(name: str, village: str | None = None) -> Rules:
    """Return named rules, or those of a file's text. No file is opened."""
    return presets.get(name) if village is None else Rules.from_toml_text(village)


def build(rules: Rules, start: str | None, moves: list[str]) -> Game:
    """Return the game of a request."""
    if len(moves) > MAX_PLIES:
        raise AwaleError(message("web.error.plies", count=len(moves), limit=MAX_PLIES))
    return Game(rules, start=start or None, moves=moves)
