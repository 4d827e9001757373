"""What tables and dicts of runs are refused for. Errors begin with what was given, such as "scores"."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.errors import HintedError, listed
from surefoot.statistics.runs.score_pool import refuse_masked_or_complex

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
