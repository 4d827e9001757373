"""The scores of one algorithm on each task, counted in bins."""

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared
from surefoot.questions.histograms.settings import Settings
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, scores_of, tasks_of


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """The scores of each task, counted in bins of equal width.

    Returns
    -------
    columns environment, low, high, count, runs
    """
    (table,) = sets.values()
    (algorithm,) = algorithms_of(table, settings.algorithms)
    parts = []
    for task, scores in zip(tasks_of(table), scores_of(table, algorithm), strict=True):
        counts, edges = np.histogram(scores, settings.bins)
        part = pd.DataFrame({"environment": task, "low": edges[:-1], "high": edges[1:], "count": counts})
        parts.append(part.assign(runs=scores.size))
    return pd.concat(parts, ignore_index=True)
