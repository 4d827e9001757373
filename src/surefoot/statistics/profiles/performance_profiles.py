"""Performance profiles (Agarwal et al. 2021, section 4.1 and appendix A.3): the fraction of runs, or of tasks, above t.

A score that equals a threshold up to rounding is not above it (see `statistics.arrays`).

run_scores : F(t) = mean over the tasks of the fraction of the task's runs with score > t
average_scores : F(t) = fraction of the tasks whose mean score is > t; biased, and a multiple of 1 / M
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, Integers, check_choice, with_margin
from surefoot.statistics.metrics.metric_catalogue import BLOCK
from surefoot.statistics.metrics.metric_kernels import add_all_counted, add_counts, sort_column
from surefoot.statistics.resampling.array_draws import worth_compiling
from surefoot.statistics.resampling.resampling_kernels import draw_block
from surefoot.statistics.resampling.stratified_bootstrap import (
    ascending_counts,
    blocks_together,
    drawn_tasks,
    few_counts,
    in_threads,
    kernel_arrays,
    resampled_pool,
    resampling_keys,
    task_means,
    task_sums,
)
from surefoot.statistics.runs.samples import Scores, score_pool


@njit(cache=True, nogil=True, error_model="numpy")
def profile_replicates(
    pool: tuple[Any, ...],
    draws: Integers,
    keys: npt.NDArray[np.uint64],
    first: int,
    whole_runs: bool,
    thresholds: Floats,
    positions: Integers,
    weights: Floats,
    average: bool,
    found: Floats,
) -> None:
    """Fill `found`, float64[replicates, T], with the profiles of replicates first, first + 1, ...

    draws, keys, whole_runs : as in `draw_block`
    first : must be the first replicate of a block
    positions : int64[T], number of pooled scores at or below each of the ascending thresholds
    weights : float64[n], weights of the pooled scores, or empty if all tasks have the same number of runs
    average : True for average-score profiles, False for run-score profiles
    """
    scores = pool[0].size
    pooled = np.empty((0 if average else scores, BLOCK), np.uint8)
    means = np.empty((draws.size, BLOCK if average else 0))
    ascending = np.empty(draws.size)
    for begin in range(0, found.shape[0], BLOCK):
        into = found[begin : begin + BLOCK]
        block = (first + begin) // BLOCK
        draw_block(pool, draws, keys, block, whole_runs, pooled, means)
        if average:
            for r in range(into.shape[0]):
                sort_column(means, r, ascending)
                place = 0
                for t in range(thresholds.size):
                    while place < ascending.size and ascending[place] <= thresholds[t]:
                        place += 1
                    into[r, t] = (ascending.size - place) / ascending.size
        elif weights.size == 0:
            _fractions_above(pooled, positions, into)
        else:
            _masses_above(pooled, positions, weights, into)


@njit(cache=True, nogil=True, error_model="numpy")
def _fractions_above(pooled: npt.NDArray[Any], positions: Integers, found: Floats) -> None:
    """Fill `found`, float64[replicates, T], with the fraction of the drawn scores at or after each position.

    As many scores are drawn as there are.
    """
    totals, end = np.zeros(BLOCK, np.int32), len(pooled)
    for t in range(positions.size - 1, -1, -1):
        for i in range(np.uint64(positions[t]), np.uint64(end)):
            add_counts(pooled[i], totals)
        end = positions[t]
        for r in range(len(found)):
            found[r, t] = totals[r] / len(pooled)


@njit(cache=True, nogil=True, error_model="numpy")
def _masses_above(pooled: npt.NDArray[Any], positions: Integers, weights: Floats, found: Floats) -> None:
    """Fill `found`, float64[replicates, T], with the total weight of the drawn scores at or after each position."""
    totals, end = np.zeros(BLOCK), len(pooled)
    for t in range(positions.size - 1, -1, -1):
        add_all_counted(pooled[positions[t] : end], weights[positions[t] : end], totals)
        end = positions[t]
        for r in range(len(found)):
            found[r, t] = min(totals[r], 1.0)


KINDS = ("run_scores", "average_scores")
_TOGETHER = 256


def profile(scores: Scores, thresholds: Floats, kind: str = "run_scores") -> Floats:
    """Return the performance profile of an algorithm at the thresholds, float64[T].

    Parameters
    ----------
    scores : float64[runs, tasks], or one array per task
    thresholds : float64[T], ascending
    kind : one of KINDS

    Raises
    ------
    ValueError : see `score_pool`; or for an unknown kind or thresholds that do not ascend
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
    n_resamples: int = 2_000,
    seed: int = 0,
    name: str = "",
    tasks: Sequence[Any] | None = None,
    resample: str = "runs",
    threads: int = 1,
) -> Floats:
    """Return profiles of resampled scores, float64[replicates, T].

    With the same seed and names, the resamples are the same as in `stratified_bootstrap.replicate_metrics`, which also
    describes the other parameters and the errors.
    """
    thresholds = _check(thresholds, kind)
    pool = resampled_pool(scores, tasks, resample)
    thresholds = with_margin(thresholds, pool.values)
    profiles = np.empty((n_resamples, thresholds.size))
    positions = np.searchsorted(pool.values, thresholds, side="right")
    equal = pool.sizes.min() == pool.sizes.max()
    weights = np.empty(0) if equal else pool.task_weights()
    keys = resampling_keys(pool, seed, name, resample)
    average = kind == "average_scores"
    if resample == "tasks_and_runs" or not worth_compiling("profiles", pool.scores.size, n_resamples):

        def few(first: int, last: int) -> None:
            if resample == "tasks_and_runs":
                counts, means, numbers = drawn_tasks(pool, keys, first, last)
            else:
                drawn = few_counts(pool, pool.sizes, keys, resample, first, last)
                counts = drawn if average else ascending_counts(drawn, pool)
                means = task_sums(drawn, pool) / pool.sizes[:, None] if average else np.empty((0, last - first))
                numbers = np.full(last - first, pool.scores.size)
            found = _few_means_above(means, thresholds) if average else _few_above(counts, numbers, positions, weights)
            profiles[first:last] = found[: last - first]

        in_threads(few, blocks_together(pool.scores.size, n_resamples), threads)
        return profiles
    whole_runs = resample == "whole_runs"
    together = BLOCK * _TOGETHER

    def part(first: int) -> None:
        rows = profiles[first : first + together]
        of_blocks = (kernel_arrays(pool), pool.sizes, keys, first, whole_runs)
        profile_replicates(*of_blocks, thresholds, positions, weights, average, rows)

    in_threads(part, range(0, n_resamples, together), threads)
    return profiles


def _few_means_above(means: Floats, thresholds: Floats) -> Floats:
    """Return the fraction of the tasks whose mean, float64[M, replicates], is above each threshold."""
    above = [(means > threshold).sum(axis=0) for threshold in thresholds]
    return np.transpose(above) / len(means)


def _few_above(counts: npt.NDArray[Any], numbers: Integers, positions: Integers, weights: Floats) -> Floats:
    """Return the fraction or total weight of the drawn scores at or after each position, float64[replicates, T].

    Parameters
    ----------
    counts : [n, replicates], how often each of the ascending scores was drawn
    numbers : int64[replicates], number of scores drawn
    positions, weights : as for `profile_replicates`
    """
    total = np.zeros(counts.shape[1])
    above = np.empty((counts.shape[1], positions.size))
    end = len(counts)
    for t in range(positions.size - 1, -1, -1):
        for row in range(positions[t], end):
            total += counts[row] * weights[row] if weights.size else counts[row]
        end = positions[t]
        above[:, t] = np.minimum(total, 1.0) if weights.size else total / numbers
    return above


def nonlinear_positions(profiles: Floats | Sequence[Floats]) -> Floats:
    """Return positions of thresholds on a nonlinear axis, float64[T]: one minus the mean of the profiles.

    The distance between two thresholds is the fraction of runs with scores between them.

    profiles : float64[algorithms, T]
    """
    return 1.0 - np.mean(np.asarray(profiles, np.float64), axis=0)


def _check(thresholds: Floats, kind: str) -> Floats:
    check_choice("profile", kind, KINDS)
    thresholds = np.asarray(thresholds, np.float64)
    if not thresholds.size or not (thresholds[1:] >= thresholds[:-1]).all() or np.isnan(thresholds).any():
        hint = "use a list such as numpy.linspace(0, 2, 201)"
        raise HintedError("profile", "thresholds must be ascending numbers", hint)
    return thresholds
