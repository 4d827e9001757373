"""When learning curves reach a score: of runs that end without it only a lower bound is known."""

from typing import NamedTuple

import numpy as np

from surefoot.curves.alignment import RunCurve
from surefoot.statistics.arrays import Booleans, Floats


def first_reached(curve: RunCurve, score: float) -> tuple[float, bool]:
    """(first step whose score is at least this one, True), or (the last step, False) where there is none."""
    reached = np.flatnonzero(curve.scores >= score)
    return (float(curve.steps[reached[0]]), True) if reached.size else (float(curve.steps[-1]), False)


class Share(NamedTuple):
    """The share of runs that have reached a score, as a function of the step.

    steps : float64[points], ascending: 0, those at which a run reached it or ended without, and the last one
    share, low, high : float64[points], from each step until the next, with limits of that step alone
    """

    steps: Floats
    share: Floats
    low: Floats
    high: Floats

    def median(self) -> tuple[float, float, float]:
        """The step by which half of the runs have reached the score, NaN if that is not seen, and its limits.

        The limits are where those of the share reach a half (Brookmeyer and Crowley, Biometrics 38, 1982), so that of
        runs that are all followed they are those of the sign test. The lower one is 0 where every earlier step is
        possible, as with up to five runs at 95 %, and the last step where half of the runs surely take longer; the
        upper one is NaN where every later step is possible.
        """
        found = (np.flatnonzero(share >= 0.5) for share in (self.share, self.high, self.low))
        value, low, high = (float(self.steps[places[0]]) if places.size else np.nan for places in found)
        return value, float(self.steps[-1]) if np.isnan(low) else low, high


def share_reached(steps: Floats, reached: Booleans, end: float, confidence: float) -> Share:
    """The share of runs that have reached a score by each step (Kaplan and Meier, JASA 53, 1958).

    The estimate assumes that when a run ends says nothing of when it would have reached the score: of runs that crash
    it is too high. The limits do not: they are those of a share of all runs, which are exact (Clopper and Pearson,
    Biometrika 26, 1934), as if runs that end without the score never reached it, for the lower limit, and as if they
    did as soon as nobody followed them, for the upper one.

    Parameters
    ----------
    steps : float64[runs], when each run reached the score, or ended without
    reached : bool[runs]
    end : the last step of the longest run
    confidence : of the limits of a step
    """
    at = np.unique(np.concatenate([[0.0], steps, [end]]))
    came = np.array([np.sum(reached & (steps == step)) for step in at], np.float64)
    at_risk = np.array([np.sum(steps >= step) for step in at], np.float64)
    left = np.cumprod(1.0 - came / np.maximum(at_risk, 1.0))
    # A run that ended at the last step had not reached the score by then, and nothing is said of later ones.
    ended = np.array(
        [np.sum(~reached & (steps <= step)) if step < end else np.sum(~reached & (steps < end)) for step in at]
    )
    least = np.cumsum(came)
    low, _ = binomial_limits(least, len(steps), confidence)
    _, high = binomial_limits(least + ended, len(steps), confidence)
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
