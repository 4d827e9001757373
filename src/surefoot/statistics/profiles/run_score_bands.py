"""Bands around run-score profiles: the mean over fixed tasks of P(score > t), known from a few runs of each.

Limits of a mean of fractions, each of which is known from a few runs of its own, are by the likelihood ratio. Of N_m
runs of task m, a fraction f_m was above a threshold. The limits of the mean F of the true fractions p_m are the
greatest and the least mean of all p whose likelihood is not too small:

    sum_m n_m kl(f_m, p_m) <= budget,    kl(f, p) = f log(f / p) + (1 - f) log((1 - f) / (1 - p)).

For one task that is the inequality of Berk and Jones (1979) and of Owen (JASA 90, 1995). Tasks that lie wholly on one
side of the threshold share one budget, so the limits have a width there too, which narrows with the number of all runs.
At the greatest mean, n_m (p_m - f_m) = lambda p_m (1 - p_m) for all tasks (Lagrange), a quadratic equation.

At each threshold, the limits are those of a stratified likelihood ratio (`fraction_limits`). Its budget is half the
square of a normal critical value, plus 0.3 and 1 / (1 + n min(F, 1 - F)) of the n runs: the ratio's tail is heavier
than chi-squared's where few runs are above or below. These two numbers, and the form of the effective numbers of runs
below, were chosen by simulation; all else is derived.

The variance of a task's fraction is underestimated by (N - 1) / N. That matters by as much as errors of several tasks
add up, so a task counts as N - u / (1 + u) runs, where sum_m 4 f_m (1 - f_m) N / (N - 1) = u tasks are undecided (half
a run, where it has one). Whatever the tasks, equally many runs of each spread no more than a binomial count does
(Hoeffding, Annals of Mathematical Statistics 27, 1956), so the limits never leave those of as many runs of each task as
the task with the fewest has: with one run per task, they are these.

The critical value of several thresholds is that of the largest of correlated normal errors, by the inequality of Hunter
(1976) and Worsley (1982) from neighbouring thresholds. Their correlations follow from the fractions above of each task,
(k + 1/2) / (N + 1). Nothing is drawn, so the band is the same for any seed. As a profile never rises, each limit also
holds the thresholds to its right (upper) or left (lower).

Where tasks share runs, the budget grows by how much greater the variance of the profile is, by the jackknife over whole
runs and of all thresholds together, than that of independent runs; the critical value is then Student's with 2 (N - 1)
degrees of freedom instead of the normal one, which was chosen by simulation. Of 120 normal tables of 3, 5 and 10 runs
of 5 and 26 tasks with correlations of 0 to .8, alike or spread 3 times as much as runs, it missed the whole profile in
0 to 5 %; that of separate tasks missed it in up to 78 %. It is 1.1 to 1.7 times as wide where runs share nothing.

What it holds is measured by `trust.profile_bands`: at 95 %, the whole profile of 51 thresholds in 92 to 100 % of
simulated tables of 1 to 20 runs of 3 to 57 tasks, whatever their spread, skewed, tied and unequally noisy scores
included.
"""

import numpy as np
from numba import njit
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri, owens_t, stdtrit

from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.runs.samples import Scores, task_columns

_SMALLEST, _GREATEST = -30.0, 60.0  # of log lambda
_ITERATIONS, _TOLERANCE = 100, 1e-9


def fraction_limits(fractions: Floats, sizes: Floats, budgets: Floats) -> tuple[Floats, Floats]:
    """Limits (low, high) of the mean fraction at each threshold, float64[T] each, inside [0, 1].

    Parameters
    ----------
    fractions : float64[T, M], of the runs of each task
    sizes : float64[T, M] or float64[M], effective numbers of runs, above 0
    budgets : float64[T], at least 0; none is exceeded if infinite
    """
    fractions, budgets = np.ascontiguousarray(fractions, np.float64), np.ascontiguousarray(budgets, np.float64)
    # A copy, since numba would compile everything once more for what numpy has broadcast, which cannot be written to.
    sizes = np.array(np.broadcast_to(sizes, fractions.shape), np.float64, order="C")
    return 1.0 - _greatest_means(1.0 - fractions, sizes, budgets), _greatest_means(fractions, sizes, budgets)


@njit(cache=True, nogil=True, error_model="numpy")
def _greatest_means(fractions: Floats, sizes: Floats, budgets: Floats) -> Floats:
    found, start = np.empty(budgets.size), 0.0
    for t in range(budgets.size):
        found[t], start = _greatest_mean(fractions[t], sizes[t], budgets[t], start)
    return found


@njit(cache=True, nogil=True, error_model="numpy")
def _greatest_mean(fractions: Floats, sizes: Floats, budget: float, start: float) -> tuple[float, float]:
    """The mean, and log lambda: from `start`, the root of sqrt(divergence) = sqrt(budget) by Newton's method, which
    halves the interval that has the root where a step would leave it."""
    wanted = np.sqrt(budget)
    low, high, x, mean = _SMALLEST, _GREATEST, start, 1.0
    if not _tilted(fractions, sizes, np.exp(high))[1] > budget:
        return 1.0, start
    for _ in range(_ITERATIONS):
        mean, divergence, slope = _tilted(fractions, sizes, np.exp(x))
        root = np.sqrt(divergence)
        if root > wanted:
            high = x
        else:
            low = x
        step = 2.0 * root * (wanted - root) / slope if slope > 0.0 else np.inf
        if abs(step) < _TOLERANCE or high - low < _TOLERANCE:
            break
        x = x + step if low < x + step < high else 0.5 * (low + high)
    return mean, x


@njit(cache=True, nogil=True, error_model="numpy")
def _tilted(fractions: Floats, sizes: Floats, multiplier: float) -> tuple[float, float, float]:
    """Mean of the p for this lambda, their divergence from the fractions, and its slope in log lambda."""
    mean, divergence, slope = 0.0, 0.0, 0.0
    for m in range(sizes.size):
        f, n = fractions[m], sizes[m]
        if f >= 1.0:
            mean += 1.0
            continue
        if f <= 0.0:
            if multiplier > n:
                mean += 1.0 - n / multiplier
                divergence += n * np.log(multiplier / n)
                slope += n
            continue
        root = np.sqrt((multiplier - n) ** 2 + 4.0 * multiplier * n * f)
        rest = min(2.0 * n * (1.0 - f) / (multiplier + n + root), 1.0 - f)  # 1 - p
        p = 1.0 - rest
        mean += p
        divergence += n * ((1.0 - f) * np.log((1.0 - f) / rest) + f * np.log(f / p))
        slope += multiplier * multiplier * p * rest / root
    return mean / sizes.size, max(divergence, 0.0), slope


_FEWEST = 0.5  # effective runs of a task with one run, which says nothing of its spread


def run_score_band(
    scores: Scores,
    thresholds: Floats,
    confidence: float,
    simultaneous: bool,
    resampled: str = "runs",
    replicates: Floats | None = None,
    errors: Floats | None = None,
) -> tuple[Floats, Floats]:
    """Limits (low, high) of a run-score profile, float64[T] each: of all thresholds at once, or of each on its own.

    Parameters
    ----------
    scores : of one algorithm, float64[runs, tasks] or one array a task
    thresholds : float64[T], ascending
    resampled : see `stratified_bootstrap.replicate_metrics`. With "whole_runs" or "tasks_and_runs", runs are not
        independent of each other, and the budget grows with their variance
    replicates : float64[replicates, T], only needed of "tasks_and_runs"
    errors : float64[T], of the profile by the jackknife over whole runs, only needed of "whole_runs"
    """
    columns = [np.sort(column) for column in task_columns(scores)]
    sizes = np.array([column.size for column in columns], np.float64)
    above = sizes - np.stack([np.searchsorted(column, thresholds, side="right") for column in columns], axis=1)
    states, where = _without_repeats(above)
    fractions = states / sizes
    value = fractions.mean(axis=1)
    independent = resampled in ("runs", "paired_runs")
    pooled = float(sizes.size * sizes.min())
    growth: Floats | float = 1.0
    if not independent:
        first = np.flatnonzero(np.diff(where, prepend=-1))
        pooled = float(sizes.size if resampled == "tasks_and_runs" else sizes.min())
        if resampled == "whole_runs":
            growth = _growth_of_whole_runs(fractions, sizes, np.asarray(errors)[first])
        else:
            growth = _growth(fractions, sizes, np.asarray(replicates)[:, first], pooled)
    effective = _effective_sizes(fractions, sizes)
    if simultaneous:
        counts, of = (states, sizes) if independent else (value[:, None] * pooled, np.array([pooled]))
        critical = critical_value(counts, of, confidence)
    else:
        critical = ndtri((1.0 + confidence) / 2.0)
    if resampled == "whole_runs":
        tail = (1.0 + confidence) / 2.0
        critical *= stdtrit(max(2.0 * (pooled - 1.0), 1.0), tail) / ndtri(tail)
    budgets = critical**2 / 2.0 + 0.3 + 1.0 / (1.0 + pooled * np.minimum(value, 1.0 - value))
    by_task = fraction_limits(fractions, effective, budgets * growth)
    low, high = by_task
    if resampled != "whole_runs":
        together = fraction_limits(value[:, None], np.array([pooled]), budgets)
        low, high = np.maximum(low, together[0]), np.minimum(high, together[1])
    low, high = np.minimum(low, value), np.maximum(high, value)
    if simultaneous:
        low, high = np.maximum.accumulate(low[::-1])[::-1], np.minimum.accumulate(high)
    return low[where], high[where]


def critical_value(above: Floats, sizes: Floats, confidence: float) -> float:
    """What the largest of the thresholds' standard errors from the truth exceeds with probability 1 - confidence.

    Parameters
    ----------
    above : float64[T, M], runs above each threshold; sizes : float64[M], runs of each task
    """
    outside = 1.0 - confidence
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
    return float(brentq(excess, single, ndtri(1.0 - outside / (2.0 * (slope.size + 1))) + 1e-6, xtol=1e-6))


def _effective_sizes(fractions: Floats, sizes: Floats) -> Floats:
    """float64[T, M]: N - u / (1 + u) with u undecided tasks, here or at a mean threshold; 1/2 of a single run."""
    unbiased = np.where(sizes > 1, sizes / np.maximum(sizes - 1.0, 1.0), 1.0)
    undecided = np.sum(4.0 * fractions * (1.0 - fractions) * unbiased, axis=1)
    undecided = np.maximum(undecided, undecided.mean())
    return np.where(sizes > 1, sizes - (undecided / (1.0 + undecided))[:, None], _FEWEST)


def _without_repeats(above: Floats) -> tuple[Floats, Integers]:
    """Rows that differ from the one before, and where each row is among them."""
    fresh = np.concatenate([[True], (np.diff(above, axis=0) != 0).any(axis=1)])
    return above[fresh], np.cumsum(fresh) - 1


def _growth_of_whole_runs(fractions: Floats, sizes: Floats, errors: Floats) -> float:
    """How much greater the variance of the profile is than that of independent runs, at least 1: of all thresholds
    together, since that of a single one is known from few runs."""
    independent = np.sum(fractions * (1.0 - fractions) / np.maximum(sizes - 1.0, _FEWEST)[None, :]) / sizes.size**2
    return max(float(np.sum(errors**2)) / float(independent), 1.0) if independent > 0.0 else 1.0


def _growth(fractions: Floats, sizes: Floats, replicates: Floats, units: float) -> Floats:
    """How much greater the variance of the replicates is than that of independent runs, at least 1."""
    independent = np.sum(fractions * (1.0 - fractions) / np.maximum(sizes - 1.0, _FEWEST), axis=1) / sizes.size**2
    variance = replicates.var(axis=0) * (units / (units - 1.0) if units > 1 else np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(variance > 0, np.maximum(variance / independent, 1.0), 1.0)
