"""`perfect`: knows the Ghanaian game. Moving first it never loses; moving second it asks most of the opponent."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from awale.game import Game
from awale.players.base import BasePlayer, Choice, PlayerClock
from awale.rules import get
from awale.rules.description import Rules
from awale.search.perfect import Book, Perfect

WIN = 1.0


class PerfectPlayer(BasePlayer):
    """Plays solved relay games."""

    name = "perfect"

    def __init__(self, rules: Rules) -> None:
        self._perfect = Perfect(rules, book_for(rules))

    def choose(self, game: Game, clock: PlayerClock | None = None) -> Choice:
        advice = self._perfect.choose(game)
        value = {"win": WIN, "draw": 0.0, "loss": -WIN, None: None}[advice.value]
        info: dict[str, int | float | str] = {"source": advice.source}
        if advice.value is not None:
            info["proved"] = advice.value
        return Choice(advice.move, value, (advice.move,), advice.nodes, info)


def book_for(rules: Rules) -> Book:
    """The book that is shipped, if it was made for exactly these rules."""
    book = _shipped()
    made_for = get(book["rules"])
    same = rules.options() | {"direction": made_for.direction} == made_for.options()
    fits = book["version"] == made_for.version and same
    return book["moves"] if fits else {}


@cache
def _shipped() -> dict[str, Any]:
    """Made by `awale solve --rules ghana --book ghana_book.json`."""
    text = files("awale.players").joinpath("ghana_book.json").read_text(encoding="utf-8")
    book: dict[str, Any] = json.loads(text)
    return book
