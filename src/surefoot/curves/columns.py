"""Columns that a table of runs must have, and what they look like."""

from collections.abc import Iterable

import pandas as pd

from surefoot.errors import HintedError

_FIRST_SECOND, _LAST_SECOND = 1.0e9, 2.3e9
"""Seconds since 1970: of 2001 and of 2042."""
_UNITS = {"seconds": 1.0, "milliseconds": 1e3, "microseconds": 1e6, "nanoseconds": 1e9}


def refuse_missing(where: str, table: pd.DataFrame, columns: Iterable[str]) -> None:
    """Raise a HintedError where a table lacks one of the columns, or has no rows."""
    missing = [name for name in columns if name not in table.columns]
    if missing:
        what = f"column {', '.join(missing)} is missing; there are {', '.join(map(str, table.columns))}"
        raise HintedError(where, what, "a table as surefoot.read_runs gives it")
    if table.empty:
        raise HintedError(where, "the table has no rows", "one row per run and step")


def remarks_on_times(scores: pd.Series) -> list[str]:
    """A sentence on scores all of which look like times; none where they do not."""
    least, greatest = float(scores.min()), float(scores.max())
    return [
        f"All scores lie between {least:.10g} and {greatest:.10g}, as {unit} since 1970 do today: is the column of "
        "scores one of times?"
        for unit, factor in _UNITS.items()
        if _FIRST_SECOND * factor <= least and greatest <= _LAST_SECOND * factor
    ]
