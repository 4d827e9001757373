"""Limits of the payoffs by Student's t: of each payoff (PBP-t), or of the largest t of all payoffs (max-t).

PBP-t (Jordan et al. 2020, section 6.3 and appendix G) has two variants.

as_published : takes the opponent's empirical distribution function for its true one, at level delta/(n m), and
    its limits may leave [0, 1].
corrected : adds the opponent's share of the variance (DeLong et al. 1988; with the degrees of freedom of
    Brunner and Munzel 2000), divides delta by the number of payoffs estimated, n (n-1) m, and cuts the limits at 0
    and 1. Its limits still have no width where every pair of runs falls the same way; PBP's do.

Max-t takes simultaneous limits from the largest of the studentised errors, which uses their correlation. A payoff is a
two-sample U-statistic. To first order its error is a sum over runs (Hajek's projection): run x of algorithm i adds to
payoff (i, k) the proportion of k's runs that score at most x, and to payoff (k, i) the proportion that score at least
x. These parts are multiplied with independent normal numbers, one a run (the Gaussian multiplier bootstrap:
Chernozhukov, Chetverikov and Kato 2013), and the quantile 1 - delta of the largest |error| / standard error over all
payoffs of all environments is the critical value. Given the runs, the sums are normal with the covariances of the
parts, so they are drawn from those, at a cost that does not grow with the number of runs.

The critical value is that of a normal maximum. It is carried over to few runs by its level for a single payoff:
each limit is Student's t limit at that level, with the degrees of freedom of Brunner and Munzel (2000). So the limits
are those of PBP-t's corrected variant at a level that the correlation of the payoffs allows, instead of
Bonferroni's; the same idea as Konietschke, Hothorn and Brunner (2012).

The limits hold asymptotically. A payoff whose runs all fall the same way has no spread to studentise with; it gets the
limits of `surefoot.statistics.intervals.payoff_limits`, at Bonferroni's level.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri, stdtrit

from surefoot.statistics.arrays import Floats
from surefoot.statistics.game.percentile import payoffs, proportions_at_or_above, proportions_at_or_below
from surefoot.statistics.intervals.catalogue import Options
from surefoot.statistics.intervals.payoff_limits import lower_limits
from surefoot.statistics.runs.samples import Samples
from surefoot.streams import open_uniforms, stream_key


def pbp_t(samples: Samples, options: Options, variant: str) -> tuple[Floats, Floats]:
    """Limits of the payoffs for `surefoot.statistics.intervals.estimation.estimate`."""
    return t_limits(samples, options.delta, variant)


def pbp_max_t(samples: Samples, options: Options, variant: str) -> tuple[Floats, Floats]:
    """Limits of the payoffs for `surefoot.statistics.intervals.estimation.estimate`; there is only "corrected"."""
    return max_t_limits(samples, options.delta, options.seed, options.replicates)


def t_limits(samples: Samples, delta: float, variant: str) -> tuple[Floats, Floats]:
    """PBP-t's limits (Z-, Z+), float64[n, m, n] each, meant to hold for all payoffs at once with probability 1 - delta.

    Exactly 0.5 where the two algorithms share a sample.
    """
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


_RANK_TOLERANCE = 1e-12


def max_t_limits(samples: Samples, delta: float, seed: int, replicates: int) -> tuple[Floats, Floats]:
    """Limits (Z-, Z+), float64[n, m, n] each, meant to hold for all payoffs at once with probability 1 - delta.

    Exactly 0.5 where the two algorithms share a sample.
    """
    z, apart = payoffs(samples), ~samples.shared()
    low, high = z.copy(), z.copy()
    if not apart.any():
        return low, high
    error, degrees, largest = _studentise(samples, seed, replicates)
    bonferroni = delta / samples.ordered_pairs()
    level = max(2.0 * ndtr(-np.quantile(largest, 1.0 - delta, method="higher")), bonferroni)
    half_width = error * stdtrit(degrees, 1.0 - level / 2.0)
    low, high = np.maximum(z - half_width, 0.0), np.minimum(z + half_width, 1.0)
    flat = apart & (error == 0)
    blocks = np.minimum(samples.sizes[:, :, None], samples.sizes.T[None, :, :])
    low[flat] = lower_limits(z[flat], blocks[flat], bonferroni / 2.0)
    high[flat] = 1.0 - lower_limits(1.0 - z[flat], blocks[flat], bonferroni / 2.0)
    return low, high


def _studentise(samples: Samples, seed: int, replicates: int) -> tuple[Floats, Floats, Floats]:
    """Standard errors and degrees of freedom, float64[n, m, n], and the largest |t|, float64[replicates]."""
    n, m = samples.sizes.shape
    error, degrees, largest = np.zeros((n, m, n)), np.ones((n, m, n)), np.zeros(replicates)
    distinct, shared = samples.distinct_cells(), samples.shared()
    for j in range(m):
        members = np.flatnonzero(distinct[:, j])
        if members.size < 2:
            continue
        own, other, covariance = _covariances([samples.pair(int(i), j) for i in members])
        less_one = samples.sizes[members, j] - 1.0
        deviation = np.sqrt(own + other)
        names = [f"{samples.algorithms[i]}/{samples.algorithms[k]}" for i in members for k in members]
        keys = np.array([stream_key(seed, "max_t", samples.environments[j], name) for name in names])
        np.maximum(largest, _largest_t(covariance, deviation.ravel(), keys, replicates), out=largest)
        place = shared[:, j, :][:, members].argmax(axis=1)
        error[:, j, :] = deviation[np.ix_(place, place)]
        freedom = pooled_degrees(own, other, less_one[:, None], less_one[None, :])
        degrees[:, j, :] = freedom[np.ix_(place, place)]
    return error, degrees, largest


def _covariances(ascending: Sequence[Floats]) -> tuple[Floats, Floats, Floats]:
    """Variances of the payoffs of d samples from their own runs and the opponents', and the covariances of all.

    Returns
    -------
    (own, other, covariance) : float64[d, d] twice, 0 on the diagonal, and float64[d d, d d]
    """
    d = len(ascending)
    own, other, covariance = np.zeros((d, d)), np.zeros((d, d)), np.zeros((d * d, d * d))
    for a, x in enumerate(ascending):
        opponents = [k for k in range(d) if k != a]
        parts = [proportions_at_or_below(x, ascending[k]) for k in opponents]
        parts += [proportions_at_or_above(x, ascending[k]) for k in opponents]
        of_mean = np.cov(np.array(parts)) / x.size
        variance = np.diag(of_mean).clip(min=0.0)
        own[a, opponents], other[opponents, a] = variance[: d - 1], variance[d - 1 :]
        places = [a * d + k for k in opponents] + [k * d + a for k in opponents]
        covariance[np.ix_(places, places)] += of_mean
    return own, other, covariance


def _largest_t(covariance: Floats, deviation: Floats, keys: npt.NDArray[np.uint64], replicates: int) -> Floats:
    """Largest |t| of normal errors with these covariances, float64[replicates].

    The symmetric root is the same whatever the order of the payoffs.
    """
    spread = np.flatnonzero(deviation > 0)
    if spread.size == 0:
        return np.zeros(replicates)
    correlation = covariance[np.ix_(spread, spread)] / np.outer(deviation[spread], deviation[spread])
    values, vectors = np.linalg.eigh(correlation)
    roots = np.sqrt(np.where(values > _RANK_TOLERANCE * values[-1], values, 0.0))
    drawn = np.array([open_uniforms(key, 0, replicates) for key in keys[spread]])
    return np.abs((vectors * roots) @ (vectors.T @ ndtri(drawn))).max(axis=0)
