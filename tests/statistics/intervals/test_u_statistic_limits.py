"""Limits of U-statistics: against the minimum over all hinges, the exact binomial law, and simulated coverage."""

import numpy as np
import pytest
from scipy import stats

from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.intervals.payoff_limits import lower_limits, u_statistic_limits
from surefoot.statistics.runs.samples import samples_from_runs


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
