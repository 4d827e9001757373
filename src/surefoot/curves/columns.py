"""Columns that a table of runs must have."""

from collections.abc import Iterable

import pandas as pd

from surefoot.errors import HintedError


def refuse_missing(where: str, table: pd.DataFrame, columns: Iterable[str]) -> None:
    """Raise a HintedError where a table lacks one of the columns, or has no rows."""
    missing = [name for name in columns if name not in table.columns]
    if missing:
        what = f"column {', '.join(missing)} is missing; there are {', '.join(map(str, table.columns))}"
        raise HintedError(where, what, "a table as surefoot.read_runs gives it")
    if table.empty:
        raise HintedError(where, "the table has no rows", "one row per run and step")
