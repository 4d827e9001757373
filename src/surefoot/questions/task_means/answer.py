"""The mean score of each algorithm in each environment."""

import pandas as pd

from surefoot.questions.answering import Shared
from surefoot.questions.task_means.settings import Settings
from surefoot.result_tables import Tables
from surefoot.statistics.runs.task_means import task_means


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Means over runs with Student's intervals, each for itself; see `statistics.runs.task_means`."""
    return task_means(tables["runs"], shared.confidence)
