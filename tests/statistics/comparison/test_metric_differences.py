"""Simultaneous intervals of differences between algorithms.

How many runs would settle a difference: by brute force, and over many pilots.
"""

import numpy as np
import pytest
from scipy import stats

from surefoot.statistics.comparison.metric_differences import (
    paired_rate_pairs,
    paired_task_pairs,
    pairwise_differences,
    rate_pairs,
    student_pairs,
)
from surefoot.statistics.comparison.simultaneous_comparisons import joint_level, joint_tails
from surefoot.statistics.intervals.rate_limits import item_mean

RNG = np.random.default_rng


def test_two_means_have_welchs_interval_with_other_freedom():
    """Standard errors, values and width beside scipy's; the degrees by the formula of the docstring, written out."""
    x, y = RNG(0).normal(0, 1, 7), RNG(1).normal(1, 3, 5)
    errors = [stats.sem(x), stats.sem(y)]
    found = pairwise_differences([x.mean(), y.mean()], errors, [6.0, 4.0], 0.025)
    parts = np.square(errors)
    degrees = parts.sum() ** 2 / (parts[0] ** 2 / 8 + parts[1] ** 2 / 6) - 2
    known = stats.t.interval(0.95, degrees, x.mean() - y.mean(), np.sqrt(parts.sum()))
    assert (found.low[0], found.high[0]) == pytest.approx(known) and found.degrees[0] == pytest.approx(degrees)
    assert degrees == pytest.approx(stats.ttest_ind(x, y, equal_var=False).df, abs=1.0)


def test_three_means_with_known_error_have_tukeys_range():
    """With equal errors and many degrees of freedom, the joint level is that of the studentized range; 0.5 % is three
    standard errors of its 20,000 draws."""
    level = joint_level(joint_tails([1.0] * 3, [1e6] * 3), 0.9)
    found = pairwise_differences([0.0, 1.0, 3.0], [1.0] * 3, [1e6] * 3, level)
    assert list(zip(found.x, found.y, strict=True)) == [(0, 1), (0, 2), (1, 2)]
    half = ((found.high - found.low) / 2).tolist()
    assert half == pytest.approx([stats.studentized_range.ppf(0.9, 3, np.inf)] * 3, rel=0.02)
    assert stats.studentized_range.cdf(half[0], 3, np.inf) == pytest.approx(0.9, abs=0.007)
    assert found.estimate.tolist() == pytest.approx([-1, -3, -2])


def test_some_of_55_intervals_of_two_runs_each_miss_in_5_percent():
    """Bonferroni's level missed in 18 % of such data sets. Four standard errors of 1,000 data sets more at the most,
    which chance exceeds once in 10,000 seeds."""
    rng, missed = RNG(8), 0
    level = joint_level(joint_tails([1.0] * 11, [1.0] * 11), 0.95)
    for _ in range(1000):
        scores = rng.normal(0, 1, (11, 2))
        errors = scores.std(axis=1, ddof=1) / np.sqrt(2)
        # Errors differ by chance, and so does the level of a data set; that of equal ones stands for all here.
        found = pairwise_differences(scores.mean(axis=1), errors, [1.0] * 11, level)
        missed += bool(((found.low > 0) | (found.high < 0)).any())
    assert missed <= 50 + 4 * np.sqrt(50 * 0.95)


def test_without_any_spread_the_interval_has_no_width():
    found = pairwise_differences([0.0, 1.0, 1.0], [0.0] * 3, [4.0] * 3, 0.01)
    assert (found.low == found.estimate).all() and (found.high == found.estimate).all()
    tiny = pairwise_differences([0.0, 1e-200], [1e-200, 2e-200], [4.0, 4.0], 0.025)
    assert np.isfinite([tiny.low[0], tiny.high[0], tiny.degrees[0]]).all() and tiny.low[0] < 0 < tiny.high[0]


def test_limits_of_rate_differences_are_nearly_exact():
    """All outcomes of 50 runs on either side with their probabilities, so without error: at rates of .98 and .90, where
    Student's interval missed in 8 %, and at six others."""
    hits = np.arange(51)
    outcomes = [np.repeat([1.0, 0.0], [one, 50 - one]) for one in hits]
    low, high = rate_pairs(outcomes).limits(0.025)
    assert (low < high).all()
    for p, q in ((0.98, 0.9), (0.5, 0.5), (0.99, 0.01), (0.9, 0.9), (0.7, 0.3), (1.0, 0.95), (0.02, 0.02)):
        chances = np.outer(stats.binom.pmf(hits, 50, p), stats.binom.pmf(hits, 50, q))
        assert chances[(low > p - q + 1e-12) | (high < p - q - 1e-12)].sum() <= 0.05


def test_success_rates_have_newcombes_limits_with_exact_ends():
    """74 of 80 against 91 of 120; by Wilson's ends the limits are 6.2 and 26.0 points, and exact ends are wider."""
    rates = [np.repeat([1.0, 0.0], [74, 6]), np.repeat([1.0, 0.0], [91, 29])]
    pairs = rate_pairs(rates)
    low, high = (float(end[0, 1]) for end in pairs.limits(0.025))
    x, y = (stats.binomtest(int(one.sum()), one.size).proportion_ci(0.95, "exact") for one in rates)
    below, above = np.hypot(74 / 80 - x.low, y.high - 91 / 120), np.hypot(x.high - 74 / 80, 91 / 120 - y.low)
    assert (low, high) == pytest.approx((74 / 80 - 91 / 120 - below, 74 / 80 - 91 / 120 + above))
    assert 0.04 < low < 0.062 and 0.26 < high < 0.28 and 0.002 < pairs.p_value[0, 1] < 0.01
    assert pairs.limits(pairs.p_value[0, 1] / 2)[0][0, 1] == pytest.approx(0, abs=1e-3)
    shared = rate_pairs([np.array([0.2, 0.4, 0.9]), np.array([0.1, 0.1, 0.0])])
    assert (shared.limits(0.025)[1] > shared.limits(0.025)[0]).all()


def paired(first, second):
    """Limits of the first model less the second, each with an outcome of every item, by both methods."""
    means, names = np.array([first, second], float), list(map(str, range(len(first))))
    by_task = means[:, None] - means
    return paired_rate_pairs(by_task, names, len(first)), paired_task_pairs(by_task, names, 1.0)


def test_paired_success_rates_combine_wins_of_both():
    """Two rates of disjoint events, 6 and 2 of 40 items, whose correlation over items is negative."""
    first = [1] * 26 + [0] * 14
    second = [1] * 20 + [0] * 6 + [1] * 2 + [0] * 12
    pairs, _ = paired(first, second)
    ends = []
    for part in (np.maximum(np.subtract(first, second), 0.0), np.maximum(np.subtract(second, first), 0.0)):
        found = item_mean(part, list(map(str, range(40))), 40)
        ends.append((found.value - found.low, found.high - found.value))
    correlation = np.corrcoef(np.subtract(first, second) > 0, np.subtract(first, second) < 0)[0, 1]
    (below, _), (_, above) = ends
    reach = np.sqrt(below**2 + above**2 - 2 * correlation * below * above)
    low, high = (limit[0, 1] for limit in pairs.limits(0.025))
    assert correlation < 0 and low == pytest.approx(0.1 - reach) and low < 0.1 < high
    assert [limit[1, 0] for limit in pairs.limits(0.025)] == pytest.approx([-high, -low])
    same, _ = paired([1] * 10, [1] * 10)
    low, high = (limit[0, 1] for limit in same.limits(0.025))
    assert low < -0.2 and high > 0.2, "ten equal outcomes show little"


def test_a_detectable_difference_is_detected_in_80_percent():
    """Two algorithms, 6 runs of a task with known spread, 4,000 data sets with that true difference.

    The share has a standard error of 0.0063: errs once in 400,000 seeds.
    """
    errors, degrees = np.full(2, 1 / np.sqrt(6)), np.full(2, 5.0)
    rng, shown = RNG(2), 0
    level = 0.025
    difference = student_pairs([0.0, 0.0], errors, degrees).detectable(level)[0, 1]
    for _ in range(4_000):
        x, y = rng.normal(difference, 1, 6), rng.normal(0, 1, 6)
        own = [x.std(ddof=1) / np.sqrt(6), y.std(ddof=1) / np.sqrt(6)]
        shown += student_pairs([x.mean(), y.mean()], own, degrees).limits(level)[0][0, 1] > 0
    assert shown / 4_000 == pytest.approx(0.8, abs=0.03)
