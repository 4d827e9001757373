"""Sources that are read from files: tables as their writers left them (CSV, Parquet or JSON), read without guessing."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from surefoot.build.errors import InputError
from surefoot.build.given_files import MOST_JSON, parse_json, read_text, refuse_special
from surefoot.build.runner import Task
from surefoot.columns import parse_csv
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
    """Cells as texts, without rows of empty ones, which spreadsheets leave."""
    cells = parse_csv(text, where, texts=None)
    if not len(cells.columns):
        raise InputError(where, "the file is empty", "a header and one row for each run are expected")
    return cells[cells.apply(lambda column: column.str.strip() != "").any(axis="columns")]
