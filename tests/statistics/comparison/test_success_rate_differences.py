"""Differences of two success rates: published numbers, exact levels by enumeration, and how many rollouts they need."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import boschloo_exact

import surefoot
from surefoot.questions.success_rates import rollouts_sample_size
from surefoot.statistics.comparison.simultaneous_comparisons import holm
from surefoot.statistics.comparison.success_rate_differences import (
    boschloo_test,
    critical_region,
    independent_trials,
    paired_trials,
    power,
    training_difference_limits,
)


def rollouts(*rows):
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "successes", "trials"])


def test_two_policies_of_a_published_comparison():
    found = independent_trials(74, 80, 91, 120)
    assert [round(100 * one, 1) for one in (found.value, found.low, found.high)] == [16.7, 6.2, 26.0]
    assert found.p_value == pytest.approx(0.0020, abs=5e-5) and found.test == "boschloo"
    assert holm(np.array([0.5] * 7 + [found.p_value]))[-1] == pytest.approx(0.0157, abs=5e-5)


@pytest.mark.parametrize("counts", [(3, 7, 9, 12), (0, 5, 6, 6), (17, 30, 5, 21), (4, 4, 0, 4), (2, 9, 2, 9)])
def test_boschloo_as_scipy_has_it(counts):
    won_x, trials_x, won_y, trials_y = counts
    reference = boschloo_exact([[won_x, won_y], [trials_x - won_x, trials_y - won_y]]).pvalue
    assert boschloo_test(*counts) == pytest.approx(reference, abs=1e-7)


def test_the_region_of_a_level_is_that_of_the_p_values():
    x, y = np.indices((7, 7))
    p_values = np.vectorize(lambda won_x, won_y: boschloo_test(won_x, 6, won_y, 6))(x, y)
    assert ((y < critical_region(6, 0.05)[x]) == ((p_values <= 0.05) & (x > y))).all()


@pytest.mark.parametrize("sizes", [(3, 3), (5, 5), (3, 10)])
@pytest.mark.parametrize("law", ["beta", "wide beta", "all or nothing", "collapsing"])
def test_equal_trainings_are_separated_in_5_percent(law, sizes):
    """400 data sets of each case at 5 %: a level that is exactly held fails at 36 or more once in 1,800 times, and the
    12 cases together once in 150. Distribution-free intervals are never narrower."""
    rng = np.random.default_rng([41, *sizes, len(law)])
    draw = {
        "beta": lambda runs: rng.beta(8, 2, runs),
        "wide beta": lambda runs: rng.beta(0.4, 0.1, runs),
        "all or nothing": lambda runs: rng.integers(0, 2, runs).astype(float),
        "collapsing": lambda runs: np.where(rng.random(runs) < 0.2, 0.0, 0.9),
    }[law]
    separated = 0
    for _ in range(400):
        counts = []
        for size in sizes:
            counts += [rng.binomial(20, draw(size)).astype(float), np.full(size, 20.0)]
        found = training_difference_limits(*counts, 0.95)
        assert found.distribution_free_low <= found.low and found.high <= found.distribution_free_high
        separated += found.low > 1e-9 or found.high < -1e-9
    assert separated < 36


def test_unseen_collapses_mislead_all_but_exact_limits():
    """Equal mean rates, of 5 trainings each, of which those of one side collapse in 10 %. In 400 data sets, limits by
    the spread of the trainings separate them far too often, as documented. A level of 5 % exactly held fails at 36 or
    more once in 1,800 times."""
    rng = np.random.default_rng(5)
    separated, distribution_free = 0, 0
    for _ in range(400):
        x = rng.binomial(50, np.where(rng.random(5) < 0.1, 0.0, 0.9)).astype(float)
        y = rng.binomial(50, np.full(5, 0.81)).astype(float)
        found = training_difference_limits(x, np.full(5, 50.0), y, np.full(5, 50.0), 0.95)
        separated += found.low > 1e-9 or found.high < -1e-9
        distribution_free += found.distribution_free_low > 1e-9 or found.distribution_free_high < -1e-9
    assert 80 < separated < 170 and distribution_free < 36


def test_no_interval_is_a_point():
    for found in (independent_trials(10, 10, 0, 10), paired_trials(10, 0, 0, 10)):
        assert found.value == found.high == 1 and 0.3 < found.low < 0.7 and found.p_value < 0.01
    for found in (independent_trials(5, 5, 5, 5), paired_trials(0, 0, 5, 5)):
        assert found.p_value == 1 and found.low < -0.3 and found.high > 0.3
    runs = rollouts(*[(name, "maze", run, won, 10) for name, won in (("a", 10), ("b", 0)) for run in range(10)])
    (row,) = surefoot.success_rate_differences(runs).table().itertuples()
    assert row.unit == "training" and row.high == 1 and 0.3 < row.low < 0.7 and row.separated


@pytest.mark.parametrize(("rate", "difference"), [(0.5, 0.5), (0.6, 0.3), (0.95, -0.4), (0.0, 1.0)])
def test_as_many_rollouts_as_are_needed_and_no_more(rate, difference):
    needed = rollouts_sample_size(rate, difference)
    assert power(needed, rate, rate + difference) >= 0.8
    assert all(power(fewer, rate, rate + difference) < 0.8 for fewer in range(1, needed))


def test_thousands_of_rollouts_take_the_z_test():
    found = independent_trials(1500, 3000, 1400, 3000)
    assert found.test == "pooled z" and found.p_value == pytest.approx(0.0098, abs=1e-4)
