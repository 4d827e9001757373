"""PBP's limits of the payoffs: how far the samples leave open what each mean performance percentile is.

They hold for any distributions: Dvoretzky-Kiefer-Wolfowitz bands around the distribution functions of both
algorithms, and Anderson's bound on the mean of one under the worst case of the other. (Jordan et al. 2020, section 5
and appendix C.)

Three variants, by the range of the scores, at whose ends the true distribution functions leave 0 and reach 1.

as_published : the range is that of the scores seen, of any algorithm in the environment. The published numbers were
    made so. Scores beyond what was seen void the guarantee.
corrected : no range is assumed: a percentile lies in [0, 1] whatever the scores do, so none is needed, and the
    guarantee holds.
with known bounds : what theorem 1 assumes, a range that scores cannot leave, known before the runs. It differs from
    "corrected" only where scores equal one of its ends.

Limits of the payoffs that hold for any distributions and any number of runs, from their being U-statistics.

The payoff of N runs X_t of algorithm i against M runs Y_s of algorithm k is the two-sample U-statistic

    U = 1/(N M) sum_{t,s} 1{Y_s <= X_t},   E U = theta = P(Y <= X),

ties counted as the payoff counts them. With K = min(N, M), a one-to-one choice of K runs of one sample for the runs of
the other gives a mean V of K independent indicators, so K V is binomial(K, theta), and U is the average of V over all
such choices (Hoeffding 1963, section 5a). By Jensen's inequality E f(U) <= E f(V) for every convex f. For
f(x) = max(x - r, 0) and u > max(r, theta), Markov's inequality gives

    P(U >= u) <= min_{r < u} E max(V - r, 0) / (u - r) = B(u; theta).                               (1)

B decreases in u and increases in theta. So theta < Z-, where Z- solves B(U; Z-) = epsilon, has a probability of at most
epsilon. Any choice of r makes the right side of (1) only greater, so the limits hold whatever r is. The upper
limit is the same for 1 - U, whose blocks are binomial with 1 - theta.

f(x) = exp(h x) in place of the hinge gives Hoeffding's (1963) theorem 1, exp(-K kl(u, theta)) <= exp(-2 K (u -
theta)^2). As exp is a mixture of hinges, (1) is never greater than either. An empirical Bernstein inequality has
nothing to add along this way: the blocks are indicators, so their variance theta (1 - theta) is a function of theta,
and solving for theta adapts to it.

The union over all payoffs estimated: with P ordered pairs of distinct samples in all environments, each of the 2 P
limits fails with probability at most epsilon = delta/(2 P), so none does with probability at least 1 - delta. Where
there are ties, Z_{i,k} and 1 - Z_{k,i} are different quantities, so both orders count.
"""

from collections.abc import Mapping

import numpy as np
from numba import njit
from scipy.optimize import elementwise
from scipy.special import betainc, xlog1py, xlogy

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.game.percentile import counts_at_or_below, payoffs
from surefoot.statistics.intervals.catalogue import Options
from surefoot.statistics.intervals.distributions import band_half_width
from surefoot.statistics.runs.samples import Samples, score_range
from surefoot.statistics.ties import exceeds, typical_magnitude

Bounds = Mapping[str, tuple[float, float]]


def pbp(samples: Samples, options: Options, variant: str) -> tuple[Floats, Floats]:
    """Limits of the payoffs for `surefoot.statistics.intervals.estimation.estimate`, whatever the scores do."""
    return distribution_free_limits(samples, options.delta, variant)


def pbp_known_bounds(samples: Samples, options: Options, variant: str) -> tuple[Floats, Floats]:
    """Limits of the payoffs where scores have bounds that were known beforehand; there is only "corrected"."""
    return distribution_free_limits(samples, options.delta, variant, options.bounds or {})


def distribution_free_limits(
    samples: Samples, delta: float, variant: str, bounds: Bounds | None = None
) -> tuple[Floats, Floats]:
    """PBP's limits (Z-, Z+), float64[n, m, n] each, which hold for all payoffs at once with probability 1 - delta.

    Exactly 0.5 where the two algorithms share a sample.

    Parameters
    ----------
    variant : "as_published" or "corrected"; of no effect where `bounds` are given
    bounds : the (low, high) that scores cannot leave, by environment

    Raises
    ------
    ValueError : bounds that lack an environment or that a score leaves
    """
    n, m = samples.sizes.shape
    half_width = band_half_width(samples.sizes, delta / (n * m))
    low, high = np.full((n, m, n), 0.5), np.full((n, m, n), 0.5)
    for j in range(m):
        a, b = _ends(samples, j, variant, bounds)
        for i, k in np.argwhere(~samples.shared()[:, j, :]):
            low[i, j, k], high[i, j, k] = _anderson_limits(
                samples.pair(i, j), samples.pair(k, j), half_width[i, j], half_width[k, j], a, b
            )
    return low, high


_ROUNDING = 1e-9


def _ends(
    samples: Samples, j: int, variant: str, bounds: Mapping[str, tuple[float, float]] | None
) -> tuple[float, float]:
    """The ends of the range of the scores in environment number j."""
    if bounds is None:
        return (-np.inf, np.inf) if variant == "corrected" else score_range(samples, j)
    name = samples.environments[j]
    if name not in bounds:
        raise HintedError("pbp_known_bounds", f"the bounds of {name} are not given", "every environment needs them")
    a, b = bounds[name]
    least, greatest = score_range(samples, j)
    rounding = _ROUNDING * (b - a)  # of a mean of returns, each a sum of many rewards
    if not a - rounding <= least <= greatest <= b + rounding:
        raise HintedError(
            "pbp_known_bounds",
            f"{name}: scores from {least:g} to {greatest:g} leave the bounds {a:g} to {b:g}",
            "give bounds that scores cannot leave",
        )
    # Scores that equal an end but for rounding are at this end.
    typical = typical_magnitude(np.concatenate([samples.pair(i, j) for i in range(len(samples.algorithms))]))
    return (
        float(a if exceeds(least, a, typical) else least),
        float(b if exceeds(b, greatest, typical) else greatest),
    )


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


_SMALLEST = 1e-300
_TOLERANCES = {"xatol": 1e-8, "xrtol": 1e-8}
_STEPS = (0.9, 1.3, 1.9)
_HIGHEST = (1.0, 2.0, 4.0)


def pbp_u_statistic(samples: Samples, options: Options, variant: str) -> tuple[Floats, Floats]:
    """Limits of the payoffs for `surefoot.statistics.intervals.estimation.estimate`; there is only "corrected"."""
    return u_statistic_limits(samples, options.delta)


def u_statistic_limits(samples: Samples, delta: float) -> tuple[Floats, Floats]:
    """Limits (Z-, Z+), float64[n, m, n] each, which hold for all payoffs at once with probability 1 - delta.

    Exactly 0.5 where the two algorithms share a sample.
    """
    z = payoffs(samples)
    low, high = z.copy(), z.copy()
    apart = ~samples.shared()
    if not apart.any():
        return low, high
    level = delta / (2 * samples.ordered_pairs())
    blocks = np.minimum(samples.sizes[:, :, None], samples.sizes.T[None, :, :])[apart]
    values, where = np.unique(np.stack([blocks, z[apart]]), axis=1, return_inverse=True)
    low[apart] = lower_limits(values[1], values[0], level)[where]
    high[apart] = 1.0 - lower_limits(1.0 - values[1], values[0], level)[where]
    return low, high


def lower_limits(values: Floats, blocks: Floats, level: float) -> Floats:
    """Z- for U-statistics `values` of indicators with `blocks` independent ones: theta < Z- has probability <= level.

    values, blocks : float64[payoffs] each
    """
    values, blocks = np.asarray(values, np.float64), np.asarray(blocks, np.float64)
    limits = np.zeros(values.shape)
    some = values > 0
    limits[values == 1] = level ** (1.0 / blocks[values == 1])
    some &= values < 1
    if some.any():
        u, k = values[some], blocks[some]
        target = -np.log(level)
        chernoff = elementwise.find_root(
            lambda theta, u, k: k * _divergence(u, theta) - target,
            (_SMALLEST, u),
            args=(u, k),
            tolerances=_TOLERANCES,
        ).bracket[0]
        found = elementwise.find_root(
            lambda theta, u, k: np.log(np.maximum(_tail_bound(u, k, theta), _SMALLEST)) + target,
            (chernoff, u),
            args=(u, k),
            tolerances=_TOLERANCES,
        )
        limits[some] = np.where(found.success, found.bracket[0], chernoff)
    return limits


def _divergence(u: Floats, theta: Floats) -> Floats:
    """kl(u, theta) of Bernoulli distributions, for 0 < theta <= u < 1."""
    return xlogy(u, u / theta) + xlog1py(1.0 - u, (theta - u) / (1.0 - theta))


def _tail_bound(u: Floats, blocks: Floats, theta: Floats) -> Floats:
    """The right side of (1) for the best of a few whole numbers r K, float64 like u.

    The best r has E[V | V > r] = u: about 1/(1 - odds ratio) of 1/K below u, or the greatest that there is.
    """
    total = u * blocks
    odds = theta * (1.0 - u) / (u * (1.0 - theta))
    excess = 1.0 / np.maximum(1.0 - odds, 1.0 / blocks)
    bound = np.ones_like(total)
    for below in [step * excess for step in _STEPS] + list(_HIGHEST):
        r = np.clip(np.ceil(total - below), 0.0, np.ceil(total) - 1.0)
        mean_excess = blocks * theta * _at_least(r, blocks - 1, theta) - r * _at_least(r + 1, blocks, theta)
        bound = np.minimum(bound, mean_excess / (total - r))
    return bound


def _at_least(successes: Floats, trials: Floats, theta: Floats) -> Floats:
    """P(binomial(trials, theta) >= successes)."""
    inside = (successes > 0) & (successes <= trials)
    s = np.where(inside, successes, 1.0)
    return np.where(inside, betainc(s, np.maximum(trials, s) - s + 1.0, theta), successes <= 0)
