"""Performance percentiles and payoffs.

The performance percentile of a score x against algorithm k in environment j is F_{k,j}(x), the proportion of k's
runs that score at most x (Jordan et al. 2020, section 4.1). The payoff z_{i,j,k} is its mean over the runs of
algorithm i. A tie counts fully, so z_{i,j,k} + z_{k,j,i} >= 1; an algorithm against its own sample has 0.5 by
definition.

Scores are compared here to the last bit; `Samples` hold those that are equal but for rounding as equal.
"""

import numpy as np
from numba import njit

from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.runs.samples import Samples


@njit(cache=True, nogil=True, error_model="numpy")
def counts_at_or_below(points: Floats, sample: Floats, counts: Integers) -> None:
    """For each of the ascending `points`, the number of values in the ascending `sample` that are not greater.

    Written to `counts`, int64[len(points)]; divided by len(sample) they are the performance percentiles.
    """
    below = 0
    for t in range(points.size):
        while below < sample.size and sample[below] <= points[t]:
            below += 1
        counts[t] = below


@njit(cache=True, nogil=True, error_model="numpy")
def _counts_below(points: Floats, sample: Floats, counts: Integers) -> None:
    """As `counts_at_or_below`, of values that are smaller."""
    below = 0
    for t in range(points.size):
        while below < sample.size and sample[below] < points[t]:
            below += 1
        counts[t] = below


def proportions_at_or_below(points: Floats, sample: Floats) -> Floats:
    """For each of the ascending `points`, the proportion of the ascending `sample` that is not greater."""
    counts = np.empty(points.size, np.int64)
    counts_at_or_below(points, sample, counts)
    return counts / sample.size


def proportions_at_or_above(points: Floats, sample: Floats) -> Floats:
    """For each of the ascending `points`, the proportion of the ascending `sample` that is not smaller."""
    counts = np.empty(points.size, np.int64)
    _counts_below(points, sample, counts)
    return 1.0 - counts / sample.size


@njit(cache=True, nogil=True, error_model="numpy")
def _pairs_at_or_below(points: Floats, sample: Floats) -> int:
    """Number of pairs (a point, a value of the sample) with the value not greater than the point."""
    below, pairs = 0, 0
    for t in range(points.size):
        while below < sample.size and sample[below] <= points[t]:
            below += 1
        pairs += below
    return pairs


def payoffs(samples: Samples) -> Floats:
    """Payoffs z, float64[n, m, n]: mean performance percentile of algorithm i against algorithm k in environment j.

    Exactly 0.5 where i and k share a sample (Jordan et al. 2020, section 4.2).
    """
    n, m = samples.sizes.shape
    shared = samples.shared()
    z = np.full((n, m, n), 0.5)
    for i, j, k in np.argwhere(~shared).tolist():
        x, y = samples.pair(i, j), samples.pair(k, j)
        z[i, j, k] = _pairs_at_or_below(x, y) / (x.size * y.size)
    return z
