"""Profiles of resampled scores from how often each score was drawn."""

import numpy as np
from numba import njit

from surefoot.statistics.resampling.kernels import BLOCK, draw_block


@njit(cache=True, nogil=True, error_model="numpy")
def profile_replicates(pool, draws, keys, first, unit, thresholds, positions, weights, average, found):
    """Profiles of replicates number first, ..., into found, float64[replicates, T]; first begins a block.

    positions : int64[T], number of the pooled scores that are at most each of the ascending thresholds
    weights : float64[n] of the pooled scores, or empty if all tasks have as many runs
    average : profiles of the tasks' means instead of the runs
    """
    replicates, points, scores = found.shape[0], thresholds.size, pool[0].size
    pooled = np.empty((BLOCK, 0 if average else scores), np.uint8)
    means, drawn = np.zeros((BLOCK, draws.size)), np.empty(BLOCK, np.int64)
    for begin in range(0, replicates, BLOCK):
        rows = min(BLOCK, replicates - begin)
        draw_block(pool, draws, keys, first + begin, unit, pooled[:rows], means[:rows], drawn[:rows], average)
        for r in range(rows):
            into = found[begin + r]
            if average:
                means[r].sort()
                _above(means[r], thresholds, into)
            elif weights.size == 0:
                end, total = scores, 0
                for t in range(points - 1, -1, -1):
                    for i in range(positions[t], end):
                        total += np.int64(pooled[r, i])
                    end = positions[t]
                    into[t] = total / drawn[r]
            else:
                end, mass = scores, 0.0
                for t in range(points - 1, -1, -1):
                    for i in range(positions[t], end):
                        mass += np.float64(pooled[r, i]) * weights[i]
                    end = positions[t]
                    into[t] = min(mass, 1.0)


@njit(cache=True, nogil=True, error_model="numpy")
def _above(ascending, thresholds, found):
    """Fraction of the ascending values above each of the ascending thresholds."""
    below = 0
    for t in range(thresholds.size):
        while below < ascending.size and ascending[below] <= thresholds[t]:
            below += 1
        found[t] = (ascending.size - below) / ascending.size
