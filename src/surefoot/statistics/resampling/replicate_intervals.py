r"""Intervals from bootstrap replicates (Agarwal et al. 2021, appendix A.5; Efron and Tibshirani 1993, chapters 13, 14).

In these formulas, t is the estimate, t*(q) the q-quantile of the replicates (interpolated linearly), s their standard
deviation, and alpha = 1 - confidence:

percentile
    about : The middle part of the replicates, as in most papers.
    formula : $t^*(\alpha/2)$ to $t^*(1 - \alpha/2)$.
    assumes : The given runs represent all runs.
    guarantee : Asymptotic. At 95 %, with ten tasks, the mean of normal scores is missed in about 20 % of data sets of 2
        runs, 12 % of 3, 9 % of 5, 7 % of 10 and 5 % of 30.
    not for : Few runs per task: use `student`.
    source : Agarwal et al. 2021, appendix A.5; Efron and Tibshirani 1993, chapter 13

basic
    about : The percentile limits, reflected at the estimate.
    formula : $2t - t^*(1 - \alpha/2)$ to $2t - t^*(\alpha/2)$.
    assumes : The error of the estimate has the same distribution for any true value.
    guarantee : Asymptotic.
    not for : Few runs, and metrics with bounds, which the limits may exceed.
    source : Agarwal et al. 2021, appendix A.5; Davison and Hinkley 1997, section 5.2

bc
    about : Percentile limits, corrected for the bias of the replicates.
    formula : $t^*(\Phi(2 z_0 + z))$ at the $\alpha/2$ and $1 - \alpha/2$ quantiles $z$ of the normal distribution,
        where $\Phi(z_0)$ is the fraction of replicates below $t$ by more than the rounding error.
    assumes : Some transformation makes the estimate normal with a constant bias.
    guarantee : Asymptotic.
    not for : Few runs. It does not exist if all replicates are on one side of the estimate.
    source : Efron 1987; Efron and Tibshirani 1993, chapter 14

bca
    about : Limits corrected for bias and skewness, for runs with the same numbers on all tasks.
    formula : $t^*\!\left(\Phi\!\left(z_0 + \frac{z_0 + z}{1 - a (z_0 + z)}\right)\right)$, with $z_0$ and $z$ as
        bias-corrected and the acceleration $a = \sum_n u_n^3 / \left( 6\, (\sum_n u_n^2)^{3/2} \right)$, where $u_n$ is
        how far the metric without run number $n$ of all tasks is below the mean of these metrics.
    assumes : As for bias-corrected, with a spread that depends on the true value; tasks share run numbers.
    guarantee : Asymptotic, of second order.
    not for : Few runs, or runs without common numbers across tasks.
    source : Efron 1987; Agarwal et al. 2021, appendix A.5

bca_stratified
    about : BCa for runs that are independent across tasks.
    formula : Like BCa, with the acceleration computed from $u_{mn}$ instead of $u_n$: $(N_m - 1) / N_m$ times how far
        the metric without run $n$ of task $m$ alone is below the mean of these metrics of the task.
    assumes : As for bias-corrected, with a spread that depends on the true value.
    guarantee : Asymptotic, of second order.
    not for : Few runs: it corrects skewness, not the narrowness of resampled intervals.
    source : Efron 1987; Efron and Tibshirani 1993, section 14.3; Davison and Hinkley 1997, section 5.3

normal
    about : The estimate plus and minus a multiple of the replicates' standard deviation.
    formula : $t \mp s z$ with the $1 - \alpha/2$ quantile $z$ of the normal distribution.
    assumes : The estimate is nearly normal, and its spread is known.
    guarantee : Asymptotic.
    not for : Few runs: the variance $s^2$ is too small by the factor $(N - 1) / N$, and only an estimate.
    source : Efron and Tibshirani 1993, chapter 13

student
    about : The normal interval, enlarged for few runs: the recommended interval.
    formula : From $t - c\, q \max(s,\, (t - t^*(\alpha/2)) / z)$ to $t + c\, q \max(s,\, (t^*(1 - \alpha/2) - t) / z)$,
        with Student's $1 - \alpha/2$ quantile $q$ and the normal $z$; so the interval reaches at least as far as the
        percentile limits, enlarged in the same way. The factor $c^2 = \sum_m V_m / \sum_m \frac{N_m - 1}{N_m} V_m$
        corrects for an $s^2$ that is too small; the degrees of freedom are $\nu = (\sum_m V_m)^2 / \sum_m
        \frac{V_m^2}{N_m + 1} - 2$, at least the smallest $N_m - 1$. By the jackknife, task $m$ contributes the variance
        $V_m = \frac{N_m - 1}{N_m} \sum_n d_{mn}^2$, where $d_{mn}$ is how far the metric without run $n$ of the task is
        from the mean of these metrics. Tasks with one run are left out of all sums. Where tasks share runs, the
        interval is $t \mp s q$ with $s^2 = \frac{N - 1}{N} \sum_n d_n^2$ and $\nu = N - 1$, where $d_n$ leaves out a
        whole run. Where $M$ tasks are a sample of tasks, $c^2 = M / (M - 1)$ and $\nu = M - 1$.
    assumes : The estimate is nearly normal.
    guarantee : No theorem. At 95 %, in simulated studies whose tasks have separate runs, the IQM was missed in
        3.9 % of the data sets, and in 3 of 242 kinds of studies significantly more often than in 5 %. Where tasks share
        runs but the runs do not show it, the IQM was missed in 14 %, and by the interval of whole runs in 8 %.
    not for : With few runs: means of skewed scores, medians, optimality gaps of heavy-tailed scores, single tasks on
        which some runs fail, and tasks that share runs. A remark says so if it predicts misses.
    source : Welch 1947; Student 1908; Efron and Tibshirani 1993, chapter 11
"""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, check_choice, exceeds, margin

METHODS = ("percentile", "basic", "bc", "bca", "bca_stratified", "normal", "student")


class NoIntervalError(HintedError):
    """A bc or bca interval that does not exist for these replicates."""


class Interval(NamedTuple):
    """Lower and upper limits of one or several intervals."""

    low: Floats
    high: Floats


def interval(
    replicates: Floats,
    estimate: Floats | float | None,
    method: str = "percentile",
    confidence_level: float = 0.95,
    acceleration: Floats | float | None = None,
    magnitude: float = 0.0,
) -> Interval:
    """Compute the interval of one or several statistics.

    Parameters
    ----------
    replicates : float64[B] or float64[B, ...]
    estimate : the statistic of the data, with the shape of the replicates without the first axis; not needed for
        percentile
    method : one of METHODS except student, for which see `student_interval`
    confidence_level : between 0 and 1
    acceleration : for bca and bca_stratified, with the shape of the estimate
    magnitude : `arrays.typical_magnitude` of the scores, to which rounding errors are relative if the statistic is
        smaller, such as a difference from a target

    Raises
    ------
    ValueError : for an unknown method
    NoIntervalError : if all or no replicates are below the estimate, or the acceleration is too great, so that a bc or
        bca interval does not exist
    """
    check_choice("interval", method, METHODS)
    replicates = np.asarray(replicates, np.float64)
    value = np.asarray(estimate, np.float64)
    tails = np.array([(1.0 - confidence_level) / 2.0, (1.0 + confidence_level) / 2.0])
    if method == "normal":
        half_width = ndtri(tails[1]) * replicates.std(axis=0, ddof=1)
        return Interval(value - half_width, value + half_width)
    if method in ("percentile", "basic"):
        low, high = np.quantile(replicates, tails, axis=0)
        return Interval(low, high) if method == "percentile" else Interval(2 * value - high, 2 * value - low)
    accelerations = np.asarray(acceleration if method in ("bca", "bca_stratified") else 0.0, np.float64)
    return _corrected(replicates, value, method, tails, accelerations, magnitude)


def student_interval(
    estimate: Floats | float,
    errors: Floats | float,
    degrees: Floats | float,
    confidence_level: float = 0.95,
    replicates: Floats | None = None,
    magnitude: float = 0.0,
) -> Interval:
    """Compute Student's interval: the estimate plus and minus the quantile times the standard error.

    With replicates, the distances of the percentile limits from the estimate are enlarged by the same factor as the
    normal interval. At each end, the limit that is further from the estimate is used.

    errors, degrees : standard errors and their degrees of freedom, with the shape of the estimate
    replicates : float64[B, ...]; without them, the interval is symmetric
    magnitude : see `interval`; standard errors within the rounding error count as 0
    """
    tail = (1.0 + confidence_level) / 2.0
    errors = np.where(errors > margin(estimate, magnitude), errors, 0.0)
    reach_low = reach_high = half_width = stdtrit(degrees, tail) * errors
    if replicates is not None:
        drawn = replicates.std(axis=0, ddof=1)
        enlarged = np.where(drawn > 0.0, half_width / np.where(drawn > 0.0, ndtri(tail) * drawn, 1.0), 0.0)
        low, high = np.quantile(replicates, [1.0 - tail, tail], axis=0)
        reach_low = np.maximum(half_width, enlarged * (estimate - low))
        reach_high = np.maximum(half_width, enlarged * (high - estimate))
    return Interval(np.asarray(estimate - reach_low), np.asarray(estimate + reach_high))


def _corrected(
    replicates: Floats,
    estimate: Floats,
    method: str,
    tails: Floats,
    acceleration: Floats,
    magnitude: float,
) -> Interval:
    scale = np.maximum(np.median(np.abs(replicates), axis=0), magnitude)
    below = np.mean(exceeds(estimate, replicates, scale), axis=0)
    if np.any((below <= 0.0) | (below >= 1.0)):
        raise NoIntervalError(
            "interval",
            f"{method} is not available: {'all' if np.any(below >= 1) else 'no'} replicates are below the estimate",
            "use more resamples, or the method percentile",
        )
    z0 = ndtri(below)
    moved = z0 + ndtri(tails).reshape(2, *[1] * z0.ndim)
    shrunk = 1.0 - acceleration * moved
    if np.any(shrunk <= 0.0):
        raise NoIntervalError(
            "interval",
            f"{method} is not available: its acceleration {float(np.max(np.abs(acceleration))):.3g} is too great",
            "use the method percentile, or more runs",
        )
    fractions = ndtr(z0 + moved / shrunk)
    flat = replicates.reshape(len(replicates), -1)
    ends = fractions.reshape(2, -1)
    limits = np.array([np.quantile(flat[:, i], ends[:, i]) for i in range(flat.shape[1])]).T
    return Interval(*limits.reshape(fractions.shape))
