"""The stratified bootstrap of metrics (Agarwal et al. 2021, section 4.2 and appendix A.5).

Replicates are drawn in blocks. A block of a task has a stream of its own, keyed by the seed, the names of the
algorithm and the task, and numbered by the block: more replicates, other tasks or another number of threads leave the
replicates that were there as they are. What is needed beside the result does not grow with the number of replicates.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.metrics.catalogue import Metric, metric, recipe
from surefoot.statistics.runs.samples import ScorePool, Scores, score_pool
from surefoot.streams import stream_key

RESAMPLED = ("runs", "whole_runs", "tasks_and_runs", "paired_runs")
_TOGETHER = 64


def replicate_metrics(
    scores: Scores,
    metrics: Sequence[str | Metric],
    replicates: int = 50_000,
    seed: int = 0,
    name: str = "",
    tasks: Sequence[Any] | None = None,
    resampled: str = "runs",
    draws: int | None = None,
    threads: int = 1,
) -> Floats:
    """Metrics of resampled scores of one algorithm.

    Parameters
    ----------
    scores : float64[runs, tasks], or one array a task
    metrics : names such as "iqm" or "optimality_gap(0.5)", or `Metric`s
    replicates : how many resamples
    seed, name, tasks : the streams are keyed by the seed, the algorithm's name and the tasks' names (or numbers)
    resampled : "runs", each task's own; "whole_runs", the same runs of all tasks, which then have equally many;
        "tasks_and_runs", as many tasks as there are and then runs of each that was drawn; "paired_runs", each task's
        own, by their numbers: with the same seed and names the same runs of any scores
    draws : runs to draw of each task; as many as it has if None
    threads : how many may be used; the result does not depend on it

    Returns
    -------
    float64[replicates, metrics]

    Raises
    ------
    ValueError : see `score_pool`; an unknown metric; whole runs of tasks with unequal numbers of runs
    """
    pool = score_pool(scores, tasks, keep_order=resampled in ("whole_runs", "paired_runs"))
    named = [metric(m) for m in metrics]
    if resampled == "whole_runs" and pool.sizes.min() != pool.sizes.max():
        raise HintedError(
            "bootstrap",
            f"whole runs of tasks with {pool.sizes.min()} to {pool.sizes.max()} runs",
            '`resampled = "runs"` draws those of each task on their own',
        )
    counts = pool.sizes if draws is None else np.full(pool.sizes.size, draws, np.int64)
    found = np.empty((replicates, len(named)))
    from surefoot.statistics.metrics.kernels import BLOCK
    from surefoot.statistics.resampling.kernels import metric_replicates

    made = recipe(
        named, pool.values, int(counts.min()) * len(pool.tasks) if resampled == "tasks_and_runs" else counts.sum()
    )
    counted = pool.values.size if made.needs_counts() else 0
    keys, arrays = resampling_keys(pool, seed, name, resampled), kernel_arrays(pool)
    unit, together = RESAMPLED.index(resampled) % 3, BLOCK * _TOGETHER

    def part(first: int) -> None:
        rows: Floats = found[first : first + together]
        pooled: npt.NDArray[Any] = np.empty((counted, BLOCK), counter_type(pool.sizes, counts))
        means = np.empty((len(pool.tasks), BLOCK if made.needs_means() else 0))
        metric_replicates(arrays, counts, keys, first, unit, pool.values, made, pooled, means, rows)

    in_threads(part, range(0, replicates, together), threads)
    return found


def metric_values(scores: Scores, metrics: Sequence[str | Metric], tasks: Sequence[Any] | None = None) -> Floats:
    """Metrics of the scores themselves, float64[metrics]; scores, metrics and errors as in `replicate_metrics`.

    To the last bit what a replicate gives that draws each score once, so that it can be counted how many are below.
    """
    from surefoot.statistics.metrics.kernels import BLOCK, block_metrics

    pool = score_pool(scores, tasks)
    named = [metric(m) for m in metrics]
    found, ones = np.empty((1, len(named))), np.ones((pool.values.size, BLOCK), np.uint8)
    means, drawn = np.tile(task_means(pool)[:, None], BLOCK), np.full(BLOCK, pool.values.size)
    made = recipe(named, pool.values, pool.values.size)
    block_metrics(ones, drawn, means, pool.values, made, found)
    return found[0]


def counter_type(sizes: Integers, draws: Integers) -> type:
    """The narrowest type that can count how often a run is drawn.

    Of at most as many draws as there are runs, more than 255 fall on one run with a probability below 1/256! a run.

    Parameters
    ----------
    sizes, draws : int64[M], runs that there are, and runs to draw, of each task
    """
    return np.uint8 if np.all((draws <= sizes) | (draws <= np.iinfo(np.uint8).max)) else np.uint32


def task_means(pool: ScorePool) -> Floats:
    """float64[M], mean score of each task, added up as a replicate's is."""
    return np.array([np.cumsum(np.sort(x))[-1] / x.size for x in pool.task_scores()])


def in_threads(work: Callable[[Any], object], parts: Iterable[Any], threads: int) -> None:
    """Call work with each of the parts, in several threads if more than one is asked for."""
    if threads == 1:
        for part in parts:
            work(part)
        return
    with ThreadPoolExecutor(threads) as workers:
        for _ in workers.map(work, parts):
            pass


def kernel_arrays(pool: ScorePool) -> tuple[Any, ...]:
    """What the counting kernels take of a pool."""
    return pool.scores, pool.ranks, pool.starts, pool.sizes


def resampling_keys(pool: ScorePool, seed: int, name: str, resampled: str = "runs") -> npt.NDArray[np.uint64]:
    """uint64[M, 4], keys of the streams: of each task by its name or, where tasks are drawn, of each slot."""
    labels: Sequence[Any] = [task if isinstance(task, int) else str(task) for task in pool.tasks]
    if resampled == "tasks_and_runs":
        labels = range(len(pool.tasks))
    elif resampled == "whole_runs":
        labels = [""] * len(pool.tasks)
    return np.array([stream_key(seed, "stratified_bootstrap", resampled, name, label) for label in labels])
