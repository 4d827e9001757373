"""Metrics and standard errors of many simulated studies of the same size, computed together.

The results are the same as those of `replicate_metrics`, `metric_values` and `standard_errors` for each study. To save
time, everything common to the studies is computed once, and arrays of all studies replace a loop.

The replicates of metrics that depend only on task means and on ranks of scores are computed by numpy, for many studies
at a time; only the loop over single draws is compiled. This is as fast as `fill_replicates`, whose kernels take several
times as long to compile, for other metrics and for large studies.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.metrics.array_metrics import array_metrics, counted_sums
from surefoot.statistics.metrics.metric_catalogue import BLOCK, CUT, LOWEST, TASK_MEAN, TASK_MEDIAN, Metric, Recipe
from surefoot.statistics.resampling.array_draws import draw_few_counts
from surefoot.statistics.resampling.jackknife import influence, magnitudes, spread_of_few_runs
from surefoot.statistics.resampling.stratified_bootstrap import (
    Drawing,
    counter_type,
    fill_left_out,
    fill_replicates,
    pool_recipe,
)
from surefoot.statistics.runs.samples import ScorePool, score_pool

_RESAMPLES_TOGETHER = 16_384
"""Number of resamples whose sums are computed together, which should fit into a cache of the processor."""
_COUNTS_TOGETHER = 16_000_000
"""Largest number of counts that are kept at a time, to limit memory."""


class StudyMetrics(NamedTuple):
    """Metrics of S studies.

    values : float64[S, metrics]
    errors, degrees : float64[S, metrics], standard errors and their degrees of freedom
    replicates : float64[replicates, S, metrics]
    """

    values: Floats
    errors: Floats
    degrees: Floats
    replicates: Floats


def study_metrics(
    scores: Floats, metrics: Sequence[Metric], keys: npt.NDArray[np.uint64], n_resamples: int
) -> StudyMetrics:
    """Compute the metrics of several studies, with standard errors for Student's interval.

    Parameters
    ----------
    scores : float64[S, M, N], N runs of M tasks in S studies, with N at least 2
    keys : uint64[S, M, 4], keys of the random streams; see `resampling_keys`
    n_resamples : number of resamples of each study
    """
    studies, tasks, runs = scores.shape
    pools = study_pools(scores)
    sizes = pools[0].sizes
    replicates = study_replicates(pools, metrics, sizes, keys, n_resamples)
    of_all = _recipes(metrics, pools, sizes, tasks * runs)
    if _same_for_all(of_all[0]):
        values, without = _of_all_studies(pools, of_all[0])
    else:
        values, without = _of_any_kind(pools, of_all, _recipes(metrics, pools, sizes, tasks * runs - 1))
    scale = np.array([magnitudes(pool, metrics) for pool in pools])
    by_task = np.moveaxis(without.reshape(studies, tasks, runs, len(metrics)), 0, 2)
    parts = [(runs - 1) * influence(np.ascontiguousarray(of_task), scale) for of_task in by_task]
    stretch, degrees = spread_of_few_runs(parts)
    drawn = np.ascontiguousarray(replicates.swapaxes(0, 1))
    return StudyMetrics(values, drawn.std(axis=0, ddof=1) * stretch, degrees, drawn)


def study_replicates(
    pools: Sequence[ScorePool],
    metrics: Sequence[Metric],
    draws: Integers,
    keys: npt.NDArray[np.uint64],
    n_resamples: int,
) -> Floats:
    """Compute metrics of resampled scores of several studies, float64[S, n_resamples, metrics].

    Parameters
    ----------
    pools : scores of each study, with the same numbers of runs in all studies
    draws : int64[M], number of runs to draw of each task
    keys : uint64[S, M, 4], or uint64[1, M, 4] to draw the same runs in all studies; see `resampling_keys`
    """
    made = _recipes(metrics, pools, draws, int(draws.sum()))
    replicates = np.empty((len(pools), n_resamples, len(metrics)))
    blocks = -(-n_resamples // BLOCK)
    counts_of_study = pools[0].scores.size * blocks * BLOCK
    if not _same_for_all(made[0]) or counts_of_study > _COUNTS_TOGETHER:
        for study, pool in enumerate(pools):
            drawing = Drawing(pool, draws, keys[study % len(keys)], "runs", made[study])
            fill_replicates(drawing, replicates[study])
        return replicates
    together = max(1, min(_RESAMPLES_TOGETHER // n_resamples, _COUNTS_TOGETHER // counts_of_study))
    for first in range(0, len(pools), together):
        part = slice(first, first + together)
        counts = _counts(pools[0].sizes, draws, keys[part] if len(keys) > 1 else keys, blocks)
        found = _counted_metrics(pools[part], draws, counts, made[0])
        replicates[part] = found[:, :n_resamples]
    return replicates


def _counts(sizes: Integers, draws: Integers, keys: npt.NDArray[np.uint64], blocks: int) -> npt.NDArray[Any]:
    """Count how often each score of each study is drawn, in the order of `ScorePool.scores`; see `draw_few_counts`.

    Parameters
    ----------
    sizes, draws : int64[M], numbers of runs, and of draws, of each task
    keys : uint64[S, M, 4]
    blocks : number of blocks of resamples

    Returns
    -------
    counter[S, n, blocks, BLOCK]
    """
    studies = len(keys)
    everywhere = (np.tile(sizes, studies), np.tile(draws, studies))
    counter = counter_type(sizes, draws)
    counts = draw_few_counts(keys.reshape(-1, 4), range(blocks), *everywhere, counter)
    return counts.reshape(studies, -1, blocks, BLOCK)


def _counted_metrics(pools: Sequence[ScorePool], draws: Integers, counts: npt.NDArray[Any], made: Recipe) -> Floats:
    """Compute metrics of the resamples of some studies, float64[S, resamples, k].

    counts : result of `_counts`, for all studies or the same for each
    """
    size = counts.shape[1]
    resamples = counts.shape[2] * counts.shape[3]
    ascending = np.empty((size, len(pools), resamples), counts.dtype)
    for study, pool in enumerate(pools):
        ascending[pool.ranks, study] = counts[study % len(counts)].reshape(size, resamples)
    scores = np.array([pool.scores for pool in pools]).T[..., None, None]
    values = np.array([pool.values for pool in pools]).T[..., None]
    of_scores = counts.swapaxes(0, 1)
    means = [
        counted_sums(of_scores[start : start + runs], scores[start : start + runs]) / number
        for start, runs, number in zip(pools[0].starts, pools[0].sizes, draws, strict=True)
    ]
    by_task = np.array(means).reshape(-1, len(pools), resamples)
    return array_metrics(ascending, draws.sum(keepdims=True), by_task, values, made)


def _same_for_all(made: Recipe) -> bool:
    """Return True if the metrics depend only on task means and on the ranks of scores, as in `_of_all_studies`."""
    return bool(np.isin(made.kinds, (TASK_MEAN, TASK_MEDIAN, CUT, LOWEST)).all())


def _of_all_studies(pools: Sequence[ScorePool], made: Recipe) -> tuple[Floats, Floats]:
    """Compute the metrics of all studies at once, with all scores and with each score left out.

    The recipe must be the same for all studies; see `_same_for_all`.

    Returns
    -------
    values : float64[S, k], metrics of all scores
    without : float64[S, n, k], metrics with one score left out
    """
    tasks = len(pools[0].tasks)
    scores = np.array([pool.scores for pool in pools]).T
    size = len(scores)
    runs = size // tasks
    of_runs = scores.reshape(tasks, runs, len(pools)).swapaxes(0, 1)
    kept_runs = _all_and_without_each(runs)
    task_means = counted_sums(kept_runs[:, :, None, None], of_runs[:, None]) / kept_runs.sum(axis=0)[:, None, None]
    means = np.repeat(task_means[0][:, None], 1 + size, axis=1)
    for task in range(tasks):
        means[task, 1 + task * runs : 1 + (task + 1) * runs] = task_means[1:, task]
    kept = _all_and_without_each(size)
    ascending = np.array([pool.values for pool in pools]).T
    found = array_metrics(kept[:, :, None], kept.sum(axis=0, dtype=np.int64)[:, None], means, ascending[:, None], made)
    without = found[1:]
    of_ascending = np.isin(made.kinds, (CUT, LOWEST))
    ranks = np.array([pool.ranks for pool in pools], np.int64).T
    without[..., of_ascending] = np.take_along_axis(without[..., of_ascending], ranks[..., None], axis=0)
    return found[0], without.swapaxes(0, 1)


def _all_and_without_each(size: int) -> Floats:
    """Return counts of `size` scores, float64[size, 1 + size]: with all of them, and with each left out in turn."""
    return np.append(np.ones((size, 1)), 1.0 - np.eye(size), axis=1)


def _of_any_kind(
    pools: Sequence[ScorePool], of_all: Sequence[Recipe], of_rest: Sequence[Recipe]
) -> tuple[Floats, Floats]:
    """Compute the result of `_of_all_studies` for any metrics, one study at a time.

    Parameters
    ----------
    of_all, of_rest : recipe of each study, for all scores and for all but one
    """
    size = pools[0].scores.size
    every_score = np.arange(size)[:, None]
    none = np.empty((1, 0), np.int64)
    values = np.empty((len(pools), 1, of_all[0].kinds.size))
    without = np.empty((len(pools), size, of_all[0].kinds.size))
    for study, pool in enumerate(pools):
        fill_left_out(pool, none, of_all[study], values[study])
        fill_left_out(pool, every_score, of_rest[study], without[study])
    return values[:, 0], without


def study_pools(scores: Floats) -> list[ScorePool]:
    """Return the result of `score_pool` for each study, computed together.

    scores : float64[S, M, N], N runs of M tasks in S studies
    """
    studies, tasks, runs = scores.shape
    joined = np.sort(scores, axis=2).reshape(studies, -1) + 0.0
    order = np.argsort(joined, axis=1, kind="stable")
    ranks = np.empty(joined.shape, np.uint32)
    np.put_along_axis(ranks, order, np.arange(tasks * runs, dtype=np.uint32)[None, :], axis=1)
    values = np.take_along_axis(joined, order, axis=1)
    largest = np.abs(joined).max(axis=1).argmax()
    like = score_pool(list(scores[largest]))  # this also rejects scores that are too large
    return [
        like._replace(scores=of_study, ranks=places, values=ascending)
        for of_study, places, ascending in zip(joined, ranks, values, strict=True)
    ]


def _recipes(metrics: Sequence[Metric], pools: Sequence[ScorePool], draws: Integers, least: int) -> list[Recipe]:
    """Return the recipe of the metrics for each study.

    Parameters
    ----------
    draws : int64[M], number of runs drawn of each task
    least : the smallest total number of drawn scores
    """
    depend_on_scores = any(one.entry.counts_for is not None for one in metrics)
    made = [pool_recipe(metrics, pool, draws, least) for pool in (pools if depend_on_scores else pools[:1])]
    return made if depend_on_scores else made * len(pools)
