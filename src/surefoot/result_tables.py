"""Tables of results as files: names are texts, whatever they look like, and only an empty field is missing."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from surefoot.tables import TEXT_COLUMNS

Tables = Mapping[str, pd.DataFrame]
"""Tables by the names under which a job takes them."""


def read_table(path: Path) -> pd.DataFrame:
    """A table in Parquet or CSV."""
    if path.suffix == ".parquet":
        return pd.read_parquet(path)
    columns = pd.read_csv(path, nrows=0).columns
    texts = TEXT_COLUMNS.intersection(columns)
    empty = {column: [""] for column in columns if column not in texts}
    return pd.read_csv(path, dtype=dict.fromkeys(texts, str), keep_default_na=False, na_values=empty)


def read_tables(paths: Mapping[str, Path]) -> dict[str, pd.DataFrame]:
    """Tables by name."""
    return {name: read_table(path) for name, path in paths.items()}


def write_table(table: pd.DataFrame, path: Path, digits: int | None = None) -> None:
    """Write a table as Parquet or CSV, as the path says; in CSV with so many significant digits, or all."""
    if path.suffix == ".parquet":
        table.to_parquet(path, index=False)
    else:
        table.to_csv(path, index=False, float_format=None if digits is None else f"%.{digits}g")
