"""The probability of each rank of each algorithm."""

import numpy as np
import pandas as pd

from surefoot.questions.answering import Sets, Shared, tie_decimals
from surefoot.questions.ranks.settings import Settings
from surefoot.statistics.comparison.rank_distributions import rank_distributions, simulated_rank_distributions
from surefoot.statistics.runs.samples_of_tasks import algorithms_of, scores_of, tasks_of


def answer(sets: Sets, settings: Settings, shared: Shared) -> pd.DataFrame:
    """Distributions of ranks when one run of each algorithm is drawn and ties are broken at random; 1 is the best.

    Returns
    -------
    columns scores, environment (empty for the mean over tasks), algorithm, rank, value (the probability)
    """
    decimals, parts = tie_decimals(settings.decimals), []
    for name, table in sets.items():
        algorithms, tasks = algorithms_of(table, settings.algorithms), tasks_of(table)
        scores = [scores_of(table, algorithm) for algorithm in algorithms]
        if settings.draws is None:
            found = rank_distributions(scores, decimals)
        else:
            found = simulated_rank_distributions(scores, settings.draws, shared.seed, tasks, decimals)
        for task, matrix in [("", found.mean(axis=0)), *zip(tasks, found, strict=True)]:
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
