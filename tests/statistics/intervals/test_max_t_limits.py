"""Limits by the largest t: covariances by brute force, critical values in closed form, simulated coverage."""

import numpy as np
import pytest
from scipy import stats

from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.intervals.t_limits import max_t_limits, t_limits
from surefoot.statistics.runs.samples import samples_from_runs


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
