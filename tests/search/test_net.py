"""The compiled network against the same sums in plain Python, and the data it is trained on against the tables."""

from __future__ import annotations

import random

import numpy as np
import pytest

from awale import Game, tables
from awale.kernels.jit import jit
from awale.rules import get, names
from awale.search import net
from awale.search.evaluation import weights_for
from scripts import train_net

_compiled = jit(lambda weights, mine, theirs, pits, ahead: net.net_value(weights, mine, theirs, pits, ahead))


def word(contents: list[int]) -> int:
    return sum(seeds << (8 * pit) for pit, seeds in enumerate(contents))


def by_hand(weights: np.ndarray, mine: list[int], theirs: list[int], ahead: int) -> int:
    seeds = sum(mine) + sum(theirs)
    phase = min(seeds // 2, net.PHASES - 1)
    first = (
        weights[: net.OUTPUT].reshape(net.STAGES, net.ROWS + 1, net.HIDDEN).astype(int)[max(0, min(seeds // 4 - 3, 5))]
    )
    empty = [0] * (net.PLACES - len(mine))
    contents = [min(seeds, net.CONTENTS - 1) for seeds in (*empty, *mine, *empty, *theirs)]
    active = first[net.ROWS] + sum(first[pit * net.CONTENTS + seeds] for pit, seeds in enumerate(contents))
    output = weights[net.OUTPUT : net.LEVEL].reshape(net.PHASES, net.HIDDEN).astype(int)[phase]
    total = int((np.maximum(active, 0) * output).sum())
    return 100 * ahead + int(weights[net.LEVEL + phase]) + (total >> (net.ACTIVATION_BITS + net.OUTPUT_BITS))


@pytest.mark.parametrize("pits", [1, 3, 6])
def test_the_compiled_network_adds_up_what_it_should(pits: int) -> None:
    weights = np.random.default_rng(pits).integers(-900, 900, net.SIZE).astype(np.int16)
    chance = random.Random(pits)
    for _ in range(500):
        mine, theirs = ([chance.choice([0, 0, 0, 1, 2, 3, 7, 15]) for _ in range(pits)] for _ in range(2))
        mine[chance.randrange(pits)] = chance.choice([0, 31, 32, 48])
        ahead = chance.randrange(-40, 40)
        assert _compiled(weights, word(mine), word(theirs), pits, ahead) == by_hand(weights, mine, theirs, ahead)


@pytest.mark.parametrize("name", [name for name in names() if get(name).family == "lap"])
def test_no_sum_of_a_trained_network_overflows(name: str) -> None:
    weights = weights_for(get(name))
    assert weights.shape == (net.SIZE,)
    first = np.abs(weights[: net.OUTPUT].reshape(net.STAGES, net.ROWS + 1, net.HIDDEN).astype(int))
    pits = first[:, : net.ROWS].reshape(net.STAGES, 2 * net.PLACES, net.CONTENTS, net.HIDDEN).max(axis=2)
    active = pits.sum(axis=1) + first[:, net.ROWS]
    assert active.max() < 1 << 15
    output = np.abs(weights[net.OUTPUT : net.LEVEL].reshape(net.PHASES, net.HIDDEN).astype(int))
    stages = [net.stage_of(phase) for phase in range(net.PHASES)]
    assert (active[stages] * output).sum(axis=1).max() < 1 << 31


def test_weights_that_do_not_fit_are_refused() -> None:
    layers = [np.zeros(size) for size in (net.STAGES * net.ROWS * net.HIDDEN, net.STAGES * net.HIDDEN)]
    layers += [np.zeros(net.PHASES * net.HIDDEN), np.zeros(net.PHASES)]
    assert not net.quantise(*layers).any()
    layers[0][::] = 30.0  # twelve of them add up to more than 16 bits hold
    with pytest.raises(OverflowError):
        net.quantise(*layers)


def test_variants_use_the_network_of_their_rules() -> None:
    assert weights_for(get("awari:seeds=3")) is weights_for(get("awari"))
    assert weights_for(get("abapa:pits=7")).dtype == np.int32


def test_training_labels_are_the_values_of_the_tables(tmp_path: object) -> None:
    rules = train_net.without_cycles(get("awari"))
    values = train_net.solve(rules, 7, "cpu")
    known = np.zeros((200, train_net.FIELDS), np.int64)
    chance = random.Random(1)
    for row in known:
        row[2] = chance.randrange(3, 8)
        for _ in range(row[2]):
            row[chance.randrange(2)] += 1 << (8 * chance.randrange(6))
    tables.build("awari", 7, dir=tmp_path)  # type: ignore[arg-type]
    built = tables.open("awari", dir=tmp_path)  # type: ignore[arg-type]
    for (mine, theirs, seeds, _), label in zip(known.tolist(), values(known), strict=True):
        board = [(side >> (8 * pit)) & 255 for side in (mine, theirs) for pit in range(6)]
        captured = 48 - seeds
        position = "-".join(map(str, [*board, captured // 2, captured - captured // 2])) + "-S"
        game = Game("awari", start=position)
        found = None if game.over else built.probe(game)
        assert found is None or found.seeds == label
