"""The stratified bootstrap of metrics (Agarwal et al. 2021, section 4.2 and appendix A.5).

Replicates are drawn in blocks of `BLOCK`. Each block of each task has its own random stream, identified by the seed,
the names of the algorithm and the task, and the number of the block. So existing replicates do not change with the
total number of replicates, the other tasks, or the number of threads. Apart from the result, memory does not grow with
the number of replicates.

A process draws its first replicates with numpy, and compiles or loads the kernels once there is enough work. Both give
the same numbers.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from surefoot.errors import HintedError
from surefoot.progress import followed
from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.metrics.array_metrics import array_metrics, counted_sums
from surefoot.statistics.metrics.metric_catalogue import BLOCK, TASK_MEDIAN, Metric, Recipe, metric, recipe
from surefoot.statistics.resampling.array_draws import draw_few_counts, worth_compiling
from surefoot.statistics.runs.samples import ScorePool, Scores, score_pool
from surefoot.streams import stream_key

RESAMPLED = ("runs", "whole_runs", "tasks_and_runs", "paired_runs")
_TOGETHER = 64
_COUNTS_TOGETHER = 1_000_000
"""Largest number of counts that numpy handles at a time, to limit memory."""


def replicate_metrics(
    scores: Scores,
    metrics: Sequence[str | Metric],
    n_resamples: int = 50_000,
    seed: int = 0,
    name: str = "",
    tasks: Sequence[Any] | None = None,
    resample: str = "runs",
    draws: int | None = None,
    threads: int = 1,
) -> Floats:
    """Compute metrics of resampled scores of one algorithm.

    Parameters
    ----------
    scores : float64[runs, tasks], or one array per task
    metrics : names such as "iqm" or "optimality_gap(0.5)", or `Metric`s
    n_resamples : number of resamples
    seed, name, tasks : seed, name of the algorithm, and names (or indices) of the tasks, which identify the random
        streams
    resample : "runs" to draw runs separately for each task; "whole_runs" to draw the same runs for all tasks, which
        must have the same number of runs; "tasks_and_runs" to draw tasks with replacement, and then runs of each drawn
        task; "paired_runs" to draw run numbers separately for each task, so that calls with the same seed and names
        draw the same run numbers, whatever the scores
    draws : number of runs to draw of each task; if None, as many as the task has
    threads : number of threads; the result does not depend on it

    Returns
    -------
    float64[replicates, metrics]

    Raises
    ------
    ValueError : see `score_pool`; for an unknown metric; or for "whole_runs" if tasks have unequal numbers of runs
    """
    pool = resampled_pool(scores, tasks, resample)
    named = [metric(m) for m in metrics]
    counts = pool.sizes if draws is None else np.full(pool.sizes.size, draws, np.int64)
    least = int(counts.min()) * len(pool.tasks) if resample == "tasks_and_runs" else int(counts.sum())
    made = pool_recipe(named, pool, counts, least)
    keys = resampling_keys(pool, seed, name, resample)
    values = np.empty((n_resamples, len(named)))
    fill_replicates(Drawing(pool, counts, keys, resample, made), values, threads)
    return values


class Drawing(NamedTuple):
    """The runs to draw in each replicate, and the metrics to compute from them.

    pool : scores to draw from
    counts : int64[M], number of runs to draw of each task
    keys : result of `resampling_keys`
    resample : as in `replicate_metrics`
    recipe : result of `pool_recipe`
    """

    pool: ScorePool
    counts: Integers
    keys: npt.NDArray[np.uint64]
    resample: str
    recipe: Recipe


def fill_replicates(drawing: Drawing, values: Floats, threads: int = 1) -> None:
    """Fill `values`, float64[replicates, metrics], with the metrics of resampled scores."""
    compiled = worth_compiling("metrics", int(drawing.counts.sum()), len(values))
    if drawing.resample == "tasks_and_runs":
        _fill_with_drawn_tasks(drawing, values, threads, compiled)
    elif compiled:
        _fill_with_kernels(drawing, values, threads)
    else:
        _fill_with_numpy(drawing, values, threads)


def _fill_with_numpy(drawing: Drawing, values: Floats, threads: int) -> None:
    """Implement `fill_replicates` with numpy, for any `resample` except "tasks_and_runs"."""
    pool, counts, keys, resample, made = drawing
    of_means = bool((made.kinds <= TASK_MEDIAN).any())

    def part(first: int, last: int) -> None:
        drawn = few_counts(pool, counts, keys, resample, first, last)
        means = task_sums(drawn, pool) / counts[:, None] if of_means else np.empty((0, last - first))
        numbers = np.full(last - first, counts.sum())
        values[first:last] = array_metrics(ascending_counts(drawn, pool), numbers, means, pool.values, made)

    in_threads(part, blocks_together(pool.scores.size, len(values)), threads)


def _fill_with_kernels(drawing: Drawing, values: Floats, threads: int) -> None:
    """Implement `fill_replicates` with compiled kernels, for any `resample` except "tasks_and_runs"."""
    from surefoot.statistics.resampling.resampling_kernels import metric_replicates

    pool, counts, keys, resample, made = drawing
    of_means = made.kinds <= TASK_MEDIAN
    counted = 0 if of_means.all() else pool.values.size
    of_block = (kernel_arrays(pool), counts, keys)
    whole_runs = resample == "whole_runs"

    def part(first: int, last: int) -> None:
        pooled: npt.NDArray[Any] = np.empty((counted, BLOCK), counter_type(pool.sizes, counts))
        means = np.empty((len(pool.tasks), BLOCK if of_means.any() else 0))
        metric_replicates(*of_block, first, whole_runs, pool.values, made, pooled, means, values[first:last])

    in_threads(part, _parts(len(values), BLOCK * _TOGETHER), threads)


def _fill_with_drawn_tasks(drawing: Drawing, values: Floats, threads: int, compiled: bool) -> None:
    """Implement `fill_replicates` for "tasks_and_runs". The runs are drawn by a kernel.

    compiled : True to compute the metrics with a kernel, too
    """
    from surefoot.statistics.metrics.metric_kernels import block_metrics

    pool, _, keys, _, made = drawing

    def part(first: int, last: int) -> None:
        drawn = drawn_tasks(pool, keys, first, last)
        if compiled:
            block_metrics(drawn.counts, drawn.numbers, drawn.means, pool.values, made, values[first:last])
            return
        whole_blocks = array_metrics(drawn.counts, drawn.numbers, drawn.means, pool.values, made)
        values[first:last] = whole_blocks[: last - first]

    in_threads(
        part, _parts(len(values), BLOCK) if compiled else blocks_together(pool.scores.size, len(values)), threads
    )


class DrawnTasks(NamedTuple):
    """Runs of drawn tasks, in complete blocks of replicates.

    counts : counter[n, replicates], how often each of the pool's ascending `values` is drawn
    means : float64[M, replicates], mean of the drawn scores of each drawn task
    numbers : int64[replicates], number of scores drawn
    """

    counts: npt.NDArray[Any]
    means: Floats
    numbers: Integers


def drawn_tasks(pool: ScorePool, keys: npt.NDArray[np.uint64], first: int, last: int) -> DrawnTasks:
    """Draw tasks and runs of each, in the blocks of the replicates first, ..., last - 1.

    Parameters
    ----------
    keys : result of `resampling_keys` for "tasks_and_runs"
    first : must be the first replicate of a block
    """
    from surefoot.statistics.resampling.resampling_kernels import draw_tasks

    replicates = -(-(last - first) // BLOCK) * BLOCK
    counts: npt.NDArray[Any] = np.empty((pool.values.size, replicates), counter_type(pool.sizes, pool.sizes))
    drawn = DrawnTasks(counts, np.empty((len(pool.tasks), replicates)), np.empty(replicates, np.int64))
    draw_tasks(kernel_arrays(pool), keys, first // BLOCK, *drawn)
    return drawn


def _parts(n_resamples: int, together: int) -> list[tuple[int, int]]:
    """Split the replicates into ranges (first, end) of at most `together` replicates."""
    return [(first, min(first + together, n_resamples)) for first in range(0, n_resamples, together)]


def blocks_together(scores: int, n_resamples: int) -> list[tuple[int, int]]:
    """Split the replicates of some scores into ranges (first, end) of complete blocks that numpy handles at once."""
    return _parts(n_resamples, BLOCK * max(1, _COUNTS_TOGETHER // (scores * BLOCK)))


def few_counts(
    pool: ScorePool, draws: Integers, keys: npt.NDArray[np.uint64], resample: str, first: int, last: int
) -> npt.NDArray[Any]:
    """Return how often each score is drawn in the replicates first, ..., last - 1, [n, replicates].

    Parameters
    ----------
    draws : int64[M], runs drawn from each task
    keys : result of `resampling_keys`
    first : must be the first replicate of a block
    """
    blocks = range(first // BLOCK, -(-last // BLOCK))
    drawn_tasks = slice(0, 1) if resample == "whole_runs" else slice(None)
    counter = counter_type(pool.sizes, draws)
    drawn = draw_few_counts(keys[drawn_tasks], blocks, pool.sizes[drawn_tasks], draws[drawn_tasks], counter)
    drawn = drawn[:, : last - first]
    return np.tile(drawn, (len(pool.tasks), 1)) if resample == "whole_runs" else drawn


def ascending_counts(drawn: npt.NDArray[Any], pool: ScorePool) -> Floats:
    """Reorder counts from the order of the pool's `scores` to that of its ascending `values`."""
    counts = np.empty(drawn.shape)
    counts[pool.ranks] = drawn
    return counts


def task_sums(drawn: npt.NDArray[Any], pool: ScorePool) -> Floats:
    """Return the sum of the drawn scores of each task, float64[M, replicates], from the result of `few_counts`."""
    of_tasks = np.split(drawn, pool.starts[1:])
    return np.array([counted_sums(*task) for task in zip(of_tasks, pool.task_scores(), strict=True)])


def metric_values(scores: Scores, metrics: Sequence[str | Metric], tasks: Sequence[Any] | None = None) -> Floats:
    """Compute metrics of the scores, float64[metrics]; see `replicate_metrics` for the parameters and errors.

    The result is bitwise equal to the metrics of a replicate that draws each score once, so exact comparisons with
    replicates are possible.
    """
    return left_out_metrics(score_pool(scores, tasks), metrics, np.empty((1, 0), np.int64))[0]


def left_out_metrics(pool: ScorePool, metrics: Sequence[str | Metric], places: Integers, whole: bool = False) -> Floats:
    """Compute metrics after leaving out some scores, float64[times, metrics].

    Parameters
    ----------
    places : int64[times, scores], indices of the scores to leave out each time, at most one per task
    whole : True if a run is left out of several tasks at once. All tasks then keep equal weights, even if only some of
        them lose a run
    """
    named = [metric(m) for m in metrics]
    left = pool.values.size - places.shape[1]
    made = pool_recipe(named, pool, pool.sizes, left, weighted=whole and places.shape[1] < pool.sizes.size)
    values = np.empty((len(places), len(named)))
    fill_left_out(pool, places, made, values)
    return values


def fill_left_out(pool: ScorePool, places: Integers, made: Recipe, values: Floats) -> None:
    """Fill `values`, float64[times, metrics], with the metrics after leaving out some scores.

    Parameters
    ----------
    places : as in `left_out_metrics`
    made : result of `pool_recipe` for the number of remaining scores; its weights are overwritten
    """
    if worth_compiling("metrics", pool.scores.size, len(places)):
        from surefoot.statistics.metrics.metric_kernels import fill_left_out_metrics

        fill_left_out_metrics(places, kernel_arrays(pool), pool.values, made, values)
        return
    for first, last in _parts(len(places), max(1, _COUNTS_TOGETHER // pool.scores.size)):
        kept = np.ones((pool.scores.size, last - first))
        np.put_along_axis(kept, places[first:last].T, 0.0, axis=0)
        sizes = np.add.reduceat(kept, pool.starts, axis=0)
        means = task_sums(kept, pool) / sizes
        weights = ascending_counts(np.repeat(1.0 / (sizes.shape[0] * sizes), pool.sizes, axis=0), pool)
        counts = ascending_counts(kept, pool)
        numbers = np.full(last - first, pool.values.size - places.shape[1])
        values[first:last] = array_metrics(counts, numbers, means, pool.values, made._replace(weights=weights))


def pool_recipe(
    metrics: Sequence[Metric], pool: ScorePool, draws: Integers, least: int, weighted: bool = False
) -> Recipe:
    """Return the `Recipe` of metrics for scores drawn from a pool, with weights if they are needed.

    Parameters
    ----------
    draws : int64[M], number of runs drawn from each task
    least : the smallest total number of drawn scores
    weighted : True to use weights even if the same number of runs is drawn from each task
    """
    weighted = weighted or draws.min() != draws.max() or any(one.exact for one in metrics)
    weights = pool.task_weights(draws) if weighted else None
    return recipe(metrics, pool.values, least, weights, int(draws.max()) * draws.size)


_OF_EACH_TASK = '`resample="runs"` draws the runs of each task separately'


def resampled_pool(scores: Scores, tasks: Sequence[Any] | None, resample: str, hint: str = _OF_EACH_TASK) -> ScorePool:
    """Prepare scores for resampling; see `replicate_metrics` for the parameters and errors.

    hint : hint of the error if `resample` is "whole_runs" and tasks have unequal numbers of runs
    """
    pool = score_pool(scores, tasks, keep_order=resample in ("whole_runs", "paired_runs"))
    if resample == "whole_runs" and pool.sizes.min() != pool.sizes.max():
        raise HintedError("whole runs", f"tasks have {pool.sizes.min()} to {pool.sizes.max()} runs", hint)
    return pool


def counter_type(sizes: Integers, draws: Integers) -> type:
    """Return the narrowest type that can count how often a run is drawn.

    If at most as many runs are drawn as a task has, a run is drawn more than 255 times with a probability below 1/256!.

    Parameters
    ----------
    sizes : int64[M], number of runs of each task
    draws : int64[M], number of runs to draw of each task
    """
    return np.uint8 if np.all((draws <= sizes) | (draws <= np.iinfo(np.uint8).max)) else np.uint32


def task_means(pool: ScorePool) -> Floats:
    """Return the mean score per task, float64[M], summed in the order of a replicate, so that both agree bitwise."""
    return np.array([np.cumsum(np.sort(x))[-1] / x.size for x in pool.task_scores()])


def in_threads(work: Callable[..., object], parts: Iterable[Any], threads: int) -> None:
    """Call `work` with each part, in several threads if `threads` is above 1; tuples are passed as arguments."""
    arguments = [part if isinstance(part, tuple) else (part,) for part in parts]
    if threads == 1:
        for part in followed(arguments):
            work(*part)
        return
    with ThreadPoolExecutor(threads) as workers:
        list(workers.map(lambda part: work(*part), arguments))


def kernel_arrays(pool: ScorePool) -> tuple[Any, ...]:
    """Return the arrays of a pool that the kernels use: scores, ranks, starts and sizes."""
    return pool.scores, pool.ranks, pool.starts, pool.sizes


def resampling_keys(pool: ScorePool, seed: int, name: str, resample: str = "runs") -> npt.NDArray[np.uint64]:
    """Return the key of the random stream of each task, uint64[M, 4].

    For "whole_runs", all keys are equal. For "tasks_and_runs", the keys belong to the M drawn tasks, by number.
    """
    labels: Sequence[Any] = [task if isinstance(task, int) else str(task) for task in pool.tasks]
    if resample == "tasks_and_runs":
        labels = range(len(pool.tasks))
    elif resample == "whole_runs":
        labels = [""] * len(pool.tasks)
    return task_keys(labels, seed, name, resample)


def task_keys(labels: Sequence[Any], seed: int, name: str, resample: str) -> npt.NDArray[np.uint64]:
    """Return the key of the random stream of each label, uint64[labels, 4]."""
    return np.array([stream_key(seed, "stratified_bootstrap", resample, name, label) for label in labels])
