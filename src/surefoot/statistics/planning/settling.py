"""How many runs of both algorithms would settle a difference that these runs leave open, and how well they tell that.

With K runs of each task instead of N, a true difference that is c standard errors of now is c sqrt(K / N) standard
errors, with (degrees + 2) (K + 1) / (N + 1) - 2 degrees of freedom where now there are `degrees` (for one task, from
N - 1 to K - 1 for each side). The interval then leaves 0 out, on the right side, with the probability that Student's
noncentral t with this noncentrality exceeds the quantile of the interval. K is the smallest whole number for which that
is 80 %, but for a c of 0, for which no number is enough.

K is that of the difference as it was found. Since K goes as 1 / c^2, it is poorly known: its band is that of the c
with which a difference as large as the one found, in standard errors, has a probability of 10 % from above and from
below (as Steiger and Fouladi do, in "What if there were no significance tests?", 1997). It has no upper end where c
may be 0. With pilots of 3, 5 and 10 runs of 1, 5 and 26 tasks with normal scores, the median of K was 0.91 to 1.00
times the number that is needed, and the band held that number in 80 to 89 %.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import nctdtr, stdtrit

from surefoot.statistics.arrays import Floats

POWER = 0.8
"""The probability with which the number of runs settles the difference."""
BAND = 0.8
"""The confidence of the band."""
MOST_RUNS = 10_000
"""More are infinitely many."""
_HALVINGS = 60
_FARTHEST = 37.0


class RunsToSettle(NamedTuple):
    """Runs of each task, whole numbers as float64[pairs], infinite where `MOST_RUNS` are not enough: for the difference
    as it was found, and the ends of the band."""

    runs: Floats
    low: Floats
    high: Floats


def runs_to_settle(
    values: npt.ArrayLike, errors: npt.ArrayLike, degrees: npt.ArrayLike, runs: int, level: float
) -> RunsToSettle:
    """How many runs of each task would settle differences.

    Parameters
    ----------
    values, errors, degrees : float64[pairs], differences, their standard errors, and their degrees of freedom
    runs : of each task now, at least 2; where numbers differ, the fewest
    level : the probability of each interval on one side, such as 0.975
    """
    size, error, freedom = np.broadcast_arrays(np.abs(np.asarray(values, np.float64)), errors, degrees)
    certain = error <= 0.0
    found = np.where(certain, 0.0, size / np.where(certain, 1.0, error))
    tail = (1.0 - BAND) / 2.0
    low, high = (noncentrality(freedom, found, one) for one in (1.0 - tail, tail))
    ends = [_smallest(np.where(certain & (size > 0), np.inf, one), freedom, runs, level) for one in (found, high, low)]
    return RunsToSettle(*ends)


def noncentrality(degrees: Floats, found: Floats, probability: float) -> Floats:
    """Where t is at most the one found with this probability; at least 0."""
    low, high = np.zeros(found.shape), 2.0 * found + _FARTHEST
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        above = nctdtr(degrees, middle, found) > probability
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return low


def _smallest(noncentrality: Floats, degrees: Floats, runs: int, level: float) -> Floats:
    """The smallest whole number of runs that is enough, by halving, as the probability grows with it."""
    low, high = np.full(noncentrality.shape, 1), np.full(noncentrality.shape, MOST_RUNS + 1)
    while (high - low > 1).any():
        middle = np.maximum((low + high) // 2, 2)
        of_middle = np.maximum((degrees + 2.0) * (middle + 1.0) / (runs + 1.0) - 2.0, 1.0)
        # The noncentral distribution cannot be computed far out, where the probability is 1.
        center = np.minimum(noncentrality * np.sqrt(middle / runs), _FARTHEST)
        enough = 1.0 - nctdtr(of_middle, center, stdtrit(of_middle, level)) >= POWER
        enough |= noncentrality * np.sqrt(middle / runs) > 20.0 * stdtrit(of_middle, level)
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
        high = np.where(enough & (middle == 2), 2, high)
        low = np.where(high == 2, 1, low)
    return np.where(high > MOST_RUNS, np.inf, high.astype(np.float64))
