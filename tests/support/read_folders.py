"""Read folders with `surefoot.read_runs`, returning remarks instead of warning."""

import tracemalloc
import warnings
from typing import NamedTuple

import pandas as pd
import pytest
from support.paths import SHARED

import surefoot
from surefoot.errors import InputError, Remark
from surefoot.runs.logs.folder_runs import read_runs

BY_FOLDERS = "{algorithm}/{environment}/{seed}"
CASES = SHARED / "cases"
NEEDS_CASES = pytest.mark.skipif(not CASES.is_dir(), reason="../shared/cases is not here")


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


def reasons(table):
    """Return the rows of the account of a table by their reason."""
    account = surefoot.reading_account(table)
    return dict(zip(account["reason"], account["rows"], strict=True))


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
