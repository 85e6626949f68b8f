"""Elo, error bars, SPRT and ratings, against other reckonings of the same."""

from __future__ import annotations

import math
import random

import choix
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from awale.arena import statistics
from awale.arena.errors import ArenaError
from awale.arena.schedule import Sprt
from awale.arena.statistics import SCORES


@given(st.floats(-700, 700))
def test_elo_and_expected_undo_each_other(difference: float) -> None:
    assert statistics.elo(statistics.expected(difference)) == pytest.approx(difference, abs=1e-6)


def test_all_or_nothing_has_no_end() -> None:
    assert statistics.elo(0) == -math.inf
    assert statistics.elo(1) == math.inf


def test_many_pairs_give_the_normal_interval() -> None:
    # 100 pairs: mean 0.55, variance from the counts.
    counts = (5, 15, 40, 35, 5)
    mean = sum(n * s for n, s in zip(counts, SCORES, strict=True)) / 100
    error = 1.959964 * math.sqrt(sum(n * (s - mean) ** 2 for n, s in zip(counts, SCORES, strict=True)) / 100 / 100)
    found = statistics.estimate(counts)
    assert mean == 0.55
    assert found.elo == pytest.approx(-400 * math.log10(1 / 0.55 - 1), abs=0.5)
    assert found.low == pytest.approx(-400 * math.log10(1 / (0.55 - error) - 1), abs=2)
    assert found.high == pytest.approx(-400 * math.log10(1 / (0.55 + error) - 1), abs=2)
    assert 0.98 < found.los < 1


@given(st.lists(st.integers(0, 60), min_size=5, max_size=5))
def test_turning_the_match_round_turns_the_estimate_round(counts: list[int]) -> None:
    there, back = statistics.estimate(counts), statistics.estimate(counts[::-1])
    assert there.low < there.elo < there.high
    assert there[:3] == pytest.approx((-back.elo, -back.high, -back.low), abs=1e-3)
    assert there.los == pytest.approx(1 - back.los, abs=1e-9)
    ahead = statistics.sprt(counts, -5, 5).llr
    assert ahead == pytest.approx(-statistics.sprt(counts[::-1], -5, 5).llr, abs=1e-6)


@pytest.mark.parametrize(
    "counts", [(0, 0, 0, 0, 0), (0, 0, 0, 0, 1), (0, 0, 1, 0, 0), (0, 2, 1, 0, 0), (9, 0, 0, 0, 0), (0, 0, 0, 1, 999)]
)
def test_estimate_is_the_posterior_that_sampling_finds(counts: tuple[int, ...]) -> None:
    weights = np.array(statistics.PAIR_PRIOR) + counts
    drawn = np.random.default_rng(11).dirichlet(weights, 200_000) @ SCORES
    found = statistics.estimate(counts)
    for bound, share in ((found.low, 0.025), (found.elo, 0.5), (found.high, 0.975)):
        assert (drawn < statistics.expected(bound)).mean() == pytest.approx(share, abs=0.015 if share == 0.5 else 0.006)
    assert found.los == pytest.approx((drawn > 0.5).mean(), abs=0.005)


def test_two_wins_are_no_certainty() -> None:
    found = statistics.estimate((0, 0, 0, 0, 1))
    assert found.low < 0 < found.elo < found.high < 2000
    assert 0.75 < found.los < 0.9
    assert statistics.estimate((0, 0, 0, 0, 0)).los == pytest.approx(0.5)


def test_game_without_its_pair_counts_as_half_a_pair() -> None:
    nothing, pair = (0, 0, 0, 0, 0), (0, 0, 0, 0, 1)
    none, one, two = statistics.estimate(nothing), statistics.estimate(nothing, (0, 0, 1)), statistics.estimate(pair)
    assert none.los < one.los < two.los
    assert none.low < one.low < two.low
    assert statistics.estimate((1, 0, 0, 0, 0), (0, 2, 0)) == statistics.estimate((1, 0, 1, 0, 0))


# -- coverage ----------------------------------------------------------------------------------------------------------


def simulate(pairs: int, matches: int, spread: float = 250, odd: bool = False, about: float = 0) -> tuple[float, float]:
    """Return how often the interval covers the true difference, and the largest gap between the likelihood of
    superiority and how often it is right.

    True Elo differences are normally distributed about `about`, equal players draw up to half of their games, and the
    opening favours one side by about 100 Elo.
    """
    chance = np.random.default_rng((17, pairs, int(spread), odd))
    difference = chance.normal(about, spread, matches)
    draws = chance.uniform(0, 0.5, matches)
    bias = chance.normal(0, 100, matches)
    games = []
    for sign in (1, -1):
        score = 1 / (1 + 10 ** (-(difference + sign * bias) / 400))
        drawn = 4 * draws * score * (1 - score)
        games.append(np.stack([1 - score - drawn / 2, drawn, score - drawn / 2], 1))
    found: dict[tuple[int, ...], statistics.Estimate] = {}
    covered, sure, right = 0, np.zeros(matches), np.zeros(matches, bool)
    for match, (first, second) in enumerate(zip(*games, strict=True)):
        pair = np.convolve(first, second)
        counts = chance.multinomial(pairs, pair).tolist()
        single = chance.multinomial(1, first).tolist() if odd else [0, 0, 0]
        key = (*counts, *single)
        if key not in found:
            found[key] = statistics.estimate(counts, single)
        low, high, mean = statistics.expected(found[key].low), statistics.expected(found[key].high), pair @ SCORES
        covered += low <= mean <= high
        ahead = found[key].los > 0.5
        sure[match] = found[key].los if ahead else 1 - found[key].los
        right[match] = (mean > 0.5) == ahead
    bands = [(sure >= low) & (sure < low + 0.1) for low in (0.5, 0.6, 0.7, 0.8, 0.9)]
    # Results that favour nobody are neither right nor wrong.
    bands[0] &= sure > 0.5 + 1e-9
    gaps = [abs(sure[band].mean() - right[band].mean()) for band in bands if band.sum() > 500]
    return covered / matches, max(gaps, default=0)


@pytest.mark.parametrize(("pairs", "matches"), [(1, 10_000), (2, 10_000), (5, 10_000), (20, 2_500), (100, 2_500)])
def test_interval_and_superiority_keep_their_promise(pairs: int, matches: int) -> None:
    coverage, gap = simulate(pairs, matches)
    assert 0.94 <= coverage <= 0.96
    assert gap < 0.08


def test_interval_with_an_odd_game_is_not_too_narrow() -> None:
    # Half a pair is a cautious weight for a game, so the interval may cover a little more.
    coverage, gap = simulate(2, 10_000, odd=True)
    assert 0.94 <= coverage <= 0.97
    assert gap < 0.08


@pytest.mark.slow
def test_coverage_table() -> None:
    """Print the table of docs/arena.md with `pytest -s`: coverage in percent, and the gap of the superiority."""
    sizes = (1, 2, 5, 20, 100)
    print("\nspread " + "".join(f"{pairs:>14}" for pairs in sizes))
    for spread in (100, 200, 250, 300, 400):
        row = [simulate(pairs, 20_000, spread) for pairs in sizes]
        print(f"{spread:>6} " + "".join(f"{100 * coverage:8.1f} ({100 * gap:3.1f})" for coverage, gap in row))
        if spread == 250:
            assert all(0.94 <= coverage <= 0.96 for coverage, _ in row)
    for fixed in (0, 100, 200, 300, 400):
        print(f"{fixed:>6} " + "".join(f"{100 * simulate(n, 20_000, 0, about=fixed)[0]:14.1f}" for n in sizes))


@pytest.mark.parametrize(("pairs", "least"), [(1, 0.73), (2, 0.88), (5, 0.92), (20, 0.93)])
def test_coverage_at_one_difference(pairs: int, least: float) -> None:
    """A single pair has five results, so no interval covers every fixed difference equally often: docs/arena.md says
    how often this one does."""
    found = [simulate(pairs, 2_500, 0, about=fixed)[0] for fixed in (0, 200, 300, 400)]
    assert min(found) >= least
    assert pairs > 2 or found[0] > 0.99


@pytest.mark.parametrize("counts", [(5, 15, 40, 35, 5), (0, 3, 9, 2, 1), (40, 2, 1, 1, 6), (1, 0, 0, 0, 12)])
@pytest.mark.parametrize("claim", [-50.0, 0.0, 12.5, 200.0])
def test_most_likely_distribution_is_the_one_an_optimiser_finds(counts: tuple[int, ...], claim: float) -> None:
    shares = np.array([n + 1e-3 for n in counts]) / (sum(counts) + 5e-3)
    mean = statistics.expected(claim)
    ours = np.array(statistics._most_likely(list(shares), mean))
    assert ours.sum() == pytest.approx(1, abs=1e-9)
    assert (ours * SCORES).sum() == pytest.approx(mean, abs=1e-9)
    found = minimize(
        lambda p: -(shares * np.log(p)).sum(),
        ours * 0.9 + 0.02,
        bounds=[(1e-9, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: (p * SCORES).sum() - mean},
        ],
    )
    assert -(shares * np.log(ours)).sum() <= found.fun + 1e-6


def test_sprt_bounds_and_verdicts() -> None:
    start = statistics.sprt((0, 0, 0, 0, 0), 0, 10)
    assert (start.llr, start.verdict) == (0.0, None)
    assert start.upper == pytest.approx(math.log(0.95 / 0.05))
    assert statistics.sprt((0, 0, 200, 150, 50), 0, 10).verdict == "H1"
    assert statistics.sprt((50, 150, 200, 0, 0), 0, 10).verdict == "H0"


def test_sprt_errs_as_seldom_as_it_promises() -> None:
    """Drawn from H0, about one run in twenty may accept H1: 200 runs, and far fewer than 30 do."""
    chance = random.Random(5)
    weights = (10, 20, 40, 20, 10)
    wrong = decided = 0
    for _ in range(200):
        counts = [0] * 5
        for _ in range(600):
            counts[chance.choices(range(5), weights)[0]] += 1
            if sum(counts) % 10 == 0:
                verdict = statistics.sprt(counts, 0, 40).verdict
                if verdict:
                    decided += 1
                    wrong += verdict == "H1"
                    break
    assert decided > 150
    assert wrong < 25


def test_sprt_as_it_is_written() -> None:
    assert Sprt.read("elo0=-3 elo1=4.5") == Sprt(-3, 4.5)
    assert Sprt.read("elo0=0,elo1=5,alpha=0.01,beta=0.1") == Sprt(0, 5, 0.01, 0.1)
    for bad in ("", "elo0", "elo2=3", "elo0=10 elo1=5", "alpha=0.9", "elo0=nan"):
        with pytest.raises(ArenaError):
            Sprt.read(bad)


def test_ratings_agree_with_choix() -> None:
    chance = random.Random(3)
    truth = [0.0, 0.4, 1.1, -0.7, 2.0]
    pairs = []
    scores = [[0.0] * 5 for _ in range(5)]
    for a in range(5):
        for b in range(a + 1, 5):
            for _ in range(30):
                draw = chance.random() < 0.2
                a_wins = chance.random() < 1 / (1 + math.exp(truth[b] - truth[a]))
                # A draw is half a win each: in choix every game goes in twice, a draw once each way.
                for _ in range(2):
                    first = a_wins if not draw else not pairs or pairs[-1] != (a, b)
                    pairs.append((a, b) if first else (b, a))
                scores[a][b] += 0.5 if draw else a_wins
                scores[b][a] += 0.5 if draw else not a_wins
    for a in range(5):
        for b in range(5):
            assert pairs.count((a, b)) == 2 * scores[a][b]
    unit = 400 / math.log(10)
    prior = 800.0
    # Twice the games, and its penalty is alpha times the squares where ours is half of them: the two cancel out.
    theirs = choix.opt_pairwise(5, pairs, alpha=(unit / prior) ** 2, tol=1e-12)
    ours = [rating.elo / unit for rating in statistics.ratings(scores, prior)]
    assert ours == pytest.approx(list(theirs - theirs.mean()), abs=1e-4)
    # And almost without a prior, by another of its methods.
    theirs = choix.ilsr_pairwise(5, pairs, alpha=0.0)
    ours = [rating.elo / unit for rating in statistics.ratings(scores, 1e7)]
    assert ours == pytest.approx(list(theirs - theirs.mean()), abs=1e-5)


def test_ratings_of_clean_sweeps_and_of_strangers_are_finite() -> None:
    sweep = statistics.ratings([[0, 10], [0, 0]])
    assert 0 < sweep[0].elo < 2000
    assert sweep[0].elo == pytest.approx(-sweep[1].elo)
    apart = statistics.ratings([[0, 5, 0, 0], [5, 0, 0, 0], [0, 0, 0, 9], [0, 0, 1, 0]])
    assert all(math.isfinite(rating.elo) and math.isfinite(rating.error) for rating in apart)


def test_error_bars_shrink_with_the_games() -> None:
    few = statistics.ratings([[0, 6], [4, 0]])[0]
    many = statistics.ratings([[0, 600], [400, 0]])[0]
    assert many.error < few.error / 5
