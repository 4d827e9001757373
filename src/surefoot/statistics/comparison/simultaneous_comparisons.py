"""Multiple comparisons of algorithms: simultaneous intervals, adjusted p-values, and algorithms tied with the best.

Every pair has a difference, limits at any one-sided level, and a p-value (see `differences`). An `Adjustment` finds the
level at which the intervals of a family of comparisons are simultaneous. It adjusts p-values in a single step, so that
an interval excludes 0 if and only if the p-value of its pair is at most 1 - confidence. Step-down p-values (Westfall
and Young, "Resampling-Based Multiple Testing", 1993) would separate a few more pairs, but there are no intervals that
agree with them. A family consists of all pairs, or of each algorithm against one baseline, overall or on every task.
Two algorithms are separated if the interval of their difference excludes 0.

Joint draws (`joint_adjustment`) : algorithms are independent, with normal errors s_i Z_i and variances
    s_i^2 chi^2(n_i) / n_i. Each draw is tested like the data, with Welch's degrees of freedom. The level of every
    comparison is a quantile of the smallest p-value of the family (the max-t method of Hothorn, Bretz and Westfall,
    Biometrical Journal 50, 2008, on the scale of p-values, so that pairs with different degrees of freedom are treated
    alike). With one baseline, this is Dunnett's test (Journal of the American Statistical Association 50, 1955) without
    its pooled variance.
Bonferroni : used if nothing is known about the dependence between pairs.

Comparisons with the best (Hsu, Annals of Statistics 9, 1981; Hsu, "Multiple Comparisons", 1996, chapter 4) are another
family. Algorithm i is beaten if any other algorithm is better by the one-sided many-to-one test with control i. The
best algorithm is beaten with a probability of at most alpha. The algorithms that are not beaten are tied with the best.
"""

import functools
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr

from surefoot.statistics.arrays import Booleans, Floats, Integers
from surefoot.statistics.comparison.metric_differences import Pairs, difference_errors
from surefoot.streams import stream_key

_MOST_DRAWS = 20_000
_FEWEST_DRAWS = 2_000
_ALL_DRAWS = 4_000_000
"""Limits on the number of joint draws. For many algorithms, `_ALL_DRAWS` limits the number of draws times pairs. The
standard error of a level of 5 % is 0.15 % with 20,000 draws (up to 20 algorithms), and 0.5 % with 2,000.
"""


class Adjustment(NamedTuple):
    """Adjustment of a family of comparisons for multiplicity.

    comparisons : number of comparisons
    smallest : float64[draws], smallest two-sided p-value of the family in each draw of equal algorithms, in ascending
        order; if None, the adjustment is Bonferroni's
    """

    comparisons: int
    smallest: Floats | None = None

    def level(self, confidence_level: float) -> float:
        """Return the one-sided level of each of the simultaneous intervals of the family."""
        if self.smallest is None:
            return (1.0 - confidence_level) / (2.0 * self.comparisons)
        return _quantile(self.smallest, 1.0 - confidence_level) / 2.0

    def p_values(self, unadjusted: Floats) -> Floats:
        """Return two-sided p-values, adjusted in a single step for the whole family."""
        if self.smallest is None:
            return np.minimum(self.comparisons * unadjusted, 1.0)
        reached = np.searchsorted(self.smallest, unadjusted, side="right")
        return np.asarray((1.0 + reached) / (len(self.smallest) + 1.0))


class Simultaneous(NamedTuple):
    """Simultaneous comparisons of k algorithms; entry [i, j] compares algorithm i with j.

    low, high : float64[k, k], limits of the difference i minus j; NaN if it has none, or the pair is not in the family
    p_value : float64[k, k], p-value adjusted for the family; NaN if there are no limits
    separated : bool[k, k], True if the interval excludes 0
    """

    low: Floats
    high: Floats
    p_value: Floats
    separated: Booleans


class BestLimits(NamedTuple):
    """Hsu's constrained intervals of the difference between each algorithm and the best of the others.

    low, high : float64[k], limits; high is 0 for algorithms that are shown to be worse than the best, and low is 0 for
        an algorithm that is shown to be the best
    tied : bool[k], True for algorithms that are not shown to be worse than the best
    """

    low: Floats
    high: Floats
    tied: Booleans


def holm(p_values: Floats) -> Floats:
    """Adjust p-values, float64[n], by Holm's method (Scandinavian Journal of Statistics 6, 1979)."""
    order = np.argsort(p_values, kind="stable")
    adjusted = np.empty(p_values.size)
    adjusted[order] = np.minimum(np.maximum.accumulate(np.arange(p_values.size, 0, -1) * p_values[order]), 1.0)
    return adjusted


def simultaneous(pairs: Pairs, adjustment: Adjustment, family: Booleans, confidence_level: float) -> Simultaneous:
    """Compute simultaneous intervals and adjusted p-values of a family of pairs, which agree at the level of the test.

    Parameters
    ----------
    family : bool[k, k], symmetric, which pairs are compared
    """
    low, high = pairs.limits(adjustment.level(confidence_level))
    low = np.where(family, low, np.nan)
    high = np.where(family, high, np.nan)
    has_limits = np.isfinite(low) | np.isfinite(high)
    separated = has_limits & ((low > 0.0) | (high < 0.0))
    p_value = np.where(has_limits, adjustment.p_values(pairs.p_value), np.nan)
    # Interpolated p-values may be inaccurate if the interval just reaches 0.
    alpha = round(1.0 - confidence_level, 12)
    p_value = np.where(separated, np.minimum(p_value, alpha), np.maximum(p_value, alpha * (1.0 + 1e-9)))
    return Simultaneous(low, high, p_value, separated)


def all_pairs(count: int) -> Booleans:
    """Return the family of all pairs of `count` algorithms, bool[count, count]."""
    return ~np.eye(count, dtype=bool)


def with_baseline(count: int, baseline: int) -> Booleans:
    """Return the family of comparisons with the algorithm with index `baseline`, bool[count, count]."""
    family = np.zeros((count, count), dtype=bool)
    family[baseline] = family[:, baseline] = True
    family[baseline, baseline] = False
    return family


def draws_for(comparisons: int) -> int:
    """Return the number of joint draws, which decreases from 20,000 to 2,000 with the number of comparisons."""
    return max(_FEWEST_DRAWS, min(_MOST_DRAWS, _ALL_DRAWS // comparisons))


def joint_tails(
    errors: npt.ArrayLike, degrees: npt.ArrayLike, seed: int = 0, draws: int | None = None, part: str = ""
) -> Floats:
    """Simulate one-sided p-values of all pairs of equal algorithms, float64[draws, pairs].

    The alternative of a pair x < y is that x is better.

    Parameters
    ----------
    errors, degrees : float64[k], standard errors of the estimates, and their degrees of freedom
    seed : seed of the draws
    draws : number of draws; by default, the result of `draws_for`
    part : name of the random stream, for several independent sets of draws
    """
    errors = np.asarray(errors, np.float64)
    degrees = np.asarray(degrees, np.float64)
    draws = draws or draws_for(errors.size * (errors.size - 1) // 2)
    return _joint_tails(tuple(errors.tolist()), tuple(degrees.tolist()), seed, draws, part)


@functools.lru_cache(maxsize=8)
def _joint_tails(errors: tuple[float, ...], degrees: tuple[float, ...], seed: int, draws: int, part: str) -> Floats:
    """Compute `joint_tails`, whose results are kept since several questions about a table need the same ones."""
    error_of, degrees_of = np.array(errors), np.array(degrees)
    x, y = np.triu_indices(error_of.size, 1)
    rng = np.random.default_rng(stream_key(seed, "multiple comparisons", error_of.size, *filter(None, [part])))
    noise, spread = np.empty((2, draws, error_of.size))
    order = np.lexsort((degrees_of, error_of))  # so that the draws do not depend on the order of the algorithms
    noise[:, order] = rng.standard_normal((draws, order.size)) * error_of[order]
    chi_square = rng.chisquare(degrees_of[order], (draws, order.size))
    spread[:, order] = np.sqrt(chi_square / degrees_of[order]) * error_of[order]
    error, freedom = difference_errors(spread[:, x], spread[:, y], degrees_of[x], degrees_of[y])
    behind = noise[:, y] - noise[:, x]
    certain = error <= 0.0
    tails = np.asarray(stdtr(freedom, np.where(certain, 0.0, behind / np.where(certain, 1.0, error))))
    tails.flags.writeable = False
    return tails


def joint_adjustment(tails: Sequence[Floats], family: Booleans) -> Adjustment:
    """Return the adjustment by joint draws; see the module docstring.

    Parameters
    ----------
    tails : results of `joint_tails`, one for each independent set of the same comparisons, such as each task
    family : bool[k, k], symmetric, which pairs are compared
    """
    compared = family[np.triu_indices(len(family), 1)]
    count = len(tails) * int(compared.sum())
    if count == 1:  # A single pair needs no draws.
        return Adjustment(1)
    smallest = np.full(len(tails[0]), 1.0)
    for one in tails:
        of_family = one[:, compared]
        smallest = np.minimum(smallest, 2.0 * np.minimum(of_family, 1.0 - of_family).min(axis=1))
    return Adjustment(count, np.sort(smallest))


def compare_estimates(
    pairs: Pairs, errors: npt.ArrayLike, degrees: npt.ArrayLike, confidence_level: float
) -> Simultaneous:
    """Compare all pairs of independent estimates, with joint draws.

    Parameters
    ----------
    pairs : result of `student_pairs`
    errors, degrees : float64[k], standard errors of the estimates, and their degrees of freedom
    """
    family = all_pairs(len(pairs.difference))
    tails = [] if len(pairs.difference) == 2 else [joint_tails(errors, degrees)]
    adjustment = joint_adjustment(tails, family) if tails else Adjustment(1)
    return simultaneous(pairs, adjustment, family, confidence_level)


def not_worse(pairs: Pairs, found: Simultaneous) -> Booleans:
    """Return True for algorithms that are not shown to be worse than any other, bool[k]."""
    return np.asarray(~(found.separated & (pairs.difference > 0.0)).any(axis=0))


def joint_level(tails: Floats, confidence_level: float) -> float:
    """Return the one-sided level of simultaneous Student's intervals of all pairs, from the result of `joint_tails`."""
    if tails.shape[1] == 1:
        return (1.0 - confidence_level) / 2.0
    return _quantile(np.sort(np.minimum(tails, 1.0 - tails).min(axis=1)), 1.0 - confidence_level)


def control_levels(tails: Floats | None, count: int, confidence_level: float) -> Floats:
    """Return the one-sided levels for comparing each algorithm, as the control, with all others, float64[k].

    Parameters
    ----------
    tails : result of `joint_tails`; if None, the levels are Bonferroni's
    count : number of algorithms
    """
    alpha = 1.0 - confidence_level
    if tails is None or count == 2:
        return np.full(count, alpha / (count - 1.0))
    x, y = np.triu_indices(count, 1)
    levels = np.empty(count)
    for control in range(count):
        # One-sided p-values; the alternative is that the other algorithm is better than the control.
        better = np.hstack([1.0 - tails[:, x == control], tails[:, y == control]])
        levels[control] = _quantile(np.sort(better.min(axis=1)), alpha)
    return levels


def _quantile(ascending: Floats, probability: float) -> float:
    """Return the draw of rank floor(`probability` * (n + 1)) of n ascending draws, or the smallest if the rank is 0."""
    return float(ascending[max(int(np.floor(probability * (len(ascending) + 1))) - 1, 0)])


def best_limits(pairs: Pairs, levels: Floats) -> BestLimits:
    """Compare each algorithm with the best of the others (Hsu 1996, section 4.2, for unequal errors).

    levels : result of `control_levels`
    """
    count = len(pairs.difference)
    diagonal = np.eye(count, dtype=bool)
    # Missing limits count as infinite.
    above = np.nan_to_num(pairs.limits(levels[:, None])[1], nan=np.inf)
    high = np.maximum(np.where(diagonal, np.inf, above).min(axis=1), 0.0)
    tied = high > 0.0
    low = np.minimum(np.where(diagonal | ~tied, np.inf, -above.T).min(axis=1), 0.0)
    return BestLimits(np.where(tied & (tied.sum() == 1), 0.0, low), high, tied)


def letters(apart: Booleans, order: Sequence[int]) -> list[str]:
    """Return a compact letter display, in which two algorithms share a letter if and only if they are not separated.

    The method is insert-and-absorb (Piepho, Journal of Computational and Graphical Statistics 13, 2004).

    Parameters
    ----------
    apart : bool[k, k], symmetric, True for separated pairs
    order : indices of the algorithms from best to worst; the best has the letter a

    Returns
    -------
    str for each algorithm; the letters after z are a1, b1, ...
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
    """Return leaderboard tiers, int64[k]: 1 if no algorithm is better, else 1 + the largest tier of the better ones.

    better : bool[k, k], True if the algorithm of the row is shown to be better than the algorithm of the column
    order : indices of the algorithms from best to worst
    """
    levels = np.ones(len(order), np.int64)
    for one in order:
        above = better[:, one]
        levels[one] = 1 + max(levels[above], default=0)
    return levels


def rank_limits(better: Booleans) -> tuple[Integers, Integers]:
    """Return the best and the worst possible rank of each algorithm, int64[k] each.

    The best rank is 1 + the number of algorithms that are shown to be better. The worst rank is k - the number of
    algorithms that are shown to be worse (Mogstad, Romano, Shaikh and Wilhelm, Review of Economic Studies 91, 2024).

    better : bool[k, k], True if the algorithm of the row is shown to be better than the algorithm of the column
    """
    return 1 + better.sum(axis=0), len(better) - better.sum(axis=1)
