"""Tables of results as files: names are texts, whatever they look like, and only an empty field is missing.

Light on purpose: the cells of a page import it.
"""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# An algorithm may be called 007, 1e3, NA or None, and a title may be a number.
TEXT_COLUMNS = frozenset(
    (
        *("algorithm", "environment", "opponent", "cell", "study", "stage", "part", "x", "y", "game", "env"),
        *("title", "environment_title", "opponent_title"),
        *("variant", "parameters", "algorithms", "environments"),
        *("method", "aggregate", "item", "text", "source", "verdict", "reason"),
        *("scores", "metric", "profile", "protocol", "resampled", "quantity", "degrees_of_freedom"),
        *("scenario", "normalization", "procedure", "jumps", "view", "machine"),
        *("analysis", "made", "code", "configuration"),
        *("subject", "data", "target", "remark", "outcome"),
    )
)


def read_table(path: Path) -> "pd.DataFrame":
    """A table in Parquet or CSV."""
    import pandas as pd

    if path.suffix == ".parquet":
        return pd.read_parquet(path)
    columns = pd.read_csv(path, nrows=0).columns
    texts = TEXT_COLUMNS.intersection(columns)
    empty = {column: [""] for column in columns if column not in texts}
    return pd.read_csv(path, dtype=dict.fromkeys(texts, str), keep_default_na=False, na_values=empty)


def write_table(table: "pd.DataFrame", path: Path, digits: int | None = None) -> None:
    """Write a table as Parquet or CSV, as the path says; in CSV with so many significant digits, or all."""
    if path.suffix == ".parquet":
        table.to_parquet(path, index=False)
    else:
        table.to_csv(path, index=False, float_format=None if digits is None else f"%.{digits}g")
