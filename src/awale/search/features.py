"""Heuristics for the one-colour rules, each a number of hundredths of a seed from the side of the player to move.

- `material`: captured seeds, mine less the other's: what the score says and nothing else.
- `mobility`: captured seeds, and half a seed for each pit that can be played beyond the opponent's. A player with many
  pits to choose from is not forced; one with a single pit must play what the other wants.
- `kroo`: captured seeds, and one and a half seeds for each pit of twelve seeds or more (a granary, *grenier*), because
  emptying it goes round the board and harvests a side where every pit holds a seed or two.
- `defence`: captured seeds, less half a seed for each of one's pits that holds 1 or 2 seeds, since those are what the
  last seed of an enemy sowing takes; the opponent's such pits count for one.
- `mixed`: captured seeds with mobility at 0.2, granaries at 1, defence at 0.3 of a seed, and a fifth of a seed for each
  seed lying on one's side beyond the other's: a bit of everything.
"""

from __future__ import annotations

from typing import Any

from awale.kernels.jit import COMPILER_OFF, jit
from awale.search.states import NARROW, WIDE

FEATURES = ("material", "mobility", "kroo", "defence", "mixed")
MATERIAL, MOBILITY, KROO, DEFENCE, MIXED = range(5)
SEED = 100


@jit
def _sides(mine: int, theirs: int) -> tuple[int, int, int, int]:
    """Mine less theirs: pits not empty, granaries, pits of 1 or 2, seeds."""
    filled = large = weak = seeds = 0
    for pit in range(6):
        own = (mine >> (8 * pit)) & 255
        other = (theirs >> (8 * pit)) & 255
        filled += (own > 0) - (other > 0)
        large += (own >= 12) - (other >= 12)
        weak += (own == 1 or own == 2) - (other == 1 or other == 2)
        seeds += own - other
    return filled, large, weak, seeds


@jit
def _weigh(ahead: int, sides: tuple[int, int, int, int], feature: int) -> int:
    filled, large, weak, seeds = sides
    value = SEED * ahead
    if feature == MOBILITY:
        return value + 50 * filled
    if feature == KROO:
        return value + 150 * large
    if feature == DEFENCE:
        return value - 50 * weak
    if feature == MIXED:
        return value + 20 * filled + 100 * large - 30 * weak + 20 * seeds
    return value


@jit
def _ahead(state: Any) -> int:
    return state.south - state.north if state.turn == 0 else state.north - state.south


@jit
def _narrow(state: Any, feature: int) -> int:
    return _weigh(_ahead(state), _sides(state.mine, state.theirs), feature)


@jit
def _wide(state: Any, feature: int) -> int:
    low = _sides(state.mine, state.theirs)
    high = _sides(state.mine_high, state.theirs_high)
    both = (low[0] + high[0], low[1] + high[1], low[2] + high[2], low[3] + high[3])
    return _weigh(_ahead(state), both, feature)


@jit
def _plain(state: Any, feature: int) -> int:
    return _weigh(_ahead(state), (0, 0, 0, 0), MATERIAL)


def feature_value(k: Any, state: Any, feature: int) -> int:
    """A heuristic's value of a state; the three-colour game knows material alone."""
    if isinstance(state, NARROW):
        return int(_narrow(state, feature))
    if isinstance(state, WIDE):
        return int(_wide(state, feature))
    return int(_plain(state, feature))


if not COMPILER_OFF:
    from numba.extending import overload

    @overload(feature_value, strict=False)
    def _feature_value(k: Any, state: Any, feature: Any) -> Any:
        family = getattr(state, "instance_class", None)
        if family in NARROW:
            return lambda k, state, feature: _narrow(state, feature)
        if family in WIDE:
            return lambda k, state, feature: _wide(state, feature)
        return lambda k, state, feature: _plain(state, feature)
