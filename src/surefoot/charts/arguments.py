"""Read the tables that a function takes as arguments from the files of a job."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

Takes = str | list[str] | dict[str, str]
"""File names for an argument: one name, a list of names whose tables are concatenated, or a dict of names."""


def read_arguments(
    takes: Mapping[str, Takes], paths: Mapping[str, Path], read: Callable[[Path], pd.DataFrame]
) -> dict[str, Any]:
    """Read the tables that a function takes as arguments.

    Parameters
    ----------
    takes : for each argument, the name of a file, a list of names whose tables are concatenated, or a dict of names
    paths : path of each file by name
    read : function that reads a table

    Returns
    -------
    dict
        A table for each argument, or a dict of tables.
    """
    arguments: dict[str, Any] = {}
    for argument, names in takes.items():
        if isinstance(names, str):
            arguments[argument] = read(paths[names])
        elif isinstance(names, Mapping):
            arguments[argument] = {label: read(paths[name]) for label, name in names.items()}
        else:
            arguments[argument] = pd.concat([read(paths[name]) for name in names], ignore_index=True)
    return arguments


def files_of(takes: Mapping[str, Takes]) -> Iterator[tuple[str, str]]:
    """Yield, for each file, its position in the arguments, such as "table" or "studies/small", and its name."""
    for argument, names in takes.items():
        if isinstance(names, str):
            yield argument, names
        else:
            labels = names.items() if isinstance(names, Mapping) else enumerate(names)
            for label, name in labels:
                yield f"{argument}/{label}", name
