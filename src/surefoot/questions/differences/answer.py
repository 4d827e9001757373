"""What differences between two algorithms would have shown with fewer runs."""

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared
from surefoot.questions.differences.settings import Settings
from surefoot.questions.subsampling import TAILS, Draws, subsampled
from surefoot.statistics.comparison.differences import difference


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """The 95 % range of the difference between two algorithms with N runs each.

    Returns
    -------
    columns x, y, size, metric, value, low, high
    """
    (table,) = sets.values()
    draws = Draws(settings.metrics, settings.datasets, settings.resampled, shared)
    rows = []
    for x, y in settings.pairs:
        for size in settings.sizes:
            one, other = (subsampled(table, algorithm, size, draws) for algorithm in (x, y))
            for place, name in enumerate(settings.metrics):
                found = difference(one[:, place], other[:, place])
                rows.append((x, y, size, name, found.mean(), *np.quantile(found, TAILS)))
    return pd.DataFrame(rows, columns=["x", "y", "size", "metric", "value", "low", "high"])
