"""Confidence limits for the payoffs (mean performance percentiles).

Performance bound propagation (PBP, Jordan et al. 2020, section 5 and appendix C) is valid for any distributions. It
combines Dvoretzky-Kiefer-Wolfowitz bands around the distribution functions of both algorithms with Anderson's bound on
a mean, in the worst case within both bands. Its two variants differ in the assumed range of the scores.

as_published : the range is the observed range of the scores of all algorithms in the environment, as for the published
    numbers. Possible scores outside this range void the guarantee.
corrected : no range is assumed. Since percentiles always lie in [0, 1], the guarantee holds.

PBP-t (section 6.3 and appendix G) uses Student's t for each payoff, also in two variants.

as_published : treats the opponent's empirical distribution function as the true one, at level delta/(n m). The limits
    may leave [0, 1].
corrected : adds the opponent's share of the variance (DeLong et al. 1988; with the degrees of freedom of Brunner and
    Munzel 2000), divides delta by the number of payoffs estimated, n (n-1) m, and clips the limits to 0 and 1. The
    limits still have zero width if one algorithm wins every pair of runs, unlike PBP's.

Matching-based PBP is valid for any distributions and any number of runs. It matches runs of one algorithm with runs of
another.

The payoff of algorithm i against algorithm k estimates theta = P(Y <= X), for a run X of i and a run Y of k. Match the
K = min(N, M) runs of the smaller sample one to one with runs of the other. Whatever the distributions, the number of
hits S (matched pairs with Y <= X) is binomial(K, theta), since the pairs are independent. So for a threshold s(theta),

    f(S) = 1{S >= s} / P(binomial(K, theta) >= s)

has mean 1: it is an e-value for theta. A single matching uses little of the information in the runs. But the mean of
e-values is an e-value, whether or not they are independent (Vovk and Wang 2021), so f is averaged over all matchings,
and over several thresholds with weights that add up to 1:

    e(theta) = sum_j w_j P_pi(S >= s_j) / P(binomial(K, theta) >= s_j),                                     (1)

where P_pi is the uniform distribution over matchings, with the runs held fixed. By Markov's inequality, e(theta) >=
1/epsilon has a probability of at most epsilon. The lower limit Z- is the smallest theta that (1) does not reject, and
the upper limit follows in the same way from 1{Y > X}.

The thresholds only affect the width of the limits. s_1 is the threshold of the exact binomial test at level
gamma_1 epsilon. It is best if all matchings have the same number of hits (for a constant opponent, Z- is Clopper and
Pearson's limit). If the number of hits differs between matchings, the e-value is dominated by matchings with unusually
many hits, so there are two more thresholds, at far smaller levels. No threshold is above K, so that Z- is the exact
limit epsilon^(1/K) if i wins every pair.

S is distributed like the number of hits of a random permutation on a Ferrers board whose columns, the runs of i in
ascending order, have the heights b_t = number of runs of k that score at most X_t. The hit numbers h_s satisfy
(Goldman, Joichi and White 1975; Haglund 1996)

    sum_s h_s binomial(z + s, n) = prod_{t=1}^{n} (z + c_t),   c_t = b_t - t + 1,

for whole numbers z. Multiplying by one more factor turns the hit numbers of n columns into the hit numbers of n + 1:

    (z + c) binomial(z + s, n) = (c + n - s) binomial(z + s + 1, n + 1) + (1 - c + s) binomial(z + s, n + 1),

Divided by n + 1, this is the step of a Markov chain from s to s + 1 with probability (c + n - s) / (n + 1). The result
does not depend on the order of the factors, and in the order of |c - 1/2| all probabilities are in [0, 1], since the
c_t of a Ferrers board include every integer between 1 and the greatest c_t, and between 0 and the smallest. So the
distribution takes a few additions for each run and each likely number of hits, and is exact up to rounding.

A union bound covers all estimated payoffs: with P ordered pairs of distinct samples in all environments, each of the
2 P limits fails with a probability of at most epsilon = delta/(2 P), so none does with a probability of at least
1 - delta. With ties, Z_{i,k} and 1 - Z_{k,i} are different quantities, so both orders count.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincinv, stdtrit

from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.game.percentile import counts_at_or_below, payoffs
from surefoot.statistics.intervals.distribution_bands import band_half_width
from surefoot.statistics.intervals.interval_catalogue import Options
from surefoot.statistics.runs.samples import Samples, score_range


def pbp(samples: Samples, options: Options, variant: str) -> tuple[Floats, Floats]:
    """Return the limits (Z-, Z+) of PBP, float64[n, m, n] each.

    All limits hold at once with probability 1 - options.delta. They are 0.5 if two algorithms share a sample.
    """
    n, m = samples.sizes.shape
    half_width = band_half_width(samples.sizes, options.delta / (n * m))
    low = np.full((n, m, n), 0.5)
    high = np.full((n, m, n), 0.5)
    for j in range(m):
        a, b = (-np.inf, np.inf) if variant == "corrected" else score_range(samples, j)
        for i, k in np.argwhere(~samples.shared()[:, j, :]):
            low[i, j, k], high[i, j, k] = _anderson_limits(
                samples.pair(i, j), samples.pair(k, j), half_width[i, j], half_width[k, j], a, b
            )
    return low, high


def _anderson_limits(x: Floats, y: Floats, eps_x: float, eps_y: float, a: float, b: float) -> tuple[float, float]:
    """Return the smallest and greatest E[F_y(X)] of distributions within eps_x and eps_y of the samples, on [a, b].

    As much of X as its band allows is placed at a for the smallest value, and at b for the greatest:
    Z- = F-(x_N) - sum_{t=0}^{N-1} (F-(x_{t+1}) - F-(x_t)) min(1, t/N + eps_x),  x_0 = a,
    Z+ = F+(x_{N+1}) - sum_{t=1}^{N} (F+(x_{t+1}) - F+(x_t)) max(0, t/N - eps_x),  x_{N+1} = b,
    where F- and F+ are the limits of the band of y, which are 1 from b on. The samples x and y are ascending.
    """
    share = counts_at_or_below(x, y) / y.size
    at_a = np.searchsorted(y, a, side="right") / y.size
    places = np.arange(x.size) / x.size
    band_low = np.append(
        1.0 if a >= b else max(at_a - eps_y, 0.0), np.where(x >= b, 1.0, np.maximum(share - eps_y, 0.0))
    )
    band_high = np.where(x >= b, 1.0, np.minimum(share + eps_y, 1.0))
    falls = np.diff(band_low) * np.minimum(1.0, places + eps_x)
    rises = np.diff(np.append(band_high, 1.0)) * np.maximum(0.0, np.append(places[1:], 1.0) - eps_x)
    # numpy's pairwise sums would make the limits of equal samples depend on the other samples.
    return float(band_low[-1] - np.cumsum(falls)[-1]), float(np.cumsum(np.append(1.0, -rises))[-1])


def pbp_t(samples: Samples, options: Options, variant: str) -> tuple[Floats, Floats]:
    """Return the limits (Z-, Z+) of PBP-t, float64[n, m, n] each.

    All limits hold at once with a probability of approximately 1 - options.delta. They are 0.5 if two algorithms share
    a sample.
    """
    n, m = samples.sizes.shape
    z = payoffs(samples)
    variance, other = _percentile_variances(samples)
    degrees = np.broadcast_to((samples.sizes - 1.0)[:, :, None], z.shape)
    level = options.delta / (n * m)
    if variant == "corrected":
        # Welch's and Satterthwaite's degrees of freedom of the sum of both variances; 1 if both are 0.
        parts = variance**2 / degrees + other**2 / np.swapaxes(degrees, 0, 2)
        variance = variance + other
        degrees = np.divide(variance**2, parts, out=np.ones_like(parts), where=parts > 0)
        level = options.delta / (n * (n - 1) * m)
    half_width = np.sqrt(variance) * stdtrit(degrees, 1.0 - level / 2.0)
    low = z - half_width
    high = z + half_width
    if variant == "corrected":
        low = np.maximum(low, 0.0)
        high = np.minimum(high, 1.0)
    return low, high


def _percentile_variances(samples: Samples) -> Floats:
    """Return the variances of payoffs z_{i,j,k} due to the runs of i, and due to the runs of the opponent k.

    Returns
    -------
    float64[2, n, m, n], 0 if i and k share a sample
    """
    n, m = samples.sizes.shape
    variances = np.zeros((2, n, m, n))
    for i, j, k in np.argwhere(~samples.shared()):
        x = samples.pair(i, j)
        y = samples.pair(k, j)
        variances[0, i, j, k] = (counts_at_or_below(x, y) / y.size).var(ddof=1) / x.size
        below = x.size - counts_at_or_below(-y[::-1], -x[::-1])[::-1]
        variances[1, i, j, k] = (1.0 - below / x.size).var(ddof=1) / y.size
    return variances


WEIGHTS = np.array([0.7, 0.2, 0.1])
LEVELS = np.array([0.7, 0.02, 0.0001])
"""w_j and gamma_j of (1). gamma_1 = w_1, so that the first threshold alone suffices to reject if all matchings reach
it.
"""

_NEGLIGIBLE = 1e-30
_ROUNDING = 1e-9
_SMALLEST = 1e-300
_TOLERANCES = {"xatol": 1e-9, "xrtol": 1e-9}


def pbp_matchings(samples: Samples, options: Options, variant: str) -> tuple[Floats, Floats]:
    """Return the limits (Z-, Z+) of matching-based PBP, float64[n, m, n] each.

    All limits hold at once with probability 1 - options.delta. They are 0.5 if two algorithms share a sample.
    """
    n, m = samples.sizes.shape
    low = np.full((n, m, n), 0.5)
    high = np.full((n, m, n), 0.5)
    apart = np.argwhere(~samples.shared())
    if not apart.size:
        return low, high
    distinct = samples.distinct_cells().sum(axis=0)
    level = options.delta / (2 * int((distinct * (distinct - 1)).sum()))
    laws = [hit_law(samples.pair(i, j), samples.pair(k, j)) for i, j, k in apart]
    place = tuple(apart.T)
    low[place] = lower_limits(laws, level)
    high[place] = 1.0 - lower_limits([law[::-1] for law in laws], level)
    return low, high


def hit_law(x: Floats, y: Floats) -> Floats:
    """Return the distribution of the number of hits (y <= x) in a random one-to-one matching of two ascending samples.

    Scores are compared bitwise, as in `surefoot.statistics.game.percentile`.

    Returns
    -------
    float64[K + 1], probability of each number of hits, where K is the size of the smaller sample; probabilities below
    1e-30 may be replaced by 0
    """
    n = max(x.size, y.size)
    missing = n - x.size
    counts = np.append(np.zeros(missing, np.int64), counts_at_or_below(x, y))  # columns without a run have no hits
    shifted = counts - np.arange(n)
    law = np.zeros(n + 1)
    law[0] = 1.0
    first = 0
    last = 0
    for done, c in enumerate(shifted[np.argsort(np.abs(2 * shifted - 1))].tolist()):
        one_more = law[first : last + 1] * np.arange(c + done - first, c + done - last - 1, -1) / (done + 1)
        law[first : last + 1] -= one_more
        law[first + 1 : last + 2] += one_more
        last += 1
        while last > first and law[last] < _NEGLIGIBLE:
            law[last] = 0.0
            last -= 1
        while first < last and law[first] < _NEGLIGIBLE:
            law[first] = 0.0
            first += 1
    return law[: min(x.size, y.size) + 1]


def lower_limits(laws: Sequence[Floats], level: npt.ArrayLike) -> Floats:
    """Return the lower limits Z-, float64[laws]; each exceeds theta with a probability of at most `level`.

    Parameters
    ----------
    laws : distributions of the number of hits, from `hit_law`
    level : epsilon, between 0 and 1; a number, or float64[laws]
    """
    levels = np.broadcast_to(np.asarray(level, np.float64), len(laws))
    crossings = [
        _crossing(law, *_tests(law.size - 1, epsilon), epsilon)
        for law, epsilon in zip(laws, levels.tolist(), strict=True)
    ]
    left, right = np.array([ends for ends, _, _ in crossings]).T
    weighted = np.array([terms for _, terms, _ in crossings])
    thresholds = np.array([hits for *_, hits in crossings])
    blocks = np.array([[law.size - 1.0] for law in laws])
    targets = np.log(1.0 - _ROUNDING) - np.log(levels)

    def excess(theta: Floats, row: Any) -> Floats:
        r = row.astype(int)
        terms = weighted[r] / np.maximum(_at_least(thresholds[r], blocks[r], theta[..., None]), _SMALLEST)
        return np.log(np.maximum(terms.sum(axis=-1), _SMALLEST)) - targets[r]

    rows = np.arange(len(laws), dtype=np.float64)
    limits = left.copy()
    inside = excess(np.maximum(left, _SMALLEST), rows) > 0
    if inside.any():
        from scipy.optimize import elementwise  # slow to import

        root = elementwise.find_root(
            excess,
            (np.maximum(left[inside], _SMALLEST), right[inside]),
            args=(rows[inside],),
            tolerances=_TOLERANCES,
        )
        limits[inside] = root.bracket[0]
    return limits


@cache
def _tests(blocks: int, level: float) -> tuple[Floats, Integers, Floats]:
    """Return thresholds of the tests of theta, which are constant on intervals of theta.

    Returns
    -------
    ends : float64[K + 1], right ends of the intervals
    thresholds : int64[levels, K + 1], thresholds on each interval
    binomial : float64[levels, K + 1], binomial probabilities of reaching the thresholds at the right ends
    """
    successes = np.arange(1, blocks + 1)
    ends = betaincinv(successes, blocks - successes + 1.0, LEVELS[0] * level)
    further = [np.minimum(_quantiles(part * level, blocks, ends) + 1, blocks) for part in LEVELS[1:]]
    thresholds = np.stack([successes, *further])
    thresholds = np.append(thresholds, np.full((len(LEVELS), 1), blocks), axis=1)
    ends = np.append(ends, 1.0)
    return ends, thresholds, _at_least(thresholds, blocks, ends)


def _quantiles(tail: float, trials: int, theta: Floats) -> Integers:
    """Return the smallest k with P(binomial(trials, theta) > k) <= tail; scipy.stats would be slow to import."""
    low = np.zeros(theta.size, np.int64)
    high = np.full(theta.size, trials, np.int64)
    while (low < high).any():
        middle = (low + high) // 2
        enough = _at_least(middle + 1, trials, theta) <= tail
        high = np.where((low < high) & enough, middle, high)
        low = np.where((low < high) & ~enough, middle + 1, low)
    return low


def _crossing(
    law: Floats, ends: Floats, thresholds: Integers, binomial: Floats, level: float
) -> tuple[tuple[float, float], Floats, Integers]:
    """Find the first interval of theta that is not entirely rejected.

    Within an interval, the thresholds are constant, so e decreases in theta and is smallest at the right end.

    Returns
    -------
    ends : (left, right), ends of the interval
    terms : float64[levels], w_j P_pi(S >= s_j) of (1)
    thresholds : int64[levels], s_j
    """
    reached = np.cumsum(law[::-1])[::-1]
    weighted = WEIGHTS[:, None] * reached[thresholds]
    e = (weighted / np.maximum(binomial, _SMALLEST)).sum(axis=0)
    first = int(np.argmax(e < (1.0 - _ROUNDING) / level))
    left = ends[first - 1] if first else 0.0
    return (left, ends[first]), weighted[:, first], thresholds[:, first]


def _at_least(successes: Integers, trials: int, theta: Floats) -> Floats:
    """Return P(binomial(trials, theta) >= successes) for at least one success."""
    return betainc(successes, trials - successes + 1.0, theta)
