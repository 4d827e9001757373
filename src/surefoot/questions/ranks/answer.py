"""How probable each rank of each algorithm is."""

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared
from surefoot.questions.ranks.settings import Settings
from surefoot.statistics.rank_distributions import rank_distributions
from surefoot.statistics.samples_of_tasks import algorithms_of, scores_of, tasks_of


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Exact distributions of ranks: columns scores, environment ("" is the mean over tasks), algorithm, rank, value."""
    parts = []
    for name, table in sets.items():
        algorithms = algorithms_of(table, settings.algorithms)
        found = rank_distributions([scores_of(table, algorithm) for algorithm in algorithms], settings.decimals)
        for task, matrix in [("", found.mean(axis=0)), *zip(tasks_of(table), found, strict=True)]:
            part = pd.DataFrame(
                {
                    "scores": name,
                    "environment": task,
                    "algorithm": np.repeat(algorithms, len(algorithms)),
                    "rank": np.tile(np.arange(1, len(algorithms) + 1), len(algorithms)),
                    "value": matrix.ravel(),
                }
            )
            parts.append(part)
    return pd.concat(parts, ignore_index=True)
