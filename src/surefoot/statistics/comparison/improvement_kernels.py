"""Probability of improvement of resampled runs, by counting."""

import numpy as np
from numba import njit

from surefoot.statistics.resampling.draws import SPARE, draw_indices
from surefoot.statistics.resampling.kernels import BLOCK


@njit(cache=True, nogil=True, error_model="numpy")
def improvement_replicates(places, x_sizes, y_sizes, x_keys, y_keys, first, found):
    """P(X > Y) of replicates number first, ..., into found, float64[replicates]; first begins a block.

    places : for x and for y, task after task, which of the task's distinct scores each run has, ascending
    """
    replicates, tasks = found.size, x_sizes.size
    x_indices = np.empty(BLOCK * x_sizes.max() + SPARE, np.uint32)
    y_indices = np.empty(BLOCK * y_sizes.max() + SPARE, np.uint32)
    wins = np.empty(x_sizes.max() + y_sizes.max(), np.uint32)
    found[:] = 0.0
    for begin in range(0, replicates, BLOCK):
        rows, block = min(BLOCK, replicates - begin), (first + begin) // BLOCK
        x_end = y_end = 0
        for m in range(tasks):
            n, k = x_sizes[m], y_sizes[m]
            x_end, y_end = x_end + n, y_end + k
            x, y = places[0][x_end - n : x_end], places[1][y_end - k : y_end]
            groups = np.int64(max(x[n - 1], y[k - 1])) + 1
            draw_indices(x_keys[m], block, n, rows * n, x_indices)
            draw_indices(y_keys[m], block, k, rows * k, y_indices)
            for r in range(rows):
                pairs = _twice_wins(x, y, x_indices[r * n : r * n + n], y_indices[r * k : r * k + k], wins[:groups])
                found[begin + r] += pairs / (2.0 * n * k)
    found /= tasks


@njit(cache=True, nogil=True, error_model="numpy")
def _twice_wins(x, y, x_drawn, y_drawn, wins):
    """Twice the number of pairs of drawn runs that x wins, ties counting half.

    wins : scratch; becomes what a run of x with each of the distinct scores has won
    """
    wins[:] = 0
    for index in y_drawn:
        wins[y[index]] += np.uint32(1)
    below = np.uint32(0)
    for g in range(wins.size):
        equal = wins[g]
        wins[g] = np.uint32(2) * below + equal
        below += equal
    pairs = np.int64(0)
    for index in x_drawn:
        pairs += np.int64(wins[x[index]])
    return pairs
