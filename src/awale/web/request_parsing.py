"""Read rules, positions and games from requests, within limits."""

from __future__ import annotations

import tomllib
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from awale.errors import AwaleError, RulesError
from awale.game import Game
from awale.i18n import message
from awale.rules import Rules, positions, presets, reference
from awale.rules.moves import Move
from awale.rules.reference import Position

MAX_PLIES = 2000
MAX_RULES_TEXT = 20_000
LAP_BUDGET = 400_000
"""Laps of a relay that one position may cost. The longest sowing known on twelve pits of four takes 50,636."""

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
    """Return named rules, or those of a file's text. Unlike `presets.get`, never open a file."""
    if village is None:
        return _named(name)
    if len(village) > MAX_RULES_TEXT:
        raise RulesError(message("web.error.rules-size", limit=MAX_RULES_TEXT))
    try:
        base = tomllib.loads(village).get("base")
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise RulesError(message("web.error.toml", problem=str(error)[:200])) from None
    if isinstance(base, str):
        _named(base)
    return Rules.from_toml_text(village)


def _named(name: str) -> Rules:
    if name.strip().lower().endswith(".toml") or len(name) > 2000:
        raise RulesError(message("web.error.rules-file"))
    return presets.get(name)


def build(rules: Rules, start: str | None, moves: list[str]) -> Game:
    """Return a game whose positions all fit the lap budget."""
    if len(moves) > MAX_PLIES:
        raise AwaleError(message("web.error.plies", count=len(moves), limit=MAX_PLIES))
    if rules.sowing != "relay":
        return Game(rules, start=start or None, moves=moves)
    first = positions.read(rules, start) if start else reference.start(rules)
    check_position_cost(rules, first)
    game = Game(rules, start=first)
    for move in moves:
        check_cost(game, move)
        game.push(move)
    return game


def check_cost(game: Game, move: Move | str) -> None:
    """Refuse a move whose next position exceeds the lap budget. Illegal moves raise their own errors."""
    if game.rules.sowing != "relay" or game.over:
        return
    done = reference.step(game.rules, game.state, game.parse(move))
    if done.sown.period is None:
        check_position_cost(game.rules, reference.after(game.rules, game.state, done))


def check_position_cost(rules: Rules, position: Position) -> None:
    """Refuse a position in which finding the legal moves exceeds the lap budget.

    Relays on large boards can run for hours before they stop or repeat; `Game` would follow them to the end.
    """
    if rules.sowing != "relay":
        return
    budget = LAP_BUDGET
    for player in (0, 1):  # either may be to move: a starved player passes
        for move in reference.candidates(rules, position._replace(turn=player)):
            board = [int(n) for n in reference.counts(position.board)]
            first, pit = list(board), move.pit
            while True:
                pit = reference.sow_lap(board, pit, skip_origin=False)[-1]
                budget -= 1
                if board[pit] == 1 or (pit == move.pit and board == first):
                    break
                if budget < 0:
                    raise AwaleError(message("web.error.sowing", limit=LAP_BUDGET))
