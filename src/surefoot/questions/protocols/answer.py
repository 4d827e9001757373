"""What fewer runs would have shown under several protocols of evaluation."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared
from surefoot.questions.protocols.settings import Settings
from surefoot.questions.subsampling import TAILS, Draws, subsampled
from surefoot.statistics.arrays import Floats
from surefoot.statistics.comparison.protocols import best_setting_means
from surefoot.statistics.resampling.stratified_bootstrap import metric_values
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, scores_of


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Metrics of N runs by several protocols: each algorithm on its own, and the best of several settings.

    The last is, for the first algorithm, on each task the highest of `settings` means of `runs_of_setting` runs each,
    where the settings do not differ at all (Agarwal et al. 2021, figure 5).

    Returns
    -------
    columns protocol, size, metric, value (the mean), low, high
    """
    (table,) = sets.values()
    draws = Draws(settings.metrics, settings.datasets, settings.resampled, shared)
    rows = []
    for algorithm in algorithms_of(table, settings.algorithms):
        for size in settings.sizes:
            drawn = subsampled(table, algorithm, size, draws)
            rows += _summaries(algorithm, size, settings.metrics, drawn)
    first, size = np.array(scores_of(table, algorithms_of(table, settings.algorithms)[0])).T, settings.runs_of_setting
    best = best_setting_means(first, settings.settings, size, settings.datasets, shared.seed)
    drawn = np.array([metric_values(one[None, :], settings.metrics) for one in best])
    name = f"{algorithms_of(table, settings.algorithms)[0]}, best of {settings.settings} settings"
    rows += _summaries(name, size, settings.metrics, drawn)
    return pd.DataFrame(rows, columns=["protocol", "size", "metric", "value", "low", "high"])


def _summaries(name: str, size: int, metrics: Sequence[str], drawn: Floats) -> list[tuple[Any, ...]]:
    limits = np.quantile(drawn, TAILS, axis=0)
    return [(name, size, metric, drawn[:, i].mean(), *limits[:, i]) for i, metric in enumerate(metrics)]
