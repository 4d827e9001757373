"""Scores along the training as people have them: a tidy table, or a dict of arrays; read and checked."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.sources.checks import check_axes
from surefoot.sources.given.arrays import (
    named_rows,
    pandas_table,
    refuse_bad_scores,
    table_of_arrays,
)
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.tables import curves_of, step_column

COLUMNS = ("algorithm", "environment", "run", "step", "score")


def read_curves(curves: pd.DataFrame | Mapping[str, Any], checked: bool = False) -> pd.DataFrame:
    """Read and check scores along the training.

    Parameters
    ----------
    curves : a table with the columns algorithm, environment, run, step (or frames), score, or a dict {algorithm: array
        of runs x tasks x steps, or, where numbers of runs differ, a list of one array of runs x steps a task}; all runs
        have the same steps. Runs, steps, and tasks without names are numbered from 0 in arrays
    checked : the axes are as they should be, even if they do not look so; see `check_axes`, which is asked about the
        means of the runs over their steps

    Returns
    -------
    columns algorithm, environment, run, step (or frames), score; names of algorithms and tasks are texts

    Raises
    ------
    ValueError : a column or a name is missing; two names are written alike; there are no scores; a score is not a
        finite number; runs that lack a step or have it twice; an algorithm that lacks a task; every task has one run;
        the axes look swapped, or rows look like episodes of the same runs, as far as this can be seen
    """
    curves = pandas_table(curves)
    transposed = None
    if isinstance(curves, pd.DataFrame):
        table = _from_table(curves)
    elif isinstance(curves, Mapping) and curves:
        table = table_of_arrays("curves", curves, "runs x tasks x steps")
        transposed = "rows are runs and the second axis is tasks, so swap the first two axes"
    else:
        what = "an empty dict" if isinstance(curves, Mapping) else f"a {type(curves).__name__}"
        hint = f"a pandas table with the columns {', '.join(COLUMNS)}, or {{algorithm: array of runs x tasks x steps}}"
        raise HintedError("curves", what, hint)
    refuse_bad_scores("curves", table)
    means: dict[str, list[Floats]] = {}
    for name in table["algorithm"].unique():
        by_task = curves_of(table, name)[1]
        if max(len(runs) for runs in by_task) == 1:
            what = f"{name} has one run of each of {len(by_task)} tasks, which cannot be resampled"
            raise HintedError("curves", what, "several runs of a single task are array[:, None, :]; else collect more")
        means[name] = [runs.mean(axis=1) for runs in by_task]
    if not checked:
        for name, columns in means.items():
            check_axes("curves", name, columns, transposed, everything=[*means.values()])
    return table


def at_steps(table: pd.DataFrame, steps: Any) -> pd.DataFrame:
    """The table of arrays, whose steps are numbered, at these steps.

    Raises
    ------
    ValueError : other numbers of steps, or steps that do not ascend
    """
    given, count = np.asarray(steps), table[step_column(table)].nunique()
    if given.shape != (count,) or given.dtype.kind not in "iuf" or (np.diff(given) <= 0).any():
        what = f"{given.size} values, which do not ascend or are not as many as the {count} steps of the curves"
        raise HintedError("steps", what, f"{count} ascending numbers, such as numpy.arange({count}) * 1000")
    axis = step_column(table)
    return table.assign(**{axis: given[np.searchsorted(np.unique(table[axis]), table[axis])]})


def _from_table(table: pd.DataFrame) -> pd.DataFrame:
    axis = step_column(table)
    columns = [axis if name == "step" else name for name in COLUMNS]
    table = named_rows("curves", table, columns[:3], columns[3:])[columns]
    if (table[axis] % 1 == 0).all():
        table[axis] = table[axis].astype(np.int64)
    for row in table[table.duplicated(columns[:4])][:1].to_dict("records"):
        what = f"{row['algorithm']} in {row['environment']}: run {row['run']} has step {row[axis]} twice"
        raise HintedError("curves", what, "average the episodes of a step first")
    wide = table.pivot(index=["algorithm", "environment", "run"], columns=axis, values="score")
    for (name, task, run), scores in wide[wide.isna().any(axis=1)][:1].iterrows():
        what = f"{name} in {task}: run {run} has no score at step {scores.index[scores.isna()][0]}"
        hint = "put all runs on the same steps; a run that stopped early may carry its last score forward"
        raise HintedError("curves", what, hint)
    return table
