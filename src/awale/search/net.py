"""A small integer network that evaluates single-lap positions, in hundredths of a seed for the player to move.

Every pit selects one row of the first layer by its place, its owner and its contents; the rows are added, rectified and
weighed by an output layer. Both layers depend on the number of seeds on the board. The network estimates what the
player to move still wins of these seeds, net; captured seeds are added as they are. `scripts/train_net.py` trains it on
the exact values of endgame tables.

All numbers are 16-bit integers and their order of summation does not matter: values are the same on every machine.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from awale.kernels.bits import byte_sum
from awale.kernels.jit import jit
from awale.kernels.tricolor import clip_bytes, unsigned_constant

NETS = ("abapa", "awari", "casabianca", "upsti", "wikipedia")
"""The rule systems that have a network of their own."""
PLACES = 6
"""Pits of a side, counted from the owner's right on smaller boards: sowings leave for the other side there."""
CONTENTS = 32
"""Contents that a pit tells apart; the last one stands for all above."""
HIDDEN = 128
PHASES = 25
"""Output layers: one for every two seeds on the board, the last for 48 and more."""
STAGES = 6
"""First layers: for fewer than 16 seeds, for every four from there, and for 32 and more."""
ROWS = 2 * PLACES * CONTENTS
THEIRS = PLACES * CONTENTS * HIDDEN
"""Where the rows of the opponent's pits begin in a first layer, after those of the player to move."""
BIAS = ROWS * HIDDEN
"""Where the biases of the hidden units stand in it."""
FIRST = BIAS + HIDDEN
"""The size of a first layer."""
OUTPUT = STAGES * FIRST
LEVEL = OUTPUT + PHASES * HIDDEN
"""Where the constants of the phases stand, after their output weights."""
SIZE = LEVEL + PHASES
ACTIVATION_BITS, OUTPUT_BITS = 7, 4
"""Fixed point: fractional bits of the first layer, and of the output weights beyond hundredths."""
_ABOVE_31 = unsigned_constant(0xE0E0_E0E0_E0E0)
"""The bits of a byte that make it more than 31."""


@jit(forceinline=True)
def _row(word: int, pit: int) -> int:
    """Return where the row of a pit of the mover's side begins."""
    return (pit * CONTENTS + ((word >> (8 * pit)) & (CONTENTS - 1))) * HIDDEN


@jit(forceinline=True)
def stage_of(phase: int) -> int:
    """Return the number of the first layer of a phase."""
    return min(max((phase >> 1) - 3, 0), STAGES - 1)


@jit(forceinline=True)
def net_value(net: NDArray[np.int16], mine: int, theirs: int, pits: int, ahead: int) -> int:
    """Return the value to the owner of `mine`, for two words of a byte a pit."""
    phase = min(byte_sum(mine + theirs) >> 1, PHASES - 1)
    layer = stage_of(phase) * FIRST
    mine = clip_bytes(mine, 5, _ABOVE_31, 0x1F1F_1F1F_1F1F) << (8 * (PLACES - pits))
    theirs = clip_bytes(theirs, 5, _ABOVE_31, 0x1F1F_1F1F_1F1F) << (8 * (PLACES - pits))
    m0, m1, m2 = layer + _row(mine, 0), layer + _row(mine, 1), layer + _row(mine, 2)
    m3, m4, m5 = layer + _row(mine, 3), layer + _row(mine, 4), layer + _row(mine, 5)
    other = layer + THEIRS
    t0, t1, t2 = other + _row(theirs, 0), other + _row(theirs, 1), other + _row(theirs, 2)
    t3, t4, t5 = other + _row(theirs, 3), other + _row(theirs, 4), other + _row(theirs, 5)
    bias, output = layer + BIAS, OUTPUT + phase * HIDDEN
    total = np.int32(0)
    # One loop over the hidden units, with the pits written out: compilers turn it into a few vector instructions.
    for i in range(HIDDEN):
        active = np.int16(
            net[m0 + i] + net[m1 + i] + net[m2 + i] + net[m3 + i] + net[m4 + i] + net[m5 + i]
            + net[t0 + i] + net[t1 + i] + net[t2 + i] + net[t3 + i] + net[t4 + i] + net[t5 + i]
            + net[bias + i]
        )  # fmt: skip
        active = max(active, np.int16(0))
        total = np.int32(total + np.int32(active) * np.int32(net[output + i]))
    return 100 * ahead + net[LEVEL + phase] + (np.int64(total) >> (ACTIVATION_BITS + OUTPUT_BITS))


def quantise(rows: Any, bias: Any, output: Any, level: Any) -> NDArray[np.int16]:
    """Return trained layers (in seeds) as the array of `net_value`; raise OverflowError if they do not fit."""
    first = np.round(np.asarray(rows).reshape(STAGES, ROWS, HIDDEN) * (1 << ACTIVATION_BITS))
    biases = np.round(np.asarray(bias).reshape(STAGES, 1, HIDDEN) * (1 << ACTIVATION_BITS))
    second = np.round(np.asarray(output).ravel() * 100 * (1 << OUTPUT_BITS))
    numbers = np.concatenate([np.concatenate([first, biases], axis=1).ravel(), second, np.round(level * 100)])
    largest = np.abs(first).reshape(STAGES, 2 * PLACES, CONTENTS, HIDDEN).max(axis=2).sum(axis=1) + np.abs(biases[:, 0])
    if max(np.abs(numbers).max(), largest.max()) > 32767:
        raise OverflowError("the weights do not fit in 16 bits")
    return numbers.astype(np.int16)


@lru_cache(maxsize=len(NETS))
def stored_net(name: str) -> NDArray[np.int16]:
    """Return the trained network of a rule system, one of `NETS`."""
    with files("awale").joinpath("search", "nets", f"{name}.npy").open("rb") as file:
        net: NDArray[np.int16] = np.load(file, allow_pickle=False)
    net.flags.writeable = False
    return net
