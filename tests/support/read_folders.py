"""What `surefoot.read_runs` reads, with its remarks beside the table and not as warnings."""

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
    """The rows of these columns."""
    return list(table[list(names)].itertuples(index=False, name=None))


def told(folder, **asked):
    """What is said of a folder that is refused."""
    with pytest.raises(InputError) as caught:
        read_folder(folder, **asked)
    assert caught.value.hint
    return str(caught.value)


def refused_in_memory(folder):
    """What is said of a folder that is refused, and the most bytes that it took, once all modules are imported."""
    told(folder)
    tracemalloc.start()
    sentence = told(folder)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return sentence, most
