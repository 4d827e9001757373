"""Tables and arrays that name their axes or their tasks: pandas, polars, pyarrow and xarray."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.score_pool import as_array

_AXES = {
    "runs": ("run", "runs", "seed", "seeds", "trial", "trials", "repetition", "repetitions"),
    "tasks": ("task", "tasks", "environment", "environments", "env", "envs", "game", "games"),
    "steps": ("step", "steps", "frame", "frames", "iteration", "iterations", "time"),
}
"""What dimensions of an array that names them may be called."""


def pandas_table(given):
    """The pandas table of a polars or pyarrow table; anything else as it is."""
    is_table = hasattr(given, "columns") and hasattr(given, "to_pandas")
    return given.to_pandas() if is_table else given


def without_labels(what: str, given: Mapping, axes: tuple[str, ...]) -> tuple[dict, tuple | None]:
    """The scores of each algorithm with the axes and the tasks in the same order, and the names of the tasks.

    Parameters
    ----------
    what : how an error calls what was given
    given : {algorithm: table of runs x tasks, array that names its dimensions, or anything else}
    axes : of the arrays, among "runs", "tasks" and "steps"; a table has "runs" and "tasks"

    Returns
    -------
    {algorithm: array, or what was given}, and the names of the tasks, or None where not all of them name their tasks

    Raises
    ------
    ValueError : a dimension that is none of these, two algorithms with other tasks, or a task that occurs twice
    """
    arrays, names = {}, {}
    for algorithm, scores in given.items():
        arrays[algorithm], names[algorithm] = _labelled(what, algorithm, pandas_table(scores), axes)
    named = {algorithm: tasks for algorithm, tasks in names.items() if tasks is not None}
    if not named:
        return arrays, None
    first, tasks = next(iter(named.items()))
    for algorithm, others in named.items():
        if len(set(others)) < len(others):
            twice = next(task for task in others if others.count(task) > 1)
            raise HintedError(what, f'{algorithm} has the task "{twice}" twice', "give each task its own name")
        if set(others) != set(tasks):
            odd = sorted(set(others) ^ set(tasks))[0]
            raise HintedError(
                what,
                f'{algorithm} and {first} have other tasks, such as "{odd}"',
                "all algorithms need tasks with the same names",
            )
        order = [others.index(task) for task in tasks]
        arrays[algorithm] = np.take(arrays[algorithm], order, axis=axes.index("tasks"))
    return arrays, tasks if len(named) == len(given) else None


def _labelled(what, algorithm, scores, axes):
    if isinstance(scores, pd.DataFrame):
        if isinstance(scores.columns, pd.RangeIndex):
            return scores.to_numpy(), None
        return scores.to_numpy(), tuple(map(str, scores.columns))
    if isinstance(scores, pd.Series):
        return scores.to_numpy(), None
    dimensions = getattr(scores, "dims", None)
    if not isinstance(dimensions, tuple) or len(dimensions) != len(axes) or not hasattr(scores, "__array__"):
        return as_array(scores), None
    if all(str(name).startswith("dim_") for name in dimensions):  # what xarray calls dimensions that nobody named
        return as_array(scores), None
    order = []
    for axis in axes:
        known = [place for place, name in enumerate(dimensions) if str(name).lower() in _AXES[axis]]
        if len(known) != 1:
            raise HintedError(
                what,
                f"{algorithm} has the dimensions {', '.join(map(str, dimensions))}",
                f"one of them is that of the {axis}, called {', '.join(_AXES[axis][:-1])} or {_AXES[axis][-1]}",
            )
        order += known
    array = np.transpose(as_array(scores), order)
    task_dimension = dimensions[order[axes.index("tasks")]]
    coordinates = getattr(scores, "coords", {})
    if task_dimension not in coordinates:
        return array, None
    return array, tuple(map(str, np.asarray(coordinates[task_dimension])))
