"""The compiled evaluation against the same sums in plain Python."""

from __future__ import annotations

import random

import numpy as np
import pytest

from awale import Game
from awale.kernels.convert import pack_position, pack_rules
from awale.kernels.jit import jit
from awale.rules import get, names
from awale.search import evaluation
from awale.search.evaluation import CAPTURED, KNOTS, MOST, PLACES, at_most_seven, captured_alone, spread
from tests.search.random_positions import unfinished

_compiled = jit(lambda k, weights, state: evaluation.evaluate(k, weights, state))


def compiled(game: Game, weights: np.ndarray) -> int:
    return int(_compiled(pack_rules(game.rules), weights, pack_position(game.rules, game.state)))


def games(rules: str, count: int) -> list[Game]:
    return unfinished(rules, count, plies=60, seed=rules)


def ahead(game: Game) -> int:
    south, north = game.state.scores
    return south - north if game.turn == 0 else north - south


def pits_by_hand(game: Game, fitted: np.ndarray) -> float:
    seeds = sum(game.board)  # type: ignore[arg-type]
    seeds_counted = seeds // 2 * 2 + 0.5  # two neighbours share their weights
    value = 0.0
    pits = game.rules.pits
    for knot, at in enumerate(KNOTS):
        gap = KNOTS[1] - KNOTS[0]
        share = max(0.0, 1 - abs(min(seeds_counted, KNOTS[-1]) - at) / gap)
        table = fitted[:CAPTURED].reshape(len(KNOTS), 2, PLACES, MOST + 1)[knot]
        for pit, content in enumerate(game.board):
            side = int(game.rules.owner(pit) != game.turn)
            place = pits - 1 - pit % pits
            value += share * float(table[side, place, min(content, MOST)])  # type: ignore[type-var]
        value += share * float(fitted[CAPTURED + knot]) * ahead(game)
    return value


@pytest.mark.parametrize("rules", [name for name in names() if not get(name).coloured])
def test_pits(rules: str) -> None:
    fitted = np.random.default_rng(1).integers(-300, 300, CAPTURED + len(KNOTS)).astype(np.int32)
    weights = spread(get(rules), fitted)
    for game in games(rules, 200):
        # Every weight in use is rounded once.
        assert compiled(game, weights) == pytest.approx(pits_by_hand(game, fitted), abs=40)


@pytest.mark.parametrize("rules", ["tricolor", "tricolor-2025"])
def test_holes(rules: str) -> None:
    described = get(rules)
    fitted = np.random.default_rng(1).integers(-300, 300, evaluation.TRICOLOR_SIZE).astype(np.int32)
    table = fitted[: evaluation.TRICOLOR_CAPTURED].reshape(2, 2, 8, 8, 8)
    for game in games(rules, 300):
        total = [0, 0]
        for hole, colours in enumerate(game.board):
            red, blue, clear = (min(seeds, 7) for seeds in colours)  # type: ignore[union-attr]
            for knot in range(2):
                total[knot] += int(table[knot, int(hole % 2 != game.turn), red, blue, clear])
        for knot in range(2):
            total[knot] += int(fitted[evaluation.TRICOLOR_CAPTURED + knot]) * ahead(game)
        left = described.total - sum(game.state.scores)
        by_hand = (total[0] * left + total[1] * (described.total - left)) // described.total
        assert compiled(game, spread(described, fitted)) == by_hand


def test_at_most_seven() -> None:
    chance = random.Random(1)
    for _ in range(2000):
        contents = [chance.choice([0, 1, 6, 7, 8, 15, 16, 127, 128, 240, chance.randrange(241)]) for _ in range(8)]
        word = int.from_bytes(bytes(contents), "little", signed=True)
        expected = int.from_bytes(bytes(min(content, 7) for content in contents), "little")
        assert int(at_most_seven(word)) & ((1 << 64) - 1) == expected


@pytest.mark.parametrize("rules", ["abapa", "ghana", "tricolor", "abapa:pits=8"])
def test_captured_seeds_alone(rules: str) -> None:
    described = get(rules)
    weights = spread(described, captured_alone(described))
    for game in games(rules, 20):
        assert compiled(game, weights) == evaluation.SEED * ahead(game)


def test_every_rule_system_has_weights() -> None:
    for name in names():
        fitted = evaluation.weights_for(get(name))
        assert fitted.dtype == (np.int16 if get(name).family == "lap" else np.int32)
        assert np.any(fitted)
