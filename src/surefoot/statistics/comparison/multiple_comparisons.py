"""Comparisons of several algorithms whose errors are controlled together: who is best, who is tied, who differs.

Every pair has a difference, limits at any one-sided level, and a p-value (see `differences`). What holds together is
decided by one of two corrections.

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

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from surefoot.statistics.arrays import Booleans, Floats, Integers
from surefoot.statistics.comparison.differences import Pairs, difference_errors
from surefoot.streams import stream_key

_MOST_DRAWS, _FEWEST_DRAWS, _ALL_DRAWS = 20_000, 2_000, 4_000_000
"""Draws of the joint distribution, and numbers for all pairs together, which bounds the draws for many algorithms. With
20,000, as up to 20 algorithms have, the standard error of a level of 5 % is 0.15 %; with 2,000, 0.5 %."""


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


def holm_correction(pairs: Pairs, confidence: float) -> Correction:
    """All pairs by Bonferroni, with p-values by Holm; each algorithm's comparisons with all others by Bonferroni."""
    count, alpha = len(pairs.difference), 1.0 - confidence
    upper = np.triu_indices(count, 1)
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
    x, y = np.triu_indices(errors.size, 1)
    draws = draws or max(_FEWEST_DRAWS, min(_MOST_DRAWS, _ALL_DRAWS // x.size))
    rng = np.random.default_rng(stream_key(seed, "multiple comparisons", errors.size))
    noise, spread = np.empty((2, draws, errors.size))
    order = np.lexsort((degrees, errors))  # of drawing, so that the order of the algorithms decides nothing
    noise[:, order] = rng.standard_normal((draws, errors.size)) * errors[order]
    spread[:, order] = np.sqrt(rng.chisquare(degrees[order], (draws, errors.size)) / degrees[order]) * errors[order]
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
    x, y = upper = np.triu_indices(count, 1)
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


def correction_of_estimates(
    pairs: Pairs, errors: npt.ArrayLike, degrees: npt.ArrayLike, confidence: float, seed: int = 0
) -> Correction:
    """Return the correction for all pairs of independent estimates: of two, by their interval; of more, by joint draws.

    Parameters
    ----------
    pairs : Pairs
        Those of `student_pairs`.
    errors, degrees : array_like
        Standard errors of the estimates and their degrees of freedom.
    confidence : float
        Of each family.
    seed : int, default 0
        Seed of the draws.
    """
    if len(pairs.difference) == 2:  # A single pair needs no draws.
        return holm_correction(pairs, confidence)
    return joint_correction(joint_tails(errors, degrees, seed), pairs.p_value, confidence)


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
    above = np.nan_to_num(pairs.limits(correction.control_levels[:, None])[1], nan=np.inf)
    high = np.maximum(np.where(own, np.inf, above).min(axis=1), 0.0)
    tied = high > 0.0
    low = np.minimum(np.where(own | ~tied, np.inf, -above.T).min(axis=1), 0.0)
    return BestLimits(np.where(tied & (tied.sum() == 1), 0.0, low), high, tied)


def detectable_differences(pairs: Pairs, correction: Correction, best: int) -> Floats:
    """How far behind the best each algorithm had to be to be shown so with a probability of 80 %, float64[k]; NaN for
    the best."""
    found = pairs.detectable(correction.control_levels)[best].copy()
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


def _symmetric(count: int, order: Integers, ordered: Floats) -> Floats:
    """Values of pairs, in an order, as a matrix with 1 on its diagonal."""
    found, (x, y) = np.ones((count, count)), np.triu_indices(count, 1)
    found[x[order], y[order]] = found[y[order], x[order]] = ordered
    return found
