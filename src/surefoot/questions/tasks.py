"""Each task on its own, in the units of its scores."""

import pandas as pd

from surefoot.questions.registry import question
from surefoot.questions.results import Table
from surefoot.questions.types import Checked, Confidence


@question(
    stage="estimate",
    needs="runs",
    finding="surefoot.charts.aggregates:task_means_finding",
    page_table="surefoot.charts.aggregates:task_means_table",
)
def task_means(
    runs: pd.DataFrame,
    *,
    confidence: Confidence = 0.95,
    checked: Checked = False,
) -> Table:
    r"""The mean score of each algorithm in each environment, in the units of the scores.

    Means over runs with Student's intervals, each separately, in the units of the scores.

    The intervals are exact for normal scores, and too narrow for a few runs of skewed scores, or if some runs fail.

    Parameters
    ----------
    runs
        Raw scores, one row per run: a table with the columns algorithm, environment, run, score; or a dict
        {algorithm: array of runs x tasks}.
    confidence
        Confidence level of the intervals.
    checked
        Whether the runs are known to be right although they look transposed, like episodes instead of runs, or like
        scores without a common scale.

    Returns
    -------
    Table
        `table()` has columns environment, algorithm, runs, mean, standard_deviation, low, high, least, greatest
        (the lowest and the highest score of a run)

    Notes
    -----
    formula : $\bar x \mp t_{N-1}\, s / \sqrt N$ with the $1 - \alpha/2$ quantile $t_{N-1}$ of Student's distribution.
    assumes : Runs are independent and scores nearly normal.
    guarantee : Exact for normal scores, for each mean alone.
    interval : intervals by Student's distribution
    in a paper : We report the mean score of each algorithm in each environment, with {intervals}.
    not for : Few runs of skewed scores, or where some fail: the interval is too narrow. All environments at once: at 95
        %, one in twenty intervals misses.

    References
    ----------
    student1908

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import task_means
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> task_means(scores).table()[["environment", "algorithm", "runs", "mean"]].round(2)
       environment algorithm  runs  mean
    0            0         a     3  0.80
    1            1         a     3  0.73
    2            0         b     3  0.43
    3            1         b     3  0.37
    """
    from surefoot.statistics.intervals.means import task_means as means_of_tasks

    return Table(means_of_tasks(runs, confidence))
