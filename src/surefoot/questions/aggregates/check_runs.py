"""Whether runs can be resampled."""

import pandas as pd

from surefoot.questions.aggregates.settings import Settings
from surefoot.questions.checking import check_scores, check_spread


def check_runs(table: pd.DataFrame, settings: Settings, where: str) -> None:
    """Raises InputError where the runs of a scale cannot answer the question."""
    check_scores(table, settings, where)
    check_spread(table, settings, where)
