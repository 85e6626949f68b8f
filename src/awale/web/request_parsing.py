"""Rules, positions and games as a stranger sends them: read with every limit, refused with a sentence."""

from __future__ import annotations

import tomllib
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from awale.errors import AwaleError, RulesError
from awale.game import Game
from awale.rules import Rules, presets, reference
from awale.rules.moves import Move
from awale.rules.reference import Position

MAX_PLIES = 2000
LAP_BUDGET = 400_000
"""Laps of a relay that one position may cost. The longest sowing known on twelve pits of four takes 50,636."""

RulesName = Annotated[str, Field(max_length=2000, examples=["abapa"])]
RulesText = Annotated[str, Field(max_length=20_000, examples=['base = "abapa"\npits = 5\n'])]
PositionText = Annotated[str, Field(max_length=1000, examples=["4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"])]
MovesText = Annotated[str, Field(max_length=10 * MAX_PLIES, examples=["F f E"])]
MoveText = Annotated[str, Field(max_length=20, examples=["F"])]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class AskedRules(Strict):
    """Rules by name, or as the text of a village-rules file."""

    rules: RulesName = "abapa"
    village: RulesText | None = None

    def the_rules(self) -> Rules:
        return read_rules(self.rules, self.village)


class AskedGame(AskedRules):
    """A game: rules, where it starts, the moves so far."""

    start: PositionText | None = None
    moves: MovesText = ""

    def the_game(self) -> Game:
        return build(self.the_rules(), self.start, self.moves.split())


def read_rules(name: str, village: str | None) -> Rules:
    """Unlike `presets.get` never opens a file: the name comes from outside."""
    if village is None:
        return _named(name)
    if len(village) > 20_000:
        raise RulesError("larger than 20000 characters, which no rules file needs")
    try:
        base = tomllib.loads(village).get("base")
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise RulesError(f"not a TOML file: {error}") from None
    if isinstance(base, str):
        _named(base)
    return Rules.from_toml_text(village)


def _named(name: str) -> Rules:
    if name.strip().lower().endswith(".toml") or len(name) > 2000:
        raise RulesError("rules are named here, not read from files: paste the file instead")
    return presets.get(name)


def build(rules: Rules, start: str | None, moves: list[str]) -> Game:
    """A game, every position of it affordable."""
    if len(moves) > MAX_PLIES:
        raise AwaleError(f"{len(moves)} moves; at most {MAX_PLIES} are taken here")
    if rules.sowing != "relay":
        return Game(rules, start=start or None, moves=moves)
    from awale.rules import positions

    first = positions.read(rules, start) if start else reference.start(rules)
    afford(rules, first)
    game = Game(rules, start=first)
    for move in moves:
        push(game, move)
    return game


def push(game: Game, move: str) -> Move:
    """Play a move whose next position is affordable; otherwise refuse it and change nothing."""
    if game.rules.sowing == "relay" and not game.over:
        asked = game.parse(move)
        done = reference.step(game.rules, game.state, asked)
        if done.sown.period is None:
            afford(game.rules, reference.after(game.rules, game.state, done))
    return game.push(move)


def afford(rules: Rules, position: Position) -> None:
    """Refuse a position in which finding the legal moves would take too long.

    Relays on large boards can run for ages before they stop or come back; `Game` would follow them to the end.
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
                    raise AwaleError("a sowing of this position is too long to be followed on this board")
