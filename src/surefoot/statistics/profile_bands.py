"""Bands around curves from their bootstrap replicates, float64[replicates, points]."""

import numpy as np

from surefoot.statistics.interval_methods import interval

_FEW = 6


def pointwise_band(replicates, confidence: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Percentile limits (low, high) of each point on its own."""
    found = interval(replicates, None, "percentile", confidence)
    return found.low, found.high


def whole_profile_band(replicates, values, kind: str, sizes, confidence: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Limits (low, high) of a whole profile at once, of run scores (`simultaneous_profile_band`) or of average scores
    (`simultaneous_band`).

    Parameters
    ----------
    replicates, values, sizes : see `simultaneous_profile_band`
    kind : "run_scores" or "average_scores"
    """
    if kind == "average_scores":
        return simultaneous_band(replicates, confidence)
    return simultaneous_profile_band(replicates, values, sizes, confidence)


def simultaneous_profile_band(replicates, values, sizes, confidence: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Limits (low, high) of a whole run-score profile at once.

    A sup-t band (Montiel Olea and Plagborg-Moller 2019, as below): at each threshold the same number of standard
    errors, so many that the wanted fraction of the replicates stays within. It is made on the scale of the arcsine of
    the square root of the fraction (Anscombe, Biometrika 35, 1948), where the variance hardly depends on the fraction.
    Two things are added, without which the band is too narrow. Standard errors of resamples, which have N - 1 of N runs
    a task, are enlarged accordingly. Where fewer than six runs are above or below, resampling knows little of them, and
    the standard error is at least the binomial 1 / (2 sqrt(n)).

    Parameters
    ----------
    replicates, values : float64[replicates, T] and float64[T], the profile
    sizes : int64[M], number of runs of each task

    Raises
    ------
    ValueError : see `interval`
    """
    replicates, values, sizes = (np.asarray(x, np.float64) for x in (replicates, values, sizes))
    interval(replicates, None, "percentile", confidence)  # refuses what it refuses
    runs, several = sizes.sum(), sizes[sizes > 1]

    def scaled(fraction):
        return np.arcsin(np.sqrt((fraction * runs + 0.375) / (runs + 0.75)))

    drawn, middle = scaled(replicates), scaled(values)
    few = np.minimum(values, 1.0 - values) * runs < _FEW
    error = np.maximum(drawn.std(axis=0), np.where(few, 0.5 / np.sqrt(runs + 0.5), 1e-12))
    reach = np.quantile((np.abs(drawn - middle) / error).max(axis=1), confidence)
    reach *= np.sqrt(np.mean(several / (several - 1.0))) if several.size else 1.0
    ends = [np.sin(np.clip(middle + side * reach * error, 0.0, np.pi / 2)) ** 2 for side in (-1.0, 1.0)]
    low, high = (np.clip((end * (runs + 0.75) - 0.375) / runs, 0.0, 1.0) for end in ends)
    return np.minimum(low, values), np.maximum(high, values)


def simultaneous_band(replicates, confidence: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Limits (low, high) of any whole curve at once; for profiles, `simultaneous_profile_band` is better.

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
