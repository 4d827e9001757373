"""Whether scores can be lifted by a percentage."""

import pandas as pd

from surefoot.build.errors import InputError
from surefoot.errors import HintedError
from surefoot.questions.checking import algorithms_asked, check_scores
from surefoot.questions.lifts.settings import Settings
from surefoot.statistics.comparison.differences import check_raised, lift_percent
from surefoot.statistics.resampling.stratified_bootstrap import metric_values
from surefoot.statistics.runs.samples_of_tasks import scores_of


def check_runs(table: pd.DataFrame, settings: Settings, where: str) -> None:
    """Raises InputError where the runs of a scale cannot answer the question."""
    check_scores(table, settings, where)
    for algorithm in algorithms_asked(table, settings):
        scores = scores_of(table, algorithm)
        try:
            check_raised(scores, settings.metrics, settings.lifts)
            for value in metric_values(scores, settings.metrics):
                lift_percent(value, value)
        except HintedError as error:
            raise InputError(where, f"{algorithm}: {error.told}", error.hint) from None
