"""Words of six bytes, and the machine instructions behind them."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from awale.kernels import bits
from awale.kernels.jit import COMPILER_OFF, jit

# All seeds of a side lie between the first and the last of seven cuts: never more than 240 together.
pits = st.lists(st.integers(0, 240), min_size=7, max_size=7).map(
    lambda cuts: [after - before for before, after in pairwise(sorted(cuts))]
)
masks = st.integers(1, (1 << 62) - 1)


@jit(cache=False)
def instructions(word: int) -> tuple[int, int, int]:
    return bits.popcount(word), bits.lowest(word), bits.bit_length(word)


def test_the_compiler_is_on_here() -> None:
    assert not COMPILER_OFF


@given(pits)
def test_byte_arithmetic(side: list[int]) -> None:
    word = sum(seeds << (8 * i) for i, seeds in enumerate(side))
    assert bits.byte_sum(word) == sum(side)
    assert bits.occupied(word) == sum(1 << i for i, seeds in enumerate(side) if seeds)


@given(masks)
def test_instructions(word: int) -> None:
    assert instructions(word) == (word.bit_count(), (word & -word).bit_length() - 1, word.bit_length())


def test_the_length_of_nothing_is_nothing() -> None:
    assert instructions(0)[2] == 0


@given(masks, st.data())
def test_the_nth_bit(mask: int, data: st.DataObject) -> None:
    places = [bit for bit in range(62) if mask >> bit & 1]
    n = data.draw(st.integers(0, len(places) - 1))
    assert bits.nth_bit(mask, n) == places[n]
