"""The errors of trimmed means of fewer runs."""

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared
from surefoot.questions.subsampling import Draws, subsampled
from surefoot.questions.trimmed_errors.settings import Settings
from surefoot.statistics.metrics.catalogue import Metric
from surefoot.statistics.resampling.stratified_bootstrap import metric_values
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, scores_of


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Mean squared error of trimmed means of N runs, each against its own value on all runs.

    Returns
    -------
    columns algorithm, resampled ("whole_runs" or "runs"), fraction, size, value (mean squared error), value_error
        (Monte Carlo), bias
    """
    (table,) = sets.values()
    (size,) = settings.sizes
    trimmed = [Metric("trimmed_mean", float(fraction)) for fraction in settings.fractions]
    rows = []
    for algorithm in algorithms_of(table, settings.algorithms):
        whole = metric_values(scores_of(table, algorithm), trimmed)
        for resampled in ("whole_runs", "runs"):
            drawn = subsampled(table, algorithm, size, Draws(trimmed, settings.datasets, resampled, shared))
            squares = (drawn - whole) ** 2
            error = squares.std(axis=0, ddof=1) / np.sqrt(len(drawn))
            for place, fraction in enumerate(settings.fractions):
                numbers = (squares[:, place].mean(), error[place], drawn[:, place].mean() - whole[place])
                rows.append((algorithm, resampled, fraction, size, *numbers))
    columns = ["algorithm", "resampled", "fraction", "size", "value", "value_error", "bias"]
    return pd.DataFrame(rows, columns=columns)
