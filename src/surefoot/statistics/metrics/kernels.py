"""Metrics of resampled scores from how often each score was drawn.

The scores are sorted once; a resample is a row of counts in that order, and metrics follow from a walk along it. Where
a metric needs the mean of each task, the sums of the drawn scores come with it.
"""

import numpy as np
from numba import njit

from surefoot.statistics.metrics.entry import CUT, LOWEST, MIDDLE, TABLE, TASK_MEAN, TASK_MEDIAN
from surefoot.statistics.metrics.recipes import SLACK

_STRETCH = 64
_FEW = 64
# Sums may be taken in another order than written, which lets the processor take several at once.
_FREE_SUMS = {"reassoc", "contract"}


@njit(cache=True, nogil=True, error_model="numpy", fastmath=_FREE_SUMS)
def counted_sum(counts, values, start, size):
    """Sum of values[start : start + size], float64, each as often as the first `size` counts say."""
    total, first = 0.0, np.uint64(start)
    for i in range(np.uint64(size)):
        total += np.float64(counts[i]) * values[first + i]
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def _sum_between(counts, values, low, high):
    """Sum of the drawn scores number low, ..., high - 1, in ascending order."""
    total, before = 0.0, 0
    for begin in range(0, values.size, _STRETCH):
        stretch = counts[begin : begin + _STRETCH]
        drawn = np.uint32(0)
        for count in stretch:
            drawn += np.uint32(count)
        after = before + np.int64(drawn)
        if after > low:
            if before >= low and after <= high:
                total += counted_sum(stretch, values, begin, stretch.size)
            else:
                for i in range(begin, begin + stretch.size):
                    end = before + np.int64(counts[i])
                    total += max(min(end, high) - max(before, low), 0) * values[i]
                    before = end
            if after >= high:
                break
        before = after
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def _mean_between(counts, values, weights, low, high):
    """Mean of the drawn and weighted scores between the fractions low and high of their mass, those at the ends in
    part; where low = high, their quantile, the mean of both neighbours between two."""
    mass = 0.0
    for i in range(values.size):
        mass += np.float64(counts[i]) * weights[i]
    first, last, before, total = low * mass, high * mass, 0.0, 0.0
    slack = 1e-12 * mass
    lower = np.nan
    for i in range(values.size):
        if counts[i] == 0:
            continue
        after = before + np.float64(counts[i]) * weights[i]
        if low == high:
            if np.isnan(lower) and after >= first - slack:
                lower = values[i]
            if after > first + slack:
                return 0.5 * (lower + values[i])
        else:
            total += max(min(after, last) - max(before, first), 0.0) * values[i]
        before = after
    return lower if low == high else total / (last - first)


@njit(cache=True, nogil=True, error_model="numpy")
def median(values):
    """Median of float64 values."""
    lower, upper = (values.size - 1) // 2, values.size // 2
    if values.size > _FEW:
        ascending = np.sort(values)
        return 0.5 * (ascending[lower] + ascending[upper])
    # Of few values it is faster to count those below each, without a branch, than to sort them.
    low = high = np.nan
    for i in range(values.size):
        value, below = values[i], 0
        for j in range(i):
            below += np.int64(values[j] <= value)
        for j in range(i + 1, values.size):
            below += np.int64(values[j] < value)
        if below == lower:
            low = value
        if below == upper:
            high = value
    return 0.5 * (low + high)


@njit(cache=True, nogil=True, error_model="numpy")
def row_metrics(counts, drawn, means, values, weights, recipe, found):
    """Metrics of one resample into found, float64[k].

    counts : uint8[n] or uint32[n], how often each of the ascending `values` was drawn
    drawn : number of scores drawn
    means : float64[M], mean of the scores drawn for each task
    weights : float64[n], of a score of each value where the weighting is by tasks
    recipe : see `surefoot.statistics.metrics.recipes.Recipe`
    """
    for k in range(recipe.kinds.size):
        kind, low = recipe.kinds[k], recipe.lows[k]
        if kind == TASK_MEAN:
            found[k] = means.mean()
        elif kind == TASK_MEDIAN:
            found[k] = median(means)
        elif kind in (CUT, LOWEST):
            cut = np.int64(np.floor(low * drawn + SLACK))
            first, last = (cut, drawn - cut) if kind == CUT else (0, cut)
            if kind == CUT and first >= last:
                first, last = (drawn - 1) // 2, drawn // 2 + 1
            found[k] = _sum_between(counts, values, first, last) / (last - first)
        elif kind == TABLE and not recipe.weighted[k]:
            found[k] = counted_sum(counts, recipe.tables[k], 0, values.size) / drawn
        elif kind == TABLE:
            mass = counted_sum(counts, weights, 0, values.size)
            total = 0.0
            for i in range(values.size):
                total += np.float64(counts[i]) * weights[i] * recipe.tables[k, i]
            found[k] = total / mass
        elif recipe.weighted[k]:
            found[k] = _mean_between(counts, values, weights, low, low if kind == MIDDLE else recipe.highs[k])
        else:
            found[k] = _mean_between(counts, values, np.ones_like(weights), low, recipe.highs[k])
        if kind == TABLE:
            first, last = recipe.tables[k, 0], recipe.tables[k, -1]
            least, greatest = min(first, last), max(first, last)
        else:
            least, greatest = values[0], values[-1]
        # A sum of equal scores, divided by their number, may miss them in its last digits.
        found[k] = min(max(found[k], least), greatest)


@njit(cache=True, nogil=True, error_model="numpy")
def left_out_metrics(places, pool, values, recipe, found):
    """Metrics without some scores into found, float64[times, k].

    places : int64[times, scores], where the scores that are left out are in the pool; of a task one at most
    pool : `ScorePool`'s scores, ranks, starts, sizes; values : its values
    """
    scores, ranks, starts, sizes = pool
    counts, weights, means = np.ones(values.size, np.uint8), np.empty(values.size), np.empty(sizes.size)
    for time in range(places.shape[0]):
        gone = places[time]
        for place in gone:
            counts[ranks[place]] = 0
        for m in range(sizes.size):
            # Not taken from the sum of all: an enormous score would take the others with it.
            total, left = 0.0, 0
            for i in range(starts[m], starts[m] + sizes[m]):
                if counts[ranks[i]] > 0:
                    total += scores[i]
                    left += 1
            means[m] = total / left
            for i in range(starts[m], starts[m] + sizes[m]):
                weights[ranks[i]] = 1.0 / (sizes.size * left)
        row_metrics(counts, scores.size - gone.size, means, values, weights, recipe, found[time])
        for place in gone:
            counts[ranks[place]] = 1
