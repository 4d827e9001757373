"""Compute metrics of resampled scores from the number of times each score was drawn.

The scores are sorted once, and each resample is a column of counts in this order. Metrics are computed in a pass over
the rows, with the same steps for all columns, so that the loops can be vectorized.
"""

import numpy as np
from numba import njit

from surefoot.kernel_files import stamp_kernels
from surefoot.statistics.metrics.metric_catalogue import BLOCK, CUT, LOWEST, SLACK, TABLE, TASK_MEAN, TASK_MEDIAN

stamp_kernels()
_STRETCH = 16


@njit(cache=True, nogil=True, error_model="numpy")
def add_all_counted(counts, values, totals):
    """Add counts[i] * values[i] to `totals`, for each i in ascending order.

    Four rows are processed at a time, so that each total is loaded and stored once for the four.
    """
    rows = np.uint64(values.size)
    fours = rows - rows % np.uint64(4)
    for i in range(np.uint64(0), fours, np.uint64(4)):
        one, two, three, four = counts[i], counts[i + 1], counts[i + 2], counts[i + 3]
        first, second, third, fourth = values[i], values[i + 1], values[i + 2], values[i + 3]
        for r in range(totals.size):
            total = totals[r] + np.float64(one[r]) * first
            total += np.float64(two[r]) * second
            total += np.float64(three[r]) * third
            totals[r] = total + np.float64(four[r]) * fourth
    for i in range(fours, rows):
        for r in range(totals.size):
            totals[r] += np.float64(counts[i, r]) * values[i]


@njit(cache=True, nogil=True, error_model="numpy")
def add_counts(counts, totals):
    """Add `counts` to `totals`; both have one number per resample."""
    for r in range(totals.size):
        totals[r] += np.int32(counts[r])


@njit(cache=True, nogil=True, error_model="numpy")
def _add_between(counts, value, before, low, high, totals):
    """Add `value` to `totals` for each of its draws that is number low, ..., high - 1 of the sorted draws.

    before : number of draws before this value; its draws are added
    """
    for r in range(totals.size):
        end = before[r] + np.int32(counts[r])
        totals[r] += np.float64(max(min(end, high[r]) - max(before[r], low[r]), 0)) * value
        before[r] = end


@njit(cache=True, nogil=True, error_model="numpy")
def _how_many(before, after, low, high):
    """Return the numbers of resamples with before < low, after > low, after > high, and after >= high."""
    early = reached = late = done = np.int32(0)
    for r in range(before.size):
        early += np.int32(before[r] < low[r])
        reached += np.int32(after[r] > low[r])
        late += np.int32(after[r] > high[r])
        done += np.int32(after[r] >= high[r])
    return early, reached, late, done


@njit(cache=True, nogil=True, error_model="numpy")
def _sums_between(counts, values, low, high, totals):
    """Fill `totals` with the sum of the sorted drawn scores number low, ..., high - 1 of each resample."""
    before, after = np.zeros(totals.size, np.int32), np.zeros(totals.size, np.int32)
    totals[:] = 0.0
    for begin in range(0, values.size, _STRETCH):
        first, last = np.uint64(begin), np.uint64(min(begin + _STRETCH, values.size))
        for i in range(first, last):
            add_counts(counts[i], after)
        early, reached, late, done = _how_many(before, after, low, high)
        if reached > 0 and early == 0 and late == 0:
            add_all_counted(counts[first:last], values[first:last], totals)
        elif reached > 0:
            for i in range(first, last):
                _add_between(counts[i], values[i], before, low, high, totals)
        if done == totals.size:
            break
        for r in range(before.size):
            before[r] = after[r]


@njit(cache=True, nogil=True, error_model="numpy")
def _mean_between(counts, values, masses, low, high):
    """Return the mean of the drawn scores between the fractions low and high of their total weight.

    Scores at the ends count in part. If low = high, return the quantile at this fraction: between two scores, their
    mean.
    """
    mass = 0.0
    for i in range(values.size):
        mass += np.float64(counts[i]) * masses[i]
    first, last, before, total = low * mass, high * mass, 0.0, 0.0
    slack, lower = 1e-12 * mass, np.nan
    for i in range(values.size):
        after = before + np.float64(counts[i]) * masses[i]
        if low == high and counts[i] > 0:
            if np.isnan(lower) and after >= first - slack:
                lower = values[i]
            if after > first + slack:
                return 0.5 * (lower + values[i])
        total += max(min(after, last) - max(before, first), 0.0) * values[i]
        before = after
    return lower if low == high else total / (last - first)


@njit(cache=True, nogil=True, error_model="numpy")
def sort_column(rows, column, ascending):
    """Sort a column of `rows` into `ascending` by Shell's method, which compiles ten times as fast as np.sort."""
    for i in range(ascending.size):
        ascending[i] = rows[i, column]
    gap = 1
    while gap < ascending.size // 9:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, ascending.size):
            value = ascending[i]
            place = i
            while place >= gap and ascending[place - gap] > value:
                ascending[place] = ascending[place - gap]
                place -= gap
            ascending[place] = value
        gap //= 3


@njit(cache=True, nogil=True, error_model="numpy")
def block_metrics(counts, drawn, means, values, recipe, found):
    """Fill `found`, float64[resamples, k], with the metrics of the first resamples of a block.

    counts : uint8[n, BLOCK] or uint32[n, BLOCK], how often each of the ascending `values` was drawn
    drawn : int64[BLOCK], number of scores drawn
    means : float64[M, BLOCK], mean of the scores drawn for each task
    recipe : see `surefoot.statistics.metrics.metric_catalogue.Recipe`
    """
    resamples, totals, numbers = found.shape[0], np.empty(BLOCK), np.empty(BLOCK)
    for k in range(recipe.kinds.size):
        kind, low, into = recipe.kinds[k], recipe.lows[k], found[:, k]
        masses = recipe.weights if recipe.weighted[k] else np.ones_like(values)
        if kind == TASK_MEAN:
            for r in range(resamples):
                total = 0.0
                for m in range(means.shape[0]):
                    total += means[m, r]
                into[r] = total / means.shape[0]
        elif kind == TASK_MEDIAN:
            lower, upper = (len(means) - 1) // 2, len(means) // 2
            ascending = np.empty(len(means))
            for r in range(resamples):
                sort_column(means, r, ascending)
                into[r] = 0.5 * (ascending[lower] + ascending[upper])
        elif kind in (CUT, LOWEST):
            first, last = np.zeros(BLOCK, np.int32), np.empty(BLOCK, np.int32)
            for r in range(BLOCK):
                first[r], last[r] = _cuts(kind, low, drawn[r])
                numbers[r] = last[r] - first[r]
            _sums_between(counts, values, first, last, totals)
            for r in range(resamples):
                into[r] = totals[r] / numbers[r]
        elif kind == TABLE:
            totals[:] = 0.0
            add_all_counted(counts, masses * recipe.tables[k], totals)
            for r in range(resamples):
                into[r] = totals[r] / (1.0 if recipe.weighted[k] else drawn[r])  # weights add up to 1
        else:
            for r in range(resamples):
                into[r] = _mean_between(counts[:, r].copy(), values, masses, low, recipe.highs[k])
        if kind == TABLE:
            start, end = recipe.tables[k, 0], recipe.tables[k, -1]
            least, greatest = min(start, end), max(start, end)
        else:
            least, greatest = values[0], values[-1]
        # The mean of equal scores may differ from each of them in the last digits.
        for r in range(resamples):
            into[r] = min(max(into[r], least), greatest)


@njit(cache=True, nogil=True, error_model="numpy")
def _cuts(kind, low, drawn):
    """Return the range of sorted drawn scores that a metric uses: the first index, and the index after the last one."""
    cut = np.int64(np.floor(low * drawn + SLACK))
    if kind == LOWEST:
        return 0, cut
    return (cut, drawn - cut) if cut < drawn - cut else ((drawn - 1) // 2, drawn // 2 + 1)


@njit(cache=True, nogil=True, error_model="numpy")
def fill_left_out_metrics(places, pool, values, recipe, found):
    """Fill `found`, float64[times, k], with the metrics after leaving out some scores.

    places : int64[times, scores], indices of the left-out scores in the pool; at most one per task
    pool : the scores, ranks, starts and sizes of a `ScorePool`
    values : the ascending scores of the pool
    """
    scores, ranks, starts, sizes = pool
    counts = np.ones((values.size, BLOCK), np.uint8)
    means, drawn = np.empty((sizes.size, BLOCK)), np.full(BLOCK, scores.size - places.shape[1])
    # The weights depend on the tasks that lack a score.
    together = 1 if recipe.weighted.any() else BLOCK
    for begin in range(0, places.shape[0], together):
        block = places[begin : begin + together]
        for r in range(block.shape[0]):
            for place in block[r]:
                counts[ranks[place], r] = 0
            for m in range(sizes.size):
                # Not computed by subtraction from the sum of all scores, which would be inaccurate if one score is
                # huge.
                total, left = 0.0, 0
                for i in range(starts[m], starts[m] + sizes[m]):
                    if counts[ranks[i], r] > 0:
                        total += scores[i]
                        left += 1
                means[m, r] = total / left
                for i in range(starts[m], starts[m] + sizes[m]):
                    recipe.weights[ranks[i]] = 1.0 / (sizes.size * left)
        block_metrics(counts, drawn, means, values, recipe, found[begin : begin + together])
        for r in range(block.shape[0]):
            for place in block[r]:
                counts[ranks[place], r] = 1
