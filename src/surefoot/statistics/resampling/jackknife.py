"""Standard errors of metrics by the jackknife, and the accelerations of bca intervals.

See Efron and Tibshirani 1993, section 14.3, and for several samples Davison and Hinkley 1997, section 5.4.1.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, exceeds, typical_magnitude
from surefoot.statistics.metrics.metric_catalogue import Metric, metric
from surefoot.statistics.resampling.stratified_bootstrap import left_out_metrics, resampled_pool
from surefoot.statistics.runs.samples import ScorePool, Scores, score_pool, task_columns


def row_acceleration(scores: Scores, metrics: Sequence[str | Metric]) -> Floats:
    """Return accelerations, float64[metrics], leaving out the run with one number on all tasks at a time, as published.

    This treats runs with the same number as one unit, which is right only if they share the sources of randomness.

    Raises
    ------
    ValueError : if tasks have a single run or unequal numbers of runs; see also `metric_values`
    """
    pool = resampled_pool(scores, None, "whole_runs", "use bca_stratified, which allows unequal numbers")
    runs = int(pool.sizes[0])
    _refuse_single(runs, "bca")
    without = left_out_metrics(pool, metrics, pool.starts + np.arange(runs)[:, None])
    return _acceleration([influence(without, magnitudes(pool, metrics))])


def stratified_acceleration(scores: Scores, metrics: Sequence[str | Metric]) -> Floats:
    """Return accelerations from the jackknife that leaves out one run of one task at a time, float64[metrics].

    Raises
    ------
    ValueError : if every task has a single run; see also `metric_values`
    """
    pool = score_pool(scores)
    _refuse_single(int(pool.sizes.max()), "bca_stratified")
    return _acceleration([part / len(part) for part in _task_influences(pool, metrics)])


ACCELERATIONS = {"bca": row_acceleration, "bca_stratified": stratified_acceleration}
"""Acceleration functions of the interval methods that need one."""


class StandardErrors(NamedTuple):
    """Standard errors of metrics, and their degrees of freedom, float64[metrics] each."""

    errors: Floats
    degrees: Floats


def standard_errors(
    scores: Scores,
    metrics: Sequence[str | Metric],
    unit: str = "runs",
    replicates: Floats | None = None,
    runs: Sequence[Sequence[Any]] | None = None,
) -> StandardErrors:
    """Compute standard errors for "student" intervals.

    Parameters
    ----------
    unit : which units are independent. "runs": all runs; the errors are the standard deviations of the replicates,
        corrected by `spread_of_few_runs`. "whole_runs": runs with the same name on different tasks are one unit; the
        errors are the jackknife's, and the degrees of freedom one less than the number of runs that all tasks have.
        "tasks_and_runs": the M tasks are a random sample; the errors are sqrt(M / (M - 1)) times the standard
        deviations of the replicates, with M - 1 degrees of freedom (the jackknife over tasks is inconsistent for
        medians, and too small for an IQM if half of the tasks are solved)
    replicates : float64[replicates, metrics], not needed for "whole_runs"
    runs : names of the runs of each task, for "whole_runs"; if None, runs are numbered

    Raises
    ------
    ValueError : if there are too few runs, tasks or replicates for the unit; see also `metric_values`
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
    """Compute standard errors of differences x - y of metrics, if the runs of x and y are paired.

    The influence of a pair of runs is the change of the difference if both runs are left out.

    Parameters
    ----------
    x, y : float64[runs] of each task, in the order of the pairs; some task has at least two
    unit : "runs" if all pairs are independent; "whole_runs" if pairs with the same name on different tasks are one unit
    replicates : float64[replicates, metrics], differences of metrics whose runs were drawn in pairs
    runs : names of the pairs of each task
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
    where d is the change of the metric if a run is left out. The degrees of freedom of the sum of all V_m are
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
    """Compute metrics with one run left out of all tasks at a time, float64[runs, metrics].

    The runs are in order of first appearance. A task with a single run always keeps it.

    Parameters
    ----------
    scores : float64[runs, tasks], or one array per task
    runs : names of the runs of each task; if None, runs are numbered

    Raises
    ------
    ValueError : if there are fewer than two runs to leave out; see also `metric_values`
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
    """Return the jackknife's standard errors, float64[...], if runs with the same name are one unit.

    The errors include effects that a run has on several tasks. They have N - 1 degrees of freedom.

    without : float64[N, ...], values with one run left out of all tasks at a time, such as from `without_each_run`
    """
    count = len(without)
    influences = run_influences(without)
    greatest = np.maximum(np.abs(influences).max(axis=0), np.finfo(np.float64).tiny)
    return greatest * np.sqrt((count - 1.0) / count * ((influences / greatest) ** 2).sum(axis=0))


def run_influences(without: Floats) -> Floats:
    """Return the influence of each of N runs, float64[N, ...]: the mean of `without` over runs, minus `without`."""
    return influence(np.asarray(without, np.float64), 0.0)


def _task_influences(pool: ScorePool, metrics: Sequence[str | Metric]) -> list[Floats]:
    """Return N - 1 times the influence of each run, float64[N, metrics] for each task with N > 1 runs."""
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
    """Return the magnitude to which the rounding error of each metric is relative, float64[metrics].

    It is the typical magnitude of the scores, or 1 for a metric that is a share of them.
    """
    of_scores = typical_magnitude(pool.values)
    return np.array([metric(one).magnitude(of_scores) for one in metrics])


def influence(found: Floats, magnitude: Floats | float) -> Floats:
    """Return the mean over the first axis minus each value, with differences within the rounding error set to 0.

    Parameters
    ----------
    found : float64[left out, metrics], metrics with each run left out
    magnitude : result of `magnitudes`, or 0
    """
    mean = found.mean(axis=0)
    scale = np.maximum(np.abs(found).max(axis=0), magnitude)
    return np.where(exceeds(mean, found, scale) | exceeds(found, mean, scale), mean - found, 0.0)


def _acceleration(influences: Sequence[Floats]) -> Floats:
    """Return a sixth of the skewness of influences, float64[metrics]; 0 if all are 0.

    influences : float64[left out, metrics], one array per sample. They are divided by the greatest, since cubes of very
        small or very large numbers leave the range of a double; the skewness does not change.
    """
    joined = np.concatenate(influences)
    greatest = np.abs(joined).max(axis=0)
    joined = joined / np.where(greatest > 0.0, greatest, 1.0)
    squares = (joined**2).sum(axis=0)
    return (joined**3).sum(axis=0) / (6.0 * np.where(greatest > 0.0, squares, 1.0) ** 1.5)
