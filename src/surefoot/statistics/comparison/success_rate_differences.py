"""Comparison of two success rates: limits of the difference, exact tests, and their sample sizes.

Trials of a policy (rollouts of one checkpoint) are independent, so the number of successes is binomial.

* For independent trials, the interval is Newcombe's interval 10 (Statistics in Medicine 17, 1998), which combines the
  Wilson limits (l, u) of both rates: d - sqrt((x - l_x)^2 + (u_y - y)^2) to d + sqrt((u_x - x)^2 + (y - l_y)^2). The
  test is Boschloo's (Statistica Neerlandica 24, 1970), which orders the outcomes by Fisher's one-sided p-value and uses
  the largest probability over all common rates. The two-sided p-value is twice the smaller one-sided p-value.
* For trials from the same starts, the interval is Tango's score interval (Statistics in Medicine 17, 1998), and the
  test is McNemar's exact test, which uses only pairs with different outcomes.

Trials of one training run are not independent of each other. For several training runs, two intervals are computed.
Both combine limits of the two rates as Newcombe combines Wilson's (Zou and Donner, Statistics in Medicine 27, 2008).

* The distribution-free interval combines the limits of `rate_limits`, which are valid for rates of any distribution.
* The interval based on the spread of the training runs combines the limits of `training_limits`, with the degrees of
  freedom of Welch's t test. The variance of the difference is Welch's or the pooled one, whichever is larger, since the
  rates of the smaller group may be equal by chance. This interval is never wider than the distribution-free interval.

The p-value is 1 minus the smallest confidence at which the interval includes 0. It is at least the largest probability
that all training runs of one algorithm succeed and all of the other fail although both algorithms are equal. With 3
training runs each, this probability is 2 / 64; smaller p-values would claim more than so few runs can show.
"""

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq, minimize_scalar
from scipy.special import expit, gammaln, logit, xlog1py, xlogy
from scipy.stats import binomtest, norm

from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.intervals.rate_limits import mean_rate_variance, rate_limits, training_limits

BOSCHLOO = "boschloo"
POOLED_Z = "pooled z"
MCNEMAR = "mcnemar"
TRAININGS = "limits of trainings"
"""Names of the tests."""
_MOST_OUTCOMES = 1_000_000
"""Number of possible outcomes above which the z test replaces Boschloo's test. With 1,000 trials each, their p-values
differ by about .001.
"""
_ROUNDING = 1e-9
"""Relative difference up to which Fisher's p-values of two outcomes count as equal."""
_RATES = np.sin(np.linspace(0.0, np.pi / 2.0, 1002)[1:-1]) ** 2
"""Common rates at which Boschloo's probability is computed; they are denser near 0 and 1."""
_LEAST_P = 1e-12
_GREATEST_P = 0.999
"""p-value above which 1 is returned."""
_NEAR = 1e-9
_LOG_ODDS = np.geomspace(0.4, 6.0, 8)
"""Distances between the two rates, in log-odds, in the bets of sequential comparisons."""
MOST_TRIALS = 200
"""Largest number of trials for which planning uses the exact test instead of the z test."""


class RateDifference(NamedTuple):
    """Difference between the success rates of x and y.

    rate_x, rate_y : success rates, from 0 to 1
    value, low, high : the difference x - y, and its limits
    p_value : two-sided p-value for the hypothesis that both rates are equal
    test : name of the test
    """

    rate_x: float
    rate_y: float
    value: float
    low: float
    high: float
    p_value: float
    test: str


def independent_trials(
    successes_x: int, trials_x: int, successes_y: int, trials_y: int, confidence_level: float = 0.95
) -> RateDifference:
    """Compute Newcombe's interval and Boschloo's test, or a z test if there are more than a million outcomes."""
    rate_x = successes_x / trials_x
    rate_y = successes_y / trials_y
    limits_x = binomtest(successes_x, trials_x).proportion_ci(confidence_level, "wilson")
    limits_y = binomtest(successes_y, trials_y).proportion_ci(confidence_level, "wilson")
    low, high = _combined((rate_x, *limits_x), (rate_y, *limits_y))
    if (trials_x + 1) * (trials_y + 1) > _MOST_OUTCOMES:
        # The z test with the pooled rate, without continuity correction.
        pooled = (successes_x + successes_y) / (trials_x + trials_y)
        variance = pooled * (1.0 - pooled) * (1.0 / trials_x + 1.0 / trials_y)
        test = POOLED_Z
        p_value = float(2.0 * norm.sf(abs(rate_x - rate_y) / math.sqrt(variance))) if variance > 0.0 else 1.0
    else:
        p_value = boschloo_test(successes_x, trials_x, successes_y, trials_y)
        test = BOSCHLOO
    return RateDifference(rate_x, rate_y, rate_x - rate_y, low, high, p_value, test)


def paired_trials(only_x: int, only_y: int, both: int, trials: int, confidence_level: float = 0.95) -> RateDifference:
    """Compute Tango's score interval and McNemar's exact test, for trials of x and y from the same starts.

    Parameters
    ----------
    only_x, only_y, both : numbers of starts from which only x, only y, or both succeeded
    trials : number of starts
    """
    value = (only_x - only_y) / trials
    quantile = norm.isf((1.0 - confidence_level) / 2.0)

    def beyond(difference: float) -> float:
        """Return the distance of the score statistic from the quantile, positive outside the limits."""
        linear = (2 * trials - only_x + only_y) * difference - only_x - only_y
        root = math.sqrt(max(linear**2 + 8.0 * trials * only_y * difference * (1.0 - difference), 0.0))
        unlike = max((root - linear) / (4.0 * trials), 0.0)  # rate at which only y succeeds, for this difference
        variance = trials * max(2.0 * unlike + difference * (1.0 - difference), 0.0)
        return abs(only_x - only_y - trials * difference) - quantile * math.sqrt(variance)

    # If all outcomes are the same, the variance is 0 at the difference itself, so the search starts next to it.
    low = -1.0 if only_y == trials else float(brentq(beyond, -1.0, value - _NEAR, xtol=1e-12))
    high = 1.0 if only_x == trials else float(brentq(beyond, value + _NEAR, 1.0, xtol=1e-12))
    p_value = float(binomtest(only_x, only_x + only_y).pvalue) if only_x + only_y else 1.0
    rate_x = (both + only_x) / trials
    rate_y = (both + only_y) / trials
    return RateDifference(rate_x, rate_y, value, low, high, p_value, MCNEMAR)


class TrainingDifference(NamedTuple):
    """Difference between the mean success rates of several training runs of x and y.

    difference : limits and p-value based on the spread of the training runs
    distribution_free : limits and p-value that are valid for rates of any distribution
    smallest_separable : smallest difference that would have been significant with this spread; NaN if there is none
    """

    difference: RateDifference
    distribution_free: RateDifference
    smallest_separable: float


def trainings_with_trials(
    successes_x: Floats,
    trials_x: Floats,
    successes_y: Floats,
    trials_y: Floats,
    confidence_level: float = 0.95,
    comparisons: int = 1,
) -> TrainingDifference:
    """Compare the mean success rates of several training runs of two algorithms.

    Parameters
    ----------
    successes_x, trials_x, successes_y, trials_y : float64[runs], numbers of successes and of trials, for at least two
        training runs of each algorithm
    confidence_level : confidence level of the intervals
    comparisons : number of p-values that will be adjusted together, for the smallest separable difference
    """
    counts = successes_x, trials_x, successes_y, trials_y
    rate_x = float(np.mean(successes_x / trials_x))
    rate_y = float(np.mean(successes_y / trials_y))
    value = rate_x - rate_y

    def by_spread(level: float) -> tuple[float, float]:
        limits = training_difference_limits(*counts, level)
        return limits.low, limits.high

    def distribution_free(level: float) -> tuple[float, float]:
        return _distribution_free_limits(*counts, level)

    difference, free = (
        RateDifference(rate_x, rate_y, value, *limits(confidence_level), _p_value(value, limits), TRAININGS)
        for limits in (by_spread, distribution_free)
    )
    adjusted = (1.0 - confidence_level) / comparisons
    low, high = by_spread(1.0 - adjusted)
    reach = value - low if value >= 0.0 else high - value
    possible = reach < 1.0 and adjusted >= _complete_separation(successes_x.size, successes_y.size)
    return TrainingDifference(difference, free, reach if possible else math.nan)


class TrainingDifferenceLimits(NamedTuple):
    """Limits based on the spread of the training runs, and distribution-free limits."""

    low: float
    high: float
    distribution_free_low: float
    distribution_free_high: float


def training_difference_limits(
    successes_x: Floats, trials_x: Floats, successes_y: Floats, trials_y: Floats, level: float
) -> TrainingDifferenceLimits:
    """Compute both intervals of the difference between the mean success rates of several training runs.

    Parameters
    ----------
    successes_x, trials_x, successes_y, trials_y : as in `trainings_with_trials`
    level : confidence level of the intervals
    """
    free = _distribution_free_limits(successes_x, trials_x, successes_y, trials_y, level)
    if 1.0 - level < _complete_separation(successes_x.size, successes_y.size):
        return TrainingDifferenceLimits(*free, *free)
    variances, degrees = _training_variances((successes_x, trials_x), (successes_y, trials_y))
    tail = (1.0 - level) / 2.0
    # If all trials succeed or all fail, only one limit of a rate can fail, so it may use the error probability of both.
    of_x = training_limits(successes_x, trials_x, variances[0], degrees, tail, 1.0 - level)
    of_y = training_limits(successes_y, trials_y, variances[1], degrees, tail, 1.0 - level)
    rate_x = float(np.mean(successes_x / trials_x))
    rate_y = float(np.mean(successes_y / trials_y))
    low, high = _combined((rate_x, *of_x), (rate_y, *of_y))
    return TrainingDifferenceLimits(max(low, free[0]), min(high, free[1]), *free)


def _distribution_free_limits(
    successes_x: Floats, trials_x: Floats, successes_y: Floats, trials_y: Floats, level: float
) -> tuple[float, float]:
    of_x = rate_limits(successes_x, trials_x, level)
    of_y = rate_limits(successes_y, trials_y, level)
    rate_x = float(np.mean(successes_x / trials_x))
    rate_y = float(np.mean(successes_y / trials_y))
    return _combined((rate_x, of_x.low, of_x.high), (rate_y, of_y.low, of_y.high))


def _training_variances(x: tuple[Floats, Floats], y: tuple[Floats, Floats]) -> tuple[tuple[float, float], float]:
    """Return the variances (x, y) of both mean rates, and the Welch-Satterthwaite degrees of freedom of their sum."""
    variance_x = mean_rate_variance(*x)
    variance_y = mean_rate_variance(*y)
    count_x = x[0].size
    count_y = y[0].size
    welch = variance_x + variance_y
    degrees = welch**2 / (variance_x**2 / (count_x - 1) + variance_y**2 / (count_y - 1))
    pooled = (count_x - 1) * count_x * variance_x + (count_y - 1) * count_y * variance_y
    pooled *= (1.0 / count_x + 1.0 / count_y) / (count_x + count_y - 2)
    larger = max(pooled / welch, 1.0)
    return (larger * variance_x, larger * variance_y), degrees


def _complete_separation(count_x: int, count_y: int) -> float:
    """Return the largest probability that one of two equal algorithms always succeeds and the other one never."""
    total = count_x + count_y
    return 2.0 * (count_x / total) ** count_x * (count_y / total) ** count_y


def _p_value(value: float, limits: Callable[[float], tuple[float, float]]) -> float:
    """Return the p-value, which is 1 minus the smallest confidence at which the interval includes 0."""

    def excess(logarithm: float) -> float:
        """Return the distance from 0 to the interval at the level of a log p-value; negative if it includes 0."""
        low, high = limits(1.0 - math.exp(logarithm))
        return low if value > 0.0 else -high

    ends = math.log(_LEAST_P), math.log(_GREATEST_P)
    if excess(ends[1]) <= 0.0:
        return 1.0
    return _LEAST_P if excess(ends[0]) >= 0.0 else math.exp(brentq(excess, *ends, xtol=1e-9))


def _combined(x: tuple[float, float, float], y: tuple[float, float, float]) -> tuple[float, float]:
    """Combine (rate, low, high) of x and of y into limits (low, high) of x - y by Newcombe's method."""
    below = math.hypot(x[0] - x[1], y[2] - y[0])
    above = math.hypot(x[2] - x[0], y[0] - y[1])
    return x[0] - y[0] - below, x[0] - y[0] + above


def boschloo_test(successes_x: int, trials_x: int, successes_y: int, trials_y: int) -> float:
    """Return the two-sided p-value of Boschloo's exact test, like `scipy.stats.boschloo_exact`, but faster.

    scipy maximizes over the common rate with a general optimizer, which takes 0.3 s for 100 trials of each, and a
    minute for 1,000.
    """
    fisher = fisher_p_values(trials_x, trials_y)
    extreme = min(fisher[successes_x, successes_y], fisher[trials_x - successes_x, trials_y - successes_y])
    # The region of "x is better" is the region of "y is better" with successes and failures exchanged, so that both
    # have the same largest probability.
    rejected = _region(fisher, extreme)
    grid = _probabilities(rejected, trials_x, trials_y, _RATES, _RATES)
    best = int(grid.argmax())
    around = _RATES[max(best - 1, 0)], _RATES[min(best + 1, _RATES.size - 1)]

    def negative(rate: float) -> float:
        return -float(_probabilities(rejected, trials_x, trials_y, np.array([rate]), np.array([rate]))[0])

    refined = -float(minimize_scalar(negative, bounds=around, method="bounded", options={"xatol": 1e-9}).fun)
    return min(2.0 * max(refined, float(grid[best])), 1.0)


def pair_evidence(x: npt.ArrayLike, y: npt.ArrayLike) -> Floats:
    """Return the anytime-valid evidence that x has a higher success rate than y, after each pair, float64[..., pairs].

    Each pair of trials multiplies the evidence by the likelihood of its outcomes with the rates a > b, divided by the
    likelihood with the rate (a + b) / 2 for both. If the rate of x is not above the rate of y, this factor is at most 1
    on average (Turner, Ly and Grünwald, Journal of Statistical Planning and Inference 230, 2024), for any a and b that
    are chosen before the pair. Here, a and b are symmetric, in log-odds, around the rate of all earlier trials, and the
    evidence is averaged over several distances between them. If the rate of x is not higher, the probability that the
    evidence ever reaches 1 / alpha is at most alpha (Ville's inequality).

    Parameters
    ----------
    x, y : float64[..., pairs], outcomes (0 or 1) in the order of the trials
    """
    x = np.asarray(x, np.float64)
    y = np.asarray(y, np.float64)
    both = x + y
    before = np.cumsum(both, axis=-1) - both
    middle = logit((before + 1.0) / (2.0 * np.arange(x.shape[-1]) + 2.0))
    capital = np.zeros(x.shape)
    for distance in _LOG_ODDS:
        a = expit(middle + distance / 2.0)
        b = expit(middle - distance / 2.0)
        mean = (a + b) / 2.0
        growth = np.log(np.where(x > 0.0, a, 1.0 - a) / np.where(x > 0.0, mean, 1.0 - mean))
        growth += np.log(np.where(y > 0.0, b, 1.0 - b) / np.where(y > 0.0, mean, 1.0 - mean))
        capital += np.exp(np.cumsum(growth, axis=-1)) / _LOG_ODDS.size
    return capital


@functools.lru_cache(maxsize=8)
def fisher_p_values(trials_x: int, trials_y: int) -> Floats:
    """Return Fisher's one-sided p-value that x is better, for each outcome, float64[trials_x + 1, trials_y + 1]."""
    x = np.arange(trials_x + 1)[:, None]
    y = np.arange(trials_y + 1)
    logarithms = _log_binomial(trials_x, x) + _log_binomial(trials_y, y) - _log_binomial(trials_x + trials_y, x + y)
    tails = np.exp(logarithms)
    for successes in range(trials_x - 1, -1, -1):  # sum over outcomes with the same total and at least as many of x
        tails[successes, 1:] += tails[successes + 1, :-1]
    return tails


def _log_binomial(number: int, chosen: Integers) -> Floats:
    return np.asarray(gammaln(number + 1.0) - gammaln(chosen + 1.0) - gammaln(number - chosen + 1.0))


def _region(fisher: Floats, extreme: float) -> Integers:
    """Return the outcomes whose p-value is at most `extreme`.

    Parameters
    ----------
    fisher : result of `fisher_p_values`

    Returns
    -------
    int64[trials_x + 1], for each number of successes of x, the number of successes of y below which outcomes are in the
    region
    """
    return np.asarray((fisher <= extreme * (1.0 + _ROUNDING)).sum(axis=1))


def _probabilities(rejected: Integers, trials_x: int, trials_y: int, rates_x: Floats, rates_y: Floats) -> Floats:
    """Return the probability of a region (see `_region`) at several pairs of rates of x and y, float64[rates]."""
    return _sums(rejected, _binomial(trials_x, rates_x), np.cumsum(_binomial(trials_y, rates_y), axis=1))


def _sums(rejected: Integers, x: Floats, up_to_y: Floats) -> Floats:
    """Return the probability of a region (see `_region`) at several pairs of rates, float64[rates].

    x : float64[rates, outcomes], probability of each number of successes of x
    up_to_y : float64[rates, outcomes], probability of at most each number of successes of y
    """
    some = rejected > 0
    return (x[:, some] * up_to_y[:, rejected[some] - 1]).sum(axis=1)


def _binomial(trials: int, rates: Floats) -> Floats:
    """Return the probabilities of all numbers of successes, float64[rates, trials + 1]; faster than scipy."""
    successes = np.arange(trials + 1)
    rates = rates[:, None]
    powers = xlogy(successes, rates) + xlog1py(trials - successes, -rates)
    return np.exp(_log_binomial(trials, successes) + powers)


def critical_region(trials: int, alpha: float) -> Integers:
    """Return the outcomes for which Boschloo's two-sided test finds x better, with equal numbers of trials.

    Returns
    -------
    int64[trials + 1], for each number of successes of x, the number of successes of y below which x is found better
    """
    fisher = fisher_p_values(trials, trials)
    each = _binomial(trials, _RATES)
    up_to = np.cumsum(each, axis=1)
    levels = np.unique(fisher)
    fewest, most = 0, levels.size  # levels[:fewest] can be rejected, levels[most:] cannot
    while fewest < most:
        middle = (fewest + most) // 2
        if 2.0 * _sums(_region(fisher, levels[middle]), each, up_to).max() <= alpha:
            fewest = middle + 1
        else:
            most = middle
    return _region(fisher, levels[fewest - 1]) if fewest else np.zeros(trials + 1, np.int64)


def power(trials: int, rate_x: float, rate_y: float, confidence_level: float = 0.95) -> float:
    """Return the exact power of Boschloo's two-sided test for two rates, with `trials` trials of each."""
    rejected = critical_region(trials, 1.0 - confidence_level)
    sides = (rate_x, rate_y), (1.0 - rate_x, 1.0 - rate_y)
    rates = np.array(sides)
    return float(_probabilities(rejected, trials, trials, rates[:, 0], rates[:, 1]).sum())
