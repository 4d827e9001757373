"""Read the tables that drawings take as arguments from the files of a job, and convert them to the logged units."""

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


VALUES: Mapping[str, tuple[str, ...]] = {
    "multiple_comparisons": ("estimate", "difference_to_best", "difference_to_baseline"),
    "pairwise_differences": ("algorithm_estimate", "baseline_estimate", "estimate"),
    "aggregate_metrics": ("estimate",),
}
"""Columns of a result in units of the scores, besides the limits low and high, by kind of question."""


def in_own_units(table: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Convert the result of a question about negated scores to the units that were logged.

    Parameters
    ----------
    table : the result
    kind : kind of the question, one of `VALUES`

    Returns
    -------
    DataFrame
        The result with a column `lower_is_better`, which is True.
    """
    values = {name: -table[name] for name in VALUES[kind] if name in table}
    for ending in ("", "_whole_runs"):
        if f"low{ending}" in table:
            values |= {f"low{ending}": -table[f"high{ending}"], f"high{ending}": -table[f"low{ending}"]}
    return table.assign(**values, lower_is_better=True)
