"""Performance profiles (Agarwal et al. 2021, section 4.1 and appendix A.3): the fraction of runs, or of tasks, above t.

Equal to a threshold but for rounding is not above it (see `ties`).

run_scores : F(t) = mean over the tasks of the fraction of the task's runs with score > t
average_scores : F(t) = fraction of the tasks whose mean score is > t; biased, and in steps of 1 / M

Performance profiles of Dolan and Moré: how often each method is within a distance of the best.

E. D. Dolan and J. J. Moré, "Benchmarking optimization software with performance profiles", Mathematical Programming
91(2), 2002; B. Recht, "Benchmarking Machine Learning with Performance Profiles", 2018, for the distance by a test.
A distance is 0 for the best method of a problem and grows with how much worse a method is there. By the rank test of
two samples (Mann and Whitney 1947), scores that differ by rounding alone are ties (see `ties`).
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from numba import njit

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, Integers, check_choice
from surefoot.statistics.metrics.kernels import BLOCK, add_all_counted, add_counts
from surefoot.statistics.resampling.kernels import draw_block
from surefoot.statistics.resampling.stratified_bootstrap import (
    RESAMPLED,
    check_design,
    in_threads,
    kernel_arrays,
    resampling_keys,
    task_means,
)
from surefoot.statistics.runs.samples import Samples, Scores, score_pool
from surefoot.statistics.ties import margin, score_places, with_margin


@njit(cache=True, nogil=True, error_model="numpy")
def profile_replicates(
    pool: tuple[Any, ...],
    draws: Integers,
    keys: npt.NDArray[np.uint64],
    first: int,
    unit: int,
    thresholds: Floats,
    positions: Integers,
    weights: Floats,
    average: bool,
    found: Floats,
) -> None:
    """Profiles of replicates number first, ..., into found, float64[replicates, T]; first begins a block.

    positions : int64[T], number of the pooled scores that are at most each of the ascending thresholds
    weights : float64[n] of the pooled scores, or empty if all tasks have as many runs
    average : profiles of the tasks' means instead of the runs
    """
    scores = pool[0].size
    pooled = np.empty((0 if average else scores, BLOCK), np.uint8)
    means, drawn = np.empty((draws.size, BLOCK if average else 0)), np.empty(BLOCK, np.int64)
    for begin in range(0, found.shape[0], BLOCK):
        into = found[begin : begin + BLOCK]
        draw_block(pool, draws, keys, (first + begin) // BLOCK, unit, pooled, means, drawn)
        if average:
            for r in range(into.shape[0]):
                _above(np.sort(means[:, r].copy()), thresholds, into[r])
        elif weights.size == 0:
            _fractions_above(pooled, positions, drawn, into)
        else:
            _masses_above(pooled, positions, weights, into)


@njit(cache=True, nogil=True, error_model="numpy")
def _fractions_above(pooled: npt.NDArray[Any], positions: Integers, drawn: Integers, found: Floats) -> None:
    """Fractions of the scores drawn that come after each of the ascending positions, float64[replicates, T]."""
    totals, end = np.zeros(drawn.size, np.int32), len(pooled)
    for t in range(positions.size - 1, -1, -1):
        for i in range(np.uint64(positions[t]), np.uint64(end)):
            add_counts(pooled[i], totals)
        end = positions[t]
        for r in range(len(found)):
            found[r, t] = totals[r] / drawn[r]


@njit(cache=True, nogil=True, error_model="numpy")
def _masses_above(pooled: npt.NDArray[Any], positions: Integers, weights: Floats, found: Floats) -> None:
    """Sums of weights of the scores above each threshold, in place of the fractions of `_fractions_above`."""
    totals, end = np.zeros(BLOCK), len(pooled)
    for t in range(positions.size - 1, -1, -1):
        add_all_counted(pooled[positions[t] : end], weights[positions[t] : end], totals)
        end = positions[t]
        for r in range(len(found)):
            found[r, t] = min(totals[r], 1.0)


@njit(cache=True, nogil=True, error_model="numpy")
def _above(ascending: Floats, thresholds: Floats, found: Floats) -> None:
    """Fraction of the ascending values above each of the ascending thresholds."""
    below = 0
    for t in range(thresholds.size):
        while below < ascending.size and ascending[below] <= thresholds[t]:
            below += 1
        found[t] = (ascending.size - below) / ascending.size


KINDS = ("run_scores", "average_scores")
_TOGETHER = 256


def profile(scores: Scores, thresholds: Floats, kind: str = "run_scores") -> Floats:
    """The profile at the thresholds, float64[thresholds].

    Parameters
    ----------
    scores : of one algorithm, float64[runs, tasks] or one array a task
    thresholds : ascending
    kind : one of KINDS

    Raises
    ------
    ValueError : see `score_pool`; an unknown kind; thresholds that are not ascending
    """
    thresholds = _check(thresholds, kind)
    pool = score_pool(scores)
    thresholds = with_margin(thresholds, pool.values)
    if kind == "average_scores":
        means = np.sort(task_means(pool))
        return 1.0 - np.searchsorted(means, thresholds, side="right") / means.size
    above = [column.size - np.searchsorted(column, thresholds, side="right") for column in pool.task_scores()]
    if pool.sizes.min() == pool.sizes.max():
        return np.sum(above, axis=0) / pool.scores.size
    return np.mean(np.array(above) / pool.sizes[:, None], axis=0)


def replicate_profiles(
    scores: Scores,
    thresholds: Floats,
    kind: str = "run_scores",
    replicates: int = 2_000,
    seed: int = 0,
    name: str = "",
    tasks: Sequence[Any] | None = None,
    resampled: str = "runs",
    threads: int = 1,
) -> Floats:
    """Profiles of resampled scores, float64[replicates, thresholds].

    The other parameters and the errors are those of `stratified_bootstrap.replicate_metrics`, whose resamples with the
    same seed and names they are.
    """
    thresholds = _check(thresholds, kind)
    pool = score_pool(scores, tasks, keep_order=resampled in ("whole_runs", "paired_runs"))
    thresholds = with_margin(thresholds, pool.values)
    draws = check_design(pool, replicates, resampled, None)
    found = np.empty((replicates, thresholds.size))
    from surefoot.statistics.metrics.kernels import BLOCK

    positions = np.searchsorted(pool.values, thresholds, side="right")
    equal = pool.sizes.min() == pool.sizes.max()
    weights = np.empty(0) if equal else pool.task_weights()
    keys, arrays = resampling_keys(pool, seed, name, resampled), kernel_arrays(pool)
    unit, together = RESAMPLED.index(resampled) % 3, BLOCK * _TOGETHER
    average = kind == "average_scores"

    def part(first: int) -> None:
        rows = found[first : first + together]
        profile_replicates(arrays, draws, keys, first, unit, thresholds, positions, weights, average, rows)

    in_threads(part, range(0, replicates, together), threads)
    return found


def dominates(x: Floats, y: Floats) -> bool:
    """Does profile x stochastically dominate profile y, at least as high everywhere and higher somewhere?"""
    x, y = np.asarray(x), np.asarray(y)
    return bool(np.all(x >= y) and np.any(x > y))


def nonlinear_positions(profiles: Floats | Sequence[Floats]) -> Floats:
    """Positions of thresholds on the non-linear axis, where distance is the fraction of runs between two thresholds.

    profiles : float64[algorithms, thresholds]; the position of a threshold is one minus their mean there
    """
    return 1.0 - np.mean(np.asarray(profiles, np.float64), axis=0)


def _check(thresholds: Floats, kind: str) -> Floats:
    check_choice("profile", kind, KINDS)
    thresholds = np.asarray(thresholds, np.float64)
    if not thresholds.size or not (thresholds[1:] >= thresholds[:-1]).all() or np.isnan(thresholds).any():
        hint = "a list such as numpy.linspace(0, 2, 201)"
        raise HintedError("profile", "thresholds that are not ascending numbers", hint)
    return thresholds


_MOST_EXACT = 40  # runs of both together; beyond, the normal distribution is near enough


def rank_test(x: Floats, y: Floats) -> float:
    """p-value of the one-sided rank test (Mann and Whitney 1947) of the hypothesis that X is not greater than Y: the
    chance of a rank sum of x at least as great.

    Exact, given the ties, for up to 40 runs; beyond them by the normal distribution with continuity correction and the
    variance that the ties leave.

    Parameters
    ----------
    x, y : float64[N], float64[K], finite
    """
    doubled = _doubled_ranks(np.concatenate(score_places([x, y])))
    observed = int(doubled[: len(x)].sum())
    if len(doubled) <= _MOST_EXACT:
        return _exact(doubled, len(x), observed)
    return _normal(doubled, len(x), observed)


def _doubled_ranks(values: Floats) -> Integers:
    """Twice the mid-ranks, int64: whole numbers, ties included."""
    ordered = np.sort(values)
    return np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right") + 1


def _exact(doubled: Integers, chosen: int, observed: int) -> float:
    """Share of the subsets of `chosen` ranks whose sum is at least the observed one, counted by sums."""
    ways = np.zeros((chosen + 1, int(doubled.sum()) + 1))
    ways[0, 0] = 1.0
    for rank in doubled:
        ways[1:, rank:] += ways[:-1, :-rank].copy()
    return float(ways[chosen, observed:].sum() / math.comb(len(doubled), chosen))


def _normal(doubled: Integers, chosen: int, observed: int) -> float:
    total, other = len(doubled), len(doubled) - chosen
    ranks = doubled / 2.0
    variance = chosen * other / (total * (total - 1.0)) * ((ranks - ranks.mean()) ** 2).sum()
    if variance == 0.0:
        return 1.0
    z = (observed / 2.0 - chosen * (total + 1.0) / 2.0 - 0.5) / math.sqrt(variance)
    return 0.5 * math.erfc(z / math.sqrt(2.0))


DEGREES_OF_FREEDOM = ("welch", "notebook")


def distance_profile(distances: Floats, thresholds: Floats) -> Floats:
    """Fraction of problems on which each method is nearer to the best than each threshold.

    Parameters
    ----------
    distances : float64[problems, methods], at least 0, infinite where a method does not solve a problem
    thresholds : float64[points]

    Returns
    -------
    float64[points, methods]: (1/P) #{p: d[p, m] < t}, strict: a distance equal to t but for rounding does not count
    """
    distances = np.asarray(distances, np.float64)
    ordered = np.sort(distances, axis=0)
    # Distances are logarithms, of which 1 is the scale: rounding of a ratio is an absolute error of them.
    below = np.asarray(thresholds, np.float64) - margin(thresholds, 1.0)
    counts = [np.searchsorted(column, below, side="left") for column in ordered.T]
    return np.array(counts, np.float64).T / len(distances)


def time_ratios(times: Floats) -> Floats:
    """Logarithm (base 2) of the ratio of each time to the best one of its problem, the classic distance.

    times : float64[problems, methods], positive, infinite or NaN where a method does not solve a problem

    Raises
    ------
    ValueError : a time that is not positive
    """
    times = np.where(np.isnan(times), np.inf, np.asarray(times, np.float64))
    if not (times > 0).all():
        raise HintedError("time_ratios", f"a time of {np.min(times):g} has no ratio", "times must be positive")
    best = times.min(axis=1, keepdims=True)
    solved = np.isfinite(times)
    return np.where(solved, np.log2(np.where(solved, times, 1.0) / np.where(np.isfinite(best), best, 1.0)), np.inf)


def welch_distances(means: Floats, deviations: Floats, runs: Floats, degrees_of_freedom: str = "welch") -> Floats:
    """-log10 of the one-sided p-value of Welch's test that the best method of a problem is better than each other.

    Parameters
    ----------
    means, deviations, runs : float64[problems, methods], mean score, standard deviation and number of runs; the method
        with the highest mean (the first of several) is the best of a problem
    degrees_of_freedom : "welch" (Welch and Satterthwaite), or "notebook", the formula behind the figures of Recht 2018,
        which divides sd^4 by n (n - 1) in place of n^2 (n - 1), so that p-values come out too large

    Returns
    -------
    float64[problems, methods]: 0 for the best, at least log10(2) for the others
    """
    from scipy.special import stdtr

    means, deviations, runs = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in (means, deviations, runs)))
    spread = deviations + 1e-6  # some are 0, and the test must stay defined
    variance = spread**2 / runs
    best = means.argmax(axis=1)[:, None]
    of_best = [np.take_along_axis(x, best, axis=1) for x in (means, spread, runs, variance)]
    t = (of_best[0] - means) / np.sqrt(of_best[3] + variance)
    power = 2 if degrees_of_freedom == "welch" else 1
    parts = spread**4 / (runs**power * (runs - 1))
    part_of_best = of_best[1] ** 4 / (of_best[2] ** power * (of_best[2] - 1))
    p = stdtr((of_best[3] + variance) ** 2 / (part_of_best + parts), -t)
    with np.errstate(divide="ignore"):
        distances = -np.log10(p)
    np.put_along_axis(distances, best, 0.0, axis=1)
    return distances


def rank_distances(samples: Samples) -> Floats:
    """-log10 of the one-sided p-value of the rank test that the best algorithm of an environment is better than each
    other, from runs; the best is the one with the highest mean (the first of several).

    Returns
    -------
    float64[environments, algorithms]: 0 for the best. With N and K runs no distance exceeds log10 of the number of ways
    to choose N of N + K.
    """
    algorithms, environments = len(samples.algorithms), len(samples.environments)
    distances = np.zeros((environments, algorithms))
    for j in range(environments):
        scores = [samples.pair(i, j) for i in range(algorithms)]
        best = int(np.argmax([x.mean() for x in scores]))
        for i in range(algorithms):
            if i != best:
                distances[j, i] = -np.log10(rank_test(scores[best], scores[i]))
    return distances


def profile_table(distances: Floats, methods: list[str], thresholds: Floats) -> pd.DataFrame:
    """The profile as a table: columns method, threshold, count (of problems), fraction."""
    fraction = distance_profile(distances, thresholds)
    return pd.DataFrame(
        {
            "method": np.repeat(methods, len(thresholds)),
            "threshold": np.tile(thresholds, len(methods)),
            "count": np.rint(fraction.T.ravel() * len(distances)).astype(int),
            "fraction": fraction.T.ravel(),
        }
    )
