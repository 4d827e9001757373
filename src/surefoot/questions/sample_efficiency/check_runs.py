"""Whether the runs of learning curves can be resampled."""

import pandas as pd

from surefoot.build.errors import InputError
from surefoot.questions.checking import algorithms_asked, check_scores, run_counts
from surefoot.questions.sample_efficiency.settings import Settings
from surefoot.questions.settings import QuestionSettings


def check_runs(table: pd.DataFrame, settings: Settings, where: str) -> None:
    """Raises InputError where the runs of a scale cannot answer the question."""
    check_resampled(table, settings, where)


def check_resampled(table: pd.DataFrame, settings: QuestionSettings, where: str) -> None:
    """Raises InputError where runs are too few or metrics undefined, as of their scores at the last step."""
    last = table[table["step"] == table["step"].max()]
    check_scores(last, settings, where)
    for algorithm, counts in run_counts(last, algorithms_asked(last, settings)).groupby("algorithm", sort=False):
        if counts.max() == 1:
            what = f"{algorithm} has one run of each of {len(counts)} tasks, which cannot be resampled"
            raise InputError(where, what, "collect a second run, or leave the question out")
