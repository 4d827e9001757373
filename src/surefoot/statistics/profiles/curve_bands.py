"""Bands around curves from their bootstrap replicates, float64[replicates, points]."""

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.resampling.replicate_intervals import interval

_FEW = 20  # runs of a task, up to which the shortfalls of `curve_remark` were measured
_FEWEST_STUDIED = 3


def pointwise_band(replicates: Floats, confidence: float = 0.95) -> tuple[Floats, Floats]:
    """Percentile limits (low, high) of each point on its own, as the paper and rliable have them.

    They are too narrow for few runs, and have no width where all replicates agree; `trust.profile_bands` and
    `trust.curve_bands` measure how often they hold.
    """
    found = interval(replicates, None, "percentile", confidence)
    return found.low, found.high


def simultaneous_curve_band(
    replicates: Floats, values: Floats, sizes: Integers | Sequence[int], confidence: float = 0.95, metric: str = "mean"
) -> tuple[Floats, Floats]:
    """Limits (low, high) of a whole curve at once, such as of sample efficiency; profiles have `profile_band`.

    They begin as pointwise percentile limits of equal tails, the narrowest that contain the whole curve of the wanted
    fraction of the replicates (Montiel Olea and Plagborg-Moller, "Simultaneous confidence bands", Journal of Applied
    Econometrics 34, 2019, section 4: the quantile-based band). These are too narrow for few runs, so that their
    distances from the curve are enlarged twice: as the standard errors of resamples, which have N - 1 of N runs a task,
    and from the normal distribution's quantile to Student's with sum(N - 1) degrees of freedom, since the errors are
    estimated. Where tasks differ, half of them decide an IQM and two a median, so these have as many fewer degrees. The
    limits may leave the range of the curve, such as 0 to 1 of a fraction.

    What they hold is measured by `trust.curve_bands`; see `curve_remark`.

    Parameters
    ----------
    replicates, values : float64[replicates, points] and float64[points], the curve
    sizes : int64[M], number of runs of each task
    metric : what the curve is of; its name

    Raises
    ------
    ValueError : see `interval`
    """
    values, sizes = np.asarray(values, np.float64), np.asarray(sizes, np.float64)
    low, high, tail = _holding_limits(replicates, confidence)
    several = sizes[sizes > 1]
    if several.size == 0:
        return low, high
    stretch = np.sqrt(np.mean(several / (several - 1.0)))
    if tail < 0.5:
        degrees = max(np.sum(several - 1.0) * _deciding(metric, sizes.size), 1.0)
        stretch *= stdtrit(degrees, 1.0 - tail) / ndtri(1.0 - tail)
    return np.minimum(low, values - stretch * (values - low)), np.maximum(high, values + stretch * (high - values))


def simultaneous_difference_bands(
    replicates: Sequence[Floats],
    values: Sequence[Floats],
    sizes: Sequence[Sequence[int]],
    confidence: float = 0.95,
    metric: str = "mean",
) -> list[tuple[Floats, Floats]]:
    """Limits (low, high) of several curves at once, such as all differences between algorithms.

    As many standard errors to either side as the wanted fraction of the replicates stays within, at all points of all
    curves (Montiel Olea and Plagborg-Moller, section 4: the sup-t band), which takes far fewer replicates than limits
    by quantiles do. These are enlarged for few runs as those of `simultaneous_curve_band` are.

    Parameters
    ----------
    replicates, values : of each curve, float64[replicates, points] and float64[points]; a row of all curves is of the
        same resample
    sizes : of each curve, the numbers of runs of the tasks that the errors are estimated from
    metric : what the curves are of; its name

    Raises
    ------
    ValueError : see `interval`
    """
    deviations = [drawn.std(axis=0, ddof=1) for drawn in replicates]
    extremes = np.zeros(len(replicates[0]))
    for drawn, deviation in zip(replicates, deviations, strict=True):
        interval(drawn, None, "percentile", confidence)  # refuses what it refuses
        varies = deviation > 0.0
        if varies.any():
            off = np.abs(drawn - drawn.mean(axis=0))[:, varies] / deviation[varies]
            np.maximum(extremes, off.max(axis=1), out=extremes)
    errors = float(np.quantile(extremes, confidence, method="higher"))
    bands = []
    for value, deviation, counts in zip(values, deviations, sizes, strict=True):
        several = np.array([size for size in counts if size > 1], np.float64)
        width = errors * deviation
        if several.size:
            degrees = max(np.sum(several - 1.0) * _deciding(metric, len(counts)), 1.0)
            width = stdtrit(degrees, ndtr(errors)) * deviation * np.sqrt(np.mean(several / (several - 1.0)))
        bands.append((value - width, value + width))
    return bands


def _deciding(metric: str, tasks: int) -> float:
    """The share of the tasks whose scores decide a metric where they differ."""
    return {"iqm": 0.5, "median": min(2.0 / tasks, 1.0)}.get(metric, 1.0)


def curve_remark(runs: int, metric: str, band: str) -> str:
    """What readers of a 95 % band should know, from the metric and the fewest runs of any task; empty if nothing.

    The numbers are from `trust.curve_bands`.
    """
    if runs >= _FEW:
        return ""
    counted = f"{runs} {'run' if runs == 1 else 'runs'} of a task"
    if band == "pointwise":
        held = "percentile limits: nominal 95 % held a step in 84 to 98 %"
    else:
        held = f"nominal 95 % held the whole curve in {'89 to 100 %' if metric == 'median' else '89 to 96 %'}"
    fewer = "; those of fewer runs are far too narrow" if runs < _FEWEST_STUDIED else ""
    return f"{counted}, {held} of simulated studies of 3 to 10 runs{fewer}"


def _holding_limits(replicates: Floats, confidence: float) -> tuple[Floats, Floats, float]:
    """Limits (low, high) of equal tails that contain the wanted fraction of whole replicates, and the tail's mean."""
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
    return ascending[cut], ascending[count - 1 - cut], (cut + 1) / (count + 1)
