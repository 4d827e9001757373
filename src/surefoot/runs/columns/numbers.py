"""Convert user-supplied columns and arrays to numbers."""

import re
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from surefoot.errors import InputError, counted, shortened, shown
from surefoot.runs.columns.run_names import named_run, refuse_other_kinds

_WRITTEN_FOR_PEOPLE = re.compile(r"\s*[-+]?\d+(?:[.,' ]\d+)*\s*%?\s*")
"""A number formatted for people: with thousands separators, a decimal comma, or a percent sign."""
_FIRST_SECOND = 1.0e9
_LAST_SECOND = 2.3e9
"""Unix time in 2042, in seconds. Scores that all lie between `_FIRST_SECOND` (in 2001) and this are probably times."""
_UNITS = {"seconds": 1.0, "milliseconds": 1e3, "microseconds": 1e6, "nanoseconds": 1e9}


def as_floats(column: pd.Series) -> pd.Series:
    """Convert a column to float64. Strings that are not numbers become NaN; numbers that are too large, infinity."""
    if column.dtype == object:
        column = column.map(lambda value: float(Decimal(value)) if isinstance(value, int) else value)
    return pd.to_numeric(column, errors="coerce").astype(np.float64)


def numbers(where: str, column: pd.Series) -> pd.Series:
    """Convert a column to float64, keeping missing values; raise an InputError for strings that are not numbers."""
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "fiu":
        return column.astype(np.float64)
    refuse_other_kinds(where, column, str(column.name))
    floats = as_floats(column)
    bad = floats.isna() & column.notna()
    if bad.any():
        value = str(column[bad].iloc[0])
        hint = f"the column {column.name} may only contain numbers"
        if "±" in value or "+-" in value:
            hint = "give one number per row, for one run; intervals cannot be computed from means over runs"
        elif _WRITTEN_FOR_PEOPLE.fullmatch(value):
            hint = "write numbers without thousands separators, with a decimal point, and without a unit or %"
        raise InputError(where, f'the {column.name} "{shortened(value)}" is not a number', hint)
    return floats


def with_steps(where: str, table: pd.DataFrame, column: str = "step", least: float = 0.0) -> pd.DataFrame:
    """Return a table of runs with steps as int64, or as float64 if some are not integers.

    Raises
    ------
    InputError
        if a step is missing, infinite, below `least` or too large for int64; the message names the run, and the file if
        the table has a column source
    """
    steps = as_floats(table[column])
    bad = ~(np.isfinite(steps) & (steps >= least) & (steps < 2.0**63))
    for row in table[bad][:1].to_dict("records"):
        is_number = bool(np.isfinite(steps[bad].iloc[0]))
        below = f"below {least:g} or " if least > -np.inf else ""
        problem = f"a step {below}too large for 64 bits" if is_number else "no step"
        what = f"{counted(int(bad.sum()), 'row')} with {problem}, the first of {named_run(row)}"
        allowed = f"a number of at least {least:g}" if least > -np.inf else "a finite number"
        hint = f"give each score its environment step, {allowed}"
        raise InputError(str(row.get("source", where)), f"{what}: {column} {shown(row[column])}", hint)
    return table.assign(**{column: steps.astype(np.int64) if (steps % 1 == 0).all() else steps})


def counts(where: str, column: pd.Series) -> npt.NDArray[np.int64]:
    """Convert a column with numbers of episodes to int64; raise an InputError unless they are positive integers."""
    episodes = numbers(where, column)
    bad = ~((episodes >= 1) & (episodes % 1 == 0) & (episodes < 2**53))
    if bad.any():
        value = column[bad].iloc[0]
        what = f"the {column.name} of a score are {'missing' if pd.isna(value) else shown(value)}"
        raise InputError(
            where, what, "use whole numbers from 1, or leave the column out if each score is from one episode"
        )
    whole: npt.NDArray[np.int64] = episodes.to_numpy(np.int64)
    return whole


def score_array(where: str, name: str, values: Any, truths: bool = False) -> npt.NDArray[np.float64]:
    """Return an array of scores or steps as float64, with None as NaN.

    Parameters
    ----------
    name : name of the array in the input
    truths : True to accept booleans, such as outcomes of trials, and convert them to 1 and 0

    Raises
    ------
    InputError
        if there are masked values, dates, complex numbers, strings or other objects, or rows of unequal length
    """
    if np.ma.is_masked(values):
        what = f"{name}: {int(np.ma.getmaskarray(values).sum())} of {np.size(values)} values are masked"
        raise InputError(where, what, "leave out runs without a score, and give failed runs an explicit one")
    try:
        array = np.array(values)
        if array.dtype == object:
            array = np.array(np.where(array == None, np.nan, array).tolist())  # noqa: E711 (of each value)
    except (TypeError, ValueError):
        hint = (
            "use arrays of numbers, or a list with one array per task; a "
            "run that stopped early may carry its last score forward"
        )
        raise InputError(where, f"{name} has runs of different lengths", hint) from None
    if array.size and array.dtype.kind not in ("biuf" if truths else "iuf"):
        what = f"{name} has values of the type {array.dtype}"
        raise InputError(where, what, "use real numbers for scores and steps")
    return array.astype(np.float64)


def remarks_on_times(scores: pd.Series) -> list[str]:
    """Return a remark if all scores look like times."""
    least = float(scores.min())
    greatest = float(scores.max())
    return [
        f"All scores lie between {least:.10g} and {greatest:.10g}, like current times in {unit} since 1970. Does the "
        "column of scores contain times?"
        for unit, factor in _UNITS.items()
        if _FIRST_SECOND * factor <= least and greatest <= _LAST_SECOND * factor
    ]
