"""Sources that are read from files: tables as their writers left them (CSV, Parquet or JSON), read without guessing."""

import csv
import io
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
from pyarrow import csv as arrow_csv

from surefoot.build.errors import InputError
from surefoot.build.given_files import LONGEST_LINE, MOST_JSON, parse_json, read_text, refuse_long_lines, refuse_special
from surefoot.build.runner import Task
from surefoot.errors import shortened, shown
from surefoot.registry import function_named
from surefoot.result_tables import write_table
from surefoot.sources.settings import RUNS, SourceSettings


def collect(task: Task) -> None:
    """Write the tables that the source's module `read` makes of its files, each algorithm of a run table being a cell
    of its own."""
    settings = task.settings | {key: str(path) for key, path in task.inputs.items()}
    model = function_named(settings.pop("model"))
    tables = tables_read(model.model_validate(settings), task.inputs)
    tables[RUNS] = tables[RUNS].assign(cell=tables[RUNS]["algorithm"])
    for name, path in task.outputs.items():
        write_table(tables[name], path)


def tables_read(
    settings: SourceSettings, files: Mapping[str, Path], name: str | None = None
) -> dict[str, pd.DataFrame]:
    """What a source makes of its files: "runs", the run table, and further tables by the ends of their names.

    Parameters
    ----------
    name : how errors name the file

    Raises
    ------
    InputError
    """
    found: pd.DataFrame | dict[str, pd.DataFrame] = import_module(settings.reads).read(settings, files, name)
    return {RUNS: found} if isinstance(found, pd.DataFrame) else found


_RECORDS = 'a list of records is expected: [{"algorithm": "a", "environment": "e", "run": 0, "score": 1.5}, ...]'
_OTHER_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}


def read_table(path: Path, where: str) -> pd.DataFrame:
    """The table of a file, cells of a CSV as texts.

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
    content = parse_json(text, where)
    if not isinstance(content, list | dict):
        raise InputError(where, f"the file contains only {shown(content)}, not a table", _RECORDS)
    return pd.DataFrame(content)


def _read_csv(text: str, where: str) -> pd.DataFrame:
    """Cells as texts, by Arrow: pandas takes the first field of rows that are longer than the header for an index."""
    refuse_long_lines(text, where)
    lines = csv.reader(io.StringIO(text[:LONGEST_LINE], newline=""))
    header = next((fields for fields in lines if "".join(fields).strip()), [])
    if not header:
        raise InputError(where, "the file is empty", "a header and one row for each run are expected")
    _check_separator(header, where)
    names = [str(number) for number in range(len(header))]
    try:
        cells = arrow_csv.read_csv(
            pa.BufferReader(text.encode()),
            read_options=arrow_csv.ReadOptions(column_names=names, skip_rows=lines.line_num, use_threads=False),
            parse_options=arrow_csv.ParseOptions(newlines_in_values=True),
            convert_options=arrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), strings_can_be_null=False
            ),
        ).to_pandas()
    except pa.ArrowInvalid as error:
        hint = "as many cells in each row as in the header; put a text with a comma in it in double quotes"
        raise InputError(where, shortened(" ".join(str(error).split())), hint) from None
    blank = cells[names[0]].str.strip() == ""
    if blank.any():
        blank &= (cells[blank].apply(lambda column: column.str.strip()) == "").all(axis="columns").reindex(cells.index)
    return cells[~blank].set_axis(header, axis="columns")


def _check_separator(header: list[str], where: str) -> None:
    if len(header) > 1:
        return
    for separator, name in _OTHER_SEPARATORS.items():
        if separator in header[0]:
            hint = (
                f"commas are expected: pandas.read_csv(file, sep={separator!r}).to_csv(other, index=False) writes them"
            )
            raise InputError(where, f"the columns are separated by {name}", hint)
