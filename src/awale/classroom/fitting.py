"""Weights out of positions with known values: the features of each position, and least squares.

The value of a position is the sum of its features times their weights, and a weight is a line from the full board to
the empty one; so the whole is linear in the numbers that are looked for, and one system of equations finds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale.kernels.convert import pack_position, pack_rules
from awale.rules import reference
from awale.rules.description import Rules
from awale.rules.reference import Position
from awale.search.heuristics import CONTENT_FEATURES
from awale.search.linear import OF_SIDES, Tapered, Weighing, names_for, offers, other_to_move
from awale.search.tricolor_2025_evaluation import potential

RIDGE = 1e-3
"""How much a weight is drawn towards nothing: keeps apart features that say nearly the same, such as all colours and
each of them."""


class Sample(NamedTuple):
    """A position and what it is worth beyond the captured seeds, in seeds for the player to move."""

    position: Position
    value: float


def measure(rules: Rules, position: Position, k: Any = None) -> dict[str, tuple[float, float]]:
    """Every feature of a position: for the player to move and for the other. Features that are one number have 0 for
    the other."""
    turn = position.turn
    owners = [rules.owner(pit) for pit in range(rules.holes)]
    counts = reference.counts(position.board)
    found: dict[str, tuple[float, float]] = {}

    def sides(name: str, count: Any) -> None:
        mine = sum(count(pit) for pit in range(rules.holes) if owners[pit] == turn)
        theirs = sum(count(pit) for pit in range(rules.holes) if owners[pit] != turn)
        found[name] = (float(mine), float(theirs))

    for name, count in CONTENT_FEATURES.items():
        sides(name, lambda pit, count=count: count(counts[pit]))
    k = pack_rules(rules) if k is None else k
    state = pack_position(rules, position)
    if rules.coloured:
        board: Any = position.board
        for colour, name in enumerate(("red", "blue", "clear")):
            sides(name, lambda pit, colour=colour: board[pit][colour])
        sides("choices", lambda pit: (board[pit][0] > 0) + (board[pit][1] > 0) + 2 * (board[pit][2] > 0))
        found["potential"] = (float(potential(state, rules.holes)), 0.0)
    else:
        behind = rules.pits - rules.pits // 2
        sides("front", lambda pit: counts[pit] if pit % rules.pits >= behind else 0)
    captured = position.scores[turn] - position.scores[1 - turn]
    best, captures = offers(k, state)
    fear, _ = offers(k, other_to_move(state))
    ones = {"captured": captured, "best": best, "captures": captures, "fear": fear, "tempo": 1}
    found |= {name: (float(value), 0.0) for name, value in ones.items()}
    return found


@dataclass(frozen=True, slots=True)
class Fit:
    """What least squares found."""

    weighing: Weighing
    positions: int
    spread: float
    """How far the values of held-out positions lie from even, in seeds (root mean square)."""
    left: float
    """How far they lie from what the weights say."""

    @property
    def explained(self) -> float:
        """The share of the held-out values' variance that the weights explain."""
        return 1 - (self.left / self.spread) ** 2 if self.spread else 0.0


def columns(features: Sequence[str], tapered: bool, sided: bool) -> list[tuple[str, int, int]]:
    """The numbers looked for: feature, side (0 mine, 1 theirs, 2 mine less theirs), and full or empty board."""
    found = []
    for name in features:
        sides = (0,) if name not in OF_SIDES else (0, 1) if sided else (2,)
        found += [(name, side, late) for side in sides for late in range(2 if tapered else 1)]
    return found


def design(
    rules: Rules, positions: Sequence[Position], features: Sequence[str], tapered: bool, sided: bool
) -> NDArray[np.float64]:
    """A row of numbers for each position, in the order of `columns`."""
    k = pack_rules(rules)
    asked = columns(features, tapered, sided)
    rows = np.zeros((len(positions), len(asked)))
    for row, position in enumerate(positions):
        found = measure(rules, position, k)
        lying = sum(reference.counts(position.board))
        total = lying + sum(position.scores)
        share = (lying / total, 1 - lying / total) if tapered else (1.0,)
        for column, (name, side, late) in enumerate(asked):
            mine, theirs = found[name]
            value = mine - theirs if side == 2 else (mine, theirs)[side]
            rows[row, column] = value * share[late]
    return rows


def fit(
    rules: Rules,
    samples: Sequence[Sample],
    held_out: Sequence[Sample],
    features: Sequence[str],
    *,
    tapered: bool = True,
    sided: bool = True,
) -> Fit:
    """The weights that come nearest to the samples' values; captured seeds count one each."""
    free = [name for name in features if name != "captured"]
    asked = columns(free, tapered, sided)
    matrix = design(rules, [sample.position for sample in samples], free, tapered, sided)
    values = np.array([sample.value for sample in samples])
    scale = np.sqrt((matrix**2).mean(axis=0)) + 1e-9
    normal = (matrix / scale).T @ (matrix / scale) + RIDGE * max(1, len(samples)) * np.eye(len(asked))
    found = np.linalg.solve(normal, (matrix / scale).T @ values) / scale
    # Where a feature never occurred nothing is known about it.
    found[scale < 1e-6] = 0.0
    found = np.round(np.clip(found, -50, 50), 3)
    test = design(rules, [sample.position for sample in held_out], free, tapered, sided)
    truth = np.array([sample.value for sample in held_out])
    spread = float(np.sqrt(np.mean(truth**2))) if len(truth) else 0.0
    left = float(np.sqrt(np.mean((truth - test @ found) ** 2))) if len(truth) else 0.0
    return Fit(_weighing(asked, found.tolist(), tapered), len(samples), spread, left)


def _weighing(asked: list[tuple[str, int, int]], found: list[float], tapered: bool) -> Weighing:
    numbers = dict(zip(asked, found, strict=True))
    mine, theirs = {"captured": Tapered(1.0, 1.0)}, {}
    for name, side, _ in asked:
        full = numbers[name, side, 0]
        weight = Tapered(full, numbers[name, side, 1] if tapered else full)
        if side in (0, 2):
            mine[name] = weight
        if side == 1:
            theirs[name] = weight
        elif side == 2:
            theirs[name] = Tapered(-weight.full, -weight.empty)
    return Weighing(mine, theirs)


def default_features(rules: Rules) -> tuple[str, ...]:
    """All that these rules have, but not those that are sums of others."""
    return tuple(name for name in names_for(rules) if not (rules.coloured and name == "seeds"))
