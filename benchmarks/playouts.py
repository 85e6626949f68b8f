"""Random games of abapa on one thread, against OpenSpiel from Python."""

from __future__ import annotations

import random

from awale import Game
from awale.kernels.playouts import playouts
from benchmarks.measure import Row, rates


def run() -> list[Row]:
    import pyspiel

    start = Game("abapa")
    spiel = pyspiel.load_game("oware")
    rng = random.Random(1)

    def ours() -> int:
        return playouts(start, 40_000, seed=1, threads=1).plies

    def peer() -> int:
        plies = 0
        for _ in range(200):
            state = spiel.new_initial_state()
            while not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))  # as OpenSpiel's own example plays
                plies += 1
        return plies

    our_rate, peer_rate = rates([ours, peer])
    return [
        Row(
            what="random games, abapa, 1 thread",
            unit="plies",
            ours=our_rate,
            peer=peer_rate,
            peer_name="OpenSpiel from Python",
            times_peer=40,
        )
    ]
