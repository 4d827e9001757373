"""Limits of a mean of fractions, each of which is known from a few runs of its own, by the likelihood ratio.

Of N_m runs of task m, a fraction f_m was above a threshold. The limits of the mean F of the true fractions p_m are the
greatest and the least mean of all p whose likelihood is not too small:

    sum_m n_m kl(f_m, p_m) <= budget,    kl(f, p) = f log(f / p) + (1 - f) log((1 - f) / (1 - p)).

For one task that is the inequality of Berk and Jones (1979) and of Owen (JASA 90, 1995). Tasks that lie wholly on one
side of the threshold share one budget, so the limits have a width there too, which narrows with the number of all runs.
At the greatest mean, n_m (p_m - f_m) = lambda p_m (1 - p_m) for all tasks (Lagrange), a quadratic equation.
"""

import numpy as np
from numba import njit

from surefoot.statistics.arrays import Floats

_SMALLEST, _GREATEST = -30.0, 60.0  # of log lambda
_ITERATIONS, _TOLERANCE = 100, 1e-9


def fraction_limits(fractions: Floats, sizes: Floats, budgets: Floats) -> tuple[Floats, Floats]:
    """Limits (low, high) of the mean fraction at each threshold, float64[T] each, inside [0, 1].

    Parameters
    ----------
    fractions : float64[T, M], of the runs of each task
    sizes : float64[T, M] or float64[M], effective numbers of runs, above 0
    budgets : float64[T], at least 0; none is exceeded if infinite
    """
    fractions, budgets = np.ascontiguousarray(fractions, np.float64), np.ascontiguousarray(budgets, np.float64)
    # A copy, since numba would compile everything once more for what numpy has broadcast, which cannot be written to.
    sizes = np.array(np.broadcast_to(sizes, fractions.shape), np.float64, order="C")
    return 1.0 - _greatest_means(1.0 - fractions, sizes, budgets), _greatest_means(fractions, sizes, budgets)


@njit(cache=True, nogil=True, error_model="numpy")
def _greatest_means(fractions: Floats, sizes: Floats, budgets: Floats) -> Floats:
    found, start = np.empty(budgets.size), 0.0
    for t in range(budgets.size):
        found[t], start = _greatest_mean(fractions[t], sizes[t], budgets[t], start)
    return found


@njit(cache=True, nogil=True, error_model="numpy")
def _greatest_mean(fractions: Floats, sizes: Floats, budget: float, start: float) -> tuple[float, float]:
    """The mean, and log lambda: from `start`, the root of sqrt(divergence) = sqrt(budget) by Newton's method, which
    halves the interval that has the root where a step would leave it."""
    wanted = np.sqrt(budget)
    low, high, x, mean = _SMALLEST, _GREATEST, start, 1.0
    if not _tilted(fractions, sizes, np.exp(high))[1] > budget:
        return 1.0, start
    for _ in range(_ITERATIONS):
        mean, divergence, slope = _tilted(fractions, sizes, np.exp(x))
        root = np.sqrt(divergence)
        if root > wanted:
            high = x
        else:
            low = x
        step = 2.0 * root * (wanted - root) / slope if slope > 0.0 else np.inf
        if abs(step) < _TOLERANCE or high - low < _TOLERANCE:
            break
        x = x + step if low < x + step < high else 0.5 * (low + high)
    return mean, x


@njit(cache=True, nogil=True, error_model="numpy")
def _tilted(fractions: Floats, sizes: Floats, multiplier: float) -> tuple[float, float, float]:
    """Mean of the p for this lambda, their divergence from the fractions, and its slope in log lambda."""
    mean, divergence, slope = 0.0, 0.0, 0.0
    for m in range(sizes.size):
        f, n = fractions[m], sizes[m]
        if f >= 1.0:
            mean += 1.0
            continue
        if f <= 0.0:
            if multiplier > n:
                mean += 1.0 - n / multiplier
                divergence += n * np.log(multiplier / n)
                slope += n
            continue
        root = np.sqrt((multiplier - n) ** 2 + 4.0 * multiplier * n * f)
        rest = min(2.0 * n * (1.0 - f) / (multiplier + n + root), 1.0 - f)  # 1 - p
        p = 1.0 - rest
        mean += p
        divergence += n * ((1.0 - f) * np.log((1.0 - f) / rest) + f * np.log(f / p))
        slope += multiplier * multiplier * p * rest / root
    return mean / sizes.size, max(divergence, 0.0), slope
