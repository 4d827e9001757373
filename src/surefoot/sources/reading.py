"""The work of sources that are read from files."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import pandas as pd

from surefoot.build.runner import Task
from surefoot.result_tables import write_table
from surefoot.sources.settings import RUNS, SourceSettings


def collect(task: Task) -> None:
    """Write the tables that the source's module `read` makes of its files, each algorithm of a run table being a cell
    of its own."""
    settings = dict(task.settings)
    module = settings.pop("read")
    settings |= {key: str(path) for key, path in task.inputs.items()}
    chosen = import_module(module).Settings.model_validate(settings)
    tables = tables_read(module, chosen, task.inputs)
    tables[RUNS] = tables[RUNS].assign(cell=tables[RUNS]["algorithm"])
    for name, path in task.outputs.items():
        write_table(tables[name], path)


def tables_read(
    module: str, settings: SourceSettings, files: Mapping[str, Path], name: str | None = None
) -> dict[str, pd.DataFrame]:
    """What a module `read` makes of the files: "runs", the run table, and further tables by the ends of their names.

    Parameters
    ----------
    module : its dotted name
    name : how errors name the file

    Raises
    ------
    InputError
    """
    found: pd.DataFrame | dict[str, pd.DataFrame] = import_module(module).read(settings, files, name)
    return {RUNS: found} if isinstance(found, pd.DataFrame) else found
