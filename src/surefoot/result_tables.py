"""Tables of results as files: names are texts, whatever they look like, and only an empty field is missing."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from surefoot.tables import TEXT_COLUMNS

ROWS_TOGETHER = 2**20
"""Rows of a table in Parquet that are compressed together, and can be read alone."""

LEFT_OUT = "left_out"
"""The key of the `attrs` of a table of runs under which it has sentences on who is left out of it."""

REMARKS = "remarks"
"""The key of the `attrs` of a table of runs under which it has what a reader should know of how these were read or
scored."""

ACCOUNT_SUMMARY = "account_summary"
"""The key of the `attrs` of a table of runs under which it has what became of the files that these were read from: a
sentence, and records for a table; see `surefoot.logs.account.account_summary`."""

SCALE = "scale"
"""The key of the `attrs` of a table of normalized scores under which it has the name of their scale."""

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
    """Write a table as Parquet or CSV, as the path says; in CSV with this many significant digits, or all."""
    if path.suffix == ".parquet":
        table.to_parquet(path, index=False)
    else:
        table.to_csv(path, index=False, float_format=None if digits is None else f"%.{digits}g")


def write_parts(parts: Iterable[pd.DataFrame], path: Path) -> None:
    """Write a table as Parquet whose parts, in this order, need not fit into the memory together.

    Of up to `ROWS_TOGETHER` rows it has the bytes that `write_table` gives it.

    Raises
    ------
    ValueError : there is no part
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
