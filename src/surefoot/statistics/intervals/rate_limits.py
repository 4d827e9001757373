"""Limits of a success rate, from runs of which each has several trials with two outcomes.

Trials of one run share what it has learnt, so they are no independent trials of the algorithm: of runs that collapse,
all trials fail. The limits are of the mean of the runs' rates, whatever distribution these have between 0 and 1
(Gaffke 2005; Learned-Miller and Thomas, "A new confidence interval for the mean of a bounded random variable", 2019).
With rates x_1, ..., x_n, x_0 = 0 and weights W uniformly distributed among those that add up to 1,

    low = the quantile alpha / 2 of sum_{i=0}^n W_i x_i,                                                     (1)

and the upper limit is the same of the fractions of failures. That these limits hold their level with any number of runs
is a conjecture; no counterexample is known, and the studies of the tests find none. Rates of 0 and 1 alone have the
limits of Clopper and Pearson (Biometrika 26, 1934), for which it is proved.

The distribution of (1) is exact, without resamples. With independent exponential E_i, sum W_i x_i exceeds t where
sum E_i (x_i - t) > 0: a sum over the rates above t exceeds one over those below. A difference a E - b E' is a E with
probability a / (a + b) and else -b E', so that the probability p(i, j) that i terms exceed j others satisfies

    (a_i + b_j) p(i, j) = a_i p(i, j - 1) + b_j p(i - 1, j),    p(i, 0) = 1, p(0, j) = 0.

No numbers are subtracted, so that ties among rates need no care.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.optimize import brentq

from surefoot.statistics.arrays import Floats


class RateLimits(NamedTuple):
    """Limits of the rate, and the correlation of two trials of a run, from 0 (as if trials were independent) to 1 (all
    trials of a run have the same outcome); NaN where it cannot be estimated."""

    low: float
    high: float
    overdispersion: float


def rate_limits(successes: Floats, trials: Floats, confidence: float) -> RateLimits:
    """Limits of the mean success rate of runs, each with probability (1 - confidence) / 2 outside.

    Without a single success the lower limit is 0, without a failure the upper one is 1.

    Parameters
    ----------
    successes, trials : float64[runs], whole numbers
    """
    successes, trials = np.asarray(successes, np.float64), np.asarray(trials, np.float64)
    tail = (1.0 - confidence) / 2.0
    low = _lower_limit(successes / trials, tail)
    high = 1.0 - _lower_limit((trials - successes) / trials, tail)
    return RateLimits(low, high, correlation_of_trials(successes, trials))


def correlation_of_trials(successes: Floats, trials: Floats) -> float:
    """The intraclass correlation of the trials of a run by the analysis of variance (Ridout, Demetrio and Firth,
    "Estimating intraclass correlation for binary data", Biometrics 55, 1999), 0 if the estimate is negative; NaN of a
    single run, of runs of one trial each, and where all trials have the same outcome."""
    runs, total = successes.size, trials.sum()
    mean = successes.sum() / total
    if runs < 2 or total == runs or mean in (0.0, 1.0):
        return float("nan")
    rates = successes / trials
    between = np.sum(trials * (rates - mean) ** 2) / (runs - 1)
    within = np.sum(trials * rates * (1.0 - rates)) / (total - runs)
    typical = (total - np.sum(trials**2) / total) / (runs - 1)
    return float(max((between - within) / (between + (typical - 1.0) * within), 0.0))


def _lower_limit(rates: Floats, tail: float) -> float:
    """The quantile `tail` of (1)."""
    points = np.append(0.0, rates)
    if not rates.any():
        return 0.0
    return float(brentq(lambda at: _exceeds(points - at) - (1.0 - tail), 0.0, rates.max(), xtol=1e-12))


@njit(cache=True, nogil=True, error_model="numpy")
def _exceeds(differences: Floats) -> float:
    """P(sum_i E_i differences_i > 0) of independent standard exponential E_i."""
    above, below = differences[differences > 0.0], -differences[differences < 0.0]
    if not above.size:
        return 0.0
    one_more = np.zeros(below.size + 1)
    for a in above:
        one_more[0] = 1.0
        for j in range(below.size):
            one_more[j + 1] = (a * one_more[j] + below[j] * one_more[j + 1]) / (a + below[j])
    return float(one_more[below.size])
