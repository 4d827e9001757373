"""Number of fresh runs with which a new study would separate two algorithms.

A study separates two algorithms if the interval of their difference excludes 0. Suppose that the true difference is the
observed one, that its standard error is s with the present N runs of each task, and that K fresh runs of each task have
(degrees + 2) (K + 1) / (N + 1) - 2 degrees of freedom (for one task, K - 1 instead of N - 1 for each algorithm). If s
were the true standard error, the power would follow from Student's noncentral t distribution. But s is an estimate, and
if it is too small, the plan has too few runs: planning with s itself led to a power of 66 to 78 % instead of 80 %. So K
is the smallest whole number with a power of 80 % on average over possible pilots, whose s^2 follow a chi-squared
distribution. Let z be standard normal, t the quantile of the interval with K runs, and u and u_K the ratios of
estimated to true standard errors for the pilot and for the fresh study. The average power is the probability that

    z + t u_K <= (difference / s) sqrt(K / N) u,

where the left side is approximated by a normal distribution with the same mean and variance.

The observed difference is uncertain too. Since K is proportional to the inverse square of the difference, it is poorly
determined. Its band follows from the 80 % confidence limits of the noncentrality c, which is the true difference
divided by its standard error (Steiger and Fouladi, in "What if there were no significance tests?", 1997). The band has
no upper end if the limits of c include 0. With pilots of 3, 5 and 10 runs of 1, 5 and 26 tasks with normal scores, the
band contained the required number in 80 to 89 % of cases.

K is the size of a new study. Adding runs to the present study and testing again is a different procedure, with more
false positives than stated; `comparison.anytime_comparison` accounts for this.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc, gammaln, nctdtr, stdtrit

from surefoot.statistics.arrays import Floats

POWER = 0.8
"""Average probability that a study with the returned number of runs separates the algorithms."""
BAND = 0.8
"""Confidence level of the band."""
MOST_RUNS = 10_000
"""Number of runs above which infinity is returned."""
_HALVINGS = 60
_FARTHEST = 35.0
_GREATEST_T = 1e3
_PROPORTIONAL = 300.0
"""Value of t above which noncentralities are proportional to t to within 1 part in 20,000, and scipy becomes slow."""


def runs_to_settle(
    values: npt.ArrayLike, errors: npt.ArrayLike, degrees: npt.ArrayLike, runs: int, level: float
) -> tuple[Floats, Floats, Floats]:
    """Return the numbers of fresh runs per task with which new studies would separate pairs of algorithms.

    Parameters
    ----------
    values, errors, degrees : float64[pairs], differences, their standard errors, and their degrees of freedom
    runs : present number of runs per task, at least 2; the smallest number if tasks differ
    level : one-sided confidence level of each interval, such as 0.975

    Returns
    -------
    runs : float64[pairs], whole numbers of runs for the observed differences; infinite if `MOST_RUNS` are not enough
    low, high : float64[pairs], ends of the band
    """
    size, error, freedom = np.broadcast_arrays(np.abs(np.asarray(values, np.float64)), errors, degrees)
    certain = error <= 0.0
    t_statistic = np.where(certain, 0.0, size / np.where(certain, 1.0, error))
    tail = (1.0 - BAND) / 2.0
    low, high = (noncentrality(freedom, t_statistic, one) for one in (1.0 - tail, tail))

    def quantities(planned: Floats) -> tuple[Floats, Floats]:
        """Return the degrees of freedom and the quantile of the interval."""
        new = np.maximum((freedom + 2.0) * (planned + 1.0) / (runs + 1.0) - 2.0, 1.0)
        return new, stdtrit(new, level)

    def power(true: Floats, planned: Floats) -> Floats:
        new, quantile = quantities(planned)
        center = true * np.sqrt(planned / runs)
        # scipy's noncentral distribution fails in the far tail, where t varies only through its standard error.
        below = nctdtr(new, np.minimum(center, _FARTHEST), quantile)
        far = chdtrc(new, new * (center / quantile) ** 2)
        return 1.0 - np.where(center < _FARTHEST, below, far)

    def average_power(observed: Floats, planned: Floats) -> Floats:
        new, quantile = quantities(planned)
        mean = np.sqrt(2.0 / new) * np.exp(gammaln((new + 1.0) / 2.0) - gammaln(new / 2.0))
        spread = np.sqrt(1.0 + quantile**2 * (1.0 - mean**2))
        reached = np.minimum(observed * np.sqrt(planned / runs) / spread, _GREATEST_T)
        return np.asarray(nctdtr(freedom, quantile * mean / spread, reached))

    observed, least, greatest = (
        _smallest(partial(chance, np.where(certain & (size > 0), np.inf, of)), t_statistic.shape)
        for chance, of in ((average_power, t_statistic), (power, high), (power, low))
    )
    return observed, np.minimum(least, observed), np.maximum(greatest, observed)


def noncentrality(degrees: Floats, found: Floats, probability: float) -> Floats:
    """Return the noncentrality of Student's t for which P(T <= found) equals `probability`, or 0 if it is negative."""
    times = np.maximum(found / _PROPORTIONAL, 1.0)
    found = found / times
    low = np.zeros(found.shape)
    high = 2.0 * found + _FARTHEST
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        above = nctdtr(degrees, middle, found) > probability
        low = np.where(above, middle, low)
        high = np.where(above, high, middle)
    return low * times


def _smallest(power: Callable[[Floats], Floats], shape: tuple[int, ...]) -> Floats:
    """Return the smallest whole numbers of runs with power `POWER`, which grows with the runs, by bisection."""
    low = np.full(shape, 1)
    high = np.full(shape, MOST_RUNS + 1)
    while (high - low > 1).any():
        middle = np.maximum((low + high) // 2, 2)
        enough = power(middle) >= POWER
        low = np.where(enough, low, middle)
        high = np.where(enough, middle, high)
    return np.where(high > MOST_RUNS, np.inf, high.astype(np.float64))
