"""Paired tests of agents that played the same MDPs."""

import pandas as pd

from surefoot.questions.answering import Shared
from surefoot.questions.paired_z.settings import Settings
from surefoot.result_tables import Tables
from surefoot.statistics.comparison.plays import paired_z


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """The test of every pair; see `paired_z`."""
    return paired_z(tables["runs"])
