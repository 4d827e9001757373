"""How the stages read the tables that other stages made: names are texts, and only an empty field is missing."""

from pathlib import Path

import pandas as pd

from surefoot.tables import TEXT_COLUMNS


def read_table(path: Path) -> pd.DataFrame:
    """A table in Parquet or CSV."""
    if path.suffix == ".parquet":
        return pd.read_parquet(path)
    columns = pd.read_csv(path, nrows=0).columns
    texts = TEXT_COLUMNS.intersection(columns)
    empty = {column: [""] for column in columns if column not in texts}
    return pd.read_csv(path, dtype=dict.fromkeys(texts, str), keep_default_na=False, na_values=empty)
