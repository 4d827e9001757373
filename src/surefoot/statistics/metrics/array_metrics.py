"""Compute metrics of resamples with numpy, bitwise equal to those of the compiled kernels.

As in `statistics.metrics.metric_kernels`, sums are accumulated row after row, for all resamples at once.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.metrics.metric_catalogue import CUT, LOWEST, SLACK, TABLE, TASK_MEAN, TASK_MEDIAN, Recipe

_STRETCH = 8


def array_metrics(counts: npt.NDArray[Any], drawn: Integers, means: Floats, values: Floats, recipe: Recipe) -> Floats:
    """Compute metrics of some resamples, float64[resamples, metrics].

    Parameters
    ----------
    counts : float64[n, resamples] or counts of an integer type, how often each of the ascending `values` was drawn
    drawn : int64[resamples] or int64[1], number of scores drawn
    means : float64[M, resamples], mean of the scores drawn for each task; may be empty if no metric needs it
    recipe : as for the kernels, or with `weights` float64[n, resamples]

    For metrics without tables and weights, the arrays may have further axes that broadcast. In the result, the axis of
    the metrics is the last one.
    """
    metrics = np.empty((*np.broadcast_shapes(counts.shape[1:], values.shape[1:]), recipe.kinds.size))
    for place, (kind, low, high, table, weighted) in enumerate(zip(*recipe[:5], strict=True)):
        masses: Any = recipe.weights if weighted else np.ones_like(values)
        least, greatest = values[0], values[-1]
        if kind == TASK_MEAN:
            metric = _sums(means) / len(means)
        elif kind == TASK_MEDIAN:
            ascending = np.sort(means, axis=0)
            metric = 0.5 * (ascending[(len(means) - 1) // 2] + ascending[len(means) // 2])
        elif kind in (CUT, LOWEST):
            first, last = _cuts(kind, low, drawn)
            metric = _sums_between(counts, values, first, last, int(drawn.max())) / (last - first)
        elif kind == TABLE:
            sums = counted_sums(counts, (masses.T * table).T)
            metric = sums / (1.0 if weighted else drawn)  # weights add up to 1
            least, greatest = sorted((table[0], table[-1]))
        else:
            metric = _means_between(counts, values, masses, low, high)
        # The mean of equal scores may differ from each of them in the last digits.
        metrics[..., place] = np.clip(metric, least, greatest)
    return metrics


def counted_sums(counts: npt.NDArray[Any], values: Floats) -> Floats:
    """Return the sum of counts[i] * values[i] over i, added in ascending order of i, float64[resamples].

    values : float64[n] or float64[n, resamples], or any shape that broadcasts with the counts
    """
    totals = np.zeros(np.broadcast_shapes(counts.shape[1:], values.shape[1:]))
    _add_counted(counts, values, totals)
    return totals


def _add_counted(counts: npt.NDArray[Any], values: Floats, totals: Floats) -> None:
    """Add the sum of `counted_sums` to `totals`."""
    product = np.empty(totals.shape)
    for row, value in zip(counts, values, strict=True):
        np.multiply(row, value, out=product)
        totals += product


def _sums(rows: Floats) -> Floats:
    """Return the sum of the rows, added in order."""
    totals = np.zeros(rows.shape[1:])
    for row in rows:
        totals += row
    return totals


def _cuts(kind: int, low: float, drawn: Integers) -> tuple[Integers, Integers]:
    """Return the range of sorted drawn scores that a metric uses: the first index, and the index after the last one."""
    cut = np.floor(low * drawn + SLACK).astype(np.int64)
    if kind == LOWEST:
        return np.zeros_like(cut), cut
    inside = cut < drawn - cut
    return np.where(inside, cut, (drawn - 1) // 2), np.where(inside, drawn - cut, drawn // 2 + 1)


def _sums_between(counts: npt.NDArray[Any], values: Floats, first: Integers, last: Integers, most: int) -> Floats:
    """Return the sums of the sorted drawn scores number first, ..., last - 1, since a metric cuts all others.

    Most stretches of rows are cut or used as a whole in all resamples.

    most : the greatest number of drawn scores
    """
    totals = np.zeros(np.broadcast_shapes(counts.shape[1:], values.shape[1:]))
    before = np.zeros(counts.shape[1:], np.result_type(counts, np.min_scalar_type(most)))
    low, high = first.astype(before.dtype), last.astype(before.dtype)
    for begin in range(0, len(counts), _STRETCH):
        rows, their_values = counts[begin : begin + _STRETCH], values[begin : begin + _STRETCH]
        after = before + rows.sum(axis=0, dtype=before.dtype)
        if (before >= low).all() and (after <= high).all():
            _add_counted(rows, their_values, totals)
        elif (after > low).any():
            _add_between(rows, their_values, before, low, high, totals)
        if (after >= high).all():
            break
        before = after
    return totals


def _add_between(
    counts: npt.NDArray[Any], values: Floats, before: npt.NDArray[Any], low: Any, high: Any, totals: Floats
) -> None:
    """Add to `totals` the draws number low, ..., high - 1 of a stretch of rows.

    before : number of draws before the stretch, of the type of `low` and `high`
    """
    product = np.empty(totals.shape)
    reached = before.copy()
    used = np.clip(before, low, high)
    used_now = np.empty_like(before)
    added = np.empty_like(before)
    for row, value in zip(counts, values, strict=True):
        reached += row
        np.minimum(np.maximum(reached, low, out=used_now), high, out=used_now)
        np.subtract(used_now, used, out=added)
        np.multiply(added, value, out=product)
        totals += product
        used, used_now = used_now, used


def _means_between(counts: Floats, values: Floats, masses: Floats, low: float, high: float) -> Floats:
    """Return the means of the drawn scores between the fractions low and high of their total weight.

    Scores at the ends count in part. If low = high, return the quantiles at this fraction: between two scores, their
    mean.

    masses : float64[n] or float64[n, resamples]
    """
    mass = counted_sums(counts, masses)
    first = low * mass
    last = high * mass
    slack = 1e-12 * mass
    before = np.zeros_like(mass)
    totals = np.zeros_like(mass)
    lower = np.full(mass.shape, np.nan)
    quantile = np.full(mass.shape, np.nan)
    for row, value, weight in zip(counts, values, masses, strict=True):
        after = before + row * weight
        if low == high:
            drawn = row > 0
            lower[drawn & np.isnan(lower) & (after >= first - slack)] = value
            passed = drawn & np.isnan(quantile) & (after > first + slack)
            quantile[passed] = 0.5 * (lower[passed] + value)
        else:
            totals += np.maximum(np.minimum(after, last) - np.maximum(before, first), 0.0) * value
        before = after
    return np.where(np.isnan(quantile), lower, quantile) if low == high else totals / (last - first)
