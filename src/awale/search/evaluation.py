"""The engine's static evaluation of a position that is not over: hundredths of a seed, for the player to move.

Single-lap boards of up to six pits a side have a small network (see `awale.search.net`). The others add up weights
fitted to the results of games (see `scripts/fit_weights.py`): one for every pit, by its place, its contents and whose
it is, and one for the captured seeds. They change as the board empties, from knot to knot: a captured seed decides
little at first and nearly everything in the end. A pit's place is counted from its owner's right, where sowings leave
for the other side, so that one table serves boards of every size; contents above `MOST` count as `MOST`. In the
three-colour game, where all holes of a side are alike, a weight is for what a hole holds of each colour.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.kernels.bits import byte_sum
from awale.kernels.jit import class_of, dispatch, jit
from awale.kernels.tricolor import TriState, clip_bytes, seeds_in, unsigned, unsigned_constant
from awale.rules.description import Rules
from awale.search.linear import linear_value
from awale.search.net import NETS, net_value, stored_net
from awale.search.states import NARROW

SEED = 100
"""One captured seed, on average over the game."""
KNOTS = (0, 16, 32, 48)
"""Seeds on the board for which there are weights; between them they are interpolated."""
PLACES, MOST = 6, 23
_CONTENTS = MOST + 1
CAPTURED = len(KNOTS) * 2 * PLACES * _CONTENTS
"""Where the weights of captured seeds stand, one for each knot, after those of the pits."""
SIZE = CAPTURED + len(KNOTS)
_PHASES = KNOTS[-1] // 2 + 1
_SPREAD = 256
_CAPTURED_SPREAD = _PHASES * 2 * PLACES * _SPREAD
"""In use, weights are worked out for every second number of seeds, and every content that a byte can hold has its own:
looking one up needs neither arithmetic nor comparison."""
TRICOLOR_HOLES = 8 * 8 * 8
"""What a hole may hold: of each colour none to six, or more."""
TRICOLOR_EMPTY = 2 * TRICOLOR_HOLES
"""From a weight on the full board to the one on the empty board."""
TRICOLOR_CAPTURED = 2 * TRICOLOR_EMPTY
"""Where the worth of a captured seed stands: on the full board, then on the empty one."""
TRICOLOR_SIZE = TRICOLOR_CAPTURED + 2
_EIGHT_OR_MORE = unsigned_constant(0xF8F8_F8F8_F8F8_F8F8)
"""The bits of a byte that make it more than seven."""


@jit(forceinline=True)
def pits_value(weights: NDArray[np.int32], mine: int, theirs: int, pits: int, ahead: int) -> int:
    """The worth to the owner of `mine`, for two words of a byte a pit."""
    phase = byte_sum(mine + theirs) >> 1
    if phase >= _PHASES:
        phase = _PHASES - 1
    value = weights[_CAPTURED_SPREAD + phase] * ahead
    at = phase * 2 * PLACES * _SPREAD
    for place in range(pits):
        shift = 8 * (pits - 1 - place)
        value += weights[at + ((mine >> shift) & 255)]
        value += weights[at + PLACES * _SPREAD + ((theirs >> shift) & 255)]
        at += _SPREAD
    return value


@jit(forceinline=True)
def at_most_seven(word: int) -> int:
    """Each byte, but 7 where it is more."""
    return clip_bytes(word, 3, _EIGHT_OR_MORE, 0x0707_0707_0707_0707)


@jit(forceinline=True)
def _narrow_value(k: Any, weights: NDArray[np.int32], state: Any) -> int:
    ahead = state.south - state.north if state.turn == 0 else state.north - state.south
    return pits_value(weights, state.mine, state.theirs, k.pits, ahead)


@jit(forceinline=True)
def _net_value(k: Any, net: NDArray[np.int16], state: Any) -> int:
    ahead = state.south - state.north if state.turn == 0 else state.north - state.south
    return net_value(net, state.mine, state.theirs, k.pits, ahead)


@jit(forceinline=True)
def _tricolor_value(k: Any, weights: NDArray[np.int32], state: TriState) -> int:
    """Each hole by what it holds, weighed between the full board and the empty one."""
    full = empty = 0
    red0, blue0, clear0 = at_most_seven(state.red0), at_most_seven(state.blue0), at_most_seven(state.clear0)
    red1, blue1, clear1 = at_most_seven(state.red1), at_most_seven(state.blue1), at_most_seven(state.clear1)
    # Side by side, a hole's three numbers are one: blue and transparent share a byte.
    pale0, pale1 = (blue0 << 3) | clear0, (blue1 << 3) | clear1
    mine, theirs = (0, TRICOLOR_HOLES) if state.turn == 0 else (TRICOLOR_HOLES, 0)
    for hole in range(k.holes // 2):
        shift = 8 * hole
        one = mine + ((((red0 >> shift) & 7) << 6) | ((pale0 >> shift) & 63))
        two = theirs + ((((red1 >> shift) & 7) << 6) | ((pale1 >> shift) & 63))
        full += weights[one] + weights[two]
        empty += weights[TRICOLOR_EMPTY + one] + weights[TRICOLOR_EMPTY + two]
    gone = state.south + state.north
    together = state.red0 + state.blue0 + state.clear0 + state.red1 + state.blue1 + state.clear1
    left = seeds_in(unsigned(together))
    ahead = state.south - state.north if state.turn == 0 else state.north - state.south
    full += weights[TRICOLOR_CAPTURED] * ahead
    empty += weights[TRICOLOR_CAPTURED + 1] * ahead
    return (full * left + empty * gone) // (left + gone)


@jit(forceinline=True)
def _wide_value(k: Any, weights: NDArray[np.int32], state: Any) -> int:
    """The table knows six places: of a wider side the six on its owner's right, where the play is."""
    ahead = state.south - state.north if state.turn == 0 else state.north - state.south
    skip = 8 * (k.pits - PLACES)
    mine = ((state.mine >> skip) | (state.mine_high << (48 - skip))) & 0xFFFF_FFFF_FFFF
    theirs = ((state.theirs >> skip) | (state.theirs_high << (48 - skip))) & 0xFFFF_FFFF_FFFF
    return pits_value(weights, mine, theirs, PLACES, ahead)


@dispatch
def evaluate(k: Any, weights: NDArray[Any], state: Any) -> Any:
    """Return the static value of a position of any family.

    Weights of 16 bits are a network; those in two dimensions are a custom evaluation (see `awale.search.linear`). The
    search is compiled once for each."""
    if weights.ndim == 2:
        return lambda k, weights, state: linear_value(k, weights, state)
    if str(weights.dtype) == "int16":
        return _net_value
    family = class_of(state)
    return _narrow_value if family in NARROW else _tricolor_value if family is TriState else _wide_value


MODELS = {"lap": "abapa", "relay": "ghana", "tricolor": "tricolor"}
"""Whose weights serve rules that have none of their own."""


@cache
def _stored() -> dict[str, list[int]]:
    text = files("awale").joinpath("search", "weights.json").read_text(encoding="utf-8")
    return {name: list(values) for name, values in json.loads(text)["weights"].items()}


def net_for(rules: Rules) -> NDArray[np.int16]:
    """Return the network of single-lap rules on a board of at most six pits a side: their own, else the family's."""
    return stored_net(next(name for name in _names(rules) if name in NETS))


def _names(rules: Rules) -> tuple[str, str]:
    return rules.name.partition(":")[0], MODELS[rules.family]


def weights_for(rules: Rules) -> NDArray[np.int16] | NDArray[np.int32]:
    """Return the network or the fitted weights for a rule system: its own, else those of its family."""
    if rules.family == "lap" and rules.pits <= PLACES:
        return net_for(rules)
    stored = _stored()
    return spread(rules, np.array(stored[next(name for name in _names(rules) if name in stored)], dtype=np.int32))


def captured_alone(rules: Rules) -> NDArray[np.int32]:
    """Weights, as fitted, that know nothing but the captured seeds: what a fit starts from."""
    if rules.coloured:
        size, captured = TRICOLOR_SIZE, TRICOLOR_CAPTURED
    else:
        size, captured = SIZE, CAPTURED
    weights = np.zeros(size, np.int32)
    weights[captured:] = SEED
    return weights


def spread(rules: Rules, fitted: NDArray[np.int32]) -> NDArray[np.int32]:
    """Fitted weights as the search looks them up."""
    if rules.coloured:
        return fitted
    parts = shares(2 * np.arange(_PHASES) + 0.5)
    rows = parts @ fitted[:CAPTURED].reshape(len(KNOTS), -1)
    rows = rows.reshape(-1, _CONTENTS)
    beyond = np.repeat(rows[:, -1:], _SPREAD - _CONTENTS, axis=1)
    pits = np.concatenate([rows, beyond], axis=1).reshape(-1)
    return np.round(np.concatenate([pits, parts @ fitted[CAPTURED:]])).astype(np.int32)


def shares(seeds: NDArray[Any]) -> NDArray[np.float64]:
    """How much each knot counts where so many seeds are on the board."""
    return np.stack([np.interp(seeds, KNOTS, row) for row in np.eye(len(KNOTS))], axis=1)
