"""What `surefoot.read_runs` reads, with its remarks beside the table and not as warnings."""

import warnings
from typing import NamedTuple

import pandas as pd

from surefoot.errors import Remark
from surefoot.logs.reading import read_runs


class Reading(NamedTuple):
    table: pd.DataFrame
    format: str
    remarks: tuple[str, ...]


def read_folder(folder, **asked):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Remark)
        table = read_runs(folder, **asked)
    return Reading(table, table.attrs["format"], tuple(table.attrs["remarks"]))
