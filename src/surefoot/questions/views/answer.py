"""The same runs by IQM and by probability of improvement, with bootstrap intervals."""

import pandas as pd

from surefoot.questions.answering import Shared
from surefoot.questions.views.settings import Settings
from surefoot.result_tables import Tables
from surefoot.statistics.comparison.views import bootstrapped_views


def answer(tables: Tables, settings: Settings, shared: Shared) -> pd.DataFrame:
    """The value of every algorithm in each view, with its own percentile interval.

    Returns
    -------
    as `bootstrapped_views` returns it
    """
    return bootstrapped_views(tables["runs"], shared.replicates, shared.seed, shared.confidence)
