"""Metrics of all tasks together, and the mean of each task, with intervals."""

import pandas as pd

from surefoot.questions.aggregated import Aggregates, Options, aggregated
from surefoot.questions.checking import check_scores_with_spread
from surefoot.questions.registry import question
from surefoot.questions.results import Sets, Table
from surefoot.questions.types import (
    Algorithms,
    Checked,
    Confidence,
    Methods,
    Metrics,
    Replicates,
    Resampled,
    Seed,
    SharedRuns,
    Threads,
)
from surefoot.statistics.metrics.catalogue import metric


@question(
    stage="estimate",
    several_sets=True,
    chart="surefoot.charts.aggregates:aggregates_chart",
    finding="surefoot.charts.aggregates:aggregates_finding",
    check=check_scores_with_spread,
)
def aggregates(
    runs: Sets,
    *,
    metrics: Metrics = ("median", "iqm", "mean", "optimality_gap"),
    algorithms: Algorithms | None = None,
    methods: Methods = ("student",),
    resampled: Resampled = "runs",
    shared_runs: SharedRuns = "auto",
    replicates: Replicates = 1000,
    confidence: Confidence = 0.95,
    seed: Seed = 0,
    threads: Threads = 1,
    checked: Checked = False,
) -> Aggregates:
    """Metrics of all tasks together, with intervals.

    Metrics with bootstrap intervals. The result keeps the resamples for other intervals, differences and lifts.

    Parameters
    ----------
    runs
        Scores on a common scale, one row per run: a table with the columns algorithm, environment, run, score; or a
        dict {algorithm: array of runs x tasks}; or several such sets by name, {name: runs}.
    metrics
        Metrics by name: mean, median, iqm, exact_iqm, trimmed_mean(p), run_median, optimality_gap(gamma),
        difficulty_progress(p), probability_above(t). Append "weighted by tasks", as in "iqm weighted by tasks", to
        give tasks with unequal numbers of runs the same weight.
    algorithms
        The algorithms to take; all of them by default.
    methods
        Kinds of bootstrap intervals. student is the one that holds its level with few runs per task.
    resampled
        What a resample draws: runs of each task, the same runs of all tasks, or tasks and their runs.
    shared_runs
        Whether tasks share runs: true if one training is on all tasks, or one checkpoint is evaluated on all; false
        if every task has trainings of its own. auto takes runs for shared where those with the same name vary together
        on all tasks by more than chance.
    replicates
        Bootstrap resamples.
    confidence
        Confidence level of the intervals.
    seed
        Seed of all random numbers.
    threads
        How many threads may be used. The numbers do not depend on it.
    checked
        Whether the runs are known to be right although they look transposed, like episodes instead of runs, or like
        scores without a common scale.

    Returns
    -------
    Aggregates
        `table()` has columns scores, algorithm, metric, method, value, low, high (empty if there is no such
        interval), standard_error (of the interval student, else of the resamples), runs (the fewest of any task),
        tasks, replicates, shared_runs (whether tasks share the runs: "declared", "found", "excluded", "not found",
        "cannot tell", "other names", or "resampled"), remark (a reservation about the interval)

    Raises
    ------
    ValueError
        for an unknown metric; only one run of every task; whole runs of tasks with unequal numbers of runs

    Notes
    -----
    formula : A metric of all scores $x_{mn}$; its replicates are the metric of $N_m$ runs of each task drawn with
        replacement, which an [interval method](#sec-resampled) turns into limits.
    assumes : Runs are independent, within a task and across tasks; tasks are fixed. Where runs are [shared by
        tasks](#sec-question-run_effects), Student's interval takes whole runs for independent instead.
    guarantee : That of the interval method, for each metric and algorithm alone.
    in a paper : We report the {metrics} over all tasks[ for {algorithms}], with {intervals}[, {shared_runs}].
    not for : Comparing algorithms by whether intervals overlap: ask `pairwise_differences`. Runs that share luck across
        tasks, by other methods than Student's.

    References
    ----------
    agarwal2021, sections 4.1 and 4.3; efron1993, chapters 13 and 14

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import aggregates
    >>> a, b = [[0.9, 0.7], [0.8, 0.9], [0.7, 0.6]], [[0.4, 0.5], [0.6, 0.2], [0.3, 0.4]]
    >>> scores = {"a": np.array(a), "b": np.array(b)}
    >>> intervals = aggregates(scores, metrics=["iqm"]).table()
    >>> intervals[["algorithm", "metric", "value", "low", "high"]].round(2)
      algorithm metric  value   low  high
    0         a    iqm   0.78  0.61  0.94
    1         b    iqm   0.40  0.22  0.59
    """
    options = Options(algorithms, methods, resampled, shared_runs, replicates, confidence, seed, threads)
    return aggregated(runs, options, [metric(written) for written in metrics])


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
    from surefoot.statistics.intervals.distributions import task_means as means_of_tasks

    return Table(means_of_tasks(runs, confidence))
