"""How many runs of what a study has, counted in the tables that its sources made."""

from collections.abc import Mapping
from typing import NamedTuple

import pandas as pd

_NEEDED = ("algorithm", "environment", "run")


class CountedRuns(NamedTuple):
    """What a table of runs holds.

    algorithms, environments : names, in the order of the table
    fewest, most : runs of an algorithm in an environment
    total : runs in all
    """

    algorithms: list[str]
    environments: list[str]
    fewest: int
    most: int
    total: int


def counted_runs(tables: Mapping[str, pd.DataFrame]) -> CountedRuns | None:
    """The runs of the first of some tables that has runs; None where none has."""
    for table in tables.values():
        if {*_NEEDED} <= set(table.columns) and len(table):
            runs = table.drop_duplicates([*_NEEDED]).groupby(["algorithm", "environment"], observed=True).size()
            names = (list(dict.fromkeys(map(str, table[key]))) for key in ("algorithm", "environment"))
            algorithms, environments = names
            return CountedRuns(algorithms, environments, int(runs.min()), int(runs.max()), int(runs.sum()))
    return None
