"""Probability of improvement of resampled runs, by counting."""

import numpy as np
from numba import njit

from surefoot.statistics.metrics.kernels import BLOCK, add_counts
from surefoot.statistics.resampling.counts import draw_counts


@njit(cache=True, nogil=True, error_model="numpy")
def improvement_replicates(places, x_sizes, y_sizes, x_keys, y_keys, first, found):
    """P(X > Y) of replicates number first, ..., into found, float64[replicates]; first begins a block.

    places : for x and for y, task after task, which of the task's distinct scores each run has, ascending
    """
    tasks = x_sizes.size
    x_counts = np.empty((x_sizes.max(), BLOCK), np.uint8)
    y_counts = np.empty((y_sizes.max(), BLOCK), np.uint8)
    wins = np.empty(BLOCK)
    found[:] = 0.0
    for begin in range(0, found.size, BLOCK):
        block, into = (first + begin) // BLOCK, found[begin : begin + BLOCK]
        x_end = y_end = 0
        for m in range(tasks):
            n, k = x_sizes[m], y_sizes[m]
            x_end, y_end = x_end + n, y_end + k
            draw_counts(x_keys[m], block, n, n, x_counts[:n])
            draw_counts(y_keys[m], block, k, k, y_counts[:k])
            _twice_wins(places[0][x_end - n : x_end], places[1][y_end - k : y_end], x_counts, y_counts, wins)
            for r in range(into.size):
                into[r] += wins[r] / (2.0 * n * k)
    found /= tasks


@njit(cache=True, nogil=True, error_model="numpy")
def _twice_wins(x, y, x_counts, y_counts, wins):
    """Twice the number of pairs of drawn runs that x wins, ties counting half, into wins, float64[BLOCK]."""
    below, equal = np.zeros(wins.size, np.int32), np.empty(wins.size, np.int32)
    wins[:] = 0.0
    seen = 0
    for run in range(x.size):
        while seen < y.size and y[seen] < x[run]:
            add_counts(y_counts[seen], below)
            seen += 1
        if run == 0 or x[run] != x[run - 1]:
            equal[:] = 0
            tied = seen
            while tied < y.size and y[tied] == x[run]:
                add_counts(y_counts[tied], equal)
                tied += 1
        _add_wins(x_counts[run], below, equal, wins)


@njit(cache=True, nogil=True, error_model="numpy")
def _add_wins(counts, below, equal, wins):
    for r in range(wins.size):
        wins[r] += np.float64(counts[r]) * np.float64(2 * below[r] + equal[r])
