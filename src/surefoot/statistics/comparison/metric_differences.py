"""Intervals and p-values of the differences between several algorithms in one metric.

Whether two intervals overlap is not a test of the difference: if two 95 % intervals just touch, the p-value of the
difference is far below 5 % (Schenker and Gentleman, The American Statistician 55, 2001). The interval of the difference
x - y is (value of x) - (value of y) -+ q s, with

s : sqrt(s_x^2 + s_y^2), where s_x and s_y are the standard errors of the two values; runs are independent
q : the 1 - level quantile of Student's distribution, with the degrees of freedom of s^2 = s_x^2 + s_y^2. If s_x and s_y
    have n_x and n_y degrees of freedom, these are (s_x^2 + s_y^2)^2 / (s_x^4 / (n_x + 2) + s_y^4 / (n_y + 2)) - 2
    (Welch, Biometrika 34, 1947, as in `stratified_bootstrap.standard_errors`), but at least the smaller of n_x and n_y

Simultaneous intervals of several pairs use the level of `multiple_comparisons.joint_level`. Dividing the level by the
number of pairs (Bonferroni) does not control the error if many algorithms have few runs, since their degrees of freedom
are then few: for algorithms with two runs each, at least one of 55 intervals missed in up to 22 % of simulated data
sets.

For several algorithms, `Pairs` has p-values, and limits of all differences at any one-sided level. The limits are
Student's, for independent algorithms or paired tasks, or limits of success rates, whose width is never 0, or limits of
the probability of improvement. Simultaneous limits are computed in `multiple_comparisons`.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from surefoot.statistics.arrays import RELATIVE, Floats, exceeds
from surefoot.statistics.comparison.fresh_runs import POWER, noncentrality
from surefoot.statistics.comparison.probability_of_improvement import (
    RunNames,
    improvement_bounds,
    improvement_limits,
    paired_improvement_bounds,
    probability_of_improvement,
)
from surefoot.statistics.coverage.failure_rates import binomial_limits
from surefoot.statistics.intervals.rate_limits import clustered_errors, item_mean, rate_limits


def pairwise_differences(
    values: npt.ArrayLike, standard_errors: npt.ArrayLike, degrees: npt.ArrayLike, level: float
) -> pd.DataFrame:
    """Compute the differences x - y between all pairs of algorithms, with Student's intervals.

    Parameters
    ----------
    values : float64[algorithms], values of the metric
    standard_errors : float64[algorithms], standard errors of the values
    degrees : float64[algorithms], degrees of freedom of the standard errors
    level : one-sided level of the intervals, such as 0.025

    Returns
    -------
    columns x, y (indices of the algorithms, x < y), estimate, standard_error, low, high (in units of the metric),
    degrees (degrees of freedom of the standard error)
    """
    values, errors, freedom = (np.asarray(one, np.float64) for one in (values, standard_errors, degrees))
    x, y = np.triu_indices(values.size, 1)
    error, together = difference_errors(errors[x], errors[y], freedom[x], freedom[y])
    value = values[x] - values[y]
    reach = -stdtrit(together, level) * error
    limits = {"low": value - reach, "high": value + reach}
    return pd.DataFrame({"x": x, "y": y, "estimate": value, "standard_error": error, "degrees": together, **limits})


def difference_errors(error_x: Floats, error_y: Floats, degrees_x: Floats, degrees_y: Floats) -> tuple[Floats, Floats]:
    """Return standard errors of differences and their degrees of freedom, as arrays with the shape of the inputs."""
    # Squares of very small errors underflow, and only their ratio matters.
    greatest = np.maximum(np.maximum(error_x, error_y), np.finfo(np.float64).tiny)
    parts_x = (error_x / greatest) ** 2
    parts_y = (error_y / greatest) ** 2
    fewest = np.minimum(degrees_x, degrees_y)
    weighted = parts_x**2 / (degrees_x + 2.0) + parts_y**2 / (degrees_y + 2.0)
    welch = np.where(weighted > 0.0, (parts_x + parts_y) ** 2 / np.where(weighted > 0.0, weighted, 1.0) - 2.0, fewest)
    return np.sqrt(parts_x + parts_y) * greatest, np.maximum(welch, fewest)


_QUANTILES = 33
_FARTHEST_QUANTILE = 8.0
"""Number of normal quantiles at which limits are computed to find the p-value, and the largest of these quantiles."""

Limits = Callable[[npt.ArrayLike], tuple[Floats, Floats]]
"""Function of a one-sided level that returns limits (low, high) of differences, float64[k, k] each."""


class Pairs(NamedTuple):
    """Differences between all ordered pairs of k algorithms; entry [i, j] of an array is for i minus j.

    difference : float64[k, k], estimated differences
    p_value : float64[k, k], two-sided and not adjusted; 1 if it is unknown
    limits : function of a one-sided level that returns limits (low, high), float64[k, k] each; NaN if there are none
    detectable : function of a one-sided level that returns the smallest true differences that would be detected with a
        probability of 80 %, float64[k, k]; NaN if they are unknown or impossible
    error, degrees : float64[k, k], standard errors and their degrees of freedom; None unless the limits are Student's
    """

    difference: Floats
    p_value: Floats
    limits: Limits
    detectable: Callable[[npt.ArrayLike], Floats]
    error: Floats | None = None
    degrees: Floats | None = None


def student_pairs(values: npt.ArrayLike, errors: npt.ArrayLike, degrees: npt.ArrayLike) -> Pairs:
    """Compare all pairs of independent algorithms, with Student's limits and Welch's degrees of freedom.

    Parameters
    ----------
    values, errors, degrees : float64[k], estimates, their standard errors, and the degrees of freedom of the errors
    """
    values, errors, degrees = (np.asarray(one, np.float64) for one in (values, errors, degrees))
    error, freedom = difference_errors(errors[:, None], errors, degrees[:, None], degrees)
    return pairs_by_student(values[:, None] - values, error, freedom)


def paired_task_pairs(by_task: Floats, clusters: Sequence[str], magnitude: float) -> Pairs:
    """Compare all pairs of algorithms by paired t tests over a random sample of tasks.

    The standard errors are clustered ones times sqrt(G / (G - 1)) for G clusters.

    Parameters
    ----------
    by_task : float64[k, k, M], the difference of each pair on each task
    clusters : name of the cluster of each task
    magnitude : typical magnitude of the scores; standard errors within the rounding error at this magnitude count as 0
    """
    _, cluster = np.unique(np.asarray(clusters), return_inverse=True)
    count = int(cluster.max()) + 1
    error = clustered_errors(by_task, cluster) * np.sqrt(count / (count - 1.0))
    error = np.where(exceeds(error, 0.0, magnitude), error, 0.0)
    return pairs_by_student(by_task.mean(axis=-1), error, np.full(error.shape, count - 1.0))


def paired_rate_pairs(by_task: Floats, clusters: Sequence[str], answers: int) -> Pairs:
    """Compare the success rates of all pairs of algorithms on a random sample of tasks.

    The two limits are never equal. `item_mean` computes limits of the rate at which x is better than y, and of the
    opposite rate. The limits of the difference combine both, using their correlation (Zou and Donner, Statistics in
    Medicine 27, 2008). Student's limits would be too narrow, since the few tasks on which two good models differ may be
    missing from the sample.

    Parameters
    ----------
    by_task : float64[k, k, M], the difference between the success rates of each pair on each task
    clusters : name of the cluster of each task
    answers : number of outcomes of each algorithm, over all tasks
    """
    _, cluster = np.unique(np.asarray(clusters), return_inverse=True)
    better = np.maximum(by_task, 0.0)
    wins = better.mean(axis=-1)
    difference = by_task.mean(axis=-1)
    error = clustered_errors(better, cluster)
    together = clustered_errors(by_task, cluster)
    product = 2.0 * error * error.T
    shared = np.where(product > 0.0, error**2 + error.T**2 - together**2, 0.0) / np.where(product > 0.0, product, 1.0)
    correlation = np.clip(shared, -1.0, 1.0)

    def limits(level: npt.ArrayLike) -> tuple[Floats, Floats]:
        confidence_level = 1.0 - 2.0 * float(np.ravel(level)[0])
        below = np.zeros(wins.shape)
        above = np.zeros(wins.shape)
        for i, j in np.argwhere(~np.eye(len(wins), dtype=bool)):
            interval = item_mean(better[i, j], clusters, answers, confidence_level)
            below[i, j] = interval.value - interval.low
            above[i, j] = interval.high - interval.value
        reach = np.sqrt(np.maximum(below**2 + above.T**2 - 2.0 * correlation * below * above.T, 0.0))
        return difference - reach, difference + reach.T

    return pairs_by_limits(difference, limits)


def pairs_by_student(difference: Floats, error: Floats, freedom: Floats) -> Pairs:
    """Return `Pairs` with Student's limits, which are NaN for a standard error of 0.

    Parameters
    ----------
    difference, error, freedom : float64[k, k], differences, their standard errors, and the degrees of freedom of the
        errors
    """
    certain = error <= 0.0
    divisor = np.where(certain, 1.0, error)
    p_value = np.where(certain, 1.0, 2.0 * stdtr(freedom, -np.abs(difference) / divisor))
    nonzero_error = np.where(certain, np.nan, error)

    def limits(level: npt.ArrayLike) -> tuple[Floats, Floats]:
        reach = -stdtrit(freedom, level) * nonzero_error
        return difference - reach, difference + reach

    def detectable(level: npt.ArrayLike) -> Floats:
        return np.asarray(noncentrality(freedom, -stdtrit(freedom, level), 1.0 - POWER) * nonzero_error)

    return Pairs(difference, p_value, limits, detectable, error, freedom)


def rate_pairs(rates: Sequence[Floats]) -> Pairs:
    """Compare the success rates of all pairs of independent algorithms, with limits of nonzero width.

    `rate_limits` computes exact limits of each rate, as if all runs were runs of one task with the mean rate. Successes
    on tasks with different rates vary less (Hoeffding, Annals of Mathematical Statistics 27, 1956). The limits of a
    difference combine the limits of both rates by Newcombe's method 10 (Statistics in Medicine 17, 1998), with exact
    limits instead of Wilson's. The p-value is the level at which the limits reach 0.

    Parameters
    ----------
    rates : for each algorithm, float64[runs], outcomes (0 or 1) of independent runs; if tasks share runs, the mean
        outcome of each run over tasks
    """
    values = np.array([one.mean() for one in rates])
    difference = values[:, None] - values

    @cache
    def limits_of(place: int, level: float) -> tuple[float, float]:
        return _rate_limits(rates[place], level)

    def limits(level: npt.ArrayLike) -> tuple[Floats, Floats]:
        levels = np.broadcast_to(level, difference.shape)
        of_row = np.array([[limits_of(i, float(one)) for one in row] for i, row in enumerate(levels)])
        of_column = np.array([[limits_of(j, float(one)) for j, one in enumerate(row)] for row in levels])
        row_below = np.maximum(values[:, None] - of_row[..., 0], 0.0)
        row_above = np.maximum(of_row[..., 1] - values[:, None], 0.0)
        column_below = np.maximum(values - of_column[..., 0], 0.0)
        column_above = np.maximum(of_column[..., 1] - values, 0.0)
        return difference - np.hypot(row_below, column_above), difference + np.hypot(row_above, column_below)

    return pairs_by_limits(difference, limits)


def _rate_limits(rates: Floats, level: float) -> tuple[float, float]:
    """Return limits (low, high) of a mean rate at a one-sided level.

    If all rates are 0 or 1, the limits are Clopper and Pearson's, which are fast to compute for thousands of outcomes.
    """
    if not np.isin(rates, (0.0, 1.0)).all():
        return rate_limits(rates, np.ones(rates.size), 1.0 - 2.0 * level)[:2]
    low, high = binomial_limits(rates.sum(), rates.size - rates.sum(), level)
    return float(low), float(high)


def improvement_pairs(
    samples: Sequence[Sequence[Floats]],
    run_names: Sequence[RunNames | None],
    paired: bool = False,
    decimals: int | str | None = RELATIVE,
    places: Sequence[tuple[int, int]] | None = None,
) -> Pairs:
    """Compare all pairs of algorithms by the probability of improvement; differences are P(X > Y) - 0.5.

    Parameters
    ----------
    samples : scores of each algorithm, float64[runs] of each task
    run_names : for each algorithm, the names of its runs on each task if tasks share runs, else None
    paired : if True, runs with the same index on a task are paired
    decimals : precision at which scores tie; see `arrays.score_places`
    places : indices of the two algorithms of each pair to compare; by default, all pairs. Entries of other pairs are 0
    """
    count = len(samples)
    pairs = list(combinations(range(count), 2)) if places is None else list(places)
    value = np.zeros((count, count))
    bounds = []
    for i, j in pairs:
        value[i, j] = probability_of_improvement(samples[i], samples[j], decimals).probability - 0.5
        if paired:
            names = run_names[i] or run_names[j]
            bounds.append(paired_improvement_bounds(samples[i], samples[j], decimals, names))
        else:
            bounds.append(improvement_bounds(samples[i], samples[j], decimals, (run_names[i], run_names[j])))

    def limits(level: npt.ArrayLike) -> tuple[Floats, Floats]:
        levels = np.broadcast_to(level, (count, count))
        low = np.zeros((count, count))
        high = np.zeros((count, count))
        first, second = np.array(pairs, np.int64).reshape(-1, 2).T
        limits = improvement_limits(bounds, 1.0 - 2.0 * levels[first, second])
        low[first, second] = limits[:, 0] - 0.5
        high[first, second] = limits[:, 1] - 0.5
        other = np.flatnonzero(levels[second, first] != levels[first, second])
        if other.size:
            of_reverse = 1.0 - 2.0 * levels[second[other], first[other]]
            limits[other] = improvement_limits([bounds[place] for place in other], of_reverse)
        low[second, first] = 0.5 - limits[:, 1]
        high[second, first] = 0.5 - limits[:, 0]
        return low, high

    return pairs_by_limits(value - value.T, limits)


def pairs_by_limits(difference: Floats, limits: Limits) -> Pairs:
    """Return `Pairs` with p-values computed from the limits: the two-sided level at which the limits reach 0.

    p-values are interpolated between normal quantiles, since limits are nearly linear functions of them.
    """
    quantiles = np.linspace(0.01, _FARTHEST_QUANTILE, _QUANTILES)
    # Bisection for the number of quantiles, in ascending order, at which the limits exclude 0.
    fewest = np.zeros(difference.shape, np.int64)
    most = np.full(difference.shape, _QUANTILES)
    inside = np.zeros(difference.shape)
    outside = np.zeros(difference.shape)
    while np.any(fewest < most):
        middle = np.minimum((fewest + most) // 2, _QUANTILES - 1)
        low, high = limits(ndtr(-quantiles[middle]))
        # Lower limit of a positive difference, or minus the upper limit of any other: positive if it excludes 0.
        nearer = np.where(difference > 0.0, low, -high)
        left_out = (fewest < most) & (nearer > 0.0)
        reaches = (fewest < most) & ~left_out
        inside = np.where(left_out, nearer, inside)
        outside = np.where(reaches, nearer, outside)
        fewest = np.where(left_out, middle + 1, fewest)
        most = np.where(reaches, middle, most)
    last = np.maximum(fewest - 1, 0)
    following = np.minimum(fewest, _QUANTILES - 1)
    fraction = inside / np.where(inside > outside, inside - outside, 1.0)
    between = quantiles[last] + fraction * (quantiles[following] - quantiles[last])
    reached = np.where(fewest > 0, between, 0.0)

    def detectable(level: npt.ArrayLike) -> Floats:
        reach = difference - limits(level)[0]
        return np.asarray(reach * (1.0 - ndtri(POWER) / ndtri(np.asarray(level, np.float64))))

    return Pairs(difference, 2.0 * ndtr(-reached), limits, detectable)


def bounded(pairs: Pairs, greatest: float) -> Pairs:
    """Restrict pairs to true differences in [-greatest, greatest].

    Confidence limits are clipped to this range, and detectable differences above `greatest` become NaN.
    """

    def limits(level: npt.ArrayLike) -> tuple[Floats, Floats]:
        low, high = pairs.limits(level)
        return np.maximum(low, -greatest), np.minimum(high, greatest)

    def detectable(level: npt.ArrayLike) -> Floats:
        least = pairs.detectable(level)
        return np.where(least <= greatest, least, np.nan)

    return pairs._replace(limits=limits, detectable=detectable)


def reversed_pairs(pairs: Pairs) -> Pairs:
    """Change the sign of all differences, for metrics where lower values are better."""

    def limits(level: npt.ArrayLike) -> tuple[Floats, Floats]:
        low, high = pairs.limits(level)
        return -high, -low

    return pairs._replace(difference=-pairs.difference, limits=limits)
