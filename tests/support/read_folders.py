"""Read folders with `surefoot.read_runs`, returning remarks instead of warning."""

import tracemalloc
import warnings
from typing import NamedTuple

import pandas as pd
import pytest

from surefoot.errors import InputError, Remark
from surefoot.runs.logs.reading import read_runs


class Reading(NamedTuple):
    table: pd.DataFrame
    format: str
    remarks: tuple[str, ...]


def read_folder(folder, **asked):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Remark)
        table = read_runs(folder, **asked)
    return Reading(table, table.attrs["format"], tuple(table.attrs["remarks"]))


def rows(table, *names):
    """Return the values of the given columns, row by row."""
    return list(table[list(names)].itertuples(index=False, name=None))


def told(folder, **asked):
    """Return the error message for a folder that is rejected."""
    with pytest.raises(InputError) as caught:
        read_folder(folder, **asked)
    assert caught.value.hint
    return str(caught.value)


def refused_in_memory(folder):
    """Return the error message for a folder that is rejected, and the peak memory in bytes, without imports."""
    told(folder)
    tracemalloc.start()
    sentence = told(folder)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return sentence, most
