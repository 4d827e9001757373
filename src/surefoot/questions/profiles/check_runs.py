"""Whether runs can be resampled."""

import pandas as pd

from surefoot.questions.checking import check_scores, check_spread
from surefoot.questions.profiles.settings import Settings


def check_runs(table: pd.DataFrame, settings: Settings, where: str) -> None:
    """Raises InputError where the runs of a scale cannot answer the question."""
    check_scores(table, settings, where)
    check_spread(table, settings, where)
