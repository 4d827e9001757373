"""Tables and arrays as people have them: what they may be called, and what they are refused for.

Errors begin with what was given, such as "scores".
"""

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals
import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.columns import refuse_bad_names
from surefoot.errors import HintedError, listed
from surefoot.statistics.runs.score_pool import GREATEST, as_array, refuse_too_great

_LISTED = 5


def pandas_table(given: Any) -> Any:
    """The pandas table of any table that narwhals knows, such as of polars or pyarrow; anything else as it is."""
    if isinstance(given, pd.DataFrame):
        return given
    table = narwhals.from_native(given, pass_through=True)
    if isinstance(table, narwhals.LazyFrame):
        table = table.collect()
    return table.to_pandas() if isinstance(table, narwhals.DataFrame) else given


def named_by_text(what: str, given: Mapping[Any, Any]) -> dict[str, Any]:
    """The mapping with names of algorithms as texts; an InputError for bad ones."""
    refuse_bad_names(what, "algorithm", pd.Series(list(given), dtype=object))
    return {str(name): scores for name, scores in given.items()}


def arrays_and_tasks(what: str, given: Mapping[Any, Any]) -> tuple[dict[str, Any], tuple[str, ...] | None]:
    """The scores of each algorithm with the tasks in the same order, and the names of the tasks.

    Parameters
    ----------
    what : how an error calls what was given
    given : {algorithm: table of runs x tasks, or anything else}

    Returns
    -------
    {algorithm: array, or what was given}, and the names of the tasks, or None where not all of them name their tasks

    Raises
    ------
    ValueError : two algorithms that are called the same, or have other tasks, or a task that occurs twice
    """
    arrays: dict[str, Any] = {}
    named: dict[str, list[str]] = {}
    for algorithm, scores in named_by_text(what, given).items():
        table = pandas_table(scores)
        arrays[algorithm] = _array(what, algorithm, table)
        if isinstance(table, pd.DataFrame) and not isinstance(table.columns, pd.RangeIndex):
            refuse_bad_names(f"{what}: {algorithm}", "environment", table.columns.to_series())
            named[algorithm] = list(map(str, table.columns))
    if not named:
        return arrays, None
    first, tasks = next(iter(named.items()))
    for algorithm, others in named.items():
        if len(set(others)) < len(others):
            twice = next(task for task in others if others.count(task) > 1)
            raise HintedError(what, f'{algorithm} has the task "{twice}" twice', "give each task its own name")
        if set(others) != set(tasks):
            odd = min(set(others) ^ set(tasks))
            hint = "all algorithms need tasks with the same names"
            raise HintedError(what, f'{algorithm} and {first} have other tasks, such as "{odd}"', hint)
        arrays[algorithm] = arrays[algorithm][:, [others.index(task) for task in tasks]]
    return arrays, tuple(tasks) if len(named) == len(given) else None


def _array(what: str, algorithm: str, given: Any) -> Any:
    """The values of a table, its missing ones as NaN, or of an array of another library; anything else as it is."""
    if isinstance(given, pd.DataFrame | pd.Series):
        kinds = given.dtypes if isinstance(given, pd.DataFrame) else [given.dtype]
        values = given.to_numpy()
        if values.dtype == object and all(pd.api.types.is_numeric_dtype(kind) for kind in kinds):
            return given.to_numpy(np.float64, na_value=np.nan)
        return values
    if isinstance(getattr(given, "dims", None), tuple):
        named = f"{algorithm} names its dimensions: {', '.join(map(str, given.dims))}"
        raise HintedError(what, named, 'an array, such as scores.transpose("run", "task").to_numpy()')
    try:
        return as_array(given)
    except Exception as problem:  # whatever the conversion of another library raises
        why = " ".join(str(problem).split()).rstrip(".")
        hint = "a NumPy array of its values, such as tensor.detach().cpu().numpy()"
        raise HintedError(what, f"{algorithm} cannot be read as an array: {why}", hint) from problem


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


def refuse_missing_tasks(what: str, table: pd.DataFrame) -> None:
    """Raise a ValueError where an algorithm has no rows of a task."""
    algorithms, tasks = (list(dict.fromkeys(table[name])) for name in ("algorithm", "environment"))
    found = set(zip(table["algorithm"], table["environment"], strict=True))
    lacking = [f"{name} in {task}" for name in algorithms for task in tasks if (name, task) not in found]
    if lacking:
        hint = "leave out the environment or the algorithm; algorithms are compared on the same tasks"
        raise HintedError(what, f"no runs of {listed(lacking, _LISTED)}", hint)


def refuse_bad_scores(what: str, table: pd.DataFrame, point: str = "", column: str = "") -> None:
    """Raise a ValueError that names the first row whose score is not finite, or so great that statistics overflow.

    Parameters
    ----------
    point, column : of scores along a run, how a point of it is called, such as "at step", and the column that has it
    """
    for row in table[~np.isfinite(table["score"]) | (table["score"].abs() > GREATEST)][:1].to_dict("records"):
        cell, at = f"{row['algorithm']} in {row['environment']}", f" {point} {row[column]}" if column else ""
        if np.isfinite(row["score"]):
            refuse_too_great(f"{what}: {cell}{at}", np.array([row["score"]]), [row["run"]])
        hint = "drop it, or give it the score that it deserves; scores are finite numbers"
        raise HintedError(what, f"{cell}: run {row['run']} has the score {row['score']}{at}", hint)


def long_table(cells: Sequence[tuple[str, object, Mapping[str, npt.NDArray[Any]]]]) -> pd.DataFrame:
    """One table of all cells, (algorithm, task, columns of equal length): algorithm, environment, and these columns."""
    sizes = [len(next(iter(columns.values()))) for *_, columns in cells]
    names: dict[str, Sequence[Any]] = {
        "algorithm": [name for name, *_ in cells],
        "environment": [task for _, task, _ in cells],
    }
    table = {name: np.repeat(of_cells, sizes) for name, of_cells in names.items()}
    return pd.DataFrame(table | {name: np.concatenate([one[name] for *_, one in cells]) for name in cells[0][2]})
