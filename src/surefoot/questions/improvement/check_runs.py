"""Whether there are two algorithms to compare."""

import pandas as pd

from surefoot.build.errors import InputError
from surefoot.questions.checking import algorithms_asked, check_known, check_scores
from surefoot.questions.improvement.settings import Settings


def check_runs(table: pd.DataFrame, settings: Settings, where: str) -> None:
    """Raises InputError where the runs of a scale cannot answer the question."""
    check_scores(table, settings, where)
    chosen = algorithms_asked(table, settings)
    for name in (one for pair in settings.pairs or () for one in pair):
        check_known(name, chosen, where)
    if len(chosen) < 2:
        raise InputError(where, f"improvement is of two algorithms, and {chosen[0]} is one", "add another")
