"""The work of sources that are read from files."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import pandas as pd

from surefoot.build.runner import Task
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
