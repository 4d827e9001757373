"""Scores of two algorithms on five tasks: as arrays, and as a table with one row per run and task."""

import numpy as np
import pandas as pd

_RNG = np.random.default_rng(0)
_DIFFICULTY = _RNG.normal(size=5)
ARRAYS = {
    name: np.exp(_RNG.normal(_DIFFICULTY + skill, 0.3, (10, 5))) for name, skill in (("ours", 0.3), ("base", 0.0))
}
TASKS = [f"task {number}" for number in range(5)]


def tidy(arrays=ARRAYS):
    rows = [
        (algorithm, task, run, score)
        for algorithm, array in arrays.items()
        for run, scores in enumerate(array)
        for task, score in zip(TASKS, scores, strict=True)
    ]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


TABLE = tidy()
