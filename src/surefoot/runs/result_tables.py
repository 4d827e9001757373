"""Read and write result tables; names are read as strings, and only empty fields count as missing."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from surefoot.runs.text_columns import TEXT_COLUMNS

ROWS_TOGETHER = 2**20
"""Number of rows per row group of a Parquet table; a group is compressed as a whole and can be read separately."""

LEFT_OUT = "left_out"
"""Key in the `attrs` of a table of runs for sentences on the runs that were left out of it."""

REMARKS = "remarks"
"""Key in the `attrs` of a table of runs for remarks on how runs were read or scored."""

ACCOUNT_SUMMARY = "account_summary"
"""Key in the `attrs` of a table of runs for a summary of what became of the files that were read.

The summary has a sentence and the rows of a table; see `surefoot.runs.logs.account.account_summary`.
"""

SCALE = "scale"
"""Key in the `attrs` of a table of normalized scores for the name of their scale."""

Tables = Mapping[str, pd.DataFrame]
"""Tables by name, as a job uses them."""


def read_table(path: Path) -> pd.DataFrame:
    """Read a table in Parquet or CSV."""
    if path.suffix == ".parquet":
        return pd.read_parquet(path)
    columns = pd.read_csv(path, nrows=0).columns
    texts = TEXT_COLUMNS.intersection(columns)
    empty = {column: [""] for column in columns if column not in texts}
    return pd.read_csv(path, dtype=dict.fromkeys(texts, str), keep_default_na=False, na_values=empty)


def read_tables(paths: Mapping[str, Path]) -> dict[str, pd.DataFrame]:
    """Read several tables, and return them by name."""
    return {name: read_table(path) for name, path in paths.items()}


def write_table(table: pd.DataFrame, path: Path, digits: int | None = None) -> None:
    """Write a table as Parquet or CSV, depending on the suffix; `digits` limits significant digits in CSV."""
    if path.suffix == ".parquet":
        table.to_parquet(path, index=False)
    else:
        table.to_csv(path, index=False, float_format=None if digits is None else f"%.{digits}g")


def write_parts(parts: Iterable[pd.DataFrame], path: Path) -> None:
    """Write a Parquet table from its parts, in order, so that the whole table need not fit into memory.

    Up to `ROWS_TOGETHER` rows, the bytes are the same as from `write_table`.

    Raises
    ------
    ValueError : if there are no parts
    """
    writer = None
    waiting = []
    rows = 0
    for part in parts:
        waiting.append(part)
        rows += len(part)
        if rows >= ROWS_TOGETHER:
            writer = _write_waiting(waiting, path, writer)
            waiting = []
            rows = 0
    if waiting or writer is None:
        writer = _write_waiting(waiting, path, writer)
    writer.close()


def _write_waiting(parts: list[pd.DataFrame], path: Path, writer: pq.ParquetWriter | None) -> pq.ParquetWriter:
    table = pa.Table.from_pandas(pd.concat(parts, ignore_index=True), preserve_index=False)
    writer = writer or pq.ParquetWriter(path, table.schema)
    writer.write_table(table, row_group_size=ROWS_TOGETHER)
    return writer
