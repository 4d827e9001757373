"""Limits from matchings: hit laws against enumeration and known laws, exact failure probabilities, widths."""

import itertools

import numpy as np
import pytest
from scipy import stats

from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.intervals.catalogue import Options
from surefoot.statistics.intervals.payoff_limits import hit_law, lower_limits, pbp_matchings
from surefoot.statistics.runs.samples import samples_from_runs

LEVEL = 0.05 / 48


def enumerated_hit_law(x, y):
    """By all one-to-one choices of runs of the larger sample for those of the smaller."""
    counts = np.zeros(min(len(x), len(y)) + 1)
    if len(x) <= len(y):
        for chosen in itertools.permutations(y, len(x)):
            counts[sum(b <= a for a, b in zip(x, chosen, strict=True))] += 1
    else:
        for chosen in itertools.permutations(x, len(y)):
            counts[sum(b <= a for a, b in zip(chosen, y, strict=True))] += 1
    return counts / counts.sum()


@pytest.mark.parametrize("sizes", [(1, 1), (2, 3), (5, 5), (6, 6), (3, 7), (7, 2)])
def test_hit_laws_are_those_of_all_matchings(sizes):
    rng = np.random.default_rng(sum(sizes))
    for values in (2, 4, 100):
        for _ in range(8):
            x, y = (np.sort(rng.integers(0, values, size).astype(float)) for size in sizes)
            np.testing.assert_allclose(hit_law(x, y), enumerated_hit_law(x, y), atol=1e-14)


def test_failures_are_never_more_probable_than_the_level():
    """By enumeration of all samples of few runs with three scores, at levels at which failures do happen."""
    grid = [p for p in itertools.product(np.linspace(0.02, 0.98, 7), repeat=2) if sum(p) < 1]
    laws_of_scores = np.array([[*p, 1 - sum(p)] for p in grid])
    truth = laws_of_scores @ np.tril(np.ones((3, 3))) @ laws_of_scores.T
    worst = 0.0
    for size, other in ((2, 2), (3, 3), (2, 4), (4, 2)):
        samples, chances = zip(*(_samples(count, laws_of_scores) for count in (size, other)), strict=True)
        hits = [hit_law(x, y) for x, y in itertools.product(*samples)]
        for level in (0.4, 0.05):
            low = lower_limits(hits, level).reshape(len(samples[0]), len(samples[1]))
            for a, b in np.ndindex(truth.shape):
                failing = (chances[0][:, a][:, None] * chances[1][:, b])[low > truth[a, b] + 1e-12].sum()
                assert failing <= level * (1 + 1e-8)
                worst = max(worst, failing / level)
    assert worst > 0.3  # the bound is not idle


def _samples(size, laws_of_scores):
    """All ascending samples of the scores 0, 1, 2, and the probability of each, float64[samples, laws]."""
    samples = [np.array(x, float) for x in itertools.combinations_with_replacement(range(3), size)]
    counts = np.array([np.bincount(x.astype(int), minlength=3) for x in samples])
    return samples, np.stack([stats.multinomial.pmf(counts, size, law) for law in laws_of_scores], axis=1)


def test_limits_hold_the_payoffs_and_shared_samples_need_none(run_table):
    rng = np.random.default_rng(5)
    a, b = rng.normal(size=40), rng.normal(1.0, size=25)
    alone = samples_from_runs(run_table({("a", "x"): a, ("b", "x"): b}))
    shared = samples_from_runs(run_table({("a", "x"): a, ("a_s", "x"): a, ("b", "x"): b}, {("a_s", "x"): "a"}))
    low, high = pbp_matchings(alone, Options(0.05), "corrected")
    z = payoffs(alone)
    assert ((low <= z) & (z <= high)).all() and low[0, 0, 0] == high[0, 0, 0] == 0.5
    low_shared, high_shared = pbp_matchings(shared, Options(0.05), "corrected")
    assert low_shared[0, 0, 1] == high_shared[0, 0, 1] == 0.5
    assert (low_shared[0, 0, 2], high_shared[0, 0, 2]) == (low[0, 0, 1], high[0, 0, 1])
    only = samples_from_runs(run_table({("a", "x"): a, ("a_s", "x"): a}, {("a_s", "x"): "a"}))
    assert (np.array(pbp_matchings(only, Options(0.05), "corrected")) == 0.5).all()
