"""Files of tables as their writers left them: CSV, Parquet or JSON, read without guessing."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from surefoot.build.errors import InputError
from surefoot.build.given_files import MOST_JSON, read_text, refuse_special
from surefoot.errors import shortened, shown

_RECORDS = 'a list of records is expected: [{"algorithm": "a", "environment": "e", "run": 0, "score": 1.5}, ...]'
_OTHER_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}


def read_table(path: Path, where: str) -> pd.DataFrame:
    """The table of a file, cells of a CSV as texts; missing ones at the end of a row are empty.

    Parameters
    ----------
    path : a CSV, Parquet or JSON (records) file
    where : how errors name it

    Raises
    ------
    InputError
    """
    readers: dict[str, Callable[..., Any]] = {
        ".csv": lambda: _read_csv(read_text(path, where), where),
        ".parquet": lambda: pd.read_parquet(path),
        ".json": lambda: _read_json(read_text(path, where, MOST_JSON), where),
    }
    suffix = Path(path).suffix.lower()
    if suffix not in readers:
        raise InputError(where, f'unknown kind of file "{suffix}"', "allowed: " + ", ".join(readers))
    refuse_special(path, where)
    try:
        return readers[suffix]()
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(where, "no such file", "paths are relative to the folder in which snakemake runs") from None
    except RecursionError:
        raise InputError(where, "lists or mappings are nested too deeply", _RECORDS) from None
    except Exception as error:  # a damaged Parquet file leads to many kinds
        text = shortened(" ".join(str(error).split())) or type(error).__name__
        raise InputError(where, f"not readable as {suffix[1:]}: {text}", "is the file whole?") from error


def _read_json(text: str, where: str) -> pd.DataFrame:
    # Python refuses to read whole numbers of more than 4300 digits; as a float they are infinite.
    content = json.loads(text, parse_int=lambda digits: int(digits) if len(digits) < 400 else float(digits))
    if not isinstance(content, list | dict):
        raise InputError(where, f"the file contains only {shown(content)}, not a table", _RECORDS)
    return pd.DataFrame(content)


def _read_csv(text: str, where: str) -> pd.DataFrame:
    """Not by pandas, which takes the first field of rows that are longer than the header for an index."""
    reader = csv.reader(io.StringIO(text, newline=""))
    header: list[str] = []
    rows = []
    for fields in reader:
        if not "".join(fields).strip():
            continue
        if not header:
            header = fields
            _check_separator(header, where)
        elif len(fields) > len(header):
            what = f"line {reader.line_num} has {len(fields)} fields, and the header has {len(header)}"
            raise InputError(where, what, "name all columns; put a text with a comma in it in double quotes")
        else:
            rows.append(fields + [""] * (len(header) - len(fields)))
    if not header:
        raise InputError(where, "the file is empty", "a header and one row for each run are expected")
    return pd.DataFrame(rows, columns=header, dtype=object)


def _check_separator(header: list[str], where: str) -> None:
    if len(header) > 1:
        return
    for separator, name in _OTHER_SEPARATORS.items():
        if separator in header[0]:
            hint = (
                f"commas are expected: pandas.read_csv(file, sep={separator!r}).to_csv(other, index=False) writes them"
            )
            raise InputError(where, f"the columns are separated by {name}", hint)
