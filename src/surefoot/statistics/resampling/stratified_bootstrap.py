"""The stratified bootstrap of metrics (Agarwal et al. 2021, section 4.2 and appendix A.5), and their jackknife.

Replicates are drawn in blocks. Each block of a task has its stream, keyed by the seed, the names of the algorithm and
the task, and numbered by the block: more replicates, other tasks or another number of threads do not change existing
replicates. Memory in addition to the result does not grow with the number of replicates.

The jackknife gives standard errors and the accelerations of bca intervals (Efron and Tibshirani 1993, section 14.3;
Davison and Hinkley 1997, section 5.4.1, for several samples).
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, Integers, exceeds, typical_magnitude
from surefoot.statistics.metrics.catalogue import TASK_MEDIAN, Metric, Recipe, metric, recipe
from surefoot.statistics.runs.samples import ScorePool, Scores, score_pool, task_columns
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
    """Compute metrics of resampled scores of one algorithm.

    Parameters
    ----------
    scores : float64[runs, tasks], or one array per task
    metrics : names such as "iqm" or "optimality_gap(0.5)", or `Metric`s
    replicates : number of resamples
    seed, name, tasks : the streams are keyed by the seed, the algorithm's name and the tasks' names (or numbers)
    resampled : "runs", separately for each task; "whole_runs", the same runs for all tasks, which must have equally
        many; "tasks_and_runs", as many tasks as there are and then runs of each drawn task; "paired_runs", separately
        for each task, by run numbers: with the same seed and names the same runs of any scores
    draws : runs to draw of each task; as many as it has if None
    threads : number of threads; the result does not depend on it

    Returns
    -------
    float64[replicates, metrics]

    Raises
    ------
    ValueError : see `score_pool`; an unknown metric; whole runs of tasks with unequal numbers of runs
    """
    pool = resampled_pool(scores, tasks, resampled)
    named = [metric(m) for m in metrics]
    counts = pool.sizes if draws is None else np.full(pool.sizes.size, draws, np.int64)
    values = np.empty((replicates, len(named)))
    from surefoot.statistics.metrics.kernels import BLOCK
    from surefoot.statistics.resampling.kernels import metric_replicates

    least = int(counts.min()) * len(pool.tasks) if resampled == "tasks_and_runs" else int(counts.sum())
    made = _recipe(named, pool, counts, least)
    of_means = made.kinds <= TASK_MEDIAN
    counted = 0 if of_means.all() else pool.values.size
    keys = resampling_keys(pool, seed, name, resampled)
    arrays = kernel_arrays(pool)
    unit = RESAMPLED.index(resampled) % 3
    together = BLOCK * _TOGETHER

    def part(first: int) -> None:
        rows: Floats = values[first : first + together]
        pooled: npt.NDArray[Any] = np.empty((counted, BLOCK), counter_type(pool.sizes, counts))
        means = np.empty((len(pool.tasks), BLOCK if of_means.any() else 0))
        metric_replicates(arrays, counts, keys, first, unit, pool.values, made, pooled, means, rows)

    in_threads(part, range(0, replicates, together), threads)
    return values


def metric_values(scores: Scores, metrics: Sequence[str | Metric], tasks: Sequence[Any] | None = None) -> Floats:
    """Compute metrics of the scores, float64[metrics]; scores, metrics and errors as in `replicate_metrics`.

    The result equals, to the last bit, a replicate that draws each score once, so that replicates below can be counted.
    """
    values: Floats = _left_out(score_pool(scores, tasks), metrics, [np.empty(0, np.int64)])[0]
    return values


def _recipe(metrics: Sequence[Metric], pool: ScorePool, draws: Integers, least: int, weighted: bool = False) -> Recipe:
    """Return the recipe of the metrics, by weights if tasks have unequal numbers of runs.

    Parameters
    ----------
    draws : int64[M], runs drawn of each task; least : the smallest number of scores drawn in all
    weighted : True to use weights in any case
    """
    weighted = weighted or draws.min() != draws.max() or any(one.exact for one in metrics)
    weights = pool.task_weights(draws) if weighted else None
    return recipe(metrics, pool.values, least, weights, int(draws.max()) * draws.size)


_OF_EACH_TASK = '`resampled = "runs"` draws those of each task on their own'


def resampled_pool(scores: Scores, tasks: Sequence[Any] | None, resampled: str, hint: str = _OF_EACH_TASK) -> ScorePool:
    """Return the scores, ready to be resampled; for parameters and errors, see `replicate_metrics`.

    hint : hint of the error if whole runs of tasks have unequal numbers
    """
    pool = score_pool(scores, tasks, keep_order=resampled in ("whole_runs", "paired_runs"))
    if resampled == "whole_runs" and pool.sizes.min() != pool.sizes.max():
        raise HintedError("whole runs", f"tasks have {pool.sizes.min()} to {pool.sizes.max()} runs", hint)
    return pool


def counter_type(sizes: Integers, draws: Integers) -> type:
    """Return the narrowest type that can count how often a run is drawn.

    With at most as many draws as there are runs, the probability of more than 255 draws of a run is below 1/256! per
    run.

    Parameters
    ----------
    sizes, draws : int64[M], numbers of runs, and of runs to draw, of each task
    """
    return np.uint8 if np.all((draws <= sizes) | (draws <= np.iinfo(np.uint8).max)) else np.uint32


def task_means(pool: ScorePool) -> Floats:
    """Return the mean score per task, float64[M], summed in the order of a replicate, so that the bits agree."""
    return np.array([np.cumsum(np.sort(x))[-1] / x.size for x in pool.task_scores()])


def in_threads(work: Callable[[Any], object], parts: Iterable[Any], threads: int) -> None:
    """Call `work` with each of the parts, in several threads if `threads` is above 1."""
    if threads == 1:
        list(map(work, parts))
        return
    with ThreadPoolExecutor(threads) as workers:
        list(workers.map(work, parts))


def kernel_arrays(pool: ScorePool) -> tuple[Any, ...]:
    """Return the arrays of a pool that the counting kernels take."""
    return pool.scores, pool.ranks, pool.starts, pool.sizes


def resampling_keys(pool: ScorePool, seed: int, name: str, resampled: str = "runs") -> npt.NDArray[np.uint64]:
    """Return keys of the streams, uint64[M, 4]: by the name of each task or, if tasks are drawn, by slot."""
    labels: Sequence[Any] = [task if isinstance(task, int) else str(task) for task in pool.tasks]
    if resampled == "tasks_and_runs":
        labels = range(len(pool.tasks))
    elif resampled == "whole_runs":
        labels = [""] * len(pool.tasks)
    return np.array([stream_key(seed, "stratified_bootstrap", resampled, name, label) for label in labels])


def row_acceleration(scores: Scores, metrics: Sequence[str | Metric]) -> Floats:
    """Return accelerations, float64[metrics], leaving out one run number of all tasks at a time, as published.

    Run n of one task is treated as the same unit as run n of another, which is right only if a study shares what runs
    depend on.

    Raises
    ------
    ValueError : a single run, or tasks with unequal numbers of runs; see `metric_values`
    """
    pool = resampled_pool(scores, None, "whole_runs", "use bca_stratified, which allows unequal numbers")
    runs = int(pool.sizes[0])
    _refuse_single(runs, "bca")
    without = _left_out(pool, metrics, [pool.starts + run for run in range(runs)])
    return _acceleration([_influence(without, _magnitudes(pool, metrics))])


def stratified_acceleration(scores: Scores, metrics: Sequence[str | Metric]) -> Floats:
    """Return accelerations, float64[metrics], leaving out one run of one task at a time; numbers of runs may differ.

    Raises
    ------
    ValueError : every task has a single run; see `metric_values`
    """
    pool = score_pool(scores)
    _refuse_single(int(pool.sizes.max()), "bca_stratified")
    return _acceleration([part / len(part) for part in _task_influences(pool, metrics)])


ACCELERATIONS = {"bca": row_acceleration, "bca_stratified": stratified_acceleration}
"""Acceleration functions by the methods of intervals that need one."""


class StandardErrors(NamedTuple):
    """Standard errors of metrics and their degrees of freedom, float64[metrics] each.

    errors : in units of the metrics
    degrees : of freedom of the errors
    """

    errors: Floats
    degrees: Floats


def standard_errors(
    scores: Scores,
    metrics: Sequence[str | Metric],
    unit: str = "runs",
    replicates: Floats | None = None,
    runs: Sequence[Sequence[Any]] | None = None,
) -> StandardErrors:
    """Compute standard errors for "student" intervals, depending on the random unit.

    Parameters
    ----------
    unit : "runs", separate for each task, by the replicates (see below); "whole_runs", the same runs of all tasks: the
        jackknife, whose degrees of freedom are the number of runs common to all tasks minus one; "tasks_and_runs", a
        sample of M tasks: sqrt(M / (M - 1)) times the standard deviation of the replicates, with M - 1 degrees of
        freedom (the jackknife over tasks is inconsistent for medians, and too small for an IQM if half of the tasks are
        solved)
    replicates : float64[replicates, metrics], not needed for whole runs
    runs : names of the runs of each task, by which whole runs belong together; their numbers if None

    Raises
    ------
    ValueError : a single run, or a single task of a sample of tasks; no replicates; see `metric_values`
    """
    columns = task_columns(scores)
    none = np.zeros(len(metrics))
    if unit == "whole_runs":
        names = [range(column.size) for column in columns] if runs is None else runs
        units = len(set.intersection(*map(set, names)))
        without = without_each_run(columns, metrics, names)
        return StandardErrors(whole_run_errors(without), none + max(units - 1.0, 1.0))
    if replicates is None or len(replicates) < 2:
        raise HintedError("replicates", "fewer than 2, which have no spread", "2 or more, better 1000")
    drawn = replicates.std(axis=0, ddof=1)
    if unit == "tasks_and_runs":
        tasks = len(columns)
        if tasks < 2:
            raise HintedError("student", "a sample of one task", "add tasks, or resampled: runs")
        return StandardErrors(drawn * np.sqrt(tasks / (tasks - 1.0)), none + tasks - 1.0)
    pool = score_pool(scores)
    _refuse_single(int(pool.sizes.max()), "student")
    stretch, degrees = _spread_of_few_runs(_task_influences(pool, metrics))
    return StandardErrors(drawn * stretch, degrees)


def paired_standard_errors(
    x: Sequence[Floats],
    y: Sequence[Floats],
    metrics: Sequence[str | Metric],
    unit: str,
    replicates: Floats,
    runs: Sequence[Sequence[Any]],
) -> StandardErrors:
    """Return standard errors of the differences x - y of metrics of paired runs, like `standard_errors`.

    The influence of a pair of runs on a difference is its change if both runs are left out.

    Parameters
    ----------
    x, y : float64[runs] of each task, in one order of the runs, at least two in some task
    unit : "runs", pairs of each task, or "whole_runs", the same pairs of all tasks
    replicates : float64[replicates, metrics], differences of metrics whose runs were drawn together
    runs : names of the runs of each task
    """
    if unit == "whole_runs":
        error = whole_run_errors(without_each_run(x, metrics, runs) - without_each_run(y, metrics, runs))
        none = np.zeros(error.size)
        return StandardErrors(error, none + max(len(set.intersection(*map(set, runs))) - 1.0, 1.0))
    pools = [score_pool(scores, keep_order=True) for scores in (x, y)]
    scale = _magnitudes(pools[0], metrics)
    parts = [
        np.where(exceeds(np.abs(of_x - of_y), 0.0, scale), of_x - of_y, 0.0)
        for of_x, of_y in zip(*(_task_influences(pool, metrics) for pool in pools), strict=True)
    ]
    stretch, degrees = _spread_of_few_runs(parts)
    varies = np.any([(part != 0.0).any(axis=0) for part in parts], axis=0)
    return StandardErrors(np.where(varies, replicates.std(axis=0, ddof=1) * stretch, 0.0), degrees)


def _spread_of_few_runs(parts: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return the factor that corrects the standard deviation of replicates of "runs", and its degrees of freedom.

    Both are float64[metrics]. By the jackknife, task m adds V_m = (N_m - 1) / N_m sum d^2 to the variance of a metric,
    where d is the change of the metric if a run is left out. The degrees of freedom of their sum are
    (sum V)^2 / sum(V^2 / (N_m + 1)) - 2 (Welch, Biometrika 34, 1947, for variances known from N_m - 1 degrees each;
    without the 2, in both places, few runs per task would give far too few), and at least the fewest of a task.

    Parameters
    ----------
    parts : result of `_task_influences`
    """
    sizes = np.array([len(part) for part in parts], np.float64)[:, None]
    variances = np.array([(part**2).sum(axis=0) / (len(part) * (len(part) - 1.0)) for part in parts])
    positive = variances.sum(axis=0) > 0.0
    variances = np.where(positive, variances / np.where(positive, variances.max(axis=0), 1.0), 1.0)
    total = variances.sum(axis=0)
    stretch = np.sqrt(total / ((sizes - 1.0) / sizes * variances).sum(axis=0))
    degrees = total**2 / (variances**2 / (sizes + 1.0)).sum(axis=0) - 2.0
    return stretch, np.maximum(degrees, sizes.min() - 1.0)


def without_each_run(
    scores: Scores, metrics: Sequence[str | Metric], runs: Sequence[Sequence[Any]] | None = None
) -> Floats:
    """Compute metrics without one run of all tasks at a time, float64[runs, metrics], in order of first appearance.

    Parameters
    ----------
    scores : float64[runs, tasks], or one array per task
    runs : names of the runs of each task, by which they belong together; their numbers if None. If a run is the only
        one of a task, its score there is kept

    Raises
    ------
    ValueError : fewer than two runs; see `metric_values`
    """
    pool = score_pool(scores, keep_order=True)
    names = [range(size) for size in pool.sizes] if runs is None else runs
    places: dict[Any, list[int]] = {}
    for start, size, of_task in zip(pool.starts, pool.sizes, names, strict=True):
        for run, name in enumerate(of_task if size > 1 else ()):
            places.setdefault(name, []).append(int(start) + run)
    _refuse_single(len(places), "student")
    if len(set(map(len, places.values()))) == 1:
        return _left_out(pool, metrics, [np.array(left) for left in places.values()], whole=True)
    return np.concatenate([_left_out(pool, metrics, [np.array(left)], whole=True) for left in places.values()])


def whole_run_errors(without: Floats) -> Floats:
    """Return standard errors by the jackknife over whole runs, float64[...], with N - 1 degrees of freedom.

    A run's effects on all tasks stay together, so that anything shared across tasks is included in the error.

    without : float64[N, ...], with each run left out of all tasks, such as from `without_each_run`
    """
    count = len(without)
    influences = run_influences(without)
    greatest = np.maximum(np.abs(influences).max(axis=0), np.finfo(np.float64).tiny)
    return greatest * np.sqrt((count - 1.0) / count * ((influences / greatest) ** 2).sum(axis=0))


def run_influences(without: Floats) -> Floats:
    """Return the influence of each whole run on the metrics, float64[N, ...]: the mean of `without` minus each."""
    return _influence(np.asarray(without, np.float64), 0.0)


def _task_influences(pool: ScorePool, metrics: Sequence[str | Metric]) -> list[Floats]:
    """Return N - 1 times the influence of each run on the metrics, float64[N, metrics], by task with several runs."""
    influences = []
    magnitudes = _magnitudes(pool, metrics)
    for start, size in zip(pool.starts, pool.sizes, strict=True):
        if size > 1:
            values = _left_out(pool, metrics, [np.array([start + run]) for run in range(size)])
            influences.append((size - 1) * _influence(values, magnitudes))
    return influences


def _refuse_single(runs: int, method: str) -> None:
    if runs < 2:
        raise HintedError(method, "one run of a task", "leaving a run out needs at least two; take percentile")


def _magnitudes(pool: ScorePool, metrics: Sequence[str | Metric]) -> Floats:
    """Return the magnitude that rounding of each metric is relative to, float64[metrics]: scores, or 1 for a share."""
    of_scores = typical_magnitude(pool.values)
    return np.array([metric(one).magnitude(of_scores) for one in metrics])


def _influence(found: Floats, magnitudes: Floats | float) -> Floats:
    """Return how far each value, float64[left out, metrics], is below their mean; 0 if that is only rounding."""
    mean = found.mean(axis=0)
    scale = np.maximum(np.abs(found).max(axis=0), magnitudes)
    return np.where(exceeds(mean, found, scale) | exceeds(found, mean, scale), mean - found, 0.0)


def _acceleration(influences: Sequence[Floats]) -> Floats:
    """Return a sixth of the skewness of influences, float64[metrics]; 0 if all are 0.

    influences : float64[left out, metrics], one array per sample. Only their ratios count, so they are divided by the
        greatest first: cubes of very small and very large ones leave the range of a double.
    """
    joined = np.concatenate(influences)
    greatest = np.abs(joined).max(axis=0)
    joined = joined / np.where(greatest > 0.0, greatest, 1.0)
    squares = (joined**2).sum(axis=0)
    return (joined**3).sum(axis=0) / (6.0 * np.where(greatest > 0.0, squares, 1.0) ** 1.5)


def _left_out(
    pool: ScorePool, metrics: Sequence[str | Metric], places: Sequence[Integers], whole: bool = False
) -> Floats:
    """Return metrics without the scores at the places, at most one of each task, float64[times, metrics].

    Parameters
    ----------
    places : int64[times, scores], the scores to leave out each time
    whole : True if runs are left out of several tasks at once. Tasks then keep their weights even if all of them have
        the same number of runs and only some of them lose one
    """
    from surefoot.statistics.metrics.kernels import left_out_metrics

    left_out = np.array(places)
    named = [metric(m) for m in metrics]
    left = pool.values.size - left_out.shape[1]
    made = _recipe(named, pool, pool.sizes, left, weighted=whole and left_out.shape[1] < pool.sizes.size)
    values = np.empty((len(left_out), len(named)))
    left_out_metrics(left_out, (pool.scores, pool.ranks, pool.starts, pool.sizes), pool.values, made, values)
    return values
