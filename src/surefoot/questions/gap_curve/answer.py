"""The optimality gap below each of many targets."""

import pandas as pd

from surefoot.questions.answering import Sets, Shared, grid
from surefoot.questions.gap_curve.settings import Settings
from surefoot.statistics.metrics.catalogue import Metric
from surefoot.statistics.resampling.stratified_bootstrap import metric_values
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, scores_of


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """The optimality gap below each target gamma, as a fraction of gamma.

    Returns
    -------
    columns algorithm, gamma, value
    """
    (table,) = sets.values()
    gammas = grid(settings.thresholds)
    parts = []
    for algorithm in algorithms_of(table, settings.algorithms):
        gaps = metric_values(scores_of(table, algorithm), [Metric("optimality_gap", gamma) for gamma in gammas])
        parts.append(pd.DataFrame({"algorithm": algorithm, "gamma": gammas, "value": gaps / gammas}))
    return pd.concat(parts, ignore_index=True)
