"""The mean score of each algorithm in each environment."""

import pandas as pd

from surefoot.questions.answering import Shared
from surefoot.questions.task_means.settings import Settings
from surefoot.result_tables import Tables
from surefoot.statistics.runs.task_means import task_means


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Means over runs with Student's intervals, each separately, in the units of the scores.

    The intervals are exact for normal scores, and too narrow for a few runs of skewed scores, or if some runs fail.

    Returns
    -------
    columns environment, algorithm, runs, mean, standard_deviation, low, high, least, greatest (the lowest and the
    highest score of a run)
    """
    return task_means(tables["runs"], shared.confidence)
