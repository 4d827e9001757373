"""Whether there are two algorithms, with runs that can be resampled."""

import pandas as pd

from surefoot.build.errors import InputError
from surefoot.questions.checking import algorithms_asked, check_scores, check_spread
from surefoot.questions.pairwise_differences.settings import Settings


def check_runs(table: pd.DataFrame, settings: Settings, where: str) -> None:
    """Raises InputError where the runs of a scale cannot answer the question."""
    check_scores(table, settings, where)
    chosen = algorithms_asked(table, settings)
    if len(chosen) < 2:
        raise InputError(where, f"a difference is of two algorithms, and {chosen[0]} is one", "add another")
    check_spread(table, settings, where)
