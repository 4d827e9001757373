"""Comparisons of several algorithms whose errors are controlled together: who is best, who is tied, who differs.

Every pair has a difference, limits at any one-sided level, and a p-value; three ways to have them are below. What holds
together is decided by one of two corrections.

Joint draws (`joint_correction`) : algorithms are independent, with normal errors s_i Z_i and variances
    s_i^2 chi^2(n_i) / n_i of their own degrees of freedom. Each draw is tested as the data are, with Welch's degrees of
    freedom of its own variances, and the smallest p-value of a family is kept: its quantile is the level of every
    member (the max-t method of Hothorn, Bretz and Westfall, Biometrical Journal 50, 2008, on the scale of p-values, so
    that pairs with unlike degrees of freedom are treated alike). p-values are adjusted step-down (Westfall and Young,
    "Resampling-Based Multiple Testing", 1993).
Bonferroni and Holm (`holm_correction`) : where nothing is known of how pairs depend on each other.

Three families hold their level each, not all together: all pairs (intervals, ranks, letters, tiers), and the
comparisons with the best (Hsu, Annals of Statistics 9, 1981; Hsu, "Multiple Comparisons", 1996, chapter 4): algorithm i
is beaten where any other is better by the one-sided many-to-one test whose control is i. The best algorithm is beaten
by chance with a probability of at most alpha, so those that are not are the set that is tied with the best.
"""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv, ndtr, ndtri, stdtr, stdtrit

from surefoot.statistics.arrays import Booleans, Floats, Integers
from surefoot.statistics.comparison.differences import POWER, difference_errors, noncentrality
from surefoot.statistics.comparison.improvement import RunNames, improvement_limits, probability_of_improvement
from surefoot.statistics.intervals.rate_limits import clustered_errors, item_mean, rate_limits
from surefoot.statistics.ties import exceeds
from surefoot.streams import stream_key

_MOST_DRAWS, _FEWEST_DRAWS, _ALL_DRAWS = 20_000, 2_000, 4_000_000
"""Draws of the joint distribution, and numbers for all pairs together, which bounds the draws for many algorithms. With
20,000, as up to 20 algorithms have, the standard error of a level of 5 % is 0.15 %; with 2,000, 0.5 %."""
_QUANTILES, _FARTHEST_QUANTILE = 33, 8.0
"""Normal quantiles at which limits are taken to find the p-value at which they reach 0."""

Limits = Callable[[npt.ArrayLike], tuple[Floats, Floats]]
"""(low, high) of the difference of each row's algorithm to each column's, at a level on either side: float64[k, k]."""


class Pairs(NamedTuple):
    """Differences of all ordered pairs of k algorithms, entry [i, j] that of i less j.

    difference : float64[k, k]
    p_value : float64[k, k], two-sided and not adjusted; 1 where nothing is known
    limits : at any level; NaN where there are none
    detectable : float64[k, k] at a one-sided level, the smallest true difference that has a probability of 80 % to be
        shown; NaN where it is not known, or no difference is that great
    """

    difference: Floats
    p_value: Floats
    limits: Limits
    detectable: Callable[[npt.ArrayLike], Floats]


class Correction(NamedTuple):
    """What holds together.

    pair_level : on either side, of the intervals of all pairs
    control_levels : float64[k], one-sided, of the comparisons of each algorithm with all others
    adjusted : float64[k, k], p-values of all pairs, adjusted step-down
    """

    pair_level: float
    control_levels: Floats
    adjusted: Floats


class BestLimits(NamedTuple):
    """Hsu's constrained intervals of each algorithm's difference to the best of the others.

    low, high : float64[k]; high is 0 for those that are beaten, low is 0 for one that is shown to be best
    tied : bool[k], those that are not beaten; the one with the greatest estimate is among them
    """

    low: Floats
    high: Floats
    tied: Booleans


def student_pairs(values: npt.ArrayLike, errors: npt.ArrayLike, degrees: npt.ArrayLike) -> Pairs:
    """Pairs of independent algorithms with Student's limits and Welch's degrees of freedom.

    Parameters
    ----------
    values, errors, degrees : float64[k], estimates, their standard errors, and the degrees of freedom of these
    """
    values, errors, degrees = (np.asarray(one, np.float64) for one in (values, errors, degrees))
    error, freedom = difference_errors(errors[:, None], errors, degrees[:, None], degrees)
    return _by_student(values[:, None] - values, error, freedom)


def paired_task_pairs(by_task: Floats, clusters: Sequence[str], magnitude: float) -> Pairs:
    """Pairs whose tasks are a sample of tasks, by the paired t test over the tasks, or over clusters of them with
    clustered standard errors times sqrt(G / (G - 1)) for G clusters.

    Parameters
    ----------
    by_task : float64[k, k, M], the difference of each pair on each task
    clusters : name of the cluster of each task
    magnitude : what the differences are of: an error that is nothing but their rounding is none
    """
    _, cluster = np.unique(np.asarray(clusters), return_inverse=True)
    count = int(cluster.max()) + 1
    error = clustered_errors(by_task, cluster) * np.sqrt(count / (count - 1.0))
    error = np.where(exceeds(error, 0.0, magnitude), error, 0.0)
    return _by_student(by_task.mean(axis=-1), error, np.full(error.shape, count - 1.0))


def paired_rate_pairs(by_task: Floats, clusters: Sequence[str], answers: int) -> Pairs:
    """Pairs of success rates whose tasks are a sample of tasks, with limits that always have a width.

    How often the one succeeds where the other fails, and the other way around, are two rates with the limits of
    `item_mean`; those of their difference combine them with their correlation, as Zou and Donner do (Statistics in
    Medicine 27, 2008). Student's limits promise too much here: the few tasks on which two good models differ may not be
    in the sample.

    Parameters
    ----------
    by_task : float64[k, k, M], the difference of each pair's success rates on each task
    clusters : name of the cluster of each task
    answers : how many outcomes of all tasks there are of each algorithm
    """
    _, cluster = np.unique(np.asarray(clusters), return_inverse=True)
    better = np.maximum(by_task, 0.0)
    wins, difference = better.mean(axis=-1), by_task.mean(axis=-1)
    error, together = clustered_errors(better, cluster), clustered_errors(by_task, cluster)
    product = 2.0 * error * error.T
    shared = np.where(product > 0.0, error**2 + error.T**2 - together**2, 0.0) / np.where(product > 0.0, product, 1.0)
    correlation = np.clip(shared, -1.0, 1.0)

    def limits(level: npt.ArrayLike) -> tuple[Floats, Floats]:
        confidence = 1.0 - 2.0 * float(np.ravel(level)[0])
        below, above = np.zeros(wins.shape), np.zeros(wins.shape)
        for i, j in np.argwhere(~np.eye(len(wins), dtype=bool)):
            found = item_mean(better[i, j], clusters, answers, confidence)
            below[i, j], above[i, j] = found.value - found.low, found.high - found.value
        reach = np.sqrt(np.maximum(below**2 + above.T**2 - 2.0 * correlation * below * above.T, 0.0))
        return difference - reach, difference + reach.T

    return _by_limits(difference, limits)


def _by_student(difference: Floats, error: Floats, freedom: Floats) -> Pairs:
    certain = error <= 0.0
    divisor = np.where(certain, 1.0, error)
    p_value = np.where(certain, 1.0, 2.0 * stdtr(freedom, -np.abs(difference) / divisor))
    known = np.where(certain, np.nan, error)

    def limits(level: npt.ArrayLike) -> tuple[Floats, Floats]:
        reach = -stdtrit(freedom, level) * known
        return difference - reach, difference + reach

    def detectable(level: npt.ArrayLike) -> Floats:
        return np.asarray(noncentrality(freedom, -stdtrit(freedom, level), 1.0 - POWER) * known)

    return Pairs(difference, p_value, limits, detectable)


def rate_pairs(rates: Sequence[Floats]) -> Pairs:
    """Pairs of success rates, whose limits always have a width.

    Each rate has the exact limits of `rate_limits`: of all runs, since successes of tasks with unlike rates are less
    variable than of one with their mean (Hoeffding, Annals of Mathematical Statistics 27, 1956), or of whole runs where
    tasks share them. Those of a difference combine them as Newcombe does (Statistics in Medicine 17, 1998, method 10,
    with exact limits in place of Wilson's), and the p-value is the level at which they reach 0.

    Parameters
    ----------
    rates : of each algorithm, float64[runs], the outcome of each run, 0 or 1, or the mean of those of a whole run
    """
    values = np.array([one.mean() for one in rates])
    difference = values[:, None] - values

    def limits(level: npt.ArrayLike) -> tuple[Floats, Floats]:
        low, high = np.array([_rate_limits(one, float(np.ravel(level)[0])) for one in rates]).T
        below, above = np.maximum(values - low, 0.0), np.maximum(high - values, 0.0)
        return difference - np.hypot(below[:, None], above), difference + np.hypot(above[:, None], below)

    return _by_limits(difference, limits)


def _rate_limits(rates: Floats, level: float) -> tuple[float, float]:
    """Limits of a mean rate, with a probability `level` beyond each: those of Clopper and Pearson in closed form where
    runs have outcomes of 0 and 1, as there may be thousands of them."""
    if not np.isin(rates, (0.0, 1.0)).all():
        return rate_limits(rates, np.ones(rates.size), 1.0 - 2.0 * level)[:2]
    hits, misses = rates.sum(), rates.size - rates.sum()
    low = betaincinv(hits, misses + 1.0, level) if hits else 0.0
    high = betaincinv(hits + 1.0, misses, 1.0 - level) if misses else 1.0
    return float(low), float(high)


def improvement_pairs(
    samples: Sequence[Sequence[Floats]], run_names: Sequence[RunNames | None], decimals: int | str
) -> Pairs:
    """Pairs by the probability of improvement less one half, with the limits of `improvement_limits`.

    Parameters
    ----------
    samples : scores of each algorithm, float64[runs] of each task
    run_names : of each algorithm, the names of its runs on each task where tasks share them, else None
    decimals : which scores are ties; see `ties.score_places`
    """
    count = len(samples)
    x, y = _upper(count)
    value = np.zeros((count, count))
    for i, j in zip(x, y, strict=True):
        value[i, j] = probability_of_improvement(samples[i], samples[j], decimals).probability - 0.5

    def limits(level: npt.ArrayLike) -> tuple[Floats, Floats]:
        confidence = 1.0 - 2.0 * float(np.ravel(level)[0])
        low, high = np.zeros((count, count)), np.zeros((count, count))
        for i, j in zip(x, y, strict=True):
            names = (run_names[i], run_names[j])
            found = improvement_limits(samples[i], samples[j], confidence, decimals, names)
            low[i, j], high[i, j] = found[0] - 0.5, found[1] - 0.5
        return low - high.T, high - low.T

    return _by_limits(value - value.T, limits)


def _by_limits(difference: Floats, limits: Limits) -> Pairs:
    """With the p-values at which the limits reach 0, interpolated between normal quantiles, along which limits are
    nearly straight."""
    quantiles = np.linspace(0.01, _FARTHEST_QUANTILE, _QUANTILES)
    # The limit between a difference and 0, positive where the interval leaves 0 out on the side of the difference.
    ends = [limits(ndtr(-quantile)) for quantile in quantiles]
    nearer = np.array([np.where(difference > 0.0, low, -high) for low, high in ends])
    reached = np.full(difference.shape, 0.0)
    for place in np.ndindex(difference.shape):
        falling = np.minimum.accumulate(nearer[(slice(None), *place)])
        if falling[0] > 0.0:
            reached[place] = np.interp(0.0, -falling, quantiles)

    def detectable(level: npt.ArrayLike) -> Floats:
        reach = difference - limits(level)[0]
        return np.asarray(reach * (1.0 - ndtri(POWER) / ndtri(np.asarray(level, np.float64))))

    return Pairs(difference, 2.0 * ndtr(-reached), limits, detectable)


def bounded(pairs: Pairs, greatest: float) -> Pairs:
    """Pairs whose true differences are at most so great, in both directions: limits end there, and what could only be
    shown of a greater one is not known."""

    def limits(level: npt.ArrayLike) -> tuple[Floats, Floats]:
        low, high = pairs.limits(level)
        return np.maximum(low, -greatest), np.minimum(high, greatest)

    def detectable(level: npt.ArrayLike) -> Floats:
        least = pairs.detectable(level)
        return np.where(least <= greatest, least, np.nan)

    return pairs._replace(limits=limits, detectable=detectable)


def holm_correction(pairs: Pairs, confidence: float) -> Correction:
    """All pairs by Bonferroni, with p-values by Holm; each algorithm's comparisons with all others by Bonferroni."""
    count, alpha = len(pairs.difference), 1.0 - confidence
    upper = _upper(count)
    p_values = pairs.p_value[upper]
    adjusted = _symmetric(count, np.arange(p_values.size), holm(p_values))
    return Correction(alpha / (2.0 * p_values.size), np.full(count, alpha / (count - 1.0)), adjusted)


def holm(p_values: Floats) -> Floats:
    """p-values float64[any], adjusted for all of them together (Holm, Scandinavian Journal of Statistics 6, 1979)."""
    order = np.argsort(p_values, kind="stable")
    adjusted = np.empty(p_values.size)
    adjusted[order] = np.minimum(np.maximum.accumulate(np.arange(p_values.size, 0, -1) * p_values[order]), 1.0)
    return adjusted


def joint_tails(errors: npt.ArrayLike, degrees: npt.ArrayLike, seed: int = 0, draws: int | None = None) -> Floats:
    """Where no algorithm differs from another, the one-sided p-values that x is better than y of all pairs x < y:
    float64[draws, pairs].

    Parameters
    ----------
    errors, degrees : float64[k], as for `student_pairs`
    seed, draws : of the joint distribution; by default as many as memory has room for, 2,000 to 20,000
    """
    errors, degrees = np.asarray(errors, np.float64), np.asarray(degrees, np.float64)
    x, y = _upper(errors.size)
    draws = draws or max(_FEWEST_DRAWS, min(_MOST_DRAWS, _ALL_DRAWS // x.size))
    rng = np.random.default_rng(stream_key(seed, "multiple comparisons", errors.size))
    noise = rng.standard_normal((draws, errors.size)) * errors
    spread = np.sqrt(rng.chisquare(degrees, (draws, errors.size)) / degrees) * errors
    error, freedom = difference_errors(spread[:, x], spread[:, y], degrees[x], degrees[y])
    behind, certain = noise[:, y] - noise[:, x], error <= 0.0
    return np.asarray(stdtr(freedom, np.where(certain, 0.0, behind / np.where(certain, 1.0, error))))


def joint_correction(tails: Floats, p_values: Floats, confidence: float) -> Correction:
    """The correction by joint draws of independent algorithms; see the module.

    Parameters
    ----------
    tails : of `joint_tails`
    p_values : float64[k, k], those of `student_pairs`
    confidence : of each family
    """
    count, alpha = len(p_values), 1.0 - confidence
    x, y = upper = _upper(count)
    two_sided = 2.0 * np.minimum(tails, 1.0 - tails)
    controls = np.empty(count)
    for control in range(count):
        # That another looks better than the control: y where the control is x, and the other way around.
        better = np.hstack([1.0 - tails[:, x == control], tails[:, y == control]])
        controls[control] = _quantile(better.min(axis=1), alpha)
    # Step-down: the least likely pair among all, the next among the others, and so on.
    observed = p_values[upper]
    order = np.argsort(observed, kind="stable")
    least = np.minimum.accumulate(two_sided[:, order[::-1]], axis=1)[:, ::-1]
    steps = (1.0 + (least <= observed[order]).sum(axis=0)) / (len(tails) + 1.0)
    return Correction(joint_level(tails, confidence), controls, _symmetric(count, order, np.maximum.accumulate(steps)))


def joint_level(tails: Floats, confidence: float) -> float:
    """The level on either side at which Student's intervals of all pairs hold together, from the draws of
    `joint_tails`; of a single pair, that of its interval."""
    if tails.shape[1] == 1:
        return (1.0 - confidence) / 2.0
    return _quantile(np.minimum(tails, 1.0 - tails).min(axis=1), 1.0 - confidence)


def _quantile(ascending: Floats, probability: float) -> float:
    """The draw below which at most this share of the draws is."""
    place = max(int(np.floor(probability * (len(ascending) + 1))) - 1, 0)
    return float(np.partition(ascending, place)[place])


def best_limits(pairs: Pairs, correction: Correction) -> BestLimits:
    """The comparisons of each algorithm with the best of the others (Hsu 1996, section 4.2, for unequal errors)."""
    count = len(pairs.difference)
    own = np.eye(count, dtype=bool)
    # Limits that are not known bound nothing.
    levels = correction.control_levels
    above = np.nan_to_num(pairs.limits(levels[0] if _all_alike(levels) else levels[:, None])[1], nan=np.inf)
    high = np.maximum(np.where(own, np.inf, above).min(axis=1), 0.0)
    tied = high > 0.0
    low = np.minimum(np.where(own | ~tied, np.inf, -above.T).min(axis=1), 0.0)
    return BestLimits(np.where(tied & (tied.sum() == 1), 0.0, low), high, tied)


def detectable_differences(pairs: Pairs, correction: Correction, best: int) -> Floats:
    """How far behind the best each algorithm had to be to be shown so with a probability of 80 %, float64[k]; NaN for
    the best."""
    levels = correction.control_levels
    found = pairs.detectable(levels[0] if _all_alike(levels) else levels)[best].copy()
    found[best] = np.nan
    return found


def letters(apart: Booleans, order: Sequence[int]) -> list[str]:
    """Compact letter display: algorithms share a letter if and only if they are not apart.

    Insert-and-absorb (Piepho, Journal of Computational and Graphical Statistics 13, 2004).

    Parameters
    ----------
    apart : bool[k, k], symmetric
    order : the algorithms, the best first, which has the letter a

    Returns
    -------
    the letters of each algorithm; after z come a1, b1, ...
    """
    columns = [frozenset(order)]
    for i, j in combinations(order, 2):
        if apart[i, j]:
            split = [part for one in columns for part in ((one - {i}, one - {j}) if {i, j} <= one else (one,))]
            columns = [one for one in dict.fromkeys(split) if not any(one < other for other in split)]
    places = {name: place for place, name in enumerate(order)}
    columns.sort(key=lambda column: sorted(places[name] for name in column))
    names = [f"{chr(ord('a') + n % 26)}{n // 26 or ''}" for n in range(len(columns))]
    return [
        "".join(name for name, column in zip(names, columns, strict=True) if one in column) for one in range(len(order))
    ]


def tiers(better: Booleans, order: Sequence[int]) -> Integers:
    """Tiers of a leaderboard, int64[k]: 1 for those that none is better than, else one more than the greatest of those
    that are better.

    better : bool[k, k], whether the row's algorithm is shown to be better than the column's
    order : the algorithms, the best first
    """
    found = np.ones(len(order), np.int64)
    for one in order:
        above = better[:, one]
        found[one] = 1 + max(found[above], default=0)
    return found


def rank_limits(better: Booleans) -> tuple[Integers, Integers]:
    """The best and the worst rank that the pairs shown to differ allow, int64[k] each: 1 + how many are shown to be
    better, and k - how many are shown to be worse (Mogstad, Romano, Shaikh and Wilhelm, Review of Economic Studies 91,
    2024, from step-down tests).

    better : bool[k, k], whether the row's algorithm is shown to be better than the column's
    """
    return 1 + better.sum(axis=0), len(better) - better.sum(axis=1)


def _all_alike(levels: Floats) -> bool:
    return bool((levels == levels[0]).all())


def _upper(count: int) -> tuple[Integers, Integers]:
    x, y = np.triu_indices(count, 1)
    return x, y


def _symmetric(count: int, order: Integers, ordered: Floats) -> Floats:
    """Values of pairs, in an order, as a matrix with 1 on its diagonal."""
    found, (x, y) = np.ones((count, count)), _upper(count)
    found[x[order], y[order]] = found[y[order], x[order]] = ordered
    return found
