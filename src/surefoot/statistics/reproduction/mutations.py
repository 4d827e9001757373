"""Mutation check of a comparison with published numbers: would it notice a fault?

Faults are put into our numbers on purpose, and the comparison is made again. A comparison that notices few of them
cannot be trusted when it says that all is well; one that notices another seed raises false alarms.
"""

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

from surefoot.statistics.reproduction.joint_tests import joint_tests
from surefoot.streams import stream_key, uniforms

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
