"""Scores along the training as people have them: a tidy table, or a dict of arrays; read and checked."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.library.guards import (
    named_by_text,
    numbers,
    refuse_ambiguous_list,
    refuse_missing_columns,
    refuse_missing_names,
)
from surefoot.library.labelled_arrays import pandas_table, without_labels
from surefoot.library.plausibility import check_axes
from surefoot.statistics.run_order import natural_order
from surefoot.statistics.score_pool import refuse_masked_or_complex, refuse_too_great

COLUMNS = ("algorithm", "environment", "run", "step", "score")

_TRANSPOSED = (
    "rows are runs and the second axis is tasks, so swap the first two axes; if they are right, say `checked=True`"
)


class CurveTables(NamedTuple):
    """tasks : names; steps : float64 or int64[steps], ascending
    curves : for each algorithm, for each task, float64[runs, steps]"""

    tasks: tuple
    steps: np.ndarray
    curves: dict[str, list[np.ndarray]]


def read_curves(curves: pd.DataFrame | Mapping, checked: bool = False) -> CurveTables:
    """Read and check scores along the training.

    Parameters
    ----------
    curves : a table with the columns algorithm, environment, run, step, score, or a dict {algorithm: array of runs x
        tasks x steps, or, where numbers of runs differ, a list of one array of runs x steps a task}; all runs have the
        same steps
    checked : the axes are as they should be, even if they do not look so; see `plausibility.check_axes`, which is asked
        about the means of the runs over their steps

    Raises
    ------
    ValueError : a column or a name is missing; two names are written alike; there are no scores; a score is not a
        finite number; runs that lack a step or have it twice; an algorithm that lacks a task; every task has one run;
        the axes look swapped, or rows look like episodes of the same runs, as far as this can be seen
    """
    curves = pandas_table(curves)
    if isinstance(curves, pd.DataFrame):
        tables = _from_table(curves)
    elif isinstance(curves, Mapping) and curves:
        tables = _from_arrays(curves)
    else:
        raise HintedError(
            "curves",
            "an empty dict" if isinstance(curves, Mapping) else f"a {type(curves).__name__}",
            f"a pandas table with the columns {', '.join(COLUMNS)}, or {{algorithm: array of runs x tasks x steps}}",
        )
    for name, by_task in tables.curves.items():
        _refuse_infinite(name, by_task, tables)
        if max(len(runs) for runs in by_task) == 1:
            raise HintedError(
                "curves",
                f"{name} has one run of each of {len(by_task)} tasks, which cannot be resampled",
                "several runs of a single task are array[:, None, :]; else collect a second run",
            )
        if not checked:
            check_axes("curves", name, [runs.mean(axis=1) for runs in by_task], _TRANSPOSED)
    return tables


def _refuse_infinite(name, by_task, tables):
    for task, runs in zip(tables.tasks, by_task, strict=True):
        if not np.isfinite(runs).all():
            run, step = np.argwhere(~np.isfinite(runs))[0]
            raise HintedError(
                "curves",
                f"{name} in {task}: run number {run} has the score {runs[run, step]} at step {tables.steps[step]}",
                "drop the run, or give it the score that it deserves; scores are finite",
            )
        for step, scores in zip(tables.steps, runs.T, strict=True):
            refuse_too_great(f"curves: {name} in {task} at step {step}", scores)


def _from_arrays(given):
    arrays, names = without_labels("curves", named_by_text("curves", given), ("runs", "tasks", "steps"))
    found = {name: _by_task(name, array) for name, array in arrays.items()}
    shapes = {(len(by_task), runs.shape[1]) for by_task in found.values() for runs in by_task}
    if len(shapes) != 1:
        raise HintedError(
            "curves", f"(tasks, steps) are {sorted(shapes)}", "the same tasks and steps of all algorithms"
        )
    tasks, steps = shapes.pop()
    return CurveTables(names or tuple(range(tasks)), np.arange(steps), found)


def _by_task(name, given):
    """float64[runs, steps] of each task."""
    refuse_masked_or_complex(f"curves: {name}", given)
    refuse_ambiguous_list("curves", name, given, "runs x tasks x steps")
    try:
        array = None if isinstance(given, list | tuple) else np.asarray(given, np.float64)
        by_task = [np.asarray(task, np.float64) for task in given] if array is None else [array]
    except (TypeError, ValueError):
        raise HintedError(
            "curves",
            f"{name} has values that are no numbers, or runs that differ in length",
            "runs x tasks x steps of numbers; a run that stopped early may carry its last score forward",
        ) from None
    if array is not None and array.ndim == 3 and array.size:
        return list(np.moveaxis(array, 1, 0))
    if array is not None or not all(task.ndim == 2 and task.size for task in by_task) or not by_task:
        shapes = array.shape if array is not None else ", ".join(str(task.shape) for task in by_task) or "none"
        raise HintedError(
            "curves",
            f"{name} has an array of shape {shapes}",
            "runs x tasks x steps; one task is array[:, None, :]; where numbers of runs differ, a list of one array of "
            "runs x steps a task",
        )
    return by_task


def _from_table(table):
    refuse_missing_columns("curves", table, COLUMNS)
    refuse_missing_names("curves", table, COLUMNS[:4])
    table = table.reset_index(drop=True)
    table = table.assign(step=numbers("curves", table["step"]), score=numbers("curves", table["score"]))
    if (table["step"] % 1 == 0).all():
        table["step"] = table["step"].astype(np.int64)
    twice = table.duplicated(list(COLUMNS[:4]))
    if twice.any():
        row = table[twice].iloc[0]
        raise HintedError(
            "curves",
            f"{row['algorithm']} in {row['environment']}: run {row['run']} has step {row['step']} twice",
            "average the episodes of a step first",
        )
    names = table[["algorithm", "environment"]].astype(str)
    steps, tasks = np.sort(table["step"].unique()), tuple(dict.fromkeys(names["environment"]))
    found = {}
    for name, of_algorithm in table.groupby(names["algorithm"], sort=False):
        parts = {
            task: _runs_by_steps(name, task, rows, steps)
            for task, rows in of_algorithm.groupby(names["environment"], sort=False)
        }
        absent = [task for task in tasks if task not in parts]
        if absent:
            raise HintedError("curves", f"no runs of {name} in {absent[0]}", "all algorithms need the same tasks")
        found[name] = [parts[task] for task in tasks]
    return CurveTables(tasks, steps, found)


def _runs_by_steps(name, task, rows, steps):
    """float64[runs, steps], runs in the natural order of their names."""
    wide = rows.assign(place=natural_order(rows["run"])).pivot(index="place", columns="step", values="score")
    wide = wide.reindex(columns=steps).to_numpy(np.float64)
    if np.isnan(wide).any():
        place, step = np.argwhere(np.isnan(wide))[0]
        run = rows.loc[natural_order(rows["run"]) == place, "run"].iloc[0]
        raise HintedError(
            "curves",
            f"{name} in {task}: run {run} has no score at step {steps[step]}",
            "put all runs on the same steps; a run that stopped early may carry its last score forward",
        )
    return wide
