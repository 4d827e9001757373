"""Limits by the largest t: covariances by brute force, critical values in closed form, simulated coverage."""

import numpy as np
import pytest
from scipy import stats

from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.intervals.max_t_limits import _covariances, max_t_limits
from surefoot.statistics.intervals.t_limits import t_limits
from surefoot.statistics.intervals.u_statistic_limits import lower_limits
from surefoot.statistics.runs.samples import samples_from_runs


def test_covariances_are_those_of_the_jackknifes_parts():
    """DeLong's covariance of Mann-Whitney statistics, from comparisons of all pairs of runs."""
    rng = np.random.default_rng(53)
    ascending = [np.sort(rng.integers(0, 6, size).astype(float)) for size in (12, 7, 9)]
    own, other, covariance = _covariances(ascending)
    parts = [np.zeros((9, x.size)) for x in ascending]
    for i, x in enumerate(ascending):
        for k, y in enumerate(ascending):
            if i != k:
                wins = (y[None, :] <= x[:, None]).astype(float)
                parts[i][3 * i + k] = wins.mean(axis=1)
                parts[k][3 * i + k] = wins.mean(axis=0)
                assert own[i, k] == pytest.approx(wins.mean(axis=1).var(ddof=1) / x.size)
                assert other[i, k] == pytest.approx(wins.mean(axis=0).var(ddof=1) / y.size)
    expected = sum(np.cov(part) / part.shape[1] for part in parts)
    assert covariance == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("environments", [1, 4])
def test_critical_values_in_closed_form(run_table, environments):
    """Two algorithms without ties: Z_{i,k} and 1 - Z_{k,i} are one quantity, and environments are independent, so the
    level for one payoff is 1 - (1 - delta)^(1/m). 20,000 replicates; error rate 1e-6."""
    rng = np.random.default_rng(54)
    delta, replicates = 0.2, 20_000
    runs = {(a, f"e{j}"): rng.normal(size=4000) for a in ("a", "b") for j in range(environments)}
    samples = samples_from_runs(run_table(runs))
    low, high = max_t_limits(samples, delta, 7, replicates)
    single_low, single_high = t_limits(samples, 2 * environments * 0.05, "corrected")  # a level of 0.05 a payoff
    ratio = (high - low)[0, 0, 1] / (single_high - single_low)[0, 0, 1]
    level = 2 * stats.norm.sf(ratio * stats.norm.isf(0.025))
    missed = 1 - (1 - level) ** environments
    assert abs(missed - delta) < stats.norm.isf(5e-7) * np.sqrt(delta * (1 - delta) / replicates) + 1e-3


def test_correlation_makes_limits_narrower_than_bonferronis(random_runs):
    samples = samples_from_runs(random_runs(5, 3, 80, seed=55, decimals=1))
    low, high = max_t_limits(samples, 0.05, 0, 2000)
    t_low, t_high = t_limits(samples, 0.05, "corrected")
    width, t_width = (limits[~samples.shared()] for limits in (high - low, t_high - t_low))
    assert (width <= t_width + 1e-12).all()
    assert np.median(width / t_width) < 0.97


def test_limits_cover_and_are_no_wider_than_they_must(run_table):
    """Three normal algorithms, 150 runs, delta = 0.2: the rate of misses lies within binomial quantiles of 0.1 and 0.25
    (error rate 1e-6 on each side); twice too wide or half too narrow limits would not."""
    rng = np.random.default_rng(56)
    means = np.array([0.0, 0.3, 1.0])
    truth = stats.norm.cdf((means[:, None] - means[None, :]) / np.sqrt(2))
    misses = 0
    for seed in range(400):
        samples = samples_from_runs(run_table({(f"a{i}", "e"): rng.normal(means[i], 1, 150) for i in range(3)}))
        low, high = max_t_limits(samples, 0.2, seed, 1000)
        misses += bool(((low[:, 0] > truth) | (high[:, 0] < truth)).any())
    assert stats.binom.ppf(1e-6, 400, 0.1) <= misses <= stats.binom.ppf(1 - 1e-6, 400, 0.25)


def test_payoffs_without_spread_have_the_limits_of_u_statistics(run_table):
    samples = samples_from_runs(run_table({("a", "x"): range(10, 40), ("b", "x"): range(5)}))
    low, high = max_t_limits(samples, 0.05, 0, 100)
    assert high[0, 0, 1] == 1.0 and low[1, 0, 0] == 0.0
    assert low[0, 0, 1] == pytest.approx(lower_limits([1.0], [5], 0.0125)[0])


def test_shared_samples_are_limited_alike(run_table):
    rng = np.random.default_rng(57)
    a, b = rng.normal(size=30), rng.normal(size=20)
    samples = samples_from_runs(run_table({("a", "x"): a, ("a_s", "x"): a, ("b", "x"): b}, {("a_s", "x"): "a"}))
    low, high = max_t_limits(samples, 0.05, 1, 500)
    assert low[0, 0, 1] == high[1, 0, 0] == 0.5
    assert low[0, 0, 2] == low[1, 0, 2] < payoffs(samples)[0, 0, 2] < high[0, 0, 2] == high[1, 0, 2]


def test_what_cannot_be_studentised_is_refused(random_runs, run_table):
    with pytest.raises(ValueError, match=r"pbp_max_t: b in x: one run"):
        max_t_limits(samples_from_runs(run_table({("a", "x"): [1, 2], ("b", "x"): [3]})), 0.05, 0, 10)
    with pytest.raises(ValueError, match="0 replicates"):
        max_t_limits(samples_from_runs(random_runs(2, 1, 9, seed=58)), 0.05, 0, 0)
