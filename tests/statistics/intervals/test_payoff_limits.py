"""Limits of the payoffs by PBP and PBP-t: printed digits, scores of which all are equal or apart; and by matchings: hit
laws by enumeration, exact failure probabilities."""

import itertools

import numpy as np
import pytest
from scipy import stats

from surefoot.statistics.intervals.interval_catalogue import Options
from surefoot.statistics.intervals.payoff_limits import hit_law, lower_limits, pbp, pbp_matchings, pbp_t
from surefoot.statistics.runs.samples import samples_from_runs


def test_cross_check_data_to_the_printed_digits(cross_check_samples):
    low, high = pbp(cross_check_samples, Options(0.05), "as_published")
    assert [low[0, 0, 1], high[0, 0, 1]] == pytest.approx([0.1846185003, 0.8566404410], abs=5e-11)
    assert [low[2, 1, 0], high[2, 1, 0]] == pytest.approx([0.1328040034, 0.8019003362], abs=5e-11)
    assert low[1, 0, 1] == high[1, 0, 1] == 0.5


def test_constant_scores_prove_nothing_within_the_range(run_table):
    samples = samples_from_runs(run_table({("a", "x"): [1.0] * 50, ("b", "x"): [1.0] * 50}))
    published, corrected = (pbp(samples, Options(0.05), v)[0][0, 0, 1] for v in ("as_published", "corrected"))
    assert published == 1.0  # the range of the data is the single score
    assert 0.0 < corrected < 0.7


def test_pbp_has_width_at_complete_separation_and_t_has_none(run_table):
    samples = samples_from_runs(run_table({("a", "x"): range(10, 40), ("b", "x"): range(5)}))
    low, high = pbp_t(samples, Options(0.05), "corrected")
    assert low[0, 0, 1] == high[0, 0, 1] == 1.0
    low, high = pbp(samples, Options(0.05), "corrected")
    assert low[0, 0, 1] < high[0, 0, 1] == 1.0


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


def test_shared_samples_need_no_limits(run_table):
    rng = np.random.default_rng(5)
    scores = {("a", "x"): rng.normal(size=40), ("b", "x"): rng.normal(1.0, size=25)}
    alone, shared = (run_table(scores | more, {("c", "x"): "a"}) for more in ({}, {("c", "x"): scores["a", "x"]}))
    known, found = (pbp_matchings(samples_from_runs(runs), Options(0.05), "corrected") for runs in (alone, shared))
    for low_or_high, of_all in zip(known, found, strict=True):
        assert of_all[0, 0, 0] == of_all[0, 0, 2] == 0.5 and of_all[0, 0, 1] == low_or_high[0, 0, 1] != 0.5
    only = shared[shared["algorithm"] != "b"]
    assert (np.array(pbp_matchings(samples_from_runs(only), Options(0.05), "corrected")) == 0.5).all()
