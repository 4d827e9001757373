"""Files that hold tables: the names of their columns, and their rows."""

import csv
import errno
import json
import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import pandas as pd

from surefoot.errors import InputError
from surefoot.runs.columns.csv_text import parse_csv, split_header, without_comments
from surefoot.runs.columns.run_names import STEPS, refuse_bad_names
from surefoot.runs.given_files import MOST_JSON, MOST_UNPACKED, parse_json, read_text, utf8_text
from surefoot.runs.logs.curves import Reading
from surefoot.runs.logs.files import csv_header, head, json_lines

_LINES = (".jsonl", ".ndjson")
_TABLES = (".csv", ".csv.gz", ".tsv", ".tsv.gz", ".parquet", ".json", *_LINES)


def kind_of_table(path: Path) -> str:
    """Return the suffix of a file that may be a table, or ""."""
    return next((suffix for suffix in _TABLES if path.name.lower().endswith(suffix)), "")


def column_names(path: Path) -> tuple[str, ...]:
    """Return the column names of a table, or () if the file is not a table."""
    kind = kind_of_table(path)
    if kind == ".csv":
        return csv_header(path)
    if kind in _LINES:
        return _keys_of_scores(path)
    if kind == ".json":
        return _keys_of_records(path) if head(path).lstrip()[:1] == b"[" else ()
    if kind == ".parquet":
        from pyarrow import ArrowException, parquet

        try:
            return tuple(parquet.read_schema(path).names)
        except PermissionError:  # pyarrow's error does not name the file
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path)) from None
        except (OSError, ArrowException):
            return ()
    if kind:
        try:
            return tuple(split_header(_text(path).partition("\n")[0])[0])
        except (InputError, OSError, EOFError, csv.Error):
            return ()
    return ()


def _keys_of_scores(path: Path) -> tuple[str, ...]:
    """Return the keys in the first line of JSON lines with one score per run; () for the log of a single run."""
    try:
        record = json.loads(head(path).lstrip().partition(b"\n")[0])
    except (ValueError, RecursionError):
        return ()
    return tuple(record) if isinstance(record, dict) and set(STEPS).isdisjoint(record) else ()


@lru_cache(maxsize=1000)
def _keys_of_records(path: Path) -> tuple[str, ...]:
    """Return the keys of the objects in a JSON list."""
    try:
        records = parse_json(read_text(path, str(path), MOST_JSON), str(path))
    except (ValueError, RecursionError):
        return ()
    is_table = isinstance(records, list) and all(isinstance(record, Mapping) for record in records)
    return tuple(dict.fromkeys(str(name) for record in records for name in record)) if is_table else ()


def _text(path: Path) -> str:
    """Return the text of a CSV, decompressed if necessary, without comments before its header."""
    kind = kind_of_table(path)
    if kind.endswith(".gz"):
        import gzip

        with gzip.open(path) as file:
            content = file.read(MOST_UNPACKED + 1)
        if len(content) > MOST_UNPACKED:
            what = f"it unpacks to more than {MOST_UNPACKED / 1e9:,.1f} GB"
            raise InputError(str(path), what, "write it as Parquet")
        text = utf8_text(content, str(path))
    else:
        text = read_text(path, str(path))
    return without_comments(text)


def read_rows(path: Path, texts: Sequence[str], reading: Reading | None = None) -> pd.DataFrame:
    """Return the rows of a table.

    Parameters
    ----------
    texts : columns to read as categories of strings
    reading : state in which an incomplete line of JSON is recorded

    Raises
    ------
    InputError
        if the file is not readable as CSV, or a row has no name
    """
    kind = kind_of_table(path)
    if kind == ".parquet":
        table = pd.read_parquet(path)
        table = table.reset_index(drop=table.index.names == [None])
    elif kind in _LINES:
        table = pd.DataFrame(json_lines(path, reading or Reading(path)))
    elif kind == ".json":
        table = pd.DataFrame(parse_json(read_text(path, str(path), MOST_JSON), str(path)))
    else:
        table = parse_csv(_text(path), str(path), texts)
    for name in table.columns.intersection(list(texts)):
        refuse_bad_names(str(path), name, table[name])
        # Reading as categories would turn 007 into 7.
        table[name] = table[name].astype(str).astype("category")
    return table
