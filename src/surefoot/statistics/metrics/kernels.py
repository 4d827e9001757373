"""Metrics of resampled scores from how often each score was drawn.

The scores are sorted once; resamples are columns of counts in that order, and metrics follow from a walk along the
rows, which takes the same few steps for all columns: the processor does several at a time. Where a metric needs the
mean of each task, the sums of the drawn scores come with it.
"""

import numpy as np
from numba import njit

from surefoot.statistics.metrics.catalogue import CUT, LOWEST, MIDDLE, SLACK, TABLE, TASK_MEAN, TASK_MEDIAN

BLOCK = 64
"""Resamples that are counted together."""
_STRETCH = 16
_FEW = 64


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def add_counted(counts, value, totals):
    """totals += counts * value for each resample; counts and totals, float64, [resamples] each."""
    for r in range(totals.size):
        totals[r] += np.float64(counts[r]) * value


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def add_all_counted(counts, values, totals):
    """totals += counts[i] * values[i] for each i in ascending order, as `add_counted` row by row.

    Four rows are taken at a time, so that a total is loaded and stored once for them.
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
        add_counted(counts[i], values[i], totals)


@njit(cache=True, nogil=True, error_model="numpy")
def add_counts(counts, totals):
    """totals += counts for each resample; counts and totals, int32, [resamples] each."""
    for r in range(totals.size):
        totals[r] += np.int32(counts[r])


@njit(cache=True, nogil=True, error_model="numpy", fastmath={"contract"})
def _add_between(counts, value, before, low, high, totals):
    """Add what `add_counted` adds, of the draws number low, ..., high - 1 alone, where this many were drawn before."""
    for r in range(totals.size):
        end = before[r] + np.int32(counts[r])
        totals[r] += np.float64(max(min(end, high[r]) - max(before[r], low[r]), 0)) * value
        before[r] = end


@njit(cache=True, nogil=True, error_model="numpy")
def _how_many(before, after, low, high):
    """In how many resamples a stretch of rows has draws before `low`, none after it, some from `high`, all from it."""
    early = reached = late = done = np.int32(0)
    for r in range(before.size):
        early += np.int32(before[r] < low[r])
        reached += np.int32(after[r] > low[r])
        late += np.int32(after[r] > high[r])
        done += np.int32(after[r] >= high[r])
    return early, reached, late, done


@njit(cache=True, nogil=True, error_model="numpy")
def _sums_between(counts, values, low, high, totals):
    """Sums of the drawn scores number low, ..., high - 1 of each resample, in ascending order, into totals."""
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
def _weighted_sums(counts, numbers, totals):
    """Sums of the drawn scores' numbers, float64[n], of each resample, into totals."""
    totals[:] = 0.0
    add_all_counted(counts, numbers, totals)


@njit(cache=True, nogil=True, error_model="numpy")
def _divide(totals, numbers, into):
    for r in range(into.size):
        into[r] = totals[r] / numbers[r]


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
def _count_below(values, others, after, below):
    """Add to `below` where the others are smaller or, if they come `after` the values, not greater."""
    for r in range(below.size):
        below[r] += np.int64(others[r] < values[r] or (after and others[r] == values[r]))


@njit(cache=True, nogil=True, error_model="numpy")
def _medians(values, medians):
    """Medians of the columns of `values`, float64[n, resamples]."""
    lower, upper = (len(values) - 1) // 2, len(values) // 2
    if len(values) > _FEW:
        for r in range(medians.size):
            ascending = np.sort(values[:, r].copy())
            medians[r] = 0.5 * (ascending[lower] + ascending[upper])
        return
    # Of few values it is faster to count those below each, without a branch, than to sort them.
    below, low, high = np.empty(medians.size, np.int64), np.empty(medians.size), np.empty(medians.size)
    for i in range(len(values)):
        below[:] = 0
        for j in range(i):
            _count_below(values[i], values[j], True, below)
        for j in range(i + 1, len(values)):
            _count_below(values[i], values[j], False, below)
        for r in range(below.size):
            low[r] = values[i, r] if below[r] == lower else low[r]
            high[r] = values[i, r] if below[r] == upper else high[r]
    for r in range(medians.size):
        medians[r] = 0.5 * (low[r] + high[r])


@njit(cache=True, nogil=True, error_model="numpy")
def block_metrics(counts, drawn, means, values, weights, recipe, found):
    """Metrics of the first resamples of a block into found, float64[resamples, k].

    counts : uint8[n, BLOCK] or uint32[n, BLOCK], how often each of the ascending `values` was drawn
    drawn : int64[BLOCK], number of scores drawn
    means : float64[M, BLOCK], mean of the scores drawn for each task
    weights : float64[n], of a score of each value where the weighting is by tasks
    recipe : see `surefoot.statistics.metrics.catalogue.Recipe`
    """
    resamples, totals, numbers = found.shape[0], np.empty(BLOCK), np.empty(BLOCK)
    for k in range(recipe.kinds.size):
        kind, low, into = recipe.kinds[k], recipe.lows[k], found[:, k]
        if kind == TASK_MEAN:
            for r in range(resamples):
                total = 0.0
                for m in range(means.shape[0]):
                    total += means[m, r]
                into[r] = total / means.shape[0]
        elif kind == TASK_MEDIAN:
            _medians(means, totals)
            for r in range(resamples):
                into[r] = totals[r]
        elif kind in (CUT, LOWEST):
            first, last = np.zeros(BLOCK, np.int32), np.empty(BLOCK, np.int32)
            for r in range(BLOCK):
                first[r], last[r] = _cuts(kind, low, drawn[r])
                numbers[r] = last[r] - first[r]
            _sums_between(counts, values, first, last, totals)
            _divide(totals, numbers, into)
        elif kind == TABLE and not recipe.weighted[k]:
            _weighted_sums(counts, recipe.tables[k], totals)
            for r in range(resamples):
                into[r] = totals[r] / drawn[r]
        elif kind == TABLE:
            counted = np.empty_like(weights)
            for i in range(weights.size):
                counted[i] = weights[i] * recipe.tables[k, i]
            _weighted_sums(counts, counted, totals)
            _weighted_sums(counts, weights, numbers)
            _divide(totals, numbers, into)
        else:
            high = low if kind == MIDDLE and recipe.weighted[k] else recipe.highs[k]
            masses = weights if recipe.weighted[k] else np.ones_like(weights)
            for r in range(resamples):
                into[r] = _mean_between(counts[:, r].copy(), values, masses, low, high)
        if kind == TABLE:
            start, end = recipe.tables[k, 0], recipe.tables[k, -1]
            least, greatest = min(start, end), max(start, end)
        else:
            least, greatest = values[0], values[-1]
        # A sum of equal scores, divided by their number, may miss them in its last digits.
        for r in range(resamples):
            into[r] = min(max(into[r], least), greatest)


@njit(cache=True, nogil=True, error_model="numpy")
def _cuts(kind, low, drawn):
    """The first of the drawn scores, in ascending order, that a metric takes, and the first that it no longer does."""
    cut = np.int64(np.floor(low * drawn + SLACK))
    if kind == LOWEST:
        return 0, cut
    return (cut, drawn - cut) if cut < drawn - cut else ((drawn - 1) // 2, drawn // 2 + 1)


@njit(cache=True, nogil=True, error_model="numpy")
def left_out_metrics(places, pool, values, recipe, found):
    """Metrics without some scores into found, float64[times, k].

    places : int64[times, scores], where the scores that are left out are in the pool; of a task one at most
    pool : `ScorePool`'s scores, ranks, starts, sizes; values : its values
    """
    scores, ranks, starts, sizes = pool
    counts, weights = np.ones((values.size, BLOCK), np.uint8), np.empty(values.size)
    means, drawn = np.empty((sizes.size, BLOCK)), np.full(BLOCK, scores.size - places.shape[1])
    # The weights depend on which tasks are one score short.
    together = 1 if recipe.weighted.any() else BLOCK
    for begin in range(0, places.shape[0], together):
        block = places[begin : begin + together]
        for r in range(block.shape[0]):
            for place in block[r]:
                counts[ranks[place], r] = 0
            for m in range(sizes.size):
                # Not taken from the sum of all: an enormous score would take the others with it.
                total, left = 0.0, 0
                for i in range(starts[m], starts[m] + sizes[m]):
                    if counts[ranks[i], r] > 0:
                        total += scores[i]
                        left += 1
                means[m, r] = total / left
                for i in range(starts[m], starts[m] + sizes[m]):
                    weights[ranks[i]] = 1.0 / (sizes.size * left)
        block_metrics(counts, drawn, means, values, weights, recipe, found[begin : begin + together])
        for r in range(block.shape[0]):
            for place in block[r]:
                counts[ranks[place], r] = 1
