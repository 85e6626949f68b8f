"""Ratings from results, as in engine testing.

Elo is the logistic one: a player 400 points better scores ten times as much. A match is counted in pairs of games (the
same opening from both sides), because the two games of a pair are not independent: five possible results, from both
lost (0 points) to both won (2). The SPRT follows the generalised likelihood ratio of those five counts, as Fishtest
does (M. Van den Bergh, "The generalized sequential probability ratio test for multinomial distributions").
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""A pair's result as a score per game."""
_PRIOR = 1e-3
"""Added to every count, so that results not yet seen keep a positive probability."""
NINETY_FIVE = 1.959963984540054


def elo(score: float) -> float:
    """Return the difference that makes a score expected; infinite for 0 and 1.

    >>> round(elo(0.75), 1), elo(0.5), elo(1.0)
    (190.8, 0.0, inf)
    """
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return -400 * math.log10(1 / score - 1) + 0.0


def expected(difference: float) -> float:
    """Return the expected score of a difference.

    >>> round(expected(190.85), 3)
    0.75
    """
    return 1 / (1 + 10 ** (-difference / 400))


class Estimate(NamedTuple):
    """A difference in Elo with its 95 % interval."""

    elo: float
    low: float
    high: float
    los: float
    """Likelihood of superiority: the probability that the first player is the stronger one."""

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


def moments(pentanomial: Sequence[float]) -> tuple[float, float, float]:
    """Return the number of pairs, the mean score of a game and the variance of a pair's score (per game)."""
    pairs = float(sum(pentanomial))
    if pairs == 0:
        return 0.0, 0.5, 0.0
    mean = sum(n * s for n, s in zip(pentanomial, SCORES, strict=True)) / pairs
    variance = sum(n * (s - mean) ** 2 for n, s in zip(pentanomial, SCORES, strict=True)) / pairs
    return pairs, mean, variance


def estimate(pentanomial: Sequence[int]) -> Estimate:
    """Return the difference that the pairs of a match show."""
    pairs, mean, variance = moments(pentanomial)
    if pairs == 0:
        return Estimate(0.0, -math.inf, math.inf, 0.5)
    _, _, spread = moments([n + _PRIOR for n in pentanomial])
    error = math.sqrt((variance or spread) / pairs)
    los = 0.5 * math.erfc(-(mean - 0.5) / (error * math.sqrt(2)))
    return Estimate(elo(mean), elo(mean - NINETY_FIVE * error), elo(mean + NINETY_FIVE * error), los)


# -- SPRT --------------------------------------------------------------------------------------------------------------


class Llr(NamedTuple):
    """The state of a sequential test."""

    llr: float
    lower: float
    upper: float

    @property
    def verdict(self) -> str | None:
        """Return `H0` or `H1` once it is decided."""
        if self.llr <= self.lower:
            return "H0"
        return "H1" if self.llr >= self.upper else None


def sprt(pentanomial: Sequence[int], elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> Llr:
    """Return the log-likelihood ratio of `elo1` against `elo0`, and the bounds at which it decides."""
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    if not sum(pentanomial):
        return Llr(0.0, lower, upper)
    counts = [n + _PRIOR for n in pentanomial]
    pairs = sum(counts)
    shares = [n / pairs for n in counts]
    first, second = (_most_likely(shares, expected(claim)) for claim in (elo0, elo1))
    llr = pairs * sum(p * math.log(b / a) for p, a, b in zip(shares, first, second, strict=True))
    return Llr(llr, lower, upper)


def _most_likely(shares: Sequence[float], mean: float) -> list[float]:
    """Return the most likely distribution with a given mean: p / (1 + x (score - mean)), where x is the root of a
    function that decreases between two poles."""
    low = -1 / (SCORES[-1] - mean)
    high = 1 / (mean - SCORES[0])
    for _ in range(200):
        x = (low + high) / 2
        if x in (low, high):
            break
        slope = sum(p * (s - mean) / (1 + x * (s - mean)) for p, s in zip(shares, SCORES, strict=True))
        low, high = (x, high) if slope > 0 else (low, x)
    x = (low + high) / 2
    return [p / (1 + x * (s - mean)) for p, s in zip(shares, SCORES, strict=True)]


# -- many players ------------------------------------------------------------------------------------------------------


class Ranked(NamedTuple):
    """A player's maximum-likelihood rating: the mean of all players is 0."""

    elo: float
    error: float
    """95 %."""


PRIOR_ELO = 800.0
"""The prior's scale: keeps the rating of a player who won everything finite."""


def ratings(scores: Sequence[Sequence[float]], prior: float = PRIOR_ELO) -> list[Ranked]:
    """Return the ratings of many players (Bradley and Terry, draws as half a win each) from `scores[a][b]`, the points
    of a against b. Newton's method on the penalised likelihood, which has exactly one maximum."""
    import numpy as np

    won = np.array(scores, float)
    count = len(won)
    games = won + won.T
    unit = 400 / math.log(10)
    penalty = (unit / prior) ** 2
    strength = np.zeros(count)
    hessian = np.eye(count)
    for _ in range(200):
        chance = 1 / (1 + np.exp(strength[None, :] - strength[:, None]))
        slope = (won - games * chance).sum(1) - penalty * strength
        weight = games * chance * (1 - chance)
        hessian = np.diag(weight.sum(1) + penalty) - weight
        step = np.linalg.solve(hessian, slope)
        # A whole Newton step may overshoot: at most about 350 Elo at a time.
        strength += step / max(1.0, float(np.abs(step).max()) / 2)
        if float(np.abs(step).max()) < 1e-12:
            break
    strength -= strength.mean()
    centre = np.eye(count) - 1 / count
    spread = centre @ np.linalg.inv(hessian) @ centre
    errors = NINETY_FIVE * np.sqrt(np.clip(np.diag(spread), 0, None))
    return [Ranked(float(s * unit), float(e * unit)) for s, e in zip(strength, errors, strict=True)]
