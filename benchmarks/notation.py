"""Reading OGN files with every move checked, against playing the same moves through `Game`."""

from __future__ import annotations

import random

from awale import Game
from awale.notation import read_ogn, to_ogn
from benchmarks.measure import Row, rates

GAMES = 40


def _games(rules: str) -> list[Game]:
    rng = random.Random(1)
    found = []
    for _ in range(GAMES):
        game = Game(rules)
        while not game.over and game.ply < 300:
            game.push(rng.choice(game.legal_moves))
        found.append(game)
    return found


def run() -> list[Row]:
    rows = []
    for rules in ("abapa", "ghana", "tricolor"):
        games = _games(rules)
        text = "\n".join(to_ogn(game, South="Awa", North="Kofi") for game in games)
        lines = [" ".join(map(str, game.moves)) for game in games]

        def ours(text: str = text) -> int:
            return sum(1 for _ in read_ogn(text))

        def peer(rules: str = rules, lines: list[str] = lines) -> int:
            return len([Game(rules, moves=line) for line in lines])

        our_rate, peer_rate = rates([ours, peer])
        rows.append(
            Row(
                what=f"OGN files read, {rules}",
                unit="games",
                ours=our_rate,
                peer=peer_rate,
                peer_name="Game, moves as text",
            )
        )
    return rows
