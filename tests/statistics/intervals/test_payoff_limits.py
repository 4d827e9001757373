"""Limits of the payoffs: against linear programs, scipy's tests, and simulated coverage.

Limits of U-statistics: against the minimum over all hinges, the exact binomial law, and simulated coverage.

Limits by the largest t: covariances by brute force, critical values in closed form, simulated coverage.
"""

import numpy as np
import pytest
from scipy import stats

from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.intervals.distributions import band_half_width
from surefoot.statistics.intervals.payoff_limits import distribution_free_limits, lower_limits, u_statistic_limits
from surefoot.statistics.intervals.t_limits import max_t_limits, t_limits
from surefoot.statistics.runs.samples import samples_from_runs, score_range


def test_cross_check_data_to_the_printed_digits(cross_check_samples):
    low, high = distribution_free_limits(cross_check_samples, 0.05, "as_published")
    assert [low[0, 0, 1], high[0, 0, 1]] == pytest.approx([0.1846185003, 0.8566404410], abs=5e-11)
    assert [low[2, 1, 0], high[2, 1, 0]] == pytest.approx([0.1328040034, 0.8019003362], abs=5e-11)
    assert low[1, 0, 1] == high[1, 0, 1] == 0.5


def test_constant_scores_prove_nothing_unless_they_are_the_end_of_the_range(run_table):
    samples = samples_from_runs(run_table({("a", "x"): [1.0] * 50, ("b", "x"): [1.0] * 50}))
    published, corrected = (
        distribution_free_limits(samples, 0.05, v)[0][0, 0, 1] for v in ("as_published", "corrected")
    )
    assert published == 1.0  # the range of the data is the single score
    assert 0.0 < corrected < 0.7


def test_corrected_t_limits_are_the_inverse_of_brunner_and_munzels_test(random_runs):
    """At the level that is the test's p-value, the interval just touches 1/2 (no ties)."""
    samples = samples_from_runs(random_runs(2, 1, 60, seed=9))
    z = payoffs(samples)[0, 0, 1]
    test = stats.brunnermunzel(samples.pair(0, 0), samples.pair(1, 0))
    low, high = t_limits(samples, 2 * test.pvalue, "corrected")
    nearest = low if z > 0.5 else high
    assert nearest[0, 0, 1] == pytest.approx(0.5, abs=1e-9)


def test_corrected_t_limits_stay_in_the_unit_interval(run_table):
    samples = samples_from_runs(run_table({("a", "x"): [1, 2, 9], ("b", "x"): [2, 3]}))
    published = t_limits(samples, 0.05, "as_published")
    low, high = t_limits(samples, 0.05, "corrected")
    assert published[0].min() < 0 and published[1].max() > 1
    assert low.min() >= 0 and high.max() <= 1


def test_complete_separation_leaves_t_limits_without_width_and_pbp_with_some(run_table):
    samples = samples_from_runs(run_table({("a", "x"): range(10, 40), ("b", "x"): range(5)}))
    low, high = t_limits(samples, 0.05, "corrected")
    assert low[0, 0, 1] == high[0, 0, 1] == 1.0
    low, high = distribution_free_limits(samples, 0.05, "corrected")
    assert low[0, 0, 1] < high[0, 0, 1] == 1.0


def test_known_bounds_are_the_ends_of_the_range(random_runs, extreme_mean):
    samples = samples_from_runs(random_runs(2, 1, 30, seed=47, decimals=0))
    least, greatest = score_range(samples, 0)
    half_width = band_half_width(samples.sizes, 0.9 / 2)
    for a, b in [(least, greatest), (least - 1.0, greatest), (least, greatest + 1.0), (-99.0, 99.0)]:
        low, high = distribution_free_limits(samples, 0.9, "corrected", {"e0": (a, b)})
        for i, k in [(0, 1), (1, 0)]:
            x, y = samples.pair(i, 0), samples.pair(k, 0)
            points = np.array([a, *x, b])
            cdf = (y[None, :] <= points[:, None]).mean(axis=1)
            f_low = np.where(points >= b, 1.0, np.maximum(cdf - half_width[k, 0], 0))
            f_high = np.where(points >= b, 1.0, np.minimum(cdf + half_width[k, 0], 1))
            assert low[i, 0, k] == pytest.approx(extreme_mean(x, half_width[i, 0], f_low, 1), abs=1e-9)
            assert high[i, 0, k] == pytest.approx(extreme_mean(x, half_width[i, 0], f_high, -1), abs=1e-9)
        if (a, b) == (least, greatest):
            assert np.array_equal((low, high), distribution_free_limits(samples, 0.9, "as_published"))
        if (a, b) == (-99.0, 99.0):
            assert np.array_equal((low, high), distribution_free_limits(samples, 0.9, "corrected"))


def test_bounds_that_a_score_leaves_by_rounding_alone_are_widened(random_runs):
    """The mean of episodes that all have the lowest return may come out a bit below it."""
    runs = random_runs(2, 1, 9, seed=48)
    samples = samples_from_runs(runs)
    least, greatest = runs["score"].min(), runs["score"].max()
    bounds = {"e0": (least + 1e-13, greatest - 1e-13)}
    limits = distribution_free_limits(samples, 0.9, "corrected", bounds)
    assert np.array_equal(limits, distribution_free_limits(samples, 0.9, "corrected", {"e0": (least, greatest)}))
    with pytest.raises(ValueError, match="leave the bounds"):
        distribution_free_limits(samples, 0.9, "corrected", {"e0": (least + 1e-6, greatest)})


def test_bounds_that_a_score_leaves_are_refused(random_runs):
    samples = samples_from_runs(random_runs(2, 2, 9, seed=48))
    with pytest.raises(ValueError, match=r"e1: scores from .* leave the bounds 0 to 0\.5"):
        distribution_free_limits(samples, 0.05, "corrected", {"e0": (-9, 9), "e1": (0, 0.5)})
    with pytest.raises(ValueError, match="bounds of e1 are not given"):
        distribution_free_limits(samples, 0.05, "corrected", {"e0": (-9, 9)})


def test_ends_of_the_unit_interval():
    low = lower_limits([0.0, 1.0], [7, 7], 0.01)
    assert low.tolist() == pytest.approx([0.0, 0.01 ** (1 / 7)])


@pytest.mark.parametrize("blocks", [5, 60])
def test_against_an_opponent_that_never_varies_misses_are_binomial(blocks):
    """There the payoff is a mean of indicators, so the probability of a miss is a sum of binomial probabilities."""
    counts = np.arange(blocks + 1)
    low = lower_limits(counts / blocks, np.full(blocks + 1, blocks), 0.05)
    exact = np.append(0.0, stats.beta.ppf(0.05, counts[1:], blocks - counts[1:] + 1))
    assert (low <= exact + 1e-12).all() and (np.diff(low) > 0).all()
    for theta in np.linspace(0.001, 0.999, 200):
        assert stats.binom.pmf(counts[low > theta], blocks, theta).sum() <= 0.05


def test_shared_samples_need_no_limits_and_no_part_of_delta(run_table):
    rng = np.random.default_rng(52)
    a, b = rng.normal(size=30), rng.normal(size=20)
    alone = samples_from_runs(run_table({("a", "x"): a, ("b", "x"): b}))
    shared = samples_from_runs(run_table({("a", "x"): a, ("a_s", "x"): a, ("b", "x"): b}, {("a_s", "x"): "a"}))
    expected, found = (np.array(u_statistic_limits(samples, 0.05)) for samples in (alone, shared))
    assert found[:, 0, 0, 1].tolist() == found[:, 2, 0, 2].tolist() == [0.5, 0.5]
    assert found[:, 1, 0, 2].tolist() == found[:, 0, 0, 2].tolist() == expected[:, 0, 0, 1].tolist()
    with_level = 1 - lower_limits([1 - payoffs(alone)[0, 0, 1]], [20], 0.05 / 4)
    assert expected[1, 0, 0, 1] == pytest.approx(with_level[0])


def test_one_sample_alone_has_nothing_to_limit(run_table):
    samples = samples_from_runs(run_table({("a", "x"): [1, 2], ("a_s", "x"): [1, 2]}, {("a_s", "x"): "a"}))
    assert (np.array(u_statistic_limits(samples, 0.05)) == 0.5).all()


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


def test_shared_samples_are_limited_alike(run_table):
    rng = np.random.default_rng(57)
    a, b = rng.normal(size=30), rng.normal(size=20)
    samples = samples_from_runs(run_table({("a", "x"): a, ("a_s", "x"): a, ("b", "x"): b}, {("a_s", "x"): "a"}))
    low, high = max_t_limits(samples, 0.05, 1, 500)
    assert low[0, 0, 1] == high[1, 0, 0] == 0.5
    assert low[0, 0, 2] == low[1, 0, 2] < payoffs(samples)[0, 0, 2] < high[0, 0, 2] == high[1, 0, 2]
