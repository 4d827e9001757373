"""Simultaneous intervals of the differences between several algorithms in one metric.

Whether two intervals overlap is no test of their difference: two 95 % intervals that just touch belong to a difference
that is far beyond the 5 % level (Schenker and Gentleman, The American Statistician 55, 2001). The interval of the
difference x - y is (value of x) - (value of y) -+ q s, with

s : sqrt(s_x^2 + s_y^2), the standard errors of both, which are independent where runs are
q : the quantile of Student's distribution at 1 - (1 - confidence) / (2 P) for P pairs (Bonferroni: all P intervals hold
    together with at least the confidence, however they depend on each other), with the degrees of freedom of
    s^2 = s_x^2 + s_y^2: (s_x^2 + s_y^2)^2 / (s_x^4 / (n_x + 2) + s_y^4 / (n_y + 2)) - 2 for those of both, n_x and n_y
    (Welch, Biometrika 34, 1947, as in `jackknife.spread_of_few_runs`), and at least the smaller of the two
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from surefoot.statistics.arrays import Floats, Integers
from surefoot.statistics.choices import check_confidence


class PairwiseDifferences(NamedTuple):
    """Differences of all pairs, one entry each: pair p is of the algorithms x[p] < y[p].

    value, standard_error, low, high : float64[pairs], in units of the metric
    degrees : float64[pairs], of freedom of the standard error
    """

    x: Integers
    y: Integers
    value: Floats
    standard_error: Floats
    degrees: Floats
    low: Floats
    high: Floats


def pairwise_differences(
    values: npt.ArrayLike, standard_errors: npt.ArrayLike, degrees: npt.ArrayLike, confidence: float = 0.95
) -> PairwiseDifferences:
    """Differences between all pairs of algorithms, x - y, with intervals that hold together.

    Parameters
    ----------
    values : float64[algorithms], of the metric
    standard_errors : float64[algorithms], of the values
    degrees : float64[algorithms], of freedom of the standard errors
    confidence : that all intervals hold, between 0 and 1

    Raises
    ------
    ValueError : a confidence outside (0, 1)
    """
    check_confidence("pairwise_differences", confidence)
    values, errors, freedom = (np.asarray(one, np.float64) for one in (values, standard_errors, degrees))
    pairs = np.array(list(combinations(range(values.size), 2)), np.int64).reshape(-1, 2)
    x, y = pairs.T
    error, together = difference_errors(errors[x], errors[y], freedom[x], freedom[y])
    reach = stdtrit(together, 1.0 - (1.0 - confidence) / (2.0 * max(len(pairs), 1)))
    value = values[x] - values[y]
    return PairwiseDifferences(x, y, value, error, together, value - reach * error, value + reach * error)


def difference_errors(error_x: Floats, error_y: Floats, degrees_x: Floats, degrees_y: Floats) -> tuple[Floats, Floats]:
    """(standard errors, degrees of freedom) of differences, arrays of the shape of those of both sides."""
    # Squares of very small errors leave the range of a double, and only their ratio counts.
    greatest = np.maximum(np.maximum(error_x, error_y), np.finfo(np.float64).tiny)
    parts_x, parts_y = (error_x / greatest) ** 2, (error_y / greatest) ** 2
    fewest = np.minimum(degrees_x, degrees_y)
    weighted = parts_x**2 / (degrees_x + 2.0) + parts_y**2 / (degrees_y + 2.0)
    known = np.where(weighted > 0.0, (parts_x + parts_y) ** 2 / np.where(weighted > 0.0, weighted, 1.0) - 2.0, fewest)
    return np.sqrt(parts_x + parts_y) * greatest, np.maximum(known, fewest)
