"""Profiles of resampled scores from how often each score was drawn."""

import numpy as np
from numba import njit

from surefoot.statistics.metrics.kernels import BLOCK, add_all_counted, add_counts
from surefoot.statistics.resampling.kernels import draw_block


@njit(cache=True, nogil=True, error_model="numpy")
def profile_replicates(pool, draws, keys, first, unit, thresholds, positions, weights, average, found):
    """Profiles of replicates number first, ..., into found, float64[replicates, T]; first begins a block.

    positions : int64[T], number of the pooled scores that are at most each of the ascending thresholds
    weights : float64[n] of the pooled scores, or empty if all tasks have as many runs
    average : profiles of the tasks' means instead of the runs
    """
    scores = pool[0].size
    pooled = np.empty((0 if average else scores, BLOCK), np.uint8)
    means, drawn = np.empty((draws.size, BLOCK if average else 0)), np.empty(BLOCK, np.int64)
    for begin in range(0, found.shape[0], BLOCK):
        into = found[begin : begin + BLOCK]
        draw_block(pool, draws, keys, (first + begin) // BLOCK, unit, pooled, means, drawn)
        if average:
            for r in range(into.shape[0]):
                _above(np.sort(means[:, r].copy()), thresholds, into[r])
        elif weights.size == 0:
            _fractions_above(pooled, positions, drawn, into)
        else:
            _masses_above(pooled, positions, weights, into)


@njit(cache=True, nogil=True, error_model="numpy")
def _fractions_above(pooled, positions, drawn, found):
    """Fractions of the scores drawn that come after each of the ascending positions, float64[replicates, T]."""
    totals, end = np.zeros(drawn.size, np.int32), len(pooled)
    for t in range(positions.size - 1, -1, -1):
        for i in range(np.uint64(positions[t]), np.uint64(end)):
            add_counts(pooled[i], totals)
        end = positions[t]
        for r in range(len(found)):
            found[r, t] = totals[r] / drawn[r]


@njit(cache=True, nogil=True, error_model="numpy")
def _masses_above(pooled, positions, weights, found):
    """As `_fractions_above`, of the scores' weights."""
    totals, end = np.zeros(BLOCK), len(pooled)
    for t in range(positions.size - 1, -1, -1):
        add_all_counted(pooled[positions[t] : end], weights[positions[t] : end], totals)
        end = positions[t]
        for r in range(len(found)):
            found[r, t] = min(totals[r], 1.0)


@njit(cache=True, nogil=True, error_model="numpy")
def _above(ascending, thresholds, found):
    """Fraction of the ascending values above each of the ascending thresholds."""
    below = 0
    for t in range(thresholds.size):
        while below < ascending.size and ascending[below] <= thresholds[t]:
            below += 1
        found[t] = (ascending.size - below) / ascending.size
