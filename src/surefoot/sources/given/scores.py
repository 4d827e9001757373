"""Scores of runs as people have them: a tidy table, or a dict of arrays; read and checked."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from surefoot.columns import RUN, score_array
from surefoot.errors import HintedError, shown
from surefoot.sources.checks import check_axes, curves_found
from surefoot.sources.given.arrays import (
    arrays_and_tasks,
    long_table,
    named_rows,
    pandas_table,
    refuse_ambiguous_list,
    refuse_bad_scores,
)
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.score_pool import refuse_masked_or_complex, task_columns
from surefoot.statistics.runs.tables import scores_of

COLUMNS = (*RUN, "score")
_LISTED = 5


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
    elif isinstance(scores, Mapping):
        table, transposed = _from_arrays(scores), "rows are runs and columns are tasks, so transpose the array"
    else:
        hint = f"a pandas table with the columns {', '.join(COLUMNS)}, or a dict {{algorithm: array of runs x tasks}}"
        raise HintedError("scores", f"a {type(scores).__name__}", hint)
    refuse_bad_scores("scores", table)
    if not checked:
        columns = {algorithm: scores_of(table, algorithm) for algorithm in table["algorithm"].unique()}
        for algorithm, own in columns.items():
            check_axes("scores", algorithm, own, transposed, everything=[*columns.values()])
    return table


def _from_arrays(scores: Mapping[str, Any]) -> pd.DataFrame:
    if not scores:
        raise HintedError("scores", "an empty dict", "{algorithm: array of runs x tasks}")
    found = {}
    arrays, names = arrays_and_tasks("scores", scores)
    for name, table in arrays.items():
        if not hasattr(table, "__len__") or len(table) == 0 or isinstance(table, str | Mapping):
            raise HintedError("scores", f"{name} has no scores but {shown(table)}", "an array of runs x tasks")
        found[name] = _columns(name, table)
        for task, column in enumerate(found[name]):
            if column.size == 0:
                raise HintedError("scores", f"no runs of {name} in {task}", "at least one run of each task")
    _refuse_other_tasks(found)
    tasks = names or range(len(next(iter(found.values()))))
    return long_table(
        [
            (name, task, {"run": np.arange(column.size), "score": column})
            for name, columns in found.items()
            for task, column in zip(tasks, columns, strict=True)
        ]
    )


def _columns(name: str, table: Any) -> list[Floats]:
    """The scores of each task, from an array, a list of one array a task, or the scores of a single task."""
    refuse_masked_or_complex(f"scores: {name}", table)
    if isinstance(table, np.ndarray) and table.ndim == 3:
        hint = (
            "runs x tasks; average the episodes of a run first, or take `sample_efficiency` for scores along a training"
        )
        raise HintedError("scores", f"{name} has an array of shape {table.shape}", hint)
    if isinstance(table, np.ndarray) and table.dtype == object and table.ndim == 1 and hasattr(table[0], "__len__"):
        hint = "runs x tasks; where numbers of runs differ, a list of one array of scores a task"
        raise HintedError("scores", f"{name} has an array of {len(table)} lists, not a table", hint)
    if isinstance(table, np.ndarray) and not np.issubdtype(table.dtype, np.number):
        raise HintedError("scores", f"{name} has values of type {table.dtype}", "scores are numbers")
    refuse_ambiguous_list("scores", name, table)
    try:
        return [score_array("scores", name, table)] if np.ndim(table[0]) == 0 else task_columns(table)
    except HintedError:
        raise
    except (TypeError, ValueError) as problem:
        raise HintedError("scores", f"{name}: {problem}", "scores are numbers") from problem


def _refuse_other_tasks(found: Mapping[str, Sequence[Floats]]) -> None:
    counts = {algorithm: len(columns) for algorithm, columns in found.items()}
    if len(set(counts.values())) == 1:
        return
    listed = ", ".join(f"{algorithm} {count}" for algorithm, count in list(counts.items())[:_LISTED])
    runs = {column.size for columns in found.values() for column in columns}
    swapped = "rows are runs and columns are tasks; these look like the transposed arrays" if len(runs) == 1 else ""
    raise HintedError("scores", f"numbers of tasks differ: {listed}", swapped or "all algorithms need the same tasks")


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
