"""Which improvements fewer runs would have shown."""

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared
from surefoot.questions.lifts.settings import Settings
from surefoot.questions.subsampling import TAILS, Draws, subsampled_scores
from surefoot.statistics.comparison.differences import check_raised, lift_percent, raised
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, scores_of, tasks_of


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """The 95 % range of the observed lift of an algorithm over itself, if all its scores are raised by some percentage.

    Raising scores gives a negative lift of a metric for which lower is better, such as an optimality gap.

    Returns
    -------
    columns algorithm, lift, size, metric, value (the median), low, high

    Raises
    ------
    ValueError : scores that a lift makes worse; a metric that is not positive, for which percentages mean nothing
    """
    (table,) = sets.values()
    draws = Draws(settings.metrics, settings.datasets, settings.resampled, shared)
    rows = []
    for algorithm in algorithms_of(table, settings.algorithms):
        scores, tasks = scores_of(table, algorithm), tasks_of(table)
        check_raised(scores, settings.metrics, settings.lifts)
        for size in settings.sizes:
            first = subsampled_scores(scores, tasks, f"{algorithm}/{size}/first", size, draws)
            second = [
                subsampled_scores(raised(scores, lift), tasks, f"{algorithm}/{size}/second", size, draws)
                for lift in settings.lifts
            ]
            for place, name in enumerate(settings.metrics):
                for lift, drawn in zip(settings.lifts, second, strict=True):
                    found = lift_percent(drawn[:, place], first[:, place])
                    rows.append((algorithm, lift, size, name, np.median(found), *np.quantile(found, TAILS)))
    return pd.DataFrame(rows, columns=["algorithm", "lift", "size", "metric", "value", "low", "high"])
