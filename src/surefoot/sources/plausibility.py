"""Do the rows of a table of scores look like runs?

Runs of a task are repetitions: no run is good on all tasks, and none is like another. Two mistakes break that and give
intervals that are far too narrow or have no width at all: an array of tasks x runs, and episodes of a few runs given as
runs, run after run or taking turns. A right table is taken for a wrong one about once in 100,000 times, as long as runs
have nothing in common across tasks.

Where they do, a right table looks like a transposed one, and is refused only where nearly all tasks rank the runs alike
(1,000 normal tables each, of tasks that do not differ otherwise): with a correlation of 0.3 between tasks, none of 10
runs of 10 to 30 tasks; with 0.5, 1 to 2 % (8 % of 5 runs of 10 tasks); with 0.6, 8 to 10 %; with 0.9, 95 %. Then
`checked=True` accepts it, or `shared_runs=True` where the question has it.

A wrong one may pass: with few runs and tasks the rows cannot be told, and tasks that differ no more than runs look like
shared runs. As such they are taken then (see `statistics.runs.sharing`), and the interval is wide rather than false. Of
transposed tables whose tasks differ three times as much as runs, with five runs and three tasks none is found, with ten
runs and ten tasks 93 %, and with ten runs and 26 tasks 99 %. Nothing is asked of fewer than 30 rows whether they are
episodes, nor of episodes in no regular order.
"""

import numpy as np
import pandas as pd
from scipy.stats import chi2, rankdata

from surefoot.errors import HintedError
from surefoot.statistics.arrays import Floats

_LEVEL = 1e-5
_SHARED = 0.7
"""The mean rank correlation of two columns up to which rows may be runs that the tasks share."""
_FEWEST_EPISODES = 30
_ALIKE = 6.0


def check_axes(
    where: str,
    algorithm: str,
    columns: list[Floats],
    transposed: str = "rows are runs and columns are tasks, so transpose the array; if it is right, say `checked=True`",
    otherwise: str = "say `checked=True`",
) -> None:
    """Raise a HintedError where the rows of a table with equally many runs of each task do not look like runs.

    Parameters
    ----------
    where : what the table was given as
    columns : float64[runs] of each task
    transposed : the hint where rows look like tasks
    otherwise : the end of the hint where rows look like episodes: what to do if they are runs
    """
    if len({column.size for column in columns}) != 1:
        return
    table = np.array(columns).T
    if looks_transposed(table):
        what = f"{algorithm}: its {table.shape[0]} runs of {table.shape[1]} tasks differ as tasks do"
        raise HintedError(where, what, transposed)
    apart = alike_rows(table)
    if apart is not None:
        which = "the one before it" if apart == 1 else f"the one {apart} rows before it"
        raise HintedError(
            where,
            f"{algorithm}: each of its {table.shape[0]} runs is like {which} by more than chance, as episodes of the "
            "same run are",
            "average the episodes of a run first, since runs are what is repeated; if they are runs in some order, "
            + otherwise,
        )


def looks_transposed(table: Floats) -> bool:
    """Whether the rows of float64[rows, columns] agree in their order in nearly all columns, more than the columns do
    in the rows: rows are then tasks rather than runs."""
    if min(table.shape) < 2:
        return False
    rows, probability = _agreement(table)
    columns, _ = _agreement(table.T)
    count = table.shape[1]
    correlation = (count * rows - 1.0) / (count - 1.0)
    return bool(probability < _LEVEL and rows > columns and correlation > _SHARED)


def _agreement(table: pd.DataFrame) -> tuple[float, float]:
    """Kendall's W: do the columns rank the rows alike? And Friedman's probability of so much agreement by chance."""
    rows, columns = table.shape
    ranks = rankdata(table, axis=0)
    spread = rows**2 - 1
    w = 12.0 * np.mean((ranks.mean(axis=1) - (rows + 1) / 2) ** 2) / spread
    return w, chi2.sf(w * columns * (rows - 1), rows - 1)


def alike_rows(table: Floats) -> int | None:
    """How many rows apart, up to half of all, the rows of float64[rows, tasks] are alike by more than chance (six
    standard errors); the least, or None where there is none or there are fewer than 30 rows.

    The likeness of two rows is the sum over the tasks of the products of their ranks. Its variance, were the rows in
    random order, is taken from all pairs of rows, so that it is right too where a run is good on many tasks at once.
    Tasks where more than half of the rows have one score, such as rare successes, are left out: a single pair of
    others would look like a pattern.
    """
    rows = table.shape[0]
    if rows < _FEWEST_EPISODES:
        return None
    ordered = np.sort(table, axis=0)
    table = table[:, (ordered[: rows - rows // 2] != ordered[rows // 2 :]).all(axis=0)]
    ranks = rankdata(table, axis=0) - (rows + 1) / 2
    power = (np.abs(np.fft.rfft(ranks, 2 * rows, axis=0)) ** 2).sum(axis=1)
    apart = np.arange(1, rows // 2 + 1)
    likeness = np.fft.irfft(power)[apart]
    own = (ranks**2).sum(axis=1)
    pairs = rows * (rows - 1)
    mean = -own.sum() / pairs
    variance = (((ranks.T @ ranks) ** 2).sum() - (own**2).sum()) / pairs - mean**2
    if variance <= 1e-9 * max(mean**2, 1.0):
        return None
    errors = (likeness - (rows - apart) * mean) / np.sqrt((rows - apart) * variance)
    found = apart[errors > _ALIKE]
    return int(found[0]) if found.size else None
