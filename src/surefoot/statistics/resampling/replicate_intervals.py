"""Intervals from bootstrap replicates (Agarwal et al. 2021, appendix A.5; Efron and Tibshirani 1993, chapters 13, 14).

With t the estimate, t*(q) the q-quantile of the replicates, interpolated linearly, and alpha = 1 - confidence:

percentile : t*(alpha/2), t*(1 - alpha/2)
basic : 2 t - t*(1 - alpha/2), 2 t - t*(alpha/2)
bc : t*(Phi(2 z0 + z)) for z the alpha/2 and 1 - alpha/2 quantiles of the normal distribution Phi, where Phi(z0) is the
    fraction of the replicates below t by more than rounding (see `ties`)
bca, bca_stratified : t*(Phi(z0 + (z0 + z) / (1 - a (z0 + z)))) with an acceleration a; see `jackknife`
normal : t - s z, t + s z with the replicates' standard deviation s
student : t - c s q, t + c s q, where c enlarges s to the unbiased standard error and q is the quantile of Student's
    distribution with the degrees of freedom that the runs leave; see `jackknife.spread_of_few_runs`. Not of the paper,
    and the one that holds its level with few runs per task (see `interval_remarks`)
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.choices import check_choice, check_confidence
from surefoot.statistics.ties import exceeds

if TYPE_CHECKING:
    from surefoot.statistics.resampling.jackknife import Spread

METHODS = ("percentile", "basic", "bc", "bca", "bca_stratified", "normal", "student")
ACCELERATED = ("bca", "bca_stratified")
COUNTED_TIES = ("strict", "half")


class NoIntervalError(HintedError):
    """A bc or bca interval that does not exist for these replicates."""


class Interval(NamedTuple):
    """Limits of an interval, and z0 and a of the methods that have them (else None)."""

    low: Floats
    high: Floats
    bias_correction: Floats | None = None
    acceleration: Floats | None = None


def interval(
    replicates: Floats,
    estimate: Floats | float | None,
    method: str = "percentile",
    confidence: float = 0.95,
    acceleration: Floats | float | None = None,
    ties: str = "strict",
    magnitude: float = 0.0,
    spread: "Spread | None" = None,
) -> Interval:
    """Interval of a statistic, or of several.

    Parameters
    ----------
    replicates : float64[B] or float64[B, ...]
    estimate : the statistic of the data, of the replicates' shape without the first axis; percentile needs none
    method : one of METHODS
    confidence : between 0 and 1
    acceleration : for bca and bca_stratified, of the estimate's shape
    ties : a replicate equal to the estimate but for rounding counts as not below it ("strict"), or as half below
        ("half", for statistics with few values), in z0
    magnitude : `ties.typical_magnitude` of the scores, whose rounding a statistic inherits that is smaller than they
        are, such as a difference from a target
    spread : for student, a `jackknife.Spread` of arrays of the estimate's shape

    Raises
    ------
    ValueError : an unknown method, no replicate, a confidence outside (0, 1), a missing estimate, acceleration or
        spread
    NoIntervalError : a bc or bca interval that does not exist, as all or no replicates are below the estimate or the
        acceleration is too great
    """
    check_choice("interval", method, METHODS)
    check_choice("interval", ties, COUNTED_TIES)
    replicates = np.asarray(replicates, np.float64)
    if replicates.shape[:1] in ((), (0,)):
        raise HintedError("interval", "0 replicates", "ask the bootstrap for at least 1, better 2000")
    check_confidence("interval", confidence)
    tails = np.array([(1.0 - confidence) / 2.0, (1.0 + confidence) / 2.0])
    if method == "percentile":
        low, high = np.quantile(replicates, tails, axis=0)
        return Interval(low, high)
    if estimate is None:
        raise HintedError("interval", f"{method} without an estimate", "the statistic of the data")
    if method in ("normal", "student"):
        if replicates.shape[0] < 2:
            raise HintedError("interval", f"{method} with 1 replicate", "a standard deviation needs at least 2")
        if method == "normal":
            reach = ndtri(tails[1])
        elif spread is None:
            raise HintedError("interval", "student without a spread", "`spread_of_few_runs` gives it")
        else:
            reach = spread.stretch * stdtrit(spread.degrees, tails[1])
        half_width = reach * replicates.std(axis=0, ddof=1)
        return Interval(estimate - half_width, estimate + half_width)
    if method == "basic":
        low, high = np.quantile(replicates, tails, axis=0)
        return Interval(2 * estimate - high, 2 * estimate - low)
    if method in ACCELERATED and acceleration is None:
        raise HintedError("interval", f"{method} without an acceleration", "`jackknife` gives it")
    accelerations = np.asarray(acceleration if method in ACCELERATED else 0.0, np.float64)
    return _corrected(replicates, np.asarray(estimate, np.float64), method, tails, accelerations, ties, magnitude)


def _corrected(
    replicates: Floats,
    estimate: Floats,
    method: str,
    tails: Floats,
    acceleration: Floats,
    ties: str,
    magnitude: float,
) -> Interval:
    scale = np.maximum(np.median(np.abs(replicates), axis=0), magnitude)
    below = np.mean(exceeds(estimate, replicates, scale), axis=0)
    if ties == "half":
        below = 0.5 * (1.0 + below - np.mean(exceeds(replicates, estimate, scale), axis=0))
    if np.any((below <= 0.0) | (below >= 1.0)):
        raise NoIntervalError(
            "interval",
            f"{method} is not available: {'all' if np.any(below >= 1) else 'no'} replicates are below the estimate",
            'take more replicates, `ties = "half"`, or the method percentile',
        )
    z0 = ndtri(below)
    moved = z0 + ndtri(tails).reshape(2, *[1] * z0.ndim)
    shrunk = 1.0 - acceleration * moved
    if np.any(shrunk <= 0.0):
        raise NoIntervalError(
            "interval",
            f"{method} is not available: its acceleration {float(np.max(np.abs(acceleration))):.3g} is too great",
            "take the method percentile, or more runs",
        )
    fractions = ndtr(z0 + moved / shrunk)
    flat, ends = replicates.reshape(len(replicates), -1), fractions.reshape(2, -1)
    limits = np.array([np.quantile(flat[:, i], ends[:, i]) for i in range(flat.shape[1])]).T
    low, high = limits.reshape(fractions.shape)
    return Interval(low, high, z0, acceleration if method in ACCELERATED else None)
