"""Failure rates of intervals: their limits, the worst of many, and what a count can show."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

from surefoot.statistics.coverage.failure_rates import (
    FAILS,
    HOLDS,
    OPEN,
    fraction_error,
    kind_quantiles,
    pooled_rate,
    with_failure_rates,
)


def test_the_worst_of_many_by_chance_is_that_of_simulated_counts():
    """4,000 draws of 300 counts of which each misses in 5 %: within 5 standard errors of 0.0003."""
    datasets = np.full(300, 200)
    worst = np.random.default_rng(0).binomial(200, 0.05, (4_000, 300)).max(axis=1) / 200
    assert kind_quantiles(np.zeros(300, int), datasets).chance == pytest.approx(worst.mean(), abs=0.0015)


def _counts(failures, datasets, nominal=0.05):
    return pd.DataFrame({"failures": failures, "datasets": datasets, "nominal": nominal})


def test_limits_are_those_of_clopper_and_pearson():
    failures = [0, 1, 7, 100, 199, 200]
    rates = with_failure_rates(_counts(failures, [200] * 6))
    exact = [binomtest(k, 200).proportion_ci(0.95, method="exact") for k in failures]
    np.testing.assert_allclose(rates["failure_rate_low"], [limits.low for limits in exact], atol=1e-12)
    np.testing.assert_allclose(rates["failure_rate_high"], [limits.high for limits in exact], atol=1e-12)
    np.testing.assert_array_equal(rates["failure_rate"], np.array(failures) / 200)


def test_outcome_says_what_the_count_can_tell():
    rates = with_failure_rates(_counts([0, 0, 10, 30], [1000, 50, 200, 200]))
    assert rates["outcome"].tolist() == [HOLDS, OPEN, OPEN, FAILS]


def test_limits_of_a_pooled_rate_allow_for_unlike_kinds():
    """Of 1,000 sets of 40 kinds with beta distributed rates, 95 % limits miss the mean rate in 3 to 7 % (three standard
    errors, which exact ones exceed once in 300 seeds); binomial limits of all 4,000 data sets would miss
    it in more than 20 %."""
    rng, missed, missed_by_binomial = np.random.default_rng(1), 0, 0
    datasets = np.full(40, 100)
    for _ in range(1_000):
        failures = rng.binomial(datasets, rng.beta(2.0, 8.0, 40))
        rate, low, high = pooled_rate(failures, datasets)
        missed += not low <= 0.2 <= high
        missed_by_binomial += abs(rate - 0.2) > 1.96 * np.sqrt(rate * (1 - rate) / datasets.sum())
    assert 30 <= missed <= 70 and missed_by_binomial > 200


def test_the_error_of_a_fraction():
    """Beside the exact standard deviation of a fraction of 400; and none is taken to be exact."""
    assert fraction_error(0.3, 400) == pytest.approx(np.sqrt(0.3 * 0.7 / 400), rel=0.01)
    assert fraction_error(np.array([0.0, 1.0]), 50).min() > 0
