"""Positions to search: random games, left in the middle."""

from __future__ import annotations

import random

from awale import Game


def unfinished(rules: str, count: int, *, plies: int, seed: str | int) -> list[Game]:
    """So many games that are not over, each of fewer than `plies` random moves."""
    chance = random.Random(seed)
    found: list[Game] = []
    while len(found) < count:
        game = Game(rules)
        for _ in range(chance.randrange(plies)):
            if game.over:
                break
            game.push(chance.choice(game.legal_moves))
        if not game.over:
            found.append(game)
    return found
