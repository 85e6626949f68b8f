"""The engine's guess at a position that is not over: hundredths of a seed, from the side of the player to move.

Captured seeds count in full. What lies on the board counts by a table of weights fitted to data (see
`scripts/fit_weights.py`): one number for each phase of the game, side, pit and content. A pit's place is counted from
its owner's right, where sowings leave for the other side, so that one table serves boards of every size; contents above
`MOST` count as `MOST`. In the three-colour game the weights are by side, colour and content of a hole.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.kernels.bits import byte_sum
from awale.kernels.jit import COMPILER_OFF, jit
from awale.kernels.tricolor import TriState
from awale.rules.description import Rules
from awale.search.linear import linear_value
from awale.search.states import NARROW

SEED = 100
"""One captured seed."""
PHASES, PLACES, MOST = 3, 6, 23
_CONTENTS = MOST + 1
SIZE = PHASES * 2 * PLACES * _CONTENTS
_SPREAD = 256
"""In use, every content that a byte can hold has its own number: looking it up needs no comparison."""
TRICOLOR_CONTENTS = 16
TRICOLOR_SIZE = 2 * 4 * TRICOLOR_CONTENTS
"""Two sides; red, blue, transparent and all colours together."""


@jit(forceinline=True)
def phase(seeds: int) -> int:
    """Few, some or many seeds on the board."""
    return 0 if seeds <= 16 else 1 if seeds <= 30 else 2


@jit(forceinline=True)
def slot(phase: int, side: int, place: int, content: int) -> int:
    """Where a weight stands: side 0 is the player to move."""
    if place >= PLACES:
        place = PLACES - 1
    if content > MOST:
        content = MOST
    return ((phase * 2 + side) * PLACES + place) * _CONTENTS + content


@jit(forceinline=True)
def pits_value(weights: NDArray[np.int32], mine: int, theirs: int, pits: int, seeds: int) -> int:
    """The board's worth to the owner of `mine`, for two words of a byte a pit."""
    value = 0
    at = phase(seeds) * 2 * PLACES * _SPREAD
    for place in range(pits):
        shift = 8 * (pits - 1 - place)
        value += weights[at + ((mine >> shift) & 255)]
        value += weights[at + PLACES * _SPREAD + ((theirs >> shift) & 255)]
        at += _SPREAD
    return value


@jit(forceinline=True)
def hole_value(weights: NDArray[np.int32], side: int, red: int, blue: int, clear: int) -> int:
    """One three-colour hole's worth: its colours one by one, and all together."""
    most = TRICOLOR_CONTENTS - 1
    base = side * 4 * TRICOLOR_CONTENTS
    total = red + blue + clear
    value = weights[base + (red if red < most else most)]
    value += weights[base + TRICOLOR_CONTENTS + (blue if blue < most else most)]
    value += weights[base + 2 * TRICOLOR_CONTENTS + (clear if clear < most else most)]
    return value + weights[base + 3 * TRICOLOR_CONTENTS + (total if total < most else most)]


@jit(forceinline=True)
def _narrow_value(k: Any, weights: NDArray[np.int32], state: Any) -> int:
    ahead = state.south - state.north if state.turn == 0 else state.north - state.south
    seeds = byte_sum(state.mine + state.theirs)
    return SEED * ahead + pits_value(weights, state.mine, state.theirs, k.pits, seeds)


@jit(forceinline=True)
def _tricolor_value(k: Any, weights: NDArray[np.int32], state: TriState) -> int:
    value = 0
    first, second = (0, 1) if state.turn == 0 else (1, 0)
    for hole in range(k.holes // 2):
        shift = 8 * hole
        value += hole_value(
            weights, first, (state.red0 >> shift) & 255, (state.blue0 >> shift) & 255, (state.clear0 >> shift) & 255
        )
        value += hole_value(
            weights, second, (state.red1 >> shift) & 255, (state.blue1 >> shift) & 255, (state.clear1 >> shift) & 255
        )
    ahead = state.south - state.north if state.turn == 0 else state.north - state.south
    return SEED * ahead + value


@jit(forceinline=True)
def _wide_value(k: Any, weights: NDArray[np.int32], state: Any) -> int:
    """The table knows six places: of a wider side the six on its owner's right, where the play is."""
    ahead = state.south - state.north if state.turn == 0 else state.north - state.south
    skip = 8 * (k.pits - PLACES)
    mine = ((state.mine >> skip) | (state.mine_high << (48 - skip))) & 0xFFFF_FFFF_FFFF
    theirs = ((state.theirs >> skip) | (state.theirs_high << (48 - skip))) & 0xFFFF_FFFF_FFFF
    return SEED * ahead + pits_value(weights, mine, theirs, PLACES, byte_sum(mine) + byte_sum(theirs))


def evaluate(k: Any, weights: NDArray[Any], state: Any) -> int:
    """The guess at a position of any family. Weights in two dimensions are those of a person's own evaluation (see
    `awale.search.linear`): the same search is compiled once for each."""
    if weights.ndim == 2:
        return linear_value(k, weights, state)
    if isinstance(state, NARROW):
        return int(_narrow_value(k, weights, state))
    if isinstance(state, TriState):
        return int(_tricolor_value(k, weights, state))
    return int(_wide_value(k, weights, state))


if not COMPILER_OFF:
    from numba.extending import overload

    @overload(evaluate, strict=False, jit_options={"forceinline": True})
    def _evaluate(k: Any, weights: Any, state: Any) -> Any:
        if weights.ndim == 2:
            return lambda k, weights, state: linear_value(k, weights, state)
        family = getattr(state, "instance_class", None)
        if family in NARROW:
            return lambda k, weights, state: _narrow_value(k, weights, state)
        if family is TriState:
            return lambda k, weights, state: _tricolor_value(k, weights, state)
        return lambda k, weights, state: _wide_value(k, weights, state)


MODELS = {"lap": "abapa", "relay": "ghana", "tricolor": "tricolor"}
"""Whose weights serve rules that have none of their own."""


@cache
def _stored() -> dict[str, list[int]]:
    text = files("awale").joinpath("search", "weights.json").read_text(encoding="utf-8")
    return {name: list(values) for name, values in json.loads(text)["weights"].items()}


def weights_for(rules: Rules) -> NDArray[np.int32]:
    """The fitted weights for a rule system: its own, else those of its family."""
    stored = _stored()
    named = (rules.name.partition(":")[0], MODELS[rules.family])
    return spread(rules, np.array(stored[next(name for name in named if name in stored)], dtype=np.int32))


def spread(rules: Rules, fitted: NDArray[np.int32]) -> NDArray[np.int32]:
    """Fitted weights as the search looks them up."""
    if rules.coloured:
        return fitted
    rows = fitted.reshape(-1, _CONTENTS)
    beyond = np.repeat(rows[:, -1:], _SPREAD - _CONTENTS, axis=1)
    return np.ascontiguousarray(np.concatenate([rows, beyond], axis=1).reshape(-1))
