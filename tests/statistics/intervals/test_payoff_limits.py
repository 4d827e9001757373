"""Limits of the payoffs by PBP and by PBP-t: against linear programs, printed digits and scipy's tests."""

import numpy as np
import pytest
from scipy import stats

from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.intervals.catalogue import Options
from surefoot.statistics.intervals.distributions import band_half_width
from surefoot.statistics.intervals.payoff_limits import pbp, pbp_t
from surefoot.statistics.runs.samples import samples_from_runs, score_range


def test_cross_check_data_to_the_printed_digits(cross_check_samples):
    low, high = pbp(cross_check_samples, Options(0.05), "as_published")
    assert [low[0, 0, 1], high[0, 0, 1]] == pytest.approx([0.1846185003, 0.8566404410], abs=5e-11)
    assert [low[2, 1, 0], high[2, 1, 0]] == pytest.approx([0.1328040034, 0.8019003362], abs=5e-11)
    assert low[1, 0, 1] == high[1, 0, 1] == 0.5


def test_constant_scores_prove_nothing_unless_they_are_the_end_of_the_range(run_table):
    samples = samples_from_runs(run_table({("a", "x"): [1.0] * 50, ("b", "x"): [1.0] * 50}))
    published, corrected = (pbp(samples, Options(0.05), v)[0][0, 0, 1] for v in ("as_published", "corrected"))
    assert published == 1.0  # the range of the data is the single score
    assert 0.0 < corrected < 0.7


def test_corrected_t_limits_are_the_inverse_of_brunner_and_munzels_test(random_runs):
    """At the level that is the test's p-value, the interval just touches 1/2 (no ties)."""
    samples = samples_from_runs(random_runs(2, 1, 60, seed=9))
    z = payoffs(samples)[0, 0, 1]
    test = stats.brunnermunzel(samples.pair(0, 0), samples.pair(1, 0))
    low, high = pbp_t(samples, Options(2 * test.pvalue), "corrected")
    nearest = low if z > 0.5 else high
    assert nearest[0, 0, 1] == pytest.approx(0.5, abs=1e-9)


def test_complete_separation_leaves_t_limits_without_width_and_pbp_with_some(run_table):
    samples = samples_from_runs(run_table({("a", "x"): range(10, 40), ("b", "x"): range(5)}))
    low, high = pbp_t(samples, Options(0.05), "corrected")
    assert low[0, 0, 1] == high[0, 0, 1] == 1.0
    low, high = pbp(samples, Options(0.05), "corrected")
    assert low[0, 0, 1] < high[0, 0, 1] == 1.0


def test_limits_are_the_extreme_means_of_distributions_within_the_bands(random_runs, extreme_mean):
    samples = samples_from_runs(random_runs(2, 1, 30, seed=47, decimals=0))
    half_width = band_half_width(samples.sizes, 0.9 / 2)
    for variant, (a, b) in {"as_published": score_range(samples, 0), "corrected": (-99.0, 99.0)}.items():
        low, high = pbp(samples, Options(0.9), variant)
        for i, k in [(0, 1), (1, 0)]:
            x, y = samples.pair(i, 0), samples.pair(k, 0)
            points = np.array([a, *x, b])
            cdf = (y[None, :] <= points[:, None]).mean(axis=1)
            f_low = np.where(points >= b, 1.0, np.maximum(cdf - half_width[k, 0], 0))
            f_high = np.where(points >= b, 1.0, np.minimum(cdf + half_width[k, 0], 1))
            assert low[i, 0, k] == pytest.approx(extreme_mean(x, half_width[i, 0], f_low, 1), abs=1e-9)
            assert high[i, 0, k] == pytest.approx(extreme_mean(x, half_width[i, 0], f_high, -1), abs=1e-9)
