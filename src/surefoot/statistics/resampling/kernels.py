"""Counting kernels of the bootstrap: which runs a block of replicates draws."""

import numpy as np
from numba import njit

from surefoot.statistics.metrics.kernels import counted_sum, row_metrics
from surefoot.statistics.resampling.draws import SPARE, draw_indices

BLOCK = 32
RUNS, WHOLE_RUNS, TASKS_AND_RUNS = range(3)


@njit(cache=True, nogil=True, error_model="numpy")
def _count(ranks, indices, pooled, row, draws, place, start):
    """Enter draws of one task, indices[place : place + draws], into the pooled counts of the row."""
    for t in range(np.uint64(place), np.uint64(place + draws)):
        pooled[row, ranks[np.uint64(start) + indices[t]]] += np.uint8(1)


@njit(cache=True, nogil=True, error_model="numpy")
def _counted_task_sum(scores, ranks, pooled, row, start, size, own):
    """Sum of the scores drawn of a task that is drawn once, from the pooled counts of the row.

    own : counters[at least runs of the task], scratch
    """
    first = np.uint64(start)
    for i in range(np.uint64(size)):
        own[i] = pooled[row, ranks[first + i]]
    return counted_sum(own, scores, start, size)


@njit(cache=True, nogil=True, error_model="numpy")
def _task_sum(scores, ranks, indices, pooled, row, draws, place, start, size, own):
    """Sum of the scores drawn; they are entered into the pooled counts, where there are any, as `_count` does.

    own : counters[at least runs of the task], scratch
    """
    for i in range(np.uint64(size)):
        own[i] = 0
    for t in range(np.uint64(place), np.uint64(place + draws)):
        own[indices[t]] += np.uint8(1)
    first = np.uint64(start)
    if pooled.shape[1] > 0:
        for i in range(np.uint64(size)):
            pooled[row, ranks[first + i]] += own[i]
    return counted_sum(own, scores, start, size)


@njit(cache=True, nogil=True, error_model="numpy")
def draw_block(pool, draws, keys, first, unit, pooled, means, drawn, needs_means):
    """Draw replicates number first, ..., first + rows - 1, of one block.

    pool : `ScorePool`'s scores, ranks, starts, sizes
    draws : int64[M], runs to draw of each task (for TASKS_AND_RUNS as many as there are)
    keys : uint64[M, 4], of each task (WHOLE_RUNS: all tasks use the first) or, for TASKS_AND_RUNS, of each slot
    pooled : counters[rows, n] or, if counts are not needed, counters[rows, 0]; counters are uint8, or uint32 where
        many more runs may be drawn than there are (see `stratified_bootstrap.counter_type`)
    means : float64[rows, M], means of the scores drawn, if needed
    drawn : int64[rows], number of scores drawn
    """
    scores, ranks, starts, sizes = pool
    rows, block = drawn.size, first // BLOCK
    indices = np.empty(rows * max(draws.max(), 1) + SPARE, np.uint32)
    labels = np.empty(rows + SPARE, np.uint32)
    own = np.empty(sizes.max(), pooled.dtype)
    counts_first = pooled.shape[1] > 0 and unit != TASKS_AND_RUNS
    equal = sizes.min() == sizes.max()
    pooled[:] = 0
    drawn[:] = 0
    for m in range(sizes.size):
        if unit == RUNS or (unit == WHOLE_RUNS and m == 0):
            draw_indices(keys[m], block, sizes[m], rows * draws[m], indices)
        elif unit == TASKS_AND_RUNS:
            draw_indices(keys[m], 2 * block, sizes.size, rows, labels)
            if equal:
                draw_indices(keys[m], 2 * block + 1, sizes[m], rows * draws[m], indices)
        for r in range(rows):
            task, place = m, r * draws[m]
            if unit == TASKS_AND_RUNS:
                task = np.int64(labels[r])
                if not equal:
                    place = 0
                    draw_indices(keys[m], 2 * (first + r) + 1, sizes[task], draws[task], indices)
            if counts_first or not needs_means:
                _count(ranks, indices, pooled, r, draws[task], place, starts[task])
            if needs_means:
                if counts_first:
                    total = _counted_task_sum(scores, ranks, pooled, r, starts[task], sizes[task], own)
                else:
                    total = _task_sum(
                        scores, ranks, indices, pooled, r, draws[task], place, starts[task], sizes[task], own
                    )
                means[r, m] = total / draws[task]
            drawn[r] += draws[task]


@njit(cache=True, nogil=True, error_model="numpy")
def metric_replicates(pool, draws, keys, first, unit, values, weights, recipe, needs_means, pooled, found):
    """Metrics of replicates number first, ..., into found, float64[replicates, k]; first begins a block.

    pooled : scratch, counters[BLOCK, n] or, if the recipe needs no counts, counters[BLOCK, 0]; see `draw_block`
    """
    replicates, tasks = found.shape[0], draws.size
    means, drawn = np.zeros((BLOCK, tasks)), np.empty(BLOCK, np.int64)
    for begin in range(0, replicates, BLOCK):
        rows = min(BLOCK, replicates - begin)
        draw_block(pool, draws, keys, first + begin, unit, pooled[:rows], means[:rows], drawn[:rows], needs_means)
        for r in range(rows):
            row_metrics(pooled[r], drawn[r], means[r], values, weights, recipe, found[begin + r])
