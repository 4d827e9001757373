"""Paired tests of agents that played the same MDPs."""

import pandas as pd

from surefoot.questions.answering import Shared
from surefoot.questions.paired_z.settings import Settings
from surefoot.result_tables import Tables
from surefoot.statistics.comparison.plays import paired_z


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """A paired Z-test of the best agents of every pair of algorithms, in each environment.

    Returns
    -------
    as `paired_z` returns it
    """
    return paired_z(tables["runs"])
