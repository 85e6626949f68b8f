"""The classic heuristics as weights of features, the one definition for every search. Nothing here loads the compiler.

Weights are in seeds, for each side's count less the other's.

- `material`: captured seeds alone, as the score says.
- `mobility`: half a seed for each pit that is not empty. A player with many pits to choose from is not forced; one with
  a single pit must play what the other wants.
- `kroo`: one and a half seeds for each pit of twelve seeds or more (a granary, *grenier*), because emptying it goes
  round the board and harvests a side where every pit holds a seed or two.
- `defence`: half a seed less for each pit of 1 or 2 seeds, which the last seed of an enemy sowing takes.
- `mixed`: some of each, and a fifth of a seed for each seed on one's side.
"""

from __future__ import annotations

from collections.abc import Callable

SEED = 100
GRANARY = 12

CONTENT_FEATURES: dict[str, Callable[[int], int]] = {
    "seeds": lambda seeds: seeds,
    "filled": lambda seeds: int(seeds > 0),
    "ones": lambda seeds: int(seeds == 1),
    "twos": lambda seeds: int(seeds == 2),
    "threes": lambda seeds: int(seeds == 3),
    "fours": lambda seeds: int(seeds == 4),
    "fives": lambda seeds: int(seeds == 5),
    "granaries": lambda seeds: int(seeds >= GRANARY),
}
"""Features of a side that sum over its pits: what a pit of so many seeds counts."""

HEURISTICS: dict[str, dict[str, float]] = {
    "material": {"captured": 1},
    "mobility": {"captured": 1, "filled": 0.5},
    "kroo": {"captured": 1, "granaries": 1.5},
    "defence": {"captured": 1, "ones": -0.5, "twos": -0.5},
    "mixed": {"captured": 1, "filled": 0.2, "granaries": 1, "ones": -0.3, "twos": -0.3, "seeds": 0.2},
}


def pit_values(name: str, most: int = 255) -> list[int]:
    """Return what a pit is worth to its owner by its content, in hundredths of a seed, captured seeds apart.

    >>> pit_values("mixed", 3)
    [0, 10, 30, 80]
    """
    weights = [
        (weight, CONTENT_FEATURES[feature]) for feature, weight in HEURISTICS[name].items() if feature != "captured"
    ]
    return [round(SEED * sum(weight * count(seeds) for weight, count in weights)) for seeds in range(most + 1)]
