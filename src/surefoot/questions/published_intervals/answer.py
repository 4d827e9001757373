"""Intervals of the mean over tasks, from published means and deviations."""

import pandas as pd

from surefoot.questions.answering import Sets, Shared
from surefoot.questions.published_intervals.settings import Settings
from surefoot.statistics.intervals.published_means import mean_t_interval
from surefoot.statistics.runs.samples_of_tasks import algorithms_of


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Student's t intervals of the mean over tasks, from published means and standard deviations.

    Both as the paper has them, and for independent tasks.

    Returns
    -------
    columns scores, algorithm, method ("as_published" or "independent_tasks"), value, low, high, runs, tasks
    """
    rows = []
    for name, table in sets.items():
        for algorithm in algorithms_of(table, settings.algorithms):
            own = table[table["algorithm"] == algorithm]
            runs = int(own["runs"].iloc[0])
            for method in ("as_published", "independent_tasks"):
                found = mean_t_interval(
                    own["score"], own["deviation"], runs, shared.confidence, method == "independent_tasks"
                )
                rows.append((name, algorithm, method, *found, runs, len(own)))
    columns = ["scores", "algorithm", "method", "value", "low", "high", "runs", "tasks"]
    return pd.DataFrame(rows, columns=columns)
