"""Counting kernels of the bootstrap: which runs a block of replicates draws."""

import numpy as np
from numba import njit

from surefoot.statistics.metrics.kernels import BLOCK, add_all_counted, block_metrics
from surefoot.statistics.resampling.counts import draw_counts
from surefoot.statistics.resampling.draws import add_draws
from surefoot.streams import below, next_integer, start_stream

RUNS, WHOLE_RUNS, TASKS_AND_RUNS = range(3)


@njit(cache=True, nogil=True, error_model="numpy")
def _enter(own, scores, ranks, start, size, pooled, totals):
    """Sums of the scores drawn of one task, from its counts, into totals; its counts into the pooled ones.

    Either is left out where its array is empty.
    """
    if totals.size > 0:
        totals[:] = 0.0
        add_all_counted(own[:size], scores[start : start + size], totals)
    if pooled.size > 0:
        for i in range(np.uint64(size)):
            _copy(own[i], pooled[ranks[np.uint64(start) + i]])


@njit(cache=True, nogil=True, error_model="numpy")
def _copy(counts, into):
    for r in range(into.size):
        into[r] = counts[r]


@njit(cache=True, nogil=True, error_model="numpy")
def _draw_tasks(pool, key, block, pooled, totals, drawn, own):
    """Draw a task and then its runs, for one slot of each replicate of a block; arrays as in `_enter`.

    own : counters[at least runs of any task], scratch
    """
    scores, ranks, starts, sizes = pool
    stream = np.empty(4, np.uint64)
    start_stream(key, block, stream)
    state = next_integer(stream)
    for r in range(drawn.size):
        task = below(stream, sizes.size)
        start, size = starts[task], sizes[task]
        own[:size] = 0
        state = add_draws(state, size, size, own)
        total = 0.0
        for i in range(size):
            total += np.float64(own[i]) * scores[start + i]
            if pooled.size > 0:
                pooled[ranks[start + i], r] += own[i]
        if totals.size > 0:
            totals[r] = total / size
        drawn[r] += size


@njit(cache=True, nogil=True, error_model="numpy")
def draw_block(pool, draws, keys, block, unit, pooled, means, drawn):
    """Draw the replicates of one block.

    pool : `ScorePool`'s scores, ranks, starts, sizes
    draws : int64[M], runs to draw of each task (for TASKS_AND_RUNS as many as there are)
    keys : uint64[M, 4], of each task (WHOLE_RUNS: all tasks use the first) or, for TASKS_AND_RUNS, of each slot
    pooled : counters[n, BLOCK] or, if counts are not needed, counters[0, BLOCK]; counters are uint8, or uint32 where
        many more runs may be drawn than there are (see `stratified_bootstrap.counter_type`)
    means : float64[M, BLOCK], means of the scores drawn or, if they are not needed, float64[M, 0]
    drawn : int64[BLOCK], number of scores drawn
    """
    scores, ranks, starts, sizes = pool
    if unit == TASKS_AND_RUNS:
        pooled[:], drawn[:] = 0, 0
        own = np.empty(sizes.max(), pooled.dtype)
        for m in range(sizes.size):
            _draw_tasks(pool, keys[m], block, pooled, means[m], drawn, own)
        return
    counts = np.empty((sizes.max(), BLOCK), pooled.dtype)
    drawn[:] = draws.sum()
    for m in range(sizes.size):
        own = counts[: sizes[m]]
        if unit == RUNS or m == 0:
            draw_counts(keys[m], block, sizes[m], draws[m], own)
        _enter(own, scores, ranks, starts[m], sizes[m], pooled, means[m])
        for r in range(means.shape[1]):
            means[m, r] /= draws[m]


@njit(cache=True, nogil=True, error_model="numpy")
def metric_replicates(pool, draws, keys, first, unit, values, weights, recipe, pooled, means, found):
    """Metrics of replicates number first, ..., into found, float64[replicates, k]; first begins a block.

    pooled, means : scratch; those that the recipe does not need have no rows or columns, see `draw_block`
    """
    drawn = np.empty(BLOCK, np.int64)
    for begin in range(0, found.shape[0], BLOCK):
        draw_block(pool, draws, keys, (first + begin) // BLOCK, unit, pooled, means, drawn)
        block_metrics(pooled, drawn, means, values, weights, recipe, found[begin : begin + BLOCK])
