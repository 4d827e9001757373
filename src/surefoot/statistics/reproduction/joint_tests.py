"""Joint tests of all differences between published numbers and ours in a group.

Single differences are judged with a wide tolerance, so that few of many are wrongly found to differ. Smaller deviations
may still be visible in all differences together. If the published numbers and ours have the same true values, the
z-scores of independent samples (differences divided by their standard errors) are standard normal. Three tests detect
three kinds of deviation:

mean
    All numbers are too high, or too low. The statistic is sqrt(n) times the mean of z, which is normal.
spread
    Numbers deviate in both directions. The statistic is the sum of the squares of z, which is chi-squared with n
    degrees of freedom. Too small a spread is not detected, since standard errors may be upper bounds.
factor
    All numbers are multiplied by the same factor. The differences are regressed on the published numbers by weighted
    least squares through the origin, and the statistic is the coefficient divided by its standard error, which is
    normal. Precise rows dominate it, so it can detect a bias of one percent that the mean of z misses.

If differences share errors, for example because agents played the same tasks, these tests do not keep their level. Both
tests of `shared_error_tests` keep it for any nonnegative correlation that is constant within a group.
"""

from collections.abc import Hashable, Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import chdtrc, ndtr
from scipy.stats import kstest, ncx2

from surefoot.statistics.arrays import Floats

LEVEL = 0.01
"""Probability that any test of a result of `joint_tests` detects a deviation by chance."""

ALL = "all"
"""Name of the group of all rows."""


def joint_tests(table: pd.DataFrame, groups: pd.Series | list[Hashable]) -> pd.DataFrame:
    """Compute the three tests for each group of at least two differences, and for all rows together.

    Parameters
    ----------
    table : columns published, ours, standard_error, z. Rows without z are left out. Rows of a group with equal
        published, ours and standard_error count once, since they are one sample under several names
    groups : the group of each row

    Returns
    -------
    columns group, test, count (of differences), statistic (z for the mean and the factor, the sum of squares for the
    spread), estimate (mean of z, standard deviation of z about 0, or factor by which ours is greater, minus 1),
    p_value, noticed (True if p_value is below `LEVEL` divided by the number of tests)
    """
    table = table.assign(group=np.asarray(groups, object))[table["z"].notna().to_numpy()]
    table = table.drop_duplicates(["group", "published", "ours", "standard_error"])
    numbers = table[["published", "standard_error", "z"]].to_numpy(float)
    places = table.groupby("group", sort=False).indices
    sets = [(name, numbers[rows]) for name, rows in places.items() if len(rows) > 1]
    if len(sets) > 1:
        sets.append((ALL, numbers))
    results = [row for name, rows in sets for row in _tests(name, rows)]
    result = pd.DataFrame(results, columns=_Test._fields).rename(columns={"n_differences": "count"})
    return result.assign(noticed=result["p_value"] < LEVEL / max(len(result), 1))


def joint_summary(z: pd.Series, groups: pd.Series) -> pd.DataFrame:
    """Summarize z-scores, which are standard normal if there are no true differences.

    Parameters
    ----------
    z : differences divided by their standard errors; missing values are left out
    groups : the group of each difference; missing for differences without a group

    Returns
    -------
    columns group, count, negative (number of negative values), mean, deviation (standard deviation) and p_value (of the
    Kolmogorov-Smirnov test against the standard normal distribution). The p-value is only approximate if differences
    share samples
    """
    parts = z.dropna().groupby(groups, sort=False)
    counts = {"count": "size", "negative": lambda part: int((part < 0).sum()), "mean": "mean", "deviation": "std"}
    table = parts.agg(**counts, p_value=lambda part: kstest(part, "norm").pvalue)
    return table.rename_axis("group").reset_index()


class _Test(NamedTuple):
    """One test of one group.

    The fields are columns of `joint_tests`; `n_differences` is its column `count`, which is a method of tuples.
    """

    group: str
    test: str
    n_differences: int
    statistic: float
    estimate: float
    p_value: float


def _tests(name: str, rows: Floats) -> Iterator[_Test]:
    """Yield the tests of one group; the columns of `rows` are published, standard error and z."""
    published, error, z = rows.T
    count = len(z)
    shift = z.mean() * np.sqrt(count)
    yield _Test(name, "mean", count, shift, z.mean(), 2.0 * ndtr(-abs(shift)))
    squares = float(z @ z)
    yield _Test(name, "spread", count, squares, np.sqrt(squares / count), chdtrc(count, squares))
    scaled = published / error
    precision = float(scaled @ scaled)
    if precision > 0:
        factor = float(scaled @ z) / precision
        statistic = factor * np.sqrt(precision)
        yield _Test(name, "factor", count, statistic, factor, 2.0 * ndtr(-abs(statistic)))


def shared_error_tests(differences: pd.DataFrame) -> pd.DataFrame:
    """Test the mean and the scatter of the z-scores in each group, allowing for errors that are shared within a group.

    The mean of equally correlated standard normal variates has a variance of at most 1, so p_mean uses the distribution
    of a single normal variate. It is two-sided, and the expected mean may be anywhere from minus the mean of `raised`
    to 0. The sum of squares around the mean is (1 - correlation) times a chi-squared variate with count - 1 degrees of
    freedom, which is noncentral if the expected z differ. p_scatter is one-sided, and uses a correlation of 0 and the
    greatest possible noncentrality, count max(raised)^2 / 4 (Popoviciu's inequality).

    Parameters
    ----------
    differences : columns group, z (difference divided by its standard error) and raised (how far below 0 the expected z
        may be, for example because the published number is the greatest of several; otherwise 0)

    Returns
    -------
    columns group, count, mean, p_mean, scatter (standard deviation of z; NaN for one difference), p_scatter (1 for one
    difference), in the order of the groups
    """
    parts = {"count": ("z", "size"), "mean": ("z", "mean"), "scatter": ("z", "std")}
    groups = differences.groupby("group", sort=False)
    table = groups.agg(**parts, raised=("raised", "mean"), most=("raised", "max")).reset_index()
    beyond = np.maximum(np.maximum(table["mean"], -table["mean"] - table.pop("raised")), 0.0)
    freedom = table["count"] - 1.0
    shift = table["count"] * table.pop("most") ** 2 / 4.0
    tail = ncx2.sf(freedom * table["scatter"] ** 2, freedom, shift)
    table = table.assign(p_mean=2.0 * ndtr(-beyond), p_scatter=np.where(freedom > 0, tail, 1.0))
    return table[["group", "count", "mean", "p_mean", "scatter", "p_scatter"]]
