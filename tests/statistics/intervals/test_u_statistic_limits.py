"""Limits of U-statistics: against the minimum over all hinges, the exact binomial law, and simulated coverage."""

import numpy as np
import pytest
from scipy import optimize, stats

from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.intervals.payoff_limits import distribution_free_limits
from surefoot.statistics.intervals.u_statistic_limits import lower_limits, u_statistic_limits
from surefoot.statistics.runs.samples import samples_from_runs

LEVEL = 0.05 / 216


def least_hinge_bound(u, blocks, theta):
    """The least E max(V - r, 0) / (u - r) over all r = 0, 1, ... below u, in units of 1/K, by summation."""
    r = np.arange(np.ceil(u * blocks))
    counts = np.arange(blocks + 1)
    mass = stats.binom.pmf(counts, blocks, theta)
    return (np.maximum(counts - r[:, None], 0) @ mass / (u * blocks - r)).min()


def divergence(u, theta):
    return stats.entropy([u, 1 - u], [theta, 1 - theta])


@pytest.mark.parametrize("blocks", [3, 40, 1000])
@pytest.mark.parametrize("u", [0.0301, 0.2, 0.5, 0.97, 0.9999])
def test_lower_limits_are_those_of_the_best_hinge(blocks, u):
    found = lower_limits([u], [blocks], LEVEL)[0]
    best = optimize.brentq(lambda t: least_hinge_bound(u, blocks, t) / LEVEL - 1, 1e-12, u * (1 - 1e-12), xtol=1e-14)
    assert best - 0.004 * (u - best) <= found <= best + 1e-9
    chernoff = optimize.brentq(lambda t: blocks * divergence(u, t) + np.log(LEVEL), 1e-250, u)
    hoeffding = u - np.sqrt(-np.log(LEVEL) / (2 * blocks))
    assert found >= chernoff - 1e-7 >= hoeffding - 2e-7


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


def true_payoffs(laws):
    """P(Y <= X) for independent X, Y uniform on the values of two laws."""
    n = len(laws)
    z = np.array([[np.mean(np.array(y)[None, :] <= np.array(x)[:, None]) for y in laws] for x in laws])
    z[np.arange(n), np.arange(n)] = 0.5
    return z


def test_limits_cover_with_ties_and_unequal_numbers_of_runs(run_table):
    """Misses have probability <= 0.3 each; more than the quantile allows would happen by chance once in a million. At
    the hard corner where one algorithm always draws, they do happen."""
    rng = np.random.default_rng(50)
    laws = [[0, 1, 1, 2], [1], [0] * 19 + [3]]
    truth, misses = true_payoffs(laws), 0
    for _ in range(150):
        runs = {(f"a{i}", "e"): rng.choice(law, 25 + 5 * i) for i, law in enumerate(laws)}
        low, high = u_statistic_limits(samples_from_runs(run_table(runs)), 0.3)
        misses += bool(((low[:, 0] > truth) | (high[:, 0] < truth)).any())
    assert 0 < misses <= stats.binom.ppf(1 - 1e-6, 150, 0.3)


def test_narrower_than_pbps_limits_everywhere(random_runs):
    samples = samples_from_runs(random_runs(4, 3, 200, seed=51, decimals=1))
    for delta in (0.05, 0.5):
        low, high = u_statistic_limits(samples, delta)
        pbp_low, pbp_high = distribution_free_limits(samples, delta, "corrected")
        width, pbp_width = (limits[~samples.shared()] for limits in (high - low, pbp_high - pbp_low))
        assert (width < pbp_width).all()
        assert np.median(width / pbp_width) < 0.75
        assert ((low <= payoffs(samples)) & (payoffs(samples) <= high)).all()


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
