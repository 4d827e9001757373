"""Performance profiles of Dolan and Moré: how often each method is within a given distance of the best.

See E. D. Dolan and J. J. Moré, "Benchmarking optimization software with performance profiles", Mathematical Programming
91(2), 2002. Distances based on tests are from B. Recht, "Benchmarking Machine Learning with Performance Profiles",
2018. A distance is 0 for the best method on a problem, and greater for worse methods. In the two-sample rank test (Mann
and Whitney 1947), scores that differ only by rounding are ties (see `statistics.arrays`).
"""

import math

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats, margin, score_places
from surefoot.statistics.runs.samples import Samples

_MOST_EXACT = 40  # total number of runs above which the normal distribution is accurate enough


def rank_test(x: Floats, y: Floats) -> float:
    """Return the one-sided p-value of the rank test (Mann and Whitney 1947) that X is not greater than Y.

    The p-value is the probability of a rank sum of x at least as great as observed. It is exact, given the ties, for up
    to 40 runs. For more runs, it uses the normal distribution with a continuity correction and a variance that accounts
    for ties.

    Parameters
    ----------
    x, y : float64[N], float64[K], finite
    """
    values = np.concatenate(score_places([x, y]))
    ordered = np.sort(values)
    total = len(values)
    chosen = len(x)
    other = len(y)
    # Twice the mid-ranks, which are whole numbers even with ties.
    doubled = np.searchsorted(ordered, values, "left") + np.searchsorted(ordered, values, "right") + 1
    observed = int(doubled[:chosen].sum())
    if total <= _MOST_EXACT:
        # ways[n, s] is the number of ways to choose n runs whose doubled ranks sum to s.
        ways = np.zeros((chosen + 1, int(doubled.sum()) + 1))
        ways[0, 0] = 1.0
        for rank in doubled:
            ways[1:, rank:] += ways[:-1, :-rank].copy()
        return float(ways[chosen, observed:].sum() / math.comb(total, chosen))
    ranks = doubled / 2.0
    variance = chosen * other / (total * (total - 1.0)) * ((ranks - ranks.mean()) ** 2).sum()
    if variance == 0.0:
        return 1.0
    z = (observed / 2.0 - chosen * (total + 1.0) / 2.0 - 0.5) / math.sqrt(variance)
    return 0.5 * math.erfc(z / math.sqrt(2.0))


DEGREES_OF_FREEDOM = ("welch", "notebook")


def distance_profile(distances: Floats, thresholds: Floats) -> Floats:
    """Return the fraction of problems on which the distance of each method is below each threshold.

    Parameters
    ----------
    distances : float64[problems, methods], at least 0, infinite if a method does not solve a problem
    thresholds : float64[points]

    Returns
    -------
    float64[points, methods]: (1/P) #{p: d[p, m] < t}; a distance that equals t up to rounding does not count
    """
    distances = np.asarray(distances, np.float64)
    ordered = np.sort(distances, axis=0)
    # Distances are logarithms of ratios: the relative rounding error of a ratio is an absolute error of the distance.
    below = np.asarray(thresholds, np.float64) - margin(thresholds, 1.0)
    counts = [np.searchsorted(column, below, side="left") for column in ordered.T]
    return np.array(counts, np.float64).T / len(distances)


def time_ratios(times: Floats) -> Floats:
    """Return the log2 ratio of each time to the best time on the same problem, as in Dolan and Moré.

    times : float64[problems, methods], positive; infinite or NaN where a method did not solve the problem

    Raises
    ------
    ValueError : if a time is not positive
    """
    times = np.where(np.isnan(times), np.inf, np.asarray(times, np.float64))
    if not (times > 0).all():
        raise HintedError("time_ratios", f"got a time of {np.min(times):g}", "use positive times")
    best = times.min(axis=1, keepdims=True)
    solved = np.isfinite(times)
    return np.where(solved, np.log2(np.where(solved, times, 1.0) / np.where(np.isfinite(best), best, 1.0)), np.inf)


def welch_distances(means: Floats, deviations: Floats, runs: Floats, degrees_of_freedom: str = "welch") -> Floats:
    """Return -log10 of the one-sided p-values of Welch's tests that the best method beats each of the others.

    The method with the highest mean on a problem is the best (the first one in case of ties).

    Parameters
    ----------
    means, deviations, runs : float64[problems, methods], mean score, standard deviation and number of runs
    degrees_of_freedom : "welch" (Welch and Satterthwaite), or "notebook", the formula behind the figures of Recht 2018,
        which divides sd^4 by n (n - 1) instead of n^2 (n - 1), so that p-values are too large

    Returns
    -------
    float64[problems, methods]: 0 for the best, at least log10(2) for the others
    """
    from scipy.special import stdtr

    means, deviations, runs = np.broadcast_arrays(*(np.asarray(x, np.float64) for x in (means, deviations, runs)))
    spread = deviations + 1e-6  # some deviations are 0, where the test would be undefined
    variance = spread**2 / runs
    best = means.argmax(axis=1)[:, None]
    of_best = [np.take_along_axis(x, best, axis=1) for x in (means, spread, runs, variance)]
    t = (of_best[0] - means) / np.sqrt(of_best[3] + variance)
    power = 2 if degrees_of_freedom == "welch" else 1
    parts = spread**4 / (runs**power * (runs - 1))
    part_of_best = of_best[1] ** 4 / (of_best[2] ** power * (of_best[2] - 1))
    p = stdtr((of_best[3] + variance) ** 2 / (part_of_best + parts), -t)
    with np.errstate(divide="ignore"):
        distances = -np.log10(p)
    np.put_along_axis(distances, best, 0.0, axis=1)
    return distances


def rank_distances(samples: Samples) -> Floats:
    """Return -log10 of the one-sided p-values of rank tests that the best algorithm beats each of the others.

    The algorithm with the highest mean in an environment is the best (the first one in case of ties).

    Returns
    -------
    float64[environments, algorithms]: 0 for the best. With N and K runs, a distance is at most log10 of the number of
    ways to choose N of N + K runs.
    """
    algorithms = len(samples.algorithms)
    environments = len(samples.environments)
    distances = np.zeros((environments, algorithms))
    for j in range(environments):
        scores = [samples.pair(i, j) for i in range(algorithms)]
        best = int(np.argmax([x.mean() for x in scores]))
        for i in range(algorithms):
            if i != best:
                distances[j, i] = -np.log10(rank_test(scores[best], scores[i]))
    return distances


def profile_table(distances: Floats, methods: list[str], thresholds: Floats) -> pd.DataFrame:
    """Return the profile as a table with columns method, threshold, count (of problems), fraction."""
    fraction = distance_profile(distances, thresholds)
    return pd.DataFrame(
        {
            "method": np.repeat(methods, len(thresholds)),
            "threshold": np.tile(thresholds, len(methods)),
            "count": np.rint(fraction.T.ravel() * len(distances)).astype(int),
            "fraction": fraction.T.ravel(),
        }
    )


def dominates(x: Floats, y: Floats) -> bool:
    """Return True if profile x dominates profile y stochastically: at least as high everywhere and higher somewhere."""
    x = np.asarray(x)
    y = np.asarray(y)
    return bool(np.all(x >= y) and np.any(x > y))
