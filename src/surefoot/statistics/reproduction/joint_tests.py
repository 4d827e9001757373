"""Joint tests of all differences of a group, which find what no single row shows.

Under the hypothesis that both sides have the same true values, the differences z in standard errors of independent
samples are standard normal. Three tests ask for three ways to be otherwise:

mean
    all numbers are too high, or too low: sqrt(n) times the mean of z, normal.
spread
    numbers are off in both directions: the sum of the squares of z, chi-squared with n degrees of freedom. Too small a
    spread is not noticed, since standard errors may be upper bounds.
factor
    all numbers are multiplied by the same number: the coefficient of published numbers in the differences, by weighted
    least squares through the origin, over its standard error; normal. Precise rows decide it, so it finds a bias of one
    per cent that the mean of z does not.

Where errors are shared, such as of agents that played the same tasks, these tests do not hold their level, and
`shared_error_tests` do. Each difference alone is judged with a wide tolerance, so that few of many are wrongly called
different; what that leaves undetected shows in all of them together. Differences of one group share part of their
error, and how much is not known: both tests hold their level for any correlation of zero or more that is the same
within a group.

Mutation check of a comparison with published numbers: would it notice a fault?

Faults are put into our numbers on purpose, and the comparison is made again. A comparison that notices few of them
cannot be trusted when it says that all is well; one that notices another seed raises false alarms.
"""

from collections.abc import Callable, Hashable, Iterator

import numpy as np
import pandas as pd
from scipy.special import chdtrc, ndtr, ndtri
from scipy.stats import chi2, ncx2, norm

from surefoot.statistics.arrays import Floats
from surefoot.streams import stream_key, uniforms

LEVEL = 0.01
"""Probability that a table of joint tests notices something where there is nothing, shared by all its tests."""

ALL = "all"
"""Name of the group of all rows."""


def joint_tests(table: pd.DataFrame, groups: pd.Series | list[Hashable]) -> pd.DataFrame:
    """The three tests of each group, and of all rows together.

    Parameters
    ----------
    table : columns published, ours, standard_error, z; rows without z are left out. Rows that are one sample under two
        names (equal in published, ours and standard_error, in one group) count once
    groups : the group of each row

    Returns
    -------
    columns group, test, count (independent differences), statistic (z for the mean and the factor, the sum of squares
    for the spread), estimate (mean of z, standard deviation of z about 0, or factor by which ours is greater, minus 1),
    p_value, noticed (p_value below LEVEL over the number of tests). No rows for groups of fewer than two differences
    """
    table = table.assign(group=np.asarray(groups, object))[table["z"].notna().to_numpy()]
    table = table.drop_duplicates(["group", "published", "ours", "standard_error"])
    numbers = table[["published", "standard_error", "z"]].to_numpy(float)
    places = table.groupby("group", sort=False).indices
    sets = [(name, numbers[rows]) for name, rows in places.items() if len(rows) > 1]
    if len(sets) > 1:
        sets.append((ALL, numbers))
    found = [row for name, rows in sets for row in _tests(name, rows)]
    columns = ["group", "test", "count", "statistic", "estimate", "p_value"]
    result = pd.DataFrame(found, columns=columns)
    return result.assign(noticed=result["p_value"] < LEVEL / max(len(result), 1))


def _tests(name: str, rows: Floats) -> Iterator[tuple[str, str, int, float, float, float]]:
    """Rows of the three tests; `rows` is float64[n, 3]: published, standard error and z."""
    published, error, z = rows.T
    count = len(z)
    shift = z.mean() * np.sqrt(count)
    yield name, "mean", count, shift, z.mean(), 2.0 * ndtr(-abs(shift))
    squares = float(z @ z)
    yield name, "spread", count, squares, np.sqrt(squares / count), chdtrc(count, squares)
    scaled = published / error
    precision = float(scaled @ scaled)
    if precision > 0:
        factor = float(scaled @ z) / precision
        statistic = factor * np.sqrt(precision)
        yield name, "factor", count, statistic, factor, 2.0 * ndtr(-abs(statistic))


def shared_error_tests(differences: pd.DataFrame) -> pd.DataFrame:
    """Two tests for each group of standardised differences: of their mean, and of their scatter around it.

    Parameters
    ----------
    differences : columns group, z (difference in its standard error) and raised (how much less than 0 the expected z
        may be, such as where the published number is the greatest of several; 0 where nothing raised it)

    Returns
    -------
    columns group, count, mean, p_mean, scatter (standard deviation around the mean; NaN for one difference), p_scatter
    (1 for one difference), in the order of the groups.

    The mean of equally correlated standard normal numbers has a variance of at most 1, however many they are, so p_mean
    is that of a single normal number; it is two-sided, with the expected mean anywhere from minus the mean of `raised`
    to 0. The sum of squares around the mean is (1 - correlation) times a chi-squared number of count - 1 degrees of
    freedom, not central where `raised` may differ; p_scatter, one-sided, takes the correlation for 0 and the
    non-centrality for the greatest that is possible, count max(raised)^2 / 4 (Popoviciu's inequality).
    """
    rows = []
    for group, part in differences.groupby("group", sort=False):
        z, raised = part["z"].to_numpy(float), part["raised"].to_numpy(float)
        beyond = max(z.mean(), -z.mean() - raised.mean(), 0.0)
        row = {"group": group, "count": z.size, "mean": z.mean(), "p_mean": 2.0 * norm.sf(beyond)}
        row |= {"scatter": np.nan, "p_scatter": 1.0}
        if z.size > 1:
            squares, freedom = ((z - z.mean()) ** 2).sum(), z.size - 1
            shift = z.size * raised.max() ** 2 / 4.0
            tail = ncx2.sf(squares, freedom, shift) if shift > 0 else chi2.sf(squares, freedom)
            row |= {"scatter": z.std(ddof=1), "p_scatter": float(tail)}
        rows.append(row)
    return pd.DataFrame(rows, columns=["group", "count", "mean", "p_mean", "scatter", "p_scatter"])


BROKEN = -1e5
"""Score of a broken run."""

FACTORS = (1.01, 1.02, 1.05, 1.10)
SHARES = (0.01, 0.05)
COLUMNS = ("study", "mutation", "rows", "noticed_rows", "joint_tests", "noticed_joint", "any_noticed", "repeats")
UNCHANGED, OTHER_SEED = "none", "another seed"
CELL_ERRORS = (0.01, 0.02, 0.05, 0.10, 0.20, 0.50)
POWER = 0.9


def mutation_table(
    study: str,
    published: pd.DataFrame,
    ours: pd.DataFrame,
    judge: Callable[[pd.DataFrame], pd.DataFrame],
    groups: pd.Series,
    seed: int = 0,
    repeats: int = 100,
) -> pd.DataFrame:
    """How many rows and joint tests notice each mutation of our averages of runs.

    A paper prepares the arguments from its published numbers and its record.

    Parameters
    ----------
    study : its name, for the column
    published : columns item, published and runs
    ours : columns item, ours, standard_error and runs, a row an average of runs (mean returns, no claims)
    judge : makes the comparison, with the columns of `reproduction.comparison.compare`, of a table such as `ours`. It
        derives all that depends on our numbers, such as spreads and tolerances, from its argument
    groups : the group of each item, such as its environment, by item: for the joint tests, and in each group the two
        best algorithms are exchanged
    seed, repeats : of the false alarms

    Returns
    -------
    columns study; mutation; rows (compared); noticed_rows (of them, neither reproduced nor limited); joint_tests
    and noticed_joint; any_noticed (share of the repeats in which a row or a joint test noticed something); repeats. For
    "another seed", under which our numbers are drawn anew from what both sides say of the true ones (normal, and so
    exact for many runs alone), noticed_rows and noticed_joint are means over the repeats: false alarms
    """
    ours = ours[ours["item"].isin(published["item"])].reset_index(drop=True)
    group = ours["item"].map(groups)
    found = []

    def noticed(mutated: pd.DataFrame) -> tuple[int, int, int, int]:
        table = judge(mutated)
        beyond = ~table["verdict"].isin(("reproduced", "limited"))
        joint = joint_tests(table, table["item"].map(groups))
        return len(table), int(beyond.sum()), len(joint), int(joint["noticed"].sum())

    for name, mutated in _mutations(published, ours, group):
        rows, beyond, tests, joint = noticed(mutated)
        found.append((study, name, rows, float(beyond), tests, float(joint), float(beyond + joint > 0), 1))
    counts = np.array([noticed(fresh) for fresh in _fresh(study, published, ours, seed, repeats)], float)
    rows, beyond, tests, joint = counts.mean(axis=0)
    alarms = float((counts[:, 1] + counts[:, 3] > 0).mean())
    found.append((study, OTHER_SEED, int(rows), beyond, int(tests), joint, alarms, repeats))
    return pd.DataFrame(found, columns=COLUMNS)


def one_wrong_cell(
    published: pd.DataFrame, ours: pd.DataFrame, judge: Callable[[pd.DataFrame], pd.DataFrame]
) -> pd.DataFrame:
    """In how many rows the comparison would notice that this one number alone is wrong, by the size of its error.

    A row notices it with a probability of `POWER` or more, where both numbers are right but for the error and have the
    standard errors of the record (normal). The joint tests are for errors of many rows, and left out.

    Parameters
    ----------
    as of `mutation_table`

    Returns
    -------
    columns error (of the number, as a fraction of it), rows (compared), noticed_rows
    """
    table = judge(ours[ours["item"].isin(published["item"])].reset_index(drop=True))
    error, tolerance = table["standard_error"].to_numpy(float), table["tolerance"].to_numpy(float)
    found = []
    for size in CELL_ERRORS:
        shift = size * table["published"].abs().to_numpy(float)
        power = ndtr((shift - tolerance) / error) + ndtr((-shift - tolerance) / error)
        found.append((size, len(table), int((power >= POWER).sum())))
    return pd.DataFrame(found, columns=["error", "rows", "noticed_rows"])


def _mutations(published: pd.DataFrame, ours: pd.DataFrame, group: pd.Series) -> Iterator[tuple[str, pd.DataFrame]]:
    yield UNCHANGED, ours
    for factor in FACTORS:
        yield f"times {factor:.2f}", _scaled(ours, factor)
    for share in SHARES:
        yield f"{100 * share:g} % of runs broken", broken(ours, share)
    yield "two best exchanged", exchanged(published, ours, group)


def _scaled(ours: pd.DataFrame, factor: float) -> pd.DataFrame:
    return ours.assign(ours=factor * ours["ours"], standard_error=abs(factor) * ours["standard_error"])


def broken(ours: pd.DataFrame, share: float, score: float = BROKEN) -> pd.DataFrame:
    """The averages and standard errors when that share of the runs, at least one, has the score of a broken run."""
    count = np.maximum(1.0, np.round(share * ours["runs"]))
    share = count / ours["runs"]
    mean = (1.0 - share) * ours["ours"] + share * score
    variance = ours["standard_error"] ** 2 * ours["runs"]
    mixed = (1.0 - share) * (variance + (ours["ours"] - mean) ** 2) + share * (score - mean) ** 2
    return ours.assign(ours=mean, standard_error=np.sqrt(mixed / ours["runs"]))


def exchanged(published: pd.DataFrame, ours: pd.DataFrame, group: pd.Series) -> pd.DataFrame:
    """In each group, the numbers of the two best items exchanged; of two names of one sample, one takes part."""
    printed = ours["item"].map(published.set_index("item")["published"])
    result, columns = ours.copy(), ["ours", "standard_error", "runs"]
    for rows in printed.groupby(group, sort=False).groups.values():
        best = ours.loc[printed[rows].sort_values(ascending=False, kind="stable").index]
        best = best.drop_duplicates(columns).index[:2]
        if len(best) == 2:
            result.loc[best, columns] = ours.loc[best[::-1], columns].to_numpy()
    return result


def _fresh(study: str, published: pd.DataFrame, ours: pd.DataFrame, seed: int, repeats: int) -> Iterator[pd.DataFrame]:
    """Our averages from other seeds: the true value is drawn from its distribution given both numbers, which have one
    standard deviation, and ours from that given the true value. Two names of one sample stay equal."""
    known = published.set_index("item")
    printed, behind = (ours["item"].map(known[name]).to_numpy(float) for name in ("published", "runs"))
    value, error, runs = (ours[name].to_numpy(float) for name in ("ours", "standard_error", "runs"))
    deviation = error * np.sqrt(runs)
    centre = (runs * value + behind * printed) / (runs + behind)
    spread = deviation * np.sqrt(1.0 / (runs + behind) + 1.0 / runs)
    samples = ours.groupby([printed, value, error], sort=False).ngroup().to_numpy()
    key = stream_key(seed, "mutations", study)
    for repeat in range(repeats):
        drawn = ndtri(uniforms(key, repeat, samples.max() + 1))
        yield ours.assign(ours=centre + spread * drawn[samples])
