"""Bands around performance profiles, and their measured coverage.

There are three kinds of bands: "pointwise", percentile limits for each threshold separately, as published; "corrected",
limits for each threshold separately with about the nominal coverage; "simultaneous", limits for the whole profile.

An average-score profile is the fraction of fixed tasks whose true mean score is above t. The profile of the means of a
few runs is a biased estimate of this step function, and resampling does not show the bias. So the means of the tasks
get simultaneous limits (Sidak, JASA 62, 1967). A task whose limits contain t may be on either side of it: the profile
is at least the fraction of lower limits above t and at most the fraction of upper limits above t.

The limits are Student's with moderated variances (Smyth, Statistical Applications in Genetics and Molecular Biology 3,
2004): s^2 = (d_0 s_0^2 + d s_m^2) / (d_0 + d) with d = N - 1 and d_0 + d degrees of freedom, where s_0 and d_0 are the
parameters of the scaled F distribution of the tasks' variances. The estimate of d_0 is low on purpose: it uses the
variance of the logarithms plus one standard error, so that tasks with different noise are not treated as alike. With
few runs, these limits are far narrower than limits from the variance of each task alone, and have the same coverage.

No limits of means are valid for all distributions: if one run in ten collapses, a few runs may not include a collapse.
The band then contained the whole profile in only half to nine tenths of the simulated tables, least often with 10 to 30
runs (subject `profile_bands` of `surefoot.validation`).

A run-score profile is the mean over fixed tasks of P(score > t), each estimated from a few runs. Its limits use the
likelihood ratio. Of N_m runs of task m, a fraction f_m is above a threshold. The limits of the mean F of the true
fractions p_m are the smallest and the greatest mean of any fractions p whose likelihood is not too small:

    sum_m n_m kl(f_m, p_m) <= budget,    kl(f, p) = f log(f / p) + (1 - f) log((1 - f) / (1 - p)).

For one task, this is the inequality of Berk and Jones (1979) and of Owen (JASA 90, 1995). Tasks with all runs on one
side of the threshold share the budget too, so the limits always have a nonzero width, which shrinks with the total
number of runs. At the greatest mean, n_m (p_m - f_m) = lambda p_m (1 - p_m) for all tasks (Lagrange), which is a
quadratic equation.

At each threshold, the limits are those of a stratified likelihood ratio (`fraction_limits`). Its budget is half the
square of a normal critical value, plus 0.3, plus 1 / (1 + n min(F, 1 - F)) for n runs, since the ratio has a heavier
tail than chi-squared if few runs are above or below. The last two terms, and the form of the effective numbers of runs
below, were chosen by simulation. Everything else is derived.

The variance of a task's fraction is underestimated by the factor (N - 1) / N. This matters more if more tasks
contribute errors, so a task counts as N - u / (1 + u) runs, where u = sum_m 4 f_m (1 - f_m) N / (N - 1) is the number
of undecided tasks (a single run counts as half a run). With equal numbers of runs per task, the total count above a
threshold varies no more than a binomial count (Hoeffding, Annals of Mathematical Statistics 27, 1956). So the limits
are clipped to the binomial limits for as many runs on every task as the task with the fewest runs has. With one run per
task, they are equal to the binomial limits.

The critical value for several thresholds is that of the largest of correlated normal errors, by the inequality of
Hunter (1976) and Worsley (1982) from neighbouring thresholds. The correlations follow from each task's fraction above a
threshold, (k + 1/2) / (N + 1). Nothing is drawn at random, so the band does not depend on a seed. As a profile never
rises, each upper limit is also valid for the thresholds to its right, and each lower limit for those to its left.

If tasks share runs, the budget is multiplied by the ratio of two variances of the profile, over all thresholds
together: the jackknife's, which leaves out one run of all tasks at a time, and the variance for independent runs. The
critical value is then Student's with 2 (N - 1) degrees of freedom instead of the normal one, a choice made by
simulation. In 120 normal tables each, with 3, 5 and 10 runs on 5 and 26 tasks, correlations of 0 to .8, and tasks that
are alike or differ 3 times as much as runs, this band missed the whole profile in 0 to 5 %, and the band for
independent tasks in up to 78 %. If tasks are independent, the band for shared runs is 1.1 to 1.7 times as wide.

The same subject of `surefoot.validation` measures the coverage of the simultaneous band for separate runs: at 95 %, it
contained the whole profile of 51 thresholds in 92 to 100 % of simulated tables with 1 to 20 runs on 3 to 57 tasks, for
any spread and for skewed, tied and unequally noisy scores.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import njit
from numba.extending import register_jitable
from scipy.special import digamma, ndtr, ndtri, owens_t, polygamma, stdtrit

from surefoot.errors import counted
from surefoot.statistics.arrays import Floats, with_margin
from surefoot.statistics.profiles.performance_profiles import profile
from surefoot.statistics.resampling.array_draws import worth_compiling
from surefoot.statistics.resampling.jackknife import whole_run_errors
from surefoot.statistics.resampling.replicate_intervals import interval
from surefoot.statistics.runs.samples import Scores, task_columns


def mean_limits(scores: Scores, confidence_level: float) -> tuple[Floats, Floats]:
    """Return simultaneous limits (low, high) of the true mean scores of M tasks, float64[M] each."""
    columns = task_columns(scores)
    sizes = np.array([column.size for column in columns], np.float64)
    means = np.array([column.mean() for column in columns])
    variances = np.array([column.var(ddof=1) if column.size > 1 and np.ptp(column) > 0 else 0.0 for column in columns])
    moderated, degrees = moderated_variances(variances, sizes - 1.0)
    level = 1.0 - confidence_level ** (1.0 / sizes.size)
    half_width = stdtrit(degrees, 1.0 - level / 2.0) * np.sqrt(moderated / sizes)
    return means - half_width, means + half_width


def moderated_variances(variances: Floats, degrees: Floats) -> tuple[Floats, Floats]:
    """Shrink the variances of tasks towards each other, and return them with their degrees of freedom, float64[M] each.

    If no variance is above 0, the results are infinite variances with one degree of freedom.

    Parameters
    ----------
    variances, degrees : float64[M], sample variances and their degrees of freedom; variances of 0, or with 0 degrees,
        do not affect the results of other tasks
    """
    positive = (degrees > 0) & (variances > 0)
    if not positive.any():
        return np.full(variances.shape, np.inf), np.ones(variances.shape)
    if variances.size == 1:
        return variances, degrees
    half = degrees[positive] / 2.0
    logarithms = np.log(variances[positive]) - digamma(half) + np.log(half)
    noise, count = polygamma(1, half), half.size
    middle = logarithms.mean()
    excess = np.sum((logarithms - middle) ** 2) / max(count - 1, 1) - noise.mean()
    error = np.sqrt((polygamma(3, half) + 2.0 * noise**2).mean() / count)
    prior_half = _inverse_trigamma(max(excess, 0.0) + error)
    prior = np.exp(middle + digamma(prior_half) - np.log(prior_half))
    total = 2.0 * prior_half + degrees
    return (2.0 * prior_half * prior + degrees * variances) / total, total


def _inverse_trigamma(value: float) -> float:
    """Invert the trigamma function by Newton's method, as in Smyth's appendix; it converges from below."""
    x = 0.5 + 1.0 / value
    for _ in range(50):
        at = polygamma(1, x)
        step = at * (1.0 - at / value) / polygamma(2, x)
        x += step
        if -step < 1e-8 * x:
            break
    return float(x)


_SMALLEST, _GREATEST = -30.0, 60.0  # of log lambda
_ITERATIONS, _TOLERANCE = 100, 1e-9
_STEPS = 6
"""Usual number of iterations; an iteration takes as long per task as a numpy call."""


def fraction_limits(fractions: Floats, sizes: Floats, budgets: Floats) -> tuple[Floats, Floats]:
    """Return limits (low, high) of the mean fraction at each threshold, float64[T] each, inside [0, 1].

    Parameters
    ----------
    fractions : float64[T, M], fraction of the runs of each task above each threshold
    sizes : float64[T, M] or float64[M], effective numbers of runs, above 0
    budgets : float64[T], largest allowed divergence at each threshold, see the module docstring; infinite for no limit
    """
    fractions, budgets = np.ascontiguousarray(fractions, np.float64), np.ascontiguousarray(budgets, np.float64)
    # A copy, since numba would compile everything again for read-only arrays, such as broadcast ones.
    sizes = np.array(np.broadcast_to(sizes, fractions.shape), np.float64, order="C")
    return 1.0 - _greatest_means(1.0 - fractions, sizes, budgets), _greatest_means(fractions, sizes, budgets)


def _plain_greatest_means(fractions: Floats, sizes: Floats, budgets: Floats) -> Floats:
    means, start = np.empty(budgets.size), 0.0
    for t in range(budgets.size):
        means[t], start = _greatest_mean(fractions[t], sizes[t], budgets[t], start)
    return means


_compiled_greatest_means = njit(cache=True, nogil=True, error_model="numpy")(_plain_greatest_means)


def _greatest_means(fractions: Floats, sizes: Floats, budgets: Floats) -> Floats:
    """Return the greatest mean fraction within the budget of each threshold, float64[T]."""
    if worth_compiling("limits", _STEPS * fractions.size, 0):
        compiled: Floats = _compiled_greatest_means(fractions, sizes, budgets)
        return compiled
    return _plain_greatest_means(fractions, sizes, budgets)


@register_jitable
def _greatest_mean(fractions: Floats, sizes: Floats, budget: float, start: float) -> tuple[float, float]:
    """Return the greatest mean fraction within the budget, and log lambda at this mean.

    Newton's method, from `start`, solves sqrt(divergence) = sqrt(budget) for log lambda. If a step would leave the
    interval that contains the root, the interval is halved instead.
    """
    wanted = math.sqrt(budget)
    low, high, x, mean = _SMALLEST, _GREATEST, start, 1.0
    if not _tilted(fractions, sizes, math.exp(high))[1] > budget:
        return 1.0, start
    for _ in range(_ITERATIONS):
        mean, divergence, slope = _tilted(fractions, sizes, math.exp(x))
        root = math.sqrt(divergence)
        if root > wanted:
            high = x
        else:
            low = x
        step = 2.0 * root * (wanted - root) / slope if slope > 0.0 else np.inf
        if abs(step) < _TOLERANCE or high - low < _TOLERANCE:
            break
        x = x + step if low < x + step < high else 0.5 * (low + high)
    return mean, x


@register_jitable
def _tilted(fractions: Floats, sizes: Floats, multiplier: float) -> tuple[float, float, float]:
    """Return the mean and the divergence of p for lambda = `multiplier`, and the derivative of the divergence.

    The derivative is with respect to log lambda.
    """
    mean, divergence, slope = 0.0, 0.0, 0.0
    for m in range(sizes.size):
        f, n = fractions[m], sizes[m]
        if f >= 1.0:
            mean += 1.0
            continue
        if f <= 0.0:
            if multiplier > n:
                mean += 1.0 - n / multiplier
                divergence += n * math.log(multiplier / n)
                slope += n
            continue
        root = math.sqrt((multiplier - n) * (multiplier - n) + 4.0 * multiplier * n * f)
        rest = min(2.0 * n * (1.0 - f) / (multiplier + n + root), 1.0 - f)  # 1 - p
        p = 1.0 - rest
        mean += p
        divergence += n * ((1.0 - f) * math.log((1.0 - f) / rest) + f * math.log(f / p))
        slope += multiplier * multiplier * p * rest / root
    return mean / sizes.size, max(divergence, 0.0), slope


BANDS = ("pointwise", "corrected", "simultaneous")
_FEW = 20  # number of runs per task below which percentile limits are too narrow; see `profile_remark`
_FEW_WHERE_RUNS_COLLAPSE = 50  # the same for limits of means, if a tenth of the runs collapse
_FEWEST = 0.5  # effective number of runs of a task with one run, which does not show how runs vary


def profile_band(
    scores: Scores,
    thresholds: Floats,
    kind: str = "run_scores",
    band: str = "simultaneous",
    confidence_level: float = 0.95,
    replicates: Floats | None = None,
    shared: Sequence[Sequence[Any]] | None = None,
    tasks_drawn: bool = False,
) -> tuple[Floats, Floats]:
    """Return limits (low, high) of a profile, float64[T] each, between 0 and 1.

    Only "pointwise" bands, and bands for drawn tasks, depend on random numbers. For average scores, "corrected" and
    "simultaneous" bands are equal, as every task may matter at a single threshold.

    Parameters
    ----------
    scores : scores of one algorithm, float64[runs, tasks] or one array per task
    thresholds : float64[T], ascending
    kind : "run_scores" or "average_scores"
    band : one of BANDS
    replicates : float64[replicates, T], result of `performance_profiles.replicate_profiles`; needed for "pointwise",
        and if tasks are drawn
    shared : names of the runs of each task if tasks share runs, otherwise None
    tasks_drawn : True if the tasks are a random sample, as in resamples of "tasks_and_runs"; False if they are fixed
    """
    if band == "pointwise":
        return interval(np.asarray(replicates), None, "percentile", confidence_level)
    value = profile(scores, thresholds, kind)
    thresholds = with_margin(thresholds, np.concatenate(task_columns(scores)))
    if kind == "run_scores":
        drawn = np.asarray(replicates) if tasks_drawn else None
        return _run_score_band(scores, thresholds, confidence_level, band == "simultaneous", shared, drawn)
    if tasks_drawn:
        # Treat the limits of the true means as scores of drawn tasks, one per task.
        (least, _), (_, greatest) = (
            _run_score_band(limit[None, :], thresholds, confidence_level, band == "simultaneous")
            for limit in mean_limits(scores, confidence_level)
        )
        return least, greatest
    # The fraction of the means' limits above each threshold.
    low, high = (
        1.0 - np.searchsorted(np.sort(limits), thresholds, side="right") / limits.size
        for limits in mean_limits(scores, confidence_level)
    )
    return np.minimum(low, value), np.maximum(high, value)


def _run_score_band(
    scores: Scores,
    thresholds: Floats,
    confidence_level: float,
    simultaneous: bool,
    shared: Sequence[Sequence[Any]] | None = None,
    of_tasks: Floats | None = None,
) -> tuple[Floats, Floats]:
    """Return limits (low, high) of a run-score profile, float64[T] each; see `profile_band`.

    simultaneous : True for limits of the whole profile, False for limits at each threshold separately
    of_tasks : if tasks are drawn, replicates of the profile, float64[replicates, T]
    """
    columns = [np.sort(column) for column in task_columns(scores)]
    sizes = np.array([column.size for column in columns], np.float64)
    above = sizes - np.stack([np.searchsorted(column, thresholds, side="right") for column in columns], axis=1)
    # Thresholds at which the counts differ from those at the previous one, and the index of each threshold among them.
    fresh = np.concatenate([[True], (np.diff(above, axis=0) != 0).any(axis=1)])
    where = np.cumsum(fresh) - 1
    states = above[fresh]
    fractions = states / sizes
    value = fractions.mean(axis=1)
    dependent = shared is not None or of_tasks is not None
    pooled = float(sizes.min() if shared is not None else sizes.size * (1 if dependent else sizes.min()))
    if simultaneous:
        counts, of = (value[:, None] * pooled, np.array([pooled])) if dependent else (states, sizes)
        critical = critical_value(counts, of, confidence_level)
    else:
        critical = ndtri((1.0 + confidence_level) / 2.0)
    # Ratio of the variance of the profile to the variance for independent runs. For whole runs, it is estimated from
    # all thresholds together, since few runs determine it poorly for each; for drawn tasks, from each threshold.
    growth: Floats | float = 1.0
    parts = fractions * (1.0 - fractions) / np.maximum(sizes - 1.0, _FEWEST)
    if of_tasks is not None:
        variance = of_tasks[:, fresh].var(axis=0) * (pooled / (pooled - 1.0) if pooled > 1 else np.inf)
        with np.errstate(divide="ignore", invalid="ignore"):
            relative = variance / (np.sum(parts, axis=1) / sizes.size**2)
            growth = np.where(variance > 0, np.maximum(relative, 1.0), 1.0)
    elif shared is not None:
        errors = whole_run_errors(_without_each_run(scores, thresholds, shared))[fresh]
        independent = np.sum(parts) / sizes.size**2
        growth = max(float(np.sum(errors**2) / independent), 1.0) if independent > 0.0 else 1.0
        tail = (1.0 + confidence_level) / 2.0
        critical *= stdtrit(max(2.0 * (pooled - 1.0), 1.0), tail) / ndtri(tail)
    budgets = critical**2 / 2.0 + 0.3 + 1.0 / (1.0 + pooled * np.minimum(value, 1.0 - value))
    low, high = fraction_limits(fractions, _effective_sizes(fractions, sizes), budgets * growth)
    if shared is None:
        together = fraction_limits(value[:, None], np.array([pooled]), budgets)
        low = np.maximum(low, together[0])
        high = np.minimum(high, together[1])
    low = np.minimum(low, value)
    high = np.maximum(high, value)
    if simultaneous:
        low = np.maximum.accumulate(low[::-1])[::-1]
        high = np.minimum.accumulate(high)
    return low[where], high[where]


def _effective_sizes(fractions: Floats, sizes: Floats) -> Floats:
    """Return effective numbers of runs, float64[T, M]: N - u / (1 + u), or 1/2 for a single run.

    u is the number of undecided tasks at the threshold, or its average over all thresholds if this is larger.
    """
    unbiased = np.where(sizes > 1, sizes / np.maximum(sizes - 1.0, 1.0), 1.0)
    undecided = np.sum(4.0 * fractions * (1.0 - fractions) * unbiased, axis=1)
    undecided = np.maximum(undecided, undecided.mean())
    return np.where(sizes > 1, sizes - (undecided / (1.0 + undecided))[:, None], _FEWEST)


def _without_each_run(scores: Scores, thresholds: Floats, names: Sequence[Sequence[Any]]) -> Floats:
    """Return profiles with one run left out of all tasks at a time, float64[runs, T].

    names : names of the runs of each task
    """
    profiles = []
    for run in dict.fromkeys(name for of_task in names for name in of_task):
        kept = [
            column[[name != run for name in of_task]] if column.size > 1 else column
            for column, of_task in zip(task_columns(scores), names, strict=True)
        ]
        profiles.append(profile(kept, thresholds))
    return np.array(profiles)


def critical_value(above: Floats, sizes: Floats, confidence_level: float) -> float:
    """Return the critical value of the largest standardized error over all thresholds.

    Parameters
    ----------
    above : float64[T, M], number of runs above each threshold
    sizes : float64[M], number of runs of each task
    """
    outside = 1.0 - confidence_level
    single = ndtri(1.0 - outside / 2.0)
    chances = (above + 0.5) / (sizes + 1.0)
    deviation = np.sqrt(np.sum(chances * (1.0 - chances) / sizes, axis=1))
    shared = np.sum(chances[1:] * (1.0 - chances[:-1]) / sizes, axis=1)
    correlation = np.clip(shared / (deviation[1:] * deviation[:-1]), 0.0, 1.0 - 1e-12)
    slope = np.sqrt((1.0 - correlation) / (1.0 + correlation))

    def excess(q: float) -> float:
        # P(|Z_1| > q, |Z_2| <= q), from Owen's T (Annals of Mathematical Statistics 27, 1956)
        crossings = 4.0 * (owens_t(q, slope) + owens_t(q, 1.0 / slope)) - 2.0 * ndtr(-q)
        return 2.0 * ndtr(-q) + np.maximum(crossings, 0.0).sum() - outside

    if slope.size == 0 or excess(single) <= 0.0:
        return float(single)
    from scipy.optimize import brentq  # slow to import

    return float(brentq(excess, single, ndtri(1.0 - outside / (2.0 * (slope.size + 1))) + 1e-6, xtol=1e-6))


def profile_remark(scores: Scores, kind: str = "run_scores", band: str = "simultaneous", resample: str = "runs") -> str:
    """Return a caveat about a 95 % band, or an empty string if there is none.

    The percentages are from the subject `profile_bands` of `surefoot.validation`, which studies only bands for
    independent runs.
    """
    if resample == "whole_runs" and band != "pointwise":
        return ""
    if resample != "runs":
        return f"the coverage of this band was not studied for resampled {resample.replace('_', ' ')}"
    columns = task_columns(scores)
    fewest = min(column.size for column in columns)
    if band == "pointwise" and fewest < _FEW:
        held = "in 43 to 95 % of simulated tables of 3 to 10 runs"
        if kind == "average_scores":
            held = "in 79 to 93 % of simulated tables of 3 to 10 runs whose tasks are alike, in 93 to 100 % of others"
        return (
            f"percentile limits, {counted(fewest, 'run')} of a task: nominal 95 % held a threshold "
            f"{held}; no width where all tasks seem decided"
        )
    if kind == "average_scores" and band != "pointwise":
        if not any(np.ptp(column) > 0 for column in columns):
            return "no task has two runs that differ: nothing tells how far means are from the truth"
        if fewest < _FEW_WHERE_RUNS_COLLAPSE:
            return (
                f"limits of the means of {counted(fewest, 'run')}: nominal 95 % held the whole "
                "profile in only 50 to 94 % of simulated tables where a tenth of the runs collapse"
            )
    if band != "pointwise" and fewest == 1:
        return "a task with one run: nothing tells how much its score varies, so the limits are wide"
    return ""
