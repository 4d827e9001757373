"""Published means as people have them: a table with the mean score, its standard deviation and the number of runs."""

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.sources.given.columns import numbers, refuse_missing_columns, refuse_missing_names, refuse_missing_tasks
from surefoot.sources.given.labelled_arrays import pandas_table

COLUMNS = ("algorithm", "environment", "score", "deviation", "runs")


def read_means(means: pd.DataFrame, checked: bool = False) -> pd.DataFrame:
    """Read and check published means.

    Parameters
    ----------
    means : a table with the columns algorithm, environment, score (the mean of the runs), deviation (their standard
        deviation) and runs (how many), one row per algorithm and task
    checked : changes nothing, since means have no axes that could be swapped

    Raises
    ------
    ValueError : not a table; a column or a name is missing; a number is not finite; a row occurs twice; an algorithm
        lacks a task; fewer than two runs, or a negative deviation
    """
    table = pandas_table(means)
    if not isinstance(table, pd.DataFrame):
        raise HintedError("means", f"a {type(means).__name__}", f"a pandas table with the columns {', '.join(COLUMNS)}")
    refuse_missing_columns("means", table, COLUMNS)
    refuse_missing_names("means", table, COLUMNS[:2])
    table = table.assign(**{name: numbers("means", table[name]) for name in COLUMNS[2:]})
    table = table.astype({"algorithm": str, "environment": str})[list(COLUMNS)].reset_index(drop=True)
    _refuse(table, ~np.isfinite(table[list(COLUMNS[2:])]).all(axis=1), "a number that is not finite", "drop the row")
    _refuse(table, table["deviation"] < 0, "a negative deviation", "the standard deviation of the runs")
    _refuse(table, table["runs"] < 2, "fewer than two runs", "a deviation needs two runs or more")
    _refuse(table, table.duplicated(["algorithm", "environment"]), "a second row", "one row per algorithm and task")
    refuse_missing_tasks("means", table)
    return table


def _refuse(table: pd.DataFrame, bad: pd.Series, what: str, hint: str) -> None:
    for row in table[bad][:1].itertuples():
        raise HintedError("means", f"{row.algorithm} in {row.environment} has {what}", hint)
