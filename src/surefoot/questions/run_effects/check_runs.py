"""Whether there are runs enough for Friedman's test."""

import pandas as pd

from surefoot.build.errors import InputError
from surefoot.questions.checking import algorithms_asked, check_scores, run_counts
from surefoot.questions.run_effects.settings import Settings


def check_runs(table: pd.DataFrame, settings: Settings, where: str) -> None:
    """Raises InputError where the runs of a scale cannot answer the question."""
    check_scores(table, settings, where)
    fewest = run_counts(table, algorithms_asked(table, settings)).min()
    if fewest < 3:
        raise InputError(where, f"Friedman's test needs 3 runs, and there are {fewest}", "add runs")
