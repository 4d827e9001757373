"""What cells, the runs of an algorithm in an environment, lack: none, or only one; in words."""

from collections.abc import Sequence

import pandas as pd

from surefoot.errors import listed

_LISTED = 5


def left_out(given: pd.DataFrame, kept: pd.DataFrame) -> list[str]:
    """A sentence for the algorithms, and one for the environments, that are left out of a comparison.

    Parameters
    ----------
    given, kept : runs with columns algorithm and environment, before and after some were left out
    """
    sentences = []
    for column, other, lack in (("algorithm", "environment", "no run in"), ("environment", "algorithm", "no run of")):
        gone = [name for name in given[column].unique() if name not in set(kept[column])]
        cells = pd.crosstab(given[column], given[other])
        if gone:
            why = [f"{name} ({lack} {_lacking(cells.loc[name])})" for name in gone]
            sentences.append(f"Left out, since runs are missing: {listed(why, _LISTED)}.")
    return sentences


def single_runs(runs: pd.DataFrame) -> str:
    """What cannot be said of algorithms that have one run in each environment; "" where all have several somewhere.

    Parameters
    ----------
    runs : columns algorithm and environment, one row for each run
    """
    most = runs.groupby(["algorithm", "environment"], sort=False).size().groupby("algorithm", sort=False).max()
    single = [str(name) for name in most.index[most == 1]]
    if not single:
        return ""
    has = "has" if len(single) == 1 else "have"
    who = "Each algorithm has" if len(single) == len(most) else f"{listed(single, _LISTED)} {has}"
    return (
        f"{who} a single run (seed) in each environment. A second one might score quite differently, and single runs "
        "cannot show by how much: there are no intervals here, and no difference between algorithms is more than a "
        "difference between runs."
    )


def _lacking(counts: pd.Series) -> str:
    names: Sequence[str] = [str(name) for name in counts.index[counts == 0]]
    return listed(names, _LISTED) if names else "some environments once short runs are dropped"
