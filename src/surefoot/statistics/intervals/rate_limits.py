"""Limits of success rates from runs with several trials each, and of means over clusters of items.

Trials of one run are not independent trials of the algorithm: if a run collapses, all its trials fail. `rate_limits`
returns limits of the expected success rate of a run, whatever the distribution of the rates between 0 and 1 (Gaffke
2005; Learned-Miller and Thomas, "A new confidence interval for the mean of a bounded random variable", 2019). With
rates x_1, ..., x_n, x_0 = 0, and weights W distributed uniformly on the simplex,

    low = the quantile alpha / 2 of sum_{i=0}^n W_i x_i,                                                     (1)

and the upper limit follows in the same way from the fractions of failures. It is conjectured that these limits keep
their level for any number of runs. No counterexample is known, and the simulations in the tests find none. If all rates
are 0 or 1, the limits are those of Clopper and Pearson (Biometrika 26, 1934), which are proven to keep it.

The distribution of (1) is computed exactly. With independent exponential E_i, sum W_i x_i exceeds t if
sum E_i (x_i - t) > 0: a sum over the rates above t exceeds a sum over the rates below. A difference a E - b E' is
distributed like a E with probability a / (a + b), and otherwise like -b E', so that the probability p(i, j) that i
terms exceed j others satisfies

    (a_i + b_j) p(i, j) = a_i p(i, j - 1) + b_j p(i - 1, j),    p(i, 0) = 1, p(0, j) = 0.

No numbers are subtracted, so ties among rates need no special treatment.

These limits assume nothing about the distribution of the rates, and are wide with few runs. `training_limits` instead
assumes that the observed runs show how much runs vary. It computes the number of independent trials that would have the
same variance of the mean rate, where the variance is at least the binomial variance of the trials, and returns Clopper
and Pearson's limits for that many trials (Korn and Graubard, Survey Methodology 24, 1998, with Student's adjustment).
If all trials succeed or all fail, each run counts as one trial.

`item_mean` computes means over a sample of items, such as the questions of a benchmark, possibly in clusters. The
samples of an item are averaged first, so that the variation between samples is counted once, as part of the variation
between items. With N items, the clustered standard error of their mean is Miller's ("Adding Error Bars to Evals", arXiv
2411.00640, 2024): the root of the sum over clusters of (the sum of the deviations of a cluster's items)^2, divided by
N. Limits use this error times sqrt(G / (G - 1)) for G clusters, which for clusters of one item is the standard error of
N independent items. They use Student's distribution with G - 1 degrees of freedom, adjusted for the skewness of the
sums by Hall's transformation (Journal of the Royal Statistical Society B 54, 1992).

A multiple of a standard error is too small for rates near 0 or 1; for example, it is 0 if all items have the same
value. So limits of values from 0 to 1 are Clopper and Pearson's for the number of independent outcomes that would have
this standard error, adjusted for the degrees of freedom (Korn and Graubard, Survey Methodology 24, 1998).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit
from scipy.special import gammaln, ndtri, stdtrit

from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.coverage.failure_rates import binomial_limits


class RateLimits(NamedTuple):
    """Distribution-free limits of a success rate, and the overdispersion of the trials.

    The overdispersion is the correlation of two trials of a run: 0 if trials behave like independent ones, 1 if all
    trials of a run have the same outcome, and NaN if it cannot be estimated.
    """

    low: float
    high: float
    overdispersion: float


def rate_limits(successes: Floats, trials: Floats, confidence_level: float) -> RateLimits:
    """Return distribution-free limits of the mean success rate of runs.

    Each limit fails with a probability of at most (1 - confidence) / 2. The lower limit is 0 if there are no successes,
    and the upper limit is 1 if there are no failures.

    Parameters
    ----------
    successes, trials : float64[runs], numbers of successes and of trials of each run
    """
    successes = np.asarray(successes, np.float64)
    trials = np.asarray(trials, np.float64)
    tail = (1.0 - confidence_level) / 2.0
    low = _lower_limit(successes / trials, tail)
    high = 1.0 - _lower_limit((trials - successes) / trials, tail)
    return RateLimits(low, high, correlation_of_trials(successes, trials))


def mean_rate_variance(successes: Floats, trials: Floats) -> float:
    """Return the variance of the mean success rate of runs, which is at least the binomial variance of the trials.

    The binomial variance uses the pooled rate with one success and one failure added, so that it is never 0.

    Parameters
    ----------
    successes, trials : float64[runs], numbers of successes and of trials of at least two runs
    """
    pooled = (successes.sum() + 1.0) / (trials.sum() + 2.0)
    binomial = pooled * (1.0 - pooled) * np.mean(1.0 / trials)
    return float(max(np.var(successes / trials, ddof=1), binomial) / successes.size)


def training_limits(
    successes: Floats, trials: Floats, variance: float, degrees: float, tail: float, tail_at_ends: float | None = None
) -> tuple[float, float]:
    """Return limits (low, high) of the mean success rate of several training runs, given the variance of the mean.

    Parameters
    ----------
    successes, trials : float64[runs], numbers of successes and of trials
    variance : variance of the mean rate, for example from `mean_rate_variance`
    degrees : degrees of freedom of the variance
    tail : probability with which each limit fails
    tail_at_ends : the same if all trials succeed or all fail, so that only one limit can fail; by default `tail`
    """
    count = float(successes.size)
    mean = float(np.mean(successes / trials))
    if successes.sum() in (0.0, trials.sum()):
        tail = tail if tail_at_ends is None else tail_at_ends
        low, high = binomial_limits(mean * count, (1.0 - mean) * count, tail)
        return float(low), float(high)
    adjustment = float(ndtri(tail) / stdtrit(degrees, tail)) ** 2
    effective = min(mean * (1.0 - mean) / variance * adjustment, float(trials.sum()))
    low, high = binomial_limits(mean * effective, (1.0 - mean) * effective, tail)
    return float(low), float(high)


def correlation_of_trials(successes: Floats, trials: Floats) -> float:
    """Return the intraclass correlation of the trials of a run, by the analysis of variance.

    See Ridout, Demetrio and Firth, "Estimating intraclass correlation for binary data", Biometrics 55, 1999. Negative
    estimates are returned as 0. The result is NaN for a single run, for runs of one trial each, and if all trials have
    the same outcome.
    """
    runs = successes.size
    total = trials.sum()
    mean = successes.sum() / total
    if runs < 2 or total == runs or mean in (0.0, 1.0):
        return float("nan")
    rates = successes / trials
    between = np.sum(trials * (rates - mean) ** 2) / (runs - 1)
    within = np.sum(trials * rates * (1.0 - rates)) / (total - runs)
    typical = (total - np.sum(trials**2) / total) / (runs - 1)
    return float(max((between - within) / (between + (typical - 1.0) * within), 0.0))


def _lower_limit(rates: Floats, tail: float) -> float:
    """Return the lower limit of the mean rate: the quantile `tail` in equation (1) of the module docstring."""
    points = np.append(0.0, rates)
    if not rates.any():
        return 0.0
    from scipy.optimize import brentq  # slow to import

    return float(brentq(lambda at: _exceeds(points - at) - (1.0 - tail), 0.0, rates.max(), xtol=1e-12))


@njit(cache=True, nogil=True, error_model="numpy")
def _exceeds(differences: Floats) -> float:
    """Return P(sum_i E_i differences_i > 0) for independent standard exponential E_i."""
    above = differences[differences > 0.0]
    below = -differences[differences < 0.0]
    if not above.size:
        return 0.0
    one_more = np.zeros(below.size + 1)
    for a in above:
        one_more[0] = 1.0
        for j in range(below.size):
            one_more[j + 1] = (a * one_more[j] + below[j] * one_more[j + 1]) / (a + below[j])
    return float(one_more[below.size])


_ENOUGH = 40.0
_UNLIKE = 0.9
"""There is no remark if the equivalent number of clusters is at least `_ENOUGH`, or above `_UNLIKE` times the number of
clusters.
"""


_SYMMETRIC = 1e-6
"""Absolute skewness of a mean below which Student's quantile is used without Hall's transformation."""


class ItemMean(NamedTuple):
    """The mean of items, with its clustered standard error (Miller's) and its limits.

    clusters : number of clusters
    alike : equivalent number of clusters of equal size, (sum of sizes)^2 / (sum of squared sizes) (Kish, "Survey
        Sampling", 1965)
    """

    value: float
    standard_error: float
    low: float
    high: float
    clusters: int
    alike: float


def item_mean(values: Floats, clusters: Sequence[str], answers: int, confidence_level: float = 0.95) -> ItemMean:
    """Compute the mean of items in independent clusters, with limits.

    If there is a single cluster, the limits are NaN.

    Parameters
    ----------
    values : float64[items]
    clusters : name of the cluster of each item
    answers : total number of samples of all items, an upper bound for the equivalent number of independent outcomes
    confidence_level : confidence level of the limits
    """
    _, cluster = np.unique(np.asarray(clusters), return_inverse=True)
    count = int(cluster.max()) + 1
    mean = float(values.mean())
    alike = float(values.size**2 / (np.bincount(cluster) ** 2).sum())
    error = float(clustered_errors(values, cluster))
    if count == 1:
        return ItemMean(mean, error, np.nan, np.nan, count, alike)
    larger = error * np.sqrt(count / (count - 1.0))
    tail = (1.0 - confidence_level) / 2.0
    quantile = -stdtrit(count - 1.0, tail)
    if values.min() < 0.0 or values.max() > 1.0:
        skewness = _skewness(np.bincount(cluster, values - mean).astype(np.float64))
        low, high = (mean - larger * _hall(one, skewness / np.sqrt(count)) for one in (quantile, -quantile))
        return ItemMean(mean, error, low, high, count, alike)
    worth = float(count)
    if larger > 0.0 and 0.0 < mean < 1.0:
        worth = min(mean * (1.0 - mean) / larger**2 * (ndtri(tail) / quantile) ** 2, float(answers))
    low, high = binomial_limits(mean * worth, (1.0 - mean) * worth, tail)
    return ItemMean(mean, error, float(low), float(high), count, alike)


def _skewness(sums: Floats) -> float:
    """Return the skewness of numbers with mean 0; 0 if all are 0."""
    variance = np.mean(sums**2)
    return float(np.mean(sums**3) / variance**1.5) if variance > 0.0 else 0.0


def _hall(quantile: float, skewness: float) -> float:
    """Return the quantile of Student's t for a skewed mean, by the inverse of Hall's cubic transformation.

    Parameters
    ----------
    quantile : quantile of Student's distribution
    skewness : skewness of the mean: the skewness of a cluster divided by the square root of the number of clusters
    """
    if abs(skewness) < _SYMMETRIC:
        return quantile
    return float(3.0 / skewness * (np.cbrt(1.0 + skewness * (quantile - skewness / 6.0)) - 1.0))


def cluster_remark(clusters: int, alike: float) -> str:
    """Return a remark on limits from clusters of unequal sizes, or an empty string if none is needed."""
    if alike >= _ENOUGH or alike > _UNLIKE * clusters:
        return ""
    return f"the {clusters} clusters count like {alike:.0f} of equal size, so the interval may be too narrow"


def clustered_errors(values: Floats, clusters: Integers) -> Floats:
    """Compute Miller's clustered standard errors of means over the last axis, without a factor for few clusters.

    Parameters
    ----------
    values : float64[..., items]
    clusters : int64[items], cluster numbers from 0
    """
    deviations = values - values.mean(axis=-1, keepdims=True)
    starts = np.searchsorted(np.sort(clusters), np.arange(clusters.max() + 1))
    sums = np.add.reduceat(deviations[..., np.argsort(clusters, kind="stable")], starts, axis=-1)
    return np.asarray(np.sqrt((sums**2).sum(axis=-1)) / values.shape[-1])


def all_of(successes: npt.ArrayLike, samples: npt.ArrayLike, attempts: int) -> Floats:
    """Estimate the probability that k attempts at an item all succeed (pass^k), float64[items].

    The result is the share of subsets of k samples in which all samples succeed, which is an unbiased estimate. If
    numbers of failures are passed instead of successes, 1 minus the result is pass@k.

    successes, samples : float64[items], numbers of successes and of samples of each item
    attempts : k, at most the smallest number of samples
    """
    successes = np.asarray(successes, np.float64)
    samples = np.asarray(samples, np.float64)
    enough = np.maximum(successes, attempts)
    logarithm = gammaln(enough + 1.0) - gammaln(enough - attempts + 1.0)
    logarithm -= gammaln(samples + 1.0) - gammaln(samples - attempts + 1.0)
    return np.where(successes >= attempts, np.exp(logarithm), 0.0)
