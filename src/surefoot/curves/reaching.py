"""When learning curves reach a score: of runs that end without it only a lower bound is known."""

from typing import NamedTuple

import numpy as np

from surefoot.curves.lengths import RunCurve
from surefoot.statistics.arrays import Booleans, Floats


def first_reached(curve: RunCurve, score: float) -> tuple[float, bool]:
    """(first step whose score is at least this one, True), or (the last step, False) where there is none."""
    reached = np.flatnonzero(curve.scores >= score)
    return (float(curve.steps[reached[0]]), True) if reached.size else (float(curve.steps[-1]), False)


class Share(NamedTuple):
    """The share of runs that have reached a score, as a function of the step.

    steps : float64[points], ascending, those at which some run reached it
    share, low, high : float64[points], from each step on, with limits of that step alone
    """

    steps: Floats
    share: Floats
    low: Floats
    high: Floats

    def median(self) -> tuple[float, float, float]:
        """The step by which half of the runs have reached the score, and its limits; NaN where that is not seen.

        The limits are where those of the share cross a half (Brookmeyer and Crowley, Biometrics 38, 1982). As long as
        no run ends before, they are those of the sign test, which are exact.
        """
        found = (np.flatnonzero(share >= 0.5) for share in (self.share, self.high, self.low))
        value, low, high = (float(self.steps[places[0]]) if places.size else np.nan for places in found)
        return value, low, high


def share_reached(steps: Floats, reached: Booleans, confidence: float) -> Share:
    """The share of runs that have reached a score by each step (Kaplan and Meier, JASA 53, 1958).

    Up to the first run that ended without the score, limits are those of a share of all runs, which are exact (Clopper
    and Pearson, Biometrika 26, 1934); after it, Greenwood's on the scale log(-log), which are asymptotic. It assumes
    that when a run ends says nothing of when it would have reached the score: of runs that crash it is too high.

    Parameters
    ----------
    steps : float64[runs], when each run reached the score, or ended without
    reached : bool[runs]
    confidence : of the limits of a step
    """
    from scipy.special import ndtri

    runs = len(steps)
    at = np.unique(steps[reached])
    came = np.array([np.sum(reached & (steps == step)) for step in at], np.float64)
    at_risk = np.array([np.sum(steps >= step) for step in at], np.float64)
    left = np.cumprod(1.0 - came / at_risk)
    all_followed = np.array([not np.any(~reached & (steps < step)) for step in at], np.bool_)
    low, high = binomial_limits(np.cumsum(came), runs, confidence)
    if not all_followed.all():
        with np.errstate(divide="ignore", invalid="ignore"):
            deviation = np.sqrt(np.cumsum(came / (at_risk * (at_risk - came)))) / np.abs(np.log(left))
            z = ndtri(0.5 + confidence / 2.0)
            greenwood = [1.0 - left ** np.exp(sign * z * deviation) for sign in (-1.0, 1.0)]
        # Where nobody is left, the variance is not defined: the lower limit stays what it was, the upper one is 1.
        empty = left == 0.0
        low = np.where(all_followed, low, np.where(empty, np.nan, greenwood[0]))
        low = np.fmax.accumulate(low)
        high = np.where(all_followed, high, np.where(empty, 1.0, greenwood[1]))
    return Share(at, np.asarray(1.0 - left, np.float64), low, high)


def binomial_limits(successes: Floats, trials: int, confidence: float) -> tuple[Floats, Floats]:
    """Exact limits (low, high) of a probability, of each number of successes (Clopper and Pearson, 1934)."""
    from scipy.special import betaincinv

    tail = (1.0 - confidence) / 2.0
    failures = trials - successes
    # The beta distribution's parameters must be positive; where they are not, the limit is an end of [0, 1].
    low = np.where(successes > 0, betaincinv(np.maximum(successes, 1.0), failures + 1.0, tail), 0.0)
    high = np.where(failures > 0, betaincinv(successes + 1.0, np.maximum(failures, 1.0), 1.0 - tail), 1.0)
    return low, high
