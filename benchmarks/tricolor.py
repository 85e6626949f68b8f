"""Random games of the three-colour game on one thread, against the plain-Python reference."""

from __future__ import annotations

import random

from awale import Game
from awale.kernels.playouts import playouts
from benchmarks.measure import Row, rates


def run() -> list[Row]:
    start = Game("tricolor")
    rng = random.Random(1)

    def ours() -> int:
        return playouts(start, 2_000, seed=1, threads=1).plies

    def peer() -> int:
        game = start.copy()
        while not game.over:
            game.push(rng.choice(game.legal_moves))
        return game.ply

    our_rate, peer_rate = rates([ours, peer])
    return [
        Row(
            what="random games, tricolor, 1 thread",
            unit="plies",
            ours=our_rate,
            peer=peer_rate,
            peer_name="the plain-Python reference",
            at_least=1.5e6,
        )
    ]
