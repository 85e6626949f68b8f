"""Glicko-2, as Mark Glickman describes it ("Example of the Glicko-2 system", 2013): rating, deviation, volatility."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

SCALE = 173.7178
START_RATING, START_DEVIATION, START_VOLATILITY = 1500.0, 350.0, 0.06
TAU = 0.5
"""Constrains the change of volatility."""
_CLOSE = 1e-9


class Strength(NamedTuple):
    """A player's rating, deviation and volatility."""

    rating: float = START_RATING
    deviation: float = START_DEVIATION
    volatility: float = START_VOLATILITY


def _g(phi: float) -> float:
    return 1 / math.sqrt(1 + 3 * phi * phi / (math.pi * math.pi))


def update(player: Strength, results: Iterable[tuple[Strength, float]]) -> Strength:
    """Return a player's strength after the games of one period: opponents as before it, with 1, 0.5 or 0 against each.

    >>> others = [(Strength(1400, 30), 1), (Strength(1550, 100), 0), (Strength(1700, 300), 0)]
    >>> found = update(Strength(1500, 200), others)
    >>> round(found.rating, 2), round(found.deviation, 2), round(found.volatility, 5)
    (1464.05, 151.52, 0.06)
    """
    mu, phi, sigma = (player.rating - START_RATING) / SCALE, player.deviation / SCALE, player.volatility
    information = gain = 0.0
    for opponent, score in results:
        g = _g(opponent.deviation / SCALE)
        chance = 1 / (1 + math.exp(-g * (mu - (opponent.rating - START_RATING) / SCALE)))
        information += g * g * chance * (1 - chance)
        gain += g * (score - chance)
    if information == 0:
        return Strength(player.rating, min(START_DEVIATION, SCALE * math.hypot(phi, sigma)), sigma)
    variance = 1 / information
    sigma = _volatility(phi, sigma, variance, variance * gain)
    before = math.hypot(phi, sigma)
    phi = 1 / math.sqrt(1 / (before * before) + information)
    mu += phi * phi * gain
    return Strength(SCALE * mu + START_RATING, SCALE * phi, sigma)


def _volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Return the root of Glickman's f by the Illinois method."""
    a = math.log(sigma * sigma)

    def f(x: float) -> float:
        power = math.exp(x)
        total = phi * phi + variance + power
        return power * (delta * delta - total) / (2 * total * total) - (x - a) / (TAU * TAU)

    low = a
    if delta * delta > phi * phi + variance:
        high = math.log(delta * delta - phi * phi - variance)
    else:
        steps = 1
        while f(a - steps * TAU) < 0:
            steps += 1
        high = a - steps * TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _CLOSE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        value = f(middle)
        if value * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, value
    return math.exp(low / 2)
