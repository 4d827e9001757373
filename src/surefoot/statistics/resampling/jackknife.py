"""Standard errors of metrics by the jackknife, and the accelerations of bca intervals.

See Efron and Tibshirani 1993, section 14.3, and for several samples Davison and Hinkley 1997, section 5.4.1.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, exceeds, typical_magnitude
from surefoot.statistics.metrics.catalogue import Metric, metric
from surefoot.statistics.resampling.stratified_bootstrap import left_out_metrics, resampled_pool
from surefoot.statistics.runs.samples import ScorePool, Scores, score_pool, task_columns


def row_acceleration(scores: Scores, metrics: Sequence[str | Metric]) -> Floats:
    """Return accelerations, float64[metrics], leaving out the same run number of all tasks at a time, as published.

    Runs with number n of different tasks are treated as one unit, which is right only if they share the sources of
    randomness.

    Raises
    ------
    ValueError : for a single run, or tasks with unequal numbers of runs; see `metric_values`
    """
    pool = resampled_pool(scores, None, "whole_runs", "use bca_stratified, which allows unequal numbers")
    runs = int(pool.sizes[0])
    _refuse_single(runs, "bca")
    without = left_out_metrics(pool, metrics, pool.starts + np.arange(runs)[:, None])
    return _acceleration([influence(without, magnitudes(pool, metrics))])


def stratified_acceleration(scores: Scores, metrics: Sequence[str | Metric]) -> Floats:
    """Return accelerations, float64[metrics], leaving out one run of one task at a time; numbers of runs may differ.

    Raises
    ------
    ValueError : if every task has a single run; see `metric_values`
    """
    pool = score_pool(scores)
    _refuse_single(int(pool.sizes.max()), "bca_stratified")
    return _acceleration([part / len(part) for part in _task_influences(pool, metrics)])


ACCELERATIONS = {"bca": row_acceleration, "bca_stratified": stratified_acceleration}
"""Acceleration functions of the interval methods that need one."""


class StandardErrors(NamedTuple):
    """Standard errors of metrics and their degrees of freedom, float64[metrics] each.

    errors : in units of the metrics
    degrees : degrees of freedom of the errors
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
    unit : "runs", for separate runs of each task: from the replicates (see `spread_of_few_runs`); "whole_runs", for the
        same runs of all tasks: the jackknife, with the number of runs common to all tasks minus one degrees of freedom;
        "tasks_and_runs", for a sample of M tasks: sqrt(M / (M - 1)) times the standard deviation of the replicates,
        with M - 1 degrees of freedom (the jackknife over tasks is inconsistent for medians, and too small for an IQM if
        half of the tasks are solved)
    replicates : float64[replicates, metrics], not needed for whole runs
    runs : names of the runs of each task, which identify whole runs; their indices if None

    Raises
    ------
    ValueError : for a single run, a single task as a sample of tasks, or missing replicates; see `metric_values`
    """
    columns = task_columns(scores)
    none = np.zeros(len(metrics))
    if unit == "whole_runs":
        names = [range(column.size) for column in columns] if runs is None else runs
        units = len(set.intersection(*map(set, names)))
        without = without_each_run(columns, metrics, names)
        return StandardErrors(whole_run_errors(without), none + max(units - 1.0, 1.0))
    if replicates is None or len(replicates) < 2:
        what = "got fewer than 2, which have no standard deviation"
        raise HintedError("replicates", what, "use 2 or more, preferably 1000")
    drawn = replicates.std(axis=0, ddof=1)
    if unit == "tasks_and_runs":
        tasks = len(columns)
        if tasks < 2:
            what = "cannot estimate the variation between tasks from a single task"
            raise HintedError("student", what, 'add tasks, or set resample to "runs"')
        return StandardErrors(drawn * np.sqrt(tasks / (tasks - 1.0)), none + tasks - 1.0)
    pool = score_pool(scores)
    _refuse_single(int(pool.sizes.max()), "student")
    stretch, degrees = spread_of_few_runs(_task_influences(pool, metrics))
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

    The influence of a pair of runs is the change of the difference if both runs are left out.

    Parameters
    ----------
    x, y : float64[runs] of each task, with runs in the same order, at least two on some task
    unit : "runs", for pairs of each task, or "whole_runs", for the same pairs of all tasks
    replicates : float64[replicates, metrics], differences of metrics whose runs were drawn in pairs
    runs : names of the runs of each task
    """
    if unit == "whole_runs":
        error = whole_run_errors(without_each_run(x, metrics, runs) - without_each_run(y, metrics, runs))
        none = np.zeros(error.size)
        return StandardErrors(error, none + max(len(set.intersection(*map(set, runs))) - 1.0, 1.0))
    pools = [score_pool(scores, keep_order=True) for scores in (x, y)]
    scale = magnitudes(pools[0], metrics)
    parts = [
        np.where(exceeds(np.abs(of_x - of_y), 0.0, scale), of_x - of_y, 0.0)
        for of_x, of_y in zip(*(_task_influences(pool, metrics) for pool in pools), strict=True)
    ]
    stretch, degrees = spread_of_few_runs(parts)
    varies = np.any([(part != 0.0).any(axis=0) for part in parts], axis=0)
    return StandardErrors(np.where(varies, replicates.std(axis=0, ddof=1) * stretch, 0.0), degrees)


def spread_of_few_runs(parts: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return the factor that corrects the standard deviation of replicates of "runs", and its degrees of freedom.

    Both are float64[metrics]. By the jackknife, task m adds V_m = (N_m - 1) / N_m sum d^2 to the variance of a metric,
    where d is the change of the metric if a run is left out. The degrees of freedom of their sum are
    (sum V)^2 / sum(V^2 / (N_m + 1)) - 2 (Welch, Biometrika 34, 1947), and at least the smallest N_m - 1. The simpler
    (sum V)^2 / sum(V^2 / (N_m - 1)) would be far too small for few runs per task.

    Parameters
    ----------
    parts : result of `_task_influences`, float64[N, ..., metrics] of each task
    """
    variances = np.array([(part**2).sum(axis=0) / (len(part) * (len(part) - 1.0)) for part in parts])
    sizes = np.array([len(part) for part in parts], np.float64).reshape(-1, *[1] * (variances.ndim - 1))
    positive = variances.sum(axis=0) > 0.0
    variances = np.where(positive, variances / np.where(positive, variances.max(axis=0), 1.0), 1.0)
    total = variances.sum(axis=0)
    stretch = np.sqrt(total / ((sizes - 1.0) / sizes * variances).sum(axis=0))
    degrees = total**2 / (variances**2 / (sizes + 1.0)).sum(axis=0) - 2.0
    return stretch, np.maximum(degrees, sizes.min() - 1.0)


def without_each_run(
    scores: Scores, metrics: Sequence[str | Metric], runs: Sequence[Sequence[Any]] | None = None
) -> Floats:
    """Compute metrics without one whole run at a time, float64[runs, metrics], in order of first appearance.

    Parameters
    ----------
    scores : float64[runs, tasks], or one array per task
    runs : names of the runs of each task, which identify whole runs; their indices if None. If a run is the only one of
        a task, its score there is kept

    Raises
    ------
    ValueError : for fewer than two runs; see `metric_values`
    """
    pool = score_pool(scores, keep_order=True)
    names = [range(size) for size in pool.sizes] if runs is None else runs
    places: dict[Any, list[int]] = {}
    for start, size, of_task in zip(pool.starts, pool.sizes, names, strict=True):
        for run, name in enumerate(of_task if size > 1 else ()):
            places.setdefault(name, []).append(int(start) + run)
    _refuse_single(len(places), "student")
    if len(set(map(len, places.values()))) == 1:
        return left_out_metrics(pool, metrics, np.array([*places.values()]), whole=True)
    return np.concatenate([left_out_metrics(pool, metrics, np.array([left]), whole=True) for left in places.values()])


def whole_run_errors(without: Floats) -> Floats:
    """Return standard errors by the jackknife over whole runs, float64[...], with N - 1 degrees of freedom.

    A run's effects on all tasks stay together, so the error includes any effects shared across tasks.

    without : float64[N, ...], values with each run left out of all tasks, such as from `without_each_run`
    """
    count = len(without)
    influences = run_influences(without)
    greatest = np.maximum(np.abs(influences).max(axis=0), np.finfo(np.float64).tiny)
    return greatest * np.sqrt((count - 1.0) / count * ((influences / greatest) ** 2).sum(axis=0))


def run_influences(without: Floats) -> Floats:
    """Return the influence of each whole run on the metrics, float64[N, ...]: the mean of `without` minus each."""
    return influence(np.asarray(without, np.float64), 0.0)


def _task_influences(pool: ScorePool, metrics: Sequence[str | Metric]) -> list[Floats]:
    """Return N - 1 times the influence of runs on the metrics, float64[N, metrics] for each task with several runs."""
    several = np.repeat(pool.sizes > 1, pool.sizes)
    without = left_out_metrics(pool, metrics, np.flatnonzero(several)[:, None])
    scale = magnitudes(pool, metrics)
    sizes = pool.sizes[pool.sizes > 1]
    parts = np.split(without, np.cumsum(sizes)[:-1])
    return [(size - 1) * influence(part, scale) for size, part in zip(sizes, parts, strict=True)]


def _refuse_single(runs: int, method: str) -> None:
    if runs < 2:
        raise HintedError(
            method, "a task has only one run", "use at least two, since one is left out; or use percentile"
        )


def magnitudes(pool: ScorePool, metrics: Sequence[str | Metric]) -> Floats:
    """Return the magnitude to which each metric's rounding is relative, float64[metrics]: scores, or 1 for shares."""
    of_scores = typical_magnitude(pool.values)
    return np.array([metric(one).magnitude(of_scores) for one in metrics])


def influence(found: Floats, magnitude: Floats | float) -> Floats:
    """Return how far each value, float64[left out, metrics], is below their mean; 0 if that is only rounding."""
    mean = found.mean(axis=0)
    scale = np.maximum(np.abs(found).max(axis=0), magnitude)
    return np.where(exceeds(mean, found, scale) | exceeds(found, mean, scale), mean - found, 0.0)


def _acceleration(influences: Sequence[Floats]) -> Floats:
    """Return a sixth of the skewness of influences, float64[metrics]; 0 if all are 0.

    influences : float64[left out, metrics], one array per sample. Only ratios matter, so influences are first divided
        by the greatest, since cubes of very small or very large numbers leave the range of a double.
    """
    joined = np.concatenate(influences)
    greatest = np.abs(joined).max(axis=0)
    joined = joined / np.where(greatest > 0.0, greatest, 1.0)
    squares = (joined**2).sum(axis=0)
    return (joined**3).sum(axis=0) / (6.0 * np.where(greatest > 0.0, squares, 1.0) ** 1.5)
