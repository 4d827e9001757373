"""Each task on its own, in the units of its scores."""

import numpy as np
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


@question(stage="estimate", needs="outcomes", finding="surefoot.charts.aggregates:success_rates_finding")
def success_rates(
    runs: pd.DataFrame,
    *,
    confidence: Confidence = 0.95,
) -> Table:
    r"""The success rate of each algorithm in each environment, of runs with several trials each.

    The interval is of the mean of the runs' rates, of any distribution: trials of one run are not independent.

    Success rates with intervals for the mean of the runs' rates, since trials of one run are alike.

    Parameters
    ----------
    runs
        Outcomes of trials, several rows per run: a table with the columns algorithm, environment, run, score, which
        is 1 for a success and 0 for a failure; or one row per run with its success rate, and a column trials.
    confidence
        Confidence level of the intervals.

    Returns
    -------
    Table
        `table()` has columns algorithm, environment, runs, trials (of all runs), rate (the mean of the runs'
        rates), low, high (each interval separately), overdispersion (the correlation of two trials of a run: 0 if
        trials are as good as independent, 1 if all trials of a run have the same outcome; NaN where it cannot be
        estimated)

    Notes
    -----
    formula : The mean of the runs' rates $x_i$. The lower limit is the $\alpha/2$ quantile of $\sum_{i=0}^n W_i x_i$
        with $x_0 = 0$ and weights $W$ uniformly distributed among those that add up to 1, which is computed exactly;
        the upper limit is the same of the fractions of failures. The overdispersion is the analysis of variance's
        estimate of the correlation of two trials of a run.
    assumes : Runs are independent; trials of one run need not be, and rates may have any distribution.
    guarantee : With one trial per run at least the stated confidence (Clopper and Pearson). With more, the same is a
        conjecture for any number of runs, to which no counterexample is known. At 95 %, it missed in at most 2.5 % of
        400 experiments in each of 19 simulated designs with 3 to 50 runs, some of which collapse, or have
        beta-distributed rates. For each rate alone.
    interval : limits of means of bounded rates
    in a paper : We report the success rate of each algorithm in each environment, with {intervals}.
    not for : A single run, which cannot show how much runs differ.

    References
    ----------
    gaffke2005; learnedmiller2019; clopper1934

    Examples
    --------
    >>> import pandas as pd
    >>> from surefoot import success_rates
    >>> rows = [("a", "maze", run, success) for run in range(3) for success in (1, 0, 1, 1)]
    >>> outcomes = pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])
    >>> success_rates(outcomes).table()[["algorithm", "runs", "trials", "rate"]]
      algorithm  runs  trials  rate
    0         a     3      12  0.75
    """
    from surefoot.statistics.intervals.rate_limits import rate_limits

    rows = []
    for (algorithm, environment), own in runs.groupby(["algorithm", "environment"], sort=False):
        # Of rates of which lower ones are better, the table has the negative ones.
        rates, trials = own["score"].abs().to_numpy(np.float64), own["trials"].to_numpy(np.float64)
        found = rate_limits(np.round(rates * trials), trials, confidence)
        rows.append((algorithm, environment, len(own), int(trials.sum()), rates.mean(), *found))
    columns = ["algorithm", "environment", "runs", "trials", "rate", "low", "high", "overdispersion"]
    return Table(pd.DataFrame(rows, columns=columns))
