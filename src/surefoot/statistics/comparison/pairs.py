"""Differences of all pairs of several algorithms, each with limits at any one-sided level and a p-value.

There are two kinds: Student's, of independent algorithms or of paired tasks, and those of success rates, whose limits
always have a width. What holds together is decided by `multiple_comparisons`.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv, ndtr, ndtri, stdtr, stdtrit

from surefoot.statistics.arrays import Floats, Integers, exceeds
from surefoot.statistics.comparison.differences import POWER, difference_errors, noncentrality
from surefoot.statistics.intervals.rate_limits import clustered_errors, item_mean, rate_limits

_QUANTILES, _FARTHEST_QUANTILE = 33, 8.0
"""Normal quantiles at which limits are taken to find the p-value at which they reach 0."""

Limits = Callable[[npt.ArrayLike], tuple[Floats, Floats]]
"""(low, high) of the difference of each row's algorithm to each column's, at a level on either side: float64[k, k]."""


class Pairs(NamedTuple):
    """Differences of all ordered pairs of k algorithms, entry [i, j] that of i less j.

    difference : float64[k, k]
    p_value : float64[k, k], two-sided and not adjusted; 1 where nothing is known
    limits : at any level; NaN where there are none
    detectable : float64[k, k] at a one-sided level, the smallest true difference that has a probability of 80 % to be
        shown; NaN where it is not known, or no difference is that great
    """

    difference: Floats
    p_value: Floats
    limits: Limits
    detectable: Callable[[npt.ArrayLike], Floats]


def student_pairs(values: npt.ArrayLike, errors: npt.ArrayLike, degrees: npt.ArrayLike) -> Pairs:
    """Pairs of independent algorithms with Student's limits and Welch's degrees of freedom.

    Parameters
    ----------
    values, errors, degrees : float64[k], estimates, their standard errors, and the degrees of freedom of these
    """
    values, errors, degrees = (np.asarray(one, np.float64) for one in (values, errors, degrees))
    error, freedom = difference_errors(errors[:, None], errors, degrees[:, None], degrees)
    return _by_student(values[:, None] - values, error, freedom)


def paired_task_pairs(by_task: Floats, clusters: Sequence[str], magnitude: float) -> Pairs:
    """Pairs whose tasks are a sample of tasks, by the paired t test over the tasks, or over clusters of them with
    clustered standard errors times sqrt(G / (G - 1)) for G clusters.

    Parameters
    ----------
    by_task : float64[k, k, M], the difference of each pair on each task
    clusters : name of the cluster of each task
    magnitude : what the differences are of: an error that is nothing but their rounding is none
    """
    _, cluster = np.unique(np.asarray(clusters), return_inverse=True)
    count = int(cluster.max()) + 1
    error = clustered_errors(by_task, cluster) * np.sqrt(count / (count - 1.0))
    error = np.where(exceeds(error, 0.0, magnitude), error, 0.0)
    return _by_student(by_task.mean(axis=-1), error, np.full(error.shape, count - 1.0))


def paired_rate_pairs(by_task: Floats, clusters: Sequence[str], answers: int) -> Pairs:
    """Pairs of success rates whose tasks are a sample of tasks, with limits that always have a width.

    How often the one succeeds where the other fails, and the other way around, are two rates with the limits of
    `item_mean`; those of their difference combine them with their correlation, as Zou and Donner do (Statistics in
    Medicine 27, 2008). Student's limits promise too much here: the few tasks on which two good models differ may not be
    in the sample.

    Parameters
    ----------
    by_task : float64[k, k, M], the difference of each pair's success rates on each task
    clusters : name of the cluster of each task
    answers : how many outcomes of all tasks there are of each algorithm
    """
    _, cluster = np.unique(np.asarray(clusters), return_inverse=True)
    better = np.maximum(by_task, 0.0)
    wins, difference = better.mean(axis=-1), by_task.mean(axis=-1)
    error, together = clustered_errors(better, cluster), clustered_errors(by_task, cluster)
    product = 2.0 * error * error.T
    shared = np.where(product > 0.0, error**2 + error.T**2 - together**2, 0.0) / np.where(product > 0.0, product, 1.0)
    correlation = np.clip(shared, -1.0, 1.0)

    def limits(level: npt.ArrayLike) -> tuple[Floats, Floats]:
        confidence = 1.0 - 2.0 * float(np.ravel(level)[0])
        below, above = np.zeros(wins.shape), np.zeros(wins.shape)
        for i, j in np.argwhere(~np.eye(len(wins), dtype=bool)):
            found = item_mean(better[i, j], clusters, answers, confidence)
            below[i, j], above[i, j] = found.value - found.low, found.high - found.value
        reach = np.sqrt(np.maximum(below**2 + above.T**2 - 2.0 * correlation * below * above.T, 0.0))
        return difference - reach, difference + reach.T

    return _by_limits(difference, limits)


def _by_student(difference: Floats, error: Floats, freedom: Floats) -> Pairs:
    certain = error <= 0.0
    divisor = np.where(certain, 1.0, error)
    p_value = np.where(certain, 1.0, 2.0 * stdtr(freedom, -np.abs(difference) / divisor))
    known = np.where(certain, np.nan, error)

    def limits(level: npt.ArrayLike) -> tuple[Floats, Floats]:
        reach = -stdtrit(freedom, level) * known
        return difference - reach, difference + reach

    def detectable(level: npt.ArrayLike) -> Floats:
        return np.asarray(noncentrality(freedom, -stdtrit(freedom, level), 1.0 - POWER) * known)

    return Pairs(difference, p_value, limits, detectable)


def rate_pairs(rates: Sequence[Floats]) -> Pairs:
    """Pairs of success rates, whose limits always have a width.

    Each rate has the exact limits of `rate_limits`: of all runs, since successes of tasks with unlike rates are less
    variable than of one with their mean (Hoeffding, Annals of Mathematical Statistics 27, 1956), or of whole runs where
    tasks share them. Those of a difference combine them as Newcombe does (Statistics in Medicine 17, 1998, method 10,
    with exact limits in place of Wilson's), and the p-value is the level at which they reach 0.

    Parameters
    ----------
    rates : of each algorithm, float64[runs], the outcome of each run, 0 or 1, or the mean of those of a whole run
    """
    values = np.array([one.mean() for one in rates])
    difference = values[:, None] - values

    def limits(level: npt.ArrayLike) -> tuple[Floats, Floats]:
        low, high = np.array([_rate_limits(one, float(np.ravel(level)[0])) for one in rates]).T
        below, above = np.maximum(values - low, 0.0), np.maximum(high - values, 0.0)
        return difference - np.hypot(below[:, None], above), difference + np.hypot(above[:, None], below)

    return _by_limits(difference, limits)


def _rate_limits(rates: Floats, level: float) -> tuple[float, float]:
    """Limits of a mean rate, with a probability `level` beyond each: those of Clopper and Pearson in closed form where
    runs have outcomes of 0 and 1, as there may be thousands of them."""
    if not np.isin(rates, (0.0, 1.0)).all():
        return rate_limits(rates, np.ones(rates.size), 1.0 - 2.0 * level)[:2]
    hits, misses = rates.sum(), rates.size - rates.sum()
    low = betaincinv(hits, misses + 1.0, level) if hits else 0.0
    high = betaincinv(hits + 1.0, misses, 1.0 - level) if misses else 1.0
    return float(low), float(high)


def _by_limits(difference: Floats, limits: Limits) -> Pairs:
    """With the p-values at which the limits reach 0, interpolated between normal quantiles, along which limits are
    nearly straight."""
    quantiles = np.linspace(0.01, _FARTHEST_QUANTILE, _QUANTILES)
    # The limit between a difference and 0, positive where the interval leaves 0 out on the side of the difference.
    ends = [limits(ndtr(-quantile)) for quantile in quantiles]
    nearer = np.array([np.where(difference > 0.0, low, -high) for low, high in ends])
    reached = np.full(difference.shape, 0.0)
    for place in np.ndindex(difference.shape):
        falling = np.minimum.accumulate(nearer[(slice(None), *place)])
        if falling[0] > 0.0:
            reached[place] = np.interp(0.0, -falling, quantiles)

    def detectable(level: npt.ArrayLike) -> Floats:
        reach = difference - limits(level)[0]
        return np.asarray(reach * (1.0 - ndtri(POWER) / ndtri(np.asarray(level, np.float64))))

    return Pairs(difference, 2.0 * ndtr(-reached), limits, detectable)


def within_one(pairs: Pairs) -> Pairs:
    """Pairs of rates, whose true differences are at most 1, in both directions: limits end there, and what could only
    be shown of a greater one is not known."""

    def limits(level: npt.ArrayLike) -> tuple[Floats, Floats]:
        low, high = pairs.limits(level)
        return np.maximum(low, -1.0), np.minimum(high, 1.0)

    def detectable(level: npt.ArrayLike) -> Floats:
        least = pairs.detectable(level)
        return np.where(least <= 1.0, least, np.nan)

    return pairs._replace(limits=limits, detectable=detectable)


def unordered_pairs(count: int) -> tuple[Integers, Integers]:
    """The numbers x < y of the algorithms of each pair, int64[pairs] each."""
    x, y = np.triu_indices(count, 1)
    return x, y
