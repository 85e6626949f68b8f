"""Relay sowing: laps of all first moves from positions met in random games, against the plain-Python reference."""

from __future__ import annotations

import random
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from awale import Game
from awale.kernels import convert, relay
from awale.kernels.jit import jit
from awale.rules import reference
from awale.rules.description import Rules
from awale.rules.reference import Position
from benchmarks.measure import Row, rates


@jit(cache=False)
def sow_all(k: Any, boards: NDArray[np.int64]) -> int:
    laps = 0
    for i in range(len(boards)):
        mine, theirs = boards[i, 0], boards[i, 1]
        for pit in range(k.pits):
            if (mine >> (8 * pit)) & 255:
                laps += relay.sow(k, mine, theirs, pit)[3]
    return laps


def _laps(rules: Rules, positions: list[Position]) -> int:
    laps = 0
    for position in positions:
        for move in reference.candidates(rules, position):
            laps += reference.sow_relay(list(cast(tuple[int, ...], position.board)), move.pit)[1]
    return laps


def run() -> list[Row]:
    rng = random.Random(1)
    rules = Game("ghana").rules
    boards: list[tuple[int, int]] = []
    positions = []
    while len(boards) < 2000:
        game = Game(rules)
        while not game.over and len(boards) < 2000:
            _, state = convert.pack_game(game)
            boards.append((state.mine, state.theirs))
            positions.append(game.state)
            game.push(rng.choice(game.legal_moves))
    k, packed = convert.pack_rules(rules), np.array(boards, np.int64)

    def ours() -> int:
        return int(sow_all(k, packed))

    assert sow_all(k, packed[:40]) == _laps(rules, positions[:40])

    def peer() -> int:
        return _laps(rules, positions[:40])

    our_rate, peer_rate = rates([ours, peer])
    return [
        Row(
            what="relay sowing, ghana, 1 thread",
            unit="laps",
            ours=our_rate,
            peer=peer_rate,
            peer_name="the plain-Python reference",
            at_least=15e6,
        )
    ]
