"""Whether there are as many runs as are drawn."""

import pandas as pd

from surefoot.questions.checking import algorithms_asked, check_drawn, check_scores, run_counts
from surefoot.questions.coverages.settings import Settings


def check_runs(table: pd.DataFrame, settings: Settings, where: str) -> None:
    """Raises InputError where the runs of a scale cannot answer the question."""
    check_scores(table, settings, where)
    if not all(settings.replacement):
        check_drawn(settings.sizes, run_counts(table, algorithms_asked(table, settings)), where)
