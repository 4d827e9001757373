"""The tables that a function takes, read from the files of a job."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

Takes = str | list[str] | dict[str, str]
"""What an argument takes, as names of files: one, a list of those to be concatenated, or a dict."""


def read_arguments(
    takes: Mapping[str, Takes], paths: Mapping[str, Path], read: Callable[[Path], pd.DataFrame]
) -> dict[str, Any]:
    """Read the tables of a function.

    Parameters
    ----------
    takes : for each argument the name of a file, a list of names whose tables are concatenated, or a dict of names
    paths : path of each file by name
    read : reads a table

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
    """Yield each file of the arguments: its place among them, such as "table" or "studies/small", and its name."""
    for argument, names in takes.items():
        if isinstance(names, str):
            yield argument, names
        else:
            labels = names.items() if isinstance(names, Mapping) else enumerate(names)
            for label, name in labels:
                yield f"{argument}/{label}", name
