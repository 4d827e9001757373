"""Tables and arrays that name their axes or their tasks: pandas, polars, pyarrow and xarray."""

from collections.abc import Mapping
from typing import Any

import narwhals
import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.errors import HintedError
from surefoot.statistics.runs.score_pool import as_array

_AXES = {
    "algorithms": ("algorithm", "algorithms", "agent", "agents", "method", "methods"),
    "runs": ("run", "runs", "seed", "seeds", "trial", "trials", "repetition", "repetitions"),
    "tasks": ("task", "tasks", "environment", "environments", "env", "envs", "game", "games"),
    "steps": ("step", "steps", "frame", "frames", "iteration", "iterations", "time"),
}
"""What dimensions of an array that names them may be called."""


def pandas_table(given: Any) -> Any:
    """The pandas table of any table that narwhals knows, such as of polars or pyarrow; anything else as it is."""
    if isinstance(given, pd.DataFrame):
        return given
    table = narwhals.from_native(given, pass_through=True)
    if isinstance(table, narwhals.LazyFrame):
        table = table.collect()
    return table.to_pandas() if isinstance(table, narwhals.DataFrame) else given


def by_algorithm(given: Any) -> Any:
    """{algorithm: array} of an array that has the algorithms as a dimension; anything else as it is."""
    dimensions = getattr(given, "dims", None)
    if not isinstance(dimensions, tuple) or not hasattr(given, "isel"):
        return given
    found = [name for name in dimensions if _is_axis(name, "algorithms")]
    if len(found) != 1:
        return given
    places = range(given.sizes[found[0]])
    names = np.asarray(given.coords[found[0]]).tolist() if found[0] in given.coords else places
    return {name: given.isel({found[0]: place}) for name, place in zip(names, places, strict=True)}


def without_labels(
    what: str, given: Mapping[str, Any], axes: tuple[str, ...]
) -> tuple[dict[str, Any], tuple[Any, ...] | None]:
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


def _labelled(what: str, algorithm: str, scores: Any, axes: tuple[str, ...]) -> tuple[Any, tuple[Any, ...] | None]:
    if isinstance(scores, pd.DataFrame):
        named = not isinstance(scores.columns, pd.RangeIndex)
        return _values(scores), tuple(map(str, scores.columns)) if named else None
    if isinstance(scores, pd.Series):
        return _values(scores), None
    array = _array(what, algorithm, scores)
    dimensions = getattr(scores, "dims", None)
    if not isinstance(dimensions, tuple) or not isinstance(array, np.ndarray):
        return array, None
    if all(str(name).startswith("dim_") for name in dimensions):  # what xarray calls dimensions that nobody named
        return array, None
    known = {axis: [place for place, name in enumerate(dimensions) if _is_axis(name, axis)] for axis in axes}
    if len(dimensions) == 1 and axes == ("runs", "tasks") and not known["tasks"]:
        return array, None
    if len(dimensions) != len(axes):
        raise HintedError(
            what,
            f"{algorithm} has the dimensions {', '.join(map(str, dimensions))}",
            f"{' x '.join(axes)}; average over the others, or select one of their values, first",
        )
    for axis, places in known.items():
        if len(places) != 1:
            raise HintedError(
                what,
                f"{algorithm} has the dimensions {', '.join(map(str, dimensions))}",
                f"one of them is that of the {axis}, called {', '.join(_AXES[axis][:-1])} or {_AXES[axis][-1]}",
            )
    order = [places[0] for places in known.values()]
    task_dimension = dimensions[order[axes.index("tasks")]]
    coordinates = getattr(scores, "coords", {})
    named = task_dimension in coordinates
    return np.transpose(array, order), tuple(map(str, np.asarray(coordinates[task_dimension]))) if named else None


def _is_axis(name: object, axis: str) -> bool:
    return str(name).lower() in _AXES[axis]


def _values(table: pd.DataFrame | pd.Series) -> npt.NDArray[Any]:
    """The values of a pandas table or column, its missing values as NaN."""
    values: npt.NDArray[Any] = table.to_numpy()
    kinds = table.dtypes if isinstance(table, pd.DataFrame) else [table.dtype]
    if values.dtype == object and all(pd.api.types.is_numeric_dtype(kind) for kind in kinds):
        values = table.to_numpy(np.float64, na_value=np.nan)
    return values


def _array(what: str, algorithm: str, given: Any) -> Any:
    try:
        return as_array(given)
    except Exception as problem:  # whatever the conversion of another library raises
        why = " ".join(str(problem).split()).rstrip(".")
        hint = "a NumPy array of its values, such as tensor.detach().cpu().numpy()"
        raise HintedError(what, f"{algorithm} cannot be read as an array: {why}", hint) from problem
