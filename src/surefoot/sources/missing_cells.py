"""Which algorithms or environments a policy for missing cells has left out, in words."""

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


def _lacking(counts: pd.Series) -> str:
    names: Sequence[str] = [str(name) for name in counts.index[counts == 0]]
    return listed(names, _LISTED) if names else "some environments once short runs are dropped"
