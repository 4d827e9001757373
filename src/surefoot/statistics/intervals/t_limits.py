"""PBP-t's limits of the payoffs: Student's t intervals (Jordan et al. 2020, section 6.3 and appendix G).

as_published : takes the opponent's empirical distribution function for its true one, at level delta/(n m), and
    its limits may leave [0, 1].
corrected : adds the opponent's share of the variance (DeLong et al. 1988; with the degrees of freedom of
    Brunner and Munzel 2000), divides delta by the number of payoffs estimated, n (n-1) m, and cuts the limits at 0
    and 1. Its limits still have no width where every pair of runs falls the same way; PBP's do.
"""

import numpy as np
from scipy.special import stdtrit

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.game.percentile import payoffs, proportions_at_or_above, proportions_at_or_below
from surefoot.statistics.runs.samples import Samples


def t_limits(samples: Samples, delta: float, variant: str) -> tuple[Floats, Floats]:
    """PBP-t's limits (Z-, Z+), float64[n, m, n] each, meant to hold for all payoffs at once with probability 1 - delta.

    Exactly 0.5 where the two algorithms share a sample.

    Raises
    ------
    ValueError : a pair of algorithm and environment has a single run
    """
    refuse_single_runs(samples, "pbp_t")
    n, m = samples.sizes.shape
    z = payoffs(samples)
    variance = _percentile_variances(samples)
    degrees = np.broadcast_to((samples.sizes - 1.0)[:, :, None], z.shape)
    level = delta / (n * m)
    if variant == "corrected":
        other = _percentile_variances(samples, of_opponent=True)
        degrees = pooled_degrees(variance, other, degrees, np.swapaxes(degrees, 0, 2))
        variance = variance + other
        level = delta / (n * (n - 1) * m)
    half_width = np.sqrt(variance) * stdtrit(degrees, 1.0 - level / 2.0)
    low, high = z - half_width, z + half_width
    if variant == "corrected":
        low, high = np.maximum(low, 0.0), np.minimum(high, 1.0)
    return low, high


def refuse_single_runs(samples: Samples, method: str) -> None:
    """Raise a ValueError where a pair has a single run, which has no standard deviation."""
    single = [f"{samples.algorithms[i]} in {samples.environments[j]}" for i, j in np.argwhere(samples.sizes < 2)]
    if single:
        raise HintedError(
            method,
            f"{', '.join(single[:5])}: one run has no standard deviation",
            f"{method} needs two runs or more of each pair; pbp needs one",
        )


def _percentile_variances(samples: Samples, of_opponent: bool = False) -> Floats:
    """Variance of the mean percentile z_{i,j,k} from the spread of i's runs, or from that of the opponent k's.

    float64[n, m, n], 0 where the sample is shared.
    """
    n, m = samples.sizes.shape
    variance = np.zeros((n, m, n))
    for i, j, k in np.argwhere(~samples.shared()):
        x, y = samples.pair(i, j), samples.pair(k, j)
        if of_opponent:
            variance[i, j, k] = proportions_at_or_above(y, x).var(ddof=1) / y.size
        else:
            variance[i, j, k] = proportions_at_or_below(x, y).var(ddof=1) / x.size
    return variance


def pooled_degrees(variance: Floats, other: Floats, degrees: Floats, other_degrees: Floats) -> Floats:
    """Welch's and Satterthwaite's degrees of freedom of a sum of two estimated variances; 1 where both are 0."""
    total = (variance + other) ** 2
    parts = variance**2 / degrees + other**2 / other_degrees
    return np.divide(total, parts, out=np.ones_like(total), where=parts > 0)
