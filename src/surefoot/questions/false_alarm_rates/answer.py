"""How often checking after every run finds a difference that does not exist."""

import pandas as pd

from surefoot.questions.answering import Sets, Shared
from surefoot.questions.false_alarm_rates.settings import Settings
from surefoot.statistics.comparison.sequential import (
    false_alarms,
)
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, scores_of


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """How often an experimenter who looks after every run finds a difference between an algorithm and itself.

    Both sides are drawn with replacement from the runs of the second algorithm that is compared, so every finding is a
    false alarm. They are drawn for each task separately, or as whole runs if tasks are not known to be independent.

    Returns
    -------
    columns method ("percentile", the ordinary interval, or "betting", the confidence sequence), round, alarms (fraction
    of the experiments that find a difference at this look), ever (at this look or an earlier one), standard_error (of
    ever), algorithm, experiments
    """
    (table,) = sets.values()
    algorithm = algorithms_of(table, settings.compare)[1]
    scores = scores_of(table, algorithm)
    asked = (settings.rounds, settings.datasets, shared.replicates, shared.confidence, shared.seed)
    found = false_alarms(scores, scores, *asked, tasks_independent=settings.tasks_independent)
    return found.assign(algorithm=algorithm, experiments=settings.datasets)
