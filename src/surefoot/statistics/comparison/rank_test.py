"""The one-sided rank test of two samples (Mann and Whitney 1947), exact for few runs, ties included.

Scores that differ by rounding alone are ties (see `ties`)."""

import math

import numpy as np

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.ties import score_places

_MOST_EXACT = 40  # runs of both together; beyond, the normal distribution is near enough


def rank_test(x: Floats, y: Floats) -> float:
    """p-value of the hypothesis that X is not greater than Y: the chance of a rank sum of x at least as great.

    Exact, given the ties, for up to 40 runs; beyond them by the normal distribution with continuity correction and the
    variance that the ties leave.

    Parameters
    ----------
    x, y : float64[N], float64[K], finite

    Raises
    ------
    ValueError : an empty sample
    """
    if len(x) == 0 or len(y) == 0:
        raise HintedError("rank_test", f"samples of {len(x)} and {len(y)} runs", "each needs one")
    doubled = _doubled_ranks(np.concatenate(score_places([x, y])))
    observed = int(doubled[: len(x)].sum())
    if len(doubled) <= _MOST_EXACT:
        return _exact(doubled, len(x), observed)
    return _normal(doubled, len(x), observed)


def _doubled_ranks(values: Floats) -> Integers:
    """Twice the mid-ranks, int64: whole numbers, ties included."""
    ordered = np.sort(values)
    return np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right") + 1


def _exact(doubled: Integers, chosen: int, observed: int) -> float:
    """Share of the subsets of `chosen` ranks whose sum is at least the observed one, counted by sums."""
    ways = np.zeros((chosen + 1, int(doubled.sum()) + 1))
    ways[0, 0] = 1.0
    for rank in doubled:
        ways[1:, rank:] += ways[:-1, :-rank].copy()
    return float(ways[chosen, observed:].sum() / math.comb(len(doubled), chosen))


def _normal(doubled: Integers, chosen: int, observed: int) -> float:
    total, other = len(doubled), len(doubled) - chosen
    ranks = doubled / 2.0
    variance = chosen * other / (total * (total - 1.0)) * ((ranks - ranks.mean()) ** 2).sum()
    if variance == 0.0:
        return 1.0
    z = (observed / 2.0 - chosen * (total + 1.0) / 2.0 - 0.5) / math.sqrt(variance)
    return 0.5 * math.erfc(z / math.sqrt(2.0))
