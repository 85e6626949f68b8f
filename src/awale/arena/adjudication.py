"""Ending games that are decided: by the players' own evaluations, or by endgame tables."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from awale import i18n
from awale.arena.errors import ArenaError
from awale.game import Game
from awale.rules.description import Rules

ADJUDICATED = ("draw", "tables")
"""Reasons that no game of its own knows: the moves go on, the match does not."""


class Verdict(NamedTuple):
    """How a game ends: the winner (None for a draw), the seeds and the reason."""

    winner: int | None
    scores: tuple[int, int]
    reason: str


def read_settings(text: str, option: str, pattern: str) -> dict[str, float]:
    """Read words such as `moves=3 score=20` of an option of the command line; `pattern`: a name and its number."""
    found: dict[str, float] = {}
    for word in re.split(r"[\s,]+", text.strip()):
        setting = re.fullmatch(pattern, word)
        if setting is None:
            raise ArenaError(i18n.message(f"arena.bad.{option}", word=word[:40]))
        found[setting[1]] = float(setting[2])
    return found


@dataclass(frozen=True, slots=True)
class Adjudication:
    """When a game is ended. Scores are seeds of the final margin, as players report them."""

    resign_moves: int = 0
    """A player who expects to lose by `resign_score` for so many moves of their own resigns; 0 for never."""
    resign_score: float = 0.0
    draw_moves: int = 0
    """The game is a draw when both expect a margin of at most `draw_score` for so many moves each; 0 for never."""
    draw_score: float = 0.0
    draw_from: int = 0
    """Not before so many moves have been played."""
    tables: bool = False
    """A position whose value the endgame tables know exactly is not played out."""

    @classmethod
    def read(cls, resign: str | None, draw: str | None, tables: bool) -> Self | None:
        """Read `moves=3 score=20` and `moves=8 score=1 from=40`, as on the command line; None without any of them.

        >>> Adjudication.read("moves=3 score=20", None, False).resign_score
        20.0
        """
        values: dict[str, Any] = {}
        for option, text, known in (("resign", resign, "moves|score"), ("draw", draw, "moves|score|from")):
            if text is None:
                continue
            found = read_settings(text, option, rf"({known})=([0-9]{{1,4}}(?:\.[0-9]{{1,2}})?)")
            if not found.get("moves") or "score" not in found:
                raise ArenaError(i18n.message(f"arena.bad.{option}", word=text[:40]))
            values |= {f"{option}_{name}": value if name == "score" else int(value) for name, value in found.items()}
        return cls(**values, tables=tables) if values or tables else None


@dataclass(slots=True)
class Adjudicator:
    """Watches one game."""

    when: Adjudication
    _losing: list[int] = field(default_factory=lambda: [0, 0])
    """Moves in a row with which each side expected to lose clearly."""
    _even: list[int] = field(default_factory=lambda: [0, 0])

    def after(self, game: Game, side: int, value: float | None) -> Verdict | None:
        """Return how the game ends after a move of a side, which expects that margin; None while it goes on."""
        when = self.when
        if when.tables and (known := _known(game)) is not None:
            return known
        self._losing[side] = self._losing[side] + 1 if value is not None and value <= -when.resign_score else 0
        self._even[side] = self._even[side] + 1 if value is not None and abs(value) <= when.draw_score else 0
        if 0 < when.resign_moves <= self._losing[side]:
            return Verdict(1 - side, game.scores, "resignation")
        if 0 < when.draw_moves <= min(self._even) and len(game.moves) >= when.draw_from:
            return Verdict(None, game.scores, "draw")
        return None


_tables: dict[Rules, Any] = {}


def _known(game: Game) -> Verdict | None:
    """Return the result that endgame tables prove."""
    if game.rules not in _tables:
        from awale.tables import find_tables

        _tables[game.rules] = find_tables(game.rules)
    tables = _tables[game.rules]
    value = None if tables is None else tables.probe(game)
    if value is None or not value.exact:
        return None
    ahead = game.scores[game.turn] - game.scores[1 - game.turn] + value.seeds
    south = ahead if game.turn == 0 else -ahead
    scores = ((game.rules.total + south) // 2, (game.rules.total - south) // 2)
    return Verdict(None if south == 0 else int(south < 0), scores, "tables")
