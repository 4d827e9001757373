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
"""

from collections.abc import Mapping

import numpy as np
from numba import njit

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats
from surefoot.statistics.game.percentile import counts_at_or_below
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
