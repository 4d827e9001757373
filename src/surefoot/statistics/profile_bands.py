"""Bands around curves from their bootstrap replicates, float64[replicates, points]."""

import numpy as np

from surefoot.statistics.interval_methods import interval


def pointwise_band(replicates, confidence: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Percentile limits (low, high) of each point on its own."""
    found = interval(replicates, None, "percentile", confidence)
    return found.low, found.high


def simultaneous_band(replicates, confidence: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Limits (low, high) of the whole curve at once.

    They are pointwise percentile limits of equal tails, the narrowest that contain the whole curve of the wanted
    fraction of the replicates (Montiel Olea and Plagborg-Moller, "Simultaneous confidence bands", Journal of Applied
    Econometrics 34, 2019, section 4: the quantile-based band). They keep the range of the curve.

    Raises
    ------
    ValueError : see `interval`
    """
    replicates = np.asarray(replicates, np.float64)
    interval(replicates, None, "percentile", confidence)  # refuses what it refuses
    count = len(replicates)
    extremes = np.full(count, count)
    ascending = np.sort(replicates, axis=0)
    for ordered, curve in zip(ascending.T, replicates.T, strict=True):
        at_most = np.searchsorted(ordered, curve, side="right")
        at_least = count - np.searchsorted(ordered, curve, side="left")
        np.minimum(extremes, np.minimum(at_most, at_least), out=extremes)
    # A curve whose most extreme point is the k-th from an end is inside if k - 1 are cut from either end.
    allowed = int(np.floor((1.0 - confidence) * count + 1e-9))
    cut = int(np.sort(extremes)[allowed]) - 1
    return ascending[cut], ascending[count - 1 - cut]
