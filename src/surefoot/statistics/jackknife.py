"""Accelerations of bca intervals by the jackknife (Efron and Tibshirani 1993, section 14.3; Davison and Hinkley 1997,
section 5.4.1, for several samples)."""

from collections.abc import Sequence

import numpy as np

from surefoot.statistics.metrics import Metric, metric, recipe
from surefoot.statistics.score_pool import ScorePool, Scores, score_pool
from surefoot.statistics.ties import exceeds, typical_magnitude


def row_acceleration(scores: Scores, metrics: Sequence[str | Metric]) -> np.ndarray:
    """Accelerations float64[metrics], leaving out one run number of all tasks at a time, as published programs do.

    It takes run n of one task for the same unit as run n of another, which they are only where a study shares what
    runs depend on.

    Raises
    ------
    ValueError : a single run, or tasks with unequal numbers of runs; see `metric_values`
    """
    pool = score_pool(scores, keep_order=True)
    if pool.sizes.min() != pool.sizes.max():
        raise ValueError(
            f"bca: tasks have {pool.sizes.min()} to {pool.sizes.max()} runs. "
            "Hint: bca_stratified needs no equal numbers."
        )
    runs = int(pool.sizes[0])
    _refuse_single(runs, "bca")
    left_out = [pool.starts + run for run in range(runs)]
    found = np.array([_without(pool, metrics, gone) for gone in left_out])
    return _acceleration([_influence(found, typical_magnitude(pool.values))])


def stratified_acceleration(scores: Scores, metrics: Sequence[str | Metric]) -> np.ndarray:
    """Accelerations float64[metrics], leaving out one run of one task at a time; numbers of runs may differ.

    Raises
    ------
    ValueError : every task has a single run; see `metric_values`
    """
    pool = score_pool(scores)
    _refuse_single(int(pool.sizes.max()), "bca_stratified")
    influences, magnitude = [], typical_magnitude(pool.values)
    for start, size in zip(pool.starts, pool.sizes, strict=True):
        if size > 1:
            found = np.array([_without(pool, metrics, [start + run]) for run in range(size)])
            influences.append((size - 1) / size * _influence(found, magnitude))
    return _acceleration(influences)


def _refuse_single(runs, method):
    if runs < 2:
        raise ValueError(f"{method}: one run of a task. Hint: leaving a run out needs at least two; take percentile.")


def _influence(found, magnitude):
    """How far each value, float64[left out, metrics], lies below their mean; 0 where that is nothing but rounding."""
    mean, scale = found.mean(axis=0), np.maximum(np.abs(found).max(axis=0), magnitude)
    return np.where(exceeds(mean, found, scale) | exceeds(found, mean, scale), mean - found, 0.0)


def _acceleration(influences):
    """A sixth of their skewness, float64[metrics]; 0 where nothing has any influence.

    influences : float64[left out, metrics], one array per sample. Only their ratios count, so they are divided by the
        greatest first: cubes of very small and very large ones leave the range of a double.
    """
    joined = np.concatenate(influences)
    greatest = np.abs(joined).max(axis=0)
    joined = joined / np.where(greatest > 0.0, greatest, 1.0)
    squares = (joined**2).sum(axis=0)
    return (joined**3).sum(axis=0) / (6.0 * np.where(greatest > 0.0, squares, 1.0) ** 1.5)


def _without(pool: ScorePool, metrics, gone) -> np.ndarray:
    """Metrics without the scores at the places `gone`, of which a task may have one."""
    from surefoot.statistics.metric_kernels import row_metrics

    metrics = [metric(m) for m in metrics]
    counts = np.ones(pool.values.size, np.uint8)
    counts[pool.ranks[gone]] = 0
    left, kept = pool.sizes.copy(), pool.scores.copy()
    left[np.searchsorted(pool.starts, gone, side="right") - 1] -= 1
    kept[gone] = 0.0  # taken from the sum afterwards, an enormous score would take the others with it
    sums = np.add.reduceat(kept, pool.starts)
    made, found = recipe(metrics, pool.values, int(left.sum())), np.empty(len(metrics))
    row_metrics(counts, int(left.sum()), sums / left, pool.values, pool.task_weights(left), made, found)
    return found
