"""Convert and check user-supplied tables and arrays.

Error messages begin with the name of the argument, such as "scores".
"""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals
import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.runs.columns.numbers import numbers, score_array
from surefoot.runs.columns.run_names import refuse_bad_names, refuse_missing_columns, with_usual_names
from surefoot.runs.sources.score_tables import with_valid_scores, without_missing_cells
from surefoot.statistics.arrays import Floats
from surefoot.statistics.runs.score_arrays import plain_names

DROP_ROWS = "drop these rows, or assign explicit scores"
"""Hint for scores that are not finite or would overflow."""


def pandas_table(given: Any) -> Any:
    """Convert a table from any library that narwhals supports to pandas; return other objects unchanged.

    Columns with common names, such as agent, env, seed and return, get the usual names.
    """
    if isinstance(given, pd.DataFrame):
        return with_usual_names(given)
    table = narwhals.from_native(given, pass_through=True)
    if isinstance(table, narwhals.LazyFrame):
        table = table.collect()
    return with_usual_names(table.to_pandas()) if isinstance(table, narwhals.DataFrame) else given


def scores_table(given: Any) -> Any:
    """Convert a table, or a dict of arrays by algorithm, to a table of scores, without checking the axes."""
    table = pandas_table(given)
    if isinstance(table, Mapping):
        from surefoot.runs.given.sets import read_scores  # imported here, since it imports scipy

        table = read_scores(table, skip_checks=True)
    return table


def table_of_runs(what: str, given: Any, axes: str = "") -> Any:
    """Convert a dict of arrays by algorithm, or any table, to a pandas table; return other objects unchanged.

    axes : axes of the arrays; inferred if empty
    """
    table = pandas_table(given)
    if not isinstance(table, Mapping) or not table:
        return table
    if not axes:
        has_steps = any(np.ndim(scores) == 3 for scores in table.values() if hasattr(scores, "ndim"))
        axes = "runs x tasks x steps" if has_steps else "runs x tasks"
    return table_of_arrays(arrays_by_task(what, table, axes))


def _array(what: str, algorithm: str, given: Any) -> Any:
    """Convert an array from another library to numpy; return other objects unchanged."""
    if isinstance(pandas_table(given), pd.DataFrame):
        hint = (
            "pass one table of all algorithms with the columns algorithm, environment, run, score, or table.to_numpy()"
        )
        raise HintedError(
            what, f"{algorithm} is a separate table, and the order of its task columns is not known", hint
        )
    if isinstance(getattr(given, "dims", None), tuple):
        named = f"{algorithm} has named dimensions: {', '.join(map(str, given.dims))}"
        raise HintedError(what, named, 'pass an array, for example scores.transpose("run", "task").to_numpy()')
    try:
        return np.asanyarray(given) if hasattr(given, "__array__") else given
    except Exception as problem:  # any error that the conversion of another library raises
        why = " ".join(str(problem).split()).rstrip(".")
        hint = "pass a NumPy array of its values, for example tensor.detach().cpu().numpy()"
        raise HintedError(what, f"{algorithm} cannot be read as an array: {why}", hint) from problem


def arrays_by_task(what: str, given: Mapping[Any, Any], axes: str) -> dict[str, list[Floats]]:
    """Return the scores of each algorithm, by task: float64[runs], or float64[runs, steps] if there are steps.

    Parameters
    ----------
    what : name of the argument in error messages
    given : {algorithm: array, or a list with one array per task if numbers of runs differ}
    axes : axes of an array: "runs x tasks", which may be runs of a single task, or "runs x tasks x steps"

    Raises
    ------
    ValueError : if an array has a wrong shape, numbers of tasks or steps differ between algorithms, or values are
        masked or not real numbers
    """
    refuse_bad_names(what, "algorithm", pd.Series(list(given), dtype=object))
    arrays: dict[str, list[Floats]] = {}
    sizes: dict[tuple[int, ...], str] = {}
    for name, scores in given.items():
        if isinstance(scores, tuple) and len(scores) == 2 and len(pair := str(name).split(",")) == 2:
            x, y = (one.strip() for one in pair)
            hint = f'use one array for each algorithm, {{"{x}": scores_x, "{y}": scores_y}}, for all pairs together'
            raise HintedError(what, f"{name} has two arrays", hint)
        by_task = _by_task(what, str(name), _array(what, str(name), scores), axes)
        sizes |= {(len(by_task), *array.shape[1:]): str(name) for array in by_task}
        arrays[str(name)] = by_task
    if len(sizes) > 1:
        unlike = ", ".join(f"{name} {' x '.join(map(str, size))}" for size, name in sizes.items())
        hint = f"all algorithms need the same {axes.removeprefix('runs x ').replace(' x ', ' and ')}; arrays are {axes}"
        raise HintedError(what, f"numbers of {axes.removeprefix('runs x ')} differ: {unlike}", hint)
    return arrays


def table_of_arrays(arrays: Mapping[str, Sequence[Floats]]) -> pd.DataFrame:
    """Return one row per score: algorithm, environment (the task), run, step if there are steps, and score.

    Runs, tasks and steps are numbered from 0.

    arrays : result of `arrays_by_task`
    """
    cells = [(name, task, array) for name, by_task in arrays.items() for task, array in enumerate(by_task)]
    sizes = [array.size for *_, array in cells]
    places = [np.indices(array.shape).reshape(array.ndim, -1) for *_, array in cells]
    return pd.DataFrame(
        {"algorithm": np.repeat([name for name, *_ in cells], sizes)}
        | {"environment": np.repeat([task for _, task, _ in cells], sizes)}
        | dict(zip(("run", "step"), np.concatenate(places, axis=1), strict=False))
        | {"score": np.concatenate([array.ravel() for *_, array in cells])}
    )


def _by_task(what: str, name: str, given: Any, axes: str) -> list[Floats]:
    """Return float64[runs] or float64[runs, steps] for each task."""
    dimensions = axes.count(" x ") + 1
    lengths = [_length(member) for member in given] if isinstance(given, list | tuple) else []
    if len(lengths) > 1 and len(set(lengths)) == 1 and lengths[0] is not None:
        what_may_be = f"{name} has a list of {len(lengths)} members of length {lengths[0]}, which may be runs or tasks"
        hint = f"pass numpy.array(...) with the axes {axes}; if a member is a task, swap the first two axes"
        raise HintedError(what, what_may_be, hint)
    is_list_of_tasks = bool(lengths) and None not in lengths
    arrays = [score_array(what, name, one) for one in (given if is_list_of_tasks else [given])]
    if is_list_of_tasks:
        dimensions -= 1
    elif dimensions == 2 and arrays[0].ndim == 1:
        arrays = [arrays[0][:, None]]
    if any(array.ndim != dimensions or not array.size for array in arrays):
        shapes = ", ".join(str(array.shape) for array in arrays)
        hint = (
            f"use arrays of {axes}, averaged over episodes; array[:, None] for one task; or a list with one array per "
            "task"
        )
        if dimensions == 2 and all(array.ndim == 3 and array.size for array in arrays):
            hint = (
                "use arrays of runs x tasks: surefoot.score_curves(curves) for learning curves, or array.mean(axis=2)"
            )
        raise HintedError(what, f"{name} has an array of shape {shapes}", hint)
    return arrays if is_list_of_tasks else list(np.moveaxis(arrays[0], 1, 0))


def _length(member: Any) -> int | None:
    """Return the length of a list member, which may be a ragged list; None for a number or a string."""
    sized = hasattr(member, "__len__") and not isinstance(member, str)
    return len(member) if sized and getattr(member, "ndim", 1) != 0 else None


def named_rows(what: str, table: pd.DataFrame, names: Sequence[str], values: Sequence[str]) -> pd.DataFrame:
    """Return the rows of a table, with names of algorithms and tasks as strings and values as float64.

    Parameters
    ----------
    names, values : required columns

    Raises
    ------
    InputError
        if a column is missing or occurs twice, or names or values are invalid
    """
    refuse_missing_columns(what, table, [*names, *values])
    for name in names:
        refuse_bad_names(what, name, table[name])
    table = table.assign(**{name: numbers(what, table[name]) for name in values})
    if "run" in names:
        table = table.assign(run=plain_names(table["run"]))
    return table.astype({"algorithm": str, "environment": str}).reset_index(drop=True)


def refuse_bad_scores(what: str, table: pd.DataFrame) -> None:
    """Raise an InputError for scores that are not finite or would overflow, and for missing cells."""
    with_valid_scores(table, what, DROP_ROWS)
    without_missing_cells(
        table,
        "error",
        what,
        "algorithms are compared on the same tasks: add runs, or leave the task or the algorithm out",
    )
