"""Which agents are best within bounds on their offline and online times."""

import pandas as pd

from surefoot.questions.answering import Shared
from surefoot.questions.time_bounds.settings import Settings
from surefoot.result_tables import Tables
from surefoot.statistics.comparison.plays import time_bounds


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """The best agents under every pair of bounds.

    Returns
    -------
    as `time_bounds` returns it
    """
    plays = tables["runs"]
    return time_bounds(plays[~plays["algorithm"].isin(settings.left_out)])
