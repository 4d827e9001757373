"""Do the rows of a table of scores look like runs?

Runs of a task are repetitions: no run is good on all tasks, and none is like its neighbour. Two mistakes break that and
give intervals that are far too narrow or have no width at all: an array of tasks x runs, and episodes of a few runs one
below the other. A right table is taken for a wrong one about once in 100,000 times; a wrong one of few runs or with
tasks that are much alike may pass.
"""

import numpy as np
from scipy.stats import chi2, rankdata

_LEVEL = 1e-5
_FEWEST_EPISODES = 30
_NEIGHBOURS = 5.0


def check_axes(algorithm: str, columns: list[np.ndarray]) -> None:
    """Raise a ValueError where the rows of a table with equally many runs of each task do not look like runs."""
    if len({column.size for column in columns}) != 1:
        return
    table = np.array(columns).T
    if looks_transposed(table):
        raise ValueError(
            f"scores: {algorithm}: its {table.shape[0]} runs of {table.shape[1]} tasks differ as tasks do. Hint: rows "
            "are runs and columns are tasks, so transpose the array; if it is right, say `checked=True`."
        )
    alike = _neighbours_correlation(table)
    if table.shape[0] >= _FEWEST_EPISODES and alike * np.sqrt(table.size) > _NEIGHBOURS:
        raise ValueError(
            f"scores: {algorithm}: each of its {table.shape[0]} runs is like the one before it (correlation {alike:.2f}"
            "), as episodes of the same run are. Hint: average the episodes of a run first, since runs are what is "
            "repeated; if they are runs in some order, say `checked=True`."
        )


def looks_transposed(table: np.ndarray) -> bool:
    """Whether the rows of float64[rows, columns] agree in their order in all columns, more than the columns do in the
    rows: rows are then tasks rather than runs."""
    if min(table.shape) < 2:
        return False
    rows, probability = _agreement(table)
    columns, _ = _agreement(table.T)
    return bool(probability < _LEVEL and rows > columns)


def _agreement(table):
    """Kendall's W: do the columns rank the rows alike? And Friedman's probability of so much agreement by chance."""
    rows, columns = table.shape
    ranks = rankdata(table, axis=0)
    spread = rows**2 - 1
    w = 12.0 * np.mean((ranks.mean(axis=1) - (rows + 1) / 2) ** 2) / spread
    return w, chi2.sf(w * columns * (rows - 1), rows - 1)


def _neighbours_correlation(table):
    """Mean over the tasks of the rank correlation between a row and the next."""
    ranks = rankdata(table, axis=0)
    ranks -= ranks.mean(axis=0)
    squares = (ranks**2).sum(axis=0)
    moving = squares > 0
    if not moving.any():
        return 0.0
    return float(np.mean((ranks[1:] * ranks[:-1]).sum(axis=0)[moving] / squares[moving]))
