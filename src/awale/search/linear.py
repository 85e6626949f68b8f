"""Linear evaluations of named features, as written in a file, at the engine's speed.

A value is in seeds, for the player to move. Every weight is tapered: it is given for the full and for the empty board
and interpolated by the seeds on the board. Features of a side may have different weights for the player to move and for
the opponent.

Most features depend only on the contents of a pit. They are summed beforehand into one number per content
(`Weighing.array`), and a position is evaluated by table look-ups. The others need the moves.

| feature | counts, for each side | rules |
|---|---|---|
| `captured` | seeds captured | all |
| `seeds` | seeds on the side | all |
| `filled` | pits that are not empty | all |
| `ones` `twos` `threes` `fours` `fives` | pits that hold exactly so many | all |
| `granaries` | pits of twelve seeds or more | all |
| `front` | seeds in the half of the side on its owner's right, nearest to the other side | one colour |
| `red` `blue` `clear` | seeds of a colour | three colours |
| `choices` | ways to play: a red, a blue, twice a hole with transparent seeds | three colours |

| feature | counts, for the player to move | rules |
|---|---|---|
| `best` | seeds taken by their best move | all |
| `captures` | their moves that capture | all |
| `fear` | seeds that the opponent's best move would take if it were the opponent's turn | all |
| `potential` | what the three-colour report's program counts as potential captures | three colours |
| `tempo` | one: the value of having the move | all |
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from awale import i18n
from awale.errors import AwaleError
from awale.kernels import generic
from awale.kernels.bits import byte_sum, lowest
from awale.kernels.jit import class_of, dispatch, function_of, jit
from awale.kernels.tricolor import TriState
from awale.rules.description import Rules
from awale.search.heuristics import CONTENT_FEATURES, HEURISTICS
from awale.search.states import NARROW
from awale.search.tricolor_2025_evaluation import potential

UNIT = 10_000
"""The value of a seed in fixed point: integer sums are the same on every machine."""
HUNDREDTH = UNIT // 100
MOST_WEIGHT = 100.0
"""The largest weight, in seeds."""

OF_CONTENTS = tuple(CONTENT_FEATURES)
"""Features of all colours together that depend on the contents of a pit."""
OF_COLOURS = ("red", "blue", "clear", "choices")
OF_PLACES = ("front",)
OF_SIDES = (*OF_CONTENTS, *OF_PLACES, *OF_COLOURS)
"""Features with one weight per side."""
OF_MOVES = ("captured", "best", "captures", "fear", "potential", "tempo")
"""Features that are a single number."""
NAMES = ("captured", *OF_SIDES, *OF_MOVES[1:])
COLOURED_ONLY = frozenset({*OF_COLOURS, "potential"})
ONE_COLOUR_ONLY = frozenset(OF_PLACES)

CONTENTS = 256
KINDS = 4
"""Three-colour holes: red, blue, transparent, all together. One colour: back pits, front pits."""
RED, BLUE, CLEAR, ALL = range(KINDS)
BEHIND, FRONT = range(2)
CAPTURED, BEST, CAPTURES, FEAR, POTENTIAL, TEMPO = range(len(OF_MOVES))
ROWS = 4 * KINDS + 1
SINGLE = 4 * KINDS
"""The row of the single-number features: those of the full board, then those of the empty one."""
_LATE = 2 * KINDS
"""The distance from a row for the full board to the one for the empty board."""


# -- compiled ------------------------------------------------------------------------------------------------------


@dispatch
def other_to_move(state: Any) -> Any:
    """Return the same position, which is not over, with the other player to move."""
    return _swapper(class_of(state))


@cache
def _swapper(family: Any) -> Any:
    """Return `other_to_move` for one family: its one-colour states are seen from the mover's side."""
    others = {"mine": "state.theirs", "theirs": "state.mine", "turn": "1 - state.turn", "endless": "0"}
    others |= {"mine_high": "state.theirs_high", "theirs_high": "state.mine_high"}
    fields = ", ".join(others.get(name, f"state.{name}") for name in family._fields)
    return function_of(f"def impl(state): return make({fields})", make=family)


@jit
def offers(k: Any, state: Any) -> tuple[int, int]:
    """Return the seeds taken by the mover's best move, and the number of moves that capture."""
    mask = generic.legal(k, state)
    before = state.south + state.north
    best = count = 0
    while mask:
        move = lowest(mask)
        mask &= mask - 1
        child = generic.play(k, state, move)
        taken = child.south + child.north - before
        count += taken > 0
        best = max(best, taken)
    return best, count


@jit
def _moves_value(k: Any, w: NDArray[np.int64], state: Any, captured: int, threat: int, left: int, gone: int) -> int:
    row = w[SINGLE]
    late = len(OF_MOVES)
    value = captured * (row[CAPTURED] * left + row[late + CAPTURED] * gone)
    value += row[TEMPO] * left + row[late + TEMPO] * gone
    value += threat * (row[POTENTIAL] * left + row[late + POTENTIAL] * gone)
    if row[BEST] | row[late + BEST] | row[CAPTURES] | row[late + CAPTURES]:
        best, count = offers(k, state)
        value += best * (row[BEST] * left + row[late + BEST] * gone)
        value += count * (row[CAPTURES] * left + row[late + CAPTURES] * gone)
    if row[FEAR] | row[late + FEAR]:
        best, count = offers(k, other_to_move(state))
        value += best * (row[FEAR] * left + row[late + FEAR] * gone)
    return value


@jit
def _in_hundredths(value: int, total: int) -> int:
    """Round towards zero, so that a position and its mirror image have opposite values."""
    if total <= 0:
        return 0
    whole = abs(value) // (total * HUNDREDTH)
    return whole if value >= 0 else -whole


@jit
def _pits(w: NDArray[np.int64], word: int, pits: int, first: int, front: int, side: int) -> tuple[int, int]:
    """Return the value of some pits on a full and on an empty board: `first` is the number of the lowest one, and front
    pits begin at `front`."""
    early = late = 0
    for pit in range(pits):
        row = side * KINDS + (FRONT if first + pit >= front else BEHIND)
        content = (word >> (8 * pit)) & 255
        early += w[row, content]
        late += w[row + _LATE, content]
    return early, late


@jit
def _narrow(k: Any, w: NDArray[np.int64], state: Any) -> int:
    front = k.pits - k.pits // 2
    mine = _pits(w, state.mine, k.pits, 0, front, 0)
    theirs = _pits(w, state.theirs, k.pits, 0, front, 1)
    left = byte_sum(state.mine + state.theirs)
    gone = state.south + state.north
    ahead = state.south - state.north if state.turn == 0 else state.north - state.south
    value = (mine[0] + theirs[0]) * left + (mine[1] + theirs[1]) * gone
    return _in_hundredths(value + _moves_value(k, w, state, ahead, 0, left, gone), left + gone)


@jit
def _wide(k: Any, w: NDArray[np.int64], state: Any) -> int:
    front = k.pits - k.pits // 2
    early = late = 0
    for side in range(2):
        low, high = (state.mine, state.mine_high) if side == 0 else (state.theirs, state.theirs_high)
        one = _pits(w, low, 6, 0, front, side)
        two = _pits(w, high, k.pits - 6, 6, front, side)
        early += one[0] + two[0]
        late += one[1] + two[1]
    left = byte_sum(state.mine + state.theirs) + byte_sum(state.mine_high + state.theirs_high)
    gone = state.south + state.north
    ahead = state.south - state.north if state.turn == 0 else state.north - state.south
    return _in_hundredths(early * left + late * gone + _moves_value(k, w, state, ahead, 0, left, gone), left + gone)


@jit
def _coloured(k: Any, w: NDArray[np.int64], state: TriState) -> int:
    early = late = left = 0
    for player in range(2):
        base = 0 if player == state.turn else KINDS
        if player == 0:
            red, blue, clear = state.red0, state.blue0, state.clear0
        else:
            red, blue, clear = state.red1, state.blue1, state.clear1
        for hole in range(k.holes // 2):
            shift = 8 * hole
            r, b, c = (red >> shift) & 255, (blue >> shift) & 255, (clear >> shift) & 255
            together = r + b + c
            left += together
            early += w[base + RED, r] + w[base + BLUE, b] + w[base + CLEAR, c] + w[base + ALL, together]
            row = base + _LATE
            late += w[row + RED, r] + w[row + BLUE, b] + w[row + CLEAR, c] + w[row + ALL, together]
    gone = state.south + state.north
    ahead = state.south - state.north if state.turn == 0 else state.north - state.south
    threat = 0
    if w[SINGLE, POTENTIAL] | w[SINGLE, len(OF_MOVES) + POTENTIAL]:
        threat = potential(state, k.holes)
    value = early * left + late * gone + _moves_value(k, w, state, ahead, threat, left, gone)
    return _in_hundredths(value, left + gone)


@dispatch
def linear_value(k: Any, w: NDArray[np.int64], state: Any) -> Any:
    """Return a position's value to the player to move, in hundredths of a seed; `w` is a `Weighing`'s array."""
    family = class_of(state)
    return _narrow if family in NARROW else _coloured if family is TriState else _wide


# -- in Python -----------------------------------------------------------------------------------------------------


class EvaluationError(AwaleError):
    """Raised for an evaluation that cannot be used."""


class Tapered(NamedTuple):
    """A weight on the full board and on the empty one."""

    full: float
    empty: float


@dataclass(frozen=True, slots=True)
class Weighing:
    """The weights of an evaluation, by feature, on the mover's side and on the other's (single-number features have
    `theirs` 0, and `captured` is mine less theirs)."""

    mine: Mapping[str, Tapered]
    theirs: Mapping[str, Tapered]

    @classmethod
    def of(cls, **weights: float) -> Weighing:
        """Return constant weights, mine less theirs.

        >>> Weighing.of(captured=1, filled=0.5).theirs["filled"]
        Tapered(full=-0.5, empty=-0.5)
        """
        return cls(
            {name: Tapered(weight, weight) for name, weight in weights.items()},
            {name: Tapered(-weight, -weight) for name, weight in weights.items() if name in OF_SIDES},
        )

    @property
    def features(self) -> tuple[str, ...]:
        """Return the features used."""
        return tuple(name for name in NAMES if name in self.mine or name in self.theirs)

    def check(self, rules: Rules) -> None:
        """Raise EvaluationError for features that these rules lack."""
        for name in self.features:
            if name not in names_for(rules):
                key = "one-colour" if name in ONE_COLOUR_ONLY else "coloured"
                raise EvaluationError(i18n.message(f"evaluations.bad.{key}", feature=name, rules=rules.name))

    def array(self, rules: Rules) -> NDArray[np.int64]:
        """Return the look-up table of the search."""
        self.check(rules)
        table = np.zeros((ROWS, CONTENTS), np.int64)
        for side, weights in enumerate((self.mine, self.theirs)):
            for name, weight in weights.items():
                for late, value in enumerate(weight):
                    number = round(UNIT * value)
                    if name in OF_MOVES:
                        table[SINGLE, late * len(OF_MOVES) + OF_MOVES.index(name)] += number
                        continue
                    base = late * _LATE + side * KINDS
                    for kind, contents in _contents(name, rules.coloured):
                        table[base + kind] += number * contents
        return table


def names_for(rules: Rules) -> tuple[str, ...]:
    """Return the features that these rules have."""
    refused = ONE_COLOUR_ONLY if rules.coloured else COLOURED_ONLY
    return tuple(name for name in NAMES if name not in refused)


def _contents(name: str, coloured: bool) -> list[tuple[int, NDArray[np.int64]]]:
    """Return what a feature counts for each content of a pit, by kind of pit."""
    content = np.arange(CONTENTS)
    some = (content > 0).astype(np.int64)
    if name == "choices":
        return [(RED, some), (BLUE, some), (CLEAR, 2 * some)]
    if name in OF_COLOURS:
        return [((RED, BLUE, CLEAR)[OF_COLOURS.index(name)], content)]
    if name in OF_PLACES:
        return [(FRONT, content)]
    counted = np.array([CONTENT_FEATURES[name](seeds) for seeds in range(CONTENTS)], np.int64)
    return [(ALL, counted)] if coloured else [(BEHIND, counted), (FRONT, counted)]


BUILT_IN: dict[str, Weighing] = {
    **{name: Weighing.of(**weights) for name, weights in HEURISTICS.items()},
    "corrected": Weighing.of(captured=1, potential=2.25, seeds=0.5, clear=0.75),
}
"""The classic heuristics, and the 2025 three-colour report's `corrected` without its rounding."""


def finite_weight(value: object) -> float | None:
    """Return a valid weight as a float, else None."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) and abs(value) <= MOST_WEIGHT else None
