"""Scores of runs, and scores along the training, as people have them: a tidy table, or a dict of arrays; read and
checked."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
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
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.tables import curves_of, scores_of, step_column

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
    table, transposed = _read("scores", scores, COLUMNS, "runs x tasks", _from_table)
    if not checked:
        _check("scores", {name: scores_of(table, name) for name in table["algorithm"].unique()}, transposed)
    return table


def _read(
    what: str, given: Any, columns: Sequence[str], axes: str, from_table: Callable[[pd.DataFrame], pd.DataFrame]
) -> tuple[pd.DataFrame, str | None]:
    """The rows of a table or of arrays, and the hint where the axes of arrays look swapped."""
    given, transposed = pandas_table(given), None
    if isinstance(given, pd.DataFrame):
        table = from_table(given)
    elif isinstance(given, Mapping) and given:
        table = table_of_arrays(what, given, axes)
        transposed = f"arrays are {axes}, so swap the first two axes (transpose)"
    else:
        kind = "an empty dict" if isinstance(given, Mapping) else f"a {type(given).__name__}"
        hint = f"a pandas table with the columns {', '.join(columns)}, or a dict {{algorithm: array of {axes}}}"
        raise HintedError(what, kind, hint)
    refuse_bad_scores(what, table)
    return table, transposed


def _check(what: str, columns: Mapping[str, list[Floats]], transposed: str | None) -> None:
    for name, by_task in columns.items():
        check_axes(what, name, by_task, transposed, everything=[*columns.values()])


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


CURVE_COLUMNS = ("algorithm", "environment", "run", "step", "score")


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
    table, transposed = _read("curves", curves, CURVE_COLUMNS, "runs x tasks x steps", _curves_from_table)
    means: dict[str, list[Floats]] = {}
    for name in table["algorithm"].unique():
        by_task = curves_of(table, name)[1]
        if max(len(runs) for runs in by_task) == 1:
            what = f"{name} has one run of each of {len(by_task)} tasks, which cannot be resampled"
            raise HintedError("curves", what, "several runs of a single task are array[:, None, :]; else collect more")
        means[name] = [runs.mean(axis=1) for runs in by_task]
    if not checked:
        _check("curves", means, transposed)
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


def _curves_from_table(table: pd.DataFrame) -> pd.DataFrame:
    axis = step_column(table)
    columns = [axis if name == "step" else name for name in CURVE_COLUMNS]
    table = named_rows("curves", table, columns[:3], columns[3:])[columns]
    for row in table[~np.isfinite(table[axis])][:1].to_dict("records"):
        what = f"{row['algorithm']} in {row['environment']}: run {row['run']} has the step {row[axis]}"
        raise HintedError("curves", what, "give the step of each score, or leave these rows out")
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
