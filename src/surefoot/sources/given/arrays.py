"""Tables and arrays as people have them: what they may be called, and what they are refused for.

Errors begin with what was given, such as "scores".
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import narwhals
import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.errors import HintedError, listed
from surefoot.statistics.runs.score_pool import as_array, refuse_masked_or_complex

_LISTED = 5


def named_by_text(what: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The same with names as texts; a ValueError where two names become the same."""
    found = {}
    for name, scores in given.items():
        if str(name) in found:
            raise HintedError(what, f'two algorithms are called "{name}"', "names are texts; give them different ones")
        found[str(name)] = scores
    return found


def refuse_ambiguous_list(what: str, name: str, given: object, axes: str = "runs x tasks") -> None:
    """Raise a ValueError where the members of a list may be runs as well as tasks."""
    if not isinstance(given, list | tuple) or len(given) < 2:
        return
    lengths = {_length(member) for member in given}
    if len(lengths) == 1 and None not in lengths:
        raise HintedError(
            what,
            f"{name} has a list of {len(given)} members of length {lengths.pop()}, which may be runs or tasks",
            f"numpy.array(...) of {axes}; where a member is a task, swap the first two axes of that array",
        )


def _length(member: Any) -> int | None:
    """How long a member of a list is, whose own members may differ in length; None for a number or a text."""
    sized = hasattr(member, "__len__") and not isinstance(member, str)
    return len(member) if sized and getattr(member, "ndim", 1) != 0 else None


def refuse_missing_columns(what: str, table: pd.DataFrame, columns: Iterable[str]) -> None:
    """Raise a ValueError where a table lacks one of the columns or has no rows."""
    missing = [name for name in columns if name not in table.columns]
    if missing:
        raise HintedError(
            what,
            f"column {', '.join(missing)} is missing",
            f"the columns are {', '.join(columns)}; rename yours, such as "
            "table.rename(columns={'task': 'environment'})",
        )
    if len(table) == 0:
        raise HintedError(what, "the table has no rows", f"one row per {'run' if 'step' not in columns else 'step'}")


def refuse_missing_names(what: str, table: pd.DataFrame, columns: Sequence[str]) -> None:
    """Raise a ValueError where a row lacks a name, or two names of a column, such as 1 and
    "1", are written alike."""
    for name in columns:
        if table[name].isna().any():
            row = int(np.flatnonzero(table[name].isna())[0])
            raise HintedError(
                what, f"row {row} has no {name}", f"every row names its {', '.join(columns[:-1])} and {columns[-1]}"
            )
        distinct = pd.Series(table[name].unique())
        again = distinct.astype(str).duplicated()
        if again.any():
            raise HintedError(
                what,
                f'two of the column {name} are written "{distinct[again].iloc[0]}"',
                f'a number and a text are different names; make them one kind, such as table.astype({{"{name}": str}})',
            )


def refuse_missing_tasks(what: str, table: pd.DataFrame) -> None:
    """Raise a ValueError where an algorithm has no rows of a task."""
    algorithms, tasks = (list(dict.fromkeys(table[name])) for name in ("algorithm", "environment"))
    found = set(zip(table["algorithm"], table["environment"], strict=True))
    lacking = [f"{name} in {task}" for name in algorithms for task in tasks if (name, task) not in found]
    if lacking:
        raise HintedError(
            what,
            f"no runs of {listed(lacking, _LISTED)}",
            "leave out the environment or the algorithm; algorithms are compared on the same tasks",
        )


def long_table(cells: Sequence[tuple[str, object, Mapping[str, npt.NDArray[Any]]]]) -> pd.DataFrame:
    """One table of all cells, (algorithm, task, columns of equal length): algorithm, environment, and these columns."""
    sizes = [len(next(iter(columns.values()))) for *_, columns in cells]
    names: dict[str, Sequence[Any]] = {
        "algorithm": [name for name, *_ in cells],
        "environment": [task for _, task, _ in cells],
    }
    table = {name: np.repeat(of_cells, sizes) for name, of_cells in names.items()}
    return pd.DataFrame(table | {name: np.concatenate([one[name] for *_, one in cells]) for name in cells[0][2]})


def numbers(what: str, column: pd.Series) -> pd.Series:
    """A column as float64, or a ValueError that names the first value that is not a real number."""
    found = pd.to_numeric(column, errors="coerce")
    refuse_masked_or_complex(f"{what}: the column {column.name}", found.to_numpy())
    bad = found.isna() & column.notna()
    if bad.any() or column.dtype.kind in "bmM":  # pandas takes truth values, dates and durations for numbers
        value = column[bad].iloc[0] if bad.any() else column.iloc[0]
        raise HintedError(
            what, f'the {column.name} "{value}" is not a number', f"the column {column.name} holds numbers only"
        )
    return found.astype(np.float64)


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
