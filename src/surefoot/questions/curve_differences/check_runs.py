"""Whether the runs of learning curves can be resampled, and are of several algorithms."""

import pandas as pd

from surefoot.build.errors import InputError
from surefoot.questions.checking import algorithms_asked
from surefoot.questions.curve_differences.settings import Settings
from surefoot.questions.sample_efficiency.check_runs import check_resampled


def check_runs(table: pd.DataFrame, settings: Settings, where: str) -> None:
    """Raises InputError where the runs of a scale cannot answer the question."""
    check_resampled(table, settings, where)
    chosen = algorithms_asked(table, settings)
    if len(chosen) < 2:
        raise InputError(where, f"a difference is of two algorithms, and {chosen[0]} is one", "name another")
