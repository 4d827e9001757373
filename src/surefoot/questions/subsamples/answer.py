"""Mean, spread and range of metrics of fewer runs."""

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared
from surefoot.questions.subsamples.settings import Settings
from surefoot.questions.subsampling import TAILS, Draws, subsampled
from surefoot.statistics.resampling.stratified_bootstrap import metric_values
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, scores_of


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """The mean, spread and 95 % range of metrics of N runs.

    Returns
    -------
    columns algorithm, size, metric, value (the mean), mean_error (Monte Carlo), deviation, low, high, whole (the metric
        of all runs)
    """
    (table,) = sets.values()
    draws = Draws(settings.metrics, settings.datasets, settings.resampled, shared)
    rows = []
    for algorithm in algorithms_of(table, settings.algorithms):
        whole = metric_values(scores_of(table, algorithm), settings.metrics)
        for size in settings.sizes:
            drawn = subsampled(table, algorithm, size, draws)
            for place, name in enumerate(settings.metrics):
                own = drawn[:, place]
                deviation = own.std(ddof=1)
                error = deviation / np.sqrt(own.size)
                numbers = (own.mean(), error, deviation, *np.quantile(own, TAILS), whole[place])
                rows.append((algorithm, size, name, *numbers))
    columns = ["algorithm", "size", "metric", "value", "mean_error", "deviation", "low", "high", "whole"]
    return pd.DataFrame(rows, columns=columns)
