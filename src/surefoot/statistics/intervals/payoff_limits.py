"""Limits of the payoffs: how far the samples leave open what each mean performance percentile is, by PBP and by PBP-t.

PBP (Jordan et al. 2020, section 5 and appendix C) holds for any distributions: Dvoretzky-Kiefer-Wolfowitz bands around
the distribution functions of both algorithms, and Anderson's bound on the mean of one under the worst case of the
other. Two variants differ in the range of the scores, at whose ends the true distribution functions leave 0 and reach
1.

as_published : the range is that of the scores seen, of any algorithm in the environment. The published numbers were
    made so. Scores beyond what was seen void the guarantee.
corrected : no range is assumed: a percentile lies in [0, 1] whatever the scores do, so none is needed, and the
    guarantee holds.

PBP-t (section 6.3 and appendix G) takes Student's t of each payoff, also in two variants.

as_published : takes the opponent's empirical distribution function for its true one, at level delta/(n m), and
    its limits may leave [0, 1].
corrected : adds the opponent's share of the variance (DeLong et al. 1988; with the degrees of freedom of
    Brunner and Munzel 2000), divides delta by the number of payoffs estimated, n (n-1) m, and cuts the limits at 0
    and 1. Its limits still have no width where every pair of runs falls the same way; PBP's do.
"""

import numpy as np
from numba import njit
from scipy.special import stdtrit

from surefoot.statistics.arrays import Floats
from surefoot.statistics.game.percentile import (
    counts_at_or_below,
    payoffs,
    proportions_at_or_above,
    proportions_at_or_below,
)
from surefoot.statistics.intervals.catalogue import Options
from surefoot.statistics.intervals.distributions import band_half_width
from surefoot.statistics.runs.samples import Samples, score_range


def pbp(samples: Samples, options: Options, variant: str) -> tuple[Floats, Floats]:
    """PBP's limits (Z-, Z+), float64[n, m, n] each, which hold for all payoffs at once with probability
    1 - options.delta.

    Exactly 0.5 where the two algorithms share a sample.
    """
    n, m = samples.sizes.shape
    half_width = band_half_width(samples.sizes, options.delta / (n * m))
    low, high = np.full((n, m, n), 0.5), np.full((n, m, n), 0.5)
    for j in range(m):
        a, b = (-np.inf, np.inf) if variant == "corrected" else score_range(samples, j)
        for i, k in np.argwhere(~samples.shared()[:, j, :]):
            low[i, j, k], high[i, j, k] = _anderson_limits(
                samples.pair(i, j), samples.pair(k, j), half_width[i, j], half_width[k, j], a, b
            )
    return low, high


@njit(cache=True, nogil=True, error_model="numpy")
def _anderson_limits(x: Floats, y: Floats, eps_x: float, eps_y: float, a: float, b: float) -> tuple[float, float]:
    """Least and greatest E[F_y(X)] for distributions within eps_x and eps_y of the empirical ones, on [a, b].

    The least puts as much of X as its band allows at a, the greatest at b:
    Z- = F-(x_N) - sum_{t=0}^{N-1} (F-(x_{t+1}) - F-(x_t)) min(1, t/N + eps_x),  x_0 = a,
    Z+ = F+(x_{N+1}) - sum_{t=1}^{N} (F+(x_{t+1}) - F+(x_t)) max(0, t/N - eps_x),  x_{N+1} = b,
    with F-, F+ the band of y, which is 1 from b on. x and y are ascending samples.
    """
    counts = np.empty(x.size, np.int64)
    counts_at_or_below(x, y, counts)
    at_a = 0
    while at_a < y.size and y[at_a] <= a:
        at_a += 1
    f_low = 1.0 if a >= b else max(at_a / y.size - eps_y, 0.0)
    low, high, f_high = 0.0, 1.0, 0.0
    for t in range(x.size):
        f = counts[t] / y.size
        next_low = 1.0 if x[t] >= b else max(f - eps_y, 0.0)
        next_high = 1.0 if x[t] >= b else min(f + eps_y, 1.0)
        low -= (next_low - f_low) * min(1.0, t / x.size + eps_x)
        if t > 0:
            high -= (next_high - f_high) * max(0.0, t / x.size - eps_x)
        f_low, f_high = next_low, next_high
    high -= (1.0 - f_high) * max(0.0, 1.0 - eps_x)
    return low + f_low, high


def pbp_t(samples: Samples, options: Options, variant: str) -> tuple[Floats, Floats]:
    """PBP-t's limits (Z-, Z+), float64[n, m, n] each, meant to hold for all payoffs at once with probability
    1 - options.delta.

    Exactly 0.5 where the two algorithms share a sample.
    """
    n, m = samples.sizes.shape
    z = payoffs(samples)
    variance = _percentile_variances(samples)
    degrees = np.broadcast_to((samples.sizes - 1.0)[:, :, None], z.shape)
    level = options.delta / (n * m)
    if variant == "corrected":
        other = _percentile_variances(samples, of_opponent=True)
        degrees = pooled_degrees(variance, other, degrees, np.swapaxes(degrees, 0, 2))
        variance = variance + other
        level = options.delta / (n * (n - 1) * m)
    half_width = np.sqrt(variance) * stdtrit(degrees, 1.0 - level / 2.0)
    low, high = z - half_width, z + half_width
    if variant == "corrected":
        low, high = np.maximum(low, 0.0), np.minimum(high, 1.0)
    return low, high


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
