"""Perft of abapa from the start: every last move really played, against OpenSpiel counting them in bulk."""

from __future__ import annotations

from typing import Any

from awale import Game
from awale.kernels.perft import perft
from benchmarks.measure import Row, rates

LEAVES = {5: 5_219, 9: 3_592_872, 11: 91_558_687}
DEPTH = 9


def spiel_perft(state: Any, depth: int) -> int:
    actions = state.legal_actions()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        child = state.child(action)
        if not child.is_terminal():
            total += spiel_perft(child, depth - 1)
    return total


def run() -> list[Row]:
    import pyspiel

    game = Game("abapa")
    spiel = pyspiel.load_game("oware")

    def ours() -> int:
        leaves = perft(game, DEPTH).leaves
        assert leaves == LEAVES[DEPTH]
        return leaves

    def peer() -> int:
        leaves = spiel_perft(spiel.new_initial_state(), 5)
        assert leaves == LEAVES[5]
        return leaves

    def deep() -> int:
        leaves = perft(game, 11).leaves
        assert leaves == LEAVES[11]
        return leaves

    our_rate, peer_rate = rates([ours, peer])
    (deep_rate,) = rates([deep], seconds=4)
    return [
        Row(what="perft abapa, depth 11, every leaf played, 1 thread", unit="leaves", ours=deep_rate, at_least=90e6),
        Row(
            what=f"perft abapa, depth {DEPTH}, 1 thread",
            unit="leaves",
            ours=our_rate,
            peer=peer_rate,
            peer_name="OpenSpiel from Python, leaves counted in bulk",
            times_peer=30,
        ),
    ]
