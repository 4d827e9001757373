"""Limits of the payoffs that hold for any distributions and any number of runs, from their being U-statistics.

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

import numpy as np
from scipy.optimize import elementwise
from scipy.special import betainc, xlog1py, xlogy

from surefoot.statistics.arrays import Floats
from surefoot.statistics.game.percentile import payoffs
from surefoot.statistics.intervals.catalogue import Options
from surefoot.statistics.runs.samples import Samples

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
