"""Ratings out of results, as engine testers reckon them.

Elo is the logistic one: a player 400 points better scores ten times as much. A match is counted in pairs of games (the
same opening from both sides), because the two games of a pair are not independent: five possible results, from both
lost (0 points) to both won (2). The SPRT follows the generalised likelihood ratio of those five counts, as
Fishtest does (M. Van den Bergh, "The generalized sequential probability ratio test for multinomial distributions").
The interval of a match is Bayesian, because a normal approximation is far too narrow for a few pairs or a clean sweep.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""A pair's result as a score a game."""
_PRIOR = 1e-3
"""Added to every count, so that a result that has not occurred yet is not held to be impossible."""
NINETY_FIVE = 1.959963984540054


def elo(score: float) -> float:
    """The difference that makes a score expected; endless for all or nothing.

    >>> round(elo(0.75), 1), elo(0.5), elo(1.0)
    (190.8, 0.0, inf)
    """
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return -400 * math.log10(1 / score - 1) + 0.0


def expected(difference: float) -> float:
    """The score that a difference makes expected.

    >>> round(expected(190.85), 3)
    0.75
    """
    return 1 / (1 + 10 ** (-difference / 400))


class Estimate(NamedTuple):
    """A difference in Elo: the median of its posterior distribution and its 95% credible interval."""

    elo: float
    low: float
    high: float
    los: float
    """Likelihood of superiority: the posterior probability that the first player is the better one."""

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def score_interval(self) -> tuple[float, float]:
        """The interval as expected scores."""
        return expected(self.low), expected(self.high)


def moments(pentanomial: Sequence[float]) -> tuple[float, float, float]:
    """Pairs, the mean score of a game and the variance of a pair's score (a game's worth)."""
    pairs = float(sum(pentanomial))
    if pairs == 0:
        return 0.0, 0.5, 0.0
    mean = sum(n * s for n, s in zip(pentanomial, SCORES, strict=True)) / pairs
    variance = sum(n * (s - mean) ** 2 for n, s in zip(pentanomial, SCORES, strict=True)) / pairs
    return pairs, mean, variance


PAIR_PRIOR = (0.3, 0.15, 0.3, 0.15, 0.3)
"""Dirichlet prior of the five results of a pair, worth about one pair; `docs/arena.md` shows the coverage it gives."""


def estimate(pentanomial: Sequence[int], unpaired: Sequence[int] = (0, 0, 0)) -> Estimate:
    """Return the difference that a match shows, from the posterior distribution of the mean score of a pair.

    `unpaired` counts the games lost, drawn and won whose pair is incomplete. Each weighs as half a pair.
    """
    weights = [prior + n for prior, n in zip(PAIR_PRIOR, pentanomial, strict=True)]
    for score, n in zip((0, 2, 4), unpaired, strict=True):
        weights[score] += n / 2
    low, middle, high = (_quantile(weights, z) for z in (-NINETY_FIVE, 0.0, NINETY_FIVE))
    return Estimate(middle, low, high, 0.5 * math.erfc(_deviate(weights, 0.0) / math.sqrt(2)))


def _quantile(weights: Sequence[float], deviate: float) -> float:
    """Return the difference below which the posterior has the probability of a normal deviate (regula falsi with the
    Illinois rule, from the bracket of a normal distribution)."""
    pairs, mean, variance = moments(weights)
    spread = math.sqrt(variance / pairs) / (mean * (1 - mean)) * 400 / math.log(10)
    low = high = elo(mean) + deviate * spread
    below = above = _deviate(weights, low) - deviate
    while below > 0:
        low, spread = low - spread, 2 * spread
        below = _deviate(weights, low) - deviate
    while above < 0:
        high, spread = high + spread, 2 * spread
        above = _deviate(weights, high) - deviate
    middle, last = low, 0.0
    for _ in range(100):
        if above > below:
            middle = (low * above - high * below) / (above - below)
        at = _deviate(weights, middle) - deviate
        if abs(at) < 1e-7:
            break
        again = at * last > 0
        if at > 0:
            high, above, below = middle, at, below / 2 if again else below
        else:
            low, below, above = middle, at, above / 2 if again else above
        last = at
    return middle


def _deviate(weights: Sequence[float], difference: float) -> float:
    """Return the normal deviate of the posterior probability that the true difference is smaller.

    The mean of a Dirichlet distribution lies below m where a sum of independent gamma variables, each times its score
    minus m, is negative. The saddlepoint approximation of that tail (Barndorff-Nielsen's r*) is the signed root of the
    profile likelihood ratio with a correction for small samples.
    """
    mean, rest = expected(difference), expected(-difference)
    apart = [s * rest - (1 - s) * mean for s in SCORES]
    x = _tilt(weights, apart)
    ratio = 2 * sum(a * math.log1p(x * d) for a, d in zip(weights, apart, strict=True))
    tilted = [d / (1 + x * d) for d in apart]
    second = sum(a * d**2 for a, d in zip(weights, tilted, strict=True))
    root = -math.copysign(math.sqrt(max(ratio, 0.0)), x)
    if abs(root) < 1e-3:
        return root + sum(a * d**3 for a, d in zip(weights, tilted, strict=True)) / (3 * second * math.sqrt(second))
    return root + math.log(-x * math.sqrt(second) / root) / root


# -- SPRT --------------------------------------------------------------------------------------------------------------


class Llr(NamedTuple):
    """Where a sequential test stands."""

    llr: float
    lower: float
    upper: float

    @property
    def verdict(self) -> str | None:
        """`H0` or `H1` once it is decided."""
        if self.llr <= self.lower:
            return "H0"
        return "H1" if self.llr >= self.upper else None


def sprt(pentanomial: Sequence[int], elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> Llr:
    """The log-likelihood ratio of `elo1` against `elo0`, and the bounds at which it decides."""
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
    """Return the distribution nearest to what was seen among those with a given mean."""
    apart = [s - mean for s in SCORES]
    x = _tilt(shares, apart)
    return [p / (1 + x * d) for p, d in zip(shares, apart, strict=True)]


def _tilt(weights: Sequence[float], apart: Sequence[float]) -> float:
    """Return the x for which the weights / (1 + x * apart) balance: the root of a function that falls all the way
    between two poles, by Newton's method within brackets."""
    low, high = -1 / apart[-1], -1 / apart[0]
    x = 0.0
    for _ in range(200):
        tilted = [d / (1 + x * d) for d in apart]
        value = sum(a * d for a, d in zip(weights, tilted, strict=True))
        low, high = (x, high) if value > 0 else (low, x)
        there = x + value / sum(a * d**2 for a, d in zip(weights, tilted, strict=True))
        if not low < there < high:
            there = (low + high) / 2
        if abs(there - x) <= 1e-13 * abs(x):
            break
        x = there
    return x


# -- many players ------------------------------------------------------------------------------------------------------


class Ranked(NamedTuple):
    """A player's maximum-likelihood rating: the mean of all players is 0."""

    elo: float
    error: float
    """95 %."""


PRIOR_ELO = 800.0
"""How far apart players may well be before any game is seen: keeps who won everything from an endless rating."""


def ratings(scores: Sequence[Sequence[float]], prior: float = PRIOR_ELO) -> list[Ranked]:
    """Ratings of many players (Bradley and Terry, draws as half a win each) from `scores[a][b]`, the points that a made
    against b. Newton's method on the penalised likelihood, which has exactly one maximum."""
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
        # A whole step from far away may overshoot: never more than about 350 Elo at a time.
        strength += step / max(1.0, float(np.abs(step).max()) / 2)
        if float(np.abs(step).max()) < 1e-12:
            break
    strength -= strength.mean()
    centre = np.eye(count) - 1 / count
    spread = centre @ np.linalg.inv(hessian) @ centre
    errors = NINETY_FIVE * np.sqrt(np.clip(np.diag(spread), 0, None))
    return [Ranked(float(s * unit), float(e * unit)) for s, e in zip(strength, errors, strict=True)]
