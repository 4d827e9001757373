"""Scores of runs as people have them: a tidy table, or a dict of arrays; read and checked."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.columns import RUN
from surefoot.errors import HintedError
from surefoot.sources.checks import check_axes, curves_found
from surefoot.sources.given.arrays import (
    named_rows,
    pandas_table,
    refuse_bad_scores,
    table_of_arrays,
)
from surefoot.statistics.runs.tables import scores_of

COLUMNS = (*RUN, "score")


def read_scores(scores: pd.DataFrame | Mapping[str, Any], checked: bool = False) -> pd.DataFrame:
    """Read and check scores.

    Parameters
    ----------
    scores : a table with the columns algorithm, environment, run, score, one row per run (with a column episode too,
        the episodes of a run are averaged), or a dict {algorithm: array of runs x tasks, or, for a single task, one
        array of scores, or, where numbers of runs differ, a list of one array of scores a task}. Runs of arrays are
        numbered from 0, and so are tasks without names. The tasks of pandas or polars tables in a dict are matched by
        the names of their columns
    checked : the axes are as they should be, even if they do not look so; see `check_axes`

    Returns
    -------
    columns algorithm, environment, run, score, one row per run; names of algorithms and tasks are texts, and tasks of
    arrays that do not name them are numbers

    Raises
    ------
    ValueError : a column or a name is missing; two names are written alike; there are no scores; a score, or that of
        an episode, is not a finite number; a score is masked, complex or so great that statistics of it overflow; a run
        occurs twice; an algorithm lacks a task; a list whose members, as many scores each, may be runs or tasks; the
        axes look swapped, or rows look like episodes of the same runs, as far as this can be seen
    """
    scores = pandas_table(scores)
    transposed = None
    if isinstance(scores, pd.DataFrame):
        table = _from_table(scores)
    elif isinstance(scores, Mapping) and scores:
        table = table_of_arrays("scores", scores, "runs x tasks")
        transposed = "rows are runs and columns are tasks, so transpose the array"
    else:
        what = "an empty dict" if isinstance(scores, Mapping) else f"a {type(scores).__name__}"
        hint = f"a pandas table with the columns {', '.join(COLUMNS)}, or a dict {{algorithm: array of runs x tasks}}"
        raise HintedError("scores", what, hint)
    refuse_bad_scores("scores", table)
    if not checked:
        columns = {algorithm: scores_of(table, algorithm) for algorithm in table["algorithm"].unique()}
        for algorithm, own in columns.items():
            check_axes("scores", algorithm, own, transposed, everything=[*columns.values()])
    return table


def _from_table(table: pd.DataFrame) -> pd.DataFrame:
    table = named_rows("scores", table, COLUMNS[:3], COLUMNS[3:])
    if found := curves_found(table, table):
        hint = "surefoot.scores_of_curves(table) makes a score of each; surefoot.sample_efficiency takes curves"
        raise HintedError("scores", found, hint)
    keys = [*RUN, "episode"] if "episode" in table.columns else list(RUN)
    for row in table[table.duplicated(keys, keep=False)][:1].to_dict("records"):
        count = int((table[keys] == [row[key] for key in keys]).all(axis=1).sum())
        what = f"{row['algorithm']} in {row['environment']}: run {row['run']} occurs {count} times"
        hint = "a run is one training; where these are its episodes, number them in a column episode: they are averaged"
        raise HintedError("scores", what, hint)
    if "episode" in table.columns:
        # A mean would leave a missing score out, which is often that of a run that failed.
        refuse_bad_scores("scores", table)
        table = table.groupby(keys[:3], sort=False, observed=True)["score"].mean().reset_index()
    return table[list(COLUMNS)]
